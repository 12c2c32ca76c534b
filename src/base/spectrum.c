/* The energy spectrum: see spectrum.h. */
#include "src/base/spectrum.h"

#include <math.h>

static double mode_power(const float *u, int n, int k)
{
    const double pi = 3.14159265358979323846, angle = 2 * pi * k / n;
    double turn_re = cos(angle), turn_im = sin(angle), re = 1, im = 0, even = 0, odd = 0;
    for (int i = 0; i < n; i++) {
        even += (double)u[i] * re;
        odd += (double)u[i] * im;
        double next = re * turn_re - im * turn_im;
        im = re * turn_im + im * turn_re;
        re = next;
    }
    return (even * even + odd * odd) / ((double)n * n);
}

void ss_spectrum(const float *u, int n, int modes, double *power)
{
    for (int k = 1; k <= modes; k++)
        power[k - 1] = mode_power(u, n, k);
}
