/* The footer: the line of keys at the bottom of the screen. See build.h. Main thread only. */
#include <stdio.h>
#include <string.h>

#include "ui/panels/build.h"

enum { KEYS = 48 };

typedef struct hint_key {
    const char *key, *label, *command;
    int rank, width;
    bool last;
} hint_key;

/* A parameter whose name is its key ("k") is labelled by the first word of its help. */
static const char *row_label(const ss_build *b, const ss_param *row)
{
    char word[24];
    if (strcmp(row->name, row->key) != 0)
        return row->name;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(row->help, " ,;:("), row->help);
    return ss_scene_keep(b->s, word);
}

/* True if the page offers the action of this key now; keys that are always shown return true. */
static bool has_offer(const ss_page *p, const ss_key *k)
{
    static const struct {
        const char *command;
        ss_page_offer offer;
    } of[] = {{"lesson do", SS_OFFER_DO},
              {"lesson hint", SS_OFFER_HINT},
              {"lesson solution", SS_OFFER_SOLUTION},
              {"lesson next", SS_OFFER_NEXT}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (strcmp(of[i].command, k->command) == 0)
            return p->offers[of[i].offer];
    return true;
}

/* A limit or a failure has stopped the run: it can only start again. A race has its own end. */
static bool has_ended(const ss_snapshot *snap)
{
    bool holds = snap->status == SS_CONVERGED || snap->status == SS_STAGNATED;
    return snap->status != SS_RUNNING && !holds && snap->race.n == 0;
}

/* Nor does a run go on at a residual of 0, or one of a lesson beyond its tolerance. */
static bool goes_on(const ss_build *b)
{
    return !has_ended(b->snap) && ss_hold_goes_on(b->ui, b->snap);
}

/* Does the text of the page name this key, as code? */
static bool is_named(const ss_page *p, const ss_key *k)
{
    char name[24];
    snprintf(name, sizeof name, "%c%s%c", SS_MARK_CODE, k->key, SS_MARK_PLAIN);
    for (int i = 0; p && i < p->nblock; i++)
        if (strstr(p->block[i].text, name))
            return true;
    return false;
}

enum { FIRST = 1, NAMED = 2 }; /* ranks */

/* Its rank in the footer; 0: not there. */
static int rank_of(const ss_build *b, const ss_key *k)
{
    const ss_verb *row = ss_verb_of_line(k->command);
    ss_verb_id id = row ? row->id : SS_NVERB;
    bool refused = row && (row->flags & SS_V_SOLVES) && b->ui->page && b->ui->page->asks;
    if (refused || (id == SS_VERB_TOGGLE && !goes_on(b)))
        return 0;
    if (row && (row->flags & SS_V_ADVANCES) && has_ended(b->snap))
        return 0;
    if (strcmp(k->command, "map pause") == 0 && b->ui->map.open &&
        b->ui->map.view->done == b->ui->map.view->n)
        return 0;
    if (id == SS_VERB_RESET && !goes_on(b))
        return FIRST;
    bool soon = k->context == SS_K_MAIN && (k->footer == 0 || k->footer > NAMED);
    return soon && is_named(b->ui->page, k) ? NAMED : k->footer;
}

/* A page that holds the program is closed, not left. */
bool ss_build_key_works(const ss_build *b, const ss_key *k)
{
    return !b->ui->links || strcmp(k->command, "quit") != 0;
}

/* A race, a rewound run, a maximised panel and a lesson page add their own keys. */
static bool is_offered(const ss_build *b, const ss_key *k, ss_key_context context)
{
    const ss_page *p = b->ui->page;
    if (!ss_build_key_works(b, k))
        return false;
    if (strcmp(k->command, "kernel edit off") == 0 && !*b->snap->kernels.edit.path)
        return false;
    if (k->context == context) /* a map without a run has nothing to apply a cell to */
        return context != SS_K_MAP || !b->ui->map.view->alone ||
               strcmp(k->command, "map take") != 0;
    if (context != SS_K_MAIN)
        return false;
    return (k->context == SS_K_RACE && b->snap->race.n > 0) ||
           (k->context == SS_K_PAST && b->snap->past.used) ||
           (k->context == SS_K_ALONE && b->ui->arranging.maximised && ss_ui_arranges(b->ui)) ||
           (k->context == SS_K_PAGE && p && has_offer(p, k) &&
            (b->l->turns > 1 || strcmp(k->command, "lesson panel") != 0)) ||
           (k->context == SS_K_ANSWER && p && p->asks == SS_ASKS_CHOICE);
}

static int collect_keys(const ss_build *b, ss_key_context context, hint_key *out, int max)
{
    static char pair[SS_CONTROL_MAX][8];
    int n = 0;
    const ss_key_state state = {.moving = b->snap->kind == SS_TRANSIENT,
                                .plays = b->ui->page && b->ui->page->plays,
                                .paused = b->snap->paused,
                                .ended = !goes_on(b)};
    for (const ss_key *k = ss_keys; k->key && n < max; k++) {
        int rank = is_offered(b, k, context) ? rank_of(b, k) : 0;
        if (rank > 0)
            out[n++] = (hint_key){.key = k->key,
                                  .label = ss_key_label(k, &state),
                                  .command = k->command,
                                  .rank = rank * 4,
                                  .last = k->last};
    }
    for (int i = 0; context == SS_K_MAIN && i < b->snap->ncontrol && i < 4 && n < max; i++) {
        const ss_param *row = b->snap->control[i].row;
        if (!row->key)
            continue;
        snprintf(pair[i], sizeof pair[i], "%c/%c", row->key[0], row->key[0] - 'a' + 'A');
        out[n++] = (hint_key){.key = pair[i], .label = row_label(b, row), .rank = 9 + i};
    }
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && out[j].rank < out[j - 1].rank; j--) {
            hint_key t = out[j];
            out[j] = out[j - 1], out[j - 1] = t;
        }
    return n;
}

/* Places key i at *x, *row; a key that does not fit the row begins the next one. False: there is
 * none. */
static bool place_key(const hint_key *k, ss_rect r, int *x, int *row)
{
    if (*x + k->width > r.x + r.w && *x > r.x + 1)
        *x = r.x + 1, (*row)++;
    return *row < r.h && *x + k->width <= r.x + r.w;
}

/* The order in which keys are drawn: by rank, those that come last at the end. */
static int drawn_order(const hint_key *keys, int n, const bool *shown, int *order)
{
    int count = 0;
    for (int k = 0; k < 2 * n; k++)
        if (shown[k % n] && keys[k % n].last == (k >= n))
            order[count++] = k % n;
    return count;
}

static bool all_fit(const hint_key *keys, const int *order, int n, ss_rect r)
{
    int x = r.x + 1, row = 0;
    for (int i = 0; i < n; i++) {
        if (!place_key(&keys[order[i]], r, &x, &row))
            return false;
        x += keys[order[i]].width + 2;
    }
    return true;
}

/* The keys of the lowest ranks that fit together. */
static int choose_keys(const hint_key *keys, int n, ss_rect r, int *order)
{
    bool shown[KEYS] = {false};
    int count = 0;
    for (int i = 0; i < n; i++) {
        shown[i] = true;
        count = drawn_order(keys, n, shown, order);
        shown[i] = all_fit(keys, order, count, r);
    }
    return drawn_order(keys, n, shown, order);
}

void ss_build_keys(const ss_build *b, ss_key_context context)
{
    hint_key keys[KEYS];
    int order[KEYS];
    char name[24];
    ss_rect r = b->l->panel[SS_PANEL_FOOTER];
    int n = collect_keys(b, context, keys, KEYS), x = r.x + 1, row = 0;
    for (int i = 0; i < n; i++)
        keys[i].width = ss_text_width(ss_key_text(keys[i].key, name, sizeof name)) + 1 +
                        ss_text_width(keys[i].label);
    n = choose_keys(keys, n, r, order);
    for (int i = 0; i < n; i++) {
        const hint_key *k = &keys[order[i]];
        place_key(k, r, &x, &row);
        const char *key = ss_key_text(k->key, name, sizeof name);
        if (k->command)
            ss_scene_hit(b->s, SS_H_COMMAND, (ss_rect){x, r.y + row, k->width, 1}, k->command, 0);
        x += ss_scene_text(b->s, x, r.y + row, r.w, SS_C_ACCENT, SS_BOLD | SS_FIGURE | SS_FLOW,
                           key) +
             1;
        x += ss_scene_text(b->s, x, r.y + row, r.w, SS_C_DIM, SS_FLOW, k->label) + 2;
    }
}
