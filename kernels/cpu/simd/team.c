/* Threads: see team.h. Binding works on Linux only; elsewhere the system places the threads. */
#include "kernels/cpu/simd/team.h"

#include <omp.h>
#include <pthread.h>

#ifdef __linux__
#include <sched.h>
#endif

/* The fewest point updates per thread that pay for waking it. */
#define UPDATES_PER_THREAD 65536.0

int ss_team_size(const ss_run *run, double updates)
{
    int most = ss_run_threads(run);
    double useful = updates / UPDATES_PER_THREAD;
    return useful < 2 ? 1 : useful < most ? (int)useful : most;
}

#ifdef __linux__

static cpu_set_t allowed; /* the process's affinity mask before any thread is bound */
static pthread_once_t allowed_once = PTHREAD_ONCE_INIT;

static void query_allowed(void)
{
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        CPU_ZERO(&allowed);
}

/* The mask of allowed processor t modulo their number. */
static cpu_set_t mask_of(int t)
{
    cpu_set_t one;
    int n = CPU_COUNT(&allowed), skip = n > 0 ? t % n : 0;
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &allowed) && skip-- == 0) {
            CPU_SET(cpu, &one);
            break;
        }
    return one;
}

int ss_team_bind(const ss_run *run, ss_err *err)
{
    int failed = 0;
    pthread_once(&allowed_once, query_allowed);
#pragma omp parallel num_threads(ss_run_threads(run)) reduction(+ : failed)
    {
        int t = omp_get_thread_num();
        cpu_set_t set = run->pin ? mask_of(t) : allowed;
        if (t > 0 && sched_setaffinity(0, sizeof set, &set) != 0)
            failed++;
    }
    if (failed && run->pin)
        return ss_fail(err, "pin: the system refuses to bind %d threads to processors", failed);
    return SS_OK;
}

void ss_team_enter(const ss_run *run)
{
    if (run->pin) {
        cpu_set_t set = mask_of(0);
        sched_setaffinity(0, sizeof set, &set);
    }
}

void ss_team_leave(const ss_run *run)
{
    if (run->pin)
        sched_setaffinity(0, sizeof allowed, &allowed);
}

#else

int ss_team_bind(const ss_run *run, ss_err *err)
{
    if (run->pin)
        return ss_fail(err, "pin: threads can be bound to processors on Linux only");
    return SS_OK;
}

void ss_team_enter(const ss_run *run)
{
    (void)run;
}

void ss_team_leave(const ss_run *run)
{
    (void)run;
}

#endif
