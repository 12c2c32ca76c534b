/* Movable borders and the maximised panel: see gutter.h. */
#include "ui/scene/gutter.h"

#include <math.h>
#include <stddef.h>

#include "src/base/common.h"

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

static int larger(int a, int b)
{
    return a > b ? a : b;
}

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
        ss_layout_fill(l, dim, ncontrol);
}

void ss_layout_maximise(ss_layout *l, int dim, int ncontrol, ss_panel_id panel)
{
    ss_rect body = ss_layout_body(l);
    for (const ss_panel_name *p = ss_panel_names; p->name; p++)
        l->panel[p->panel] = p->panel == panel ? body : (ss_rect){0, 0, 0, 0};
    ss_layout_fill(l, dim, ncontrol);
}
