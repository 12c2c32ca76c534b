/* The map: ranges of its axes, optima of its table, resumed results. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "src/app/tables.h"
#include "src/tune/kit.h"
#include "src/core/registry.h"
#include "tests/check.h"

static ss_config config_of(const char *equation, const char *solver)
{
    ss_config cfg;
    ss_err err = {0};
    ss_tables_init();
    ss_config_default(&cfg);
    CHECK(ss_config_set(&cfg, "equation", equation, &err) == SS_OK);
    CHECK(ss_config_set(&cfg, "solver", solver, &err) == SS_OK);
    CHECK(ss_config_set(&cfg, "backend", "cpu", &err) == SS_OK);
    return cfg;
}

static int take(ss_tune_axes *axes, const ss_config *cfg, const char *name, const char *text,
                ss_err *err)
{
    bool taken;
    return ss_tune_axes_take(axes, ss_param_find(cfg, name, NULL), text, &taken, err);
}

/* The values of an axis in one text, or the error. */
static const char *values(const char *name, const char *text)
{
    static char all[1024];
    ss_tune_axes axes = {.n = 0};
    ss_err err = {0};
    ss_config cfg = config_of("poisson2d", "shared");
    if (take(&axes, &cfg, name, text, &err) != SS_OK) {
        CHECK_INT(axes.n, 0);
        CHECK(err.text[0]);
        return NULL;
    }
    all[0] = '\0';
    for (int i = 0; axes.n && i < axes.at[0].n; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? " " : "",
                 axes.at[0].text[i]);
    return all;
}

TEST(map, lists_and_ranges)
{
    CHECK_STR(values("k", "4,8,16"), "4 8 16");
    CHECK_STR(values("overlap", "0:16:2"), "0 2 4 6 8 10 12 14 16");
    CHECK_STR(values("overlap", "0:15:2"), "0 2 4 6 8 10 12 14");
    CHECK_STR(values("overlap", "8:0:-4"), "8 4 0");
    CHECK_STR(values("k", "1:4"), "1 2 3 4");
    CHECK_STR(values("k", "7:7"), "7");
    CHECK_STR(values("k", "1:3,8,1k"), "1 2 3 8 1000");
    CHECK_STR(values("until", "1e-4,1e-6,1e-8"), "0.0001 1e-06 1e-08");
    CHECK_STR(values("until", "0.1:0.5:0.1"), "0.1 0.2 0.3 0.4 0.5");
    CHECK_STR(values("seconds", "1ms:3ms:1ms"), "0.001 0.002 0.003");
    CHECK_STR(values("precision", "f64,f32"), "f64 f32");
    CHECK_STR(values("variant", "0:3"), "0 1 2 3"); /* choices that are numbers */
    CHECK_STR(values("k", "8"), "");                /* one value is not an axis */
}

TEST(map, malformed_lists_are_refused)
{
    static const char *const bad[][2] = {
        {"k", "4,"},      {"k", ",4"},      {"k", "4,four"},         {"k", "4,8,4"},
        {"k", "4:"},      {"k", "4..8"},    {"k", "4...8"},          {"k", ":4"},
        {"k", "4:1"},     {"k", "1:4:0"},   {"k", "1:4:-1"},         {"k", "1:4:nan"},
        {"k", "1:1000"},  {"k", "0:4"},     {"overlap", "0:4:1"},    {"precision", "f32:f64"},
        {"k", "1:2:3:4"}, {"k", "1:2:0.5"}, {"until", "0:1:1e-300"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_MSG(!values(bad[i][0], bad[i][1]), "%s %s", bad[i][0], bad[i][1]);
}

TEST(map, there_are_at_most_two_axes_and_the_last_list_wins)
{
    ss_tune_axes axes = {.n = 0};
    ss_err err = {0};
    ss_config cfg = config_of("poisson2d", "shared");
    CHECK(take(&axes, &cfg, "k", "4,8", &err) == SS_OK);
    CHECK(take(&axes, &cfg, "overlap", "0,2", &err) == SS_OK);
    CHECK(take(&axes, &cfg, "block", "16,32", &err) == SS_FAIL);
    CHECK(strstr(err.text, "at most two axes") != NULL);
    CHECK(take(&axes, &cfg, "k", "2,3,4", &err) == SS_OK);
    CHECK_INT(axes.n, 2);
    CHECK_STR(axes.at[0].row->name, "k");
    CHECK_INT(axes.at[0].n, 3);
    CHECK(take(&axes, &cfg, "k", "5,x", &err) == SS_FAIL);
    CHECK_INT(axes.at[0].n, 3);
    CHECK(take(&axes, &cfg, "k", "2", &err) == SS_OK);
    CHECK_INT(axes.n, 1);
}

/* A map of k = 4, 8 by overlap = 0, 2, 4 with nothing measured. */
static ss_tune_map map_of(ss_tune_axes *axes, const char *quantity)
{
    ss_err err = {0};
    ss_tune_map m = {.base = config_of("poisson1d", "shared"), .axes = axes, .deterministic = true};
    axes->n = 0;
    CHECK(take(axes, &m.base, "k", "4,8", &err) == SS_OK);
    CHECK(take(axes, &m.base, "overlap", "0:4:2", &err) == SS_OK);
    for (int i = 0; i < ss_ntune_quantity; i++)
        if (strcmp(ss_tune_quantities[i].name, quantity) == 0)
            m.quantity = &ss_tune_quantities[i];
    CHECK(ss_tune_make(&m, &err) == SS_OK);
    CHECK_INT(m.n, 6);
    return m;
}

static void set_cell(ss_tune_map *m, int i, ss_cell_status status, int64_t cycles, double blocks)
{
    m->cell[i].status = status;
    m->cell[i].cycles = cycles;
    m->cell[i].blocks = blocks;
    m->cell[i].bytes = (double)cycles * 1000;
    ss_tune_complete(m, i);
}

TEST(map, optima_are_minima_over_comparable_cells)
{
    ss_tune_axes axes;
    ss_tune_map m = map_of(&axes, "work");
    CHECK_INT(ss_tune_least(&m, 0, 3), -1);
    set_cell(&m, 0, SS_CELL_OK, 100, 32);
    set_cell(&m, 1, SS_CELL_OK, 90, 33);
    set_cell(&m, 2, SS_CELL_LIMIT, 1, 34);
    set_cell(&m, 3, SS_CELL_OK, 50, 4);
    set_cell(&m, 4, SS_CELL_OK, 40, 5); /* equal: the first one is named */
    set_cell(&m, 5, SS_CELL_DIVERGED, 2, 6);
    CHECK_INT(ss_tune_least(&m, 0, 3), 1);
    CHECK_INT(ss_tune_least(&m, 3, 6), 3);
    CHECK_NEAR(ss_tune_value(&m, 1), 2970, 0);
    CHECK(isnan(ss_tune_value(&m, 2)) && isnan(ss_tune_value(&m, 5)));
    free(m.cell);
}

TEST(map, the_papers_optima_are_marked)
{
    char text[200];
    ss_tune_axes axes;
    ss_tune_map m = map_of(&axes, "work");
    CHECK(!ss_tune_papers(&m, 0, text, sizeof text));
    CHECK(ss_tune_papers(&m, 1, text, sizeof text) != NULL); /* k 4, overlap 2 */
    CHECK(strstr(text, "table 2") != NULL);
    CHECK(ss_tune_papers(&m, 5, text, sizeof text) != NULL); /* k 8, overlap 4 */
    CHECK(!ss_tune_papers(&m, 4, text, sizeof text));
    ss_err err = {0};
    CHECK(ss_config_set(&m.base, "n", "64", &err) == SS_OK); /* the papers' have n = 1024 */
    CHECK(!ss_tune_papers(&m, 1, text, sizeof text));
    free(m.cell);
}

/* --- quantities of the last state ------------------------------------------------------------- */

static bool go_on(void *ctx, double progress)
{
    (void)ctx, (void)progress;
    return true;
}

typedef struct state {
    ss_tune_axes axes;
    ss_tune_map map;
} state;

/* A map over one list, all cells measured; free(s->map.cell). */
static void measure_states(state *s, const char *const *settings, const char *name,
                           const char *list, const char *quantity)
{
    ss_err err = {0};
    ss_run *run = NULL;
    ss_tune_watch watch = {go_on, NULL, NULL};
    s->map = (ss_tune_map){
        .base = config_of(settings[0], settings[1]), .axes = &s->axes, .deterministic = true};
    for (int i = 2; settings[i]; i += 2)
        CHECK_MSG(ss_config_set(&s->map.base, settings[i], settings[i + 1], &err) == SS_OK, "%s",
                  err.text);
    s->axes.n = 0;
    CHECK(take(&s->axes, &s->map.base, name, list, &err) == SS_OK);
    for (int i = 0; i < ss_ntune_quantity; i++)
        if (strcmp(ss_tune_quantities[i].name, quantity) == 0)
            s->map.quantity = &ss_tune_quantities[i];
    CHECK(ss_tune_make(&s->map, &err) == SS_OK);
    for (int i = 0; i < s->map.n; i++) {
        ss_map_cell c;
        CHECK_MSG(ss_tune_measure(&s->map, i, &run, &watch, &c, &err) == SS_OK, "%s", err.text);
        s->map.cell[i] = c;
        ss_tune_complete(&s->map, i);
    }
    ss_run_close(run);
}

#define STATES(S, NAME, LIST, QUANTITY, ...)                                                       \
    measure_states(S, (const char *const[]){__VA_ARGS__, NULL}, NAME, LIST, QUANTITY)

/* The spectral radius of Jacobi's iteration is cos(pi h), h = 1/(n + 1), in one dimension and two;
 * that of SOR above its optimum is omega - 1; a cycle of one exact block of all points and k sweeps
 * is k iterations. */
TEST(map, factors_are_those_of_theory)
{
    static const int n[] = {9, 16, 24};
    static const char *const jacobi[] = {"poisson1d", "poisson2d"};
    state s;
    for (int e = 0; e < 2; e++) {
        STATES(&s, "n", "9,16,24", "factor", jacobi[e], "jacobi", "cycles", "2000");
        for (int i = 0; i < 3; i++)
            CHECK_NEAR(ss_tune_value(&s.map, i), cos(M_PI / (n[i] + 1)), 1e-6);
        CHECK_INT(ss_tune_least(&s.map, 0, s.map.n), 0);
        free(s.map.cell);
    }
    /* Below the best omega: above it the residual oscillates, and its rate does not settle. */
    static const double omega[] = {1.5, 1};
    STATES(&s, "omega", "1.5,1", "factor", "poisson2d", "sor", "n", "32", "cycles", "800");
    for (int i = 0; i < 2; i++) {
        double m = omega[i] * cos(M_PI / 33), root = (m + sqrt(m * m - 4 * (omega[i] - 1))) / 2;
        CHECK_NEAR(ss_tune_value(&s.map, i), root * root, 1e-3);
    }
    CHECK_INT(ss_tune_least(&s.map, 0, s.map.n), 0);
    free(s.map.cell);
    STATES(&s, "k", "1,2,5", "factor", "poisson1d", "shared", "n", "24", "block", "24", "cycles",
           "600");
    for (int i = 0; i < 3; i++)
        CHECK_NEAR(ss_tune_value(&s.map, i),
                   pow(cos(M_PI / 25), i == 0   ? 1
                                       : i == 1 ? 2
                                                : 5),
                   1e-6);
    free(s.map.cell);
}

TEST(map, a_factor_that_has_not_settled_is_no_value)
{
    state s;
    STATES(&s, "cycles", "3,20,4000", "factor", "poisson1d", "jacobi", "n", "32");
    CHECK(strstr(s.map.cell[0].why, "at least nine residuals") != NULL);
    CHECK(strstr(s.map.cell[1].why, "not settled") != NULL);
    CHECK_STR(s.map.cell[2].why, "");
    for (int i = 0; i < 3; i++) {
        CHECK_INT(s.map.cell[i].status, SS_CELL_OK);
        CHECK_INT(isnan(ss_tune_value(&s.map, i)), i < 2);
    }
    CHECK_INT(ss_tune_least(&s.map, 0, s.map.n), 2);
    free(s.map.cell);
}

/* With b = 1 and u0 = 1, u* of one dimension is quadratic and known at every point; Jacobi's
 * iteration is done here once more, with its residual b - A u. */
static double again(int n, int cycles, bool mean)
{
    double u[64], v[64], h = 1.0 / (n + 1), sum = 0, first = 0, last = 0;
    for (int i = 0; i < n + 2; i++)
        u[i] = v[i] = i > 0 && i <= n;
    for (int c = 0; c <= cycles; c++) {
        last = 0;
        for (int i = 1; i <= n; i++)
            last += pow(1 - (2 * u[i] - u[i - 1] - u[i + 1]) / (h * h), 2);
        first = c == 0 ? last : first;
        for (int i = 1; i <= n && c < cycles; i++)
            v[i] = (u[i - 1] + u[i + 1] + h * h) / 2;
        memcpy(u, v, sizeof u);
    }
    for (int i = 1; i <= n; i++)
        sum += fabs(u[i] - i * h * (1 - i * h) / 2);
    return mean ? sum / n : sqrt(last / first);
}

TEST(map, states_are_those_after_all_of_the_cycles)
{
    static const int cycles[] = {1, 7, 60, 900};
    static const char list[] = "1,7,60,900";
    state s;
    for (int mean = 0; mean < 2; mean++) {
        STATES(&s, "cycles", list, mean ? "l1" : "reduction", "poisson1d", "jacobi", "n", "15");
        for (int i = 0; i < 4; i++) { /* the tolerance, 1e-4, is met before cycle 900 */
            double expected = again(15, cycles[i], mean);
            CHECK_INT(s.map.cell[i].cycles, cycles[i]);
            CHECK_NEAR(ss_tune_value(&s.map, i), expected, 1e-9 * expected + 1e-15);
        }
        free(s.map.cell);
    }
    STATES(&s, "cycles", list, "reduction", "poisson1d", "jacobi", "n", "15", "until", "1e-4");
    CHECK_INT(s.map.cell[3].status, SS_CELL_OK);
    CHECK(s.map.cell[3].cycles < 900 && ss_tune_value(&s.map, 3) <= 1e-4);
    free(s.map.cell);
}

/* --- the file --------------------------------------------------------------------------------- */

static void make_file(char *path)
{
    int fd = mkstemp(path);
    CHECK(fd >= 0);
    close(fd);
}

static const char *text_of(const char *path)
{
    static char text[4096];
    FILE *in = fopen(path, "r");
    CHECK(in != NULL);
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    return text;
}

static void append(const char *path, const char *text)
{
    FILE *out = fopen(path, "a");
    CHECK(out != NULL);
    fputs(text, out);
    fclose(out);
}

static const char full[] = "# stencilscope map poisson1d shared --backend cpu --deterministic\n"
                           "k,overlap,cycles,blocks,work,seconds,status\n"
                           "4,0,100,32,3200,,ok\n"
                           "4,2,,,,,\"refused: \"\"no\"\", really\"\n";

TEST(map, results_are_continued_from_a_file)
{
    char path[] = "/tmp/ss-map-XXXXXX";
    ss_err err = {0};
    ss_tune_file f;
    ss_tune_axes axes;
    make_file(path);
    ss_tune_map m = map_of(&axes, "work");
    CHECK_MSG(ss_tune_file_open(&f, path, &m, &err) == SS_OK, "%s", err.text);
    set_cell(&m, 0, SS_CELL_OK, 100, 32);
    m.cell[1].status = SS_CELL_REFUSED;
    snprintf(m.cell[1].why, sizeof m.cell[1].why, "\"no\", really");
    CHECK(ss_tune_file_add(&f, &m, 0, &err) == SS_OK);
    CHECK(ss_tune_file_add(&f, &m, 1, &err) == SS_OK);
    CHECK(ss_tune_file_close(&f, &err) == SS_OK);
    CHECK_STR(text_of(path), full);
    free(m.cell);

    append(path, "4,4,99,33,32"); /* incomplete */
    m = map_of(&axes, "work");
    CHECK_MSG(ss_tune_file_open(&f, path, &m, &err) == SS_OK, "%s", err.text);
    CHECK_INT(m.cell[0].status, SS_CELL_OK);
    CHECK_INT(m.cell[0].cycles, 100);
    CHECK_NEAR(m.cell[0].blocks, 32, 0);
    CHECK(isnan(m.cell[0].seconds));
    CHECK_INT(m.cell[1].status, SS_CELL_REFUSED);
    CHECK_STR(m.cell[1].why, "\"no\", really");
    CHECK_INT(m.cell[2].status, SS_CELL_NONE);
    CHECK(ss_tune_file_close(&f, &err) == SS_OK);
    CHECK_STR(text_of(path), full);
    free(m.cell);
    unlink(path);
}

/* The contents of a file, and a part of the error that it gives. */
static void check_refused(const char *text, const char *word)
{
    char path[] = "/tmp/ss-map-XXXXXX";
    ss_err err = {0};
    ss_tune_file f;
    ss_tune_axes axes;
    make_file(path);
    append(path, text);
    ss_tune_map m = map_of(&axes, "work");
    CHECK_MSG(ss_tune_file_open(&f, path, &m, &err) == SS_FAIL, "%s", text);
    CHECK_MSG(strstr(err.text, word) != NULL, "%s", err.text);
    CHECK_STR(text_of(path), text);
    free(m.cell);
    unlink(path);
}

TEST(map, files_of_another_format_are_not_overwritten)
{
    char text[600];
    check_refused("cycle,iteration\n", "something else");
    check_refused("# stencilscope map poisson1d shared --backend cpu --n 64 --deterministic\n"
                  "k,overlap,cycles,blocks,work,seconds,status\n",
                  "something else");
    snprintf(text, sizeof text, "%s4,4,x,33,32,,ok\n", full);
    check_refused(text, ":5: ");
    snprintf(text, sizeof text, "%s4,4\n", full);
    check_refused(text, "no row");
    snprintf(text, sizeof text, "%s4,4,99,33,3267,,\"ok\n", full);
    check_refused(text, "no row");
}

/* Saved by an editor of Windows, or cut off in such a file: the same results. */
TEST(map, a_file_of_windows_is_resumed)
{
    static const char *const begin[] = {"", "\xef\xbb\xbf"};
    for (int i = 0; i < 4; i++) {
        char path[] = "/tmp/ss-map-XXXXXX", text[1200] = "", want[600];
        ss_err err = {0};
        ss_tune_file f;
        ss_tune_axes axes;
        snprintf(text, sizeof text, "%s", begin[i % 2]);
        size_t n = strlen(text);
        for (const char *p = full; *p; p++) {
            if (*p == '\n')
                text[n++] = '\r';
            text[n++] = *p;
        }
        text[n] = '\0';
        snprintf(want, sizeof want, "%s", text);
        if (i > 1) /* an incomplete line, which is dropped */
            snprintf(text + n, sizeof text - n, "8,1\r");
        make_file(path);
        append(path, text);
        ss_tune_map m = map_of(&axes, "work");
        CHECK_MSG(ss_tune_file_open(&f, path, &m, &err) == SS_OK, "%s", err.text);
        CHECK(ss_tune_file_close(&f, &err) == SS_OK);
        CHECK_STR(text_of(path), want);
        CHECK_INT(m.cell[0].cycles, 100);
        CHECK_INT(m.cell[1].status, SS_CELL_REFUSED);
        free(m.cell);
        unlink(path);
    }
}

/* The message quotes the place where two long lines differ. */
TEST(map, a_refusal_shows_the_difference)
{
    char text[600];
    snprintf(text, sizeof text, "%s", full);
    strstr(text, "istic")[1] = 'x';
    check_refused(text, "first line is '...kend cpu --determinixtic', that of this map '...kend "
                        "cpu --deterministic'");
}

TEST(map, a_truncated_header_is_rewritten)
{
    char path[] = "/tmp/ss-map-XXXXXX";
    ss_err err = {0};
    ss_tune_file f;
    ss_tune_axes axes;
    make_file(path);
    append(path, "# stencilscope map pois");
    ss_tune_map m = map_of(&axes, "work");
    CHECK_MSG(ss_tune_file_open(&f, path, &m, &err) == SS_OK, "%s", err.text);
    CHECK(ss_tune_file_close(&f, &err) == SS_OK);
    CHECK(strncmp(text_of(path), full, strlen(text_of(path))) == 0);
    CHECK(strstr(text_of(path), "status\n") != NULL);
    free(m.cell);
    unlink(path);
}
