/* Searches in the view of a map: see mapview.h. Pure functions. */
#include "src/snapshot/mapview.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Extrapolates from the cells above and to the left, by a factor of at most four. */
static double guess_of(const ss_map_view *v, int cell)
{
    bool has_left = cell % v->nx > 0, has_above = cell >= v->nx;
    double left = has_left ? v->cell[cell - 1].guess : (double)NAN;
    double above = has_above ? v->cell[cell - v->nx].guess : (double)NAN;
    double corner = has_left && has_above ? v->cell[cell - v->nx - 1].guess : (double)NAN;
    if (!isfinite(left))
        return above;
    return isfinite(above) && isfinite(corner) ? left * fmin(4, fmax(0.25, above / corner)) : left;
}

void ss_map_guess(ss_map_view *v)
{
    double sum = 0;
    int known = 0;
    for (int i = 0; i < v->n; i++) {
        ss_map_cell *c = &v->cell[i];
        bool measured = c->status != SS_CELL_NONE && c->seconds > 0;
        c->guess = measured ? c->seconds : guess_of(v, i);
        sum += measured ? c->seconds : 0;
        known += measured;
    }
    for (int i = 0; i < v->n && known > 0; i++) /* cells before the first measured one */
        if (!isfinite(v->cell[i].guess))
            v->cell[i].guess = sum / known;
}

const char *ss_cell_status_name(ss_cell_status s)
{
    static const char *const names[SS_NCELL_STATUS] = {"", "ok", "refused", "diverged", "limit"};
    return names[s];
}

const char *ss_duration_text(double seconds, char *buf, size_t size)
{
    long s = lround(fmin(seconds, 1e9));
    if (s >= 3600)
        snprintf(buf, size, "%ld h %ld min", s / 3600, s / 60 % 60);
    else if (s >= 60)
        snprintf(buf, size, "%ld min %ld s", s / 60, s % 60);
    else
        snprintf(buf, size, "%ld s", s);
    return buf;
}

double ss_map_look(const ss_map_view *v, int cell, int quantity)
{
    bool there = cell >= 0 && cell < v->n && quantity >= 0 && quantity < SS_MAP_QUANTITIES;
    return there ? v->cell[cell].value[quantity] : (double)NAN;
}

int ss_map_best(const ss_map_view *v, int quantity, int row)
{
    int from = row < 0 ? 0 : row * v->nx, to = row < 0 ? v->n : from + v->nx, best = -1;
    if (row < 0 && !v->quantity[quantity].overall)
        return -1;
    for (int i = from; i < to && i < v->n; i++) {
        double x = ss_map_look(v, i, quantity);
        if (isfinite(x) && (best < 0 || x < ss_map_look(v, best, quantity)))
            best = i;
    }
    return best;
}

static int find_text(const ss_map_side *s, int n, const char *text)
{
    for (int i = 0; i < n; i++)
        if (strcmp(s->text[i], text) == 0)
            return i;
    return -1;
}

int ss_map_find(const ss_map_view *v, const char *row, const char *column)
{
    int y = v->row.row ? find_text(&v->row, v->ny, row ? row : "") : 0;
    int x = find_text(&v->column, v->nx, column);
    return x < 0 || y < 0 ? -1 : y * v->nx + x;
}

double ss_map_pace(const ss_map_cell *c)
{
    bool there = c->status == SS_CELL_OK && c->cycles > 0 && c->seconds > 0;
    return there ? c->seconds / (double)c->cycles : (double)NAN;
}

/* Does cell a dominate b: no worse in both quantities, better in one? Of equal cells the first
 * dominates. */
static bool dominates(const ss_map_view *v, int a, int b)
{
    double pa = ss_map_pace(&v->cell[a]), pb = ss_map_pace(&v->cell[b]);
    int64_t ca = v->cell[a].cycles, cb = v->cell[b].cycles;
    if (!(pa <= pb) || ca > cb)
        return false;
    return pa < pb || ca < cb || a < b;
}

int ss_map_front(const ss_map_view *v, int *cell, int max)
{
    int n = 0;
    for (int i = 0; i < v->n; i++) {
        bool dominated = isnan(ss_map_pace(&v->cell[i]));
        for (int k = 0; k < v->n && !dominated; k++)
            dominated = k != i && dominates(v, k, i);
        if (dominated || n == max)
            continue;
        int at = n++;
        for (; at > 0 && v->cell[cell[at - 1]].cycles > v->cell[i].cycles; at--)
            cell[at] = cell[at - 1];
        cell[at] = i;
    }
    return n;
}
