/*
 * Conjugate gradients on the GPU: the vectors, and a cycle as a series of launches. The kernels are
 * in passes.cuh and s_step.cuh. Host code; engine thread.
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
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/cg/engine_ops.h"
#include "kernels/cuda/cg/s_step.cuh"
#include "kernels/cuda/device/slabs.cuh"

/* The vectors of each variant: first those with one array, then the two arrays of one more. */
enum { R, P };                     /* s-step: and the rest of the basis */
enum { CLASSIC_P = 1 };            /* classic, with R */
enum { S = 2, Z, W, PIPELINED_W }; /* pipelined, with R and P */

struct cg_variant {
    int kept;        /* vectors with one array that the next cycle needs */
    int alternating; /* 1: the next vector has two arrays */
    int sums;        /* dot products of a pass; 0: all of the basis */
    int p, w;        /* the arrays of p and w; those of an alternating one are this and the next */
};

static const cg_variant variants[SS_NCG] = {
    {1, 1, 1, CLASSIC_P, -1},
    {4, 1, 2, P, W},
    {2, 0, 0, P, -1},
};

struct cg_plan {
    ss_cg_id id;
    const cg_variant *how;
    ss_cg_basis basis;
    size_t bytes; /* of a vector */
    char *memory;
    cg_run device; /* what every pass gets */
};

static cg_plan *plan_of(const ss_run *run)
{
    return (cg_plan *)((const ss_cuda_cycles *)run->scratch)->own;
}

/* The array of the alternating vector in a cycle from u[parity]. */
static int alternating(const cg_plan *p, int parity)
{
    return p->how->kept + parity;
}

/* --- launches --------------------------------------------------------------------------------- */

/* Point (0, 0) of an array. */
template <typename T> static T *vector(const ss_run *run, int which)
{
    const cg_plan *p = plan_of(run);
    return (T *)(p->memory + (size_t)which * p->bytes) + ss_cuda_of(run)->box.first;
}

template <class P> static void visit(const ss_run *run, const P &pass, cudaStream_t stream)
{
    const cg_plan *p = plan_of(run);
    int across = ceil_div(p->device.nx, SS_CG_SEGMENT);
    launch_kernel(cg_pass<P>, across * cg_tiles_down(p->device.ny, cg_rows(P::sums)), CG_THREADS, 0,
                  stream, pass, p->device);
}

template <class E> static void fill(const ss_run *run, int parity, cg_residual<E> *out)
{
    typedef typename E::real T;
    ss_cuda_sweep<T> a = sweep_of<T>(run, parity);
    out->u = a.in;
    out->g = a.rhs;
    out->sy = a.sy;
    out->update = equation<E>(run);
}

template <class E> static void check(const ss_run *run, int parity, cudaStream_t stream)
{
    cg_check<E> pass;
    fill(run, parity, &pass);
    pass.prec = run->prec;
    pass.rr = 0;
    visit(run, pass, stream);
}

/* Launched before each step and after each check; the kernels do nothing unless the method has to
 * start again. */
template <class E> static void start(const ss_run *run, int parity, cudaStream_t stream)
{
    typedef typename E::real T;
    const cg_plan *p = plan_of(run);
    cg_start<E> pass;
    fill(run, parity, &pass);
    pass.r = vector<T>(run, R);
    pass.p = vector<T>(run, p->how->p == p->how->kept ? alternating(p, parity) : p->how->p);
    visit(run, pass, stream);
    if (p->how->w >= 0)
        visit(run,
              cg_first_w<E>{pass.r, vector<T>(run, alternating(p, parity)), pass.sy, pass.update},
              stream);
}

template <class E> static void classic(const ss_run *run, int parity, cudaStream_t stream)
{
    typedef typename E::real T;
    const cg_plan *p = plan_of(run);
    ss_cuda_sweep<T> a = sweep_of<T>(run, parity);
    T *r = vector<T>(run, R), *old = vector<T>(run, alternating(p, parity));
    T *now = vector<T>(run, alternating(p, 1 - parity));
    E update = equation<E>(run);
    visit(run, cg_direction<E>{r, old, now, a.sy, update, 0, false}, stream);
    visit(run, cg_step<E>{a.in, now, a.out, r, a.sy, update, 0, 0}, stream);
}

template <class E> static void pipelined(const ss_run *run, int parity, cudaStream_t stream)
{
    typedef typename E::real T;
    const cg_plan *p = plan_of(run);
    ss_cuda_sweep<T> a = sweep_of<T>(run, parity);
    cg_pipe<E> pass = {a.in,
                       vector<T>(run, alternating(p, parity)),
                       a.out,
                       vector<T>(run, R),
                       vector<T>(run, P),
                       vector<T>(run, S),
                       vector<T>(run, Z),
                       vector<T>(run, alternating(p, 1 - parity)),
                       a.sy,
                       equation<E>(run),
                       0,
                       0,
                       0};
    visit(run, pass, stream);
}

/* Polynomial j + 1 of both bases; that of r ends one earlier. */
template <class E> static void power(const ss_run *run, int j, cudaStream_t stream)
{
    typedef typename E::real T;
    const cg_plan *p = plan_of(run);
    int s = p->basis.s;
    cg_power<E> pass;
    for (int b = 0; b < 2; b++) {
        int k = b * (s + 1) + j;
        pass.v[b] = vector<T>(run, ss_cg_vector(s, k));
        pass.before[b] = j > 0 ? vector<T>(run, ss_cg_vector(s, k - 1)) : NULL;
        pass.to[b] = j + 1 + b <= s ? vector<T>(run, ss_cg_vector(s, k + 1)) : NULL;
    }
    pass.count = j + 1 < s ? 2 : 1;
    pass.first = j == 0;
    pass.factor = (T)ss_cg_power_factor(p->basis, j);
    pass.sy = p->device.sy;
    pass.update = equation<E>(run);
    visit(run, pass, stream);
}

/* All dot products of the basis: those within each chunk of it, then those of two chunks. */
template <typename T>
static void gram(const ss_run *run, const cg_vectors<T> &all, cudaStream_t stream)
{
    const cg_plan *p = plan_of(run);
    int chunks = cg_chunks(all.n), blocks = ceil_div(p->device.segments, CG_GRAM_SEGMENTS);
    launch_kernel(cg_gram<T, true>, dim3(blocks, chunks), CG_GRAM_THREADS, 0, stream, all,
                  p->device);
    if (chunks > 1)
        launch_kernel(cg_gram<T, false>, blocks, CG_GRAM_THREADS, 0, stream, all, p->device);
}

template <class E> static void s_step(const ss_run *run, int parity, cudaStream_t stream)
{
    typedef typename E::real T;
    const cg_plan *p = plan_of(run);
    ss_cuda_sweep<T> a = sweep_of<T>(run, parity);
    int n = ss_cg_basis_size(p->basis.s);
    cg_vectors<T> all = {vector<T>(run, R), p->bytes / sizeof(T), p->basis.s, n};
    for (int j = 0; j < p->basis.s; j++)
        power<E>(run, j, stream);
    gram<T>(run, all, stream);
    launch_kernel(cg_iterate, ss_cg_pair(n, 0), CG_THREADS, 0, stream, p->basis, p->device);
    visit(run,
          cg_combine<T>{all, a.in, a.out, vector<T>(run, R), vector<T>(run, P),
                        &p->device.state->vectors},
          stream);
}

template <class E>
static void launch_cycle(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    static void (*const cycles[SS_NCG])(const ss_run *, int,
                                        cudaStream_t) = {classic<E>, pipelined<E>, s_step<E>};
    if (norm) {
        check<E>(run, parity, stream);
        start<E>(run, parity, stream);
    }
    cycles[plan_of(run)->id](run, parity, stream);
}

static void launch(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    SS_CUDA_DISPATCH(run, launch_cycle, run, parity, norm, stream);
}

static __global__ void put_reached(cg_state *state, int reached)
{
    state->reached = reached;
}

/* Before the first launch of a step. An ordinary launch, which waits for all work before it. */
static void begin(const ss_run *run, int parity, cudaStream_t stream)
{
    bool before = run->reached && run->reached_cycle < run->cycle;
    put_reached<<<1, 1, 0, stream>>>(plan_of(run)->device.state, before);
    SS_CUDA_DISPATCH(run, start, run, parity, stream);
}

/* --- prepare ---------------------------------------------------------------------------------- */

static void free_plan(void *own)
{
    cg_plan *p = (cg_plan *)own;
    cudaFree(p->memory);
    cudaFree(p->device.state);
    free(p);
}

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

static int make_memory(const ss_run *run, cg_plan *p, ss_err *err)
{
    int vectors = p->how->alternating ? p->how->kept + 2 : ss_cg_basis_size(p->basis.s);
    size_t bytes = (size_t)vectors * p->bytes;
    cudaStream_t stream = ss_cuda_of(run)->stream;
    if (ss_cuda_alloc((void **)&p->memory, bytes, "the vectors", err) != SS_OK ||
        ss_cuda_alloc((void **)&p->device.state, sizeof *p->device.state, "the factors", err) !=
            SS_OK)
        return SS_FAIL;
    SS_CUDA(cudaMemsetAsync(p->memory, 0, bytes, stream)); /* the halos are 0 */
    SS_CUDA(cudaMemsetAsync(p->device.state, 0, sizeof *p->device.state, stream));
    return SS_OK;
}

/* Partial sums of a pass. */
static size_t partials_of(const cg_plan *p)
{
    int sums = p->how->sums ? p->how->sums : ss_cg_pair(ss_cg_basis_size(p->basis.s), 0);
    return (size_t)sums * (size_t)p->device.segments;
}

int ss_cuda_cg_prepare(ss_run *run, ss_err *err)
{
    if (ss_cuda_slabs_of(run))
        return ss_cuda_slabs_refuse("solver cg", "solver jacobi or shared", err);
    cg_plan *p = (cg_plan *)calloc(1, sizeof *p);
    if (!p)
        return ss_fail(err, "out of memory");
    describe(run, p);
    if (make_memory(run, p, err) == SS_OK &&
        ss_cuda_cycles_make(run, launch, partials_of(p), p, free_plan, err) == SS_OK) {
        ss_cuda_cycles *c = (ss_cuda_cycles *)run->scratch;
        p->device.partial = c->partial;
        c->begin = begin;
        return SS_OK;
    }
    if (!run->scratch) /* else the scratch owns p, and ss_cuda_release frees it */
        free_plan(p);
    ss_cuda_release(run);
    return SS_FAIL;
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
        int which = k < p->how->kept ? k : alternating(p, ss_cuda_of(run)->cur);
        char *host = dense + (size_t)k * dense_bytes(run);
        char *device = p->memory + (size_t)which * p->bytes + b->first * size;
        int status = up ? ss_cuda_copy_rows(run, device, pitch, host, width, width, rows,
                                            cudaMemcpyHostToDevice, err)
                        : ss_cuda_copy_rows(run, host, width, device, pitch, width, rows,
                                            cudaMemcpyDeviceToHost, err);
        if (status != SS_OK)
            return SS_FAIL;
    }
    SS_CUDA(cudaStreamSynchronize(ss_cuda_of(run)->stream));
    return SS_OK;
}

int ss_cuda_cg_get(ss_run *run, void *to, ss_err *err)
{
    const cg_plan *p = plan_of(run);
    SS_CUDA(cudaMemcpyAsync(to, &p->device.state->at, sizeof(ss_cg_recurrence),
                            cudaMemcpyDeviceToHost, ss_cuda_of(run)->stream));
    return copy_vectors(run, (char *)to + sizeof(ss_cg_recurrence), false, err);
}

/* NULL: the method starts again from the field. */
int ss_cuda_cg_put(ss_run *run, const void *from, ss_err *err)
{
    const cg_plan *p = plan_of(run);
    cudaStream_t stream = ss_cuda_of(run)->stream;
    SS_CUDA(cudaMemsetAsync(p->device.state, 0, sizeof *p->device.state, stream));
    if (!from)
        return SS_OK;
    SS_CUDA(cudaMemcpyAsync(&p->device.state->at, from, sizeof(ss_cg_recurrence),
                            cudaMemcpyHostToDevice, stream));
    return copy_vectors(run, (char *)from + sizeof(ss_cg_recurrence), true, err);
}
