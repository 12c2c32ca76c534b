/*
 * The spectrum of the error of a 3D run: how much of u - u* is waves of which frequency, so that
 * one sees which of them a smoother kills. Waves are the eigenvectors of the matrix, sin along each
 * direction; their frequency is the highest of the three, from 0 (constant) to 1 (the sign changes
 * from cell to cell), and what lies above 1/2 is what a coarser grid cannot represent. Engine
 * thread, and tests.
 */
#ifndef SS_BANDS_H
#define SS_BANDS_H

#include "src/core/backend.h"

#define SS_BAND_MAX 64

/* Larger problems have no spectrum: a transform takes a second or more. */
#define SS_BAND_CELLS (2.5 * 1024 * 1024)

typedef struct ss_bands {
    int n;                   /* bands, of equal width in frequency; 0: none */
    double rms[SS_BAND_MAX]; /* of the amplitudes of its modes, which are normalised; NaN: there is
                                no such mode */
} ss_bands;

/* Of u - u*, u being the field (start: the one that the equation begins with). Copies the field,
 * and transforms it: three matrix products a cell. */
int ss_bands_measure(ss_run *run, const double *exact, bool start, ss_bands *out, ss_err *err);

#endif
