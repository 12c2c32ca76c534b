/* Runs opened from a line of settings, and their fields as doubles: what tests of numerics need. */
#ifndef SS_TESTS_FIELDS_H
#define SS_TESTS_FIELDS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/registry.h"
#include "src/run.h"
#include "tests/check.h"

#define FIELD_UNUSED __attribute__((unused))

enum { FIELD, RHS, START }; /* the `which` of upload and download */

/* "equation poisson2d solver shared n 203 ny 131": names and values, equation and solver first. */
FIELD_UNUSED static ss_run *open_run(const char *settings)
{
    char text[512], *rest = text;
    ss_config cfg;
    ss_err err = {""};
    ss_registry_init();
    ss_config_default(&cfg);
    snprintf(text, sizeof text, "%s", settings);
    for (char *name; (name = strtok_r(rest, " ", &rest)) != NULL;) {
        const char *value = strtok_r(rest, " ", &rest);
        CHECK_MSG(value && ss_config_set(&cfg, name, value, &err) == SS_OK, "%s: %s", name,
                  err.text);
    }
    CHECK_MSG(ss_config_check(&cfg, NULL, &err) == SS_OK, "%s: %s", settings, err.text);
    ss_run *run = ss_run_open(&cfg, NULL, NULL, &err);
    CHECK_MSG(run != NULL, "%s: %s", settings, err.text);
    return run;
}

FIELD_UNUSED static void step_run(ss_run *run, int64_t cycles)
{
    ss_err err = {""};
    int64_t goal = run->cycle + cycles;
    CHECK_MSG(ss_run_step(run, cycles, &err) == SS_OK, "%s", err.text);
    CHECK_INT(run->cycle, goal);
}

/* value(i, j, ctx) into every point. */
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

/* A copy of a field, dense, as doubles; free it. */
FIELD_UNUSED static double *get_field(ss_run *run, int which)
{
    size_t n = (size_t)run->problem.nx * (size_t)run->problem.ny;
    double *out = malloc(n * sizeof *out);
    CHECK_INT(run->backend->download(run, which, 0, 0, 0, run->problem.ny, out, NULL), SS_OK);
    if (run->prec == SS_F32) /* widen in place, from the end */
        for (size_t i = n; i-- > 0;) {
            float v;
            memcpy(&v, (char *)out + i * sizeof v, sizeof v);
            out[i] = (double)v;
        }
    return out;
}

#endif
