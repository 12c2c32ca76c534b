/*
 * A class that watches a lesson in browsers: it answers predictions, which the instructor sees as a
 * histogram; a watcher is given the seat and loses it. Skipped where the program was built without
 * the page.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/common.h"
#include "tests/e2e/server.h"

#ifdef SS_WITH_WEB

enum { WAIT = SERVER_WAIT, CLASS = 20 };

static served on;

static void serve(const char *state, const char *args)
{
    char line[300], env[CHECK_FOLDER + 20];
    snprintf(env, sizeof env, "XDG_STATE_HOME=%s", state);
    snprintf(line, sizeof line, "%s --threads 1", args);
    server_start(&on, env, line);
}

static page *watcher(void)
{
    page *p = page_open(on.watch_port, NULL, NULL);
    CHECK(p != NULL);
    page_say(p, "hello 1 -");
    return p;
}

static void answer(page *p, int question, int name, const char *value)
{
    char line[80];
    snprintf(line, sizeof line, "answer %d %d %s", question, name, value);
    page_say(p, line);
}

static void keys(page *p, const char *all)
{
    char line[16];
    for (const char *k = all; *k; k++) {
        snprintf(line, sizeof line, *k == '\r' ? "key 1 enter" : "key 1 %c", *k);
        page_say(p, line);
    }
}

/* --- predictions ------------------------------------------------------------------------------ */

/* Twenty answers to "What is the smallest overlap?", one of them far away. */
static const char *const overlaps[CLASS] = {"14", "14", "7",  "16", "14",  "8",  "14",
                                            "15", "14", "7",  "16", "14",  "13", "14",
                                            "7",  "28", "14", "16", "900", "12"};

TEST(class, twenty_watchers_answer_a_prediction_and_its_histogram_is_shown)
{
    char state[CHECK_FOLDER], text[64];
    page *w[CLASS];
    CHECK(check_folder(state) != NULL);
    serve(state, "lesson 06 --ui web");
    page *p = server_pilot(&on);
    CHECK(page_shows(p, "What is the smallest overlap", true, WAIT));
    for (int i = 0; i < CLASS; i++) {
        w[i] = watcher();
        CHECK(page_hears(w[i], "question 1\nk = 8. What is the smallest overlap", WAIT));
    }
    CHECK(page_shows(p, "0 of 20 have answered", true, WAIT));
    for (int i = 0; i < CLASS; i++) {
        answer(w[i], 1, 100 + i, "99"); /* to be changed */
        answer(w[i], 1, 100 + i, overlaps[i]);
        answer(w[i], 1, 500 + i, "3"); /* a second one under another name */
        answer(w[i], 2, 100 + i, "3"); /* to another question */
        CHECK(page_hears(w[i], "answered 1", WAIT));
        snprintf(text, sizeof text, "%d of 20 have answered", i + 1);
        CHECK_MSG(page_shows(p, text, true, WAIT), "never %s", text);
    }
    CHECK(!page_shows(p, "The class", true, 0.3));
    page_close(w[0]); /* its answer stays, and so does that of a page that connects again */
    page_close(w[1]);
    w[0] = watcher();
    answer(w[0], 1, 100, "14");
    CHECK(page_hears(w[0], "answered 1", WAIT));
    CHECK(page_shows(p, "20 of 20 have answered", true, WAIT));
    keys(p, "16\r");
    CHECK(page_hears(w[2], "question 0", WAIT));
    answer(w[2], 1, 102, "3"); /* late */
    static const char *const bins[] = {"The class", "6 to 7",   "8 to 9",     "12 to 13",
                                       "14 to 15",  "16 to 17", "18 or more", "the instructor"};
    for (size_t i = 0; i < sizeof bins / sizeof *bins; i++)
        CHECK_MSG(page_shows(p, bins[i], true, WAIT), "never %s", bins[i]);
    CHECK(page_shows(w[5], "20 of 20 have answered", true, WAIT));
    CHECK(!page_shows(p, "the answer", true, 0.3) && !page_hears(w[2], "answered", 0.3));
    keys(p, "EE"); /* the solution, carried out: the truth is revealed */
    CHECK(page_shows(p, "The answer is 14", true, WAIT));
    CHECK(page_shows(p, "20 of 20 have answered", true, WAIT));
    CHECK(page_shows(p, "the answer", true, WAIT));
    for (int i = 0; i < CLASS; i++)
        if (i != 1)
            page_close(w[i]);
    page_close(p);
    server_end(&on);
}

TEST(class, a_choice_is_answered_and_the_next_step_asks_anew)
{
    char state[CHECK_FOLDER];
    CHECK(check_folder(state) != NULL);
    serve(state, "lesson 06 --ui web");
    page *p = server_pilot(&on), *w = watcher(), *late;
    CHECK(page_hears(w, "question 1\n", WAIT));
    answer(w, 1, 9, "14");
    CHECK(page_shows(p, "1 of 1 have answered", true, WAIT));
    keys(p, "jj"); /* skips the step: its answers are not shown */
    CHECK(page_hears(w, "question 2\nWith overlap 12", WAIT));
    CHECK(page_shows(p, "0 of 1 have answered", true, WAIT));
    answer(w, 2, 9, "7"); /* no such choice */
    answer(w, 2, 9, "1.5");
    answer(w, 2, 9, "2");
    CHECK(page_shows(p, "1 of 1 have answered", true, WAIT));
    late = watcher();
    CHECK(page_hears(late, "question 2\nWith overlap 12", WAIT));
    CHECK(page_shows(p, "1 of 2 have answered", true, WAIT));
    keys(p, "1\r");
    CHECK(page_shows(p, "The class", true, WAIT));
    CHECK(page_hears(w, "question 0", WAIT) && page_hears(late, "question 0", WAIT));
    page_close(late);
    page_close(w);
    page_close(p);
    server_end(&on);
}

/* --- the seat --------------------------------------------------------------------------------- */

TEST(class, a_watcher_with_the_seat_steers_until_the_pilot_does)
{
    char state[CHECK_FOLDER];
    CHECK(check_folder(state) != NULL);
    serve(state, "serve poisson2d shared --n 64 --until 0");
    page *p = server_pilot(&on), *w = watcher(), *other = watcher();
    CHECK(page_hears(p, "watching 2", WAIT) && page_frame(w, WAIT) && page_frame(other, WAIT));
    page_say(w, "give");
    page_say(w, "key 1 space");
    CHECK(!page_shows(p, "paused", true, 0.5));
    page_say(w, "ask");
    CHECK(page_hears(w, "seat 1 0", WAIT));
    page_say(other, "ask");
    page_say(other, "give");
    page_say(w, "key 1 space");
    CHECK(page_hears(p, "seat 0 2", WAIT));
    CHECK(!page_shows(p, "paused", true, 0.5));
    page_say(p, "give");
    CHECK(page_hears(w, "seat 2 0", WAIT) && page_hears(p, "seat 1 1", WAIT));
    page_say(other, "key 1 space");
    CHECK(!page_shows(p, "paused", true, 0.5));
    page_say(w, "size 1 400 800"); /* the picture's size stays the pilot's */
    page_say(w, "key 1 space");
    CHECK(page_shows(p, "paused", true, WAIT));
    page_say(w, "key 1 q");
    CHECK(page_shows(p, "quit: only the pilot may", true, WAIT));
    keys(w, ":bind");
    page_say(w, "key 1 space");
    keys(w, "z");
    page_say(w, "key 1 space");
    keys(w, "q\r");
    CHECK(page_shows(p, "bind: only the pilot may", true, WAIT));
    page_say(p, "move 2 100 100 0 0");
    CHECK(!page_hears(w, "seat 0", 0.5));
    page_say(p, "key 3 space");
    CHECK(page_hears(w, "seat 0 0", WAIT));
    CHECK(page_shows(p, "paused", false, WAIT));
    page_say(w, "key 4 space");
    CHECK(!page_shows(p, "paused", true, 0.5));
    page_close(w);
    page_close(other);
    page_close(p);
    server_end(&on);
}

TEST(class, a_guest_sees_what_it_steers_instead_of_a_view_of_its_own)
{
    char state[CHECK_FOLDER];
    CHECK(check_folder(state) != NULL);
    serve(state, "serve poisson2d shared --n 64 --until 0");
    page *p = server_pilot(&on), *w = watcher();
    page_say(w, "key 1 L");
    CHECK(page_shows(w, "a view of your own", true, WAIT));
    page_say(w, "ask");
    CHECK(page_hears(p, "seat 0 1", WAIT));
    page_say(p, "give");
    CHECK(page_hears(w, "seat 2 0", WAIT));
    CHECK(page_shows(w, "a view of your own", false, WAIT));
    page_say(w, "key 1 L");
    CHECK(!page_shows(w, "a view of your own", true, 0.5));
    page_say(p, "key 1 L");
    CHECK(page_hears(w, "seat 0 0", WAIT));
    page_say(w, "key 1 Z");
    CHECK(page_shows(w, "a view of your own", true, WAIT));
    page_close(w);
    page_close(p);
    server_end(&on);
}

TEST(class, the_seat_comes_back_when_a_guest_or_the_pilot_leaves)
{
    char state[CHECK_FOLDER];
    CHECK(check_folder(state) != NULL);
    serve(state, "serve poisson2d shared --n 64 --until 0");
    page *p = server_pilot(&on), *second = server_pilot(&on), *w = watcher(), *other = watcher();
    page_say(w, "ask");
    CHECK(page_hears(p, "seat 0 1", WAIT));
    page_say(p, "give");
    CHECK(page_hears(p, "seat 1 0", WAIT));
    page_close(w);
    CHECK(page_hears(p, "seat 0 0", WAIT));
    page_say(other, "ask");
    CHECK(page_hears(p, "seat 0 1", WAIT));
    page_say(p, "give");
    CHECK(page_hears(other, "seat 2 0", WAIT));
    page_close(p);
    CHECK(page_hears(other, "seat 0 0", WAIT));
    page_say(other, "key 1 space");
    CHECK(!page_shows(second, "paused", true, 0.5));
    page_close(other);
    page_close(second);
    server_end(&on);
}

#endif
