/*
 * Block smoothers on the GPU, over all patches of a domain at once: what kernels/block/smooth.h
 * does on the CPU, with the same inverses. Callable from C; engine thread. No state but what is
 * made.
 *
 *     u_block += omega A_block^-1 (h^2 f - A u)_block
 *
 * The separable inverse is applied in the CPU's order of operations, and in the orders that are not
 * a race the fields are the CPU's to the last bit. The dense one is a matrix product, whose order
 * of summation is that of the tensor cores here and that of BLAS there: they agree to round-off
 * (1e-13).
 */
#ifndef SS_CUDA_SMOOTH_H
#define SS_CUDA_SMOOTH_H

#ifdef __cplusplus
extern "C" {
#endif

#include "kernels/block/smooth.h"
#include "kernels/cuda/device/ghosts.h"
#include "kernels/geom/patches.h"

/*
 * In which order blocks are relaxed.
 *
 * At once: Jacobi, from one array into another. Lexicographic: Gauss-Seidel, level by level of
 * blocks that share no face, a launch a level; in place.
 *
 * Chaotic: Gauss-Seidel in place and in one launch, each block with whatever its neighbours hold
 * when it looks. What comes first is decided by the hardware; but in which order thread blocks are
 * offered to it is ours to say, and matters: were all blocks under way at the same moment, nobody
 * would see anything new, and that is Jacobi with omega 1 (|r3|/|r0| .0273 instead of .0101 for 8^3
 * blocks of numerics section 6; lexicographic with a twentieth under way: .0189). So the blocks
 * have four colours, that of (x, y, z) depending on which of the three are odd, opposite corners of
 * a cube of blocks alike; one colour follows the other, and at most 3/16 of the blocks are under
 * way: they find that their neighbours of earlier colours have mostly been there. Were all of those
 * done, the figures for blocks of 2^3, 4^3 and 8^3 would be 1.4, 2.7 and 1.6 % above those of
 * lexicographic order (two colours as on a checkerboard: 13.1, 10.0 and 4.8 %).
 */
typedef enum ss_cuda_order {
    SS_CUDA_AT_ONCE,
    SS_CUDA_LEXICOGRAPHIC,
    SS_CUDA_CHAOTIC,
    SS_NCUDA_ORDER
} ss_cuda_order;

/* The dense inverse: many blocks at once as a product of matrices, or a spatial block per thread
 * block with a thread per cell, as in the paper. The separable one has one kernel. */
enum { SS_CUDA_BATCHED, SS_CUDA_PAPER, SS_NCUDA_WAY };

/* Variants of the product's kernel, for measurements: from 1 on. */
#define SS_CUDA_PANEL_VARIANTS 5

typedef struct ss_cuda_smooth_how {
    int block[3];
    const ss_inverse_form *form;
    int way;
    ss_prec prec;
    ss_cuda_order order;
    int width;   /* cubes of a thread block, where they are not too many; 0: what is best */
    int variant; /* of the product's kernel; 0: what is best */
} ss_cuda_smooth_how;

typedef struct ss_cuda_smooth ss_cuda_smooth;

/* Inverts all shapes of blocks and loads them. Boxes count from the start of one array that holds
 * all patches. *out is NULL after a failure. */
int ss_cuda_smooth_make(ss_cuda_smooth **out, const ss_patch *patch, int patches,
                        const ss_cuda_smooth_how *how, ss_err *err);
void ss_cuda_smooth_free(ss_cuda_smooth *s);
/* Of inverting, without loading. */
double ss_cuda_smooth_seconds(const ss_cuda_smooth *s);
/* Of the inverses of all shapes. */
double ss_cuda_smooth_bytes(const ss_cuda_smooth *s);

/* Enqueues a step; the arrays are on the device. Blocks at once want out apart from in, the other
 * orders in place. norm2, on the device: the sum of the squares of the residuals of `in`, in an
 * order that is always the same (blocks at once); NULL: not wanted. */
int ss_cuda_smooth_step(const ss_cuda_smooth *s, double omega, const void *in, const void *rhs,
                        void *out, double *norm2, ss_cuda_stream stream, ss_err *err);

/* Patches in the host's memory, pinned: up, so many steps, and back, each in a stream of its own;
 * issued patch by patch or stage by stage. All patches are as the one that s was made for (whose
 * box begins at the start of its array) and `count` elements apart; ghosts at the walls are zero.
 * *seconds: from the first copy to the last. */
typedef enum ss_stream_order { SS_DEPTH_FIRST, SS_BREADTH_FIRST, SS_NSTREAM_ORDER } ss_stream_order;
int ss_cuda_smooth_from_host(const ss_cuda_smooth *s, size_t count, int patches, int steps,
                             double omega, void *u, const void *rhs, ss_stream_order order,
                             double *seconds, ss_err *err);
/* The same in parts: streams and room on the device for so many patches, which may be used again.
 */
typedef struct ss_cuda_traffic ss_cuda_traffic;
int ss_cuda_traffic_make(ss_cuda_traffic **out, const ss_cuda_smooth *s, size_t count, int patches,
                         ss_err *err);
int ss_cuda_traffic_run(ss_cuda_traffic *t, int steps, double omega, void *u, const void *rhs,
                        ss_stream_order order, double *seconds, ss_err *err);
void ss_cuda_traffic_free(ss_cuda_traffic *t);
int ss_cuda_pinned_make(void **out, size_t bytes, const char *what, ss_err *err);
void ss_cuda_pinned_free(void *memory);

/* Arrays, for callers in C. */
int ss_cuda_array_make(void **out, size_t bytes, const char *what, ss_err *err);
void ss_cuda_array_free(void *array);
int ss_cuda_array_put(void *array, const void *host, size_t bytes, ss_err *err);
int ss_cuda_array_get(void *host, const void *array, size_t bytes, ss_err *err);

#ifdef __cplusplus
}
#endif
#endif
