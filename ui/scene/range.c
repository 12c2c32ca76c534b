/* Ranges of values: see range.h. */
#include "ui/scene/range.h"

#include <math.h>

/* A linear range shrinks when less than this share of it is in use. In between it holds still, so
 * that colours keep their values from picture to picture. */
#define SHRINK 0.8
/* The top of a log range falls when the largest value is below this part of it. */
#define FALL 0.06
/* Of a picture's cells, how many may lie above the range: one in FEW. */
#define FEW 1000

ss_range ss_range_linear_fit(double lo, double hi, bool sign)
{
    double top = fmax(fabs(lo), fabs(hi));
    if (!isfinite(lo) || !isfinite(hi) || lo > hi || top == 0)
        return (ss_range){.sign = sign};
    if (lo == hi) /* constant data: as far below the value as above */
        lo = fmin(lo, 0), hi = fmax(hi, 0);
    sign = sign || (lo < -0.02 * top && hi > 0.02 * top);
    if (sign)
        hi = top, lo = -top;
    else if (lo > 0 && lo < 0.25 * hi) /* a range that starts near zero starts at zero */
        lo = 0;
    return (ss_range){lo, hi, true, sign};
}

void ss_range_linear(ss_range *r, double lo, double hi, bool still)
{
    ss_range fit = ss_range_linear_fit(lo, hi, r->sign);
    if (!fit.valid) {
        if (!r->valid && isfinite(lo) && isfinite(hi) && lo <= hi) /* all values are zero */
            *r = (ss_range){r->sign ? -1 : 0, 1, true, r->sign};
        return;
    }
    bool much_smaller = fit.hi - fit.lo < SHRINK * (r->hi - r->lo);
    *r = !r->valid || still || much_smaller ? fit : ss_range_join(*r, fit, false);
}

ss_range ss_range_log_fit(double hi, int decades)
{
    if (!isfinite(hi) || !(hi > 0))
        return (ss_range){.valid = false};
    double top = pow(10, ceil(log10(hi) - 1e-9));
    return (ss_range){top * pow(10, -decades), top, true, false};
}

void ss_range_log(ss_range *r, double hi, int decades, bool still)
{
    ss_range fit = ss_range_log_fit(hi, decades);
    if (!fit.valid && !r->valid)
        *r = (ss_range){pow(10, -decades), 1, true, false};
    else if (fit.valid && (!r->valid || still || fit.hi > r->hi || hi < FALL * r->hi))
        *r = fit;
}

ss_range ss_range_join(ss_range a, ss_range b, bool log_scale)
{
    if (!a.valid || !b.valid)
        return a.valid ? a : b;
    if (log_scale)
        return a.hi >= b.hi ? a : b;
    ss_range out = {fmin(a.lo, b.lo), fmax(a.hi, b.hi), true, a.sign || b.sign};
    if (out.sign) {
        out.hi = fmax(fabs(out.lo), fabs(out.hi));
        out.lo = -out.hi;
    }
    return out;
}

static double mix(double a, double b, bool log_scale, double t)
{
    return log_scale ? exp(log(a) + t * (log(b) - log(a))) : a + t * (b - a);
}

ss_range ss_range_between(ss_range from, ss_range to, bool log_scale, double t)
{
    bool mixes = from.valid && to.valid && t < 1 && (!log_scale || (from.lo > 0 && to.lo > 0));
    if (!mixes)
        return to;
    return (ss_range){mix(from.lo, to.lo, log_scale, t), mix(from.hi, to.hi, log_scale, t), true,
                      to.sign};
}

bool ss_range_differs(ss_range a, ss_range b, bool log_scale)
{
    if (log_scale)
        return fabs(log10(a.hi / b.hi)) > 0.1 || fabs(log10(a.lo / b.lo)) > 0.1;
    double most = 0.1 * fmax(a.hi - a.lo, b.hi - b.lo);
    return fabs(a.hi - b.hi) > most || fabs(a.lo - b.lo) > most;
}

double ss_range_peak(const float *cell, size_t n, double hi)
{
    if (!(hi > 0) || !isfinite(hi))
        return hi;
    double below = pow(10, ceil(log10(hi) - 1e-9) - 1);
    float bound = (float)below;
    unsigned above = 0; /* of the cells of a picture, at most 4096 by 4096 */
    for (size_t i = 0; i < n; i++)
        above += cell[i] > bound;
    return above > 0 && above <= n / FEW ? below : hi;
}

double ss_range_at(const ss_range *r, bool log_scale, double v)
{
    double t;
    if (log_scale)
        t = v > 0 ? log(v / r->lo) / log(r->hi / r->lo) : v == 0 ? 0 : (double)NAN;
    else
        t = r->hi > r->lo ? (v - r->lo) / (r->hi - r->lo) : v == v ? 0.5 : (double)NAN;
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

double ss_range_value(const ss_range *r, bool log_scale, double at)
{
    return mix(r->lo, r->hi, log_scale, at);
}
