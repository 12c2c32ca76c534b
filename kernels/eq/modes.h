/*
 * The eigenvectors of the seven-point Laplacian on a box of cells, direction by direction: sines
 * that vanish a cell beyond the box (ghost cells are zero) or on its wall (ghosts are minus the
 * cells inside). On them are built the direct solver of poisson3d and the error spectrum. Called
 * from the thread that computes u*, from the engine thread and from tests; keeps no state.
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
    double *lambda; /* of tridiag(-1, 2, -1), at walls 3 on the diagonal if ghosts mirror */
} ss_modes;

/* Mode m = 1 ... n at cell i, not normalised: sin(pi m (i+1)/(n+1)), or sin(pi m (i+1/2)/n). */
double ss_mode_at(int n, bool mirror, int m, int i);

/* Three directions; equal ones share their memory. A failure leaves nothing to free. */
int ss_modes_make(ss_modes out[3], const int n[3], bool mirror, ss_err *err);
void ss_modes_free(ss_modes m[3]);

/* Doubles that a transform needs besides the box. */
size_t ss_modes_work(const ss_modes m[3]);
/* A dense box u, x fastest, to its modes or back, in place: six matrix products there and back.
 * Fails if nobody waits for u* any more. */
int ss_modes_transform(const ss_modes m[3], bool back, double *u, double *work, ss_err *err);

#ifdef __cplusplus
}
#endif
#endif
