/* The places of labels: see labels.h. */
#include "ui/scene/labels.h"

#include <math.h>

/* --- ticks ------------------------------------------------------------------------------------ */

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

/* --- marks ------------------------------------------------------------------------------------ */

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
