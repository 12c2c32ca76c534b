/*
 * Common to the solvers that do k subiterations of every tile between two exchanges: shared.cu,
 * shared_chebyshev.cu, shared_sor.cu. A thread block takes a subdomain, its frozen halo and its
 * right-hand side on chip, iterates k times, and writes back the points that the subdomain owns
 * (kernels/geom/tiles.h; kernels/cpu/shared.c is the same schedule on a CPU). The kernels are in
 * tile_memory.cuh and tile_register.cuh; tiles.cu chooses one for a run.
 *
 * A solver gives a METHOD, a type with these members for an update E: `inner<E>` is its inner
 * iteration (inner.cuh), and `of<E>(run, parity)` the one of a cycle from u[parity]; `tile<E, LX,
 * C, R>` is a warp's part of a tile in registers, and `planes<E, F>()` and `lines<E, F>()` are
 * lists of shapes, where F is E with fused multiply-add. Host code; engine thread.
 */
#ifndef SS_CUDA_JACOBI_TILES_CUH
#define SS_CUDA_JACOBI_TILES_CUH

#include "kernels/cuda/jacobi/tile_memory.cuh"
#include "kernels/cuda/jacobi/tile_register.cuh"

struct tile_plan;
typedef void tile_launch(const ss_run *run, const tile_plan *p, int parity, bool norm,
                         cudaStream_t stream);

/* A register kernel and the largest tile it takes. */
struct register_shape {
    int width, height; /* of a tile, in points */
    int tiles;         /* per thread block */
    int threads;
    tile_launch *launch[2]; /* [ss_cuda_fma] */
    const void *kernel[2];  /* the same, without norm */
    const char *largest;    /* of the row that ends a list: the largest tiles, in words */
};

/* The end of a list of shapes. */
static inline register_shape shapes_end(const char *largest)
{
    register_shape end = {};
    end.largest = largest;
    return end;
}
#define LARGEST_PLANE "64 \xc3\x97 128, 128 \xc3\x97 64"
#define LARGEST_LINE "512"

/* What a solver gives; functions are called with its run. */
struct tile_method {
    tile_launch *launch_smem; /* tiles in shared memory */
    int (*allow_smem)(const ss_run *run, const tile_plan *p, ss_err *err);
    const register_shape *(*shapes)(const ss_run *run); /* in registers; the last has no threads */
    bool recurs;                                        /* as in inner.cuh */
    bool coloured; /* tiles of lines in registers must begin with the same colour */
};

struct tile_plan {
    const tile_method *method;
    launch_tiling tiling;
    int blocks;
    size_t bytes;                /* of dynamic shared memory */
    const register_shape *shape; /* NULL: in shared memory, and then: */
    bool strided;                /* more points than threads */
    dim3 threads;
};

/* The launches of one device, or of a band of the rows of one. p: zeroed; free_own frees it. After
 * success it is the scratch's own, after a failure it is freed. */
int ss_cuda_tiles_prepare(ss_run *run, tile_plan *p, const tile_method *method,
                          void (*free_own)(void *own), ss_err *err);

/* Its part for tiles in shared memory: fills in what follows from p->method and p->tiling, of which
 * this device has `tiles` tiles. */
int ss_cuda_tiles_in_memory(ss_run *run, tile_plan *p, int tiles, ss_err *err);

/* Other places for tiles of `shared`: tile=resident (resident.cu), tile=march and tile=pipeline
 * (march.cu). They set run->scratch. */
int ss_cuda_resident_prepare(ss_run *run, ss_err *err);
int ss_cuda_march_prepare(ss_run *run, ss_err *err);
int ss_cuda_pipeline_prepare(ss_run *run, ss_err *err);

/* The shape of a schedule: its rows that are integers. A kernel with a list of shapes has a
 * function that completes one for a device: it replaces what is NOT_GIVEN, and returns false if
 * none of its shapes is for this config. Any thread. */
enum { SHAPE_K, SHAPE_BLOCK, SHAPE_BLOCK_Y, SHAPE_OVERLAP, SHAPE_OVERLAP_Y, NSHAPE };
#define NOT_GIVEN (-1)
typedef bool tile_best(const ss_config *cfg, int64_t shape[NSHAPE]);
tile_best ss_cuda_march_best, ss_cuda_pipeline_best;

static inline const tile_plan *tile_plan_of(const ss_run *run)
{
    return (const tile_plan *)((const ss_cuda_cycles *)run->scratch)->own;
}

/* The arguments of a cycle. Tiles are numbered from point (0, 0) of the field, whose address lies
 * below the rows of this device if others have those. */
template <typename T> static ss_cuda_sweep<T> fields_of_tiles(const ss_run *run, int parity)
{
    ss_cuda_sweep<T> a = sweep_of<T>(run, parity);
    ptrdiff_t below = ss_cuda_of(run)->row * a.sy;
    a.in -= below;
    a.rhs -= below;
    a.out -= below;
    return a;
}

static inline tile_args args_of_tiles(const ss_run *run, const tile_plan *p)
{
    return tile_args{p->tiling, run->ticks_per_cycle};
}

/* --- tiles in shared memory ------------------------------------------------------------------- */

/* Lets blocks of a kernel have as much dynamic shared memory as the device admits. The limit is the
 * kernel's, not the run's: another run may need more than this one. */
template <class K> static int allow_shared_memory(K kernel, ss_err *err)
{
    cudaFuncAttributes own;
    ss_cuda_limits limits;
    if (ss_cuda_get_limits(&limits, err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(cudaFuncGetAttributes(&own, kernel));
    SS_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 (int)(limits.block_bytes - own.sharedSizeBytes)));
    return SS_OK;
}

template <class METHOD> struct tiles_in_smem {
    template <class E> static auto kernel(bool strided, bool norm)
    {
        typedef typename METHOD::template inner<E> I;
        if (strided)
            return norm ? tile_in_smem_strided<E, I, true> : tile_in_smem_strided<E, I, false>;
        return norm ? tile_in_smem<E, I, true> : tile_in_smem<E, I, false>;
    }
    template <class E>
    static void launch_of(const ss_run *run, const tile_plan *p, int parity, bool norm,
                          cudaStream_t stream)
    {
        launch_kernel(kernel<E>(p->strided, norm), p->blocks, p->threads, p->bytes, stream,
                      fields_of_tiles<typename E::real>(run, parity), equation<E>(run),
                      METHOD::template of<E>(run, parity), args_of_tiles(run, p));
    }
    static void launch(const ss_run *run, const tile_plan *p, int parity, bool norm,
                       cudaStream_t stream)
    {
        SS_CUDA_DISPATCH_FMA(run, launch_of, run, p, parity, norm, stream);
    }

    template <class E> static int allow_of(const tile_plan *p, ss_err *err)
    {
        return allow_shared_memory(kernel<E>(p->strided, false), err) == SS_OK
                   ? allow_shared_memory(kernel<E>(p->strided, true), err)
                   : SS_FAIL;
    }
    /* The kernels of both updates, with and without fused multiply-add: which one is valid depends
     * on the right-hand side, which a reset may change (ss_cuda_fma). */
    static int allow(const ss_run *run, const tile_plan *p, ss_err *err)
    {
        return SS_CUDA_DISPATCH(run, allow_of, p, err) == SS_OK
                   ? SS_CUDA_DISPATCH_FMA(run, allow_of, p, err)
                   : SS_FAIL;
    }
};

/* --- tiles in registers ----------------------------------------------------------------------- */

/* P: the points of a warp, a METHOD's `tile<E, ...>`. */
template <class METHOD, class E, class P, int WARPS>
static void launch_registers(const ss_run *run, const tile_plan *p, int parity, bool norm,
                             cudaStream_t stream)
{
    typedef typename METHOD::template inner<E> I;
    launch_kernel(norm ? tile_in_registers<E, I, P, WARPS, true>
                       : tile_in_registers<E, I, P, WARPS, false>,
                  p->blocks, dim3(32 * WARPS), p->bytes, stream,
                  fields_of_tiles<typename E::real>(run, parity), equation<E>(run),
                  METHOD::template of<E>(run, parity), args_of_tiles(run, p));
}

/* LX lanes in x, R rows of C points per lane, WARPS warps one above the other; E: the update, F:
 * the same with fused multiply-add. */
template <class METHOD, class E, class F, int LX, int C, int R, int WARPS>
static register_shape shape_of()
{
    typedef typename METHOD::template tile<E, LX, C, R> P;
    typedef typename METHOD::template tile<F, LX, C, R> Q;
    typedef typename METHOD::template inner<E> I;
    bool plane = E::dim > 1;
    register_shape shape = {
        P::WIDTH,
        plane ? P::HEIGHT * WARPS : 1,
        plane ? 1 : P::HEIGHT * WARPS,
        32 * WARPS,
        {launch_registers<METHOD, E, P, WARPS>, launch_registers<METHOD, F, Q, WARPS>},
        {(const void *)tile_in_registers<E, I, P, WARPS, false>,
         (const void *)tile_in_registers<F, I, Q, WARPS, false>},
        NULL};
    return shape;
}

/* By the run's update and precision: METHOD's planes<E, F>() or lines<E, F>(). */
template <class METHOD, typename T> static const register_shape *shapes_of(int update)
{
    static const register_shape *(*const table[SS_CUDA_NUPDATE])() = {
        METHOD::template lines<poisson_line<T>, fma_line<T>>,
        METHOD::template planes<poisson_plane<T>, fma_plane<T>>,
        METHOD::template lines<tridiagonal<T>, tridiagonal<T>>,
        METHOD::template planes<pentadiagonal<T>, pentadiagonal<T>>,
    };
    return table[update]();
}

template <class METHOD> static const register_shape *register_shapes(const ss_run *run)
{
    int update = ss_cuda_of(run)->update;
    return run->prec == SS_F64 ? shapes_of<METHOD, double>(update)
                               : shapes_of<METHOD, float>(update);
}

#endif
