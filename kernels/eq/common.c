/*
 * What the equations have in common (inner.h): the shapes of a line, of a unit square and of a
 * rectangle, the initial fields and right-hand sides of the steady equations, and the limit of
 * stability of the time-dependent ones.
 */
#include "kernels/eq/inner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- shapes ----------------------------------------------------------------------------------- */

void ss_line_shape(const ss_config *cfg, ss_problem *out)
{
    out->dim = 1;
    out->nx = (int)ss_config_int(cfg, "n");
    out->ny = (int)ss_config_int(cfg, "copies");
    out->nz = 1;
    out->dx = out->dy = out->dz = 1 / (out->nx + 1.0);
}

void ss_square_shape(const ss_config *cfg, ss_problem *out)
{
    out->dim = 2;
    out->nx = (int)ss_config_int(cfg, "n");
    out->ny = (int)ss_config_int(cfg, "ny");
    out->nz = 1;
    out->dx = 1 / (out->nx + 1.0);
    out->dy = 1 / (out->ny + 1.0);
    out->dz = out->dx;
}

void ss_rectangle_shape(const ss_config *cfg, ss_problem *out)
{
    ss_square_shape(cfg, out);
    out->dy = ss_config_real(cfg, "aspect") / (out->ny + 1.0);
}

/* --- initial fields and right-hand sides ------------------------------------------------------ */

/* Values 0 .. N-1 of the random stream are the initial u, the next N the right-hand side. Points
 * are in lexicographic order (in 1D one copy after the other). */
static uint64_t random_index(const ss_problem *p, int j)
{
    return (uint64_t)j * (uint64_t)p->nx;
}

void ss_problem_init(const ss_problem *p, int j, double even, double *row)
{
    int64_t problem = ss_config_int(p->cfg, "problem");
    for (int i = p->i0; i < p->i1; i++)
        *row++ = problem == SS_PROBLEM_RANDOM
                     ? ss_random_unit(p->seed, random_index(p, j) + (uint64_t)i)
                 : problem == SS_PROBLEM_EVEN ? even
                                              : 0;
}

/* Whether the part's points of row j contain the spike: it is in the middle row in 2D, in every row
 * (copy) in 1D. */
static bool has_spike(const ss_problem *p, int j)
{
    return p->i0 <= p->nx / 2 && p->nx / 2 < p->i1 && (p->dim == 1 || j == p->ny / 2);
}

/* A random g is drawn directly: the g of a random b of that size would be negligible compared with
 * u. */
void ss_problem_rhs(const ss_problem *p, int j, double even, double spike, double *row)
{
    int64_t problem = ss_config_int(p->cfg, "problem");
    uint64_t first = (uint64_t)p->nx * (uint64_t)p->ny + random_index(p, j);
    for (int i = p->i0; i < p->i1; i++)
        row[i - p->i0] = problem == SS_PROBLEM_RANDOM
                             ? 2 * ss_random_unit(p->seed, first + (uint64_t)i) - 1
                         : problem == SS_PROBLEM_EVEN ? even
                                                      : 0;
    if (problem == SS_PROBLEM_SPIKE && has_spike(p, j))
        row[p->nx / 2 - p->i0] = spike;
}

/* --- the limit of stability ------------------------------------------------------------------- */

/* `limit` with this many digits, rounded down so that the printed value is valid input. */
static const char *round_down(double limit, int digits, char *buf, size_t size)
{
    snprintf(buf, size, "%.*g", digits, limit);
    if (strtod(buf, NULL) > limit)
        snprintf(buf, size, "%.*g", digits, limit - pow(10, floor(log10(limit)) - digits + 1));
    return buf;
}

int ss_transient_check(const ss_config *cfg, const char *row, double value, double limit,
                       ss_err *err)
{
    /* The tolerance covers rounding. */
    if (value <= limit * (1 + 1e-12) || ss_config_int(cfg, "allow-unstable"))
        return SS_OK;
    char most[32];
    return ss_fail(err,
                   "%s: %.6g is unstable, the largest stable value here is %s; allow-unstable "
                   "permits larger values",
                   row, value, round_down(limit, 6, most, sizeof most));
}

void ss_transient_range(const ss_config *cfg, double value, double least, double limit, double *lo,
                        double *hi, const char **why)
{
    char text[32];
    bool beyond = ss_config_int(cfg, "allow-unstable");
    double reach = (beyond ? 2 : 1) * strtod(round_down(limit, 3, text, sizeof text), NULL);
    least = strtod(round_down(least, 3, text, sizeof text), NULL);
    *lo = value > 0 && value < least ? value : least;
    *hi = value > reach ? value : reach;
    *why = beyond ? "twice the stable limit" : "the stable limit";
}

void ss_transient_track(double limit, ss_track *track)
{
    char text[32];
    *track = (ss_track){.lo = 0,
                        .hi = strtod(round_down(1.2 * limit, 3, text, sizeof text), NULL),
                        .least = track->lo,
                        .mark = NAN,
                        .limit = limit,
                        .linear = true};
}

void ss_transient_note(double value, double limit, char *buf, size_t size)
{
    snprintf(buf, size, "%.2f of the limit", value / limit);
}
