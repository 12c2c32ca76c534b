/*
 * Red-black SOR on the GPU: prepares and launches the kernels of colours.cuh, by the row `kernel`.
 * device/plan.c enqueues the launches. Host code; engine thread.
 */
#include "kernels/cuda/device/plan.h"
#include "kernels/cuda/device/slabs.h"

#define GRID_MAX 65535 /* thread blocks of a grid in y and in z */
#define LINE_BYTES 128 /* rows of a colour start at multiples of this */
#define ROWS 4         /* per thread: LADDER_ROWS of ladder.cuh, SOR_ROWS of colours.cuh */

enum { RED, BLACK };

/* damped<T> of blend.cuh: 1 - omega and omega, each rounded once. */
typedef union relaxation {
    double f64[2];
    float f32[2];
} relaxation;

/* one_colour<T> of colours.cuh. */
typedef struct one_colour {
    const void *own, *other, *rhs;
    void *out;
    int nx, ny;
    ptrdiff_t stride;
    int colour;
} one_colour;

typedef struct sor {
    ss_cuda_kernel sweep, norm; /* norm of `fused`: the sweep that makes it, too */
    int tiles;                  /* over which the blocks of `norm` loop */
    relaxation relax;
    /* `split`: red and black points of u[0], of u[1] and of the right-hand side. */
    ss_cuda_kernel exchange;
    void *half[3][2];
    ptrdiff_t half_stride;
    size_t half_first; /* element of the first point */
} sor;

static sor *sor_of(const ss_run *run)
{
    return ss_cuda_plan_of(run)->own;
}

static relaxation relaxation_of(ss_prec prec, double omega)
{
    relaxation r = {{1 - omega, omega}};
    if (prec == SS_F32)
        r = (relaxation){.f32 = {(float)(1 - omega), (float)omega}};
    return r;
}

/* The thread blocks of a grid, whose y ends at GRID_MAX (block_row). */
static ss_cu_dim grid_of(int across, int up)
{
    return (ss_cu_dim){(unsigned)across, (unsigned)(up < GRID_MAX ? up : GRID_MAX),
                       (unsigned)ceil_div(up, GRID_MAX)};
}

/* A kernel for the run's update. */
static int find(const ss_run *run, ss_cuda_kernel *k, const char *name, ss_err *err)
{
    return ss_cuda_kernel_get(k, err, "jacobi/colours.cuh", name, ss_cuda_update_name(run, false));
}

/* --- fused ------------------------------------------------------------------------------------ */

#define WARPS 8 /* SOR_WARPS and SOR_LANES of colours.cuh */
#define LANES 30

static void launch_fused(const ss_run *run, int parity, bool norm, ss_cu_stream stream)
{
    const sor *p = sor_of(run);
    ss_cuda_cycle_args a = ss_cuda_cycle_args_of(run, parity);
    ss_cuda_coefficients update = ss_cuda_coefficients_of(run);
    ss_cuda_launch_kernel(norm ? &p->norm : &p->sweep, stream,
                          SS_ARGUMENTS(&a, &update, &p->relax, &p->tiles));
}

static void size_fused(const ss_run *run, sor *p)
{
    const ss_box *b = &ss_cuda_of(run)->box;
    int wide = 16 / (int)ss_prec_size(run->prec); /* points of a lane */
    p->sweep.threads = p->norm.threads = (ss_cu_dim){32, WARPS, 1};
    p->tiles = ceil_div(b->nx, LANES * wide) * ceil_div(b->ny, WARPS * ROWS);
    p->sweep.blocks = (ss_cu_dim){(unsigned)p->tiles, 1, 1};
}

/* --- interleaved ------------------------------------------------------------------------------ */

static void launch_interleaved(const ss_run *run, int parity, bool norm, ss_cu_stream stream)
{
    const sor *p = sor_of(run);
    ss_cuda_cycle_args a = ss_cuda_cycle_args_of(run, parity);
    ss_cuda_coefficients update = ss_cuda_coefficients_of(run);
    const int *stop = a.control->stop;
    if (norm) /* as the ladder's norm passes */
        ss_cuda_launch_kernel(&p->norm, stream,
                              SS_ARGUMENTS(&a.in, &a.rhs, &a.nx, &a.ny, &a.sy, &update, &stop,
                                           &p->tiles, &a.partial, &a.control));
    for (int colour = RED; colour <= BLACK; colour++) {
        ss_cuda_launch_kernel(&p->sweep, stream, SS_ARGUMENTS(&a, &update, &p->relax, &colour));
        a.in = a.out; /* the black points are updated in place */
    }
}

static void size_interleaved(const ss_run *run, sor *p)
{
    const ss_box *b = &ss_cuda_of(run)->box;
    bool line = run->problem.dim == 1;
    p->sweep.threads = (ss_cu_dim){32, 8, 1};
    p->sweep.blocks = grid_of(ceil_div(b->nx, 2 * 32), ceil_div(b->ny, 8));
    p->norm.threads = line ? (ss_cu_dim){256, 1, 1} : (ss_cu_dim){32, 8, 1};
    p->tiles =
        line ? ceil_div(b->nx, 256) * b->ny : ceil_div(b->nx, 32) * ceil_div(b->ny, 8 * ROWS);
}

/* --- split ------------------------------------------------------------------------------------ */

/* The first point of a colour of u[0], of u[1] or of the right-hand side. */
static void *first_of(const ss_run *run, int array, int colour)
{
    const sor *p = sor_of(run);
    return (char *)p->half[array][colour] + p->half_first * ss_prec_size(run->prec);
}

/* Colour `colour` of the cycle from u[parity]; its values u' are made of the other colour of
 * u[from]. */
static one_colour colour_of(const ss_run *run, int parity, int colour, int from)
{
    const ss_box *b = &ss_cuda_of(run)->box;
    return (one_colour){
        .own = first_of(run, parity, colour),
        .other = first_of(run, from, 1 - colour),
        .rhs = first_of(run, 2, colour),
        .out = first_of(run, 1 - parity, colour),
        .nx = b->nx,
        .ny = b->ny,
        .stride = sor_of(run)->half_stride,
        .colour = colour,
    };
}

static void launch_split(const ss_run *run, int parity, bool norm, ss_cu_stream stream)
{
    const sor *p = sor_of(run);
    ss_cuda_control *control = ss_cuda_of(run)->control;
    double *partial = ss_cuda_plan_of(run)->partial;
    ss_cuda_coefficients update = ss_cuda_coefficients_of(run);
    const int *stop = control->stop;
    one_colour red = colour_of(run, parity, RED, parity),
               old_black = colour_of(run, parity, BLACK, parity),
               black = colour_of(run, parity, BLACK, 1 - parity);
    if (norm)
        ss_cuda_launch_kernel(
            &p->norm, stream,
            SS_ARGUMENTS(&red, &old_black, &update, &p->tiles, &partial, &control));
    ss_cuda_launch_kernel(&p->sweep, stream, SS_ARGUMENTS(&red, &update, &p->relax, &stop));
    ss_cuda_launch_kernel(&p->sweep, stream, SS_ARGUMENTS(&black, &update, &p->relax, &stop));
}

static void size_split(const ss_run *run, sor *p)
{
    const ss_box *b = &ss_cuda_of(run)->box;
    int pairs = (b->nx + 1) / 2;
    p->sweep.threads = (ss_cu_dim){32, 8, 1};
    p->sweep.blocks = grid_of(ceil_div(pairs, 32), ceil_div(b->ny, 8 * ROWS));
    p->norm.threads = run->problem.dim > 1 ? (ss_cu_dim){32, 8, 1} : (ss_cu_dim){256, 1, 1};
    p->tiles = ceil_div(pairs, p->norm.threads.x) * ceil_div(b->ny, p->norm.threads.y);
}

/* Array i (u[0], u[1], right-hand side) to the arrays of its colours, or back. */
static void exchange(const ss_run *run, int i, bool back)
{
    const sor *p = sor_of(run);
    const ss_cuda_state *st = ss_cuda_of(run);
    const ss_box *b = &st->box;
    char *array = (char *)(i < 2 ? st->u[i] : st->rhs) + b->first * ss_prec_size(run->prec);
    void *red = first_of(run, i, RED), *black = first_of(run, i, BLACK);
    ss_cuda_launch_kernel(
        &p->exchange, st->stream,
        SS_ARGUMENTS(&array, &b->sy, &red, &black, &p->half_stride, &b->nx, &b->ny, &back));
}

static int exchange_arrays(const ss_run *run, int i, int k, bool back, ss_err *err)
{
    exchange(run, i, back);
    exchange(run, k, back);
    SS_CUDA(ss_cuda_launch_error());
    return SS_OK;
}

/* Before a step. The right-hand side as well: a reset may have changed it. */
static int enter_split(ss_run *run, ss_err *err)
{
    return exchange_arrays(run, ss_cuda_of(run)->cur, 2, false, err);
}

/* After a step. Both fields: the screen may show the start of the last cycle. */
static int leave_split(ss_run *run, ss_err *err)
{
    return exchange_arrays(run, 0, 1, true, err);
}

static int make_split(ss_run *run, ss_err *err)
{
    sor *p = sor_of(run);
    const ss_cuda_state *st = ss_cuda_of(run);
    const ss_box *b = &st->box;
    ss_cuda_plan *plan = ss_cuda_plan_of(run);
    ptrdiff_t line = LINE_BYTES / (ptrdiff_t)ss_prec_size(run->prec);
    p->half_stride = (line + (b->nx + 1) / 2 + 1 + line - 1) / line * line;
    p->half_first = (size_t)(line + b->hy * p->half_stride);
    size_t count = (size_t)(p->half_stride * (b->ny + 2 * b->hy) + line);
    for (int i = 0; i < 6; i++) /* the halo is 0 */
        if (ss_cuda_keep_zeroed(&plan->kept, &p->half[i / 2][i % 2],
                                count * ss_prec_size(run->prec), "a colour of a field", st->stream,
                                err) != SS_OK)
            return SS_FAIL;
    plan->enter = enter_split;
    plan->leave = leave_split;
    /* Both fields: leave_split copies u[1 - cur] back even if no cycle has stored it. */
    p->exchange = (ss_cuda_kernel){.blocks = grid_of(ceil_div(b->nx, 32), ceil_div(b->ny, 8)),
                                   .threads = {32, 8, 1},
                                   .ordinary = true};
    return find(run, &p->exchange, "sor_exchange<%s>", err) == SS_OK
               ? exchange_arrays(run, 0, 1, false, err)
               : SS_FAIL;
}

/* --- prepare ---------------------------------------------------------------------------------- */

static int make_nothing(ss_run *run, ss_err *err)
{
    (void)run, (void)err;
    return SS_OK;
}

/* By SS_SOR_*. The names of kernels of colours.cuh, by update. */
static const struct way {
    ss_cuda_launch *launch;
    const char *sweep, *norm[2];             /* of lines, of planes */
    void (*size)(const ss_run *run, sor *p); /* sets the sizes of the launches */
    int (*make)(ss_run *run, ss_err *err);   /* what it needs beside the state */
    double launches, moved;                  /* per cycle; bytes, as a multiple of one sweep's */
} ways[SS_NSOR] = {
    {launch_fused,
     "sor_fused<%s, false>",
     {"sor_fused<%s, true>", "sor_fused<%s, true>"},
     size_fused,
     make_nothing,
     1,
     1},
    {launch_interleaved,
     "sor_interleaved<%s>",
     {"line_norm<%s>", "jacobi_norm<%s>"},
     size_interleaved,
     make_nothing,
     2,
     2},
    {launch_split,
     "sor_split<%s>",
     {"sor_split_norm<%s>", "sor_split_norm<%s>"},
     size_split,
     make_split,
     2,
     4.0 / 3},
};

/* As many blocks make the norm as are resident at once. */
static int size(const ss_run *run, const struct way *way, ss_err *err)
{
    sor *p = sor_of(run);
    int resident;
    way->size(run, p);
    if (find(run, &p->sweep, way->sweep, err) != SS_OK ||
        find(run, &p->norm, way->norm[run->problem.dim > 1], err) != SS_OK ||
        ss_cuda_kernel_resident(&p->norm, &resident, err) != SS_OK)
        return SS_FAIL;
    int most = ss_cuda_attribute(SS_CU_PROCESSORS) * resident;
    p->norm.blocks.x = (unsigned)(p->tiles < most ? p->tiles : most);
    return SS_OK;
}

static int prepare(ss_run *run, ss_err *err)
{
    const struct way *way = &ways[ss_config_int(&run->cfg, "kernel")];
    if (ss_cuda_plan_make(run, sizeof(sor), err) != SS_OK)
        return SS_FAIL;
    sor *p = sor_of(run);
    p->relax = relaxation_of(run->prec, ss_config_real(&run->cfg, "omega"));
    if (size(run, way, err) != SS_OK ||
        ss_cuda_plan_cycles(run, way->launch, p->norm.blocks.x, err) != SS_OK)
        return SS_FAIL;
    run->per_cycle.launches = way->launches;
    run->per_cycle.global_bytes *= way->moved;
    return way->make(run, err);
}

int ss_cuda_sor_prepare(ss_run *run, ss_err *err)
{
    if (ss_cuda_slabs_of(run))
        return ss_cuda_slabs_refuse("solver sor", "solver jacobi or shared", err);
    if (prepare(run, err) == SS_OK)
        return SS_OK;
    ss_cuda_release(run);
    return SS_FAIL;
}
