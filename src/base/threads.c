/* See threads.h. */
#include "src/base/threads.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *wait_at(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

int ss_threads_check(int count, ss_err *err)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    int made = 0, status = 0;
    if (count < 1)
        return SS_OK;
    pthread_t *thread = ss_alloc((size_t)count * sizeof *thread, "threads", err);
    if (!thread)
        return SS_FAIL;
    pthread_mutex_lock(&gate); /* all are there at the same time */
    while (made < count && status == 0) {
        status = pthread_create(&thread[made], NULL, wait_at, &gate);
        made += status == 0;
    }
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < made; i++)
        pthread_join(thread[i], NULL);
    free(thread);
    return status ? ss_fail_outside(err, "cannot start %d threads: %s", count + 1, strerror(status))
                  : SS_OK;
}
