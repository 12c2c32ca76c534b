/*
 * The backend mpi's rows in the tables of the registry. Compiled in every build; without Open MPI
 * the rank program is missing and the probe says so. A page starts no programs: there the functions
 * are NULL. Constant; any thread.
 */
#include "kernels/cpu/simd/machine.h"
#include "kernels/cpu/state.h"
#include "kernels/mpi/inner.h"

#ifdef SS_WITH_PAGE
#define BUILT(fn) NULL
static int absent(ss_err *err)
{
    return ss_fail(err, "a page has no ranks: set ranks-model models their messages");
}
#define PROBE absent
#else
#define BUILT(fn) fn
#define PROBE ss_mpi_probe
#endif

const ss_backend ss_backend_mpi = {
    .name = "mpi",
    .title = "processes on one machine or several",
    .probe = PROBE,
    .asked_by = "ranks",
    .check = BUILT(ss_mpi_check),
    .lost = BUILT(ss_mpi_lost),
    .let_go = BUILT(ss_job_let_go),
    .describe = BUILT(ss_mpi_describe),
    .memory = ss_memory_available,
    .open = BUILT(ss_mpi_open),
    .close = BUILT(ss_mpi_close),
    .reset = BUILT(ss_mpi_reset),
    .upload = BUILT(ss_mpi_upload),
    .download = BUILT(ss_mpi_download),
    .write = BUILT(ss_mpi_write),
    .sample = BUILT(ss_mpi_sample),
    .reduce = BUILT(ss_mpi_reduce),
};

// clang-format off
static ss_param exchange[] = {
    {SS_ROW_INT("exchange", "Method", 1, 1, 64), .unit = "iterations",
     .flags = SS_P_LIVE | SS_P_CONTROL | SS_P_LOG | SS_P_POW2,
     .help = "iterations between two messages: a halo as deep is computed twice"},
};
// clang-format on

#define OPS(NAME, SCHEDULE)                                                                        \
    .name = NAME, .own = BUILT(SCHEDULE), .prepare = BUILT(ss_mpi_prepare),                        \
    .step = BUILT(ss_mpi_step), .release = BUILT(ss_mpi_release)

const ss_engine_ops ss_mpi_jacobi = {OPS("jacobi", &ss_part_jacobi), .caps = SS_CAP_EXACT,
                                     .params = exchange, .nparam = 1};
const ss_engine_ops ss_mpi_shared = {OPS("shared", &ss_part_shared),
                                     .caps = SS_CAP_EXACT | SS_CAP_TILES};
const ss_engine_ops ss_mpi_stepper = {OPS("stepper", &ss_part_stepper), .caps = SS_CAP_EXACT,
                                      .finish = BUILT(ss_mpi_finish)};
const ss_engine_ops ss_mpi_swept = {OPS("swept", &ss_part_swept),
                                    .caps = SS_CAP_EXACT | SS_CAP_TILES,
                                    .finish = BUILT(ss_mpi_finish)};
