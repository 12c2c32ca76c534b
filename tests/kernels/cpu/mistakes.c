/* The planted faults of the break-it lab (parameter `fault` of shared on the CPU) look as the
 * lesson describes: a lattice, no visible effect, columns that never change. */
#include "kernels/cpu/state.h"
#include "tests/fields.h"

#define SMALL "equation poisson2d solver shared backend cpu n 64 block 32 k 8 "

static ss_run *after(const char *settings, int64_t cycles)
{
    char text[256];
    snprintf(text, sizeof text, SMALL "%s", settings);
    ss_run *run = open_run(text);
    run->tol = 0;
    step_run(run, cycles);
    return run;
}

static double reduction(const char *settings, int64_t cycles)
{
    ss_run *run = after(settings, cycles + 1); /* it measures the field that it starts from */
    double r = run->residual / run->residual0;
    ss_run_close(run);
    return r;
}

TEST(mistakes, a_lost_halo_stops_at_a_wrong_answer)
{
    double healthy = reduction("overlap 4", 1500), early = reduction("overlap 4 fault a", 400),
           late = reduction("overlap 4 fault a", 1500);
    CHECK(healthy < 1e-6);
    CHECK(late > 1e-3 && late > 0.99 * early);
}

TEST(mistakes, a_missing_barrier_is_seen_by_memcmp_only)
{
    static const char *const methods[] = {"overlap 14", "overlap 14 fault b"};
    double *field[2];
    for (int i = 0; i < 2; i++) {
        ss_run *run = after(methods[i], 3);
        field[i] = get_field(run, FIELD);
        ss_run_close(run);
        CHECK(CHECK_SANITIZED || reduction(methods[i], 1500) < 1e-6);
    }
    CHECK(memcmp(field[0], field[1], 64 * 64 * sizeof(double)) != 0);
    free(field[0]);
    free(field[1]);
}

/* The last column of every tile except those at the right end keeps its initial values. */
TEST(mistakes, a_column_without_an_owner_never_changes)
{
    ss_run *first = after("overlap 4 fault c", 0), *run = after("overlap 4 fault c", 42);
    ss_tiling t = run->solver->tiling(&run->cfg, &run->problem);
    double *u = get_field(first, FIELD), *v = get_field(run, FIELD);
    for (int i = 0; i < t.x.count; i++) {
        int last = ss_cut_span(t.x, i).whi - 1;
        for (int j = 0; j < 64; j++)
            for (int x = last - 1; x <= last; x++)
                CHECK_MSG((u[j * 64 + x] == v[j * 64 + x]) == (x == last && last < 63),
                          "row %d, column %d: %g and %g", j, x, u[j * 64 + x], v[j * 64 + x]);
    }
    free(u);
    free(v);
    ss_run_close(first);
    ss_run_close(run);
}
