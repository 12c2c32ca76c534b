/* The map on the screen: its optima, its layout, its keys, its appearance. The map is synthetic: a
 * table with every kind of cell. */
#include "tests/check.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/core/registry.h"
#include "tests/ui/golden.h"
#include "tests/ui/samples.h"
#include "ui/panels/build.h"
#include "ui/panels/screen.h"

enum { NX = 6, NY = 4 };

static const char rows_text[NY][SS_MAP_WORD] = {"6", "12", "24", "48"};
static const char columns_text[NX][SS_MAP_WORD] = {"0", "2", "4", "6", "8", "10"};
static ss_value rows_value[NY], columns_value[NX];

/* Cycles fall with k and with overlap; overlap costs seconds. */
static void fill_cell(ss_map_cell *c, int x, int y)
{
    double cycles = round(40000 / (y + 1.0) * (1 + pow(x - 1 - y, 2) / 9)), pace;
    pace = 1e-6 * (4 << y) * (1 + 0.1 * x);
    *c = (ss_map_cell){.status = SS_CELL_OK,
                       .cycles = (int64_t)cycles,
                       .seconds = cycles * pace,
                       .bytes = cycles * 24e3,
                       .papers = x == y + 1};
    c->value[0] = cycles;
    c->value[1] = cycles * (32 + x);
    c->value[2] = c->seconds;
    c->value[3] = c->bytes;
    for (int q = 4; q < SS_MAP_QUANTITIES; q++)
        c->value[q] = NAN;
}

static void lose_cell(ss_map_cell *c, ss_cell_status status, const char *why)
{
    *c = (ss_map_cell){.status = status, .seconds = NAN, .bytes = NAN};
    for (int q = 0; q < SS_MAP_QUANTITIES; q++)
        c->value[q] = NAN;
    snprintf(c->why, sizeof c->why, "%s", why);
}

static const ss_param *row_named(const ss_snapshot *s, const char *name)
{
    for (int i = 0; i < s->ncontrol; i++)
        if (strcmp(s->control[i].row->name, name) == 0)
            return s->control[i].row;
    return NULL;
}

static ss_map_view *sample_map(const ss_snapshot *s)
{
    static ss_map_cell cells[NX * NY];
    static ss_map_view v;
    for (int i = 0; i < NX * NY; i++)
        fill_cell(&cells[i], i % NX, i / NX);
    for (int i = 0; i < NY; i++)
        rows_value[i] = (ss_value){.i = atoi(rows_text[i]), .set = true};
    for (int i = 0; i < NX; i++)
        columns_value[i] = (ss_value){.i = atoi(columns_text[i]), .set = true};
    lose_cell(&cells[5], SS_CELL_DIVERGED, "the residual grew without bound");
    lose_cell(&cells[4], SS_CELL_REFUSED, "overlap: 8 is out of range");
    lose_cell(&cells[17], SS_CELL_LIMIT, "");
    lose_cell(&cells[22], SS_CELL_NONE, "");
    lose_cell(&cells[23], SS_CELL_NONE, "");
    v = (ss_map_view){
        .equation = "poisson2d",
        .solver = "shared",
        .settings = "map poisson2d shared --backend cpu",
        .quantity = {{"cycles", "", "cycles", false, false},
                     {"work", "", "cycles \xc3\x97 blocks", false, false},
                     {"seconds", "s", "seconds of solving", true, false},
                     {"bytes", "B", "modelled bytes", true, false},
                     {"error", "", "max|u - u*|", false, true},
                     {"reduction", "", "|r|/|r0|", true, true},
                     {"factor", "", "factor of |r| per cycle", true, true},
                     {"l1", "", "mean|u - u*|", true, true}},
        .row = {row_named(s, "k"), rows_text, rows_value},
        .column = {row_named(s, "overlap"), columns_text, columns_value},
        .nx = NX,
        .ny = NY,
        .n = NX * NY,
        .cell = cells,
        .now = 22,
        .done = 22,
        .way = 0.37,
        .left = 75,
        .clock = true,
        .place = "CPU, 1 thread, beside the run",
        .papers = "Islam & Wang, table 2",
    };
    return &v;
}

typedef struct screen {
    sample_log log;
    ss_snapshot *snap;
    ss_ui *ui;
    ss_map_view *map;
} screen;

static void open_screen(screen *s)
{
    *s = (screen){.snap = sample_2d(SS_STALENESS, 64, 64)};
    s->ui = ss_ui_new(sample_emit, &s->log, NULL);
    CHECK(s->ui != NULL);
    s->snap->deterministic = true;
    s->map = sample_map(s->snap);
    ss_ui_map(s->ui, s->map);
    ss_ui_map_open(s->ui, true);
    ss_map_follow(s->ui, s->snap);
}

static void close_screen(screen *s)
{
    ss_ui_free(s->ui);
    sample_free(s->snap);
}

#define MAP_TEST(name)                                                                             \
    static void name##_on(screen *s);                                                              \
    TEST(mapview, name)                                                                            \
    {                                                                                              \
        screen s;                                                                                  \
        open_screen(&s);                                                                           \
        name##_on(&s);                                                                             \
        close_screen(&s);                                                                          \
    }                                                                                              \
    static void name##_on(screen *s)

static void press(screen *s, const char *key)
{
    ss_event ev = {.kind = SS_EV_KEY};
    snprintf(ev.key, sizeof ev.key, "%s", key);
    ss_ui_event(s->ui, &ev, &s->ui->scene, s->snap);
}

/* --- optima ----------------------------------------------------------------------------------- */

MAP_TEST(the_best_cell_of_each_row_and_of_all_is_found)
{
    for (int y = 0; y < NY; y++)
        CHECK_INT(ss_map_best(s->map, 0, y), y * NX + (y == 3 ? 3 : y + 1)); /* 4 is not known */
    CHECK_INT(ss_map_best(s->map, 0, -1), -1); /* cycles do not compare from k to k */
    int best = ss_map_best(s->map, 2, -1);
    for (int i = 0; i < s->map->n; i++)
        CHECK(!(ss_map_look(s->map, i, 2) < ss_map_look(s->map, best, 2)));
    CHECK_INT(ss_map_best(s->map, 4, 0), -1); /* nothing was measured */
    CHECK_INT(ss_map_find(s->map, "24", "6"), 2 * NX + 3);
    CHECK_INT(ss_map_find(s->map, "24", "7"), -1);
    CHECK(isnan(ss_map_look(s->map, -1, 0)) && isnan(ss_map_look(s->map, NX * NY, 0)));
}

MAP_TEST(the_pareto_front_dominates_all_other_points)
{
    int front[NX * NY];
    int n = ss_map_front(s->map, front, NX * NY);
    CHECK(n > 1);
    for (int i = 0; i < s->map->n; i++) {
        const ss_map_cell *c = &s->map->cell[i];
        bool in = false, beaten = false;
        for (int k = 0; k < n; k++) {
            const ss_map_cell *f = &s->map->cell[front[k]];
            in = in || front[k] == i;
            beaten = beaten ||
                     (front[k] != i && ss_map_pace(f) <= ss_map_pace(c) && f->cycles <= c->cycles);
        }
        CHECK_MSG(isnan(ss_map_pace(c)) ? !in : in != beaten, "cell %d: in %d, beaten %d", i, in,
                  beaten);
    }
    for (int k = 1; k < n; k++)
        CHECK(s->map->cell[front[k - 1]].cycles < s->map->cell[front[k]].cycles);
    CHECK_INT(ss_map_front(s->map, front, 1), 1);
}

TEST(mapview, numbers_fit_their_columns)
{
    static const ss_map_name names[] = {{.unit = ""}, {.unit = "s"}, {.unit = "B"}, {.unit = "×"}};
    for (uint64_t i = 0; i < 4000; i++) {
        double v = pow(10, ss_random_unit(3, i) * 24 - 9);
        v = i % 3 ? v : floor(v);
        int room = 1 + (int)(ss_random_unit(4, i) * 12);
        const char *text = ss_map_short(&names[i % 4], v, room);
        CHECK_MSG(ss_text_width(text) <= room, "%g in %d: '%s'", v, room, text);
        double read = room >= 8 && strchr("0123456789", text[strlen(text) - 1]) ? atof(text) : v;
        CHECK_MSG(fabs(read - v) <= 0.06 * v, "%g in %d: '%s'", v, room, text);
    }
    CHECK_STR(ss_map_short(&names[0], 8094, 4), "8094");
    CHECK_STR(ss_map_short(&names[0], 1287712, 5), "1.29M");
    CHECK_STR(ss_map_short(&names[1], 0.0331, 6), "33.1ms");
    CHECK_STR(ss_map_short(&names[0], NAN, 6), "–");
}

/* --- layout ----------------------------------------------------------------------------------- */

static bool within(ss_rect in, ss_rect out)
{
    return !in.w || (in.x >= out.x && in.y >= out.y && in.x + in.w <= out.x + out.w &&
                     in.y + in.h <= out.y + out.h);
}

static bool apart(ss_rect a, ss_rect b)
{
    return !a.w || !b.w || a.x >= b.x + b.w || b.x >= a.x + a.w || a.y >= b.y + b.h ||
           b.y >= a.y + a.h;
}

static void check_layout(int cols, int rows, int frame, int nx, int ny)
{
    ss_layout l;
    ss_map_layout m;
    ss_layout_make(
        &(ss_layout_ask){
            .cols = cols, .rows = rows, .dim = 2, .ncontrol = 6, .head = frame, .side = frame},
        &l);
    ss_layout_map(&l, nx, ny, 11, true, &m);
    ss_rect in = ss_layout_inside(&l, m.panel), body = {0, 0, cols, rows};
    const ss_rect parts[] = {m.head, m.table, m.bar, m.legend};
    CHECK(within(m.panel, body) && within(m.details, body) && apart(m.panel, m.details));
    for (int i = 0; i < 4 && m.columns; i++) {
        CHECK_MSG(within(parts[i], in), "%dx%d, %d x %d cells: part %d", cols, rows, nx, ny, i);
        for (int k = 0; k < i; k++)
            CHECK_MSG(apart(parts[i], parts[k]), "%dx%d, %d x %d cells: parts %d, %d", cols, rows,
                      nx, ny, i, k);
    }
    CHECK(m.columns <= nx && m.rows <= ny);
    CHECK_INT(m.table.w, m.columns * m.cell_w);
    CHECK_INT(m.table.h, m.rows * m.cell_h);
    bool enough = cols >= SS_COLS_FULL && rows >= SS_ROWS_FULL && nx <= 9 && ny <= 7 && frame == 1;
    CHECK_MSG(!enough || (m.columns == nx && m.rows == ny && m.cell_w >= 5 && m.bar.w &&
                          m.legend.w && m.details.w),
              "%dx%d: something of a usual map is missing", cols, rows);
}

TEST(mapview, parts_are_disjoint_at_every_size)
{
    static const int sizes[][2] = {{1, 1}, {9, 7}, {4, 1}, {128, 128}, {40, 3}};
    for (int cols = 20; cols <= 200; cols += 3)
        for (int rows = 8; rows <= 70; rows++)
            for (int i = 0; i < 10; i++)
                check_layout(cols, rows, 1 + i % 2, sizes[i / 2][0], sizes[i / 2][1]);
    check_layout(80, 24, 1, 9, 7);
    check_layout(120, 40, 1, 9, 7);
}

/* --- keys ------------------------------------------------------------------------------------- */

MAP_TEST(the_cursor_starts_at_the_run_and_stays_inside)
{
    CHECK_INT(ss_map_here(s->ui, s->snap), 1 * NX + 2); /* k 12, overlap 4 */
    CHECK_INT(ss_map_cursor(s->ui), 1 * NX + 2);
    press(s, "right");
    press(s, "down");
    CHECK_INT(ss_map_cursor(s->ui), 2 * NX + 3);
    for (int i = 0; i < 20; i++)
        press(s, i % 2 ? "right" : "down");
    CHECK_INT(ss_map_cursor(s->ui), NX * NY - 1);
    for (int i = 0; i < 20; i++)
        press(s, i % 2 ? "left" : "up");
    CHECK_INT(ss_map_cursor(s->ui), 0);
    press(s, "home"); /* of this row: cycles cannot be compared between rows */
    CHECK_INT(ss_map_cursor(s->ui), 1);
    ss_map_follow(s->ui, s->snap); /* the run does not move the cursor */
    CHECK_INT(ss_map_cursor(s->ui), 1);
    CHECK_INT(sample_command(s->ui, "map cursor 3 2", s->snap), SS_OK);
    CHECK_INT(ss_map_cursor(s->ui), 2 * NX + 3);
}

MAP_TEST(quantities_and_pages_cycle)
{
    for (int i = 0; i < SS_MAP_QUANTITIES; i++) {
        CHECK_INT(s->ui->map.quantity, i);
        press(s, "x");
    }
    CHECK_INT(s->ui->map.quantity, 0);
    press(s, "X");
    CHECK_INT(s->ui->map.quantity, SS_MAP_QUANTITIES - 1);
    for (int i = 0; i < SS_NPAGE; i++) {
        CHECK_INT(s->ui->map.page, i);
        press(s, "tab");
    }
    CHECK_INT(s->ui->map.page, SS_PAGE_MAP);
    CHECK_INT(sample_command(s->ui, "map quantity colour", s->snap), SS_FAIL);
    CHECK_INT(sample_command(s->ui, "map nonsense", s->snap), SS_FAIL);
}

MAP_TEST(enter_sets_the_parameters_of_the_cell)
{
    sample_command(s->ui, "map cursor 4 2", s->snap);
    int before = s->log.count;
    CHECK_INT(sample_command(s->ui, "map take", s->snap), SS_OK);
    CHECK_INT(s->log.count - before, 2);
    CHECK_STR(s->log.last, "set overlap 8");
    CHECK_INT(ss_map_here(s->ui, s->snap), 2 * NX + 4); /* pending values count */
    sample_command(s->ui, "map cursor 4 0", s->snap);
    before = s->log.count;
    CHECK_INT(sample_command(s->ui, "map take", s->snap), SS_FAIL); /* a refused cell */
    s->map->stale = true;
    sample_command(s->ui, "map cursor 0 0", s->snap);
    CHECK_INT(sample_command(s->ui, "map take", s->snap), SS_FAIL); /* another problem */
    CHECK_INT(s->log.count, before);
    CHECK_INT(ss_map_here(s->ui, s->snap), -1);
}

/* Keys that are not the map's change the run. */
MAP_TEST(parameter_keys_work_on_the_map)
{
    press(s, "K");
    CHECK_STR(s->log.last, "set k 13");
    press(s, "esc");
    CHECK_STR(s->log.last, "map close");
    press(s, "7");
    CHECK(!s->ui->typing);
}

MAP_TEST(a_click_moves_the_cursor)
{
    ss_term_cells cells = {0};
    ss_paint how = {.glyphs = ss_glyphs_find("half"), .levels = 32};
    sample_screen(s->ui, s->snap, 80, 24, &how, &cells);
    for (int i = 0; i < s->ui->scene.nhit; i++) {
        ss_hit h = s->ui->scene.hit[i];
        if (h.kind != SS_H_TABLE)
            continue;
        ss_event ev = {.kind = SS_EV_PRESS, .x = h.rect.x + 0.5, .y = h.rect.y + h.rect.h - 0.5};
        ss_ui_event(s->ui, &ev, &s->ui->scene, s->snap);
    }
    CHECK(s->ui->map.x == 0 && s->ui->map.y == 3);
    ss_cells_free(&cells);
}

static bool is_on_screen(const screen *s, const char *text)
{
    for (int i = 0; i < s->ui->scene.nitem; i++) {
        const ss_item *item = &s->ui->scene.item[i];
        if (item->kind == SS_I_TEXT && item->text && strstr(item->text, text))
            return true;
    }
    return false;
}

MAP_TEST(a_cell_tells_its_value_where_the_mouse_rests)
{
    const ss_extent e = {.cols = 120, .rows = 40, .dots_x = 1, .dots_y = 2};
    ss_ui_scene(s->ui, s->snap, &e, 20);
    ss_hit h = {.kind = SS_H_COMMAND};
    for (int i = 0; i < s->ui->scene.nhit; i++)
        h = s->ui->scene.hit[i].kind == SS_H_TABLE ? s->ui->scene.hit[i] : h;
    ss_event ev = {.kind = SS_EV_HOVER, .x = h.rect.x + 1, .y = h.rect.y + 0.5};
    char text[300];
    ss_ui_event(s->ui, &ev, &s->ui->scene, s->snap);
    int before = s->ui->scene.nitem;
    ss_ui_scene(s->ui, s->snap, &e, 20);
    CHECK(s->ui->scene.nitem > before);
    snprintf(text, sizeof text, "%s ·", ss_map_cell_name(s->map, h.index));
    CHECK_MSG(is_on_screen(s, text), "no '%s'", text);
}

MAP_TEST(a_measured_map_has_nothing_to_pause)
{
    const ss_extent e = {.cols = 120, .rows = 40, .dots_x = 1, .dots_y = 2};
    s->map->done = s->map->n - 1;
    ss_ui_scene(s->ui, s->snap, &e, 20);
    CHECK(is_on_screen(s, "pause"));
    s->map->done = s->map->n;
    ss_ui_scene(s->ui, s->snap, &e, 20);
    CHECK(!is_on_screen(s, "pause"));
}

MAP_TEST(a_point_tells_its_cell_and_takes_the_cursor)
{
    ss_term_cells cells = {0};
    ss_paint how = {.glyphs = ss_glyphs_find("ascii"), .levels = 32};
    how.ramp = how.glyphs->ascii;
    CHECK_INT(sample_command(s->ui, "map view pareto", s->snap), SS_OK);
    sample_screen(s->ui, s->snap, 120, 40, &how, &cells);
    struct ss_scene *scene = &s->ui->scene;
    const ss_chart *c = &scene->chart[0];
    int told = 0;
    for (int cell = 0; cell < s->map->n; cell++) {
        ss_xy at = ss_map_place(s->map, cell);
        int item = ss_chart_item(scene, 0), series, i;
        ss_rect data = ss_chart_data(c, scene->item[item].rect);
        ss_xy part = ss_chart_part_of(c, at);
        if (!isfinite(at.x))
            continue;
        CHECK(ss_chart_nearest_point(c, data, part, &series, &i));
        ss_event ev = {.kind = SS_EV_MOVE,
                       .x = data.x + 0.5 + part.x * (data.w - 1),
                       .y = data.y + 0.5 + part.y * (data.h - 1)};
        ss_ui_event(s->ui, &ev, scene, s->snap);
        sample_screen(s->ui, s->snap, 120, 40, &how, &cells);
        const char *name = ss_map_cell_name(s->map, cell);
        CHECK(scene->nrule == 1);
        CHECK_MSG(strncmp(scene->rule[0].text, name, strlen(name)) == 0, "%s, not %s",
                  scene->rule[0].text, name);
        ev.kind = SS_EV_PRESS;
        ss_ui_event(s->ui, &ev, scene, s->snap);
        ev.kind = SS_EV_RELEASE;
        ss_ui_event(s->ui, &ev, scene, s->snap);
        CHECK_INT(ss_map_cursor(s->ui), cell);
        told++;
    }
    CHECK(told > 3);
    ss_cells_free(&cells);
}

/* A map of the subcommand has no run in it, and applies no cell. */
TEST(mapview, without_a_run_no_run_is_mentioned)
{
    ss_term_cells cells = {0};
    ss_paint how = {.glyphs = ss_glyphs_find("half"), .levels = 32};
    for (int alone = 0; alone < 2; alone++) {
        screen s;
        open_screen(&s);
        s.map->alone = alone;
        sample_screen(s.ui, s.snap, 120, 40, &how, &cells);
        CHECK_INT(ss_map_here(s.ui, s.snap) < 0, alone);
        CHECK_INT(!is_on_screen(&s, "you are here"), alone);
        CHECK_INT(!is_on_screen(&s, "take"), alone);
        CHECK(is_on_screen(&s, "pause") && is_on_screen(&s, "%"));
        close_screen(&s);
    }
    ss_cells_free(&cells);
}

TEST(mapview, help_starts_with_the_keys_of_the_map)
{
    screen s;
    ss_term_cells cells = {0};
    ss_paint how = {.glyphs = ss_glyphs_find("half"), .levels = 32};
    open_screen(&s);
    CHECK_INT(sample_command(s.ui, "help", s.snap), SS_OK);
    sample_screen(s.ui, s.snap, 80, 24, &how, &cells);
    CHECK(is_on_screen(&s, "Keys on the map") && is_on_screen(&s, "each row by its own best"));
    ss_cells_free(&cells);
    close_screen(&s);
    open_screen(&s);
    press(&s, "|");
    CHECK(strstr(s.ui->message, "esc closes the map") && s.ui->message_is_error);
    close_screen(&s);
}

/* --- appearance ------------------------------------------------------------------------------- */

static void check_golden(const char *name, int cols, int rows, const char *glyphs,
                         const char *command)
{
    screen s;
    ss_term_cells cells = {0};
    ss_paint how = {.glyphs = ss_glyphs_find(glyphs), .levels = 32};
    how.ramp = how.glyphs->ascii;
    open_screen(&s);
    if (command)
        CHECK_INT(sample_command(s.ui, command, s.snap), SS_OK);
    sample_screen(s.ui, s.snap, cols, rows, &how, &cells);
    golden_check(name, &cells);
    ss_cells_free(&cells);
    close_screen(&s);
}

TEST_CALL(screens, map_80x24, check_golden("map-80x24", 80, 24, "ascii", NULL))
TEST_CALL(screens, map_120x40, check_golden("map-120x40", 120, 40, "half", "map cursor 5 0"))
TEST_CALL(screens, map_by_row, check_golden("map-by-row-80x24", 80, 24, "ascii", "map relative"))
TEST_CALL(screens, map_not_measured,
          check_golden("map-error-80x24", 80, 24, "half", "map quantity error"))
TEST_CALL(screens, pareto_80x24, check_golden("pareto-80x24", 80, 24, "half", "map view pareto"))
TEST_CALL(screens, pareto_120x40,
          check_golden("pareto-120x40", 120, 40, "ascii", "map view pareto"))

static double wild(uint64_t seed, uint64_t i)
{
    static const double odd[] = {NAN, INFINITY, 0, -1, 1e300, 1e-300};
    double r = ss_random_unit(seed, i);
    return r < 0.3 ? odd[(int)(r * 20)] : pow(10, 20 * r - 10);
}

/* Any figures, any size, every page. */
TEST(mapview, random_maps_fit_screens_of_any_size)
{
    for (uint64_t seed = 0; seed < 300; seed++) {
        screen s;
        ss_term_cells cells = {0};
        ss_paint how = {.glyphs = ss_glyphs_find(seed % 2 ? "half" : "ascii"), .levels = 32};
        how.ramp = how.glyphs->ascii;
        open_screen(&s);
        for (int i = 0; i < s.map->n; i++) {
            ss_map_cell *c = &s.map->cell[i];
            c->status = (ss_cell_status)(ss_random_unit(seed + 1, (uint64_t)i) * SS_NCELL_STATUS);
            c->seconds = wild(seed + 2, (uint64_t)i), c->bytes = wild(seed + 3, (uint64_t)i);
            for (uint64_t q = 0; q < SS_MAP_QUANTITIES; q++)
                c->value[q] = wild(seed + 5 + q, (uint64_t)i);
        }
        s.map->left = wild(seed, 1001);
        s.ui->map.page = (ss_map_page)(seed % SS_NPAGE);
        s.ui->map.relative = seed % 5 == 0;
        s.ui->map.quantity = (int)(seed % SS_MAP_QUANTITIES);
        int cols = 1 + (int)(ss_random_unit(6, seed) * 220), rows = 1 + (int)(seed % 70);
        sample_screen(s.ui, s.snap, cols, rows, &how, &cells);
        for (int i = 0; i < cells.cols * cells.rows; i++)
            CHECK_MSG(cells.cell[i].ch >= 32 && (seed % 2 || cells.cell[i].ch < 127),
                      "seed %d: U+%04X", (int)seed, cells.cell[i].ch);
        ss_cells_free(&cells);
        close_screen(&s);
    }
}
