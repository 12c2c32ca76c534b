/* Deadlines: see deadline.h. */
#include "src/base/deadline.h"

#include <math.h>
#include <stdint.h>

struct timespec ss_deadline_in(clockid_t clock, double seconds)
{
    struct timespec t;
    clock_gettime(clock, &t);
    int64_t ns = t.tv_nsec + (int64_t)(fmin(fmax(seconds, 0), 1e9) * 1e9);
    t.tv_sec += (time_t)(ns / 1000000000);
    t.tv_nsec = (long)(ns % 1000000000);
    return t;
}
