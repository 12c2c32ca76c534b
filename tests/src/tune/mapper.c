/* The map of a front end: its axes around a run, the thread that measures it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "src/app/tables.h"
#include "src/tune/kit.h"
#include "src/tune/tuner.h"
#include "src/core/registry.h"
#include "tests/check.h"

static ss_config config_of(const char *const *settings)
{
    ss_config cfg;
    ss_err err = {0};
    ss_tables_init();
    ss_config_default(&cfg);
    for (int i = 0; settings[i]; i += 2)
        CHECK_MSG(ss_config_set(&cfg, settings[i], settings[i + 1], &err) == SS_OK, "%s", err.text);
    CHECK_MSG(ss_config_check(&cfg, NULL, &err) == SS_OK, "%s", err.text);
    return cfg;
}

#define CONFIG(...) config_of((const char *const[]){__VA_ARGS__, NULL})

static const char *values(const ss_tune_axis *a)
{
    static char all[400];
    all[0] = '\0';
    for (int i = 0; i < a->n; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? " " : "", a->text[i]);
    return all;
}

/* 1 2 4 / 3 ? ?: rows and columns are factors, of four at most; refused cells take no time. */
TEST(mapper, times_of_unmeasured_cells_are_estimated_from_neighbours)
{
    ss_map_cell cell[6];
    static const double seconds[6] = {1, 2, 4, 3, (double)NAN, (double)NAN};
    ss_map_view v = {.nx = 3, .ny = 2, .n = 6, .cell = cell};
    memset(cell, 0, sizeof cell);
    for (int i = 0; i < 6; i++) {
        cell[i].seconds = seconds[i];
        cell[i].status = isfinite(seconds[i]) ? SS_CELL_OK : SS_CELL_NONE;
    }
    ss_map_guess(&v);
    CHECK_NEAR(cell[4].guess, 6, 1e-12);
    CHECK_NEAR(cell[5].guess, 12, 1e-12);
    cell[0].status = SS_CELL_NONE; /* before the first known one: their mean */
    ss_map_guess(&v);
    CHECK_NEAR(cell[0].guess, 3, 1e-12);
}

/* --- axes ------------------------------------------------------------------------------------- */

TEST(mapper, axes_contain_the_values_of_the_run)
{
    ss_tune_axes axes;
    ss_err err;
    ss_config cfg = CONFIG("equation", "poisson1d", "solver", "shared", "backend", "cpu", "k", "16",
                           "overlap", "4");
    CHECK(ss_tune_axes_around(&cfg, &axes, &err) == SS_OK);
    CHECK_INT(axes.n, 2);
    CHECK_STR(axes.at[0].row->name, "k");
    CHECK_STR(values(&axes.at[0]), "2 4 8 16 32 64 128");
    CHECK_STR(values(&axes.at[1]), "0 2 4 6 8 10 12 14 16");
    cfg = CONFIG("equation", "poisson1d", "solver", "shared", "backend", "cpu", "k", "19",
                 "overlap", "30");
    CHECK(ss_tune_axes_around(&cfg, &axes, &err) == SS_OK);
    CHECK_STR(values(&axes.at[0]), "4 8 16 19 32 64 128");
    CHECK_STR(values(&axes.at[1]), "14 16 18 20 22 24 26 28 30");
    cfg = CONFIG("equation", "poisson1d", "solver", "shared", "backend", "cpu", "k", "1");
    CHECK(ss_tune_axes_around(&cfg, &axes, &err) == SS_OK);
    CHECK_STR(values(&axes.at[0]), "1 2 4 8 16 32 64");
}

/* Every combination has a map that contains its own values, or a reason why not. */
TEST(mapper, every_solver_has_axes_or_a_reason)
{
    ss_tables_init();
    int maps = 0;
    for (int i = 0; ss_equations[i]; i++)
        for (int k = 0; ss_solvers[k]; k++) {
            ss_config cfg;
            ss_tune_axes axes;
            ss_err err = {0};
            ss_config_default(&cfg);
            ss_config_set(&cfg, "equation", ss_equations[i]->name, &err);
            ss_config_set(&cfg, "backend", "cpu", &err);
            if (ss_config_set(&cfg, "solver", ss_solvers[k]->name, &err) != SS_OK ||
                ss_config_check(&cfg, NULL, &err) != SS_OK)
                continue;
            err.text[0] = '\0';
            if (ss_tune_axes_around(&cfg, &axes, &err) != SS_OK) {
                CHECK(err.text[0]);
                continue;
            }
            maps++;
            for (int a = 0; a < axes.n; a++) {
                char now[64];
                bool found = false;
                ss_param_format(axes.at[a].row, ss_config_value(&cfg, axes.at[a].row), now,
                                sizeof now);
                for (int v = 0; v < axes.at[a].n; v++)
                    found = found || strcmp(axes.at[a].text[v], now) == 0;
                CHECK_MSG(found, "%s %s: %s is not in its map: %s", ss_equations[i]->name,
                          ss_solvers[k]->name, now, values(&axes.at[a]));
            }
        }
    CHECK(maps >= 8);
}

/* --- the thread ------------------------------------------------------------------------------- */

static void nobody(void *ctx)
{
    (void)ctx;
}

static void doze(double seconds)
{
    struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    nanosleep(&t, NULL);
}

static ss_map_view *wait_for(ss_tuner *t, int cells)
{
    bool fresh;
    ss_map_view *v = ss_tuner_view(t, &fresh);
    for (int i = 0; i < 6000 && v->done < cells; i++) {
        doze(0.01);
        v = ss_tuner_view(t, &fresh);
    }
    CHECK_MSG(v->done >= cells, "%d of %d cells after a minute: %s", v->done, cells, v->error);
    return v;
}

static int64_t cycles_of(const ss_config *cfg)
{
    ss_err err = {0};
    ss_run *run = ss_run_open(cfg, NULL, NULL, &err);
    CHECK_MSG(run != NULL, "%s", err.text);
    run->stop_at_tol = true;
    while (run->status == SS_RUNNING)
        CHECK(ss_run_step(run, 1000, &err) == SS_OK);
    int64_t n = run->cycle;
    ss_run_close(run);
    return n;
}

TEST(mapper, a_cell_measures_what_a_single_run_measures)
{
    ss_err err = {0};
    ss_config cfg = CONFIG("equation", "poisson1d", "solver", "shared", "backend", "cpu", "n", "48",
                           "block", "16", "k", "4", "overlap", "2");
    ss_tuner_setup setup = {.cfg = &cfg, .wake = nobody};
    ss_tuner *t = ss_tuner_around(&setup, &err);
    CHECK_MSG(t != NULL, "%s", err.text);
    CHECK(ss_tuner_covers(t, &cfg));
    bool fresh;
    ss_map_view *v = wait_for(t, ss_tuner_view(t, &fresh)->n);
    int here = ss_map_find(v, "4", "2");
    CHECK(here >= 0 && v->cell[here].status == SS_CELL_OK);
    CHECK_INT((int)v->cell[here].cycles, (int)cycles_of(&cfg));
    CHECK(v->cell[here].bytes > 0);
    ss_config other = cfg;
    CHECK(ss_config_set(&other, "k", "8", &err) == SS_OK);
    CHECK(ss_tuner_covers(t, &other));
    CHECK_INT((int)v->cell[ss_map_find(v, "8", "2")].cycles, (int)cycles_of(&other));
    CHECK(ss_config_set(&other, "k", "5", &err) == SS_OK); /* between two cells */
    CHECK(ss_tuner_concerns(t, &other) && !ss_tuner_covers(t, &other));
    CHECK(ss_config_set(&other, "n", "47", &err) == SS_OK);
    CHECK(!ss_tuner_concerns(t, &other));
    CHECK_INT(ss_tuner_stop(t, false, NULL, &err), 0);
}

SLOW_TEST(mapper, a_pause_holds_the_map_and_a_stop_ends_it_at_once)
{
    ss_err err = {0};
    ss_config cfg =
        CONFIG("equation", "poisson2d", "solver", "shared", "backend", "cpu", "n", "512", "k", "4");
    ss_tuner_setup setup = {.cfg = &cfg, .wake = nobody};
    ss_tuner *t = ss_tuner_around(&setup, &err);
    bool fresh;
    CHECK_MSG(t != NULL, "%s", err.text);
    ss_tuner_pause(t, true);
    doze(0.5);
    double way = ss_tuner_view(t, &fresh)->way;
    CHECK(ss_tuner_view(t, &fresh)->paused);
    doze(0.5);
    CHECK_NEAR(ss_tuner_view(t, &fresh)->way, way, 0);
    ss_tuner_pause(t, false);
    double before = ss_clock();
    CHECK_INT(ss_tuner_stop(t, false, NULL, &err), 0);
    CHECK_MSG(ss_clock() - before < 5, "it took %.1f s to stop", ss_clock() - before);
}

static int lines_of(const char *path)
{
    FILE *f = fopen(path, "r");
    int n = 0;
    CHECK(f != NULL);
    for (int c = fgetc(f); c != EOF; c = fgetc(f))
        n += c == '\n';
    fclose(f);
    return n;
}

/* Stopped in the middle and resumed: no cell is measured twice. */
TEST(mapper, a_map_is_continued_from_its_file)
{
    char path[64];
    int status;
    bool taken, fresh;
    ss_err err = {0};
    ss_config cfg = CONFIG("equation", "poisson1d", "solver", "shared", "backend", "cpu", "n", "64",
                           "block", "16");
    snprintf(path, sizeof path, "/tmp/stencilscope-mapper-%d.csv", (int)getpid());
    remove(path);
    CHECK(ss_config_set(ss_options(), "csv", path, &err) == SS_OK);
    ss_tune_asked_axes()->n = 0;
    ss_tune_axes_take(ss_tune_asked_axes(), ss_param_find(&cfg, "k", NULL), "2,4,8,16", &taken,
                      &err);
    ss_tune_axes_take(ss_tune_asked_axes(), ss_param_find(&cfg, "overlap", NULL), "0:6:2", &taken,
                      &err);
    ss_tuner_setup setup = {.cfg = &cfg, .wake = nobody};
    ss_tuner *t = ss_tuner_asked(&setup, &status, &err);
    CHECK_MSG(t != NULL, "%s", err.text);
    wait_for(t, 3);
    status = ss_tuner_stop(t, true, NULL, &err);
    int saved = lines_of(path) - 2;
    CHECK(saved >= 3);
    CHECK_INT(status, saved == 16 ? 0 : 130);
    t = ss_tuner_asked(&setup, &status, &err);
    CHECK_MSG(t != NULL, "%s", err.text);
    CHECK(ss_tuner_view(t, &fresh)->done >= saved);
    wait_for(t, 16);
    CHECK_INT(ss_tuner_stop(t, false, NULL, &err), 0);
    CHECK_INT(lines_of(path), 18);
    remove(path);
    ss_options()->v[ss_param_find(ss_options(), "csv", NULL)->slot].set = false;
    ss_tune_asked_axes()->n = 0;
}
