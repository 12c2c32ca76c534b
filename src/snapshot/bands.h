/*
 * The spectrum of the error of a steady run: the amplitude of u - u* by frequency, which shows the
 * modes that a smoother damps. The modes are the eigenvectors of the matrix, products of sines in
 * each direction. The frequency of a mode is the highest of its directions, from 0 (constant) to 1
 * (the sign changes from cell to cell); a direction of one point does not count. A coarser grid
 * cannot represent modes above 1/2. Engine thread, and tests.
 */
#ifndef SS_BANDS_H
#define SS_BANDS_H

#include "src/core/backend.h"

#define SS_BAND_MAX 64

/* The largest problems with a spectrum, in points; in one direction they have at most 2048. */
#define SS_BAND_CELLS (2.5 * 1024 * 1024)

/* Is the problem small enough for a spectrum? */
bool ss_bands_fit(const ss_problem *p);

typedef struct ss_bands {
    int n;                   /* bands, of equal width in frequency; 0: none */
    double rms[SS_BAND_MAX]; /* root mean square amplitude of normalised modes; NaN: no modes */
} ss_bands;

/* The spectrum of u - u*, where u is the current field, or the one under
 * the microscope (start: the initial field) and `exact` is
 * u*. Copies the field and transforms it: three matrix products. */
int ss_bands_measure(ss_run *run, const double *exact, bool start, ss_bands *out, ss_err *err);

#endif
