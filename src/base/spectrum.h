/* The energy spectrum of a line by a direct Fourier sum, whose sines and cosines are advanced by
 * rotation. A few hundred modes of a thousand points take less than a millisecond. Pure; any
 * thread. */
#ifndef SS_SPECTRUM_H
#define SS_SPECTRUM_H

/* power[k - 1] = |u_k|^2 of mode k = 1 ... modes, u_k = 1/n sum u_i exp(-2 pi sqrt(-1) k i / n). */
void ss_spectrum(const float *u, int n, int modes, double *power);

#endif
