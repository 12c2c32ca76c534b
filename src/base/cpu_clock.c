/* CPU time: see cpu_clock.h. */
#include "src/base/cpu_clock.h"

#include <pthread.h>
#include <time.h>

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
