/*
 * The spectrum of the error of a 3D run: the amplitude of u - u* by frequency, which shows the
 * waves that a smoother damps. The waves are the eigenvectors of the matrix, sines along each
 * direction; the frequency of a wave is the highest of the three, from 0 (constant) to 1 (the sign
 * changes from cell to cell); a coarser grid cannot represent waves above 1/2. Engine thread, and
 * tests.
 */
#ifndef SS_BANDS_H
#define SS_BANDS_H

#include "src/core/backend.h"

#define SS_BAND_MAX 64

/* Larger problems have no spectrum: their transform takes a second or more. */
#define SS_BAND_CELLS (2.5 * 1024 * 1024)

typedef struct ss_bands {
    int n;                   /* bands, of equal width in frequency; 0: none */
    double rms[SS_BAND_MAX]; /* of the amplitudes of its normalised modes; NaN: it has no modes */
} ss_bands;

/* Of u - u*, where u is the present field (start: the initial one). Copies the field and
 * transforms it: three matrix products per cell. */
int ss_bands_measure(ss_run *run, const double *exact, bool start, ss_bands *out, ss_err *err);

#endif
