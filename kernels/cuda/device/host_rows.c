/* Rows computed by the host's threads: see host_rows.h. */
#include "kernels/cuda/device/host_rows.h"

#include <math.h>
#include <omp.h>
#include <string.h>

#include "kernels/cpu/simd/team.h"

int ss_host_rows_threads(const ss_run *run, int count)
{
    int team = ss_team_size(run, (double)count * run->problem.nx);
    return team < count ? team : count;
}

static void narrow(const double *from, int n, float *to)
{
    for (int i = 0; i < n; i++)
        to[i] = (float)from[i];
}

void ss_host_rows_fill(const ss_run *run, ss_row_function *fn, int field, int k, int j0, int j1,
                       double *scratch, void *rows)
{
    size_t nx = (size_t)run->problem.nx;
#pragma omp parallel for num_threads(ss_host_rows_threads(run, j1 - j0))
    for (int j = j0; j < j1; j++) {
        size_t at = (size_t)(j - j0) * nx;
        double *row =
            run->prec == SS_F64 ? (double *)rows + at : scratch + (size_t)omp_get_thread_num() * nx;
        fn(&run->problem, field, j, k, row);
        if (run->prec == SS_F32)
            narrow(row, run->problem.nx, (float *)rows + at);
    }
}

/* In an order of the threads' own: a minimum has the same bits in any. */
double ss_host_rows_least(const ss_run *run, const void *rows, size_t n, double least)
{
    const double *f64 = run->prec == SS_F64 ? rows : NULL;
    const float *f32 = rows;
#pragma omp parallel for num_threads(ss_team_size(run, (double)n)) reduction(min : least)
    for (size_t i = 0; i < n; i++) {
        double magnitude = fabs(f64 ? f64[i] : (double)f32[i]);
        if (magnitude > 0 && magnitude < least)
            least = magnitude;
    }
    return least;
}
