/* Two pictures in one: see wipe.h. */
#include "ui/scene/wipe.h"

#include <math.h>
#include <string.h>

int ss_wipe_columns(int w, double at)
{
    double columns = floor(at * w + 0.5);
    return columns < 0 ? 0 : columns > w ? w : (int)columns;
}

void ss_wipe_cells(const float *left, const float *right, int w, int h, double at, float *out)
{
    size_t n = (size_t)ss_wipe_columns(w, at), rest = (size_t)w - n;
    for (int y = 0; y < h; y++) {
        size_t row = (size_t)y * (size_t)w;
        memcpy(out + row, left + row, n * sizeof *out);
        memcpy(out + row + n, right + row + n, rest * sizeof *out);
    }
}

double ss_wipe_difference(const float *left, const float *right, size_t n, float *out)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        out[i] = (float)((double)right[i] - (double)left[i]);
        double size = fabs((double)out[i]);
        most = size > most ? size : most;
    }
    return most;
}

static float largest(const float *cell, int w, int x0, int x1, int y0, int y1)
{
    float best = (float)NAN;
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++) {
            float v = cell[(size_t)y * (size_t)w + (size_t)x];
            if (!isnan(v) && !(fabsf(v) <= fabsf(best)))
                best = v;
        }
    return best;
}

/* Box i of n over `all` cells begins here. */
static int begin(int i, int n, int all)
{
    return (int)((long long)i * all / n);
}

void ss_wipe_reduce(const float *cell, int w, int h, int w1, int h1, float *out)
{
    for (int y = 0; y < h1; y++)
        for (int x = 0; x < w1; x++)
            out[(size_t)y * (size_t)w1 + (size_t)x] =
                largest(cell, w, begin(x, w1, w), begin(x + 1, w1, w), begin(y, h1, h),
                        begin(y + 1, h1, h));
}

double ss_wipe_scale(double before, double most)
{
    static const double steps[] = {1, 2, 5, 10};
    if (!(most > 0) || !isfinite(most))
        return before;
    if (most <= before && most >= 0.1 * before)
        return before;
    double power = pow(10, floor(log10(most)));
    int i = 0;
    while (i < 3 && most > steps[i] * power * (1 + 1e-12))
        i++;
    return steps[i] * power;
}
