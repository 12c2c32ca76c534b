/* Common to time-dependent equations: see transient.h. */
#include "kernels/eq/transient.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
