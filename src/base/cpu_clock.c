/* CPU time: see cpu_clock.h. */
#include "src/base/cpu_clock.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { OUT_MAX = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Under the lock: the threads that are left out, and their times before; the seconds of threads
 * that were left out and have ended. */
static struct {
    pthread_t thread;
    clockid_t clock;
    double before;
} out[OUT_MAX];
static int nout;
static double ended;

static double read_clock(clockid_t clock)
{
    struct timespec t = {0, 0};
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double ss_cpu_thread(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

double ss_cpu_team(void)
{
    pthread_mutex_lock(&lock);
    double seconds = read_clock(CLOCK_PROCESS_CPUTIME_ID) - ended;
    for (int i = 0; i < nout; i++)
        seconds -= read_clock(out[i].clock) - out[i].before;
    pthread_mutex_unlock(&lock);
    return seconds;
}

void ss_cpu_leave_out(void)
{
    clockid_t clock;
    if (pthread_getcpuclockid(pthread_self(), &clock) != 0)
        return;
    pthread_mutex_lock(&lock);
    bool known = false;
    for (int i = 0; i < nout; i++)
        known = known || pthread_equal(out[i].thread, pthread_self());
    if (!known && nout < OUT_MAX) {
        out[nout].thread = pthread_self();
        out[nout].clock = clock;
        out[nout++].before = read_clock(clock);
    }
    pthread_mutex_unlock(&lock);
}

void ss_cpu_leave_in(void)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < nout; i++)
        if (pthread_equal(out[i].thread, pthread_self())) {
            ended += read_clock(out[i].clock) - out[i].before;
            out[i] = out[--nout];
            break;
        }
    pthread_mutex_unlock(&lock);
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
