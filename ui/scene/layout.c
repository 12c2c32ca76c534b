/* The layout of the screen: three columns if there is room, then two, then one; movable borders,
 * and the maximised panel. See layout.h. */
#include "ui/scene/layout.h"

#include <math.h>
#include <stddef.h>

#include "src/base/common.h"

enum {
    STRIP_ROWS = 2,
    FOOTER_FROM = 12,
    HEAD_FROM = 12, /* sizes of frames as a window draws them */
    SIDE_FROM = 24,
    TWO_COLUMNS = 56,
    THREE_COLUMNS = 108,
    BAR_COLS = 9,
    LEDGER_ROWS = 9, /* and its upper edge */
    CONTROLS_FOUR = 9,
    CONTROLS_THREE = 7,
    PROBE_MAX = 4,
    PROFILE_BELOW = 51,
    PAGE_COLS = 38, /* the narrowest readable column of text, and the rest beside it */
    PAGE_MOST = 58,
    PAGE_REST = 42
};

const ss_rect ss_panel_min[SS_NPANEL] = {
    [SS_PANEL_HEADER] = {0, 0, 20, 1},   [SS_PANEL_STRIP] = {0, 0, 40, 2},
    [SS_PANEL_FIELD] = {0, 0, 20, 4},    [SS_PANEL_RASTER] = {0, 0, 20, 6},
    [SS_PANEL_PLOT] = {0, 0, 22, 7},     [SS_PANEL_PROFILE] = {0, 0, 22, 7},
    [SS_PANEL_CONTROLS] = {0, 0, 20, 4}, [SS_PANEL_LEDGER] = {0, 0, 20, 9},
    [SS_PANEL_MESSAGE] = {0, 0, 20, 1},  [SS_PANEL_FOOTER] = {0, 0, 20, 1},
    [SS_PANEL_PAGE] = {0, 0, 20, 1},
};

ss_rect ss_rect_inset(ss_rect r, int dx, int dy)
{
    ss_rect in = {r.x + dx, r.y + dy, r.w - 2 * dx, r.h - 2 * dy};
    if (in.w < 0)
        in.w = 0;
    if (in.h < 0)
        in.h = 0;
    return in;
}

ss_rect ss_rect_top(ss_rect *r, int n)
{
    ss_rect taken = {r->x, r->y, r->w, n};
    r->y += n, r->h -= n;
    return taken;
}

ss_rect ss_rect_bottom(ss_rect *r, int n)
{
    r->h -= n;
    return (ss_rect){r->x, r->y + r->h, r->w, n};
}

ss_rect ss_rect_left(ss_rect *r, int n)
{
    ss_rect taken = {r->x, r->y, n, r->h};
    r->x += n, r->w -= n;
    return taken;
}

ss_rect ss_rect_right(ss_rect *r, int n)
{
    r->w -= n;
    return (ss_rect){r->x + r->w, r->y, n, r->h};
}

bool ss_rect_has(ss_rect r, double x, double y)
{
    return x >= r.x && y >= r.y && x < r.x + r.w && y < r.y + r.h;
}

ss_rect ss_rect_fit(ss_rect room, double aspect)
{
    ss_rect r = room;
    if (room.w <= 0 || room.h <= 0 || !(aspect > 0))
        return r;
    double have = room.w / (2.0 * room.h);
    if (aspect > 3 * have || have > 3 * aspect)
        return r;
    if (aspect < have)
        r.w = ss_clamp((int)(2.0 * room.h * aspect + 0.5), 1, room.w);
    else
        r.h = ss_clamp((int)(room.w / (2.0 * aspect) + 0.5), 1, room.h);
    r.x += (room.w - r.w) / 2;
    r.y += (room.h - r.h) / 2;
    return r;
}

ss_rect ss_layout_inside(const ss_layout *l, ss_rect f)
{
    ss_rect in = {f.x + l->side, f.y + l->head, f.w - 2 * l->side, f.h - l->head - 1};
    if (in.w < 0)
        in.w = 0;
    if (in.h < 0)
        in.h = 0;
    return in;
}

ss_rect ss_layout_inner(const ss_layout *l, ss_panel_id panel)
{
    return ss_layout_inside(l, l->panel[panel]);
}

/* Controls above, ledger below, in one column. A ledger that does not fit is left out. */
static void right_column(ss_layout *l, ss_rect col, int ncontrol)
{
    int want = 1 + l->head + 4 * ncontrol;
    int controls = CONTROLS_FOUR + l->head, ledger = LEDGER_ROWS + l->head;
    l->panel[SS_PANEL_CONTROLS] = col;
    if (col.h < controls + ledger)
        return;
    l->panel[SS_PANEL_CONTROLS] = ss_rect_top(&col, ss_clamp(want, controls, col.h - ledger));
    l->panel[SS_PANEL_LEDGER] = col;
}

/* Residual plot and profile, one above the other or, where it is wide and low, side by side. */
static void plot_column(ss_layout *l, ss_rect col)
{
    l->panel[SS_PANEL_PLOT] = col;
    if (col.h >= 20) {
        l->panel[SS_PANEL_PLOT] = ss_rect_top(&col, (col.h + 2) / 2);
        l->panel[SS_PANEL_PROFILE] = col;
    } else if (col.w >= 44) {
        l->panel[SS_PANEL_PLOT] = ss_rect_left(&col, col.w / 2);
        l->panel[SS_PANEL_PROFILE] = col;
    }
}

static const ss_rect none = {0, 0, 0, 0}; /* of a panel that is hidden */

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static void three_columns(ss_layout *l, ss_rect body, int ncontrol)
{
    int more = body.w - THREE_COLUMNS;
    int right = ss_clamp(24 + more / 12, 24, 34);
    int plots = ss_clamp(32 + more / 2, 32, 37) + ss_clamp((more - 12) / 4, 0, 23);
    int field = ss_min(body.w - right - plots, 2 * (body.h - 5) + 12);
    l->panel[SS_PANEL_FIELD] = ss_rect_left(&body, field);
    right_column(l, ss_rect_right(&body, right), ncontrol);
    plot_column(l, body);
}

/* Field at the left; at the right plot above controls, then the ledger. The profile stands below
 * the field where a tall screen leaves room. */
static void two_columns(ss_layout *l, ss_rect body, int ncontrol)
{
    int side = ss_clamp(body.w * 2 / 5, 26, 34);
    ss_rect right = ss_rect_right(&body, side), field = body;
    int tall = field.w / 2 + 6; /* tall + 8 rows of the widest field with two columns */
    if (field.h >= PROFILE_BELOW)
        l->panel[SS_PANEL_PROFILE] = ss_rect_bottom(&field, field.h - tall);
    l->panel[SS_PANEL_FIELD] = field;
    int controls = CONTROLS_FOUR + l->head, ledger = LEDGER_ROWS + l->head;
    int plot = right.h >= controls + ledger + 9 ? ss_clamp(right.h / 3, 9, 18) : right.h - controls;
    if (plot >= 6 + l->head)
        l->panel[SS_PANEL_PLOT] = ss_rect_top(&right, plot);
    right_column(l, right, ncontrol);
}

static void one_column(ss_layout *l, ss_rect body, int ncontrol)
{
    int four = CONTROLS_FOUR + l->head, three = 8 + l->head; /* beside a page the field is small */
    int controls = body.h < 18 ? 0 : l->panel[SS_PANEL_PAGE].w ? three : four;
    int spare = body.h - body.w / 2 - 6, want = 1 + l->head + 4 * ncontrol;
    if (controls == four && spare > four) /* the picture is as large as it can be */
        controls = ss_clamp(want, four, spare);
    if (controls)
        l->panel[SS_PANEL_CONTROLS] = ss_rect_bottom(&body, controls);
    l->panel[SS_PANEL_FIELD] = body;
}

/* Picture, colour bar and probe lines inside the field panel. The bar stands on the side where
 * it costs a square picture less. */
static void inside_field(ss_layout *l)
{
    ss_rect in = ss_layout_inner(l, SS_PANEL_FIELD);
    int probe = in.h >= 5, side_fit = ss_min(in.w - BAR_COLS, 2 * (in.h - probe));
    int below_fit = ss_min(in.w, 2 * (in.h - probe - 2));
    l->image = in;
    if (in.w >= 28 && in.h >= 8) {
        l->bar_vertical = side_fit >= below_fit;
        if (l->bar_vertical) {
            l->image.w -= BAR_COLS;
            l->bar = (ss_rect){in.x + in.w - BAR_COLS + 1, in.y, BAR_COLS - 1, in.h - probe};
        }
    }
    int bar = l->image.w == in.w && in.w >= 28 && in.h >= 8 ? 2 : 0;
    int spare = in.h - bar - (l->image.w + 1) / 2;
    probe = probe ? ss_clamp(spare, 1, PROBE_MAX) : 0;
    l->image.h = in.h - probe - bar;
    l->probe = (ss_rect){in.x, in.y + in.h - probe, in.w, probe};
    if (bar) /* directly below a square picture, if there is spare room */
        l->bar = (ss_rect){in.x, in.y + l->image.h, in.w, bar};
    else
        l->bar.h = l->bar.w ? l->image.h : 0;
}

/* 1D: the curve above, the space-time panel below. */
static void split_field(ss_layout *l)
{
    ss_rect *f = &l->panel[SS_PANEL_FIELD];
    ss_rect *r = &l->panel[SS_PANEL_RASTER]; /* in the place of the controls, or none */
    if (r->w || f->h < 16 || !l->panel[SS_PANEL_CONTROLS].w)
        return;
    *r = ss_rect_bottom(f, f->h / 2);
}

/* 1D: the curve and the lines about a point; the space-time diagram and its bar. */
static void inside_line(ss_layout *l)
{
    ss_rect in = ss_layout_inner(l, SS_PANEL_FIELD);
    int probe = in.h >= 6 ? (in.h >= 14 ? 2 : 1) : 0;
    l->probe = ss_rect_bottom(&in, probe);
    l->image = in;
    if (!l->panel[SS_PANEL_RASTER].w)
        return;
    l->raster = ss_layout_inner(l, SS_PANEL_RASTER);
    l->raster_bar = ss_rect_bottom(&l->raster, 1);
}

/* The number of columns in which n square pictures, each with a line of text above, are largest. */
static int race_columns(ss_rect room, int n)
{
    int best = 1, largest = 0;
    for (int columns = 1; columns <= n; columns++) {
        int rows = n > columns ? (n + columns - 1) / columns : 1;
        int size = ss_min(room.w / columns - 1, 2 * (room.h / rows - 1));
        if (size > largest)
            best = columns, largest = size;
    }
    return best;
}

bool ss_layout_race(const ss_layout *l, int n, ss_rect *name, ss_rect *image, ss_rect *bar)
{
    ss_rect room = ss_layout_inner(l, SS_PANEL_FIELD);
    int below = room.h >= 12 && room.w >= 28 ? 2 : 0;
    room.h -= ss_min(l->probe.h, 1) + below;
    *bar = (ss_rect){room.x, room.y + room.h, below ? room.w : 0, below};
    if (n < 2 || room.w < 2 || room.h < 2)
        return false;
    int columns = race_columns(room, n), rows = (n + columns - 1) / columns;
    int w = room.w / columns, h = room.h / rows;
    for (int i = 0; i < n; i++) {
        ss_rect r = {room.x + i % columns * w, room.y + i / columns * h, w, h};
        name[i] = (ss_rect){r.x, r.y, w - 1, 1};
        image[i] = (ss_rect){r.x, r.y + 1, w - 1, h - 1};
    }
    return w >= 12 && h >= 5;
}

/* Takes the page's room from the body. */
static void take_page(ss_layout *l, ss_rect *body, ss_page_place page)
{
    int w = ss_clamp(body->w / 3 + 6, PAGE_COLS, PAGE_MOST);
    if (page == SS_PAGE_FOLDED)
        l->panel[SS_PANEL_PAGE] = ss_rect_bottom(body, 1);
    else if (page == SS_PAGE_BESIDE)
        l->panel[SS_PANEL_PAGE] = ss_rect_right(body, body->w - w < PAGE_REST ? body->w : w);
}

/* --- panels that a page needs ----------------------------------------------------------------- */

static bool is_wanted(unsigned wanted, int panel)
{
    return wanted >> panel & 1;
}

static bool fits(const ss_layout *l, int panel, ss_rect r)
{
    int ledger = panel == SS_PANEL_LEDGER ? l->head : 0; /* LEDGER_ROWS is without its edge */
    return r.w >= ss_panel_min[panel].w && r.h >= ss_panel_min[panel].h + l->head - 1 + ledger;
}

static const ss_panel_id needed[] = {SS_PANEL_PLOT, SS_PANEL_PROFILE, SS_PANEL_LEDGER};
enum { NEEDED = sizeof needed / sizeof *needed };

/* The panels of a list take turns in one place; those for which it is too small are left out. */
static bool share(ss_layout *l, ss_rect place, const ss_panel_id *list, int n, int turn)
{
    ss_panel_id shown[NEEDED + 2];
    int count = 0;
    for (int i = 0; i < n; i++)
        if (fits(l, list[i], place))
            shown[count++] = list[i];
    if (count < 2)
        return false;
    for (int i = 0; i < n; i++)
        l->panel[list[i]] = none;
    l->turns = count;
    l->controls_turn = shown[count - 1] == SS_PANEL_CONTROLS ? count - 1 : 0;
    l->panel[shown[ss_clamp(turn, 0, count - 1)]] = place;
    return true;
}

/* One column: below the field the wanted panels and the controls take turns. */
static void share_below(ss_layout *l, unsigned wanted, int turn)
{
    ss_rect field = l->panel[SS_PANEL_FIELD];
    ss_panel_id list[NEEDED + 2];
    int n = 0, body = field.h + l->panel[SS_PANEL_CONTROLS].h;
    int h = ss_min(LEDGER_ROWS + 1 + l->head, body - 7 - l->head);
    if (h < l->panel[SS_PANEL_CONTROLS].h)
        h = l->panel[SS_PANEL_CONTROLS].h;
    for (int i = 0; i < NEEDED; i++)
        if (is_wanted(wanted, needed[i]))
            list[n++] = needed[i];
    if (is_wanted(wanted, SS_PANEL_RASTER))
        list[n++] = SS_PANEL_RASTER;
    list[n++] = SS_PANEL_CONTROLS;
    if (share(l, (ss_rect){field.x, field.y + body - h, field.w, h}, list, n, turn))
        l->panel[SS_PANEL_FIELD].h = body - h;
}

/* Wanted panels for which there was no room take turns with the controls, or with the plot. */
static void share_beside(ss_layout *l, unsigned wanted, int turn)
{
    ss_panel_id list[NEEDED + 2];
    int n = 0;
    for (int i = 0; i < NEEDED; i++)
        if (is_wanted(wanted, needed[i]) && !l->panel[needed[i]].w)
            list[n++] = needed[i];
    if (n == 0)
        return;
    list[n] = SS_PANEL_CONTROLS;
    bool large = true;
    for (int i = 0; i < n; i++)
        large = large && fits(l, list[i], l->panel[SS_PANEL_CONTROLS]);
    if (large && share(l, l->panel[SS_PANEL_CONTROLS], list, n + 1, turn))
        return;
    list[n] = list[0], list[0] = SS_PANEL_PLOT;
    share(l, l->panel[SS_PANEL_PLOT], list, n + 1, turn);
}

/* Gives a wanted panel the place of one that is not, or a part of the controls'. */
static void make_room(ss_layout *l, unsigned wanted, int panel)
{
    static const ss_panel_id victims[] = {SS_PANEL_PLOT, SS_PANEL_PROFILE, SS_PANEL_LEDGER};
    for (int i = 0; i < 3; i++) {
        ss_rect r = l->panel[victims[i]];
        if (r.w && !is_wanted(wanted, victims[i]) && fits(l, panel, r)) {
            l->panel[victims[i]] = none;
            l->panel[panel] = r;
            return;
        }
    }
    ss_rect r = l->panel[SS_PANEL_CONTROLS], kept = ss_rect_top(&r, CONTROLS_FOUR - 1 + l->head);
    if (!fits(l, panel, r))
        return;
    l->panel[SS_PANEL_CONTROLS] = kept;
    l->panel[panel] = r;
}

/* 1D: the lower half of the field, where a space-time diagram would be that nobody wants. */
static void use_field(ss_layout *l, unsigned wanted)
{
    ss_rect above = l->panel[SS_PANEL_FIELD], r = ss_rect_bottom(&above, above.h / 2);
    for (int i = 0; i < NEEDED && above.h + r.h >= 16; i++)
        if (is_wanted(wanted, needed[i]) && !l->panel[needed[i]].w && fits(l, needed[i], r)) {
            l->panel[needed[i]] = r;
            l->panel[SS_PANEL_FIELD] = above;
            return;
        }
}

static void show_wanted(ss_layout *l, int dim, unsigned wanted, int turn)
{
    ss_rect controls = l->panel[SS_PANEL_CONTROLS];
    wanted &= ~(1u << SS_PANEL_STRIP);
    if (!wanted || !l->panel[SS_PANEL_PAGE].w)
        return;
    if (dim != 1)
        wanted &= ~(1u << SS_PANEL_RASTER);
    if (!controls.w || controls.x == l->panel[SS_PANEL_FIELD].x) {
        share_below(l, wanted, turn);
        return;
    }
    for (int i = 0; i < NEEDED; i++)
        if (is_wanted(wanted, needed[i]) && !l->panel[needed[i]].w)
            make_room(l, wanted, needed[i]);
    if (dim == 1 && !is_wanted(wanted, SS_PANEL_RASTER))
        use_field(l, wanted);
    share_beside(l, wanted, turn);
}

static void count_controls(ss_layout *l, int ncontrol)
{
    ss_rect c = ss_layout_inner(l, SS_PANEL_CONTROLS);
    if (c.h <= 0 || ncontrol <= 0)
        return;
    l->control_rows = ss_clamp(c.h / ncontrol, 2, 4);
    if (ncontrol * 2 > c.h && ncontrol <= c.h)
        l->control_rows = 2;
    l->controls = ss_clamp(c.h / l->control_rows, 1, ncontrol);
}

/* The places inside the panels, from the panels' rectangles. */
static void layout_fill(ss_layout *l, int dim, int ncontrol)
{
    l->bar = l->raster = l->raster_bar = none;
    l->bar_vertical = false;
    l->controls = l->control_rows = 0;
    (dim == 1 ? inside_line : inside_field)(l);
    count_controls(l, ncontrol);
}

void ss_layout_make(const ss_layout_ask *ask, ss_layout *out)
{
    int cols = ask->cols, rows = ask->rows, dim = ask->dim, ncontrol = ask->ncontrol;
    *out = (ss_layout){.small = cols < SS_COLS_FULL || rows < SS_ROWS_FULL};
    out->head = rows >= HEAD_FROM && ask->head > 1 ? ask->head : 1;
    out->side = cols >= SIDE_FROM && ask->side > 1 ? ask->side : 1;
    if (cols < SS_COLS_MIN || rows < SS_ROWS_MIN) {
        if (cols > 0 && rows > 0)
            out->panel[SS_PANEL_MESSAGE] = (ss_rect){0, 0, cols, 1};
        return;
    }
    int keys = ask->keys > 1 ? ask->keys : 1;
    int footer = rows < FOOTER_FROM ? 0 : rows < SS_ROWS_FULL ? 1 : keys;
    ss_rect body = {0, out->head, cols, rows - out->head - 1 - footer};
    out->panel[SS_PANEL_HEADER] = (ss_rect){0, 0, cols, out->head};
    out->panel[SS_PANEL_MESSAGE] = (ss_rect){0, body.y + body.h, cols, 1};
    if (footer)
        out->panel[SS_PANEL_FOOTER] = (ss_rect){0, rows - footer, cols, footer};

    if (is_wanted(ask->wanted, SS_PANEL_STRIP) && cols >= ss_panel_min[SS_PANEL_STRIP].w &&
        footer) {
        out->panel[SS_PANEL_STRIP] = ss_rect_top(&body, STRIP_ROWS);
    }
    take_page(out, &body, ask->page);
    if (body.w == 0)
        return;
    if (body.w >= THREE_COLUMNS && body.h >= 12)
        three_columns(out, body, ncontrol);
    else if (body.w >= TWO_COLUMNS)
        two_columns(out, body, ncontrol);
    else
        one_column(out, body, ncontrol);

    show_wanted(out, dim, ask->wanted, ask->turn);
    if (dim == 1)
        split_field(out);
    layout_fill(out, dim, ncontrol);
}

static bool extend(ss_rect *to, ss_rect by)
{
    bool below = to->w && to->x == by.x && to->w == by.w && to->y + to->h == by.y;
    bool beside = to->w && to->y == by.y && to->h == by.h && to->x + to->w == by.x;
    to->h += below ? by.h : 0;
    to->w += beside ? by.w : 0;
    return below || beside;
}

void ss_layout_give(ss_layout *l, ss_panel_id panel)
{
    ss_rect *from = &l->panel[panel];
    if (!from->w || !extend(&l->panel[SS_PANEL_PLOT], *from))
        return;
    *from = none;
}

void ss_layout_enlarge_plot(ss_layout *l, int rows, int ncontrol)
{
    static const struct {
        ss_panel_id panel;
        int keep; /* rows, with its lower edge */
    } lenders[] = {{SS_PANEL_CONTROLS, CONTROLS_THREE}, {SS_PANEL_PROFILE, 6}};
    ss_rect *plot = &l->panel[SS_PANEL_PLOT];
    int lacks = rows - ss_layout_inner(l, SS_PANEL_PLOT).h;
    if (!plot->w || l->turns > 0)
        return;
    for (size_t i = 0; i < sizeof lenders / sizeof *lenders && lacks > 0; i++) {
        ss_rect *from = &l->panel[lenders[i].panel];
        bool below = from->w == plot->w && from->x == plot->x && from->y == plot->y + plot->h;
        int spare = from->h - lenders[i].keep - l->head;
        if (!below || spare < lacks)
            continue;
        plot->h += lacks;
        from->y += lacks, from->h -= lacks;
        lacks = 0;
    }
    count_controls(l, ncontrol);
}

/* --- movable borders and the maximised panel -------------------------------------------------- */

const char *const ss_gutter_names[SS_NGUTTER] = {
    [SS_GUTTER_FIELD] = "right-of-field",          [SS_GUTTER_CONTROLS] = "left-of-controls",
    [SS_GUTTER_CURVE] = "right-of-curve",          [SS_GUTTER_UNDER_FIELD] = "below-field",
    [SS_GUTTER_UNDER_RASTER] = "below-space-time", [SS_GUTTER_UNDER_CURVE] = "below-curve",
    [SS_GUTTER_UNDER_CONTROLS] = "below-controls"};

const ss_panel_name ss_panel_names[] = {{SS_PANEL_FIELD, "field"}, {SS_PANEL_RASTER, "space-time"},
                                        {SS_PANEL_PLOT, "curve"},  {SS_PANEL_PROFILE, "bars"},
                                        {SS_PANEL_LEDGER, "cost"}, {SS_PANEL_CONTROLS, "controls"},
                                        {SS_PANEL_HEADER, NULL}};

/* A border is found at an edge of one panel. */
static const struct {
    ss_panel_id panel;
    enum { RIGHT, LEFT, LOWER } edge;
} places_of[SS_NGUTTER] = {[SS_GUTTER_FIELD] = {SS_PANEL_FIELD, RIGHT},
                           [SS_GUTTER_CONTROLS] = {SS_PANEL_CONTROLS, LEFT},
                           [SS_GUTTER_CURVE] = {SS_PANEL_PLOT, RIGHT},
                           [SS_GUTTER_UNDER_FIELD] = {SS_PANEL_FIELD, LOWER},
                           [SS_GUTTER_UNDER_RASTER] = {SS_PANEL_RASTER, LOWER},
                           [SS_GUTTER_UNDER_CURVE] = {SS_PANEL_PLOT, LOWER},
                           [SS_GUTTER_UNDER_CONTROLS] = {SS_PANEL_CONTROLS, LOWER}};

ss_rect ss_layout_body(const ss_layout *l)
{
    ss_rect all = {0, 0, 0, 0};
    for (const ss_panel_name *p = ss_panel_names; p->name; p++) {
        ss_rect r = l->panel[p->panel];
        if (!r.w)
            continue;
        if (!all.w)
            all = r;
        int right = larger(all.x + all.w, r.x + r.w), lower = larger(all.y + all.h, r.y + r.h);
        all.x = ss_min(all.x, r.x), all.y = ss_min(all.y, r.y);
        all.w = right - all.x, all.h = lower - all.y;
    }
    return all;
}

/* The columns or rows of a rectangle. */
typedef struct span {
    int at, n;
} span;

static span along(ss_rect r, bool upright)
{
    return upright ? (span){r.x, r.w} : (span){r.y, r.h};
}

static span across(ss_rect r, bool upright)
{
    return along(r, !upright);
}

/* The least size of a panel: ss_panel_min has one row for the upper edge, that of the ledger none.
 */
static int least(const ss_layout *l, int panel, bool upright)
{
    int edge = l->head - (panel != SS_PANEL_LEDGER);
    return upright ? ss_panel_min[panel].w : ss_panel_min[panel].h + edge;
}

/* Is the panel before (true) or after the border, within `part` of the other direction? */
static bool touches(ss_rect r, const ss_gutter *g, span part, bool before)
{
    span s = along(r, g->upright), t = across(r, g->upright);
    int edge = before ? s.at + s.n : s.at;
    return r.w && edge == g->at && t.at >= part.at && t.at + t.n <= part.at + part.n;
}

/* How far the panels on one side may shrink; *covered: of `part`. */
static int limit(const ss_layout *l, const ss_gutter *g, span part, bool before, int *covered)
{
    int limit = before ? g->from : g->from + g->room;
    *covered = 0;
    for (const ss_panel_name *p = ss_panel_names; p->name; p++) {
        ss_rect r = l->panel[p->panel];
        if (!touches(r, g, part, before))
            continue;
        span s = along(r, g->upright);
        int keep = least(l, p->panel, g->upright);
        limit = before ? larger(limit, s.at + keep) : ss_min(limit, s.at + s.n - keep);
        *covered += across(r, g->upright).n;
    }
    return limit;
}

/* The part of the other direction along which a border of this panel runs: columns are as high as
 * the body. */
static span part_of(const ss_layout *l, ss_gutter_id id, bool upright)
{
    return across(upright ? ss_layout_body(l) : l->panel[places_of[id].panel], upright);
}

static bool find(const ss_layout *l, ss_gutter_id id, ss_gutter *g)
{
    ss_rect r = l->panel[places_of[id].panel];
    int before, after, edge = places_of[id].edge;
    *g = (ss_gutter){.upright = edge != LOWER};
    span body = along(ss_layout_body(l), g->upright), own = along(r, g->upright);
    g->from = body.at, g->room = body.n;
    g->at = edge == LEFT ? own.at : own.at + own.n;
    if (!r.w || g->at <= g->from || g->at >= g->from + g->room)
        return false;
    span part = part_of(l, id, g->upright);
    g->lo = limit(l, g, part, true, &before);
    g->hi = limit(l, g, part, false, &after);
    g->rect = g->upright ? (ss_rect){g->at - 1, part.at, 2, part.n}
                         : (ss_rect){part.at, g->at - 1, part.n, 2};
    return before == part.n && after == part.n && g->lo <= g->hi;
}

bool ss_gutter_find(const ss_layout *l, ss_gutter_id id, ss_gutter *out)
{
    ss_gutter other;
    if (!find(l, id, out))
        return false;
    for (int i = 0; i < (int)id; i++)
        if (find(l, (ss_gutter_id)i, &other) && other.upright && out->upright &&
            other.at == out->at)
            return false;
    return true;
}

static void move(ss_layout *l, const ss_gutter *g, span part, int to)
{
    int by = to - g->at;
    for (const ss_panel_name *p = ss_panel_names; p->name; p++) {
        ss_rect *r = &l->panel[p->panel];
        bool before = touches(*r, g, part, true);
        if (!before && !touches(*r, g, part, false))
            continue;
        int *start = g->upright ? &r->x : &r->y, *size = g->upright ? &r->w : &r->h;
        *start += before ? 0 : by;
        *size += before ? by : -by;
    }
}

void ss_layout_move_gutters(ss_layout *l, int dim, int ncontrol, const ss_gutter_places *places)
{
    enum { PASSES = 2 }; /* one border may bound another, which has moved only after the first */
    bool any = false;
    for (int i = 0; i < PASSES * SS_NGUTTER; i++) {
        ss_gutter_id id = (ss_gutter_id)(i % SS_NGUTTER);
        ss_gutter g;
        if (!(places->at[id] > 0) || !ss_gutter_find(l, id, &g))
            continue;
        int to = g.from + (int)lround(places->at[id] * g.room);
        move(l, &g, part_of(l, id, g.upright), ss_clamp(to, g.lo, g.hi));
        any = true;
    }
    if (any)
        layout_fill(l, dim, ncontrol);
}

void ss_layout_maximise(ss_layout *l, int dim, int ncontrol, ss_panel_id panel)
{
    ss_rect body = ss_layout_body(l);
    for (const ss_panel_name *p = ss_panel_names; p->name; p++)
        l->panel[p->panel] = p->panel == panel ? body : none;
    layout_fill(l, dim, ncontrol);
}
