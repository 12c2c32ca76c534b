/* A lesson next to the live run, by keys: a wrong prediction, a hint, quit and resume, checks that
 * become true while it runs; and no place to save progress. */
#include "tests/e2e/e2e.h"

#include <stdio.h>
#include <stdlib.h>

#define GOOD "lesson tests/e2e/lessons/good.md --threads 1"

static term *start_with(int cols, int rows, const char *state, const char *args, const char *shows)
{
    char env[128];
    snprintf(env, sizeof env, "XDG_STATE_HOME=%s", state);
    term *t = term_open(cols, rows, env, args);
    SHOWS(t, shows);
    return t;
}

static term *start(int cols, int rows, const char *state, const char *args)
{
    return start_with(cols, rows, state, args, "Stale halos");
}

static void leave(term *t, const char *says)
{
    term_keys(t, "q");
    ENDS(t, 0);
    CHECK_MSG(strstr(term_screen(t), says), "it does not say '%s':\n%s", says, term_screen(t));
    term_close(t);
}

/* The beginning of the row of a check. */
static void ticks(term *t, const char *sign, const char *check)
{
    char both[80];
    snprintf(both, sizeof both, "%s %s", sign, check);
    SHOWS(t, both);
}

TEST(lesson, a_lesson_is_completed_by_keys)
{
    char home[CHECK_FOLDER];
    CHECK(check_folder(home) != NULL);
    term *t = start(120, 40, home, GOOD);
    SHOWS(t, "step 1 of 2");
    SHOWS(t, "What does an overlap of 4 do");
    term_keys(t, " ");
    SHOWS(t, "your prediction comes first: 1 to 2, then enter");
    SHOWS(t, "cycle 0");
    CHECK(!strstr(term_screen(t), "Your turn"));
    static const char *const telling[] = {"H", "K", ":set overlap 4\r", "|", "E"};
    for (int i = 0; i < 5; i++) {
        term_keys(t, "t"); /* clears the message */
        LOSES(t, "your prediction comes first");
        term_keys(t, telling[i]);
        SHOWS(t, "your prediction comes first: 1 to 2, then enter");
    }
    CONTROL(t, "k", "8");
    CHECK(!strstr(term_screen(t), "%"));
    term_keys(t, "j");
    SHOWS(t, "this step is not done yet: j again skips it");
    term_keys(t, "2");
    SHOWS(t, "▸ 2 fewer");
    term_keys(t, "1");
    SHOWS(t, "▸ 1 more");
    term_keys(t, "\r");
    SHOWS(t, "Your prediction");
    SHOWS(t, "! do it");
    SHOWS(t, "88.2 %"); /* stale kept: shown after the prediction */
    ticks(t, "…", "cycles < baseline.cycles");
    term_keys(t, "h");
    SHOWS(t, "Hint");
    term_keys(t, "!");
    SHOWS(t, "converged");
    ticks(t, "○", "cycles < baseline.cycles");
    ticks(t, "○", "overlap: to be found");
    SHOWS(t, "overlap is 0");
    CHECK(!strstr(term_screen(t), "against 2"));
    CONTROL(t, "k", "8");
    leave(t, "0 of 2 steps done");

    t = start(120, 40, home, GOOD); /* the prediction is locked, and the run is reset */
    SHOWS(t, "Your prediction");
    SHOWS(t, "nothing has been solved yet");
    term_keys(t, "OO");
    CONTROL(t, "overlap", "4");
    term_keys(t, " ");
    ticks(t, "✓", "overlap >= 2");
    ticks(t, "✓", "cycles < baseline.cycles");
    SHOWS(t, "You predicted 1. The answer is 2: fewer");
    SHOWS(t, "It does.");
    SHOWS(t, "done: j opens");
    term_keys(t, "j");
    SHOWS(t, "step 2 of 2");
    SHOWS(t, "How large is exact?");
    CONTROL(t, "overlap", "4"); /* the author's value */
    term_keys(t, "j");
    SHOWS(t, "this step is not done yet, and it is the last");
    leave(t, "1 of 2 steps done");

    t = start(120, 40, home, GOOD); /* at the saved step; the solution only on request */
    SHOWS(t, "step 2 of 2");
    CHECK(!strstr(term_screen(t), "set overlap 14"));
    term_keys(t, "E");
    SHOWS(t, "> set overlap 14");
    CONTROL(t, "overlap", "4");
    term_keys(t, "E");
    ticks(t, "✓", "same-as poisson2d jacobi");
    SHOWS(t, "the lesson is done, all 2 steps");
    term_keys(t, "J");
    SHOWS(t, "step 1 of 2");
    leave(t, "2 of 2 steps done");
}

/* The words of a shared link. */
TEST(lesson, a_lesson_opens_at_a_step)
{
    char home[CHECK_FOLDER];
    CHECK(check_folder(home) != NULL);
    term *t = start(120, 40, home, "lesson tests/e2e/lessons/good.md 2 --threads 1");
    SHOWS(t, "step 2 of 2");
    leave(t, "0 of 2 steps done");
    t = term_open(120, 40, "", "lesson tests/e2e/lessons/good.md 3 --threads 1");
    ENDS(t, 1);
    CHECK(strstr(term_screen(t), "2 steps, and no step 3"));
    term_close(t);
}

#define STALE "lesson 05 --threads 1"

/* `do` is played at a pace that the eye follows; space carries out the rest at once. */
TEST(lesson, do_is_played_and_space_skips)
{
    char home[CHECK_FOLDER];
    CHECK(check_folder(home) != NULL);
    term *t = start(120, 40, home, STALE);
    SHOWS(t, "a number");
    term_keys(t, "7");
    SHOWS(t, "7▏");
    term_keys(t, "\r");
    SHOWS(t, "! do it");
    term_keys(t, "!");
    SHOWS(t, "of 10 · space skips");
    SHOWS(t, "subiteration 2 of 8");
    CHECK(!strstr(term_screen(t), "Right: it is 7"));
    term_keys(t, " ");
    SHOWS(t, "Right: it is 7");
    SHOWS(t, "cycle 11");
    term_keys(t, "!"); /* from the step's start again */
    SHOWS(t, "of 10 · space skips");
    term_keys(t, " ");
    SHOWS(t, "done; ! shows it again");
    SHOWS(t, "cycle 11");
    leave(t, "1 of 4 steps done");
}

/* From the presets to the list of lessons, into one, out and in again. */
TEST(lesson, lessons_open_from_inside_the_program)
{
    char home[CHECK_FOLDER];
    CHECK(check_folder(home) != NULL);
    term *t = start(80, 24, home, "--threads 1");
    term_keys(t, "\t");
    SHOWS(t, "A tour of the screen");
    SHOWS(t, "Five minutes with a solver");
    term_keys(t, "\033[C\033[C\033[C\033[C");
    SHOWS(t, "Inside a block");
    term_keys(t, "\r");
    SHOWS(t, "How far does it spread?");
    term_keys(t, "7\r");
    SHOWS(t, "! do it");
    term_keys(t, "!");
    SHOWS(t, "cycle 1");
    term_keys(t, " ");
    SHOWS(t, "Right: it is 7");
    term_keys(t, "Q");
    SHOWS(t, "1/4 done");
    CHECK(!strstr(term_screen(t), "Right: it is 7"));
    term_keys(t, "\r");
    SHOWS(t, "you predicted 7");
    term_keys(t, "Q");
    SHOWS(t, "1/4 done");
    term_keys(t, "\033");
    LOSES(t, "1/4 done");
    LEAVE(t);
}
