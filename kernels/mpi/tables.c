/*
 * The backend mpi's rows in the tables of the registry. Compiled in every build; without Open MPI
 * the rank program is missing and the probe says so. Constant; any thread.
 */
#include "kernels/cpu/simd/memory.h"
#include "kernels/cpu/state.h"
#include "kernels/mpi/state.h"

const ss_backend ss_backend_mpi = {
    .name = "mpi",
    .title = "processes on one machine or several",
    .probe = ss_mpi_probe,
    .asked_by = "ranks",
    .check = ss_mpi_check,
    .lost = ss_mpi_lost,
    .describe = ss_mpi_describe,
    .memory = ss_memory_available,
    .open = ss_mpi_open,
    .close = ss_mpi_close,
    .reset = ss_mpi_reset,
    .upload = ss_mpi_upload,
    .download = ss_mpi_download,
    .write = ss_mpi_write,
    .sample = ss_mpi_sample,
    .reduce = ss_mpi_reduce,
};

// clang-format off
static ss_param exchange[] = {
    {SS_ROW_INT("exchange", "Method", 1, 1, 64), .unit = "iterations",
     .flags = SS_P_LIVE | SS_P_CONTROL | SS_P_LOG | SS_P_POW2,
     .help = "iterations between two messages: a halo as deep is computed twice"},
};
// clang-format on

#define OPS(NAME, SCHEDULE)                                                                        \
    .name = NAME, .own = SCHEDULE, .prepare = ss_mpi_prepare, .step = ss_mpi_step,                 \
    .release = ss_mpi_release

const ss_engine_ops ss_mpi_jacobi = {OPS("jacobi", &ss_part_jacobi), .caps = SS_CAP_EXACT,
                                     .params = exchange, .nparam = 1};
const ss_engine_ops ss_mpi_shared = {OPS("shared", &ss_part_shared),
                                     .caps = SS_CAP_EXACT | SS_CAP_TILES};
const ss_engine_ops ss_mpi_stepper = {OPS("stepper", &ss_part_stepper), .caps = SS_CAP_EXACT,
                                      .finish = ss_mpi_finish};
const ss_engine_ops ss_mpi_swept = {OPS("swept", &ss_part_swept),
                                    .caps = SS_CAP_EXACT | SS_CAP_TILES, .finish = ss_mpi_finish};
