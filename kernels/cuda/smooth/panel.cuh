/*
 * The stored (dense) inverse as a matrix product: each thread block gathers the residuals of a
 * panel of N blocks in shared memory, a column per block; its warps divide the rows of the inverse
 * among them, which they stream from the L2 cache; the products are added to the cells. CUDA C++17.
 *
 *                             N blocks
 *                             +------+
 *        inverse              |  r   |   shared memory
 *     +------------------+    |      |
 *     | warp 0           |    |      |
 *     | warp 1           |  x |      |  =  corrections, in registers
 *     | ...              |    +------+
 *     +------------------+
 *
 * Per cell of blocks of n cells: 2 n operations and n / N values of the inverse, so that N is as
 * large as shared memory allows. Rows and columns of the inverse are padded with zeros to whole
 * tiles; blocks may have any shape. On an H200, f64, blocks of 8^3: 34 billion cells per second,
 * which is 35 Tflop/s; the paper's kernel (paper.cuh): 5.0 billion.
 */
#ifndef SS_CUDA_PANEL_CUH
#define SS_CUDA_PANEL_CUH

#include "kernels/cuda/smooth/mma.cuh"
#include "kernels/cuda/smooth/relaxation.cuh"

/* Blocks of one shape, and how a thread block divides its panel. */
struct panel {
    int n[3], cells;
    int rows, terms; /* of the stored inverse, whole tiles */
    int pitch;       /* of a column, in elements */
    int across;      /* groups of columns, each NT tiles wide */
};

/* Writes the residuals of `width` blocks to r, block by block. A thread walks up the columns of
 * cells in z; adjacent threads have adjacent columns in x, so that their reads are coalesced within
 * a block's rows. B: cells of a block in each direction if known at compile time, else 0. */
template <class ACCESS, int B, typename T>
static __device__ double gather_residuals(const relaxation<T> &a, const panel &p, int first,
                                          int width, T *r)
{
    const int nx = B ? B : p.n[0], ny = B ? B : p.n[1], nz = B ? B : p.n[2];
    const int last = a.count - 1;
    double squares = 0;
    for (int i = threadIdx.x; i < nx * ny * width; i += blockDim.x) {
        int x = i % nx, block = i / nx % width, y = i / nx / width;
        const ss_place place = a.place[first + block < last ? first + block : last];
        ptrdiff_t at = (ptrdiff_t)place.first + x + (ptrdiff_t)y * place.sy;
        T *to = r + block * p.pitch + x + nx * y;
        const int step = B ? B : 1;
        for (int z = 0; z < nz; z += step, at += (ptrdiff_t)step * place.sz) {
            T u[step], v[step];
#pragma unroll
            for (int k = 0; k < step; k++)
                v[k] = a.rhs[at + (ptrdiff_t)k * place.sz];
            take_residuals<ACCESS, step>(a.in + at, place.sy, place.sz, u, v);
#pragma unroll
            for (int k = 0; k < step; k++) {
                to[(z + k) * nx * ny] = v[k];
                squares += first + block <= last ? (double)v[k] * (double)v[k] : 0;
            }
        }
    }
    return squares;
}

/* The rows behind the last cell are zero. */
template <typename T> static __device__ void zero_padding(const panel &p, int width, T *r)
{
    int more = p.terms - p.cells;
    for (int i = threadIdx.x; i < more * width; i += blockDim.x)
        r[i / more * p.pitch + p.cells + i % more] = 0;
}

/* Adds a lane's part of the corrections to its cells. */
template <class ACCESS, int B, int MT, int NT, typename T>
static __device__ __forceinline__ void add_corrections(const relaxation<T> &a, const panel &p,
                                                       int row, int column, const T c[MT][NT][4])
{
    const int nx = B ? B : p.n[0], ny = B ? B : p.n[1];
#pragma unroll
    for (int n = 0; n < NT; n++)
#pragma unroll
        for (int e = 0; e < 2; e++) {
            int block = column + n * 8 + e;
            if (block >= a.count)
                continue;
            const ss_place place = a.place[block];
#pragma unroll
            for (int m = 0; m < 2 * MT; m++) {
                int cell = row + m * 8;
                ptrdiff_t at = cell_at(place, nx, ny, cell);
                if (cell < p.cells)
                    ACCESS::put(a.out + at,
                                fma(a.omega, c[m / 2][n][m % 2 * 2 + e], ACCESS::get(a.in + at)));
            }
        }
}

/* MT x NT: tiles of C per warp. The first barrier completes the panel before it is multiplied, the
 * second one lets all warps finish with it before the next panel overwrites it. */
template <class ACCESS, typename T, int B, int MT, int NT, bool NORM, int MAX_THREADS,
          int MIN_BLOCKS>
__global__ void __launch_bounds__(MAX_THREADS, MIN_BLOCKS)
    relax_panel(relaxation<T> a, panel p, const two<T> *inverse)
{
    extern __shared__ double shared[];
    T *r = (T *)shared;
    const int width = p.across * NT * 8, tiles = p.terms / 8, lane = threadIdx.x % 32;
    const int group = threadIdx.x / 32 % p.across, warp = threadIdx.x / 32 / p.across;
    const int warps = blockDim.x / 32 / p.across;
    double squares = 0;
    let_next_begin();
    await_previous();
    if (dropped(a))
        return;
    for (int first = blockIdx.x * width; first < a.count; first += gridDim.x * width) {
        squares += gather_residuals<ACCESS, B>(a, p, first, width, r);
        zero_padding(p, width, r);
        __syncthreads();
        for (int row = warp * 16 * MT; row < p.rows && warp < warps; row += warps * 16 * MT) {
            T c[MT][NT][4] = {};
            product<T, MT, NT>(inverse + (ptrdiff_t)row / 16 * tiles * 64, tiles,
                               r + group * NT * 8 * p.pitch, p.pitch, lane, c);
            add_corrections<ACCESS, B, MT, NT>(a, p, row + lane / 4,
                                               first + group * NT * 8 + lane % 4 * 2, c);
        }
        __syncthreads();
    }
    if (NORM)
        leave_sum(a.partial + blockIdx.x, squares);
}

#endif
