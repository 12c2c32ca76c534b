/* Fields of poisson3d runs: windows of three dimensions as doubles. */
#ifndef SS_TESTS_WINDOWS_H
#define SS_TESTS_WINDOWS_H

#include "tests/fields.h"

FIELD_UNUSED static size_t cells_of(const ss_run *run)
{
    const ss_problem *p = &run->problem;
    return (size_t)p->nx * (size_t)p->ny * (size_t)p->nz;
}

/* The window as doubles, x fastest; free it. */
FIELD_UNUSED static double *get_window(ss_run *run, int which)
{
    size_t plane = (size_t)run->problem.nx * (size_t)run->problem.ny;
    double *out = calloc(cells_of(run), sizeof *out);
    for (int k = 0; k < run->problem.nz; k++) {
        double *to = out + (size_t)k * plane;
        CHECK_INT(run->backend->download(run, which, 0, k, 0, run->problem.ny, to, NULL), SS_OK);
        widen_values(run, to, plane);
    }
    return out;
}

FIELD_UNUSED static void set_window(ss_run *run, int which, const double *u)
{
    size_t plane = (size_t)run->problem.nx * (size_t)run->problem.ny;
    float *narrow = malloc(plane * sizeof *narrow);
    for (int k = 0; k < run->problem.nz; k++, u += plane) {
        for (size_t c = 0; c < plane; c++)
            narrow[c] = (float)u[c];
        const void *rows = run->prec == SS_F64 ? (const void *)u : narrow;
        CHECK_INT(run->backend->upload(run, which, 0, k, 0, run->problem.ny, rows, NULL), SS_OK);
    }
    free(narrow);
}

/* A random right-hand side: with f = 0 a missing f would go unnoticed. */
FIELD_UNUSED static void random_rhs(ss_run *run)
{
    double *f = calloc(cells_of(run), sizeof *f);
    for (size_t c = 0; c < cells_of(run); c++)
        f[c] = ss_random_unit(5, c) - 0.5;
    set_window(run, RHS, f);
    free(f);
}

FIELD_UNUSED static ss_run *open_join(const char *a, const char *b)
{
    char text[512];
    snprintf(text, sizeof text, "equation poisson3d %s %s", a, b);
    ss_run *run = open_run(text);
    run->tol = 0;
    return run;
}

/* The field after that many cycles. */
FIELD_UNUSED static double *field_after(const char *problem, const char *method, int64_t cycles,
                                        bool source)
{
    ss_run *run = open_join(problem, method);
    if (source)
        random_rhs(run);
    step_run(run, cycles);
    double *u = get_window(run, FIELD);
    ss_run_close(run);
    return u;
}

FIELD_UNUSED static double distance(const double *a, const double *b, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

#endif
