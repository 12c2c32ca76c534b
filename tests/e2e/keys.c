/* Every key has the effect that footer and help name, in the real program. Long because each of
 * them has a test. */
#include "tests/e2e/e2e.h"

#include <signal.h>
#include <stdio.h>

#define PAUSED                                                                                     \
    "poisson2d shared --n 256 --k 8 --block 32 --overlap 4 --threads 1 --deterministic "           \
    "-e 'step 3'"
#define FOCUSED "▸"

static term *start(const char *args)
{
    term *t = term_open(120, 40, NULL, args);
    SHOWS(t, "overlap");
    return t;
}

static term *start_paused(void)
{
    term *t = start(PAUSED);
    SHOWS(t, "cycle 3");
    CONTROL(t, "k", "8");
    return t;
}

#define PAUSED_TEST(name)                                                                          \
    static void name##_on(term *t);                                                                \
    TEST(keys, name)                                                                               \
    {                                                                                              \
        term *t = start_paused();                                                                  \
        name##_on(t);                                                                              \
        LEAVE(t);                                                                                  \
    }                                                                                              \
    static void name##_on(term *t)

PAUSED_TEST(k_block_overlap)
{
    SHOWS(t, "space go on");
    term_keys(t, "K");
    CONTROL(t, "k", "9");
    term_keys(t, "kk");
    CONTROL(t, "k", "7");
    term_keys(t, "O");
    CONTROL(t, "overlap", "6");
    term_keys(t, "ooo");
    CONTROL(t, "overlap", "0");
    term_keys(t, "o"); /* the lowest already */
    term_keys(t, "B");
    CONTROL(t, "block", "64");
    CONTROL(t, "overlap", "0");
    term_keys(t, "bb");
    CONTROL(t, "block", "16");
}

/* A script that ends with `pause` starts a paused run. */
TEST(keys, a_run_may_start_paused)
{
    term *t = start("poisson2d shared --n 64 --threads 1 --deterministic -e pause");
    SHOWS(t, "paused");
    SHOWS(t, "cycle 0");
    term_keys(t, ",");
    SHOWS(t, "cycle 1");
    LEAVE(t);
    t = start("poisson2d shared --n 64 --threads 1 --deterministic -e pause -e run --cycles 9");
    SHOWS(t, "cycle 9");
    LEAVE(t);
}

/* | races the run against a copy of itself, \ selects the other run, c changes the measure. */
PAUSED_TEST(a_race)
{
    term_keys(t, "|");
    SHOWS(t, "2 shared k 8");
    SHOWS(t, "race by cycles, 0 of 2 finished");
    SHOWS(t, "cycle 0");
    term_keys(t, "KK");
    SHOWS(t, "2 shared k 10");
    term_keys(t, ",");
    SHOWS(t, "cycle 1");
    term_keys(t, "\\");
    CONTROL(t, "k", "8");
    SHOWS(t, "cycle 1");
    term_keys(t, "c");
    SHOWS(t, "the race goes by iterations");
    SHOWS(t, "[iterations]");
    term_keys(t, "r");
    SHOWS(t, "cycle 0");
    term_keys(t, "_");
    LOSES(t, "2 shared k 10");
    CONTROL(t, "k", "8");
    term_keys(t, "|");
    SHOWS(t, "2 shared k 8");
}

PAUSED_TEST(arrows_turn_the_control_in_focus)
{
    term_keys(t, "\t");
    SHOWS(t, FOCUSED "block");
    term_keys(t, "\033[C"); /* right; in either form a terminal may send */
    CONTROL(t, "block", "64");
    SHOWS(t, "─ 64 "); /* k's slider ends at the block that the engine has */
    term_keys(t, "\033OD");
    CONTROL(t, "block", "32");
    SHOWS(t, "─ 32 ");
    term_keys(t, "\033[Z"); /* shift-tab */
    SHOWS(t, FOCUSED "k ");
    term_keys(t, "+++");
    CONTROL(t, "k", "11");
    term_keys(t, "-");
    CONTROL(t, "k", "10");
    term_keys(t, "\033[6~"); /* page down: lower */
    LOSES(t, "◂ 10 ▸");
    term_keys(t, "\033[H"); /* home */
    CONTROL(t, "k", "1");
    term_keys(t, "\033[F"); /* end */
    CONTROL(t, "k", "32");
    term_keys(t, "\033[B");
    SHOWS(t, FOCUSED "block");
    term_keys(t, "\033[A");
    SHOWS(t, FOCUSED "k ");
}

PAUSED_TEST(typing_a_number)
{
    term_keys(t, "16");
    SHOWS(t, "k = 16");
    CONTROL(t, "k", "[16▏]");
    term_keys(t, "\r");
    CONTROL(t, "k", "16");
    term_keys(t, "99\033");
    LOSES(t, "k = 99");
    CONTROL(t, "k", "16");
    term_keys(t, "123\177\177\r"); /* backspace twice */
    CONTROL(t, "k", "1");
    term_keys(t, "\r");
    SHOWS(t, "k = ");
    term_keys(t, "5\r");
    CONTROL(t, "k", "5");
}

/* : takes any command of a run file, also for parameters without a control. */
TEST(keys, a_command_by_its_words)
{
    term *t = start_paused();
    term_keys(t, ":");
    SHOWS(t, "enter do it");
    term_keys(t, "set k 16\r");
    CONTROL(t, "k", "16");
    term_keys(t, ":step 2\r");
    SHOWS(t, "cycle 5");
    term_keys(t, ":set ov\t 9\r");
    SHOWS(t, "9 is odd");
    term_keys(t, ":"); /* the previous line, corrected */
    term_keys(t, "\033[A\1776\r");
    CONTROL(t, "overlap", "6");
    term_keys(t, ":stepp\r");
    SHOWS(t, "unknown command 'stepp'; did you mean step?");
    term_keys(t, ":qqq\033");
    LOSES(t, ":qqq");
    SHOWS(t, "cycle 5");
    term_keys(t, ":quit\r");
    ENDS(t, 0);
    term_close(t);
}

/* The answer of a terminal presses no key, and letters of any script are typed and drawn. */
PAUSED_TEST(letters_are_typed_and_answers_of_the_terminal_are_not)
{
    term_keys(t, "\033]11;rgb:1e1e/1e1e/1e1e\007\033P>|term(1.2)\033\\:mark W");
    term_keys(t, "\303");
    term_keys(t, "\244rme\350\252\236\177!\r");
    SHOWS(t, "Wärme!");
    CONTROL(t, "k", "8");
    SHOWS(t, "cycle 3");
    term_keys(t, ",");
    SHOWS(t, "cycle 4");
}

/* Does the header show a later cycle, on a machine of any load? */
static bool advances(term *t)
{
    long long cycle = e2e_cycle(t);
    double end = term_clock() + TERM_PATIENCE;
    while (e2e_cycle(t) <= cycle && term_clock() < end)
        term_pump(t, 0.1);
    return e2e_cycle(t) > cycle;
}

/* Without a tolerance, at which the run would hold. */
TEST(keys, pause_and_go_on)
{
    term *t = start("poisson2d shared --n 256 --until 0 --threads 1");
    SHOWS(t, "▶");
    CHECK(advances(t));
    term_keys(t, " ");
    SHOWS(t, "paused");
    CHECK(term_settle(t, 0.3, TERM_PATIENCE));
    long long cycle = e2e_cycle(t);
    term_pump(t, 0.5);
    CHECK_INT(e2e_cycle(t), cycle);
    term_keys(t, " ");
    LOSES(t, "paused");
    CHECK(advances(t));
    LEAVE(t);
}

PAUSED_TEST(one_cycle_and_one_subiteration)
{
    term_keys(t, ",");
    SHOWS(t, "cycle 4");
    term_keys(t, ".");
    SHOWS(t, "1st subiteration of 8");
    term_keys(t, "..");
    SHOWS(t, "3rd subiteration of 8");
    term_keys(t, ",");
    SHOWS(t, "cycle 5");
    LOSES(t, "subiteration of 8");
}

PAUSED_TEST(u_undoes_a_change_and_U_redoes_it)
{
    term_keys(t, "KKO");
    CONTROL(t, "overlap", "6");
    term_keys(t, "u");
    CONTROL(t, "overlap", "4");
    CONTROL(t, "k", "10");
    term_keys(t, "uu");
    CONTROL(t, "k", "8");
    term_keys(t, "u");
    SHOWS(t, "nothing to undo");
    term_keys(t, "U");
    CONTROL(t, "k", "9");
    term_keys(t, "UU");
    CONTROL(t, "k", "10");
    CONTROL(t, "overlap", "6");
    term_keys(t, "U");
    SHOWS(t, "nothing to redo");
}

PAUSED_TEST(r_resets_the_run)
{
    term_keys(t, "r");
    SHOWS(t, "cycle 0");
    term_keys(t, ",");
    SHOWS(t, "cycle 1");
}

PAUSED_TEST(question_mark_opens_the_help)
{
    term_keys(t, "?");
    SHOWS(t, "Help");
    SHOWS(t, "one subiteration");
    term_keys(t, "K"); /* is a key of the help, not of the controls */
    term_keys(t, "\033");
    LOSES(t, "one subiteration");
    CONTROL(t, "k", "8");
    term_keys(t, "\033OP"); /* F1 */
    SHOWS(t, "one subiteration");
    for (int i = 0; i < 24; i++)
        term_keys(t, "\033[6~");
    SHOWS(t, "quit");
    term_keys(t, "q"); /* closes the help only */
    LOSES(t, "Help");
}

/* The next frame is due before the wait for the rest of an escape sequence ends: the key comes
 * later. */
TEST(keys, escape_at_sixty_frames_a_second)
{
    term *t = start("poisson2d shared --n 64 --threads 1 --until 0 --fps 60");
    term_keys(t, "?");
    SHOWS(t, "one subiteration");
    term_keys(t, "\033");
    LOSES(t, "one subiteration");
    LEAVE(t);
}

static unsigned long long picture(term *t)
{
    CHECK_MSG(term_settle(t, 0.3, TERM_PATIENCE), "never quiet:\n%s", term_screen(t));
    return term_fingerprint(t);
}

TEST(keys, zoom_and_pan)
{
    term *t = start(PAUSED " -e 'view layer residual'");
    SHOWS(t, "cycle 3");
    SHOWS(t, "[residual]");
    unsigned long long whole = picture(t);
    term_keys(t, "ZZ");
    unsigned long long zoomed = picture(t);
    CHECK_MSG(zoomed != whole, "zooming in shows nothing:\n%s", term_screen(t));
    term_keys(t, "\033[1;2C"); /* shift-right */
    unsigned long long right = picture(t);
    CHECK_MSG(right != zoomed, "panning shows nothing:\n%s", term_screen(t));
    term_keys(t, "\033[1;2D");
    CHECK_MSG(picture(t) == zoomed, "panning back is not back:\n%s", term_screen(t));
    term_keys(t, "f");
    CHECK_MSG(picture(t) == whole, "not the whole again:\n%s", term_screen(t));
    term_keys(t, "g");
    CHECK_MSG(picture(t) != whole, "the grid stays:\n%s", term_screen(t));
    LEAVE(t);
}

/* The cards have pictures, the search finds one, its run is opened; a run goes on below the cards.
 */
TEST(keys, the_gallery)
{
    term *t = term_open(120, 40, NULL, "poisson2d jacobi --n 512 --threads 1 -e run");
    SHOWS(t, "▶");
    term_keys(t, "P");
    SHOWS(t, "Lessons (");
    SHOWS(t, "▀▀▀▀▀▀▀▀▀▀▀▀"); /* a picture */
    SHOWS(t, "Classic Jacobi, 2D");
    term_keys(t, "hock tub");
    SHOWS(t, "find: hock tub");
    SHOWS(t, "1 found");
    LOSES(t, "Classic Jacobi, 2D");
    term_keys(t, "\r");
    LOSES(t, "What would you like to see?");
    SHOWS(t, "1D Euler");
    term_keys(t, "P\t");
    SHOWS(t, "A tour of the screen");
    term_keys(t, "\033[C\r"); /* the second lesson */
    SHOWS(t, "Why Jacobi is slow");
    LEAVE(t);
}

/* Input that terminals may send but that no key is bound to. */
PAUSED_TEST(random_input_is_ignored)
{
    static const char *const rubbish[] = {
        "\033[200~", "\033[?1;2c", "\033]11;rgb:0/0/0\033\\", "\033[<0;500;500M", "\033[99;5u",
        "\xff\xfe",  "é",          "\033P1$r0m\033\\",        "\033[M !!",        "\033\033\033",
        "\1\2\4"};
    for (size_t i = 0; i < sizeof rubbish / sizeof *rubbish; i++) {
        term_keys(t, rubbish[i]);
        term_pump(t, 0.1);
    }
    term_keys(t, "\033");
    term_pump(t, 0.1);
    term_keys(t, "K");
    CHECK_MSG(term_exit(t, 0.1) < 0, "it ended:\n%s", term_screen(t));
    SHOWS(t, "overlap");
}

/* splitmix64 */
static unsigned random_below(unsigned long long *state, unsigned n)
{
    unsigned long long z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (unsigned)((z ^ z >> 31) % n);
}

static void random_action(term *t, unsigned long long *state)
{
    static const char keys[] =
        " ..,,lLFxX[]{}y><ruu()*-+=zZfpegGt|\\c_HP?'\"!jhE@T123456789%i^;/0aAbBdDkKnNoOsSvVwWmMU"
        "\t\t\r\033\033\177";
    static const char *const commands[] = {"set k 16",
                                           "set n 31",
                                           "set block 7",
                                           "set overlap 6",
                                           "open ks1d stepper n=32",
                                           "open plane cg n=31",
                                           "add poisson2d cg",
                                           "drop",
                                           "split",
                                           "split classic",
                                           "race bytes",
                                           "race off",
                                           "rewind 3",
                                           "rewind -1",
                                           "rewind end",
                                           "paint 0.5 0.5 0.2 1",
                                           "tick 3",
                                           "step 5",
                                           "error",
                                           "undo",
                                           "redo",
                                           "set until 0",
                                           "set solver multigrid",
                                           "set precision f32",
                                           "view layer staleness",
                                           "view window 1 2 3 4",
                                           "view maximise field",
                                           "view timeline on",
                                           "map open",
                                           "map close",
                                           "lessons",
                                           "presets",
                                           "help",
                                           "set latency 1ms",
                                           "unset k"};
    char line[80];
    unsigned kind = random_below(state, 10);
    if (kind < 7) {
        snprintf(line, sizeof line, "%c", keys[random_below(state, sizeof keys - 1)]);
        term_keys(t, line);
    } else if (kind < 9) {
        unsigned i = random_below(state, sizeof commands / sizeof *commands);
        snprintf(line, sizeof line, ":%s\r", commands[i]);
        term_keys(t, line);
    } else {
        static const int buttons[] = {0, 2, 32, 35, 64, 65};
        term_mouse(t, buttons[random_below(state, 6)], (int)random_below(state, 120),
                   (int)random_below(state, 40), random_below(state, 2) != 0);
    }
}

/* Whatever is pressed in whatever order, the program lives, and a signal ends it. */
TEST(keys, in_any_order_do_no_harm)
{
    static const char *const runs[] = {"poisson2d shared --n 64 --threads 1",
                                       "ks1d swept --n 128 --threads 1",
                                       "poisson2d multigrid --n 31 --threads 1"};
    unsigned long long state = 41;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        term *t = term_open(120, 40, NULL, runs[i]);
        SHOWS(t, "cycle");
        for (int n = 0; n < 120; n++) {
            random_action(t, &state);
            term_pump(t, 0.001 * random_below(&state, 12));
        }
        int ended = term_exit(t, 0.05);
        CHECK_MSG(ended < 0, "%s: it ended with status %d:\n%s", runs[i], ended, term_screen(t));
        term_signal(t, SIGTERM);
        ENDS(t, 130);
        term_close(t);
    }
}
