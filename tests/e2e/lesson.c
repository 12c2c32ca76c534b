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

/* The rest of the program works as without a lesson. */
TEST(lesson, the_program_stays_usable)
{
    term *t = start(80, 24, "/proc/none", GOOD);
    term_keys(t, "2\r");
    SHOWS(t, "progress is not saved");
    for (int i = 0; i < 20 && strstr(term_screen(t), "cycle 0");
         i++) { /* until the step is set up */
        term_keys(t, " ");
        term_wait(t, "cycle 712", 1);
    }
    SHOWS(t, "cycle 712");
    SHOWS(t, "converged");
    term_keys(t, "K");
    CONTROL(t, "k", "9");
    SHOWS(t, "converged 712"); /* the run does not start by itself */
    term_keys(t, " ");
    SHOWS(t, "converged at cycle 712: r starts again");
    term_keys(t, "k:set until 1e-6\r "); /* a smaller tolerance is still ahead */
    CONTROL(t, "k", "8");
    LOSES(t, "converged 712");
    SHOWS(t, "■ converged");
    CHECK(e2e_cycle(t) > 712);
    term_keys(t, "l");
    SHOWS(t, "[u*]");
    term_keys(t, "T");
    SHOWS(t, "T: the lesson");
    SHOWS(t, "[cycles]");
    term_keys(t, "?");
    SHOWS(t, "Help");
    for (int i = 0; i < 80 && !strstr(term_screen(t), "show a hint"); i++) {
        term_keys(t, "\033[B");
        term_pump(t, 0.05);
    }
    SHOWS(t, "show a hint");
    term_keys(t, "\033");
    term_keys(t, "T");
    SHOWS(t, "Your turn");
    term_keys(t, "@");
    SHOWS(t, "cycle 0");
    CONTROL(t, "k", "8");
    leave(t, "0 of 2 steps done");
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

TEST(lesson, what_is_done_by_hand_counts)
{
    char home[CHECK_FOLDER];
    CHECK(check_folder(home) != NULL);
    term *t = start_with(120, 40, home, "lesson 01 --threads 1", "A tour");
    term_keys(t, "2\r");
    SHOWS(t, "! do it");
    for (int i = 0; i < 20 && !strstr(term_screen(t), "cycle 1"); i++) { /* until it is set up */
        term_keys(t, ",");
        term_wait(t, "cycle 1", 1);
    }
    for (int i = 2; i < 10; i++) {
        char cycle[16];
        snprintf(cycle, sizeof cycle, "cycle %d", i);
        term_keys(t, ",");
        SHOWS(t, cycle);
    }
    CHECK(!strstr(term_screen(t), "Right:"));
    term_keys(t, ",");
    SHOWS(t, "Right: the points next to the edge");
    SHOWS(t, "r reset"); /* the keys that the text names are in the footer */
    SHOWS(t, ", cycle");
    term_keys(t, "j");
    SHOWS(t, "The curve");
    SHOWS(t, "[cycles]"); /* the panel that the step asks for */
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
    term_keys(t, "q");
    ENDS(t, 0);
    term_close(t);
}

/* The student has started the run: the next step pauses it, and begins from its scenario. */
TEST(lesson, a_step_begins_while_the_run_goes_on)
{
    char home[CHECK_FOLDER];
    CHECK(check_folder(home) != NULL);
    term *t = start_with(120, 40, home, "lesson 11 --threads 1", "The slope");
    term_keys(t, "3\r!");
    SHOWS(t, "What happened");
    term_keys(t, " ");
    SHOWS(t, "▶");
    term_keys(t, "j");
    SHOWS(t, "The price of");
    term_keys(t, "4\r");
    SHOWS(t, "Right: 16");
    term_keys(t, " ");
    SHOWS(t, "▶");
    term_keys(t, "j");
    SHOWS(t, "Bit for bit, in chaos");
    SHOWS(t, "stepper ·"); /* in the header */
    SHOWS(t, "cycle 0");
    leave(t, "2 of 3 steps done");
}

TEST(lesson, a_preset_closes_it)
{
    char home[CHECK_FOLDER];
    CHECK(check_folder(home) != NULL);
    term *t = start_with(80, 24, home, "lesson 01 --threads 1", "A tour");
    term_keys(t, "P");
    SHOWS(t, "Stale halos");
    term_keys(t, "\033[B\r");
    SHOWS(t, "[staleness]");
    LOSES(t, "A tour");
    SHOWS(t, "▶"); /* it runs: no prediction is asked for */
    leave(t, "");
}

/* At 80 columns the panels of a step take turns; the controls come when one is turned. */
TEST(lesson, panels_take_turns)
{
    char home[CHECK_FOLDER];
    CHECK(check_folder(home) != NULL);
    term *t = start_with(80, 24, home, "lesson 01 --threads 1", "A tour");
    term_keys(t, "jjjjjj");
    SHOWS(t, "The cost");
    SHOWS(t, "[cycles]");
    term_keys(t, ";");
    SHOWS(t, "[cost]");
    term_keys(t, ";");
    SHOWS(t, "Turn while it runs");
    leave(t, "0 of 4 steps done");
}

/* Plain lines; Ctrl-C ends the run, not the lesson. */
TEST(lesson, a_run_can_be_stopped)
{
    term *t = start(80, 24, "/proc/none", GOOD " --ui text");
    SHOWS(t, "Your prediction:");
    term_keys(t, "2\r");
    SHOWS(t, "next, hint");
    term_keys(t, "open poisson2d jacobi n=2048\rset until 0\rset cycles 1000000\rrun\r");
    term_pump(t, 1);
    term_keys(t, "\003");
    SHOWS(t, "Stopped at cycle");
    term_keys(t, "open poisson1d jacobi n=16\rstep 2\r");
    SHOWS(t, "cycle 2, ");
    term_keys(t, "quit\r");
    ENDS(t, 0);
    term_close(t);
}

/* The screen is the same on every machine: none of it depends on the clock. */
static void golden(const char *name, int cols, int rows)
{
    term *t = start(cols, rows, "/proc/none", GOOD " --deterministic");
    SHOWS(t, "What does an overlap");
    term_keys(t, "1\r!");
    SHOWS(t, "converged");
    ticks(t, "○", "overlap: to be found");
    e2e_golden(t, name);
    leave(t, "0 of 2 steps done");
}

TEST(golden, lesson_80x24)
{
    golden("lesson-80x24", 80, 24);
}

TEST(golden, lesson_120x40)
{
    golden("lesson-120x40", 120, 40);
}
