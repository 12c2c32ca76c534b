/*
 * The eigenvectors of the seven-point Laplacian on a box of cells, direction by direction: sines
 * that vanish at the ghost cells' centres (zero ghost cells) or on the wall (ghost cells are minus
 * the cells inside). Used by the direct solver of poisson3d and by the error spectrum. Called from
 * the thread that computes u*, from the engine thread and from tests; stateless.
 */
#ifndef SS_EQ_MODES_H
#define SS_EQ_MODES_H

#include "src/base/common.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One direction. */
typedef struct ss_modes {
    int n;
    double *basis;  /* basis[i*n + k]: orthonormal mode k at cell i */
    double *lambda; /* eigenvalues of tridiag(-1, 2, -1); if mirrored, 3 at the diagonal's ends */
} ss_modes;

/* Mode m = 1 ... n at cell i, not normalised: sin(pi m (i+1)/(n+1)), or sin(pi m (i+1/2)/n). */
double ss_mode_at(int n, bool mirror, int m, int i);

/* All three directions; directions with equal n share memory. A failure leaves nothing to free. */
int ss_modes_make(ss_modes out[3], const int n[3], bool mirror, ss_err *err);
void ss_modes_free(ss_modes m[3]);

/* The size in doubles of the `work` array of a transform. */
size_t ss_modes_work(const ss_modes m[3]);
/* Transforms a dense box u, x fastest, to its modes or back, in place: three matrix products.
 * Fails if u* is no longer needed. */
int ss_modes_transform(const ss_modes m[3], bool back, double *u, double *work, ss_err *err);

#ifdef __cplusplus
}
#endif
#endif
