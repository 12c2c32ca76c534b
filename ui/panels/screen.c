/* The whole screen: the header, the message line, and which panels are shown. The app calls
 * ss_ui_scene. See screen.h, build.h. Main thread only. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/panels/map.h"
#include "ui/panels/screen.h"

/* --- header ----------------------------------------------------------------------------------- */

typedef struct segment {
    char text[64];
    ss_theme_role role;
    unsigned style;
    int rank; /* the segment of the highest rank is dropped first when room is short */
} segment;

/* One blank at the edge of the screen, `gap` between segments. */
static int segments_width(const segment *s, int n, int gap)
{
    int w = 1 - gap;
    for (int i = 0; i < n; i++)
        w += *s[i].text ? ss_text_width(s[i].text) + gap : 0;
    return w;
}

static void drop_last(segment *s, int n, segment *t, int m)
{
    segment *worst = NULL;
    for (int i = 0; i < n + m; i++) {
        segment *c = i < n ? &s[i] : &t[i - n];
        if (*c->text && (!worst || c->rank > worst->rank))
            worst = c;
    }
    if (worst)
        worst->text[0] = '\0';
}

static bool has_converged(const ss_build *b)
{
    return b->snap->hold != SS_HOLD_NONE || (b->snap->status == SS_CONVERGED && !b->snap->paused);
}

static bool has_failed(const ss_build *b)
{
    ss_status s = b->snap->status;
    return s == SS_STAGNATED || s == SS_DIVERGED || s == SS_FAILED || s == SS_INTERRUPTED;
}

/* At a limit, or in a picture of the last state, after the last command. */
static bool has_stopped(const ss_build *b)
{
    const ss_snapshot *p = b->snap;
    return p->status == SS_LIMIT || (b->ui->in_order && p->paused && p->peek == 0);
}

/* While a lesson plays commands, the run does not rest between them. */
static bool is_paused(const ss_build *b)
{
    return b->snap->paused && !(b->ui->page && b->ui->page->plays);
}

static bool runs(const ss_build *b)
{
    (void)b;
    return true;
}

/* "failed", "diverged 101", "stagnated 48". */
static void failed_text(const ss_snapshot *p, char *buf, size_t size)
{
    char cycle[32] = "";
    if (p->status == SS_DIVERGED || p->status == SS_STAGNATED)
        ss_count_text(p->telemetry.value[SS_T_CYCLE], cycle, sizeof cycle);
    snprintf(buf, size, "%s%s%s", ss_status_name(p->status), *cycle ? " " : "", cycle);
}

/* The first that holds is shown: "■ converged 4,312", "‖ paused". */
static const struct run_state {
    bool (*holds)(const ss_build *b);
    const char *text; /* NULL: by name() */
    void (*name)(const ss_snapshot *p, char *buf, size_t size);
} run_states[] = {{ss_race_is_over, "■ finished", NULL}, {has_converged, NULL, ss_hold_state},
                  {has_failed, NULL, failed_text},       {has_stopped, "■ stopped", NULL},
                  {is_paused, "‖ paused", NULL},         {runs, "▶", NULL}};

static void state_text(const ss_build *b, char *buf, size_t size)
{
    char ended[48];
    const struct run_state *s = run_states;
    while (!s->holds(b))
        s++;
    if (s->text) {
        snprintf(buf, size, "%s", s->text);
        return;
    }
    s->name(b->snap, ended, sizeof ended);
    snprintf(buf, size, "■ %s", ended);
}

enum { ROOMY = 112 /* columns for whole sentences */ };
enum { LEFT = 7, RIGHT = 5, LEFT_GAP = 3, RIGHT_GAP = 2 };
enum {
    NAME = 1,
    SOLVER,
    EDITED,
    GRID,
    PRECISION,
    BACKEND
}; /* of the left side, after the program's name */
enum { RECORDING, STATE, RATE_OF_FRAMES, SPEED, WHERE }; /* of the right side */

static void fill_left(const ss_snapshot *p, segment *s)
{
    const char *text[LEFT] = {[NAME] = p->equation,
                              [SOLVER] = p->solver_name ? p->solver_name : p->solver,
                              [PRECISION] = p->precision,
                              [BACKEND] = p->backend};
    for (int i = 0; i < LEFT; i++)
        if (text[i])
            snprintf(s[i].text, sizeof s[i].text, "%s", text[i]);
    ss_edited_words(&p->edited, s[EDITED].text, sizeof s[EDITED].text);
    snprintf(s[GRID].text, sizeof s[GRID].text, "%s%s", p->dim == 1 && *p->grid ? "n " : "",
             p->grid);
}

/* Frames per second, and the shades that a slow terminal is left with. */
static void frames_text(const ss_build *b, char *buf, size_t size)
{
    const ss_snapshot *p = b->snap;
    if (b->fps > 0 && !p->deterministic && p->status == SS_RUNNING && !p->paused)
        snprintf(buf, size, "%2.*f fps", b->fps < 0.95, b->fps);
    size_t used = strlen(buf);
    if (b->extent.shades < b->extent.all_shades)
        snprintf(buf + used, size - used, "%s%d of %d shades", used ? " · " : "", b->extent.shades,
                 b->extent.all_shades);
}

/* "cycle 120 of 300": after a rewind, of the cycles that were run. */
static void where_text(const ss_snapshot *p, bool alone, char *buf, size_t size)
{
    char cycle[32];
    int length = 0;
    if (!alone)
        length = snprintf(buf, size, "cycle %s",
                          ss_count_text(p->telemetry.value[SS_T_CYCLE], cycle, sizeof cycle));
    if (p->past.back)
        snprintf(buf + length, size - (size_t)length, " of %s",
                 ss_count_text((double)p->past.end, cycle, sizeof cycle));
}

static void fill_right(const ss_build *b, segment *s)
{
    const ss_snapshot *p = b->snap;
    const ss_ui *ui = b->ui;
    bool alone = ui->map.open && ui->map.view->alone; /* the run next to the map is paused */
    if (ui->recording)
        snprintf(s[RECORDING].text, sizeof s->text, ui->recording > 1 ? "● REC %d" : "● REC",
                 ui->recording);
    if (ui->filming >= 0)
        snprintf(s[RECORDING].text, sizeof s->text, "● film up to cycle %lld",
                 (long long)ui->film_end);
    where_text(p, alone, s[WHERE].text, sizeof s->text);
    if (alone) {
        snprintf(s[STATE].text, sizeof s->text, "%s", ss_map_state(ui->map.view));
        return;
    }
    state_text(b, s[STATE].text, sizeof s->text);
    frames_text(b, s[RATE_OF_FRAMES].text, sizeof s->text);
    ss_telemetry_text(p, SS_T_RATE, s[SPEED].text, sizeof s->text);
    if (strcmp(s[SPEED].text, "–") == 0 || p->hold != SS_HOLD_NONE)
        s[SPEED].text[0] = '\0';
}

static bool too_wide(const segment *left, const segment *right, int cols)
{
    return segments_width(left, LEFT, LEFT_GAP) + segments_width(right, RIGHT, RIGHT_GAP) + 2 >
           cols;
}

static void put_left(const ss_build *b, const segment *s)
{
    int x = 1, cols = b->s->cols, before = 0; /* that was put last */
    for (int i = 0; i < LEFT; i++) {
        if (!*s[i].text)
            continue;
        if (before > 0)
            ss_scene_text(b->s, x - 2, 0, 1, SS_C_FAINT, SS_FLOW, "·");
        x += LEFT_GAP +
             ss_scene_text(b->s, x, 0, cols - x, s[i].role, s[i].style | SS_FLOW, s[i].text);
        before = i;
    }
}

/* The state, which is at the left end, is a button. A recording does not show that it is one. */
static void put_right(const ss_build *b, const segment *s)
{
    /* the ground of a button is wider than its text */
    bool last = ss_scene_fine(b->s) && !*s[WHERE].text && s[STATE].style & SS_BUTTON;
    int x = b->s->cols - 1 - last;
    const segment *r = &s[RECORDING];
    for (int i = RIGHT - 1; i > RECORDING; i--)
        if (*s[i].text)
            x -= RIGHT_GAP + ss_scene_text_right(b->s, x, 0, x, s[i].role,
                                                 SS_FIGURE | SS_FLOW | s[i].style, s[i].text);
    ss_rect state = {x + RIGHT_GAP - 1, 0, ss_text_width(s[STATE].text) + 2, 1};
    ss_scene_hit(b->s, SS_H_COMMAND, state, "toggle", 0);
    b->s->unrecorded = *r->text ? b->s->nitem : 0;
    if (*r->text)
        ss_scene_text_right(b->s, x, 0, x, r->role, r->style | SS_FLOW, r->text);
}

static void header(const ss_build *b)
{
    ss_theme_role edited = b->snap->edited.bits == SS_BITS_SAME ? SS_C_ACCENT : SS_C_ERROR;
    segment left[LEFT] = {{"stencilscope", SS_C_ACCENT, SS_BOLD | SS_LARGE, 5},
                          [NAME] = {"", SS_C_TEXT, 0, 2},
                          [SOLVER] = {"", SS_C_TEXT, SS_BOLD, 1},
                          [EDITED] = {"", edited, 0, 1},
                          [GRID] = {"", SS_C_DIM, 0, 6},
                          [PRECISION] = {"", SS_C_DIM, 0, 8},
                          [BACKEND] = {"", SS_C_DIM, 0, 9}};
    segment right[RIGHT] = {[RECORDING] = {"", SS_C_ERROR, SS_BOLD, 4},
                            [STATE] = {"", SS_C_TEXT, b->ui->in_order ? 0 : SS_BUTTON, 0},
                            [RATE_OF_FRAMES] = {"", SS_C_DIM, 0, 10},
                            [SPEED] = {"", SS_C_DIM, 0, 7},
                            [WHERE] = {"", SS_C_TEXT, 0, 3}};
    fill_left(b->snap, left);
    fill_right(b, right);
    if (b->s->cols < ROOMY)
        snprintf(left[EDITED].text, sizeof left->text, "%s", ss_edited_label(&b->snap->edited));
    if (too_wide(left, right, b->s->cols) && b->snap->equation_name)
        snprintf(left[NAME].text, sizeof left->text, "%s", b->snap->equation_name);
    for (int i = 0; i < LEFT + RIGHT && too_wide(left, right, b->s->cols); i++)
        drop_last(left, LEFT, right, RIGHT);
    put_left(b, left);
    put_right(b, right);
    ss_build_tall(b, 0, 0, b->s->nhit - 1);
}

/* --- message line ----------------------------------------------------------------------------- */

static const char *when_text(const ss_param *row)
{
    return row->flags & SS_P_REOPEN  ? "opens a new problem"
           : row->flags & SS_P_RESET ? "starts again"
                                     : "from the next cycle on";
}

/* " · 1 to 32 subiterations, typed up to 1024": the ends of the slider, and how far a number may
 * go. */
static void range_text(const ss_control *c, char *buf, size_t size)
{
    char beyond[48] = "";
    double end = c->track.hi > c->track.lo && c->track.hi < c->hi ? c->track.hi : c->hi;
    if (end < c->hi)
        snprintf(beyond, sizeof beyond, ", typed up to %.6g", c->hi);
    snprintf(buf, size, " · %.6g to %.6g%s%s%s%s%s%s", c->lo, end, *c->row->unit ? " " : "",
             c->row->unit, beyond, *c->why ? " (" : "", c->why, *c->why ? ")" : "");
}

/* What the focused control is, its range, and when a change takes effect. */
static void hint(const ss_build *b, char *buf, size_t size)
{
    int i = ss_ui_focused(b->ui, b->snap);
    *buf = '\0';
    if (i < 0 || b->ui->in_order) /* no control has the focus, or a recording */
        return;
    const ss_control *c = &b->snap->control[i];
    const char *help = c->row->help;
    char range[160] = "";
    if (c->row->type == SS_CHOICE && c->row->choice_help)
        help = c->row->choice_help[ss_ui_value(b->ui, c, NULL).i];
    else if (c->row->type != SS_CHOICE && c->row->type != SS_BOOL)
        range_text(c, range, sizeof range);
    snprintf(buf, size, "%s: %s%s · %s", c->row->name, help, range, when_text(c->row));
}

/* The smallest screen that shows every important panel; for a window also the --ui-scale that makes
 * the present size sufficient. */
static void wanted_size(const ss_build *b, char *buf, size_t size)
{
    const ss_extent *e = &b->extent;
    double wide = (double)e->cols / SS_COLS_FULL, high = (double)e->rows / SS_ROWS_FULL;
    double fits = floor(20 * (wide < high ? wide : high) * e->scale) / 20;
    if (!(e->scale > 0))
        snprintf(buf, size, "%d×%d or larger, this is %d×%d", SS_COLS_FULL, SS_ROWS_FULL,
                 b->s->cols, b->s->rows);
    else if (fits < SS_SCALE_LEAST || e->page)
        snprintf(buf, size, "%d×%d pixels show more", SS_COLS_FULL * e->dots_x,
                 SS_ROWS_FULL * e->dots_y);
    else
        snprintf(buf, size, "%d×%d pixels show more, or --ui-scale %.3g", SS_COLS_FULL * e->dots_x,
                 SS_ROWS_FULL * e->dots_y, fits);
}

/* --- what the message line says --------------------------------------------------------------- */

/* Each returns false if it has nothing to say, else writes it and its colour. */
typedef bool (*speaker)(const ss_build *b, ss_theme_role *role, char *buf, size_t size);

static bool say_typed(const ss_build *b, ss_theme_role *role, char *buf, size_t size)
{
    const ss_ui *ui = b->ui;
    if (!ui->typing || (ui->answering && ss_page_place_of(ui) == SS_PAGE_BESIDE))
        return false;
    *role = SS_C_ACCENT;
    snprintf(buf, size, "%s = %s▏", ui->answering ? "your prediction" : ui->focus, ui->entry);
    return true;
}

static bool say_message(const ss_build *b, ss_theme_role *role, char *buf, size_t size)
{
    *role = b->ui->message_is_error ? SS_C_ERROR : SS_C_TEXT;
    snprintf(buf, size, "%s", b->ui->message);
    return *buf;
}

static bool say_map(const ss_build *b, ss_theme_role *role, char *buf, size_t size)
{
    if (!b->ui->map.open)
        return false;
    *role = *b->ui->map.view->error ? SS_C_ERROR : SS_C_DIM;
    ss_map_sentence(b, buf, size);
    return true;
}

static bool say_diverged(const ss_build *b, ss_theme_role *role, char *buf, size_t size)
{
    *role = SS_C_ERROR;
    snprintf(buf, size, "%s", b->snap->diverged);
    return b->snap->status == SS_DIVERGED;
}

static bool say_race(const ss_build *b, ss_theme_role *role, char *buf, size_t size)
{
    if (b->snap->race.n <= 0)
        return false;
    *role = SS_C_DIM;
    ss_race_text(b, buf, size);
    return true;
}

static bool say_race_end(const ss_build *b, ss_theme_role *role, char *buf, size_t size)
{
    return b->snap->status == SS_LIMIT && say_race(b, role, buf, size);
}

static bool say_end_time(const ss_build *b, ss_theme_role *role, char *buf, size_t size)
{
    *role = SS_C_TEXT;
    snprintf(buf, size, "stopped at t = %.6g, the requested end time; r starts again",
             b->snap->telemetry.value[SS_T_TIME]);
    return b->snap->status == SS_LIMIT && b->snap->kind == SS_TRANSIENT;
}

static bool say_limit(const ss_build *b, ss_theme_role *role, char *buf, size_t size)
{
    char n[32];
    *role = SS_C_TEXT;
    snprintf(buf, size, "stopped at the requested limit, cycle %s; r starts again",
             ss_count_text(b->snap->telemetry.value[SS_T_CYCLE], n, sizeof n));
    return b->snap->status == SS_LIMIT;
}

/* A run that has stagnated on a screen holds, and its banner says so. */
static bool say_ended(const ss_build *b, ss_theme_role *role, char *buf, size_t size)
{
    ss_status s = b->snap->status;
    bool stagnated = s == SS_STAGNATED && b->snap->hold == SS_HOLD_NONE;
    *role = s == SS_FAILED ? SS_C_ERROR : SS_C_TEXT;
    snprintf(buf, size, stagnated ? "%s: the residual no longer falls" : "%s", ss_status_name(s));
    return stagnated || s == SS_FAILED || s == SS_INTERRUPTED;
}

/* What the subiteration was, if not an update of all points: "grid 3 of 7, sweep 1 of 2 ...". */
static bool say_visit(const ss_build *b, ss_theme_role *role, char *buf, size_t size)
{
    const ss_visit *v = &b->snap->visit;
    char number[32] = "";
    *role = SS_C_ACCENT;
    if (v->sweep > 0)
        snprintf(number, sizeof number, " (%d of %d)", v->sweep, v->sweeps);
    snprintf(buf, size, "microscope: grid %d of %d, %s%s · . takes the next, space goes on",
             v->level + 1, v->levels, v->what ? v->what : "", number);
    return v->levels > 0;
}

static bool say_sub_step(const ss_build *b, ss_theme_role *role, char *buf, size_t size)
{
    const ss_snapshot *p = b->snap;
    *role = SS_C_ACCENT;
    snprintf(buf, size, "microscope: sub-step %d of %d%s%s · . takes the next, space goes on",
             p->peek, p->per_cycle, p->phase ? ", " : "", p->phase ? p->phase : "");
    return p->peek > 0 && p->kind == SS_TRANSIENT;
}

static bool say_subiteration(const ss_build *b, ss_theme_role *role, char *buf, size_t size)
{
    const ss_snapshot *p = b->snap;
    *role = SS_C_ACCENT;
    snprintf(buf, size, "microscope: %d%s subiteration of %d%s · . takes the next, space goes on",
             p->peek, ss_ordinal(p->peek), p->per_cycle,
             p->replay ? ", in the order of the last race" : "");
    return p->peek > 0;
}

static bool say_wait(const ss_build *b, ss_theme_role *role, char *buf, size_t size)
{
    *role = SS_C_ACCENT;
    return ss_waits_text(b->ui, b->snap, buf, size);
}

static bool say_brush(const ss_build *b, ss_theme_role *role, char *buf, size_t size)
{
    if (!b->ui->brush.on)
        return false;
    *role = SS_C_ACCENT;
    ss_brush_text(b->ui, b->snap, buf, size);
    return true;
}

static bool say_busy(const ss_build *b, ss_theme_role *role, char *buf, size_t size)
{
    ss_layer layer = b->snap->view.layer;
    bool needed = layer == SS_ERROR || layer == SS_EXACT || b->snap->until_error > 0;
    bool reference = b->snap->busy_reference && needed;
    *role = SS_C_ACCENT;
    snprintf(buf, size, "%s",
             reference ? "computing u*, the exact solution of the discrete system …"
                       : "computing 4096 Jacobi iterations to compare with …");
    return reference || b->snap->busy_baseline;
}

/* --until-error, --until-accuracy */
static bool say_accurate(const ss_build *b, ss_theme_role *role, char *buf, size_t size)
{
    const ss_snapshot *p = b->snap;
    char n[32], error[16];
    *role = SS_C_SERIES2;
    snprintf(buf, size, "converged: the accuracy that was asked for; r starts again");
    ss_tick_text(p->until_error, true, error, sizeof error);
    if (p->until_error > 0)
        snprintf(buf, size, "converged (error ≤ %s of u*%s) at cycle %s; r starts again", error,
                 p->energy_norm ? " in the energy norm" : "",
                 ss_count_text(p->telemetry.value[SS_T_CYCLE], n, sizeof n));
    return p->status == SS_CONVERGED && !p->reached;
}

/* In a figure or a film, which does not hold. */
static bool say_converged(const ss_build *b, ss_theme_role *role, char *buf, size_t size)
{
    const ss_snapshot *p = b->snap;
    char n[32], tol[16];
    *role = SS_C_SERIES2;
    ss_tick_text(p->reached_tol, true, tol, sizeof tol);
    snprintf(buf, size, "converged (residual ≤ %s r0) at cycle %s", tol,
             ss_count_text((double)p->reached_cycle, n, sizeof n));
    return p->status == SS_CONVERGED && p->hold == SS_HOLD_NONE;
}

static bool say_note(const ss_build *b, ss_theme_role *role, char *buf, size_t size)
{
    *role = SS_C_TEXT;
    snprintf(buf, size, "%s", b->ui->note);
    return *buf;
}

/* The end of *Overlap pays*. */
static bool say_exact(const ss_build *b, ss_theme_role *role, char *buf, size_t size)
{
    *role = SS_C_SERIES2;
    return b->snap->view.layer == SS_STALENESS && ss_exact_again(b->snap, buf, size);
}

/* Nobody can enlarge a recording, or a phone. */
static bool say_small(const ss_build *b, ss_theme_role *role, char *buf, size_t size)
{
    *role = SS_C_ACCENT;
    wanted_size(b, buf, size);
    return b->l->small && !b->ui->in_order && !b->extent.page;
}

static bool say_hint(const ss_build *b, ss_theme_role *role, char *buf, size_t size)
{
    *role = SS_C_DIM;
    hint(b, buf, size);
    return true;
}

/* The first that has something to say is shown. */
static const speaker speakers[] = {
    say_typed, say_message,  say_map,       say_diverged,     say_race_end, say_end_time, say_limit,
    say_ended, say_visit,    say_sub_step,  say_subiteration, say_wait,     say_brush,    say_busy,
    say_race,  say_accurate, say_converged, say_exact,        say_note,     say_small,    say_hint};

static ss_theme_role message(const ss_build *b, char *buf, size_t size)
{
    ss_theme_role role = SS_C_DIM;
    size_t i = 0;
    while (!speakers[i](b, &role, buf, size))
        i++;
    return role;
}

/* The columns that the message has beside the figures on the right, which are shortened to their
 * last part if it needs more. A message gets all columns if that is not enough; a hint does not. */
static int figures_room(ss_rect r, char *right, bool is_message, int need)
{
    int room = r.w - 4 - ss_text_width(right);
    char *last = strstr(right, " · ");
    if (room < need && last) {
        memmove(right, last + strlen(" · "), strlen(last + strlen(" · ")) + 1);
        room = r.w - 4 - ss_text_width(right);
    }
    if (!*right || r.w < 60 || (room < need && is_message))
        return r.w - 2;
    return room;
}

/* The lines that a text of a terminal takes in `columns`, at most `most`. */
static int lines_of(const char *text, int columns, int most)
{
    int lines = 0;
    for (; *text && lines < most; lines++) {
        text += ss_build_cut(text, columns);
        text += strspn(text, " ");
    }
    return lines;
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
    int lines = lines_of(text, r.w - 2, MOST);
    ss_rect at = {r.x, r.y + 1 - lines, r.w, lines};
    ss_scene_add(b->s, SS_I_FILL, at, SS_C_GROUND);
    ss_build_wrap(b, (ss_rect){at.x + 1, at.y, at.w - 2, at.h}, role, text);
    return true;
}

static void message_line(const ss_build *b)
{
    ss_rect r = b->l->panel[SS_PANEL_MESSAGE];
    char text[512], iteration[32], reduction[32], right[96] = "";
    ss_theme_role role = message(b, text, sizeof text);
    bool steady = b->snap->kind == SS_STEADY;
    ss_telemetry_text(b->snap, steady ? SS_T_ITERATION : SS_T_STEP, iteration, sizeof iteration);
    ss_telemetry_text(b->snap, SS_T_REDUCTION, reduction, sizeof reduction);
    if (steady)
        snprintf(right, sizeof right, "iteration %s · r/r0 %s", iteration, reduction);
    else
        snprintf(right, sizeof right, "step %s · t = %.6g", iteration,
                 b->snap->telemetry.value[SS_T_TIME]);
    if (b->ui->map.open && b->ui->map.view->alone)
        right[0] = '\0';
    int room = figures_room(r, right, role != SS_C_DIM, ss_text_width(text));
    if (room < r.w - 2)
        ss_scene_text_right(b->s, r.x + r.w - 1, r.y, ss_text_width(right), SS_C_DIM,
                            SS_FIGURE | SS_SMALL, right);
    ss_build_drop_parts(text, room);
    if (!long_message(b, role, text))
        ss_scene_text(b->s, r.x + 1, r.y, room, role, 0, text);
}

/* --- all of it -------------------------------------------------------------------------------- */

static void too_small(const ss_build *b)
{
    char text[96];
    if (b->ui->in_order)
        return;
    wanted_size(b, text, sizeof text);
    ss_build_wrap(b, (ss_rect){0, 0, b->s->cols, b->s->rows}, SS_C_TEXT, text);
}

static ss_key_context context_of(const ss_ui *ui, bool wipe)
{
    return ui->overlay != SS_K_MAIN ? ui->overlay
           : ui->prompt.on          ? SS_K_PROMPT
           : ui->map.open           ? SS_K_MAP
           : ui->typing             ? SS_K_ENTRY
           : ui->brush.on           ? SS_K_BRUSH
           : ui->probing            ? SS_K_PROBE
           : ui->charts.cursor      ? SS_K_CURSOR
           : wipe                   ? SS_K_WIPE
                                    : SS_K_MAIN;
}

static void run_panels(const ss_build *b)
{
    static void (*const side_panels[SS_NKIND][2])(const ss_build *) = {
        [SS_STEADY] = {ss_build_plot, ss_build_lower},
        [SS_TRANSIENT] = {ss_build_stage, ss_build_watch}};
    ss_build_edges(b);
    if (b->l->panel[SS_PANEL_FIELD].w)
        ss_build_field(b);
    else if (b->l->panel[SS_PANEL_RASTER].w) /* alone on the screen */
        ss_build_raster(b);
    for (int i = 0; i < 2; i++)
        side_panels[b->snap->kind][i](b);
    ss_build_controls(b);
    ss_build_ledger(b);
    ss_build_moving_edge(b);
    ss_build_page(b);
}

static void panels(const ss_build *b)
{
    header(b);
    ss_build_strip(b);
    (b->ui->map.open ? ss_build_map : run_panels)(b);
    (b->ui->prompt.on ? ss_build_prompt : message_line)(b);
    if (b->ui->overlay == SS_K_MAIN)
        ss_build_values(b);
    else
        ss_build_veil(b);
    if (b->ui->overlay == SS_K_HELP)
        ss_build_help(b);
    ss_build_want_kernels(b, b->ui->overlay == SS_K_KERNEL ? 1 + b->ui->kernel : 0);
    if (b->ui->overlay == SS_K_KERNEL)
        ss_build_kernels(b);
    if (b->ui->overlay == SS_K_EXPLAIN)
        ss_build_explain(b);
    if (ss_gallery_is_open(b->ui))
        ss_build_gallery(b);
    if (b->ui->overlay == SS_K_COPY)
        ss_build_copy(b);
    if (!b->ui->in_order)
        ss_build_keys(b, context_of(b->ui, ss_wipe_has_keys(b->ui, b->snap)));
    if (!b->ui->in_order)
        ss_build_pointed(b);
    ss_build_tip(b);
}

/* A narrow screen has two rows of keys. A recording shows none, a lesson needs the row. */
static int key_rows(const ss_ui *ui, int cols)
{
    return cols < 140 && !ui->in_order && !ui->page ? 2 : 1;
}

/* In pixels a theme chooses the size of everything; a terminal has cells of one size. */
static ss_extent sized(const ss_extent *e, double type)
{
    ss_extent out = *e;
    if (!(e->scale > 0) || e->dots_x < 1)
        return out;
    out.dots_x = (int)lround(e->dots_x * type);
    out.dots_y = (int)lround(e->dots_y * (double)out.dots_x / e->dots_x);
    out.cols = e->cols * e->dots_x / out.dots_x;
    out.rows = e->rows * e->dots_y / out.dots_y;
    out.scale = e->scale * out.dots_x / e->dots_x;
    return out;
}

/* Before the first snapshot. */
static void opening(const ss_ui *ui, ss_scene *s, const ss_extent *extent)
{
    char text[128];
    int mid = extent->rows / 2;
    ss_scene_text(s, 1, 0, extent->cols - 1, SS_C_ACCENT, SS_BOLD, "stencilscope");
    snprintf(text, sizeof text, "%s …", *ui->waits_for ? ui->waits_for : "opening");
    if (ui->waits > 0)
        snprintf(text, sizeof text, "%s … %d s", ui->waits_for, ui->waits);
    int x = (extent->cols - ss_text_width(text)) / 2;
    ss_scene_text(s, x > 1 ? x : 1, mid, extent->cols - 1, SS_C_TEXT, 0, text);
}

/* The panels that the page needs, as bits of the layout's. */
static unsigned wanted_panels(const ss_ui *ui)
{
    static const struct {
        unsigned page;
        ss_panel_id panel;
    } of[SS_PAGE_NPANEL] = {{SS_PAGE_CURVE, SS_PANEL_PLOT},
                            {SS_PAGE_BARS, SS_PANEL_PROFILE},
                            {SS_PAGE_COST, SS_PANEL_LEDGER},
                            {SS_PAGE_SPACE_TIME, SS_PANEL_RASTER}};
    unsigned wanted = 0;
    for (int i = 0; i < SS_PAGE_NPANEL && ss_page_place_of(ui) == SS_PAGE_BESIDE; i++)
        if (ui->page->panels & of[i].page)
            wanted |= 1u << of[i].panel;
    return wanted;
}

struct ss_scene *ss_ui_scene(ss_ui *ui, const ss_snapshot *snap, const ss_extent *given, double fps)
{
    ss_scene *s = &ui->scene;
    ss_extent sized_extent = sized(given, ui->theme->type), *extent = &sized_extent;
    ss_scene_clear(s, extent->cols, extent->rows, ui->theme);
    s->cell = extent->dots_x;
    ui->links = extent->links;
    if (!snap) {
        opening(ui, s, extent);
        return s;
    }
    ss_ui_follow(ui, snap);
    ss_map_follow(ui, snap);
    if (ui->page && ui->page->step != ui->page_step) { /* a new step */
        ui->page_step = ui->page->step;
        ui->page_panel = 0;
    }
    ui->strip.shown = ss_strip_is_shown(ui, snap, extent);
    ss_layout_wanted(extent->cols, extent->rows, snap->dim, snap->ncontrol, extent->head,
                     extent->side, ss_page_place_of(ui), key_rows(ui, extent->cols),
                     wanted_panels(ui) | (unsigned)ui->strip.shown << SS_PANEL_STRIP,
                     ui->page_panel, &ui->layout);
    if (snap->race.n > 0 && !(ui->arranging.places.at[SS_GUTTER_UNDER_CURVE] > 0))
        ss_layout_enlarge_plot(&ui->layout, ss_standings_rows(snap), snap->ncontrol);
    s->head = ui->layout.head, s->side = ui->layout.side;
    ss_build b = {s, ui, snap, &ui->layout, *extent, fps, NULL};
    if (snap->kind == SS_STEADY && !ss_has_lower(&b))
        ss_layout_give(&ui->layout, SS_PANEL_PROFILE);
    ss_build_arrange(&b);
    if (!ui->layout.panel[SS_PANEL_HEADER].w)
        too_small(&b);
    else
        panels(&b);
    return s;
}
