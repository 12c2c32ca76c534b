/* Ticks and curve thinning, the places of labels, ranges of values, two pictures in one. See
 * plot.h. */
#include "ui/scene/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/scene/text.h"

/* --- ticks and curves ------------------------------------------------------------------------- */

/* The step, 1, 2 or 5 times a power of ten, that divides `range` into at most n parts. */
static double nice_step(double range, int n)
{
    static const double nice[] = {1, 2, 5, 10};
    double raw = range / (n < 1 ? 1 : n), p = pow(10, floor(log10(raw)));
    for (int i = 0; i < 4; i++)
        if (nice[i] * p >= raw * (1 - 1e-9))
            return nice[i] * p;
    return 10 * p;
}

/* "1e-3" of "1e-03", "1e5" of "1e+05". */
static const char *short_exponent(const char *s)
{
    const char *e = strchr(s, 'e');
    if (!e)
        return s;
    const char *digits = e + 1 + (e[1] == '-' || e[1] == '+');
    while (*digits == '0' && digits[1])
        digits++;
    return ss_text("%.*s%s%s", (int)(e + 1 - s), s, e[1] == '-' ? "-" : "", digits);
}

const char *ss_tick_text(double v, bool log)
{
    static const char suffix[] = {0, 'k', 'M', 'G', 'T'};
    double a = fabs(v);
    int p = 0;
    if (!isfinite(v))
        return "-";
    if (v == 0)
        return "0";
    if ((log && a < 0.99) || a < 1e-3 || a >= 1e15) {
        const char *text = ss_text("%.2g", v);
        if (!strchr(text, 'e') && (a >= 10 || a < 0.2))
            text = ss_text("%.0e", v);
        return short_exponent(text);
    }
    while (a >= 1000 && p < 4)
        a /= 1000, v /= 1000, p++;
    return ss_text("%.4g%.*s", v, p > 0, &suffix[p]);
}

/* Digits at which numbers this far apart differ; labels hold at most 9. */
static int digits_for(const ss_plot_axis *a, double apart)
{
    double digits = ceil(log10(fmax(fabs(a->lo), fabs(a->hi)) / apart) - 1e-9) + 1;
    return digits < 9 ? (int)digits : 9;
}

const char *ss_axis_text(const ss_plot_axis *a, double v)
{
    int digits = a->log ? 3 : digits_for(a, (a->hi - a->lo) / 10);
    return short_exponent(ss_text("%.*g", digits > 3 ? digits : 3, v));
}

void ss_axis_add(ss_plot_axis *a, double at, const char *label)
{
    if (a->ntick == SS_TICK_MAX)
        return;
    ss_tick *t = &a->tick[a->ntick++];
    t->at = at;
    snprintf(t->label, sizeof t->label, "%s", label);
}

/* digits: used if the short form would not distinguish the ticks; 0: not needed. A power of ten
 * is 1e-2 among powers, 0.01 among other numbers. */
static void add_tick(ss_plot_axis *a, double v, int digits, bool power)
{
    int least = fabs(v) < 1e-3 ? 2 : 4; /* digits of the short form */
    ss_axis_add(
        a, v, digits > least ? short_exponent(ss_text("%.*g", digits, v)) : ss_tick_text(v, power));
}

/* Ticks of a log axis with at most two powers of ten: 1, 2 and 5 times powers of ten, or even
 * steps on a much shorter one, from the top. False: no room for two of them. */
static bool add_between(ss_plot_axis *a, double l, double h, int max)
{
    static const double times[] = {5, 2, 1};
    double step = nice_step(a->hi - a->lo, max < 5 ? max - 1 : 4);
    for (int e = (int)floor(h + 1e-9); e >= (int)floor(l); e--)
        for (int i = 0; i < 3; i++) {
            double v = times[i] * pow(10, e), at = log10(v);
            if (at > l - 1e-9 && at < h + 1e-9)
                add_tick(a, v, 0, a->lo < 0.99e-3);
        }
    if (a->ntick > 1 && a->ntick <= max)
        return true;
    a->ntick = 0;
    for (double i = floor(a->hi / step + 1e-9); i * step >= a->lo && h - l < 0.5; i--)
        add_tick(a, i * step, digits_for(a, step) > 5 ? digits_for(a, step) : 5, true);
    if (a->ntick > 1 && a->ntick <= max)
        return true;
    a->ntick = 0;
    return false;
}

static void log_axis(ss_plot_axis *a, bool round, int max)
{
    if (!(a->hi > 1e-280))
        a->hi = 1;
    if (!(a->lo > 0))
        a->lo = a->hi * 1e-6;
    if (a->lo < 1e-300) /* as far as the number type reaches */
        a->lo = 1e-300;
    double l = log10(a->lo), h = log10(a->hi);
    if (round) {
        l = floor(l + 1e-9), h = ceil(h - 1e-9);
        if (h - l < 1)
            l = h - 1;
        a->lo = pow(10, l), a->hi = pow(10, h);
    }
    if (!(h > l + 1e-12))
        l = h - 1, a->lo = a->hi / 10;
    int first = (int)ceil(l - 1e-9), last = (int)floor(h + 1e-9);
    int step = 1 + (last - first) / (max < 1 ? 1 : max);
    if (last - first < 2 && max > 1 && add_between(a, l, h, max))
        return;
    for (int e = last; e >= first; e -= step)
        add_tick(a, pow(10, e), 0, true);
}

static void linear_axis(ss_plot_axis *a, bool round, int max)
{
    double range = a->hi - a->lo;
    if (!(range > 1e-12 * fmax(fabs(a->lo), fabs(a->hi)))) {
        double pad = a->lo == 0 ? 1 : 0.5 * fabs(a->lo);
        a->hi = a->lo + pad, a->lo -= a->lo == 0 ? 0 : pad;
        range = a->hi - a->lo;
    }
    double step = nice_step(range, max - 1);
    if (round) {
        a->lo = floor(a->lo / step + 1e-9) * step;
        a->hi = ceil(a->hi / step - 1e-9) * step;
    }
    int digits = digits_for(a, step);
    double first = ceil(a->lo / step - 1e-9);
    for (int i = 0; i < SS_TICK_MAX && (first + i) * step <= a->hi + 1e-9 * range; i++)
        add_tick(a, (first + i) * step, digits, false);
}

void ss_axis_make(ss_plot_axis *a, double lo, double hi, bool log, bool round, int max)
{
    *a = (ss_plot_axis){.log = log};
    if (!isfinite(lo) || !isfinite(hi) || hi < lo || hi > 1e300 || lo < -1e300)
        lo = 0, hi = 1;
    a->lo = lo, a->hi = hi;
    if (log)
        log_axis(a, round, max);
    else
        linear_axis(a, round, max < 2 ? 2 : max);
}

static int label_width(const ss_plot_axis *a, int i)
{
    return (int)strlen(a->tick[i].label);
}

void ss_axis_drop_wide(ss_plot_axis *a, int columns)
{
    int n = 0;
    for (int i = 0; i < a->ntick; i++)
        if (label_width(a, i) <= columns)
            a->tick[n++] = a->tick[i];
    a->ntick = n;
}

/* "+5e-5" */
static void tell_distance(ss_tick *t, double from)
{
    snprintf(t->label, sizeof t->label, "%s", short_exponent(ss_text("%+.2g", t->at - from)));
}

void ss_axis_shorten(ss_plot_axis *a, int columns)
{
    int base = 0, wide = 0;
    for (int i = 0; i < a->ntick; i++) {
        base = label_width(a, i) < label_width(a, base) ? i : base;
        wide += label_width(a, i) > columns;
    }
    for (int i = 0; i < a->ntick && wide > 0 && label_width(a, base) <= columns; i++)
        if (i != base)
            tell_distance(&a->tick[i], a->tick[base].at);
    ss_axis_drop_wide(a, columns);
}

const ss_tick *ss_axis_tick(const ss_plot_axis *a, int i)
{
    return &a->tick[a->log ? a->ntick - 1 - i : i]; /* ticks of log axes are made from the top */
}

double ss_axis_at(const ss_plot_axis *a, double v)
{
    if (!a->log)
        return (v - a->lo) / (a->hi - a->lo);
    if (!(v > 0))
        return (double)NAN;
    return log(v / a->lo) / log(a->hi / a->lo);
}

double ss_axis_value(const ss_plot_axis *a, double at)
{
    return a->log ? a->lo * pow(a->hi / a->lo, at) : a->lo + at * (a->hi - a->lo);
}

/* On the line between two points, where x is v. */
static double between(const ss_plot_axis *x, const ss_plot_axis *y, ss_xy a, ss_xy b, double v)
{
    double ax = ss_axis_at(x, a.x), bx = ss_axis_at(x, b.x);
    double ay = ss_axis_at(y, a.y), by = ss_axis_at(y, b.y);
    double f = bx > ax ? (ss_axis_at(x, v) - ax) / (bx - ax) : 0;
    return ss_axis_value(y, ay + f * (by - ay));
}

int ss_curve_clip(const ss_plot_axis *x, const ss_plot_axis *y, const ss_xy *in, int n, ss_xy *out)
{
    const double end[2] = {x->lo, x->hi};
    int count = 0;
    for (int i = 0; i < n; i++) {
        for (int e = 0; e < 2 && i > 0; e++)
            if (in[i - 1].x < end[e] && in[i].x > end[e])
                out[count++] = (ss_xy){end[e], between(x, y, in[i - 1], in[i], end[e])};
        if (in[i].x >= x->lo && in[i].x <= x->hi)
            out[count++] = in[i];
    }
    return count;
}

int ss_curve_nearest(const ss_plot_axis *x, const ss_xy *at, int n, double v)
{
    double t = ss_axis_at(x, v), least = INFINITY;
    int best = -1;
    for (int i = 0; i < n; i++) {
        double far = fabs(ss_axis_at(x, at[i].x) - t);
        if (far < least)
            best = i, least = far;
    }
    return best;
}

double ss_curve_value(const ss_plot_axis *x, const ss_plot_axis *y, const ss_xy *at, int n,
                      double v)
{
    for (int i = 0; i < n; i++) {
        if (!(at[i].x < v) && !(at[i].x > v))
            return at[i].y;
        if (i > 0 && at[i - 1].x < v && at[i].x > v)
            return between(x, y, at[i - 1], at[i], v);
    }
    return (double)NAN;
}

static int emit(ss_xy *out, int n, ss_xy p)
{
    if (n == 0 || out[n - 1].x != p.x || out[n - 1].y != p.y)
        out[n++] = p;
    return n;
}

/* The points kept of a column: its first, lowest, highest and last one. */
typedef struct column_points {
    ss_xy first, low, high, last;
    bool low_first;
} column_points;

static void add_to_column(column_points *p, ss_xy at)
{
    if (at.y < p->low.y)
        p->low = at, p->low_first = false;
    if (at.y > p->high.y)
        p->high = at, p->low_first = true;
    p->last = at;
}

/* In their original order, never more than before: out may alias in. */
static int flush(ss_xy *out, int n, const column_points *p)
{
    n = emit(out, n, p->first);
    n = emit(out, n, p->low_first ? p->low : p->high);
    n = emit(out, n, p->low_first ? p->high : p->low);
    return emit(out, n, p->last);
}

int ss_curve_thin(const ss_plot_axis *x, const ss_plot_axis *y, const ss_xy *in, int n, int columns,
                  ss_xy *out)
{
    column_points part;
    int at = -1, left = 0;
    for (int i = 0; i < n; i++) {
        ss_xy p = in[i];
        double fx = ss_axis_at(x, p.x), fy = ss_axis_at(y, p.y);
        if (!isfinite(fx) || !isfinite(fy) || fx < -1 || fx > 2)
            continue;
        int column = (int)floor(fx * columns);
        if (column != at || at == -1) {
            if (at != -1)
                left = flush(out, left, &part);
            at = column;
            part = (column_points){p, p, p, p, true};
        }
        add_to_column(&part, p);
    }
    return at != -1 ? flush(out, left, &part) : left;
}

/* --- labels: ticks ---------------------------------------------------------------------------- */

/* The last one first, then from the left. */
static void choose(ss_label *label, int n, double lo, double hi, double gap)
{
    double until = lo - gap, end = n > 0 ? label[n - 1].x : hi;
    for (int i = 0; i < n; i++) {
        ss_label *l = &label[i];
        bool last = i == n - 1;
        l->shown = l->x >= until + gap && l->x + l->w <= (last ? hi : end - gap);
        if (i == 0 && last)
            l->shown = l->x >= lo && l->x + l->w <= hi;
        if (l->shown)
            until = l->x + l->w;
    }
}

/* The middle of the gap furthest to the right that has room, or the right end; NaN: none. */
static double find_gap(const ss_label *label, int n, double lo, double hi, double gap, double title)
{
    double right = hi + gap;
    bool end = true;
    for (int i = n - 1; i >= 0; i--) {
        double left = label[i].x + label[i].w;
        if (!label[i].shown)
            continue;
        if (right - left >= title + 2 * gap)
            return end ? hi - title : floor(0.5 * (left + right - title));
        right = label[i].x;
        end = false;
    }
    return right - gap - title >= lo ? right - gap - title : (double)NAN;
}

double ss_labels_on_axis(ss_label *label, int n, double lo, double hi, double gap, double title)
{
    choose(label, n, lo, hi, gap);
    if (!(title > 0))
        return (double)NAN;
    double at = find_gap(label, n, lo, hi, gap, title);
    for (int i = n - 2; i >= 0 && isnan(at); i--)
        if (label[i].shown) {
            label[i].shown = false;
            at = find_gap(label, n, lo, hi, gap, title);
        }
    return at;
}

/* --- labels: marks ---------------------------------------------------------------------------- */

/* Below every shown label that its line or its label would cross. Near the right end a label
 * begins left of its line. */
static int free_row(const ss_flag *flag, int i, double gap)
{
    int row = 0;
    double left = fmin(flag[i].x, flag[i].at), right = flag[i].at + flag[i].w;
    for (int j = 0; j < i; j++)
        if (flag[j].shown && left < flag[j].at + flag[j].w + gap && right + gap > flag[j].at &&
            flag[j].row >= row)
            row = flag[j].row + 1;
    return row;
}

void ss_labels_of_marks(ss_flag *flag, int n, double lo, double hi, double gap, int rows)
{
    for (int first = 0; first <= n; first++) {
        int most = -1;
        for (int i = 0; i < n; i++) {
            ss_flag *f = &flag[i];
            f->at = fmin(f->x + gap, hi - f->w);
            f->shown = i >= first && f->at >= lo && f->w > 0;
            f->row = f->shown ? free_row(flag, i, gap) : 0;
            most = f->shown && f->row > most ? f->row : most;
        }
        if (most < rows)
            return;
    }
}

/* --- ranges ----------------------------------------------------------------------------------- */

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

/* --- two pictures in one ---------------------------------------------------------------------- */

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
