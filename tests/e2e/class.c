/*
 * A class that watches a lesson in browsers: it answers predictions, which the instructor sees as a
 * histogram. Skipped where the program was built without the page.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/app/tables.h"
#include "src/base/common.h"
#include "src/lesson/document.h"
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

static void key(page *p, char c)
{
    char line[16];
    snprintf(line, sizeof line,
             c == '\r'  ? "key 1 enter"
             : c == ' ' ? "key 1 space"
                        : "key 1 %c",
             c);
    page_say(p, line);
}

static void keys(page *p, const char *all)
{
    for (const char *k = all; *k; k++)
        key(p, *k);
}

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
        answer(w[i], 2, 100 + i, "3"); /* to another question */
        answer(w[i], 1, 500 + i, "3"); /* a second one under another name */
        CHECK(page_hears(w[i], "rejected A page answers under one name", WAIT));
        snprintf(text, sizeof text, "%d of 20 have answered", i + 1);
        CHECK_MSG(page_shows(p, text, true, WAIT), "never %s", text);
    }
    CHECK(!page_shows(p, "The class", true, 0.3));
    page_close(w[0]); /* only those of connected pages count */
    page_close(w[1]);
    CHECK(page_shows(p, "18 of 18 have answered", true, WAIT));
    for (int i = 0; i < 2; i++) { /* under the name that they had */
        w[i] = watcher();
        answer(w[i], 1, 100 + i, overlaps[i]);
        CHECK(page_hears(w[i], "answered 1", WAIT));
    }
    CHECK(page_shows(p, "20 of 20 have answered", true, WAIT));
    keys(p, "16\r");
    CHECK(page_hears(w[2], "question 0", WAIT));
    answer(w[2], 1, 102, "3");
    CHECK(page_hears(w[2], "rejected Your answer came too late", WAIT));
    static const char *const bins[] = {"The class", "6 to 7",   "8 to 9",     "12 to 13",
                                       "14 to 15",  "16 to 17", "18 or more", "the instructor"};
    for (size_t i = 0; i < sizeof bins / sizeof *bins; i++)
        CHECK_MSG(page_shows(p, bins[i], true, WAIT), "never %s", bins[i]);
    CHECK(page_shows(w[5], "20 of 20 have answered", true, WAIT));
    CHECK(!page_shows(p, "the answer", true, 0.3));
    keys(p, "EE"); /* the solution, carried out: the truth is revealed */
    CHECK(page_shows(p, "The answer is 14", true, WAIT));
    CHECK(page_shows(p, "20 of 20 have answered", true, WAIT));
    CHECK(page_shows(p, "the answer", true, WAIT));
    for (int i = 0; i < CLASS; i++)
        page_close(w[i]);
    page_close(p);
    server_end(&on);
}

/* The instructor has done all of lesson 05 before. Short connections, each with an answer, neither
 * count nor take the place of an honest one. */
TEST(class, thirty_pages_answer_a_lesson_that_was_rehearsed)
{
    enum { PAGES = 30, FLOOD = 300 };
    static ss_progress done, later;
    static page *w[PAGES];
    char state[CHECK_FOLDER];
    ss_err err;
    ss_tables_init();
    ss_lesson *l = ss_lesson_find("05", &err);
    CHECK(l != NULL && check_folder(state) != NULL);
    setenv("XDG_STATE_HOME", state, 1);
    done = (ss_progress){.done = (1u << l->nstep) - 1, .at = 1};
    snprintf(done.predicted[0], sizeof done.predicted[0], "7");
    CHECK(ss_progress_save(l->name, &done, &err) == SS_OK);
    serve(state, "lesson 05 --ui web");
    page *p = server_pilot(&on);
    CHECK(page_shows(p, "the lesson begins anew for the class", true, WAIT));
    for (int i = 0; i < PAGES; i++) {
        w[i] = watcher();
        CHECK(page_hears(w[i], "question 1\n", WAIT));
    }
    CHECK(page_shows(p, "0 of 30 have answered", true, WAIT));
    for (int i = 0; i < PAGES - 1; i++)
        answer(w[i], 1, 1 + i, i % 3 ? "7" : "8");
    for (int i = 0; i < FLOOD; i++) {
        page *thief = watcher();
        answer(thief, 1, 1000 + i, "3");
        CHECK_MSG(i > 0 || page_hears(thief, "answered 1", WAIT), "the first is not taken");
        page_close(thief);
    }
    answer(w[PAGES - 1], 1, PAGES, "6");
    CHECK(page_hears(w[PAGES - 1], "answered 1", WAIT));
    CHECK(page_shows(p, "30 of 30 have answered", true, WAIT));
    keys(p, "7\r");
    CHECK(page_hears(w[0], "question 0", WAIT));
    CHECK(page_shows(p, "The class", true, WAIT) && page_shows(w[0], "The class", true, WAIT));
    for (int i = 0; i < PAGES; i++)
        page_close(w[i]);
    page_close(p);
    server_end(&on);
    ss_progress_load(l->name, &later);
    CHECK(memcmp(&done, &later, sizeof done) == 0);
    ss_lesson_free(l);
}

#endif
