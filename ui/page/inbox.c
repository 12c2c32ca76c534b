/* A ring of lines: see inbox.h. */
#include "ui/page/inbox.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "src/base/system.h"

enum { ROOM = 256 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards all below */
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;
static char lines[ROOM][SS_PAGE_LINE];
static size_t first, count;
static uint32_t last;
static bool woken;

void ss_page_say(const char *line)
{
    pthread_mutex_lock(&lock);
    if (count < ROOM && strlen(line) < SS_PAGE_LINE)
        snprintf(lines[(first + count++) % ROOM], SS_PAGE_LINE, "%s", line);
    pthread_cond_signal(&news);
    pthread_mutex_unlock(&lock);
}

bool ss_page_hear(char line[SS_PAGE_LINE])
{
    pthread_mutex_lock(&lock);
    bool any = count > 0;
    if (any) {
        memcpy(line, lines[first], SS_PAGE_LINE);
        first = (first + 1) % ROOM;
        count--;
    }
    pthread_mutex_unlock(&lock);
    return any;
}

void ss_page_wait(double seconds)
{
    struct timespec until = ss_deadline_in(CLOCK_REALTIME, seconds);
    pthread_mutex_lock(&lock);
    for (int late = 0; count == 0 && !woken && !late;)
        late = seconds < 0 ? pthread_cond_wait(&news, &lock)
                           : pthread_cond_timedwait(&news, &lock, &until);
    woken = false;
    pthread_mutex_unlock(&lock);
}

static void wake(void)
{
    woken = true;
    pthread_cond_signal(&news);
}

void ss_page_wake(void)
{
    pthread_mutex_lock(&lock);
    wake();
    pthread_mutex_unlock(&lock);
}

void ss_page_shown(uint32_t serial)
{
    pthread_mutex_lock(&lock);
    last = serial;
    wake();
    pthread_mutex_unlock(&lock);
}

uint32_t ss_page_last(void)
{
    pthread_mutex_lock(&lock);
    uint32_t serial = last;
    pthread_mutex_unlock(&lock);
    return serial;
}
