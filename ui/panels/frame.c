/* Frames: their table, the scene of one, and the parameters below its parts: in a film one line, in
 * which a value that changes shows the old and the new one for a moment; in a figure a sentence.
 * See screen.h, build.h. Main thread only. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/panels/screen.h"
#include "ui/panels/build.h"

/* --- text ------------------------------------------------------------------------------------- */

/* Columns of text that fit `cols` cells in a style: in pixels letters are narrower than cells. */
static int frame_columns(const ss_build *b, int cols, unsigned style)
{
    double letter = b->extent.dots_x <= 2 ? 1
                    : style & SS_HUGE     ? 1.02
                    : style & SS_BOLD     ? 0.78
                                          : 0.72;
    return (int)(cols / letter);
}

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

static const char *value_of(const ss_control *c)
{
    if (c->row->type == SS_DURATION && c->value.d > 0)
        return ss_si_text(c->value.d, c->row->unit);
    return ss_value_text(c->row, c->value);
}

static ss_roll *roll_of(ss_rolls *all, const ss_param *row)
{
    for (int i = 0; i < all->n; i++)
        if (all->roll[i].row == row)
            return &all->roll[i];
    return NULL;
}

/* Notes which values have changed since the last frame of the film. */
static void words_follow(const ss_build *b, double seconds)
{
    ss_rolls before = b->ui->rolls, *now = &b->ui->rolls;
    now->n = 0;
    for (int i = 0; i < b->snap->ncontrol; i++) {
        const ss_control *c = &b->snap->control[i];
        if (!is_told(b->snap, c->row))
            continue;
        const ss_roll *old = roll_of(&before, c->row);
        ss_roll *r = &now->roll[now->n++];
        *r = old ? *old : (ss_roll){.row = c->row, .since = -1};
        snprintf(r->now, sizeof r->now, "%s", value_of(c));
        if (old && strcmp(old->now, r->now) != 0) {
            snprintf(r->was, sizeof r->was, "%s", old->now);
            r->since = seconds;
        }
    }
}

/* --- the line of a film ----------------------------------------------------------------------- */

typedef struct word {
    const char *name; /* "": the value tells what it is */
    const char *value, *before;
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
    bool solver = r->row->type == SS_CHOICE && strcmp(r->row->name, "solver") == 0;
    bool changing = is_changing(r, seconds);
    const char *both = ss_text("%s → %s", r->was, r->now);
    word w = {.name = solver ? "" : r->row->symbol,
              .value = changing ? both : r->now,
              .before = changing ? r->was : both,
              .changes = r->since >= 0,
              .bright = changing,
              .was_bright = !changing};
    if (w.changes)
        w.roll = rise(seconds, changing ? r->since : r->since + CHANGE_SECONDS);
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

static const char *state(const ss_snapshot *p)
{
    bool done = p->status != SS_RUNNING && p->status != SS_LIMIT;
    return ss_text("cycle %s%s%s", ss_count_text(p->telemetry.value[SS_T_CYCLE]), done ? ", " : "",
                   done ? ss_status_name(p->status) : "");
}

static int put(const ss_build *b, int x, ss_rect r, ss_theme_role role, unsigned style, double roll,
               const char *text)
{
    int w = ss_text_width(text);
    ss_put_in(b, (ss_rect){x, r.y, w, r.h}, role, style | SS_HUGE | SS_FLOW, text)->roll = roll;
    return w;
}

/* The parameters in one line of large text. */
static void words_line(const ss_build *b, ss_rect r, double seconds)
{
    if (b->snap->race.n > 0) { /* no parameters in common; the curves have the names of the runs */
        ss_put_in(b, r, SS_C_TEXT, SS_HUGE, ss_race_text(b));
        return;
    }
    word w[WORDS];
    const char *cycle = state(b->snap);
    int n = 0, x = r.x, room = frame_columns(b, r.w, SS_HUGE);
    for (int i = 0; i < b->ui->rolls.n; i++) /* the solver's name comes first */
        w[n++] = word_of(&b->ui->rolls.roll[i], seconds);
    for (int i = n - 1; i > 0; i--)
        if (!*w[i].name) {
            word first = w[i];
            memmove(w + 1, w, (size_t)i * sizeof *w);
            w[0] = first;
            break;
        }
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

static const char *values(const ss_snapshot *p)
{
    const char *text = "";
    for (int i = 0; i < p->ncontrol; i++) {
        const ss_control *c = &p->control[i];
        if (is_told(p, c->row) && strcmp(c->row->name, "solver") != 0)
            text = ss_text("%s, %s = %s", text, c->row->symbol, value_of(c));
    }
    return text;
}

/* The runs of a race have done different cycles. */
static const char *sentence(const ss_build *b)
{
    const ss_snapshot *p = b->snap;
    const char *n = p->dim == 1 ? "n = " : "";
    if (p->race.n > 0)
        return ss_text("%s, %d runs, %s%s; %s", p->equation, p->race.n, n, p->grid,
                       ss_race_text(b));
    const char *time =
        p->kind == SS_TRANSIENT ? ss_text("t = %.4g, ", p->telemetry.value[SS_T_TIME]) : "";
    return ss_text("%s, %s, %s%s%s; %s%s", p->equation, p->solver_name, n, p->grid, values(p), time,
                   state(p));
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

/* The same as a sentence for a figure; returns the lines needed at `cols`. r.h 0: only counts. */
static int words_text(const ss_build *b, ss_rect r)
{
    int lines = 0, cols = frame_columns(b, r.w, 0);
    for (const char *at = sentence(b); *at; lines++) {
        int cut = line_end(at, cols < 250 ? cols : 250);
        if (lines < r.h)
            ss_put_in(b, (ss_rect){r.x, r.y + lines, r.w, 1}, SS_C_TEXT, 0,
                      ss_text("%.*s", cut, at));
        at += cut + strspn(at + cut, " ");
    }
    return lines;
}

/* --- the scene -------------------------------------------------------------------------------- */

/* In the order of the choices of --frame. */
const ss_frame_row ss_frames[] = {
    {"app", .part = {NULL}},
    {"figure", .lettered = true,
     .part = {&ss_part_field, &ss_part_raster, &ss_part_curve, &ss_part_lower}},
    {"field", .part = {&ss_part_field}},
    {"field+curve", .part = {&ss_part_field, &ss_part_curve}},
    {"raster", .part = {&ss_part_raster}},
    {"theatre", .part = {&ss_part_theatre}},
    {"cone", .part = {&ss_part_cone}, .cones = true},
    {"wipe", .part = {&ss_part_wipe}},
    {"timeline", .part = {&ss_part_timeline}, .rewinds = true},
    {NULL, .part = {NULL}},
};

/* A film of this size has cells of this width. */
enum { FILM_W = 800, FILM_H = 600, FILM_CELL = 12 };

/* --- the size --------------------------------------------------------------------------------- */

/* A film has larger type than a window of its size, in steps of a pixel. */
static ss_extent film_extent(const ss_extent *e)
{
    ss_extent out = *e;
    int w = e->cols * e->dots_x, h = e->rows * e->dots_y;
    if (!(e->scale > 0))
        return out;
    int cell = (int)lround(FILM_CELL * fmin((double)w / FILM_W, (double)h / FILM_H));
    out.dots_x = cell > 5 ? cell : 5;
    out.dots_y = 2 * out.dots_x;
    out.cols = w / out.dots_x;
    out.rows = h / out.dots_y;
    out.scale = e->scale * out.dots_x / e->dots_x;
    return out;
}

/* A figure has a white ground, on paper and in pixels, unless a theme was chosen. Panels have no
 * ground of their own. */
static const ss_theme *theme_of(ss_ui *ui, bool figure)
{
    bool white = figure && !ui->theme_chosen;
    ui->paper = *(white ? ss_theme_find("light") : ui->theme);
    ui->paper.color[SS_C_GROUND] = ui->paper.color[SS_C_PANEL];
    return &ui->paper;
}

/* --- the parts that are shown ----------------------------------------------------------------- */

typedef struct shown {
    const ss_frame_part *part[SS_FRAME_PARTS];
    int n;
    bool lettered;
} shown;

static const char *why_not(const ss_build *b, const ss_frame_part *p)
{
    return p->why ? p->why(b) : NULL;
}

static void shape_of(const ss_build *b, const ss_frame_part *p, ss_frame_shape *out)
{
    *out = p->shape;
    if (p->fit)
        p->fit(b, out);
}

/* A lettered frame leaves out what the run lacks; a single part says why. */
static shown shown_parts(const ss_build *b, const ss_frame_row *f)
{
    shown s = {.n = 0};
    for (int i = 0; i < SS_FRAME_PARTS && f->part[i]; i++)
        if (!f->lettered || !why_not(b, f->part[i]))
            s.part[s.n++] = f->part[i];
    s.lettered = f->lettered && s.n > 1;
    return s;
}

int ss_frame_check(const ss_frame_row *f, const ss_snapshot *snap, ss_err *err)
{
    const ss_build b = {.snap = snap};
    for (int i = 0; i < SS_FRAME_PARTS && f->part[i] && !f->lettered; i++) {
        const char *why = why_not(&b, f->part[i]);
        if (why)
            return ss_fail(err, "frame %s: %s", f->name, why);
    }
    return SS_OK;
}

/* "staleness: its meaning · 2nd subiteration": without the meaning, then without the rest. */
static const char *shorten(const char *text, int cols)
{
    const char *colon = strstr(text, ": "), *dot = strstr(text, " · ");
    if (ss_text_width(text) > cols && colon)
        text = ss_text("%.*s%s", (int)(colon - text), text, dot && dot > colon ? dot : "");
    return ss_text_parts(text, cols);
}

static void draw_part(ss_build *b, const shown *s, int i, double progress, ss_rect r)
{
    ss_edge_words words = {.alone = s->n == 1, .progress = progress};
    if (r.h < 1)
        return;
    b->edges = &words;
    const char *why = why_not(b, s->part[i]);
    ss_rect below = {r.x, r.y + 1, r.w, r.h - 1};
    if (why)
        ss_build_nothing(b, below, why);
    else
        s->part[i]->draw(b, below);
    r.h = 1;
    if (s->lettered) {
        ss_put_in(b, (ss_rect){r.x, r.y, 3, 1}, SS_C_TEXT, SS_BOLD, ss_text("(%c)", 'a' + i));
        ss_rect_left(&r, 4 - (b->extent.dots_x > 2));
    }
    ss_put_in(b, r, s->lettered ? SS_C_TEXT : SS_C_DIM, 0,
              shorten(s->part[i]->heading(b), frame_columns(b, r.w, 0)));
}

/* --- the words around them -------------------------------------------------------------------- */

/* A film without a title names the problem. */
static void title(const ss_build *b, const ss_frame_spec *spec, ss_rect r)
{
    const ss_snapshot *p = b->snap;
    if (r.h < 1)
        return;
    bool named = spec->title != NULL;
    unsigned size = spec->paper ? SS_LARGE : named ? SS_HUGE : SS_LARGE;
    ss_put_in(
        b, r, named ? SS_C_TEXT : SS_C_DIM, size | (named ? SS_BOLD : 0),
        named ? spec->title
              : ss_text("%s · %s%s", p->equation, p->dim == 1 && *p->grid ? "n " : "", p->grid));
}

static const char *note_of(const ss_ui *ui, const ss_frame_spec *spec)
{
    return *ui->note ? ui->note : spec->caption ? spec->caption : "";
}

static void note(const ss_build *b, const ss_frame_spec *spec, ss_rect r)
{
    const char *text = note_of(b->ui, spec);
    if (r.h > 0 && *text)
        ss_put_in(b, r, SS_C_TEXT, spec->paper ? 0 : SS_HUGE | SS_CENTRE, text);
}

/* A film keeps the line of its words from the start, so that nothing moves when they come. */
static void make_plan(const ss_build *b, const shown *s, const ss_frame_spec *spec,
                      ss_frame_plan *plan)
{
    enum { TALL = 2 };
    bool film = !spec->paper, cells = b->extent.dots_x <= 2;
    int line = film && !cells ? TALL : 1;
    *plan = (ss_frame_plan){.cols = b->extent.cols, .rows = film ? b->extent.rows : 0, .n = s->n};
    for (int i = 0; i < s->n; i++)
        shape_of(b, s->part[i], &plan->part[i]);
    bool noted = *note_of(b->ui, spec) || (film && b->ui->will_say);
    plan->title = film || spec->title ? line : 0;
    plan->note = noted ? line : 0;
    plan->words = film ? line : 1 + words_text(b, (ss_rect){0, 0, plan->cols - 2, 0});
}

static void words(const ss_build *b, const ss_frame_spec *spec, ss_rect r)
{
    if (!spec->paper)
        words_line(b, r, spec->seconds);
    else
        words_text(b, (ss_rect){r.x, r.y + 1, r.w, r.h - 1});
}

/* --- the scene -------------------------------------------------------------------------------- */

static bool needs_states(const shown *s)
{
    bool any = false;
    for (int i = 0; i < s->n; i++)
        any = any || s->part[i]->space_time;
    return any;
}

/* In a figure the remarks stand below it: it becomes higher. */
static void explain(const ss_build *b, ss_rect all, bool paper)
{
    if (!paper) {
        ss_build_callouts(b, all);
        return;
    }
    b->s->rows += 1 + ss_build_notes(b, (ss_rect){1, all.h + 1, all.w - 2, 0});
    for (int i = 0; i < 2; i++) /* its ground and its frame */
        b->s->item[i].rect.h = b->s->rows;
}

struct ss_scene *ss_frame_scene(ss_ui *ui, const ss_snapshot *snap, const ss_extent *given,
                                const ss_frame_spec *spec)
{
    ss_scene *s = &ui->scene;
    ss_extent extent = spec->paper ? *given : film_extent(given);
    ss_frame_plan plan;
    ss_frame_layout l;
    ss_scene_clear(s, extent.cols, extent.rows, theme_of(ui, spec->seconds < 0));
    s->cell = extent.dots_x;
    ss_ui_follow(ui, snap);
    ui->layout = (ss_layout){.head = extent.head > 1 ? extent.head : 1,
                             .side = extent.side > 1 ? extent.side : 1};
    s->head = ui->layout.head, s->side = ui->layout.side;
    ss_edge_words none = {.title = ""};
    ss_build b = {s, ui, snap, &ui->layout, extent, 0, &none};
    words_follow(&b, spec->seconds);
    shown parts = shown_parts(&b, spec->frame);
    make_plan(&b, &parts, spec, &plan);
    ss_layout_frame(&plan, &l);
    s->rows = l.rows;
    const ss_rect all = {0, 0, s->cols, s->rows};
    ss_scene_add(s, SS_I_FILL, all, SS_C_PANEL);
    ss_scene_add(s, SS_I_FRAME, all, SS_C_PANEL)->text = "";
    title(&b, spec, l.title);
    for (int i = 0; i < parts.n; i++)
        draw_part(&b, &parts, i, spec->progress, l.part[i]);
    if (!needs_states(&parts))
        ss_build_want_raster(&b, false);
    words(&b, spec, l.words);
    note(&b, spec, l.note);
    b.edges = NULL;
    if (ui->overlay == SS_K_EXPLAIN)
        explain(&b, all, spec->paper);
    s->nhit = 0; /* nobody clicks on a film */
    return s;
}
