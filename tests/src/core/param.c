/* Parameter rows: parse, format, step, ranges; the guarantees of the registry; the command
 * language. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/app/tables.h"
#include "src/core/command.h"
#include "src/app/cli.h"
#include "src/core/settings.h"
#include "src/core/registry.h"
#include "tests/check.h"

static ss_config fresh(const char *equation, const char *solver)
{
    ss_config cfg;
    ss_err err = {0};
    ss_tables_init();
    ss_config_default(&cfg);
    CHECK_MSG(ss_config_set(&cfg, "equation", equation, &err) == SS_OK, "%s", err.text);
    CHECK_MSG(ss_config_set(&cfg, "solver", solver, &err) == SS_OK, "%s", err.text);
    return cfg;
}

static void refuses(ss_config cfg, const char *name, const char *value, const char *part)
{
    ss_err err = {0};
    int status = ss_config_set(&cfg, name, value, &err);
    if (status == SS_OK)
        status = ss_config_check(&cfg, NULL, &err);
    CHECK_MSG(status == SS_FAIL, "%s %s was taken", name, value);
    CHECK_MSG(strstr(err.text, part), "'%s' does not say '%s'", err.text, part);
    CHECK_MSG(!strchr(err.text, '\n'), "one sentence: %s", err.text);
}

TEST(param, bad_values_get_a_reason)
{
    ss_config cfg = fresh("poisson2d", "shared");
    refuses(cfg, "overlap", "3", "even");
    refuses(cfg, "overlap", "32", "block 32");
    refuses(cfg, "k", "0", "range");
    refuses(cfg, "k", "-3", "range");
    refuses(cfg, "k", "2.5", "whole");
    refuses(cfg, "k", "", "missing");
    refuses(cfg, "k", "nan", "number");
    refuses(cfg, "k", "inf", "range");
    refuses(cfg, "k", "0x10", "number");
    refuses(cfg, "k", "1e400", "range");
    refuses(cfg, "n", "10000000000", "range");
    refuses(cfg, "n", "1000000", "memory");
    refuses(cfg, "problem", "papr", "paper");
    refuses(cfg, "overlapp", "4", "overlap");
    refuses(cfg, "solver", "jakobi", "jacobi");
    refuses(fresh("poisson2d", "jacobi"), "k", "4", "shared");
    refuses(cfg, "cycles", "9007199254740993", "range"); /* the nearest double is in range */
    CHECK_INT(ss_config_set(&cfg, "cycles", "9007199254740992", NULL), SS_OK);
    CHECK_INT(ss_config_set(&cfg, "seed", "9007199254740991", NULL), SS_OK);
}

/* Does the text mean the value? */
static void means(const ss_param *row, const char *text, ss_value v)
{
    ss_err err = {0};
    ss_value back;
    CHECK_MSG(ss_param_parse(row, text, &back, &err) == SS_OK, "%s '%s': %s", row->name, text,
              err.text);
    double x = ss_param_number(row, v), y = ss_param_number(row, back);
    CHECK_MSG(memcmp(&x, &y, sizeof x) == 0, "%s: '%s' is %.17g, not %.17g", row->name, text, y, x);
}

/* A value as controls show it: with its unit, and durations with a prefix. */
static void is_read_as_shown(const ss_param *row, ss_value v)
{
    char text[96], value[64];
    bool number = row->type != SS_BOOL && row->type != SS_CHOICE;
    bool word = row->zero && ss_param_number(row, v) == 0;
    means(row, ss_param_format(row, v, value, sizeof value), v);
    if (!number || word)
        return;
    snprintf(text, sizeof text, "%s %s", value, row->unit);
    means(row, text, v);
    snprintf(text, sizeof text, "%s%s", value, row->unit);
    means(row, text, v);
}

static void each_value_is_read_as_shown(const ss_param *row)
{
    enum { PLACES = 200 };
    bool few = row->type == SS_BOOL || row->type == SS_CHOICE;
    int n = 2;
    while (row->type == SS_CHOICE && row->choices[n - 1])
        n++;
    n -= row->type == SS_CHOICE;
    for (int i = 0; i < (few ? n : PLACES); i++) {
        double f = few ? 0 : (double)i / (PLACES - 1);
        ss_value v = ss_param_at(row, f, row->min, row->max);
        if (few)
            v = (ss_value){.i = i, .set = true, .list = (uint8_t)row->list};
        is_read_as_shown(row, v);
        if (!few)
            is_read_as_shown(row, ss_param_stepped(row, v, 1, row->min, row->max));
    }
}

SLOW_TEST(param, what_is_printed_is_read_as_the_same_value)
{
    ss_tables_init();
    for (int i = 0; i < ss_param_count(); i++) {
        const ss_param *row = ss_param_row(i);
        if (row->type != SS_STRING && row->type != SS_FILE)
            each_value_is_read_as_shown(row);
    }
}

/* A duration typed with a unit is the number nearest to it, and is shown in its shortest form. */
TEST(param, durations_and_sizes_are_read_as_screens_show_them)
{
    static const struct {
        const char *row, *text, *shown;
    } table[] = {{"seconds", "20us", "2e-05"},     {"seconds", "20µs", "2e-05"},
                 {"seconds", "20\316\274s", "2e-05"}, {"seconds", "20 µs", "2e-05"},
                 {"seconds", "0.3us", "3e-07"},    {"seconds", "862 µs", "0.000862"},
                 {"seconds", "1.5e3us", "0.0015"}, {"seconds", "3 ns", "3e-09"},
                 {"seconds", "12.5 ms", "0.0125"}, {"seconds", "1.5 min", "90"},
                 {"seconds", "2h", "7200"},        {"max-size", "4M", "4194304"},
                 {"max-size", "4 MB", "4000000"},  {"max-size", "4MB", "4000000"},
                 {"max-size", "4 MiB", "4194304"}, {"max-size", "1.5kB", "1500"},
                 {"cycles", "1.2k", "1200"},       {"cycles", "3M", "3000000"}};
    ss_tables_init();
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const ss_param *row = ss_param_find(ss_options(), table[i].row, NULL);
        ss_value v;
        ss_err err = {0};
        char shown[64];
        CHECK_MSG(ss_param_parse(row, table[i].text, &v, &err) == SS_OK, "%s", err.text);
        CHECK_STR(ss_param_format(row, v, shown, sizeof shown), table[i].shown);
    }
    const ss_param *row = ss_param_find(ss_options(), "latency", NULL);
    for (int us = 1; us < 1000; us++) {
        char text[32], shown[32];
        ss_value v;
        ss_err err = {0};
        snprintf(text, sizeof text, "%dus", us);
        CHECK_MSG(ss_param_parse(row, text, &v, &err) == SS_OK, "%s", err.text);
        CHECK(strlen(ss_param_format(row, v, shown, sizeof shown)) <= 8);
        means(row, ss_format_si(v.d, "s", text, sizeof text), v);
    }
}

/* Whatever the direction and the start, a step stays in the range and on the row's lattice. */
TEST(param, steps_stay_in_range)
{
    ss_config cfg = fresh("poisson2d", "shared");
    const ss_param *rows[32];
    int n = ss_config_controls(&cfg, rows, 32);
    CHECK(n >= 4);
    for (int i = 0; i < n; i++) {
        double lo, hi;
        ss_config_range(&cfg, rows[i], &lo, &hi, NULL);
        ss_value v = ss_config_value(&cfg, rows[i]);
        for (int step = 0; step < 400; step++) {
            int dir = (int)(ss_random_u64(5, (uint64_t)step) % 21) - 10;
            v = ss_param_stepped(rows[i], v, dir ? dir : 1, lo, hi);
            double x = ss_param_number(rows[i], v);
            CHECK_MSG(x >= lo && x <= hi, "%s: %g outside %g..%g", rows[i]->name, x, lo, hi);
            CHECK_MSG(!(rows[i]->flags & SS_P_EVEN) || (long)x % 2 == 0, "%s: %g", rows[i]->name,
                      x);
            v = ss_param_at(rows[i], ss_param_fraction(rows[i], v, lo, hi), lo, hi);
            x = ss_param_number(rows[i], v);
            CHECK_MSG(x >= lo && x <= hi, "%s: %g outside %g..%g", rows[i]->name, x, lo, hi);
        }
    }
}

static const char *controls_of(const char *equation, const char *solver, const char *backend)
{
    static char text[256];
    const ss_param *rows[32];
    ss_config cfg = fresh(equation, solver);
    CHECK(ss_config_set(&cfg, "backend", backend, NULL) == SS_OK);
    int n = ss_config_controls(&cfg, rows, 32);
    size_t at = 0;
    for (int i = 0; i < n; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s ", rows[i]->name);
    return text;
}

/* GPU parameters are the last controls on the GPU and absent on the CPU. */
TEST(param, controls_follow_the_backend)
{
    CHECK_STR(controls_of("poisson2d", "jacobi", "cpu"), "solver threads damping ");
    CHECK_STR(controls_of("poisson2d", "jacobi", "cuda"),
              "solver threads kernel launch tpb-x tpb-y damping ");
    CHECK_STR(controls_of("poisson2d", "shared", "cpu"),
              "k block block-y overlap overlap-y solver threads ");
    CHECK_STR(controls_of("poisson2d", "shared", "cuda"),
              "k block block-y overlap overlap-y solver threads tile launch ");
    CHECK_STR(controls_of("poisson3d", "jacobi", "cuda"), "solver threads launch tpb-x tpb-y ");
}

/* The ends of their sliders are valid blocks. */
TEST(param, threads_per_block_fit_the_device)
{
    double lo, hi;
    const char *why;
    ss_config cfg = fresh("poisson2d", "jacobi");
    CHECK(ss_config_set(&cfg, "backend", "cuda", NULL) == SS_OK);
    const ss_param *x = ss_param_find(&cfg, "tpb-x", NULL), *y = ss_param_find(&cfg, "tpb-y", NULL);
    for (int ty = 1; ty <= 32; ty++) {
        cfg.v[y->slot] = (ss_value){.i = ty, .set = true};
        ss_config_range(&cfg, x, &lo, &hi, &why);
        CHECK_MSG(lo <= hi && hi * ty <= 1024 && (hi + 32) * ty > 1024, "%g by %d", hi, ty);
        CHECK(why && strstr(why, "1024"));
        cfg.v[x->slot] = (ss_value){.i = (int64_t)hi, .set = true};
        ss_config_range(&cfg, y, &lo, &hi, &why);
        CHECK_MSG(lo <= ty && ty <= hi, "%d of %g to %g", ty, lo, hi);
    }
}

/* The slider of a time step ends at the stability limit, and every position on it is valid. */
TEST(param, sliders_of_time_steps_are_stable)
{
    static const char *const steps[][2] = {{"ks1d", "dt"}, {"heat1d", "fo"}, {"euler1d", "dtdx"}};
    for (int i = 0; i < 3; i++) {
        ss_config cfg = fresh(steps[i][0], "swept"), to;
        const ss_param *row = ss_param_find(&cfg, steps[i][1], NULL);
        double lo, hi, more;
        char text[64];
        ss_err err = {0};
        ss_config_range(&cfg, row, &lo, &hi, NULL);
        CHECK_MSG(lo > 0 && hi < row->max, "%s: %g to %g", row->name, lo, hi);
        for (int f = 0; f <= 20; f++) {
            to = cfg;
            ss_param_format(row, ss_param_at(row, f / 20.0, lo, hi), text, sizeof text);
            CHECK_MSG(strlen(text) <= 9, "%s = %s", row->name, text);
            CHECK_MSG(ss_config_set(&to, row->name, text, &err) == SS_OK &&
                          ss_config_check(&to, NULL, &err) == SS_OK,
                      "%s", err.text);
        }
        ss_value up = ss_param_stepped(row, ss_config_value(&cfg, row), 1, lo, hi);
        ss_value down = ss_param_stepped(row, ss_config_value(&cfg, row), -1, lo, hi);
        CHECK(ss_param_number(row, up) <= hi && ss_param_number(row, down) > lo);
        to = cfg;
        snprintf(text, sizeof text, "%.17g", 1.5 * hi);
        CHECK(ss_config_set(&to, row->name, text, &err) == SS_OK);
        CHECK(ss_config_check(&to, NULL, &err) != SS_OK && strstr(err.text, "unstable"));
        CHECK(ss_config_set(&to, "allow-unstable", "on", &err) == SS_OK);
        CHECK_MSG(ss_config_check(&to, NULL, &err) == SS_OK, "%s", err.text);
        ss_config_range(&to, row, &lo, &more, NULL);
        CHECK(more >= 1.5 * hi);
    }
}

static ss_track track_of(const ss_config *cfg, const char *name)
{
    ss_track t;
    ss_config_track(cfg, ss_param_find(cfg, name, NULL), &t);
    return t;
}

static void set(ss_config *cfg, const char *name, const char *text)
{
    ss_err err = {0};
    CHECK_MSG(ss_config_set(cfg, name, text, &err) == SS_OK, "%s", err.text);
}

TEST(param, tracks_end_where_values_are_useful)
{
    ss_config cfg = fresh("poisson2d", "shared");
    set(&cfg, "n", "256");
    set(&cfg, "ny", "128");
    CHECK_NEAR(track_of(&cfg, "block").hi, 256, 0);
    CHECK_NEAR(track_of(&cfg, "block-y").hi, 128, 0);
    CHECK_NEAR(track_of(&cfg, "k").hi, 32, 0);
    set(&cfg, "k", "100"); /* the present value is on the track */
    CHECK_NEAR(track_of(&cfg, "k").hi, 100, 0);
}

TEST(param, the_least_exact_overlap_is_marked)
{
    ss_config cfg = fresh("poisson2d", "shared");
    set(&cfg, "k", "12");
    CHECK_NEAR(track_of(&cfg, "overlap").mark, 22, 0);
    CHECK(isnan(track_of(&cfg, "k").mark));
    set(&cfg, "overlap", "8");
    CHECK_NEAR(track_of(&cfg, "k").mark, 5, 0);
    set(&cfg, "k", "17"); /* 32 does not fit blocks of 32 */
    CHECK(isnan(track_of(&cfg, "overlap").mark));
    set(&cfg, "k", "1"); /* every overlap is exact */
    CHECK(isnan(track_of(&cfg, "overlap").mark));
}

/* From 0 to 1.2 times the limit, evenly; the value that is refused there is above the limit. */
TEST(param, tracks_of_time_steps_are_linear_beyond_the_limit)
{
    static const char *const steps[][2] = {{"ks1d", "dt"}, {"heat1d", "fo"}, {"euler1d", "dtdx"}};
    for (int i = 0; i < 3; i++) {
        ss_config cfg = fresh(steps[i][0], "stepper");
        const ss_param *row = ss_param_find(&cfg, steps[i][1], NULL);
        ss_track t = track_of(&cfg, row->name);
        double lo, hi;
        ss_config_range(&cfg, row, &lo, &hi, NULL);
        CHECK_MSG(t.lo == 0 && t.linear && fabs(t.hi / t.limit - 1.2) < 0.01, "%s: %g to %g",
                  row->name, t.lo, t.hi);
        for (int f = 0; f <= 24; f++) {
            double x = ss_track_at(row, &t, f / 24.0).d;
            CHECK_MSG(x >= lo && fabs(x - fmax(lo, f / 24.0 * t.hi)) <= row->step + 0.006 * t.hi,
                      "%s: %g at %d", row->name, x, f);
            CHECK(f == 20 || (x > hi) == (f > 20));
        }
        ss_value v = {.d = 0.5 * t.limit, .set = true};
        CHECK_NEAR(ss_track_fraction(row, &t, v), 0.5 * t.limit / t.hi, 1e-12);
        char note[48] = "";
        snprintf(note, sizeof note, "%.17g", 0.8 * t.limit);
        set(&cfg, row->name, note);
        row->note(&cfg, note, sizeof note);
        CHECK_STR(note, "0.80 of the limit");
    }
}

TEST(param, rows_with_one_name_share_a_value)
{
    ss_config cfg = fresh("poisson1d", "jacobi");
    ss_err err;
    CHECK(ss_config_set(&cfg, "n", "500", &err) == SS_OK);
    CHECK(ss_config_set(&cfg, "equation", "poisson2d", &err) == SS_OK);
    CHECK_INT(ss_config_int(&cfg, "n"), 500);
    CHECK_INT(ss_config_int(&cfg, "ny"), 500); /* follows n */
    CHECK(ss_config_set(&cfg, "ny", "31", &err) == SS_OK);
    CHECK_INT(ss_config_int(&cfg, "ny"), 31);
}

/* A value that was set for another solver's row of the same name is used if it is valid; otherwise
 * the row has its default, and one message reports it. */
TEST(param, carried_choices_fit_their_row)
{
    static const char *const variants[] = {"block", "warp", "hybrid", "strip", "cluster"};
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        ss_config cfg = fresh("heat1d", "swept"), before;
        ss_err err = {0};
        CHECK(ss_config_set(&cfg, "variant", variants[i], &err) == SS_OK);
        CHECK(ss_config_set(&cfg, "equation", "poisson2d", &err) == SS_OK);
        before = cfg;
        CHECK(ss_config_set(&cfg, "solver", "async", &err) == SS_OK);
        CHECK_INT(ss_config_int(&cfg, "variant"), 3);
        CHECK(!ss_config_given(&cfg, "variant"));
        CHECK(ss_config_unheld(&before, &cfg, &err) && strstr(err.text, "variant is 3"));
        CHECK(ss_config_set(&cfg, "variant", "1", &err) == SS_OK);
        CHECK_INT(ss_config_int(&cfg, "variant"), 1);
        before = cfg;
        CHECK(ss_config_set(&cfg, "block", "16", &err) == SS_OK);
        CHECK(!ss_config_unheld(&before, &cfg, &err));
    }
    ss_config cfg = fresh("poisson2d", "jacobi"), before;
    CHECK(ss_config_set(&cfg, "problem", "random", NULL) == SS_OK);
    before = cfg;
    CHECK(ss_config_set(&cfg, "equation", "ks1d", NULL) == SS_OK);
    CHECK_STR(ss_param_find(&cfg, "problem", NULL)->choices[ss_config_int(&cfg, "problem")],
              "random");
    CHECK(!ss_config_unheld(&before, &cfg, NULL));
}

TEST(param, carried_numbers_fit_their_row)
{
    ss_config cfg = fresh("poisson2d", "shared"), before;
    ss_err err = {0};
    CHECK(ss_config_set(&cfg, "n", "2", &err) == SS_OK);
    before = cfg;
    CHECK(ss_config_set(&cfg, "equation", "ks1d", &err) == SS_OK); /* its minimum is 8 points */
    CHECK(ss_config_unheld(&before, &cfg, &err) && strstr(err.text, "n is 1024"));
    CHECK_INT(ss_config_int(&cfg, "n"), 1024);
    CHECK_MSG(ss_config_check(&cfg, NULL, &err) == SS_OK, "%s", err.text);
    CHECK(ss_config_set(&cfg, "equation", "poisson1d", &err) == SS_OK);
    CHECK_INT(ss_config_int(&cfg, "n"), 2);
}

/* A value beyond the row's own limits is not used, whatever its origin. */
TEST(param, defaults_are_in_range)
{
    ss_config cfg = fresh("poisson2d", "shared");
    ss_err err = {0};
    cfg.v[ss_param_find(&cfg, "threads", NULL)->slot] = (ss_value){.i = -4, .set = true};
    CHECK_INT(ss_config_int(&cfg, "threads"), 0);
    CHECK_MSG(ss_config_check(&cfg, NULL, &err) == SS_OK, "%s", err.text);
    for (int i = 0; i < ss_param_count(); i++) {
        const ss_param *row = ss_param_row(i);
        double hi = row->type == SS_CHOICE ? -1 : row->max;
        while (row->type == SS_CHOICE && row->choices[(int)hi + 1])
            hi += 1;
        bool text = row->type == SS_STRING || row->type == SS_FILE || row->type == SS_BOOL;
        bool words = (row->zero || row->def_text) && row->def == 0;
        CHECK_MSG(text || words || (row->def >= row->min && row->def <= hi), "%s: %g", row->name,
                  row->def);
    }
}

TEST(param, one_name_is_one_type)
{
    ss_param whole[] = {{.name = "n", .type = SS_INT}, {.name = "bx", .type = SS_INT}};
    ss_param real[] = {{.name = "bx", .type = SS_REAL_T}, {.name = "n", .type = SS_INT}};
    const ss_row_group groups[] = {{whole, 2, "block-jacobi"}, {real, 2, "advdiff2d"}};
    const ss_row_group twice[] = {{whole, 2, "block-jacobi"}, {whole, 2, "block-gs"}};
    ss_err err = {0};
    CHECK(ss_rows_agree(twice, 2, &err) == SS_OK);
    CHECK(ss_rows_agree(groups, 2, &err) == SS_FAIL);
    CHECK_STR(err.text, "the parameter bx is a whole number for block-jacobi and a number for "
                        "advdiff2d: give one of them another name");
}

TEST(param, values_are_parsed_and_printed_with_units)
{
    ss_tables_init();
    const ss_param *row = ss_param_find(ss_options(), "seconds", NULL);
    ss_value v;
    ss_err err;
    CHECK(ss_param_parse(row, "20us", &v, &err) == SS_OK);
    CHECK_NEAR(v.d, 20e-6, 1e-18);
    CHECK(ss_param_parse(row, "2min", &v, &err) == SS_OK);
    CHECK_NEAR(v.d, 120, 0);
    CHECK(ss_param_parse(row, "2 parsecs", &v, &err) == SS_FAIL);
}

/* --- commands ------------------------------------------------------------------------------------
 */

TEST(command, a_printed_command_is_parsed_back)
{
    static const char *const lines[] = {
        "set k 16",
        "  step   3  # three cycles",
        "bind \"C-x\" \"set k 4\"",
        "mark \"a \\\"quoted\\\" word and a \\\\\"",
        "run",
        "save \"a file.npy\"",
        "mark \"\"",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        ss_cmd a, b;
        ss_err err = {0};
        char text[SS_CMD_TEXT + 64];
        CHECK_MSG(ss_cmd_parse(lines[i], &a, &err) == SS_OK, "%s: %s", lines[i], err.text);
        ss_cmd_format(&a, text, sizeof text);
        CHECK_MSG(ss_cmd_parse(text, &b, &err) == SS_OK, "%s: %s", text, err.text);
        CHECK(a.verb == b.verb);
        CHECK_INT(a.argc, b.argc);
        for (int j = 0; j < a.argc; j++)
            CHECK_STR(a.arg[j], b.arg[j]);
    }
}

/* A lesson or a run file cannot choose the program that is started. */
TEST(command, what_is_started_is_chosen_on_the_command_line)
{
    static const char *const lines[] = {"open poisson2d jacobi launcher=./x",
                                        "open poisson2d jacobi hosts=a,b"};
    ss_config cfg;
    ss_cmd c;
    ss_tables_init();
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        ss_err err = {0};
        ss_config_default(&cfg);
        CHECK(ss_cmd_parse(lines[i], &c, &err) == SS_OK);
        CHECK(ss_open_words(&c, &cfg, &err) == SS_FAIL);
        CHECK_MSG(strstr(err.text, "give it on the command line"), "%s", err.text);
        CHECK(!cfg.v[ss_param_find(&cfg, i ? "hosts" : "launcher", NULL)->slot].set);
    }
}

TEST(command, malformed_commands_are_refused)
{
    ss_cmd c;
    ss_err err = {0};
    CHECK(ss_cmd_parse("stpe 3", &c, &err) == SS_FAIL);
    CHECK_MSG(strstr(err.text, "step"), "%s", err.text);
    CHECK(ss_cmd_parse("set k", &c, &err) == SS_FAIL);
    CHECK_MSG(strstr(err.text, "set NAME VALUE"), "%s", err.text);
    CHECK(ss_cmd_parse("mark \"open", &c, &err) == SS_FAIL);
    CHECK(ss_cmd_parse("", &c, &err) == SS_OK && c.verb == NULL);
    CHECK(ss_cmd_parse("   # only a remark", &c, &err) == SS_OK && c.verb == NULL);
}

/* Names of other programs are hinted at by ours. */
static const char *solver_at(const void *ctx, int i)
{
    (void)ctx;
    return ss_solvers[i]->name;
}

static const char *option_at(const void *ctx, int i)
{
    (void)ctx;
    return ss_param_row(i)->name;
}

TEST(command, names_of_other_programs_are_known)
{
    int solvers = 0;
    ss_tables_init();
    while (ss_solvers[solvers])
        solvers++;
    CHECK_STR(ss_nearest("mg", solver_at, NULL, solvers), "multigrid");
    CHECK_STR(ss_nearest("gauss-seidel", solver_at, NULL, solvers), "sor");
    CHECK_STR(ss_nearest("jakobi", solver_at, NULL, solvers), "jacobi");
    static const char *const options[][2] = {{"max-iter", "cycles"},   {"tol", "until"},
                                             {"iterations", "cycles"}, {"nthreads", "threads"},
                                             {"output", "save"},       {"overlp", "overlap"}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        CHECK_STR(ss_nearest(options[i][0], option_at, NULL, ss_param_count()), options[i][1]);
}

TEST(command, words_have_rows_of_their_own)
{
    static const struct {
        const char *line;
        ss_verb_id verb, row;
        ss_verb_side side;
    } lines[] = {{"view layer next", SS_VERB_VIEW, SS_VERB_VIEW_LAYER, SS_SIDE_SCREEN},
                 {"map", SS_VERB_MAP, SS_VERB_MAP, SS_SIDE_PROGRAM},
                 {"map open", SS_VERB_MAP, SS_VERB_MAP_OPEN, SS_SIDE_PROGRAM},
                 {"map move left", SS_VERB_MAP, SS_VERB_MAP_MOVE, SS_SIDE_SCREEN},
                 {"speed slower", SS_VERB_SPEED, SS_VERB_SPEED_SLOWER, SS_SIDE_ENGINE},
                 {"speed 0.5", SS_VERB_SPEED, SS_VERB_SPEED, SS_SIDE_ENGINE},
                 {"set layer 4", SS_VERB_SET, SS_VERB_SET, SS_SIDE_ENGINE}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        ss_cmd c;
        ss_err err = {0};
        CHECK_MSG(ss_cmd_parse(lines[i].line, &c, &err) == SS_OK, "%s", err.text);
        CHECK_INT(c.verb->id, lines[i].verb);
        CHECK_INT(c.row->id, lines[i].row);
        CHECK_INT(c.row->side, lines[i].side);
    }
}

TEST(command, a_wrong_word_is_explained)
{
    static const struct {
        const char *line, *error;
    } lines[] = {
        {"view", "usage: view WHAT [VALUE ...]"},
        {"view lyer next", "view: 'lyer' is unknown (did you mean layer?); it takes layer, "},
        {"brush purple", "it takes on, off, dab, larger, smaller"},
        {"view layer", "usage: view layer NAME|next|previous"},
        {"view pan 1", "usage: view pan X Y"},
        {"map cursor 1", "usage: map cursor COLUMN ROW"},
        {"lesson predict", "usage: lesson predict N"},
        {"map nonsense", "it takes open, close, pause, move"}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        ss_cmd c;
        ss_err err = {0};
        CHECK(ss_cmd_parse(lines[i].line, &c, &err) == SS_FAIL);
        CHECK_MSG(strstr(err.text, lines[i].error), "%s: %s", lines[i].line, err.text);
    }
}

/* Parser and handlers rely on it. */
TEST(command, words_follow_their_verb)
{
    for (int i = 0; i < SS_NVERB; i++) {
        const ss_verb *v = &ss_verbs[i];
        CHECK_INT(v->id, i);
        CHECK_MSG(v->of <= v->id && ss_verbs[v->of].of == v->of, "%s", v->name);
        CHECK_MSG(v->of == v->id || ss_verbs[i - 1].of == v->of, "%s", v->name);
        CHECK_MSG(*v->help && v->min_args <= v->max_args, "%s", v->name);
        for (int k = 0; k < i; k++)
            CHECK_MSG(strcmp(ss_verbs[k].name, v->name) != 0 ||
                          (ss_verbs[k].of == ss_verbs[k].id) != (v->of == v->id) ||
                          (v->of != v->id && ss_verbs[k].of != v->of),
                      "%s twice", v->name);
    }
}

/* --- the matrix ----------------------------------------------------------------------------------
 */

/* Every registered triple, with options drawn at random from the tables: it runs, or the reason is
 * given. */
SLOW_TEST(matrix, random_options_are_accepted_or_refused_with_a_reason)
{
    ss_tables_init();
    int ran = 0;
    for (int e = 0; ss_equations[e]; e++)
        for (int s = 0; ss_solvers[s]; s++)
            for (int draw = 0; draw < 200; draw++) {
                ss_config cfg = fresh(ss_equations[e]->name, ss_solvers[s]->name);
                ss_err err = {0};
                const ss_param *rows[32];
                int n = ss_config_controls(&cfg, rows, 32);
                for (int i = 0; i < n; i++) {
                    double lo, hi;
                    char text[64];
                    double f = ss_random_unit((uint64_t)draw, (uint64_t)i);
                    if (rows[i]->type == SS_CHOICE)
                        continue;
                    ss_config_range(&cfg, rows[i], &lo, &hi, NULL);
                    ss_param_format(rows[i], ss_param_at(rows[i], f, lo, hi), text, sizeof text);
                    CHECK_MSG(ss_config_set(&cfg, rows[i]->name, text, &err) == SS_OK, "%s",
                              err.text);
                }
                bool valid = ss_config_check(&cfg, NULL, &err) == SS_OK;
                CHECK_MSG(valid || *err.text, "refused without a reason");
                ran += valid;
            }
    CHECK(ran > 100);
}

/* The README marks a row as live if it can change during a run, control or not. */
TEST(docs, live_rows_are_called_live)
{
    char *text = NULL, start[80];
    size_t size;
    ss_err err = {0};
    ss_tables_init();
    FILE *out = open_memstream(&text, &size);
    CHECK(out && ss_docs_generate("readme-parameters", out, &err) == SS_OK && fclose(out) == 0);
    for (int i = 0; i < ss_param_count(); i++) {
        const ss_param *row = ss_param_row(i);
        bool brief = !row->name[1] && (row->flags & SS_P_REPEAT);
        snprintf(start, sizeof start, "| `%s%s` | ", brief ? "-" : "--", row->name);
        const char *line = strstr(text, start), *end = line ? strchr(line, '\n') : NULL;
        CHECK_MSG(end, "%s has no line", row->name);
        bool live = end - line > 8 && strncmp(end - 8, "(live) |", 8) == 0;
        CHECK_MSG(live == ((row->flags & SS_P_LIVE) != 0), "%s: %.*s", row->name, (int)(end - line),
                  line);
    }
    free(text);
}
