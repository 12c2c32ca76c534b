/*
 * The kernels of persistent Jacobi by the shape of a region, and what its two plans have in common:
 * one device (persistent.cu) and several (persistent_devices.cu). A is the type of the kernel's
 * arguments: slot_args, or device_args. Host code; engine thread.
 */
#ifndef SS_CUDA_PERSISTENT_SHAPES_CUH
#define SS_CUDA_PERSISTENT_SHAPES_CUH

#include "kernels/cuda/jacobi/persistent.cuh"

/* Most iterations of a launch. Between launches the step tests whether the run was abandoned. With
 * norms the limit is also the length of the arrays of sums. */
#define CHUNK 2048
#define CHECKED_CHUNK 512 /* with norms */

/* The first member of a plan: what a step calls. */
struct persistent_steps {
    /* Runs iterations from u[cur] into the other buffer; with `norm`, their sums of squared updates
     * are in `squares` afterwards. Waits for the end; *ms is the device's time. */
    int (*launch)(ss_run *run, int iterations, bool norm, float *ms, ss_err *err);
    void (*release)(ss_run *run);
    double *squares; /* [iteration], in host memory */
};

/* Several devices: as ss_cuda_persistent_prepare. */
int ss_cuda_persistent_prepare_devices(ss_run *run, ss_err *err);

/* A kernel and the dynamic shared memory of a block. */
struct kernel_choice {
    const void *kernel;
    size_t bytes;
};

/* Rows of a lane whose right-hand sides are in shared memory, to avoid register spills: all of them
 * if the registers cannot hold them beside the points. With a norm
 * or frozen points, a thread is estimated to need 2 * R rows for u and rhs, and 80 registers for
 * everything else; without either 80 are not needed, and no row moves. If the need exceeds `most`,
 * the registers of a thread, as many whole rows move as free at least `freed`, 28. Planes in double
 * precision: a row has 4 * 2 = 8 registers, 2 * 11 * 8 + 80 = 256 > 255, ceil(28 / 8) = 4 rows
 * move. Lines: a row has 11 * 2 = 22, 2 rows move. tests/lint/ptxas.sh lists the kernels
 * that spill nevertheless. */
template <class P, int WARPS> static constexpr int smem_rows(bool norm, bool frozen, int freed)
{
    const int most = 65536 / (32 * WARPS) < 255 ? 65536 / (32 * WARPS) : 255;
    const int row = P::C * (int)sizeof(typename P::T) / 4; /* registers of 32 bits */
    if (2 * P::R * row > most)
        return P::R;
    return (norm || frozen) && 2 * P::R * row + 80 > most ? (freed + row - 1) / row : 0;
}

/* Stores for another device need a few registers more. */
template <typename T> static constexpr int registers_freed(const persistent_args<T> *)
{
    return 28;
}
template <typename T> static constexpr int registers_freed(const device_args<T> *)
{
    return 32;
}

/* Columns of a lane on planes. */
#define PLANE_COLUMNS 4

/* Rows are whole on planes if n in x and `every` are multiples of a lane's columns: so is then each
 * end of a region and of what it owns, sends and receives (regions.cuh), and rows are aligned to 16
 * bytes. (With one region in x n alone would do.) Lanes of lines have 11 columns. */
static grid_kind kind_of(int dim, regions x, regions y)
{
    if (x.n < x.width || y.n < y.width)
        return SMALL_GRID;
    bool whole = dim > 1 && x.n % PLANE_COLUMNS == 0 && x.every % PLANE_COLUMNS == 0;
    return whole ? WHOLE_ROWS : ANY_POINTS;
}

template <class E, class P, int WX, int WY, bool NORM, grid_kind KIND, class A>
static kernel_choice instantiate()
{
    const int rows = smem_rows<P, WX * WY>(NORM, KIND == SMALL_GRID,
                                           registers_freed(static_cast<const A *>(nullptr)));
    typedef typename P::template with_smem_rows<rows> Q;
    return {(const void *)persistent_jacobi<E, Q, WX, WY, NORM, KIND, A>,
            sizeof(block_smem<Q, WX, WY>)};
}

/* A shape of region, in points, and its kernels. */
struct region_shape {
    int width, height;
    int warps;  /* of a block; 0: no more shapes */
    bool whole; /* for lines that one region covers only */
    kernel_choice (*choose[2])(bool norm, grid_kind kind); /* [1]: with fused multiply-add */
};

#endif
