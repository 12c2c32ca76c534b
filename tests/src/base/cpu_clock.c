/* CPU time, and the processors that others leave. */
#include "src/base/system.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "tests/check.h"

static atomic_bool over;

static void *spin(void *unused)
{
    (void)unused;
    while (!atomic_load(&over))
        ;
    return NULL;
}

TEST(cpu, processors_that_others_use_are_not_idle)
{
    enum { MOST = 256 };
    pthread_t thread[MOST];
    int n = (int)sysconf(_SC_NPROCESSORS_ONLN);
    CHECK(ss_cpu_idle(4) >= 1 && ss_cpu_idle(4) <= 4);
    CHECK_INT(ss_cpu_idle(1), 1);
    if (access("/proc/loadavg", R_OK) != 0 || n > MOST)
        SKIP("the system does not tell");
    for (int i = 0; i < n; i++)
        CHECK_INT(pthread_create(&thread[i], NULL, spin, NULL), 0);
    usleep(20000);
    int idle = ss_cpu_idle(n);
    atomic_store(&over, true);
    for (int i = 0; i < n; i++)
        pthread_join(thread[i], NULL);
    CHECK_INT(idle, 1);
}

TEST(cpu, a_thread_that_sleeps_spends_nothing)
{
    double own = ss_cpu_thread();
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    CHECK(ss_cpu_thread() - own < 0.1);
}
