/* See clock.h. */
#include "src/base/clock.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* --- processor time --------------------------------------------------------------------------- */

double ss_cpu_thread(void)
{
    struct timespec t = {0, 0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Threads of the whole machine that run or want to, besides the calling one; < 0: unknown. */
static int running_besides(void)
{
    int running = 0;
    FILE *f = fopen("/proc/loadavg", "r");
    int n = f ? fscanf(f, "%*f %*f %*f %d/", &running) : 0;
    if (f)
        fclose(f);
    return n == 1 ? running - 1 : -1;
}

/* The least of some looks, since a thread may run for a moment only. The load averages would count
 * this program's runs of the last minute. */
int ss_cpu_idle(int processors)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    int others = running_besides(), all = (int)sysconf(_SC_NPROCESSORS_ONLN);
    for (int i = 0; i < 3 && others > 0; i++) {
        nanosleep(&moment, NULL);
        int again = running_besides();
        others = again < others ? again : others;
    }
    int left = others > 0 ? all - others : processors;
    return left < 1 ? 1 : left < processors ? left : processors;
}

/* --- deadlines -------------------------------------------------------------------------------- */

struct timespec ss_deadline_in(clockid_t clock, double seconds)
{
    struct timespec t;
    clock_gettime(clock, &t);
    int64_t ns = t.tv_nsec + (int64_t)(fmin(fmax(seconds, 0), 1e9) * 1e9);
    t.tv_sec += (time_t)(ns / 1000000000);
    t.tv_nsec = (long)(ns % 1000000000);
    return t;
}
