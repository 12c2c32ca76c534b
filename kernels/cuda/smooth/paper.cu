/*
 * The stored inverse on the GPU as in the paper on block-relaxation smoothers: a spatial block is a
 * thread block, a cell a thread. The residuals of the block go to shared memory; then each thread
 * makes the scalar product of its row of the inverse with them, and every block reads the whole
 * inverse again. Engine thread.
 */
#include <stdio.h>

#include "kernels/cuda/smooth/common.cuh"

#define MOST_THREADS 1024 /* larger blocks give a thread several cells */

/* Of a sum at a time; the next are fetched ahead, past the end too. */
static constexpr int TERMS = 8;

struct spatial_block {
    int nx, ny, cells;
};

/* The element of cell c of a block. */
static __device__ __forceinline__ ptrdiff_t element(const spatial_block &b, const ss_place &p,
                                                    int c)
{
    return (ptrdiff_t)p.first + c % b.nx + (ptrdiff_t)(c / b.nx % b.ny) * p.sy +
           (ptrdiff_t)(c / b.nx / b.ny) * p.sz;
}

template <class ACCESS, typename T>
static __device__ __forceinline__ T residual_at(const relaxation<T> &a, const ss_place &p,
                                                ptrdiff_t at)
{
    const T *u = a.in + at;
    return numerics<T>::residual(a.rhs[at], ACCESS::get(u), ACCESS::get(u - 1), ACCESS::get(u + 1),
                                 ACCESS::get(u - p.sy), ACCESS::get(u + p.sy),
                                 ACCESS::get(u - p.sz), ACCESS::get(u + p.sz));
}

/* A column of the inverse instead of a row, since it is symmetric: threads read side by side. */
template <typename T>
static __device__ __forceinline__ T scalar_product(const T *column, const T *r, int cells)
{
    T sum = 0;
#pragma unroll TERMS
    for (int k = 0; k < cells; k++)
        sum = fma(column[(ptrdiff_t)k * cells], r[k], sum);
    return sum;
}

template <class ACCESS, typename T>
__global__ void __launch_bounds__(MOST_THREADS)
    relax_block(relaxation<T> a, spatial_block b, const T *inverse, bool norm)
{
    extern __shared__ double shared[];
    T *r = (T *)shared;
    double squares = 0;
    let_next_begin();
    await_previous();
    if (dropped(a))
        return;
    for (int block = blockIdx.x; block < a.count; block += gridDim.x) {
        const ss_place p = a.place[block];
        for (int c = threadIdx.x; c < b.cells; c += blockDim.x) {
            r[c] = residual_at<ACCESS>(a, p, element(b, p, c));
            squares += (double)r[c] * (double)r[c];
        }
        __syncthreads();
        for (int c = threadIdx.x; c < b.cells; c += blockDim.x) {
            ptrdiff_t at = element(b, p, c);
            T correction = scalar_product(inverse + c, r, b.cells);
            ACCESS::put(a.out + at, fma(a.omega, correction, ACCESS::get(a.in + at)));
        }
        __syncthreads();
    }
    if (norm)
        leave_sum(a.partial, squares);
}

static spatial_block shape_of(const ss_smooth_shape *s)
{
    spatial_block b = {s->n[0], s->n[1], s->n[0] * s->n[1] * s->n[2]};
    return b;
}

/* Of the residuals in shared memory. */
template <typename T> static size_t bytes_of(const spatial_block &b)
{
    return ((size_t)b.cells + TERMS) * sizeof(T);
}

template <typename T>
static void go(const ss_cuda_smooth *s, const ss_smooth_launch *l, const ss_smooth_step_args *a)
{
    spatial_block b = shape_of(&s->shape[l->shape]);
    int threads = b.cells < MOST_THREADS ? ceil_div(b.cells, 32) * 32 : MOST_THREADS;
    launch_kernel(s->how.order == SS_CUDA_CHAOTIC ? relax_block<racing, T> : relax_block<alone, T>,
                  l->grid, (unsigned)threads, bytes_of<T>(b), a->stream, relaxation_of<T>(s, l, a),
                  b, (const T *)s->shape[l->shape].table, a->norm);
}

static int no_cube(int n, ss_cuda_order order)
{
    (void)n, (void)order;
    return 0;
}

static int load(ss_cuda_smooth *s, ss_smooth_shape *shape, const ss_inverse *inv, ss_err *err)
{
    (void)s;
    size_t values = (size_t)inv->cells * (size_t)inv->cells;
    return ss_cuda_alloc_copy(&shape->table, inv->own, values * ss_prec_size(inv->prec),
                              "the inverse of a block", err);
}

template <typename T> static int allow(const spatial_block &b, ss_err *err)
{
    char what[64];
    size_t bytes = bytes_of<T>(b);
    snprintf(what, sizeof what, "a block of %d cells", b.cells);
    return ss_smooth_allow((const void *)relax_block<alone, T>, bytes, what, err) == SS_OK
               ? ss_smooth_allow((const void *)relax_block<racing, T>, bytes, what, err)
               : SS_FAIL;
}

static int arrange(const ss_cuda_smooth *s, ss_smooth_launch *l, ss_err *err)
{
    spatial_block b = shape_of(&s->shape[l->shape]);
    l->width = 1;
    l->grid = ss_smooth_grid(s, l->count, 1);
    l->go = s->how.prec == SS_F64 ? go<double> : go<float>;
    return s->how.prec == SS_F64 ? allow<double>(b, err) : allow<float>(b, err);
}

const ss_smooth_way ss_smooth_paper = {"paper", &ss_inverse_dense, no_cube, load, arrange};
