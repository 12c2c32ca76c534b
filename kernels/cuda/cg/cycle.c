/*
 * Conjugate gradients on the GPU: the vectors, and a cycle as a series of launches. The kernels are
 * in passes.cuh, s_step.cuh and iterate.cuh. Host code; engine thread.
 *
 *     variant     launches per cycle    and where the residual is checked
 *     classic     2                     2: the check, and a new start, which is seldom due
 *     pipelined   1                     3: these, and w after a new start
 *     s-step      s + 3, s > 4: s + 4   2
 *
 * Which array holds what. A cycle goes from u[parity] to u[1 - parity]. A vector that is read at
 * neighbours and replaced in one pass, p (classic) or w (pipelined), has two arrays and changes
 * between them in the same way. The check comes before the cycle: if it ends the run, the launches
 * after it store nothing, and the field and all vectors are those of the present cycle.
 *
 * The factors stay on the device, also between steps; the host reads them for copies only.
 */
#include "kernels/cuda/cg/arguments.h"
#include "kernels/cuda/device/plan.h"

/* The vectors of each variant: first those with one array, then the two arrays of one more. */
enum { R, P };                     /* s-step: and the rest of the basis */
enum { CLASSIC_P = 1 };            /* classic, with R */
enum { S = 2, Z, W, PIPELINED_W }; /* pipelined, with R and P */

typedef struct cg_variant {
    int kept;        /* vectors with one array that the next cycle needs */
    int alternating; /* 1: the next vector has two arrays */
    int sums;        /* dot products of a pass; 0: all of the basis */
} cg_variant;

static const cg_variant variants[SS_NCG] = {{1, 1, 1}, {4, 1, 2}, {2, 0, 0}};

/* The passes over points, pass.cuh; CG_COMBINE is a template over the precision, not the update. */
enum {
    CG_CHECK,
    CG_START,
    CG_DIRECTION,
    CG_STEP,
    CG_FIRST_W,
    CG_PIPE,
    CG_POWER,
    CG_COMBINE,
    CG_NPASS
};

enum { CLASSIC = 1 << SS_CG_CLASSIC, PIPELINED = 1 << SS_CG_PIPELINED, S_STEP = 1 << SS_CG_S_STEP };

static const struct {
    const char *name, *file;
    int sums;     /* dot products */
    int variants; /* that have it */
} passes[CG_NPASS] = {
    [CG_CHECK] = {"cg_check", "cg/passes.cuh", 1, CLASSIC | PIPELINED | S_STEP},
    [CG_START] = {"cg_start", "cg/passes.cuh", 1, CLASSIC | PIPELINED | S_STEP},
    [CG_DIRECTION] = {"cg_direction", "cg/passes.cuh", 1, CLASSIC},
    [CG_STEP] = {"cg_step", "cg/passes.cuh", 1, CLASSIC},
    [CG_FIRST_W] = {"cg_first_w", "cg/passes.cuh", 1, PIPELINED},
    [CG_PIPE] = {"cg_pipe", "cg/passes.cuh", 2, PIPELINED},
    [CG_POWER] = {"cg_power", "cg/s_step.cuh", 0, S_STEP},
    [CG_COMBINE] = {"cg_combine", "cg/s_step.cuh", 0, S_STEP},
};

typedef struct cg_plan {
    ss_cg_id id;
    const cg_variant *how;
    ss_cg_basis basis;
    size_t bytes; /* of a vector */
    char *memory;
    cg_run device; /* what every pass gets */
    ss_cuda_kernel pass[CG_NPASS], put_reached;
    ss_cuda_kernel gram, gram_between, iterate; /* s-step; between: two chunks, if there are two */
} cg_plan;

/* cg_fields<E> of passes.cuh; NULL: the variant has no such vector. */
typedef struct cg_fields {
    const void *u, *g;
    void *to, *r, *p, *w, *s, *z, *next;
    ptrdiff_t sy;
    ss_cuda_coefficients update;
    char own[32]; /* what kernels set: at most four numbers */
} cg_fields;

/* cg_power<E> of s_step.cuh. */
typedef struct cg_power {
    const void *v[2], *before[2];
    void *to[2];
    ss_cuda_real factor;
    ptrdiff_t sy;
    int count;
    bool first;
    ss_cuda_coefficients update;
} cg_power;

/* cg_vectors<T> and cg_combine<T> of s_step.cuh. */
typedef struct cg_vectors {
    const void *first;
    size_t stride;
    int s, n;
} cg_vectors;
typedef struct cg_combine {
    cg_vectors basis;
    const void *u;
    void *to, *r, *p;
    const ss_cg_coordinates *by; /* the kernel sets it */
} cg_combine;

static cg_plan *plan_of(const ss_run *run)
{
    return ss_cuda_plan_of(run)->own;
}

/* The array of the alternating vector in a cycle from u[parity]. */
static int alternating(const cg_plan *p, int parity)
{
    return p->how->kept + parity;
}

/* Point (0, 0) of an array. */
static void *vector(const ss_run *run, int which)
{
    const cg_plan *p = plan_of(run);
    size_t first = ss_cuda_of(run)->box.first * ss_prec_size(run->prec);
    return p->memory + (size_t)which * p->bytes + first;
}

/* --- launches --------------------------------------------------------------------------------- */

/* pass: its first argument. */
static void visit(const ss_run *run, int which, const void *pass, ss_cu_stream stream)
{
    const cg_plan *p = plan_of(run);
    ss_cuda_launch_kernel(&p->pass[which], stream, SS_ARGUMENTS(pass, &p->device));
}

static cg_fields fields_of(const ss_run *run, int parity)
{
    const cg_plan *p = plan_of(run);
    ss_cuda_cycle_args a = ss_cuda_cycle_args_of(run, parity);
    cg_fields f = {.u = a.in, .g = a.rhs, .to = a.out, .sy = a.sy};
    f.update = ss_cuda_coefficients_of(run);
    f.r = vector(run, R);
    f.p = vector(run, p->id == SS_CG_CLASSIC ? alternating(p, parity) : P);
    if (p->how->alternating)
        f.next = vector(run, alternating(p, 1 - parity));
    if (p->id == SS_CG_PIPELINED) {
        f.w = vector(run, alternating(p, parity));
        f.s = vector(run, S);
        f.z = vector(run, Z);
    }
    return f;
}

/* Launched before each step and after each check; the kernels do nothing unless the method has to
 * start again. */
static void start(const ss_run *run, const cg_fields *f, ss_cu_stream stream)
{
    visit(run, CG_START, f, stream);
    if (plan_of(run)->id == SS_CG_PIPELINED)
        visit(run, CG_FIRST_W, f, stream);
}

static void classic(const ss_run *run, const cg_fields *f, ss_cu_stream stream)
{
    visit(run, CG_DIRECTION, f, stream);
    visit(run, CG_STEP, f, stream);
}

static void pipelined(const ss_run *run, const cg_fields *f, ss_cu_stream stream)
{
    visit(run, CG_PIPE, f, stream);
}

/* Polynomial j + 1 of both bases; that of r ends one earlier. */
static void power(const ss_run *run, const cg_fields *f, int j, ss_cu_stream stream)
{
    const cg_plan *p = plan_of(run);
    int s = p->basis.s;
    cg_power pass = {.sy = f->sy, .count = j + 1 < s ? 2 : 1, .first = j == 0, .update = f->update};
    pass.factor = ss_cuda_real_of(run->prec, ss_cg_power_factor(p->basis, j));
    for (int b = 0; b < 2; b++) {
        int k = b * (s + 1) + j;
        pass.v[b] = vector(run, ss_cg_vector(s, k));
        pass.before[b] = j > 0 ? vector(run, ss_cg_vector(s, k - 1)) : NULL;
        pass.to[b] = j + 1 + b <= s ? vector(run, ss_cg_vector(s, k + 1)) : NULL;
    }
    visit(run, CG_POWER, &pass, stream);
}

/* All dot products of the basis: those within each chunk of it, then those of two chunks. */
static void gram(const cg_plan *p, const cg_vectors *all, ss_cu_stream stream)
{
    ss_cuda_launch_kernel(&p->gram, stream, SS_ARGUMENTS(all, &p->device));
    if (p->gram_between.function)
        ss_cuda_launch_kernel(&p->gram_between, stream, SS_ARGUMENTS(all, &p->device));
}

static void s_step(const ss_run *run, const cg_fields *f, ss_cu_stream stream)
{
    const cg_plan *p = plan_of(run);
    int s = p->basis.s;
    cg_vectors all = {f->r, p->bytes / ss_prec_size(run->prec), s, ss_cg_basis_size(s)};
    cg_combine combine = {all, f->u, f->to, f->r, f->p, NULL};
    for (int j = 0; j < s; j++)
        power(run, f, j, stream);
    gram(p, &all, stream);
    ss_cuda_launch_kernel(&p->iterate, stream, SS_ARGUMENTS(&p->basis, &p->device));
    visit(run, CG_COMBINE, &combine, stream);
}

static void launch(const ss_run *run, int parity, bool norm, ss_cu_stream stream)
{
    static void (*const cycles[SS_NCG])(const ss_run *, const cg_fields *,
                                        ss_cu_stream) = {classic, pipelined, s_step};
    cg_fields f = fields_of(run, parity);
    if (norm) {
        visit(run, CG_CHECK, &f, stream);
        start(run, &f, stream);
    }
    cycles[plan_of(run)->id](run, &f, stream);
}

/* Before the first launch of a step. put_reached is an ordinary launch, which waits for all work
 * before it. */
static void begin(const ss_run *run, int parity, ss_cu_stream stream)
{
    const cg_plan *p = plan_of(run);
    cg_fields f = fields_of(run, parity);
    int before = run->reached && run->reached_cycle < run->cycle;
    ss_cuda_launch_kernel(&p->put_reached, stream, SS_ARGUMENTS(&p->device.state, &before));
    start(run, &f, stream);
}

/* --- prepare ---------------------------------------------------------------------------------- */

static void describe(const ss_run *run, cg_plan *p)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    cg_run *a = &p->device;
    size_t size = ss_prec_size(run->prec);
    p->id = ss_cg_of(&run->cfg);
    p->how = &variants[p->id];
    p->basis = ss_cg_basis_of(&run->cfg);
    p->bytes = st->box.count * size;
    a->nx = st->box.nx;
    a->ny = st->box.ny;
    a->sy = st->box.sy;
    a->segments = ceil_div(a->nx, SS_CG_SEGMENT) * a->ny;
    a->control = st->control;
}

/* Zeroed: the halos are 0. */
static int make_memory(const ss_run *run, cg_plan *p, ss_err *err)
{
    ss_cuda_kept *kept = &ss_cuda_plan_of(run)->kept;
    int vectors = p->how->alternating ? p->how->kept + 2 : ss_cg_basis_size(p->basis.s);
    ss_cu_stream stream = ss_cuda_of(run)->stream;
    return ss_cuda_keep_zeroed(kept, (void **)&p->memory, (size_t)vectors * p->bytes, "the vectors",
                               stream, err) == SS_OK
               ? ss_cuda_keep_zeroed(kept, (void **)&p->device.state, sizeof *p->device.state,
                                     "the factors", stream, err)
               : SS_FAIL;
}

static int find_pass(const ss_run *run, int which, ss_err *err)
{
    cg_plan *p = plan_of(run);
    ss_cuda_kernel *k = &p->pass[which];
    int across = ceil_div(p->device.nx, SS_CG_SEGMENT);
    int down = cg_tiles_down(p->device.ny, cg_rows(passes[which].sums));
    k->blocks.x = (unsigned)(across * down);
    k->threads.x = CG_THREADS;
    return ss_cuda_kernel_get(k, err, passes[which].file, "cg_pass<%s<%s>>", passes[which].name,
                              which == CG_COMBINE ? ss_cuda_real_name(run->prec)
                                                  : ss_cuda_update_name(run, false));
}

static int find_gram(const ss_run *run, ss_cuda_kernel *k, bool same, ss_err *err)
{
    cg_plan *p = plan_of(run);
    k->blocks.x = (unsigned)ceil_div(p->device.segments, CG_GRAM_SEGMENTS);
    k->threads.x = CG_GRAM_THREADS;
    return ss_cuda_kernel_get(k, err, "cg/s_step.cuh", "cg_gram<%s, %s>",
                              ss_cuda_real_name(run->prec), same ? "true" : "false");
}

static int find_s_step(const ss_run *run, ss_err *err)
{
    cg_plan *p = plan_of(run);
    int n = ss_cg_basis_size(p->basis.s), chunks = ceil_div(n, CG_CHUNK);
    p->gram.blocks.y = (unsigned)chunks;
    p->iterate.blocks.x = (unsigned)ss_cg_pair(n, 0);
    p->iterate.threads.x = CG_THREADS;
    if (find_gram(run, &p->gram, true, err) != SS_OK ||
        (chunks > 1 && find_gram(run, &p->gram_between, false, err) != SS_OK))
        return SS_FAIL;
    return ss_cuda_kernel_get(&p->iterate, err, "cg/iterate.cuh", "cg_iterate");
}

static int find(const ss_run *run, ss_err *err)
{
    cg_plan *p = plan_of(run);
    for (int i = 0; i < CG_NPASS; i++)
        if (passes[i].variants & 1 << p->id && find_pass(run, i, err) != SS_OK)
            return SS_FAIL;
    if (p->id == SS_CG_S_STEP && find_s_step(run, err) != SS_OK)
        return SS_FAIL;
    p->put_reached.ordinary = true;
    return ss_cuda_kernel_get(&p->put_reached, err, "cg/passes.cuh", "put_reached");
}

/* Partial sums of a pass. */
static size_t partials_of(const cg_plan *p)
{
    int sums = p->how->sums ? p->how->sums : ss_cg_pair(ss_cg_basis_size(p->basis.s), 0);
    return (size_t)sums * (size_t)p->device.segments;
}

static int make(ss_run *run, ss_cuda_plan *plan, ss_err *err)
{
    cg_plan *p = plan->own;
    describe(run, p);
    if (find(run, err) != SS_OK || make_memory(run, p, err) != SS_OK ||
        ss_cuda_plan_cycles(run, launch, partials_of(p), err) != SS_OK)
        return SS_FAIL;
    p->device.partial = plan->partial;
    return SS_OK;
}

static const ss_cuda_solver solver = {sizeof(cg_plan), make, .alone = "solver cg", .begin = begin};

int ss_cuda_cg_prepare(ss_run *run, ss_err *err)
{
    return ss_cuda_prepare(run, &solver, err);
}

/* --- copies of the state ---------------------------------------------------------------------- */

/* What follows the field in a copy: the recurrence, then the kept vectors, dense. */

static int kept_of(const cg_plan *p)
{
    return p->how->kept + p->how->alternating;
}

static size_t dense_bytes(const ss_run *run)
{
    return (size_t)run->problem.nx * (size_t)run->problem.ny * ss_prec_size(run->prec);
}

size_t ss_cuda_cg_memory(const ss_run *run)
{
    return sizeof(ss_cg_recurrence) + (size_t)kept_of(plan_of(run)) * dense_bytes(run);
}

/* Copies between the kept vectors and `dense`. */
static int copy_vectors(const ss_run *run, char *dense, bool up, ss_err *err)
{
    const cg_plan *p = plan_of(run);
    const ss_box *b = &ss_cuda_of(run)->box;
    size_t size = ss_prec_size(run->prec), width = (size_t)b->nx * size;
    size_t pitch = (size_t)b->sy * size, rows = (size_t)b->ny;
    for (int k = 0; k < kept_of(p); k++) {
        char *host = dense + (size_t)k * dense_bytes(run);
        char *device = vector(run, k < p->how->kept ? k : alternating(p, ss_cuda_of(run)->cur));
        int status =
            up ? ss_cuda_copy_rows(run, device, pitch, host, width, width, rows, SS_CUDA_UP, err)
               : ss_cuda_copy_rows(run, host, width, device, pitch, width, rows, SS_CUDA_DOWN, err);
        if (status != SS_OK)
            return SS_FAIL;
    }
    SS_CUDA(ss_cu->stream_wait(ss_cuda_of(run)->stream));
    return SS_OK;
}

int ss_cuda_cg_get(ss_run *run, void *to, ss_err *err)
{
    const cg_plan *p = plan_of(run);
    ss_cuda_use(ss_cuda_of(run)->device);
    SS_CUDA(
        ss_cu->copy(to, &p->device.state->at, sizeof(ss_cg_recurrence), ss_cuda_of(run)->stream));
    return copy_vectors(run, (char *)to + sizeof(ss_cg_recurrence), false, err);
}

/* NULL: the method starts again from the field. */
int ss_cuda_cg_put(ss_run *run, const void *from, ss_err *err)
{
    const cg_plan *p = plan_of(run);
    ss_cu_stream stream = ss_cuda_of(run)->stream;
    ss_cuda_use(ss_cuda_of(run)->device);
    SS_CUDA(ss_cu->fill(p->device.state, 0, sizeof *p->device.state, stream));
    if (!from)
        return SS_OK;
    SS_CUDA(ss_cu->copy(&p->device.state->at, from, sizeof(ss_cg_recurrence), stream));
    return copy_vectors(run, (char *)(uintptr_t)from + sizeof(ss_cg_recurrence), true, err);
}
