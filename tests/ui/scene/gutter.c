/* Properties of the user's arrangement over all sizes: see ui/scene/layout.h. */
#include "tests/check.h"
#include "ui/scene/layout.h"

enum { COLS = 240, ROWS = 70, PANELS = 6 };

/* A small generator, so that a failure comes back. */
static double next_part(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) / (double)(1u << 24);
}

static bool overlap(ss_rect a, ss_rect b)
{
    return a.w && b.w && a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

static bool same(ss_rect a, ss_rect b)
{
    return a.x == b.x && a.y == b.y && a.w == b.w && a.h == b.h;
}

static int area(const ss_layout *l)
{
    int sum = 0;
    for (const ss_panel_name *p = ss_panel_names; p->name; p++)
        sum += l->panel[p->panel].w * l->panel[p->panel].h;
    return sum;
}

static bool within(ss_rect in, ss_rect out)
{
    return !in.w || !in.h ||
           (in.x >= out.x && in.y >= out.y && in.x + in.w <= out.x + out.w &&
            in.y + in.h <= out.y + out.h);
}

/* No panel below its least size, no overlap, and the body is covered as before. */
static void check(int cols, int rows, const ss_layout *before, const ss_layout *l)
{
    ss_rect body = ss_layout_body(l);
    CHECK_MSG(same(body, ss_layout_body(before)), "%dx%d: another body", cols, rows);
    CHECK_MSG(area(l) == area(before), "%dx%d: %d cells of %d", cols, rows, area(l), area(before));
    for (int i = 0; i < SS_NPANEL; i++) {
        ss_rect p = l->panel[i];
        CHECK_MSG(!p.w == !before->panel[i].w, "%dx%d: panel %d came or went", cols, rows, i);
        CHECK_MSG(!p.w || (p.w >= ss_panel_min[i].w && p.h >= ss_panel_min[i].h),
                  "%dx%d: panel %d is %dx%d", cols, rows, i, p.w, p.h);
        for (int k = 0; k < i; k++)
            CHECK_MSG(!overlap(p, l->panel[k]), "%dx%d: panels %d and %d overlap", cols, rows, i,
                      k);
    }
    CHECK(within(l->image, l->panel[SS_PANEL_FIELD]) && within(l->bar, l->panel[SS_PANEL_FIELD]) &&
          within(l->probe, l->panel[SS_PANEL_FIELD]) &&
          within(l->raster, l->panel[SS_PANEL_RASTER]));
}

static void each(void (*use)(int cols, int rows, int dim, const ss_layout *l, unsigned *state))
{
    unsigned state = 1;
    ss_layout l;
    for (int dim = 1; dim <= 2; dim++)
        for (int rows = 8; rows <= ROWS; rows++)
            for (int cols = 20; cols <= COLS; cols++) {
                ss_layout_make(&(ss_layout_ask){.cols = cols,
                                                .rows = rows,
                                                .dim = dim,
                                                .ncontrol = 7,
                                                .head = 1 + cols % 2,
                                                .side = 1 + cols % 2},
                               &l);
                use(cols, rows, dim, &l, &state);
            }
}

static void random_places(int cols, int rows, int dim, const ss_layout *l, unsigned *state)
{
    for (int k = 0; k < 6; k++) {
        ss_gutter_places places = {{0}};
        ss_layout moved = *l;
        for (int i = 0; i < SS_NGUTTER; i++)
            places.at[i] = next_part(state) < 0.3 ? 0 : next_part(state);
        ss_layout_move_gutters(&moved, dim, 7, &places);
        check(cols, rows, l, &moved);
    }
}

TEST_CALL(gutter, random_places_leave_every_panel_its_least_size, each(random_places))

/* Each border goes where it is put, and nothing else moves. */
static void each_border(int cols, int rows, int dim, const ss_layout *l, unsigned *state)
{
    for (int i = 0; i < SS_NGUTTER; i++) {
        ss_gutter g, after;
        ss_gutter_places places = {{0}};
        ss_layout moved = *l;
        if (!ss_gutter_find(l, (ss_gutter_id)i, &g))
            continue;
        CHECK_MSG(g.lo <= g.at && g.at <= g.hi, "%dx%d: border %d at %d, not in %d to %d", cols,
                  rows, i, g.at, g.lo, g.hi);
        int to = g.lo + (int)(next_part(state) * (g.hi - g.lo + 1));
        places.at[i] = (double)(to - g.from) / g.room;
        ss_layout_move_gutters(&moved, dim, 7, &places);
        CHECK(ss_gutter_find(&moved, (ss_gutter_id)i, &after));
        CHECK_MSG(after.at == to, "%dx%d: border %d is at %d, not at %d", cols, rows, i, after.at,
                  to);
    }
}

TEST_CALL(gutter, a_border_goes_to_its_place, each(each_border))

TEST(gutter, common_screens_have_their_borders)
{
    static const struct {
        int cols, rows, dim;
        unsigned has;
    } cases[] = {
        {80, 24, 2, 1u << SS_GUTTER_FIELD | 1u << SS_GUTTER_UNDER_CURVE},
        {80, 24, 1,
         1u << SS_GUTTER_FIELD | 1u << SS_GUTTER_UNDER_FIELD | 1u << SS_GUTTER_UNDER_CURVE},
        {120, 40, 2,
         1u << SS_GUTTER_FIELD | 1u << SS_GUTTER_CONTROLS | 1u << SS_GUTTER_UNDER_CURVE |
             1u << SS_GUTTER_UNDER_CONTROLS},
        {160, 20, 2, 1u << SS_GUTTER_FIELD | 1u << SS_GUTTER_CONTROLS | 1u << SS_GUTTER_CURVE},
        {40, 45, 2, 1u << SS_GUTTER_UNDER_FIELD}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ss_layout l;
        ss_gutter g;
        unsigned has = 0;
        ss_layout_make(
            &(ss_layout_ask){
                .cols = cases[i].cols, .rows = cases[i].rows, .dim = cases[i].dim, .ncontrol = 7},
            &l);
        for (int k = 0; k < SS_NGUTTER; k++)
            has |= (unsigned)ss_gutter_find(&l, (ss_gutter_id)k, &g) << k;
        CHECK_MSG(has == cases[i].has, "%dx%d dim %d: %x, not %x", cases[i].cols, cases[i].rows,
                  cases[i].dim, has, cases[i].has);
    }
}

/* A border that another one bounds still reaches its place. */
TEST(gutter, borders_that_bound_each_other_both_arrive)
{
    ss_layout l;
    ss_gutter g;
    ss_gutter_places places = {{0}};
    ss_layout_make(&(ss_layout_ask){.cols = 160, .rows = 50, .dim = 2, .ncontrol = 7}, &l);
    places.at[SS_GUTTER_FIELD] = 0.7;
    places.at[SS_GUTTER_CONTROLS] = 0.87;
    ss_layout_move_gutters(&l, 2, 7, &places);
    CHECK(ss_gutter_find(&l, SS_GUTTER_FIELD, &g));
    CHECK_INT(g.at, 112);
    CHECK(ss_gutter_find(&l, SS_GUTTER_CONTROLS, &g));
    CHECK_INT(g.at, 139);
}

static void one_panel(int cols, int rows, int dim, const ss_layout *l, unsigned *state)
{
    (void)state;
    for (const ss_panel_name *p = ss_panel_names; p->name; p++) {
        ss_layout alone = *l;
        ss_layout_maximise(&alone, dim, 7, p->panel);
        CHECK_MSG(same(alone.panel[p->panel], ss_layout_body(l)), "%dx%d: %s", cols, rows, p->name);
        CHECK(same(ss_layout_body(&alone), ss_layout_body(l)));
        CHECK_INT(area(&alone), ss_layout_body(l).w * ss_layout_body(l).h);
        CHECK(within(alone.image, alone.panel[SS_PANEL_FIELD]) &&
              within(alone.raster, alone.panel[SS_PANEL_RASTER]));
        CHECK(same(alone.panel[SS_PANEL_HEADER], l->panel[SS_PANEL_HEADER]) &&
              same(alone.panel[SS_PANEL_FOOTER], l->panel[SS_PANEL_FOOTER]));
    }
}

TEST_CALL(gutter, a_maximised_panel_has_the_whole_body, each(one_panel))
