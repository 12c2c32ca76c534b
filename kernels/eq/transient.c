/* What time-dependent equations share: see transient.h. */
#include "kernels/eq/transient.h"

#include <stdio.h>

int ss_transient_check(const ss_config *cfg, const char *row, double value, double limit,
                       ss_err *err)
{
    /* Not more than rounding beyond. */
    if (value <= limit * (1 + 1e-12) || ss_config_int(cfg, "allow-unstable"))
        return SS_OK;
    return ss_fail(err,
                   "%s: %.6g is unstable, the largest stable value here is %.6g; allow-unstable "
                   "shows what happens beyond it",
                   row, value, limit);
}

void ss_transient_note(double limit, char *buf, size_t size)
{
    snprintf(buf, size, "stable to %.4g", limit);
}
