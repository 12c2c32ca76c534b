/*
 * The CUDA backend's rows in the tables of the registry: its descriptor, its engine ops and their
 * parameters. A page has the tables only: its functions are NULL, and the probe gives the reason.
 * Constant; any thread.
 */
#include "kernels/cpu/state.h"
#include "kernels/cuda/device/names.h"
#include "kernels/cuda/rank/rank.h"
#include "kernels/solver/multigrid.h"
#include "kernels/solver/schedules.h"

#ifndef SS_WITH_PAGE
#define BUILT(fn) fn
#define PROBE ss_cuda_probe
#else
#define BUILT(fn) NULL
static int absent(ss_err *err)
{
    return ss_fail(err, "a page cannot use CUDA: the installed program can");
}
#define PROBE absent
#endif

const ss_backend ss_backend_cuda = {
    .name = "cuda",
    .title = "an NVIDIA GPU",
    .probe = PROBE,
    .start_seconds = BUILT(ss_cuda_start_seconds),
    .lost = BUILT(ss_cuda_lost),
    .describe = BUILT(ss_cuda_describe),
    .memory = BUILT(ss_cuda_memory),
    .memory_of = BUILT(ss_cuda_memory_of),
    .open = BUILT(ss_cuda_open),
    .close = BUILT(ss_cuda_close),
    .reset = BUILT(ss_cuda_reset),
    .upload = BUILT(ss_cuda_upload),
    .download = BUILT(ss_cuda_download),
    .sample = BUILT(ss_cuda_sample),
    .reduce = BUILT(ss_cuda_reduce),
    .meter = BUILT(&ss_cuda_meter),
    .kernels = BUILT(&ss_cuda_kernel_store),
    .kernel_of = BUILT(ss_cuda_kernel_of),
};

/* --- parameters ------------------------------------------------------------------------------- */

static const char *const launches[] = {"graph", "stream", NULL};
static const char *const launch_help[] = {"many cycles in one CUDA graph",
                                          "one kernel launch after the other", NULL};
/* In the order of SS_KERNEL_*. */
static const char *const kernels[] = {"naive",    "padded", "texture", "smem-packed", "smem",
                                      "unrolled", "vector", "inline",  NULL};
static const char *const kernel_help[] = {
    "one thread per point, rows packed without padding",
    "one thread per point, rows aligned to 128 bytes for coalesced access",
    "one thread per point, u read through the texture unit",
    "smem on rows without padding",
    "four points per thread, u and its halo in shared memory: the papers' TunedSync",
    "four points of a column per thread, kept in registers",
    "16 bytes per load, four rows per thread: the fastest that reads b",
    "vector, with b as a function of the point instead of an array: problems paper and spike",
    NULL};
static const char *const tile_names[] = {"register", "memory",   "resident",
                                         "march",    "pipeline", NULL};
static const char *const tile_help[] = {
    "in the registers of a few warps, neighbours by shuffle",
    "in shared memory, one thread a cell: the papers' way",
    "in registers for many cycles in one launch: all tiles on the chip, strips exchanged",
    "two rows of each iteration in registers, a warp marches up its columns: exact overlap only",
    "the same with warps that do three iterations each and hand rows on: compute capability 9.0",
    NULL};

/* These rows have no key: arrows, mouse, digits and `set` change them. */
#define ROW(NAME)                                                                                  \
    .name = NAME, .symbol = NAME, .unit = "", .group = "Kernel", .flags = SS_P_LIVE | SS_P_CONTROL
#define LAUNCH                                                                                     \
    {                                                                                              \
        ROW("launch"), .type = SS_CHOICE, .choices = launches, .choice_help = launch_help,         \
                       .help = "how kernels are launched on the GPU"                               \
    }

#define BLOCK_MOST 1024 /* threads of a block on every device; some kernels allow fewer */
static const char block_why[] = "a block has at most 1024 threads, tpb-x times tpb-y";

static void range_tpb_x(const ss_config *cfg, double *lo, double *hi, const char **why)
{
    (void)lo;
    int warps = BLOCK_MOST / 32 / (int)ss_config_int(cfg, "tpb-y");
    *hi = 32 * warps;
    *why = block_why;
}

static void range_tpb_y(const ss_config *cfg, double *lo, double *hi, const char **why)
{
    (void)lo;
    int rows = BLOCK_MOST / (int)ss_config_int(cfg, "tpb-x");
    *hi = rows;
    *why = block_why;
}

#define TPB                                                                                        \
    {ROW("tpb-x"),                                                                                 \
     .type = SS_INT,                                                                               \
     .def = 32,                                                                                    \
     .min = 32,                                                                                    \
     .max = 1024,                                                                                  \
     .step = 32,                                                                                   \
     .range = range_tpb_x,                                                                         \
     .help = "threads of a block in x"},                                                           \
    {                                                                                              \
        ROW("tpb-y"), .type = SS_INT, .def = 8, .min = 1, .max = 32, .step = 1,                    \
                      .range = range_tpb_y, .help = "threads of a block in y"                      \
    }

#define MACHINE(NAME) .name = NAME, .symbol = NAME, .unit = "", .group = "Machine"
/* In the rows of the solvers that several devices can share. */
#define DEVICES                                                                                    \
    {                                                                                              \
        MACHINE("devices"), .type = SS_STRING, .flags = SS_P_REOPEN, .def_text = "0",              \
                            .help = "CUDA devices that share the run, as 0,1: each takes a slab "  \
                                    "of rows"                                                      \
    }

static ss_param jacobi_rows[] = {
    {ROW("kernel"), .type = SS_CHOICE, .choices = kernels, .choice_help = kernel_help,
     .def = SS_KERNEL_VECTOR, .help = "a rung of the ladder of classic kernels"},
    LAUNCH,
    TPB,
    DEVICES,
    SS_DAMPING_ROW,
    {MACHINE("exchange"), .type = SS_INT, .flags = SS_P_LIVE, .def = 1, .min = 1, .max = 64,
     .step = 1,
     .help =
         "iterations between two halo exchanges of devices, or of CPU and GPU: halos are so many "
         "rows deep"},
    {MACHINE("split"), .type = SS_STRING, .flags = SS_P_LIVE, .def_text = "off",
     .help = "rows that the CPU updates beside the GPU: off, auto (calibrates itself) or a number"},
};

static const char *const sor_kernels[] = {"fused", "interleaved", "split", NULL};
static const char *const sor_kernel_help[] = {
    "both colours in one launch: the red points around a tile are computed twice",
    "a launch per colour, both colours in one array: half of the bytes that it moves are of no use",
    "a launch per colour, each colour in an array of its own", NULL};
static ss_param sor_rows[] = {
    {ROW("kernel"), .type = SS_CHOICE, .choices = sor_kernels, .choice_help = sor_kernel_help,
     .help = "where the colours lie, and how they wait for each other"},
    LAUNCH,
};

static ss_param chebyshev_rows[] = {LAUNCH, TPB};

static ss_param cg_rows[] = {LAUNCH};

static ss_param multigrid_rows[] = {SS_MG_PLANE_ROWS, LAUNCH};

static ss_param sweep3d_rows[] = {LAUNCH, TPB};

static const char *const stream_orders[] = {"resident", "depth", "breadth", NULL};
static const char *const stream_order_help[] = {
    "patches stay on the GPU",
    "they live in the host's memory: up, relaxed and down again, patch after patch",
    "the same, all copies up first, then all kernels, then all copies down", NULL};
static ss_param block_rows[] = {
    {ROW("stream-order"), .type = SS_CHOICE, .choices = stream_orders,
     .choice_help = stream_order_help, .help = "where patches live, and the order of their copies"},
    LAUNCH,
};

static ss_param multigrid3d_rows[] = {SS_MG_PATCH_ROWS, LAUNCH};

static ss_param shared_rows[] = {
    {ROW("tile"), .type = SS_CHOICE, .choices = tile_names, .choice_help = tile_help,
     .help = "where a subdomain lies on the GPU"},
    LAUNCH,
    DEVICES,
};

static ss_param async_rows[] = {LAUNCH};

static const char *const variant_names[] = {"block", "warp", "hybrid", "strip", "cluster", NULL};
static const char *const variant_help[] = {
    "in shared memory, a thread a point: the paper's Shared",
    "in registers, a node a warp: the paper's Register",
    "block, and the node that the ends of the line split is the host's: the paper's Hybrid",
    "in registers, a node a warp, its points in strips that lean: long lines",
    "warp, and nodes write each other's shared memory: short lines in one launch",
    NULL};

static ss_param stepper_rows[] = {LAUNCH, DEVICES};
static ss_param swept_rows[] = {
    {ROW("variant"), .type = SS_CHOICE, .key = "v", .choices = variant_names,
     .choice_help = variant_help, .def_text = "the fastest for line and block",
     .help = "where a node's levels are on the GPU"},
    LAUNCH,
    DEVICES,
};

/* --- engine ops ------------------------------------------------------------------------------- */

#define OPS(ROWS, PREPARE, STEP)                                                                   \
    SS_PARAMS(ROWS), .prepare = BUILT(PREPARE), .step = BUILT(STEP),                               \
                     .release = BUILT(ss_cuda_release)
/* A cycle after s subiterations is computed here, or shown by these ops of the CPU. */
#define PEEKED_BY(CPU) .peek = BUILT(ss_cuda_peek), .microscope = &CPU

const ss_engine_ops ss_cuda_jacobi = {
    .name = "jacobi",
    .caps = SS_CAP_EXACT | SS_CAP_TICK,
    OPS(jacobi_rows, ss_cuda_jacobi_prepare, ss_cuda_step),
    PEEKED_BY(ss_cpu_jacobi),
};

const ss_engine_ops ss_cuda_shared = {
    .name = "shared",
    .caps = SS_CAP_EXACT | SS_CAP_TICK | SS_CAP_TILES,
    OPS(shared_rows, ss_cuda_shared_prepare, ss_cuda_step),
    PEEKED_BY(ss_cpu_shared),
    .best = BUILT(ss_cuda_shared_best),
};

const ss_engine_ops ss_cuda_async = {
    .name = "async",
    .caps = SS_CAP_TICK | SS_CAP_TILES | SS_CAP_AGE,
    OPS(async_rows, ss_cuda_async_prepare, ss_cuda_step),
    .order = BUILT(ss_cuda_async_order),
    PEEKED_BY(ss_cpu_async),
};

const ss_engine_ops ss_cuda_sor = {
    .name = "sor",
    .caps = SS_CAP_EXACT | SS_CAP_TICK,
    OPS(sor_rows, ss_cuda_sor_prepare, ss_cuda_step),
    PEEKED_BY(ss_cpu_sor),
};

/* No microscope: a cycle is one sweep. */
const ss_engine_ops ss_cuda_chebyshev = {
    .name = "chebyshev",
    .caps = SS_CAP_EXACT | SS_CAP_TICK,
    OPS(chebyshev_rows, ss_cuda_chebyshev_prepare, ss_cuda_chebyshev_step),
    .memory = BUILT(ss_cuda_chebyshev_memory),
    .memory_get = BUILT(ss_cuda_chebyshev_get),
    .memory_put = BUILT(ss_cuda_chebyshev_put),
};

/* No microscope: a cycle is shown whole. */
const ss_engine_ops ss_cuda_cg = {
    .name = "cg",
    .caps = SS_CAP_EXACT | SS_CAP_TICK,
    OPS(cg_rows, ss_cuda_cg_prepare, ss_cuda_step),
    .memory = BUILT(ss_cuda_cg_memory),
    .memory_get = BUILT(ss_cuda_cg_get),
    .memory_put = BUILT(ss_cuda_cg_put),
};

const ss_engine_ops ss_cuda_multigrid = {
    .name = "multigrid",
    .caps = SS_CAP_EXACT | SS_CAP_TICK,
    OPS(multigrid_rows, ss_cuda_multigrid_prepare, ss_cuda_step),
    PEEKED_BY(ss_cpu_multigrid),
};

static ss_param persistent_rows[] = {DEVICES};

const ss_engine_ops ss_cuda_persistent = {
    .name = "persistent",
    .caps = SS_CAP_EXACT,
    OPS(persistent_rows, ss_cuda_persistent_prepare, ss_cuda_persistent_step),
    .microscope = &ss_cpu_jacobi,
};

const ss_engine_ops ss_cuda_sweep3d = {
    .name = "jacobi",
    .caps = SS_CAP_EXACT,
    OPS(sweep3d_rows, ss_cuda_sweep3d_prepare, ss_cuda_step),
};

/* Not SS_CAP_EXACT: stored inverses are summed in another order than on the CPU, and the chaotic
 * order is a race. Everything else is bit-for-bit equal to the CPU. */
const ss_engine_ops ss_cuda_block_jacobi = {
    .name = "block-jacobi",
    OPS(block_rows, ss_cuda_block_jacobi_prepare, ss_cuda_block_step),
};

const ss_engine_ops ss_cuda_block_gs = {
    .name = "block-gs",
    OPS(block_rows, ss_cuda_block_gs_prepare, ss_cuda_block_step),
};

/* As its smoothers: not SS_CAP_EXACT. */
const ss_engine_ops ss_cuda_multigrid3d = {
    .name = "multigrid",
    .caps = SS_CAP_TICK,
    OPS(multigrid3d_rows, ss_cuda_multigrid3d_prepare, ss_cuda_step),
    PEEKED_BY(ss_cpu_multigrid3d),
};

const ss_engine_ops ss_cuda_stepper = {
    .name = "stepper",
    .caps = SS_CAP_EXACT | SS_CAP_TICK,
    OPS(stepper_rows, ss_cuda_stepper_prepare, ss_cuda_chain_step),
    .finish = BUILT(ss_cuda_chain_finish),
    PEEKED_BY(ss_cpu_stepper),
};

const ss_engine_ops ss_cuda_swept = {
    .name = "swept",
    .caps = SS_CAP_EXACT | SS_CAP_TICK | SS_CAP_TILES,
    OPS(swept_rows, ss_cuda_swept_prepare, ss_cuda_chain_step),
    .finish = BUILT(ss_cuda_chain_finish),
    PEEKED_BY(ss_cpu_swept),
    .best = BUILT(ss_cuda_swept_best),
};

/* --- ranks ------------------------------------------------------------------------------------ */

#ifdef SS_WITH_PAGE
static int find_none(int local, int *which, double *id, ss_err *err)
{
    (void)local, (void)which, (void)id;
    return absent(err);
}

static int begin_none(int which, ss_err *err)
{
    (void)which;
    return absent(err);
}

const ss_cuda_ranks ss_cuda_rank = {find_none, begin_none, {NULL}};
#else
const ss_cuda_ranks ss_cuda_rank = {
    ss_cuda_rank_find,
    ss_cuda_rank_begin,
    {[SS_STEADY] = &ss_cuda_rank_plane, [SS_TRANSIENT] = &ss_cuda_rank_line}};
#endif
