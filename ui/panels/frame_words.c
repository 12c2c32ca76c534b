/* The parameters below the parts of a frame: in a film one line, in which a value that changes
 * shows the old and the new one for a moment; in a figure a sentence. See frame_parts.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/panels/frame_parts.h"

/* Film time in which both values are shown, and in which a text comes up. */
#define CHANGE_SECONDS 0.6
#define ROLL_SECONDS 0.15

/* --- the values ------------------------------------------------------------------------------- */

/* What describes the method and the problem; not the machine, and not a row that follows another.
 */
static bool is_told(const ss_snapshot *snap, const ss_param *row)
{
    bool follows = row->follows && !snap->cfg.v[row->slot].set;
    return !follows && row->type != SS_STRING &&
           (strcmp(row->group, "Method") == 0 || strcmp(row->group, "Problem") == 0);
}

static const char *value_of(const ss_control *c, char *buf, size_t size)
{
    if (c->row->type == SS_DURATION && c->value.d > 0)
        return ss_format_si(c->value.d, c->row->unit, buf, size), buf;
    return ss_param_format(c->row, c->value, buf, size);
}

static ss_roll *roll_of(ss_rolls *all, const ss_param *row)
{
    for (int i = 0; i < all->n; i++)
        if (all->roll[i].row == row)
            return &all->roll[i];
    return NULL;
}

void ss_words_follow(const ss_build *b, double seconds)
{
    ss_rolls before = b->ui->rolls, *now = &b->ui->rolls;
    now->n = 0;
    for (int i = 0; i < b->snap->ncontrol; i++) {
        const ss_control *c = &b->snap->control[i];
        char text[24];
        if (!is_told(b->snap, c->row))
            continue;
        const ss_roll *old = roll_of(&before, c->row);
        ss_roll *r = &now->roll[now->n++];
        *r = old ? *old : (ss_roll){.row = c->row, .since = -1};
        value_of(c, text, sizeof text);
        if (old && strcmp(old->now, text) != 0) {
            snprintf(r->was, sizeof r->was, "%s", old->now);
            r->since = seconds;
        }
        snprintf(r->now, sizeof r->now, "%s", text);
    }
}

/* --- the line of a film ----------------------------------------------------------------------- */

typedef struct word {
    const char *name; /* "": the value tells what it is */
    char value[64], before[64];
    bool changes; /* now, or earlier in the film: it is not left out */
    bool bright, was_bright;
    double roll; /* > 0: the value comes up, the one before leaves */
} word;

enum { WORDS = SS_CONTROL_MAX, GAP = 3 };

static bool is_changing(const ss_roll *r, double seconds)
{
    return r->since >= 0 && seconds - r->since < CHANGE_SECONDS - 1e-9;
}

/* A text comes up in the first moment after `since`. */
static double rise(double seconds, double since)
{
    double age = seconds - since + 1e-9;
    return age >= 0 && age < ROLL_SECONDS ? 1 - (age + 0.02) / (ROLL_SECONDS + 0.02) : 0;
}

static word word_of(const ss_roll *r, double seconds)
{
    word w = {.name = r->row->type == SS_CHOICE && strcmp(r->row->name, "solver") == 0
                          ? ""
                          : r->row->symbol,
              .changes = r->since >= 0};
    char both[64];
    snprintf(both, sizeof both, "%s → %s", r->was, r->now);
    w.bright = is_changing(r, seconds);
    w.was_bright = !w.bright;
    snprintf(w.value, sizeof w.value, "%s", w.bright ? both : r->now);
    snprintf(w.before, sizeof w.before, "%s", w.bright ? r->was : both);
    if (r->since >= 0)
        w.roll = rise(seconds, w.bright ? r->since : r->since + CHANGE_SECONDS);
    return w;
}

static int width_of(const word *w)
{
    return ss_text_width(w->value) + (*w->name ? ss_text_width(w->name) + 1 : 0);
}

/* Leaves out the last of those that have not changed. */
static int drop_one(word *w, int n)
{
    int at = n - 1;
    while (at > 0 && w[at].changes)
        at--;
    memmove(w + at, w + at + 1, (size_t)(n - at - 1) * sizeof *w);
    return n - 1;
}

static int total(const word *w, int n)
{
    int cols = 0;
    for (int i = 0; i < n; i++)
        cols += width_of(&w[i]) + GAP;
    return cols;
}

static void state(const ss_snapshot *p, char *buf, size_t size)
{
    char n[32], done[48] = "";
    ss_count_text(p->telemetry.value[SS_T_CYCLE], n, sizeof n);
    if (p->status != SS_RUNNING && p->status != SS_LIMIT)
        snprintf(done, sizeof done, ", %s", ss_status_name(p->status));
    snprintf(buf, size, "cycle %s%s", n, done);
}

static int put(const ss_build *b, int x, ss_rect r, ss_theme_role role, unsigned style, double roll,
               const char *text)
{
    int w = ss_text_width(text);
    ss_item *it = ss_scene_add(b->s, SS_I_TEXT, (ss_rect){x, r.y, w, r.h}, role);
    it->style = style | SS_HUGE | SS_FLOW;
    it->roll = roll;
    it->text = ss_scene_keep(b->s, text);
    return w;
}

/* A race has no parameters in common; the curves have the names of the runs. */
static void race_line(const ss_build *b, ss_rect r)
{
    char text[160];
    ss_race_text(b, text, sizeof text);
    ss_frame_text(b, r, SS_C_TEXT, SS_HUGE, text);
}

void ss_words_line(const ss_build *b, ss_rect r, double seconds)
{
    if (b->snap->race.n > 0) {
        race_line(b, r);
        return;
    }
    word w[WORDS];
    char cycle[64];
    int n = 0, x = r.x, room = ss_frame_columns(b, r.w, SS_HUGE);
    for (int i = 0; i < b->ui->rolls.n; i++) /* the solver's name comes first */
        w[n++] = word_of(&b->ui->rolls.roll[i], seconds);
    for (int i = n - 1; i > 0; i--)
        if (!*w[i].name) {
            word first = w[i];
            memmove(w + 1, w, (size_t)i * sizeof *w);
            w[0] = first;
            break;
        }
    state(b->snap, cycle, sizeof cycle);
    while (n > 0 && total(w, n) + ss_text_width(cycle) > room)
        n = drop_one(w, n);
    for (int i = 0; i < n; i++) {
        if (*w[i].name)
            x += put(b, x, r, SS_C_DIM, 0, 0, w[i].name) + 1;
        if (w[i].roll > 0)
            put(b, x, r, w[i].was_bright ? SS_C_ACCENT : SS_C_TEXT, SS_BOLD, w[i].roll - 1,
                w[i].before);
        x += put(b, x, r, w[i].bright ? SS_C_ACCENT : SS_C_TEXT, SS_BOLD, w[i].roll, w[i].value) +
             GAP;
    }
    put(b, r.x + r.w - ss_text_width(cycle), r, SS_C_DIM, SS_RIGHT, 0, cycle);
}

/* --- the sentence of a figure ----------------------------------------------------------------- */

static void state_of_figure(const ss_build *b, char *buf, size_t size)
{
    const ss_snapshot *p = b->snap;
    char cycle[64];
    if (p->race.n > 0) { /* its runs have done different cycles */
        ss_race_text(b, buf, size);
        return;
    }
    state(p, cycle, sizeof cycle);
    if (p->kind == SS_TRANSIENT)
        snprintf(buf, size, "t = %.4g, %s", p->telemetry.value[SS_T_TIME], cycle);
    else
        snprintf(buf, size, "%s", cycle);
}

static void values(const ss_snapshot *p, char *buf, size_t size)
{
    char text[32];
    size_t n = 0;
    *buf = '\0';
    for (int i = 0; i < p->ncontrol && n < size; i++) {
        const ss_control *c = &p->control[i];
        if (is_told(p, c->row) && strcmp(c->row->name, "solver") != 0)
            n += (size_t)snprintf(buf + n, size - n, ", %s = %s", c->row->symbol,
                                  value_of(c, text, sizeof text));
    }
}

static void sentence(const ss_build *b, char *buf, size_t size)
{
    const ss_snapshot *p = b->snap;
    char now[160], all[320];
    bool race = p->race.n > 0;
    state_of_figure(b, now, sizeof now);
    values(p, all, sizeof all);
    char runs[24];
    snprintf(runs, sizeof runs, "%d runs", p->race.n);
    snprintf(buf, size, "%s, %s, %s%s%s; %s", p->equation, race ? runs : p->solver_name,
             p->dim == 1 ? "n = " : "", p->grid, race ? "" : all, now);
}

/* The bytes of the first line: it ends behind a comma, if one is in reach. */
static int line_end(const char *text, int cols)
{
    int all = ss_build_cut(text, cols), at = all;
    if (!text[all])
        return all;
    while (at > 0 && !(text[at] == ' ' && strchr(",;", text[at - 1])))
        at--;
    return at > 0 ? at : all;
}

int ss_words_text(const ss_build *b, ss_rect r)
{
    char text[640];
    int lines = 0, cols = ss_frame_columns(b, r.w, 0);
    sentence(b, text, sizeof text);
    for (const char *at = text; *at; lines++) {
        char line[256];
        int cut = line_end(at, cols < 250 ? cols : 250);
        snprintf(line, sizeof line, "%.*s", cut, at);
        if (lines < r.h)
            ss_frame_text(b, (ss_rect){r.x, r.y + lines, r.w, 1}, SS_C_TEXT, 0, line);
        at += cut;
        while (*at == ' ')
            at++;
    }
    return lines;
}
