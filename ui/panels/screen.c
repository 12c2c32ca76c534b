/* The whole screen: the header, the user's arrangement of the panels, and which of them are shown.
 * The app calls ss_ui_scene. See screen.h, build.h, ui/scene/layout.h. Main thread only. */
#include <math.h>
#include <string.h>

#include "ui/panels/build.h"
#include "ui/panels/screen.h"

/* --- header ----------------------------------------------------------------------------------- */

/* "": it is left out. */
typedef struct segment {
    const char *text;
    ss_theme_role role;
    unsigned style;
    int rank; /* the segment of the highest rank is dropped first when room is short */
} segment;

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

/* "failed", "diverged 101", "stagnated 48". */
static const char *failed_text(const ss_snapshot *p)
{
    bool counted = p->status == SS_DIVERGED || p->status == SS_STAGNATED;
    return ss_text("%s%s%s", ss_status_name(p->status), counted ? " " : "",
                   counted ? ss_count_text(p->telemetry.value[SS_T_CYCLE]) : "");
}

/* "■ converged 4,312", "‖ paused". */
static const char *state_text(const ss_build *b)
{
    char held[48];
    if (ss_race_is_over(b))
        return "■ finished";
    if (has_converged(b)) {
        ss_hold_state(b->snap, held, sizeof held);
        return ss_text("■ %s", held);
    }
    if (has_failed(b))
        return ss_text("■ %s", failed_text(b->snap));
    return has_stopped(b) ? "■ stopped" : is_paused(b) ? "‖ paused" : "▶";
}

/* Frames per second, and the shades that a slow terminal is left with. */
static const char *frames_text(const ss_build *b)
{
    const ss_snapshot *p = b->snap;
    bool moves = b->fps > 0 && !p->deterministic && p->status == SS_RUNNING && !p->paused;
    const char *fps = moves ? ss_text("%2.*f fps", b->fps < 0.95, b->fps) : "";
    if (b->extent.shades >= b->extent.all_shades)
        return fps;
    return ss_text("%s%s%d of %d shades", fps, moves ? " · " : "", b->extent.shades,
                   b->extent.all_shades);
}

/* "cycle 120 of 300": after a rewind, of the cycles that were run. */
static const char *where_text(const ss_snapshot *p, bool alone)
{
    const char *cycle =
        alone ? "" : ss_text("cycle %s", ss_count_text(p->telemetry.value[SS_T_CYCLE]));
    return p->past.back ? ss_text("%s of %s", cycle, ss_count_text((double)p->past.end)) : cycle;
}

static const char *recording_text(const ss_ui *ui)
{
    if (ui->filming >= 0)
        return ss_text("● film up to cycle %lld", (long long)ui->film_end);
    return ui->recording > 1 ? ss_text("● REC %d", ui->recording) : ui->recording ? "● REC" : "";
}

static const char *speed_text(const ss_snapshot *p)
{
    const char *rate = ss_telemetry_text(p, SS_T_RATE);
    return strcmp(rate, "–") == 0 || p->hold != SS_HOLD_NONE ? "" : rate;
}

enum { ROOMY = 112 /* columns for whole sentences */ };
enum { LEFT = 7, RIGHT = 5, LEFT_GAP = 3, RIGHT_GAP = 2 };
enum { NAME = 1 }; /* of the left side, after the program's name */
enum { RECORDING, STATE, RATE_OF_FRAMES, SPEED, WHERE }; /* of the right side */

static const char *or_nothing(const char *text)
{
    return text ? text : "";
}

static void fill_left(const ss_build *b, segment s[LEFT])
{
    const ss_snapshot *p = b->snap;
    char edited[64];
    ss_edited_words(&p->edited, edited, sizeof edited);
    const segment all[LEFT] = {
        {"stencilscope", SS_C_ACCENT, SS_BOLD | SS_LARGE, 5},
        {or_nothing(p->equation), SS_C_TEXT, 0, 2},
        {p->solver_name ? p->solver_name : or_nothing(p->solver), SS_C_TEXT, SS_BOLD, 1},
        {b->s->cols < ROOMY ? ss_edited_label(&p->edited) : ss_text("%s", edited),
         p->edited.bits == SS_BITS_SAME ? SS_C_ACCENT : SS_C_ERROR, 0, 1},
        {ss_text("%s%s", p->dim == 1 && *p->grid ? "n " : "", p->grid), SS_C_DIM, 0, 6},
        {or_nothing(p->precision), SS_C_DIM, 0, 8},
        {or_nothing(p->backend), SS_C_DIM, 0, 9}};
    memcpy(s, all, sizeof all);
}

/* The run next to a map alone is paused. */
static void fill_right(const ss_build *b, segment s[RIGHT])
{
    const ss_map_view *map = b->ui->map.view;
    bool alone = b->ui->map.open && map->alone;
    const segment all[RIGHT] = {[RECORDING] = {recording_text(b->ui), SS_C_ERROR, SS_BOLD, 4},
                                [STATE] = {alone ? ss_map_state(map) : state_text(b), SS_C_TEXT,
                                           b->ui->in_order ? 0 : SS_BUTTON, 0},
                                [RATE_OF_FRAMES] = {alone ? "" : frames_text(b), SS_C_DIM, 0, 10},
                                [SPEED] = {alone ? "" : speed_text(b->snap), SS_C_DIM, 0, 7},
                                [WHERE] = {where_text(b->snap, alone), SS_C_TEXT, 0, 3}};
    memcpy(s, all, sizeof all);
}

/* One blank at the edge of the screen, `gap` between segments. */
static int segments_width(const segment *s, int n, int gap)
{
    int w = 1 - gap;
    for (int i = 0; i < n; i++)
        w += *s[i].text ? ss_text_width(s[i].text) + gap : 0;
    return w;
}

static bool too_wide(const segment *left, const segment *right, int cols)
{
    return segments_width(left, LEFT, LEFT_GAP) + segments_width(right, RIGHT, RIGHT_GAP) + 2 >
           cols;
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
        worst->text = "";
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
    segment left[LEFT], right[RIGHT];
    fill_left(b, left);
    fill_right(b, right);
    if (too_wide(left, right, b->s->cols) && b->snap->equation_name)
        left[NAME].text = b->snap->equation_name;
    for (int i = 0; i < LEFT + RIGHT && too_wide(left, right, b->s->cols); i++)
        drop_last(left, LEFT, right, RIGHT);
    put_left(b, left);
    put_right(b, right);
    ss_build_tall(b, 0, 0, b->s->nhit - 1);
}

/* --- the user's arrangement ------------------------------------------------------------------- */

/* A panel that would be empty is not maximised. */
static unsigned can_maximise(const ss_build *b)
{
    unsigned can = 0;
    for (const ss_panel_name *p = ss_panel_names; p->name; p++) {
        bool line = p->panel == SS_PANEL_RASTER && b->snap->dim != 1;
        bool nothing =
            p->panel == SS_PANEL_PROFILE && b->snap->kind == SS_STEADY && !ss_has_lower(b);
        can |= (unsigned)(!line && !nothing) << p->panel;
    }
    return can;
}

/* The layout follows the user's sizes, or is that of the maximised panel. */
static void build_arrange(const ss_build *b)
{
    ss_arranging *a = &b->ui->arranging;
    ss_layout *l = &b->ui->layout;
    int dim = b->snap->dim, n = b->snap->ncontrol;
    a->can = can_maximise(b);
    if (!l->panel[SS_PANEL_HEADER].w || !ss_ui_arranges(b->ui))
        return;
    if (a->maximised && a->can >> a->maximised & 1)
        ss_layout_maximise(l, dim, n, a->maximised);
    else
        ss_layout_move_gutters(l, dim, n, &a->places);
}

/* The hits of borders and titles. Before the panels, whose own hits are above. Borders above
 * titles: a drag begins at either row of a border, a double click is looked up among the titles. */
static void build_edges(const ss_build *b)
{
    if (!ss_ui_arranges(b->ui))
        return;
    for (const ss_panel_name *p = ss_panel_names; p->name; p++) {
        ss_rect r = b->l->panel[p->panel];
        if (r.w)
            ss_scene_hit(b->s, SS_H_TITLE, (ss_rect){r.x, r.y, r.w, b->l->head}, NULL,
                         (int)p->panel);
    }
    for (int i = 0; i < SS_NGUTTER; i++) {
        ss_gutter g;
        if (ss_gutter_find(b->l, (ss_gutter_id)i, &g))
            ss_scene_hit(b->s, SS_H_GUTTER, g.rect, NULL, i);
    }
}

/* Arrows on both sides: in its middle, or at its left end, where no title is. */
static void build_moving_edge(const ss_build *b)
{
    const ss_arranging *a = &b->ui->arranging;
    ss_gutter g;
    if (!a->marked || !ss_ui_arranges(b->ui) || !ss_gutter_find(b->l, a->which, &g))
        return;
    int x = g.rect.x + 1, y = g.rect.y + g.rect.h / 2;
    unsigned style = SS_BOLD | SS_CENTRE;
    if (g.upright) {
        ss_scene_text(b->s, g.at - 1, y, 1, SS_C_ACCENT, style, "◂");
        ss_scene_text(b->s, g.at, y, 1, SS_C_ACCENT, style, "▸");
    } else {
        ss_scene_text(b->s, x, g.at - 1, 1, SS_C_ACCENT, style, "▴");
        ss_scene_text(b->s, x, g.at, 1, SS_C_ACCENT, style, "▾");
    }
}

/* --- all of it -------------------------------------------------------------------------------- */

static void too_small(const ss_build *b)
{
    if (!b->ui->in_order)
        ss_build_wrap(b, (ss_rect){0, 0, b->s->cols, b->s->rows}, SS_C_TEXT, ss_wanted_size(b));
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
    build_edges(b);
    if (b->l->panel[SS_PANEL_FIELD].w)
        ss_build_field(b);
    else if (b->l->panel[SS_PANEL_RASTER].w) /* alone on the screen */
        ss_build_raster(b);
    for (int i = 0; i < 2; i++)
        side_panels[b->snap->kind][i](b);
    ss_build_controls(b);
    ss_build_ledger(b);
    build_moving_edge(b);
    ss_build_page(b);
}

static void panels(const ss_build *b)
{
    header(b);
    ss_build_strip(b);
    (b->ui->map.open ? ss_build_map : run_panels)(b);
    ss_build_message(b);
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
    ss_scene_text(s, 1, 0, extent->cols - 1, SS_C_ACCENT, SS_BOLD, "stencilscope");
    const char *text = ui->waits > 0 ? ss_text("%s … %d s", ui->waits_for, ui->waits)
                                     : ss_text("%s …", *ui->waits_for ? ui->waits_for : "opening");
    int x = (extent->cols - ss_text_width(text)) / 2;
    ss_scene_text(s, x > 1 ? x : 1, extent->rows / 2, extent->cols - 1, SS_C_TEXT, 0, text);
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
    const ss_layout_ask ask = {.cols = extent->cols,
                               .rows = extent->rows,
                               .dim = snap->dim,
                               .ncontrol = snap->ncontrol,
                               .head = extent->head,
                               .side = extent->side,
                               .page = ss_page_place_of(ui),
                               .keys = key_rows(ui, extent->cols),
                               .wanted = wanted_panels(ui) | (unsigned)ui->strip.shown
                                                                 << SS_PANEL_STRIP,
                               .turn = ui->page_panel};
    ss_layout_make(&ask, &ui->layout);
    if (snap->race.n > 0 && !(ui->arranging.places.at[SS_GUTTER_UNDER_CURVE] > 0))
        ss_layout_enlarge_plot(&ui->layout, ss_standings_rows(snap), snap->ncontrol);
    s->head = ui->layout.head, s->side = ui->layout.side;
    ss_build b = {s, ui, snap, &ui->layout, *extent, fps, NULL};
    if (snap->kind == SS_STEADY && !ss_has_lower(&b))
        ss_layout_give(&ui->layout, SS_PANEL_PROFILE);
    build_arrange(&b);
    if (!ui->layout.panel[SS_PANEL_HEADER].w)
        too_small(&b);
    else
        panels(&b);
    return s;
}
