/* Shared by the tests of the GPU: the reason to skip, runs on one backend or the other. */
#ifndef SS_TESTS_GPU_H
#define SS_TESTS_GPU_H

#include "src/app/tables.h"
#include "tests/pictures.h"

FIELD_UNUSED static void need_gpu(void)
{
    ss_err why;
    ss_tables_init();
    for (int i = 0; ss_backends[i]; i++)
        if (strcmp(ss_backends[i]->name, "cuda") == 0 && ss_backends[i]->probe(&why) != SS_OK)
            SKIP("%s", why.text);
}

/* Why the matrix excludes block smoothers on the GPU; NULL: it does not. */
FIELD_UNUSED static const char *why_no_patches(void)
{
    int eq = 0, solver = 0, backend = 0;
    const char *why = NULL;
    ss_tables_init();
    while (strcmp(ss_equations[eq]->name, "poisson3d") != 0)
        eq++;
    while (strcmp(ss_solvers[solver]->name, "block-jacobi") != 0)
        solver++;
    while (strcmp(ss_backends[backend]->name, "cuda") != 0)
        backend++;
    bool runs = ss_matrix(ss_equations[eq], ss_solvers[solver], ss_backends[backend], &why);
    return runs ? NULL : why;
}

FIELD_UNUSED static void need_patches(void)
{
    need_gpu();
    if (why_no_patches())
        SKIP("%s", why_no_patches());
}

FIELD_UNUSED static ss_run *open_on(const char *backend, const char *settings)
{
    char text[512];
    snprintf(text, sizeof text, "%.480s backend %s", settings, backend);
    ss_run *run = open_run(text);
    run->stop_at_tol = true;
    return run;
}

/* Bit for bit. */
FIELD_UNUSED static void check_fields(ss_run *cpu, ss_run *gpu, const char *what)
{
    double *a = get_field(cpu, FIELD), *b = get_field(gpu, FIELD);
    for (int j = 0; j < cpu->problem.ny; j++)
        for (int i = 0; i < cpu->problem.nx; i++) {
            size_t at = (size_t)j * (size_t)cpu->problem.nx + (size_t)i;
            CHECK_MSG(memcmp(a + at, b + at, sizeof *a) == 0, "%s: (%d, %d) is %.17g, not %.17g",
                      what, i, j, b[at], a[at]);
        }
    free(a);
    free(b);
}

FIELD_UNUSED static void close_both(ss_run *cpu, ss_run *gpu)
{
    ss_run_close(cpu);
    ss_run_close(gpu);
}

#endif
