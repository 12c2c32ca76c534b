/* The energy spectrum: see spectrum.h. */
#include "src/base/spectrum.h"

#include <math.h>

static double mode_power(const float *u, int n, int k)
{
    const double pi = 3.14159265358979323846, angle = 2 * pi * k / n;
    double turn_re = cos(angle), turn_im = sin(angle), re = 1, im = 0, sum_re = 0, sum_im = 0;
    for (int i = 0; i < n; i++) {
        sum_re += (double)u[i] * re;
        sum_im += (double)u[i] * im;
        double next = re * turn_re - im * turn_im;
        im = re * turn_im + im * turn_re;
        re = next;
    }
    return (sum_re * sum_re + sum_im * sum_im) / ((double)n * n);
}

void ss_spectrum(const float *u, int n, int modes, double *power)
{
    for (int k = 1; k <= modes; k++)
        power[k - 1] = mode_power(u, n, k);
}
