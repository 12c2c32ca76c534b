/* The time step of the time-dependent equations and its limit of stability (inner.h). */
#include "kernels/eq/inner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/core/registry.h"

/* `limit` with this many digits, rounded down so that the printed value is valid input. */
static const char *round_down(double limit, int digits, char *buf, size_t size)
{
    snprintf(buf, size, "%.*g", digits, limit);
    if (strtod(buf, NULL) > limit)
        snprintf(buf, size, "%.*g", digits, limit - pow(10, floor(log10(limit)) - digits + 1));
    return buf;
}

static double value_of(const ss_config *cfg)
{
    return ss_config_real(cfg, ss_config_equation(cfg)->step->row);
}

static double limit_of(const ss_config *cfg)
{
    return ss_config_equation(cfg)->step->limit(cfg);
}

int ss_step_check(const ss_config *cfg, const ss_problem *p, ss_err *err)
{
    double value = value_of(cfg), limit = limit_of(cfg);
    (void)p;
    /* The tolerance covers rounding. */
    if (value <= limit * (1 + 1e-12) || ss_config_int(cfg, "allow-unstable"))
        return SS_OK;
    char most[32];
    return ss_fail(err,
                   "%s: %.6g is unstable, the largest stable value here is %s; allow-unstable "
                   "permits larger values",
                   ss_config_equation(cfg)->step->row, value,
                   round_down(limit, 6, most, sizeof most));
}

void ss_step_range(const ss_config *cfg, double *lo, double *hi, const char **why)
{
    char text[32];
    bool beyond = ss_config_int(cfg, "allow-unstable");
    double value = value_of(cfg), limit = limit_of(cfg);
    double least = ss_config_equation(cfg)->step->least;
    double reach = (beyond ? 2 : 1) * strtod(round_down(limit, 3, text, sizeof text), NULL);
    least = least > 0 ? least : limit / 1000;
    least = strtod(round_down(least, 3, text, sizeof text), NULL);
    *lo = value > 0 && value < least ? value : least;
    *hi = value > reach ? value : reach;
    *why = beyond ? "twice the stable limit" : "the stable limit";
}

void ss_step_track(const ss_config *cfg, ss_track *track)
{
    char text[32];
    double limit = limit_of(cfg);
    *track = (ss_track){.lo = 0,
                        .hi = strtod(round_down(1.2 * limit, 3, text, sizeof text), NULL),
                        .least = track->lo,
                        .mark = NAN,
                        .limit = limit,
                        .linear = true};
}

void ss_step_note(const ss_config *cfg, char *buf, size_t size)
{
    snprintf(buf, size, "%.2f of the limit", value_of(cfg) / limit_of(cfg));
}

void ss_step_shape(ss_problem *out, const ss_config *cfg, double dx, double dt)
{
    out->dim = 1;
    out->nx = (int)ss_config_int(cfg, "n");
    out->ny = out->nz = 1;
    out->dx = out->dy = out->dz = dx;
    out->dt = dt;
}
