/*
 * Block smoothers on the GPU, over all patches of a domain at once, with the inverses of
 * kernels/block/smooth.h on the CPU. Engine thread. No global state.
 *
 *     u_block += omega A_block^-1 (h^2 f - A u)_block
 *
 * The separable inverse is applied in the CPU's order of operations: in the orders that are not a
 * race the fields are bit-for-bit the CPU's. The dense one is summed row by row here, in the
 * order of BLAS on the CPU: they agree to round-off (1e-13).
 */
#ifndef SS_CUDA_SMOOTH_H
#define SS_CUDA_SMOOTH_H

#include "kernels/block/smooth.h"
#include "kernels/cuda/device/driver.h"
#include "kernels/cuda/device/patches.h"
#include "kernels/geom/patches.h"

/*
 * The order in which blocks are relaxed.
 *
 * At once: Jacobi, from one array into another. Lexicographic: Gauss-Seidel in place, level by
 * level of blocks that share no face, one launch per level.
 *
 * Chaotic: Gauss-Seidel in place and in one launch, each block with the values that its neighbours
 * hold when it reads them. The hardware decides the exact order; the launch decides the order in
 * which thread blocks are scheduled and how many are resident. Both matter: if all blocks were in
 * progress at once, none would see a new value, which is Jacobi with omega = 1 (|r3|/|r0| .0273
 * instead of .0101 for 8^3 blocks of 64^3 cells; lexicographic order with a twentieth in
 * progress: .0189). So blocks have four colours, by the parities of (x, y, z), opposite corners of
 * a 2^3 cube of blocks alike. Colours follow each other, and at most 3/16 of the blocks are in
 * progress: they find that most of their neighbours of earlier colours are done. If all of those
 * were done, the figures for blocks of 2^3, 4^3 and 8^3 would be 1.4, 2.7 and 1.6 % above those of
 * lexicographic order (with two colours, a checkerboard: 13.1, 10.0 and 4.8 %).
 */
typedef enum ss_cuda_order {
    SS_CUDA_AT_ONCE,
    SS_CUDA_LEXICOGRAPHIC,
    SS_CUDA_CHAOTIC,
    SS_NCUDA_ORDER
} ss_cuda_order;

typedef struct ss_cuda_smooth_how {
    int block[3];
    const ss_inverse_form *form;
    ss_prec prec;
    ss_cuda_order order;
    int width;   /* most cubes per thread block; 0: the fastest */
    bool direct; /* read the neighbour patches' cells instead of ghost cells where kernels can: see
                    ss_cuda_smooth_direct */
} ss_cuda_smooth_how;

typedef struct ss_cuda_smooth ss_cuda_smooth;

/* Inverts all shapes of blocks and copies the inverses to the device. Boxes count from the start of
 * one array that holds all patches. *out is NULL after a failure. */
int ss_cuda_smooth_make(ss_cuda_smooth **out, const ss_patch *patch, int patches,
                        const ss_cuda_smooth_how *how, ss_err *err);
void ss_cuda_smooth_free(ss_cuda_smooth *s);
/* Seconds spent on inverting, without the copies. */
double ss_cuda_smooth_seconds(const ss_cuda_smooth *s);
/* Whether a step reads the cells of neighbour patches, so that ghost cells between patches need not
 * be exchanged before it. Those at walls are read. */
bool ss_cuda_smooth_direct(const ss_cuda_smooth *s);

/* Enqueues a step; the arrays are on the device. Blocks at once need `out` different from `in`, the
 * other orders are in place. norm2, on the device (blocks at once only): the sum of the squares of
 * the residuals of `in`, added in a fixed order; NULL: not wanted. */
int ss_cuda_smooth_step(const ss_cuda_smooth *s, double omega, const void *in, const void *rhs,
                        void *out, double *norm2, ss_cu_stream stream, ss_err *err);

/*
 * Patches in the host's pinned memory, as a pipeline: a patch is copied to the device, relaxed for
 * a number of steps and copied back, on a stream of its own, so that copies overlap kernels. Work
 * is issued patch by patch (depth first) or stage by stage (breadth first). All patches are like
 * the one that s was made for (whose box begins at the start of its array), `count` elements apart;
 * ghosts at the walls are zero. *seconds: from the first copy to the last.
 */
typedef enum ss_stream_order { SS_DEPTH_FIRST, SS_BREADTH_FIRST, SS_NSTREAM_ORDER } ss_stream_order;
typedef struct ss_cuda_pipeline ss_cuda_pipeline;
int ss_cuda_pipeline_make(ss_cuda_pipeline **out, const ss_cuda_smooth *s, size_t count,
                          int patches, ss_err *err);
int ss_cuda_pipeline_run(ss_cuda_pipeline *t, int steps, double omega, void *u, const void *rhs,
                         ss_stream_order order, double *seconds, ss_err *err);
void ss_cuda_pipeline_free(ss_cuda_pipeline *t);

#endif
