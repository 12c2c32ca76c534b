/* Lines from the page's thread to the program. */
#include "ui/page/inbox.h"

#include <pthread.h>
#include <unistd.h>

#include "src/base/common.h"
#include "tests/check.h"

static int heard(void)
{
    char line[SS_PAGE_LINE];
    int n = 0;
    while (ss_page_hear(line))
        n++;
    return n;
}

TEST(inbox, lines_come_in_their_order)
{
    char line[SS_PAGE_LINE], want[16];
    for (int round = 0; round < 3; round++) { /* around the end of the ring */
        for (int i = 0; i < 100; i++) {
            snprintf(want, sizeof want, "key %d k", i);
            ss_page_say(want);
        }
        for (int i = 0; i < 100; i++) {
            snprintf(want, sizeof want, "key %d k", i);
            CHECK(ss_page_hear(line) && strcmp(line, want) == 0);
        }
        CHECK(!ss_page_hear(line));
    }
}

TEST(inbox, what_it_cannot_hold_is_lost)
{
    char line[SS_PAGE_LINE + 1];
    heard();
    memset(line, 'a', SS_PAGE_LINE);
    line[SS_PAGE_LINE] = '\0';
    ss_page_say(line);
    CHECK_INT(heard(), 0);
    for (int i = 0; i < 1000; i++)
        ss_page_say("seen");
    CHECK_INT(heard(), 256);
    ss_page_say("hidden");
    CHECK_INT(heard(), 1);
}

static void *say_later(void *unused)
{
    usleep(20000);
    ss_page_say("seen");
    return unused;
}

static void *show_later(void *unused)
{
    usleep(20000);
    ss_page_shown(7);
    return unused;
}

TEST(inbox, a_wait_ends_with_a_line_a_frame_a_wake_or_in_time)
{
    pthread_t thread;
    heard();
    ss_page_wake();
    ss_page_wait(-1); /* a wake before the wait counts */
    pthread_create(&thread, NULL, say_later, NULL);
    ss_page_wait(-1);
    pthread_join(thread, NULL);
    CHECK_INT(heard(), 1);
    pthread_create(&thread, NULL, show_later, NULL);
    ss_page_wait(30);
    pthread_join(thread, NULL);
    CHECK_INT(ss_page_last(), 7);
    double before = ss_clock();
    ss_page_wait(0.01);
    CHECK(ss_clock() - before >= 0.009);
}
