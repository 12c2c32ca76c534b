/* Properties of the layout over all sizes 20x8 to 240x70: see ui/scene/layout.h. */
#include "tests/check.h"
#include "ui/scene/layout.h"

enum { COLS = 240, ROWS = 70 };

static bool overlap(ss_rect a, ss_rect b)
{
    return a.w && b.w && a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

static bool within(ss_rect in, ss_rect out)
{
    return in.x >= out.x && in.y >= out.y && in.x + in.w <= out.x + out.w &&
           in.y + in.h <= out.y + out.h;
}

static void each(void (*check)(int cols, int rows, int dim, int n, const ss_layout *l))
{
    static const int controls[] = {0, 1, 4, 7, 12, 32};
    ss_layout l;
    for (int dim = 1; dim <= 2; dim++)
        for (int rows = 8; rows <= ROWS; rows++)
            for (int cols = 20; cols <= COLS; cols++)
                for (int i = 0; i < 12; i++) { /* a terminal's frames, a window's */
                    ss_layout_make(&(ss_layout_ask){.cols = cols,
                                                    .rows = rows,
                                                    .dim = dim,
                                                    .ncontrol = controls[i / 2],
                                                    .head = 1 + i % 2,
                                                    .side = 1 + i % 2},
                                   &l);
                    check(cols, rows, dim, controls[i / 2], &l);
                }
}

static void check_panels(int cols, int rows, int dim, int n, const ss_layout *l)
{
    ss_rect screen = {0, 0, cols, rows};
    for (int i = 0; i < SS_NPANEL; i++) {
        ss_rect p = l->panel[i];
        if (!p.w)
            continue;
        CHECK_MSG(within(p, screen), "%dx%d: panel %d leaves the screen", cols, rows, i);
        CHECK_MSG(p.w >= ss_panel_min[i].w && p.h >= ss_panel_min[i].h,
                  "%dx%d dim %d n %d: panel %d is %dx%d", cols, rows, dim, n, i, p.w, p.h);
        for (int k = 0; k < i; k++)
            CHECK_MSG(!overlap(p, l->panel[k]), "%dx%d: panels %d and %d overlap", cols, rows, i,
                      k);
    }
}

TEST_CALL(layout, panels_are_disjoint_and_inside_the_screen, each(check_panels))

/* Panels that a page needs: all of them are on the screen, at once or in turns. */
TEST(layout, a_page_has_the_panels_that_it_needs)
{
    static const int sizes[][2] = {{80, 24}, {100, 30}, {120, 40}, {160, 50}, {200, 60}};
    static const ss_panel_id panels[] = {SS_PANEL_PLOT, SS_PANEL_PROFILE, SS_PANEL_LEDGER};
    unsigned all = 1u << SS_PANEL_PLOT | 1u << SS_PANEL_PROFILE | 1u << SS_PANEL_LEDGER;
    ss_layout l;
    for (int i = 0; i < 5; i++)
        for (int dim = 1; dim <= 2; dim++) {
            unsigned seen = 0;
            int turns = 1;
            for (int turn = 0; turn < turns; turn++) {
                ss_layout_make(&(ss_layout_ask){.cols = sizes[i][0],
                                                .rows = sizes[i][1],
                                                .dim = dim,
                                                .ncontrol = 7,
                                                .page = SS_PAGE_BESIDE,
                                                .wanted = all,
                                                .turn = turn},
                               &l);
                turns = l.turns > 0 ? l.turns : 1;
                check_panels(sizes[i][0], sizes[i][1], dim, 7, &l);
                for (int k = 0; k < 3; k++)
                    seen |= l.panel[panels[k]].w ? 1u << panels[k] : 0;
                seen |= l.panel[SS_PANEL_CONTROLS].w ? 1u << SS_PANEL_CONTROLS : 0;
                CHECK(l.panel[SS_PANEL_FIELD].h >= 7 && l.image.h > 2);
            }
            CHECK_MSG(seen == (all | 1u << SS_PANEL_CONTROLS), "%dx%d dim %d: %x", sizes[i][0],
                      sizes[i][1], dim, seen);
        }
}

TEST(layout, wanted_panels_are_disjoint)
{
    ss_layout l;
    for (unsigned wanted = 0; wanted < 16; wanted++)
        for (int dim = 1; dim <= 2; dim++)
            for (int rows = 8; rows <= ROWS; rows += 3)
                for (int cols = 20; cols <= COLS; cols += 3)
                    for (int turn = 0; turn < 5; turn++) {
                        unsigned bits = (wanted & 1) << SS_PANEL_PLOT |
                                        (wanted >> 1 & 1) << SS_PANEL_PROFILE |
                                        (wanted >> 2 & 1) << SS_PANEL_LEDGER |
                                        (wanted >> 3 & 1) << SS_PANEL_RASTER;
                        ss_layout_make(&(ss_layout_ask){.cols = cols,
                                                        .rows = rows,
                                                        .dim = dim,
                                                        .ncontrol = 7,
                                                        .head = 1 + turn % 2,
                                                        .side = 1 + turn % 2,
                                                        .page = SS_PAGE_BESIDE,
                                                        .wanted = bits,
                                                        .turn = turn},
                                       &l);
                        check_panels(cols, rows, dim, 7, &l);
                    }
}

/* Names above their pictures, side by side, all of them and the bar in the field and apart. */
static void check_race(int cols, int rows, int dim, int n, const ss_layout *l)
{
    ss_rect part[2 * 4 + 1], in = ss_layout_inner(l, SS_PANEL_FIELD);
    (void)n;
    for (int runs = 2; runs <= 4 && dim == 2; runs++) {
        if (!ss_layout_race(l, runs, part, part + runs, part + 2 * runs)) {
            CHECK_MSG(runs > 2 || cols < 80 || rows < 24, "%dx%d: no room for two", cols, rows);
            continue;
        }
        for (int i = 0; i <= 2 * runs; i++) {
            CHECK_MSG(!part[i].w || within(part[i], in), "%dx%d: part %d of %d runs leaves", cols,
                      rows, i, runs);
            for (int k = 0; k < i; k++)
                CHECK_MSG(!overlap(part[i], part[k]), "%dx%d: parts %d and %d overlap", cols, rows,
                          i, k);
            CHECK_MSG(!part[i].h || !overlap(part[i], l->probe) || l->probe.h > 1,
                      "%dx%d: part %d covers the probe", cols, rows, i);
        }
        CHECK_MSG(part[runs].w >= 10 && part[runs].h >= 4, "%dx%d: small", cols, rows);
    }
}

/* A race of six has its table: six rows, and four for the curves. */
TEST(layout, the_plot_of_a_race_is_enlarged)
{
    static const int sizes[][2] = {{80, 24}, {108, 24}, {120, 40}, {200, 60}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        ss_layout l;
        ss_layout_make(
            &(ss_layout_ask){
                .cols = sizes[i][0], .rows = sizes[i][1], .dim = 2, .ncontrol = 8, .keys = 2},
            &l);
        ss_layout_enlarge_plot(&l, 10, 8);
        check_panels(sizes[i][0], sizes[i][1], 2, 8, &l);
        CHECK_MSG(ss_layout_inner(&l, SS_PANEL_PLOT).h >= 10, "%dx%d: %d rows", sizes[i][0],
                  sizes[i][1], ss_layout_inner(&l, SS_PANEL_PLOT).h);
        CHECK(l.controls >= 3);
    }
}

static void check_enlarged(int cols, int rows, int dim, int n, const ss_layout *l)
{
    ss_layout enlarged = *l;
    ss_layout_enlarge_plot(&enlarged, 10, n);
    check_panels(cols, rows, dim, n, &enlarged);
    CHECK(enlarged.panel[SS_PANEL_PLOT].h >= l->panel[SS_PANEL_PLOT].h);
}

TEST_CALL(layout, an_enlarged_plot_covers_no_panel, each(check_enlarged))
TEST_CALL(layout, race_pictures_are_laid_out_at_every_size, each(check_race))

static void check_field(int cols, int rows, int dim, int n, const ss_layout *l)
{
    ss_rect in = ss_rect_inset(l->panel[SS_PANEL_FIELD], 1, 1);
    (void)n;
    CHECK_MSG(l->image.w > 0 && l->image.h > 0, "%dx%d: no picture", cols, rows);
    CHECK_MSG(within(l->image, in), "%dx%d: the picture leaves its panel", cols, rows);
    CHECK_MSG(!l->probe.h || within(l->probe, in), "%dx%d: probe", cols, rows);
    CHECK_MSG(!l->bar.w || within(l->bar, in), "%dx%d dim %d: colour bar", cols, rows, dim);
    CHECK_MSG(!overlap(l->image, l->probe) && !overlap(l->image, l->bar) &&
                  !overlap(l->bar, l->probe),
              "%dx%d: parts of the field overlap", cols, rows);
}

TEST_CALL(layout, parts_of_the_field_panel_are_disjoint_and_inside_it, each(check_field))

TEST(layout, essential_panels_are_visible_at_80x24)
{
    static const ss_panel_id must[] = {SS_PANEL_HEADER,   SS_PANEL_FIELD,   SS_PANEL_PLOT,
                                       SS_PANEL_CONTROLS, SS_PANEL_MESSAGE, SS_PANEL_FOOTER};
    for (int dim = 1; dim <= 2; dim++) {
        ss_layout l;
        ss_layout_make(&(ss_layout_ask){.cols = 80, .rows = 24, .dim = dim, .ncontrol = 7}, &l);
        for (int i = 0; i < 6; i++)
            CHECK_MSG(l.panel[must[i]].w > 0, "panel %d is hidden", must[i]);
        CHECK(l.controls >= 4);
        CHECK(!l.small);
    }
}

TEST(layout, all_panels_are_visible_at_120x40_and_200x60)
{
    for (int big = 0; big < 2; big++)
        for (int dim = 1; dim <= 2; dim++) {
            ss_layout l;
            ss_layout_make(
                &(ss_layout_ask){
                    .cols = big ? 200 : 120, .rows = big ? 60 : 40, .dim = dim, .ncontrol = 7},
                &l);
            for (int i = 0; i < SS_NPANEL; i++)
                CHECK_MSG(l.panel[i].w > 0 || (dim == 2 && i == SS_PANEL_RASTER) ||
                              i == SS_PANEL_PAGE || i == SS_PANEL_STRIP,
                          "panel %d is hidden", i);
            CHECK_INT(l.controls, 7);
        }
}

/* The timeline takes its rows from the body; without keys below there is no room for it. */
TEST(layout, the_timeline_stands_below_the_header)
{
    ss_layout l, without;
    const unsigned strip = 1u << SS_PANEL_STRIP;
    ss_layout_make(&(ss_layout_ask){.cols = 120,
                                    .rows = 40,
                                    .dim = 2,
                                    .ncontrol = 7,
                                    .head = 2,
                                    .side = 2,
                                    .wanted = strip},
                   &l);
    ss_layout_make(
        &(ss_layout_ask){.cols = 120, .rows = 40, .dim = 2, .ncontrol = 7, .head = 2, .side = 2},
        &without);
    ss_rect r = l.panel[SS_PANEL_STRIP];
    CHECK_INT(r.y, l.panel[SS_PANEL_HEADER].h);
    CHECK_INT(r.w, 120);
    CHECK_INT(l.panel[SS_PANEL_FIELD].y, r.y + r.h);
    CHECK_INT(without.panel[SS_PANEL_STRIP].w, 0);
    CHECK_INT(without.panel[SS_PANEL_FIELD].h, l.panel[SS_PANEL_FIELD].h + r.h);
    ss_layout_make(
        &(ss_layout_ask){.cols = 120, .rows = 11, .dim = 2, .ncontrol = 7, .wanted = strip}, &l);
    CHECK_INT(l.panel[SS_PANEL_STRIP].w, 0);
}

/* A larger screen never hides what a smaller one showed. */
TEST(layout, a_larger_screen_hides_no_panel)
{
    ss_layout small, wide, high;
    for (int dim = 1; dim <= 2; dim++)
        for (int rows = 8; rows < ROWS; rows++)
            for (int cols = 20; cols < COLS; cols++) {
                ss_layout_make(
                    &(ss_layout_ask){.cols = cols, .rows = rows, .dim = dim, .ncontrol = 7},
                    &small);
                ss_layout_make(
                    &(ss_layout_ask){.cols = cols + 1, .rows = rows, .dim = dim, .ncontrol = 7},
                    &wide);
                ss_layout_make(
                    &(ss_layout_ask){.cols = cols, .rows = rows + 1, .dim = dim, .ncontrol = 7},
                    &high);
                for (int i = 0; i < SS_NPANEL; i++) {
                    CHECK_MSG(!small.panel[i].w || wide.panel[i].w,
                              "panel %d: %dx%d shows it, one column more does not", i, cols, rows);
                    CHECK_MSG(!small.panel[i].w || high.panel[i].w,
                              "panel %d: %dx%d shows it, one row more does not", i, cols, rows);
                }
            }
}

/* Page, run and other panels do not overlap; next to a readable page a picture always fits. */
static void check_page(int cols, int rows, ss_page_place place)
{
    ss_layout l;
    for (int dim = 1; dim <= 2; dim++)
        for (int frame = 1; frame <= 2; frame++) {
            ss_layout_make(&(ss_layout_ask){.cols = cols,
                                            .rows = rows,
                                            .dim = dim,
                                            .ncontrol = 7,
                                            .head = frame,
                                            .side = frame,
                                            .page = place,
                                            .keys = 1 + rows % 2},
                           &l);
            check_panels(cols, rows, dim, 7, &l);
            ss_rect page = l.panel[SS_PANEL_PAGE], field = l.panel[SS_PANEL_FIELD];
            CHECK_MSG(page.w > 0, "%dx%d: no page", cols, rows);
            if (place == SS_PAGE_FOLDED) {
                CHECK(page.h == 1 && field.w > 0);
            } else if (cols >= SS_COLS_FULL) {
                CHECK_MSG(page.w >= 38 && field.w >= 20, "%dx%d: %d beside %d", cols, rows, field.w,
                          page.w);
            } else {
                CHECK_MSG(page.w == cols && field.w == 0, "%dx%d: page %d", cols, rows, page.w);
            }
            if (field.w)
                check_field(cols, rows, dim, 7, &l);
        }
}

TEST(layout, a_lesson_page_stands_beside_all_panels)
{
    for (int rows = 8; rows <= ROWS; rows += 2)
        for (int cols = 20; cols <= COLS; cols += 3) {
            check_page(cols, rows, SS_PAGE_BESIDE);
            check_page(cols, rows, SS_PAGE_FOLDED);
        }
}

TEST(layout, too_small_leaves_one_line)
{
    ss_layout l;
    ss_layout_make(&(ss_layout_ask){.cols = 19, .rows = 8, .dim = 2, .ncontrol = 7}, &l);
    CHECK_INT(l.panel[SS_PANEL_HEADER].w, 0);
    CHECK_INT(l.panel[SS_PANEL_MESSAGE].w, 19);
    ss_layout_make(&(ss_layout_ask){.cols = 0, .rows = 0, .dim = 2, .ncontrol = 7}, &l);
    CHECK_INT(l.panel[SS_PANEL_MESSAGE].w, 0);
}

TEST(layout, pictures_keep_their_shape)
{
    ss_rect room = {3, 2, 60, 30};
    ss_rect square = ss_rect_fit(room, 1), tall = ss_rect_fit(room, 0.5),
            flat = ss_rect_fit(room, 2);
    ss_rect line = ss_rect_fit(room, 1000);
    CHECK_INT(square.w, 60);
    CHECK_INT(square.h, 30);
    CHECK_INT(tall.w, 30);
    CHECK_INT(tall.x, 18);
    CHECK_INT(flat.h, 15);
    CHECK_INT(flat.y, 9);
    CHECK_INT(line.h, 30); /* a picture of one row is useless */
}

/* A low or narrow window has the layout of a window: titles have their own edges. */
TEST(layout, small_windows_have_the_borders_of_windows)
{
    static const int sizes[][2] = {{40, 15}, {64, 20}, {64, 23}, {40, 45}, {32, 12}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        ss_layout l;
        ss_layout_make(&(ss_layout_ask){.cols = sizes[i][0],
                                        .rows = sizes[i][1],
                                        .dim = 2,
                                        .ncontrol = 7,
                                        .head = 2,
                                        .side = 2},
                       &l);
        CHECK_MSG(l.head == 2 && l.side == 2, "%dx%d", sizes[i][0], sizes[i][1]);
    }
}

/* The controls get the room below a square picture of maximum size. */
TEST(layout, a_tall_column_shows_more_controls)
{
    ss_layout l;
    ss_layout_make(
        &(ss_layout_ask){.cols = 40, .rows = 45, .dim = 2, .ncontrol = 7, .head = 2, .side = 2},
        &l);
    CHECK(l.controls >= 6 && l.image.h >= 18);
}
