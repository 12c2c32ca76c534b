/*
 * Screens of synthetic snapshots: golden text at three sizes (tests/ui/golden/; SS_GOLDEN=write
 * rewrites them), ASCII only where requested, and no crash on any snapshot.
 */
#include "tests/check.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/ui/golden.h"
#include "tests/ui/samples.h"
#include "ui/panels/screen.h"

enum { TEXT_MAX = 1 << 17 };

static const ss_paint *plain(const char *glyphs)
{
    static ss_paint how;
    how = (ss_paint){
        .glyphs = ss_glyphs_find(glyphs), .levels = 32, .ramp = strcmp(glyphs, "ascii") == 0};
    return &how;
}

static void screen_text(const ss_term_cells *c, char *out)
{
    char line[2048];
    size_t n = 0;
    for (int y = 0; y < c->rows; y++)
        n += (size_t)snprintf(out + n, TEXT_MAX - n, "%s\n", ss_cells_row(c, y, line, sizeof line));
}

void golden_check(const char *name, const ss_term_cells *c)
{
    static char got[TEXT_MAX], want[TEXT_MAX];
    char path[256];
    snprintf(path, sizeof path, "tests/ui/golden/%s.txt", name);
    screen_text(c, got);
    const char *asked = getenv("SS_GOLDEN");
    bool write = asked && strcmp(asked, "write") == 0;
    FILE *f = fopen(path, write ? "w" : "r");
    CHECK_MSG(f, "%s cannot be opened (run the tests from the top folder)", path);
    size_t n = 0;
    if (write)
        fputs(got, f);
    else
        n = fread(want, 1, TEXT_MAX - 1, f);
    fclose(f);
    want[n] = '\0';
    CHECK_MSG(write || strcmp(got, want) == 0,
              "%s differs; SS_GOLDEN=write makes it anew. It is now:\n%s", path, got);
}

/* One screen after some commands and keys ("key x"). */
static void shot_of(ss_snapshot *s, const char *name, int cols, int rows, const char *glyphs,
                    const char *const *lines)
{
    sample_log log = {.ticket = 0};
    ss_err err;
    ss_term_cells cells = {0};
    ss_ui *ui = ss_ui_new(sample_emit, &log, &err);
    CHECK(ui != NULL);
    s->deterministic = true;
    sample_screen(ui, s, cols, rows, plain(glyphs), &cells);
    for (int i = 0; lines[i]; i++) {
        ss_event ev = {.kind = SS_EV_KEY};
        if (strncmp(lines[i], "key ", 4) != 0) {
            CHECK_INT(sample_command(ui, lines[i], s), SS_OK);
            continue;
        }
        snprintf(ev.key, sizeof ev.key, "%s", lines[i] + 4);
        ss_ui_event(ui, &ev, NULL, s);
    }
    sample_screen(ui, s, cols, rows, plain(glyphs), &cells);
    golden_check(name, &cells);
    ss_cells_free(&cells);
    sample_free(s);
    ss_ui_free(ui);
}

static void shot(const char *name, int dim, int cols, int rows, const char *glyphs,
                 const char *const *lines)
{
    shot_of(dim == 1 ? sample_1d(64) : sample_2d(SS_STALENESS, 64, 64), name, cols, rows, glyphs,
            lines);
}

#define SCRIPT(...) ((const char *const[]){__VA_ARGS__, NULL})
#define STALE "view layer staleness", "view axis iterations"

TEST_CALL(screens, field_80x24, shot("field-80x24", 2, 80, 24, "half", SCRIPT(STALE)))
TEST_CALL(screens, field_120x40, shot("field-120x40", 2, 120, 40, "half", SCRIPT(STALE)))
TEST_CALL(screens, field_200x60, shot("field-200x60", 2, 200, 60, "half", SCRIPT(STALE)))
TEST_CALL(screens, explained_120x40,
          shot("explained-120x40", 2, 120, 40, "half", SCRIPT(STALE, "explain")))
TEST_CALL(screens, explained_80x24,
          shot("explained-80x24", 2, 80, 24, "ascii", SCRIPT(STALE, "explain on")))
TEST_CALL(screens, line_120x40, shot("line-120x40", 1, 120, 40, "half", SCRIPT("view probe 371 0")))

/* In ASCII the theatre is letters: a for triangles, x for diamonds, v for what closes them. */
TEST_CALL(screens, swept_80x24,
          shot_of(sample_swept(64, 0), "swept-80x24", 80, 24, "ascii",
                  SCRIPT("view field velocity")))
TEST_CALL(screens, swept_120x40,
          shot_of(sample_swept(64, 0), "swept-120x40", 120, 40, "ascii",
                  SCRIPT("view stage swept")))
TEST_CALL(screens, swept_200x60,
          shot_of(sample_swept(64, 0), "swept-200x60", 200, 60, "half", SCRIPT("view stage swept")))
TEST_CALL(screens, finished_sub_steps_are_lit,
          shot_of(sample_swept(64, 12), "ticks-120x40", 120, 40, "ascii",
                  SCRIPT("view stage swept")))
TEST_CALL(screens, idle_lanes_are_drawn,
          shot_of(sample_swept(64, 12), "lanes-120x40", 120, 40, "ascii",
                  SCRIPT("view stage lanes")))

static ss_snapshot *with_cone(ss_snapshot *s, int overlap, int now)
{
    sample_cone(s, 12, overlap, now);
    return s;
}

/* The staleness cone under the microscope. In ASCII its shape is in the letters: stale values,
 * exact ones that are kept (.), thrown away (:) or a neighbour's (,). */
TEST(screens, cone)
{
    shot_of(with_cone(sample_1d(64), 0, 8), "cone-line-80x24", 80, 24, "ascii",
            SCRIPT("view grid"));
    shot_of(with_cone(sample_1d(64), 12, 8), "cone-line-120x40", 120, 40, "ascii",
            SCRIPT("view grid"));
    shot_of(with_cone(sample_1d(64), 22, 12), "cone-line-200x60", 200, 60, "half",
            SCRIPT("view grid"));
    shot_of(with_cone(sample_2d(SS_STALENESS, 64, 64), 12, 12), "cone-120x40", 120, 40, "ascii",
            SCRIPT(STALE));
    shot_of(with_cone(sample_2d(SS_VALUE, 64, 64), 22, 1), "cone-80x24", 80, 24, "ascii",
            SCRIPT("view axis iterations", "view panel cone"));
}

static ss_snapshot *with_race(ss_snapshot *s)
{
    sample_race(s);
    return s;
}

/* Two runs in one picture, and their difference: a strip, or a small picture where there is room.
 */
TEST(screens, wipe)
{
    shot_of(with_race(sample_2d(SS_VALUE, 64, 64)), "wipe-80x24", 80, 24, "ascii",
            SCRIPT("view wipe 0.35", "view axis iterations"));
    shot_of(with_race(sample_2d(SS_VALUE, 64, 64)), "wipe-120x40", 120, 40, "ascii",
            SCRIPT("view wipe 0.35", "view axis iterations"));
    shot_of(with_race(sample_1d(64)), "wipe-line-120x40", 120, 40, "half",
            SCRIPT("view wipe 0.35", "view axis iterations"));
}

static ss_snapshot *with_ranks(ss_snapshot *s)
{
    sample_ranks(s);
    return s;
}

/* The timeline of modelled ranks: as a diagram of a time-dependent run, and below a steady run. */
TEST(screens, ranks)
{
    shot_of(with_ranks(sample_swept(64, 0)), "ranks-120x40", 120, 40, "half",
            SCRIPT("view stage ranks"));
    shot_of(with_ranks(sample_swept(64, 0)), "ranks-80x24", 80, 24, "ascii",
            SCRIPT("view stage ranks"));
    shot_of(with_ranks(sample_2d(SS_VALUE, 64, 64)), "ranks-steady-200x60", 200, 60, "half",
            SCRIPT("view axis seconds"));
}

TEST_CALL(screens, drift_120x40,
          shot_of(sample_swept(64, 0), "drift-120x40", 120, 40, "half", SCRIPT("view stage drift")))
TEST_CALL(screens, slice_80x24,
          shot_of(sample_3d(SS_UPDATE, 64, 32), "slice-80x24", 80, 24, "ascii",
                  SCRIPT("view layer update", "view plane xz")))
TEST_CALL(screens, slice_120x40,
          shot_of(sample_3d(SS_VALUE, 64, 32), "slice-120x40", 120, 40, "half",
                  SCRIPT("view slice 16")))
TEST_CALL(screens, slice_200x60,
          shot_of(sample_3d(SS_OWNER, 64, 32), "slice-200x60", 200, 60, "ascii",
                  SCRIPT("view layer owner", "view probe 20 30")))
TEST_CALL(screens, ascii_80x24, shot("ascii-80x24", 2, 80, 24, "ascii", SCRIPT(STALE)))
TEST_CALL(screens, small_50x16, shot("small-50x16", 2, 50, 16, "half", SCRIPT(STALE)))

/* The ring around the point, and the line that describes the brush. */
#define BRUSH "view layer staleness", "key e", "brush on", "brush radius 200", "view probe 600 400"
TEST_CALL(screens, brush_80x24, shot("brush-80x24", 2, 80, 24, "ascii", SCRIPT(BRUSH)))
TEST_CALL(screens, brush_120x40, shot("brush-120x40", 2, 120, 40, "ascii", SCRIPT(BRUSH)))
TEST_CALL(screens, brush_on_a_line,
          shot("brush-line-120x40", 1, 120, 40, "half",
               SCRIPT("brush on", "brush radius 100", "view probe 371 0")))
TEST_CALL(screens, a_number_being_typed_is_drawn,
          shot("typing-80x24", 2, 80, 24, "half", SCRIPT("key 1", "key 6")))

/* The command line, with its completions. */
/* The timed pair has no residual checks: no other time per cycle, with them, stands beside it. */
TEST(screens, a_compared_run_has_one_time_per_iteration)
{
    static char text[TEXT_MAX];
    ss_term_cells cells = {0};
    for (int compared = 0; compared < 2; compared++) {
        ss_snapshot *snap = sample_2d(SS_STALENESS, 64, 64);
        ss_ui *ui = ss_ui_new(NULL, NULL, NULL);
        snap->beside.wanted = compared;
        sample_screen(ui, snap, 200, 60, plain("half"), &cells);
        screen_text(&cells, text);
        CHECK_INT(strstr(text, "per iteration") != NULL, compared);
        CHECK_INT(strstr(text, "per cycle") != NULL, !compared);
        CHECK(strstr(text, "barriers per block"));
        ss_ui_free(ui);
        sample_free(snap);
    }
    ss_cells_free(&cells);
}

TEST_CALL(screens, prompt_80x24,
          shot("prompt-80x24", 2, 80, 24, "half", SCRIPT("key :", "key r", "key e", "key tab")))

/* Transfers have rows only if fields are on a device. */
TEST(screens, transfers_are_drawn_only_if_there_are_any)
{
    static const ss_telemetry_id ids[] = {SS_T_UPLOAD, SS_T_DOWNLOAD, SS_T_COMPUTE, SS_T_HIDDEN};
    static const double values[] = {0.0123, 0.0045, 1.62, 52};
    static char text[TEXT_MAX];
    sample_log log = {.ticket = 0};
    ss_term_cells cells = {0};
    ss_ui *ui = ss_ui_new(sample_emit, &log, NULL);
    ss_snapshot *s = sample_2d(SS_VALUE, 64, 64);
    CHECK(ui != NULL);
    for (int there = 0; there < 2; there++) {
        for (size_t i = 0; i < 4; i++) {
            s->telemetry.value[ids[i]] = values[i];
            s->telemetry.valid[ids[i]] = there;
        }
        sample_screen(ui, s, 200, 60, plain("half"), &cells);
        screen_text(&cells, text);
        CHECK_INT(strstr(text, "host→device") != NULL, there);
        CHECK_INT(strstr(text, "device→host") != NULL, there);
        CHECK_INT(strstr(text, "iterations to hide") != NULL, there);
    }
    CHECK_MSG(strstr(text, "12.3 ms") && strstr(text, "4.50 ms") && strstr(text, " 52 │"), "%s",
              text);
    ss_cells_free(&cells);
    sample_free(s);
    ss_ui_free(ui);
}

/* A wide character takes two cells, a mark none, and what covers half of one leaves no half. */
TEST(screens, characters_have_the_columns_of_a_terminal)
{
    static ss_scene scene;
    ss_term_cells c = {0};
    char row[64];
    CHECK(ss_cells_resize(&c, 12, 4));
    ss_scene_clear(&scene, 12, 4, &ss_themes[0]);
    ss_scene_text(&scene, 0, 0, 12, SS_C_TEXT, 0, "a熱e\314\201x");
    ss_scene_text(&scene, 0, 1, 4, SS_C_TEXT, 0, "abc熱");
    ss_scene_text(&scene, 0, 2, 12, SS_C_TEXT, 0, "熱熱熱");
    ss_scene_text(&scene, 1, 2, 2, SS_C_TEXT, 0, "oo");
    ss_cells_paint(&c, &scene, plain("half"));
    CHECK_STR(ss_cells_row(&c, 0, row, sizeof row), "a熱e\314\201x");
    CHECK(c.cell[1].ch == 0x71b1 && c.cell[2].ch == SS_CELL_TAIL && c.cell[4].ch == 'x');
    CHECK_STR(ss_cells_row(&c, 1, row, sizeof row), "abc…");
    CHECK_STR(ss_cells_row(&c, 2, row, sizeof row), " oo 熱");
    ss_cells_paint(&c, &scene, plain("ascii"));
    CHECK_STR(ss_cells_row(&c, 0, row, sizeof row), "a? ex");
    ss_cells_free(&c);
}

TEST(screens, ascii_screens_contain_only_ascii)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        sample_log log = {.ticket = 0};
        ss_term_cells c = {0};
        ss_ui *ui = ss_ui_new(sample_emit, &log, NULL);
        ss_snapshot *s = sample_random(seed);
        CHECK(ui != NULL);
        if (seed % 3 == 1)
            sample_command(ui, "help", s);
        if (seed % 3 == 2)
            sample_command(ui, "presets", s);
        sample_screen(ui, s, 120, 40, plain("ascii"), &c);
        for (int i = 0; i < c.cols * c.rows; i++)
            CHECK_MSG(c.cell[i].ch >= 32 && c.cell[i].ch < 127, "seed %d: U+%04X", (int)seed,
                      c.cell[i].ch);
        ss_cells_free(&c);
        sample_free(s);
        ss_ui_free(ui);
    }
}

/* The keys that a demonstration needs are named, in two rows where one is too short. */
/* The cursor on the residual, two curves of the lower chart of which one is hidden. */
TEST(screens, a_cursor_tells_the_values_of_a_chart)
{
    ss_snapshot *s = sample_2d(SS_VALUE, 56, 56);
    shot_of(s, "values-120x40", 120, 40, "half",
            (const char *[]){"view cursor plot", "key S-right", "view curve 1 lower", NULL});
    shot_of(sample_2d(SS_VALUE, 56, 56), "zoomed-120x40", 120, 40, "half",
            (const char *[]){"view chart zoom 100 300", "view cursor lower 0.3", NULL});
    shot_of(sample_swept(56, 0), "values-line-120x40", 120, 40, "half",
            (const char *[]){"view cursor field 40", NULL});
}

TEST(screens, the_footer_names_what_a_demonstration_needs)
{
    static const char *const needed[] = {
        "k/K subiterations", "o/O overlap", "l layer", "| race", "R record",
        "P presets",         "? help",      "q quit",  "space"};
    static const int sizes[][2] = {{80, 24}, {100, 30}, {120, 40}, {200, 60}};
    for (int i = 0; i < 4; i++) {
        sample_log log = {.ticket = 0};
        ss_ui *ui = ss_ui_new(sample_emit, &log, NULL);
        ss_snapshot *s = sample_2d(SS_STALENESS, 64, 64);
        ss_extent e = {.cols = sizes[i][0], .rows = sizes[i][1], .dots_x = 1, .dots_y = 2};
        const ss_scene *scene = ss_ui_scene(ui, s, &e, 20);
        char footer[512] = "";
        for (int k = 0; k < scene->nitem; k++)
            if (scene->item[k].rect.y >= sizes[i][1] - 2)
                strncat(strncat(footer, scene->item[k].text, 64), " ", 2);
        for (size_t k = 0; k < sizeof needed / sizeof *needed; k++)
            CHECK_MSG(strstr(footer, needed[k]), "%d columns: no '%s' in '%s'", sizes[i][0],
                      needed[k], footer);
        sample_free(s);
        ss_ui_free(ui);
    }
}

static const char kernel_text[] =
    "/* Tiles of the field. */\n"
    "template <class E, int COLUMNS, bool NORM>\n"
    "__global__ void __launch_bounds__(256)\n"
    "    update_tiles(const double *u, const double *b, double *out, int nx, int ny, long stride)\n"
    "{\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < nx)\n"
    "        out[i] = b[i] + u[i - stride] + u[i + stride]; /* rows are aligned to 128 bytes */\n"
    "}\n"
    "\n"
    "__global__ void add_sums(double *sum)\n"
    "{\n"
    "}\n";

/* Two kernels: one spills registers, of the other the driver knows nothing. */
static ss_snapshot *with_kernels(void)
{
    ss_snapshot *s = sample_2d(SS_STALENESS, 64, 64);
    s->kernels.n = 2;
    s->kernels.kernel[0] = (ss_running_kernel){.file = "kernels/cuda/jacobi/tiles.cuh",
                                               .entry = "update_tiles<plane<double>, 2, false>",
                                               .text = kernel_text,
                                               .registers = 128,
                                               .local = 40,
                                               .fixed = 1024,
                                               .dynamic = 8192,
                                               .threads = 256,
                                               .blocks = 1104,
                                               .resident = 2,
                                               .most = 2048};
    s->kernels.kernel[1] = (ss_running_kernel){.file = "kernels/cuda/jacobi/tiles.cuh",
                                               .entry = "add_sums",
                                               .text = kernel_text,
                                               .registers = -1,
                                               .local = -1,
                                               .fixed = -1,
                                               .threads = 1024,
                                               .blocks = 1,
                                               .resident = -1,
                                               .most = 2048};
    return s;
}

TEST_CALL(screens, kernel_80x24,
          shot_of(with_kernels(), "kernel-80x24", 80, 24, "ascii", SCRIPT("key I", "key down")))
TEST_CALL(screens, kernel_120x40,
          shot_of(with_kernels(), "kernel-120x40", 120, 40, "half", SCRIPT("kernel", "key tab")))

TEST(screens, kernel_edited_80x24)
{
    ss_snapshot *s = with_kernels();
    s->edited = (ss_edited){0x3f2a9c01ab120000, SS_BITS_DIFFER};
    s->kernels.edit = (ss_kernel_edit){
        "/home/student/tiles.cuh",
        "not used: kernels/cuda/jacobi/tiles.cuh(5): error: expected a \";\"", true};
    shot_of(s, "kernel-edited-80x24", 80, 24, "ascii", SCRIPT("key I"));
}
TEST(screens, kernel_edited_120x40)
{
    ss_snapshot *s = with_kernels();
    s->edited = (ss_edited){0x3f2a9c01ab120000, SS_BITS_SAME};
    s->kernels.edit = (ss_kernel_edit){"/home/student/tiles.cuh",
                                       "edited kernel 3f2a9c01ab12, same bits as the CPU; 7.1 µs "
                                       "per cycle, the program's own 7.8 µs",
                                       false};
    shot_of(s, "kernel-edited-120x40", 120, 40, "half", SCRIPT("key I"));
}
TEST(screens, a_run_without_kernels_says_so)
{
    ss_snapshot *s = sample_2d(SS_STALENESS, 64, 64);
    s->kernels.why = "No kernel runs here.";
    shot_of(s, "kernel-none-80x24", 80, 24, "ascii", SCRIPT("key I"));
}
