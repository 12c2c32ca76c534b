/* Runs opened from a line of settings, and their fields as doubles: for tests of numerics. */
#ifndef SS_TESTS_FIELDS_H
#define SS_TESTS_FIELDS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/app/tables.h"
#include "src/core/registry.h"
#include "src/core/run.h"
#include "tests/check.h"

#define FIELD_UNUSED __attribute__((unused))

enum { FIELD, RHS, START }; /* the `which` of upload and download */

/* "equation poisson2d solver shared n 203 ny 131": names and values, equation and solver first. */
FIELD_UNUSED static void set_config(ss_config *cfg, const char *settings)
{
    char text[512], *rest = text;
    ss_err err = {0};
    ss_tables_init();
    ss_config_default(cfg);
    snprintf(text, sizeof text, "%s", settings);
    for (char *name; (name = strtok_r(rest, " ", &rest)) != NULL;) {
        const char *value = strtok_r(rest, " ", &rest);
        CHECK_MSG(value && ss_config_set(cfg, name, value, &err) == SS_OK, "%s: %s", name,
                  err.text);
    }
    CHECK_MSG(ss_config_check(cfg, NULL, &err) == SS_OK, "%s: %s", settings, err.text);
}

FIELD_UNUSED static ss_run *open_run(const char *settings)
{
    ss_config cfg;
    ss_err err = {0};
    set_config(&cfg, settings);
    ss_run *run = ss_run_open(&cfg, NULL, NULL, &err);
    CHECK_MSG(run != NULL, "%s: %s", settings, err.text);
    return run;
}

/* A test of one run. */
#define RUN_TEST(suite, name, settings)                                                            \
    static void suite##_##name##_on(ss_run *run);                                                  \
    TEST(suite, name)                                                                              \
    {                                                                                              \
        ss_run *run = open_run(settings);                                                          \
        suite##_##name##_on(run);                                                                  \
        ss_run_close(run);                                                                         \
    }                                                                                              \
    static void suite##_##name##_on(ss_run *run)

FIELD_UNUSED static void step_run(ss_run *run, int64_t cycles)
{
    ss_err err = {0};
    int64_t goal = run->cycle + cycles;
    CHECK_MSG(ss_run_step(run, cycles, &err) == SS_OK, "%s", err.text);
    CHECK_MSG(run->cycle == goal, "%s: cycle %lld, not %lld: %s", run->eq->name,
              (long long)run->cycle, (long long)goal, run->message);
}

/* Cycles to its tolerance. */
FIELD_UNUSED static int64_t cycles_of(const char *settings)
{
    ss_run *run = open_run(settings);
    run->stop_at_tol = true;
    CHECK_INT(ss_run_step(run, 100000, NULL), SS_OK);
    CHECK_MSG(run->status == SS_CONVERGED, "%s: %s", settings, run->message);
    int64_t cycles = run->cycle;
    ss_run_close(run);
    return cycles;
}

/* Changes a parameter of a run without a reset. */
FIELD_UNUSED static void change_run(ss_run *run, const char *name, const char *value)
{
    ss_config cfg = run->cfg;
    ss_err err = {0};
    CHECK_MSG(ss_config_set(&cfg, name, value, &err) == SS_OK, "%s", err.text);
    CHECK_MSG(ss_run_configure(run, &cfg, &err) == SS_OK, "%s", err.text);
}

/* Sets every point to value(i, j, ctx). */
typedef double field_function(const ss_run *run, int i, int j, const void *ctx);

FIELD_UNUSED static void set_field(ss_run *run, int which, field_function *value, const void *ctx)
{
    int nx = run->problem.nx;
    double *row = malloc((size_t)nx * sizeof *row);
    float *narrow = malloc((size_t)nx * sizeof *narrow);
    for (int j = 0; j < run->problem.ny; j++) {
        for (int i = 0; i < nx; i++)
            narrow[i] = (float)(row[i] = value(run, i, j, ctx));
        const void *data = run->prec == SS_F64 ? (void *)row : narrow;
        CHECK_INT(run->backend->upload(run, which, 0, 0, j, j + 1, data, NULL), SS_OK);
    }
    free(row);
    free(narrow);
}

FIELD_UNUSED static double from_array(const ss_run *run, int i, int j, const void *ctx)
{
    return ((const double *)ctx)[(size_t)j * (size_t)run->problem.nx + (size_t)i];
}

/* ctx: the seed, an int. */
FIELD_UNUSED static double at_random(const ss_run *run, int i, int j, const void *ctx)
{
    uint64_t index = (uint64_t)j * (uint64_t)run->problem.nx + (uint64_t)i;
    const int *seed = ctx;
    return ss_random_unit((uint64_t)*seed, index);
}

/* n values of the run's precision at v become doubles, in place, from the end. */
FIELD_UNUSED static void widen_values(const ss_run *run, double *v, size_t n)
{
    float narrow;
    while (run->prec == SS_F32 && n-- > 0) {
        memcpy(&narrow, (char *)v + n * sizeof narrow, sizeof narrow);
        v[n] = (double)narrow;
    }
}

/* A copy of a field, dense, as doubles; free it. */
FIELD_UNUSED static double *get_field(ss_run *run, int which)
{
    size_t n = (size_t)run->problem.nx * (size_t)run->problem.ny;
    double *out = malloc(n * sizeof *out);
    CHECK_INT(run->backend->download(run, which, 0, 0, 0, run->problem.ny, out, NULL), SS_OK);
    widen_values(run, out, n);
    return out;
}

/* A 1D run's fields, one after the other, as doubles; free them. */
FIELD_UNUSED static double *get_fields(ss_run *run, int which)
{
    size_t n = (size_t)run->problem.nx;
    double *out = calloc(n * (size_t)run->problem.nfield, sizeof *out);
    for (int f = 0; f < run->problem.nfield; f++) {
        double *row = out + (size_t)f * n;
        CHECK_INT(run->backend->download(run, which, f, 0, 0, 1, row, NULL), SS_OK);
        widen_values(run, row, n);
    }
    return out;
}

/* Sets every point of a 1D run's current fields to value(run, field, i). */
FIELD_UNUSED static void set_fields(ss_run *run, double (*value)(const ss_run *run, int f, int i))
{
    int n = run->problem.nx;
    double *row = malloc((size_t)n * sizeof *row);
    float *narrow = malloc((size_t)n * sizeof *narrow);
    for (int f = 0; f < run->problem.nfield; f++) {
        for (int i = 0; i < n; i++)
            narrow[i] = (float)(row[i] = value(run, f, i));
        const void *data = run->prec == SS_F64 ? (void *)row : narrow;
        CHECK_INT(run->backend->upload(run, FIELD, f, 0, 0, 1, data, NULL), SS_OK);
    }
    free(row);
    free(narrow);
}

/* A start of a 1D run for set_fields. Euler's equations have density and pressure in [1/2, 3/2) and
 * velocity in [-1/2, 1/2). */
FIELD_UNUSED static double noise(const ss_run *run, int f, int i)
{
    double v[3];
    for (int n = 0; n < 3; n++)
        v[n] = ss_random_unit(17 + (uint64_t)n, (uint64_t)i);
    if (run->problem.nfield == 1)
        return strcmp(run->eq->name, "ks1d") == 0 ? 2 * v[0] - 1 : v[0];
    double r = 0.5 + v[0], u = v[1] - 0.5, p = 0.5 + v[2];
    double q[3] = {r, r * u, p / 0.4 + 0.5 * r * u * u};
    return q[f];
}

#endif
