/* The foot of the screen: the message line, in its place the command line that is being typed
 * (ui/view/entry.c handles its input), and the line of keys. Called by screen.c. See build.h. Main
 * thread only. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/panels/build.h"

/* --- the message line ------------------------------------------------------------------------- */

static const char *when_text(const ss_param *row)
{
    return row->flags & SS_P_REOPEN  ? "opens a new problem"
           : row->flags & SS_P_RESET ? "starts again"
                                     : "from the next cycle on";
}

/* " · 1 to 32 subiterations, typed up to 1024": the ends of the slider, and how far a number may
 * go. */
static const char *range_text(const ss_control *c)
{
    double end = c->track.hi > c->track.lo && c->track.hi < c->hi ? c->track.hi : c->hi;
    const char *beyond = end < c->hi ? ss_text(", typed up to %.6g", c->hi) : "";
    return ss_text(" · %.6g to %.6g%s%s%s%s%s%s", c->lo, end, *c->row->unit ? " " : "",
                   c->row->unit, beyond, *c->why ? " (" : "", c->why, *c->why ? ")" : "");
}

/* What the focused control is, its range, and when a change takes effect. */
static const char *hint(const ss_build *b)
{
    int i = ss_ui_focused(b->ui, b->snap);
    if (i < 0 || b->ui->in_order) /* no control has the focus, or a recording */
        return "";
    const ss_control *c = &b->snap->control[i];
    const char *help = c->row->help, *range = "";
    if (c->row->type == SS_CHOICE && c->row->choice_help)
        help = c->row->choice_help[ss_ui_value(b->ui, c, NULL).i];
    else if (c->row->type != SS_CHOICE && c->row->type != SS_BOOL)
        range = range_text(c);
    return ss_text("%s: %s%s · %s", c->row->name, help, range, when_text(c->row));
}

const char *ss_wanted_size(const ss_build *b)
{
    const ss_extent *e = &b->extent;
    double wide = (double)e->cols / SS_COLS_FULL, high = (double)e->rows / SS_ROWS_FULL;
    double fits = floor(20 * fmin(wide, high) * e->scale) / 20;
    if (!(e->scale > 0))
        return ss_text("%d×%d or larger, this is %d×%d", SS_COLS_FULL, SS_ROWS_FULL, b->s->cols,
                       b->s->rows);
    const char *pixels =
        ss_text("%d×%d pixels show more", SS_COLS_FULL * e->dots_x, SS_ROWS_FULL * e->dots_y);
    return fits < SS_SCALE_LEAST || e->page ? pixels
                                            : ss_text("%s, or --ui-scale %.3g", pixels, fits);
}

/* --- what the message line says --------------------------------------------------------------- */

/* NULL or "": nothing. */
typedef const char *speaker(const ss_build *b);

static const char *cycle_text(const ss_build *b)
{
    return ss_count_text(b->snap->telemetry.value[SS_T_CYCLE]);
}

static const char *say_typed(const ss_build *b)
{
    const ss_ui *ui = b->ui;
    if (!ui->typing || (ui->answering && ss_page_place_of(ui) == SS_PAGE_BESIDE))
        return NULL;
    return ss_text("%s = %s▏", ui->answering ? "your prediction" : ui->focus, ui->entry);
}

static const char *say_error(const ss_build *b)
{
    return b->ui->message_is_error ? b->ui->message : NULL;
}

static const char *say_message(const ss_build *b)
{
    return b->ui->message;
}

static const char *say_map_error(const ss_build *b)
{
    return b->ui->map.open && *b->ui->map.view->error ? ss_map_sentence(b) : NULL;
}

static const char *say_map(const ss_build *b)
{
    return b->ui->map.open ? ss_map_sentence(b) : NULL;
}

static const char *say_diverged(const ss_build *b)
{
    return b->snap->status == SS_DIVERGED ? b->snap->diverged : NULL;
}

static const char *say_race(const ss_build *b)
{
    return b->snap->race.n > 0 ? ss_race_text(b) : NULL;
}

static const char *say_race_end(const ss_build *b)
{
    return b->snap->status == SS_LIMIT ? say_race(b) : NULL;
}

static const char *say_limit(const ss_build *b)
{
    if (b->snap->status != SS_LIMIT)
        return NULL;
    if (b->snap->kind == SS_TRANSIENT)
        return ss_text("stopped at t = %.6g, the requested end time; r starts again",
                       b->snap->telemetry.value[SS_T_TIME]);
    return ss_text("stopped at the requested limit, cycle %s; r starts again", cycle_text(b));
}

static const char *say_failed(const ss_build *b)
{
    return b->snap->status == SS_FAILED ? ss_status_name(SS_FAILED) : NULL;
}

/* A run that has stagnated on a screen holds, and its banner says so. */
static const char *say_ended(const ss_build *b)
{
    ss_status s = b->snap->status;
    if (s == SS_STAGNATED && b->snap->hold == SS_HOLD_NONE)
        return ss_text("%s: the residual no longer falls", ss_status_name(s));
    return s == SS_INTERRUPTED ? ss_status_name(s) : NULL;
}

/* What the subiteration was: if not an update of all points, "grid 3 of 7, sweep 1 of 2 ...". */
static const char *say_peek(const ss_build *b)
{
    const ss_snapshot *p = b->snap;
    const ss_visit *v = &p->visit;
    const char *what;
    if (v->levels > 0)
        what = ss_text("grid %d of %d, %s%s", v->level + 1, v->levels, v->what ? v->what : "",
                       v->sweep > 0 ? ss_text(" (%d of %d)", v->sweep, v->sweeps) : "");
    else if (p->peek <= 0)
        return NULL;
    else if (p->kind == SS_TRANSIENT)
        what = ss_text("sub-step %d of %d%s%s", p->peek, p->per_cycle, p->phase ? ", " : "",
                       p->phase ? p->phase : "");
    else
        what = ss_text("%d%s subiteration of %d%s", p->peek, ss_ordinal(p->peek), p->per_cycle,
                       p->replay ? ", in the order of the last race" : "");
    return ss_text("microscope: %s · . takes the next, space goes on", what);
}

static const char *say_brush(const ss_build *b)
{
    char text[160];
    if (!b->ui->brush.on)
        return NULL;
    ss_brush_text(b->ui, b->snap, text, sizeof text);
    return ss_text("%s", text);
}

static const char *say_busy(const ss_build *b)
{
    ss_layer layer = b->snap->view.layer;
    bool needed = layer == SS_ERROR || layer == SS_EXACT || b->snap->until_error > 0;
    if (b->snap->busy_reference && needed)
        return "computing u*, the exact solution of the discrete system …";
    return b->snap->busy_baseline ? "computing 4096 Jacobi iterations to compare with …" : NULL;
}

/* --until-error, --until-accuracy */
static const char *say_accurate(const ss_build *b)
{
    const ss_snapshot *p = b->snap;
    if (p->status != SS_CONVERGED || p->reached)
        return NULL;
    if (!(p->until_error > 0))
        return "converged: the accuracy that was asked for; r starts again";
    return ss_text("converged (error ≤ %s of u*%s) at cycle %s; r starts again",
                   ss_tick_text(p->until_error, true), p->energy_norm ? " in the energy norm" : "",
                   cycle_text(b));
}

/* In a figure or a film, which does not hold. */
static const char *say_converged(const ss_build *b)
{
    const ss_snapshot *p = b->snap;
    if (p->status != SS_CONVERGED || p->hold != SS_HOLD_NONE)
        return NULL;
    return ss_text("converged (residual ≤ %s r0) at cycle %s", ss_tick_text(p->reached_tol, true),
                   ss_count_text((double)p->reached_cycle));
}

static const char *say_note(const ss_build *b)
{
    return b->ui->note;
}

/* The end of *Overlap pays*. */
static const char *say_exact(const ss_build *b)
{
    char text[200];
    bool exact = b->snap->view.layer == SS_STALENESS && ss_exact_again(b->snap, text, sizeof text);
    return exact ? ss_text("%s", text) : NULL;
}

/* Nobody can enlarge a recording, or a phone. */
static const char *say_small(const ss_build *b)
{
    return b->l->small && !b->ui->in_order && !b->extent.page ? ss_wanted_size(b) : NULL;
}

/* The first that has something to say is shown; else the hint. */
static const struct {
    speaker *say;
    ss_theme_role role;
} speakers[] = {
    {say_typed, SS_C_ACCENT},     {say_error, SS_C_ERROR},       {say_message, SS_C_TEXT},
    {say_map_error, SS_C_ERROR},  {say_map, SS_C_DIM},           {say_diverged, SS_C_ERROR},
    {say_race_end, SS_C_DIM},     {say_limit, SS_C_TEXT},        {say_failed, SS_C_ERROR},
    {say_ended, SS_C_TEXT},       {say_peek, SS_C_ACCENT},       {ss_build_waits, SS_C_ACCENT},
    {say_brush, SS_C_ACCENT},     {say_busy, SS_C_ACCENT},       {say_race, SS_C_DIM},
    {say_accurate, SS_C_SERIES2}, {say_converged, SS_C_SERIES2}, {say_exact, SS_C_SERIES2},
    {say_note, SS_C_TEXT},        {say_small, SS_C_ACCENT}};

static const char *message(const ss_build *b, ss_theme_role *role)
{
    for (size_t i = 0; i < sizeof speakers / sizeof *speakers; i++) {
        const char *text = speakers[i].say(b);
        *role = speakers[i].role;
        if (text && *text)
            return text;
    }
    *role = SS_C_DIM;
    return hint(b);
}

/* The columns that the message has beside the figures on the right, which are shortened to their
 * last part if it needs more. A message gets all columns if that is not enough; a hint does not. */
static int figures_room(ss_rect r, const char **right, bool is_message, int need)
{
    int room = r.w - 4 - ss_text_width(*right);
    const char *last = strstr(*right, " · ");
    if (room < need && last) {
        *right = last + strlen(" · ");
        room = r.w - 4 - ss_text_width(*right);
    }
    return !**right || r.w < 60 || (room < need && is_message) ? r.w - 2 : room;
}

/* In a terminal a message that is longer than its row also takes rows above it, over the panels:
 * its end is the advice. */
static bool long_message(const ss_build *b, ss_theme_role role, const char *text)
{
    enum { MOST = 4 };
    ss_rect r = b->l->panel[SS_PANEL_MESSAGE];
    bool needs = ss_text_width(text) > r.w - 2;
    if (!needs || role == SS_C_DIM || b->l->head > 1 || b->ui->in_order)
        return false;
    int lines = ss_min(ss_build_lines(text, r.w - 2), MOST);
    ss_rect at = {r.x, r.y + 1 - lines, r.w, lines};
    ss_scene_add(b->s, SS_I_FILL, at, SS_C_GROUND);
    ss_build_wrap(b, (ss_rect){at.x + 1, at.y, at.w - 2, at.h}, role, text);
    return true;
}

/* "iteration 480 · r/r0 1.2e-4" */
static const char *figures(const ss_build *b)
{
    const ss_snapshot *p = b->snap;
    if (b->ui->map.open && b->ui->map.view->alone)
        return "";
    if (p->kind == SS_STEADY)
        return ss_text("iteration %s · r/r0 %s", ss_telemetry_text(p, SS_T_ITERATION),
                       ss_telemetry_text(p, SS_T_REDUCTION));
    return ss_text("step %s · t = %.6g", ss_telemetry_text(p, SS_T_STEP),
                   p->telemetry.value[SS_T_TIME]);
}

static void message_line(const ss_build *b)
{
    ss_rect r = b->l->panel[SS_PANEL_MESSAGE];
    ss_theme_role role;
    const char *text = message(b, &role), *right = figures(b);
    int room = figures_room(r, &right, role != SS_C_DIM, ss_text_width(text));
    if (room < r.w - 2)
        ss_scene_text_right(b->s, r.x + r.w - 1, r.y, ss_text_width(right), SS_C_DIM,
                            SS_FIGURE | SS_SMALL, right);
    text = ss_text_parts(text, room);
    if (!long_message(b, role, text))
        ss_scene_text(b->s, r.x + 1, r.y, room, role, 0, text);
}

/* --- the command line ------------------------------------------------------------------------- */

/* Of a line that is too long the end is shown. */
static void command_line(const ss_build *b)
{
    const ss_prompt *p = &b->ui->prompt;
    ss_rect r = b->l->panel[SS_PANEL_MESSAGE];
    const char *shown = p->line;
    while (ss_text_width(shown) > r.w - 4)
        ss_utf8_next(&shown);
    int w =
        ss_scene_text(b->s, r.x + 1, r.y, r.w - 2, SS_C_ACCENT, SS_FIGURE, ss_text(":%s▏", shown)) +
        2;
    ss_scene_text(b->s, r.x + 1 + w, r.y, r.w - 2 - w, SS_C_DIM, 0, p->offer);
}

void ss_build_message(const ss_build *b)
{
    (b->ui->prompt.on ? command_line : message_line)(b);
}

/* --- the line of keys ------------------------------------------------------------------------- */

enum { KEYS = 48 };

typedef struct hint_key {
    const char *key, *label, *command;
    int rank, width;
    bool last;
} hint_key;

/* A parameter whose name is its key ("k") is labelled by the first word of its help. */
static const char *row_label(const ss_build *b, const ss_param *row)
{
    if (strcmp(row->name, row->key) != 0)
        return row->name;
    return ss_scene_keep(b->s, ss_text("%.*s", (int)strcspn(row->help, " ,;:("), row->help));
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
    const char *name = ss_text("%c%s%c", SS_MARK_CODE, k->key, SS_MARK_PLAIN);
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
    ss_rect r = b->l->panel[SS_PANEL_FOOTER];
    int n = collect_keys(b, context, keys, KEYS), x = r.x + 1, row = 0;
    for (int i = 0; i < n; i++)
        keys[i].width = ss_text_width(ss_key_text(keys[i].key)) + 1 + ss_text_width(keys[i].label);
    n = choose_keys(keys, n, r, order);
    for (int i = 0; i < n; i++) {
        const hint_key *k = &keys[order[i]];
        place_key(k, r, &x, &row);
        if (k->command)
            ss_scene_hit(b->s, SS_H_COMMAND, (ss_rect){x, r.y + row, k->width, 1}, k->command, 0);
        x += 1 + ss_scene_text(b->s, x, r.y + row, r.w, SS_C_ACCENT, SS_BOLD | SS_FIGURE | SS_FLOW,
                               ss_key_text(k->key));
        x += ss_scene_text(b->s, x, r.y + row, r.w, SS_C_DIM, SS_FLOW, k->label) + 2;
    }
}
