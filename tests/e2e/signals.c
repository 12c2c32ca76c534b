/* The terminal is always restored: whatever signal ends the program, and whenever, the modes of the
 * terminal are those from before and the alternate screen is left. Stop and continue work, too. */
#include "tests/e2e/e2e.h"

#include <signal.h>
#include <stdio.h>

/* The state of the program when the signal arrives; `keys` are sent after `shows`. */
typedef struct moment {
    const char *name, *args, *shows, *keys;
} moment;

static const moment moments[] = {
    {"starting", "poisson2d shared --n 256", NULL, NULL},
    {"starting with a large grid", "poisson2d shared --n 3000", NULL, NULL},
    {"running", "poisson2d shared --n 256", "cycle ", NULL},
    {"running a large grid", "poisson2d jacobi --n 3000", "cycle ", NULL},
    {"paused", "poisson2d shared --n 64 -e 'step 3'", "cycle 3", NULL},
    {"help is open", "poisson2d shared --n 256", "cycle ", "?"},
    {"typing", "poisson2d shared --n 256", "cycle ", "1"},
    {"in the picker", "", "What would you", NULL},
    {"changing", "poisson2d shared --n 512", "cycle ", "KKKKOOOOllllbbb"},
    {"in one dimension", "poisson1d shared --n 4096", "cycle ", NULL},
};

enum { NMOMENT = sizeof moments / sizeof *moments };

static unsigned random_state = 12345;

static double some_seconds(double most)
{
    random_state = random_state * 1664525u + 1013904223u;
    return most * (random_state >> 8) / (double)(1 << 24);
}

/* Before the handlers are installed, a signal has its default effect. */
static bool fits(int status, int signal_number, bool started)
{
    bool polite = signal_number == SIGTERM || signal_number == SIGHUP || signal_number == SIGINT ||
                  signal_number == SIGQUIT;
    if (polite && status == 130)
        return true;
    return status == 128 + signal_number && (!polite || !started);
}

static void end_at(const moment *m, int signal_number)
{
    term *t = term_open(100, 30, NULL, m->args);
    if (m->shows)
        SHOWS(t, m->shows);
    if (m->keys)
        term_keys(t, m->keys);
    term_pump(t, some_seconds(m->shows ? 0.15 : 0.25));
    bool full = term_is_full_screen(t);
    term_signal(t, signal_number);
    int status = term_exit(t, TERM_PATIENCE);
    CHECK_MSG(status >= 0, "%s: it goes on after signal %d", m->name, signal_number);
    CHECK_MSG(!term_damage(t), "%s, signal %d: %s", m->name, signal_number, term_damage(t));
    CHECK_MSG(fits(status, signal_number, full), "%s, signal %d: exit status %d", m->name,
              signal_number, status);
    term_close(t);
}

static void end_at_all(int signal_number)
{
    for (int i = 0; i < NMOMENT; i++)
        end_at(&moments[i], signal_number);
    for (int i = 0; i < 6; i++) /* signals during the start */
        end_at(&moments[i % 2], signal_number);
}

TEST_CALL(signals, term, end_at_all(SIGTERM))

/* The program would wait for ever in a write. What it prints last is lost, and so are the sequences
 * that restore the screen. */
TEST(signals, term_while_the_terminal_takes_no_output)
{
    term *t = term_open(100, 30, NULL, "poisson2d shared --n 256");
    SHOWS(t, "cycle ");
    term_hold(t);
    term_pump(t, 1);
    term_signal(t, SIGTERM);
    CHECK_INT(term_exit(t, TERM_PATIENCE), 130);
    term_close(t);
}

TEST_CALL(signals, hup, end_at_all(SIGHUP))
TEST_CALL(signals, interrupt, end_at_all(SIGINT))
TEST_CALL(signals, quit, end_at_all(SIGQUIT))
TEST_CALL(signals, segv, end_at_all(SIGSEGV))
TEST_CALL(signals, abort, end_at_all(SIGABRT))

TEST(signals, bus_and_fpe)
{
    for (int i = 0; i < NMOMENT; i += 2) {
        end_at(&moments[i], SIGBUS);
        end_at(&moments[i], SIGFPE);
    }
}

/* The modes are those before the start, not the defaults. */
TEST(signals, the_modes_are_those_from_before)
{
    term *t = term_open(80, 24, NULL, "poisson2d shared --n 64");
    SHOWS(t, "cycle ");
    CHECK(term_damage(t) != NULL); /* the check detects damage */
    LEAVE(t);
}

TEST(signals, several_at_once)
{
    term *t = term_open(80, 24, NULL, "poisson2d shared --n 256");
    SHOWS(t, "cycle ");
    for (int i = 0; i < 5; i++) {
        term_signal(t, SIGTERM);
        term_signal(t, SIGWINCH);
        term_signal(t, SIGINT);
    }
    int status = term_exit(t, TERM_PATIENCE); /* the third signal of a kind may kill it */
    CHECK_MSG(status == 130 || status == 128 + SIGTERM, "exit status %d", status);
    CHECK_MSG(!term_damage(t), "after the end %s", term_damage(t));
    term_close(t);
}

TEST(signals, control_c_leaves)
{
    term *t = term_open(80, 24, NULL, "poisson2d shared --n 64");
    SHOWS(t, "cycle ");
    term_keys(t, "\003");
    ENDS(t, 130);
    term_close(t);
}

/* The program does not finish the cycle first, which takes longer than TERM_PATIENCE. */
TEST(signals, a_long_cycle_is_given_up)
{
    term *t = term_open(80, 24, NULL,
                        "poisson2d shared --n 1500 --k 1000 --block 32 --overlap 28 --threads 1");
    SHOWS(t, "cycle ");
    term_pump(t, 1);
    double began = term_clock();
    term_signal(t, SIGTERM);
    ENDS(t, 130);
    e2e_figure("seconds_to_end_in_a_long_cycle", term_clock() - began, 2, false);
    term_close(t);
}

static void stop_and_go_on(const char *how)
{
    term *t = term_open(120, 40, NULL, "poisson2d shared --n 256 --k 4");
    SHOWS(t, "cycle ");
    SHOWS(t, "overlap");
    if (how)
        term_keys(t, how);
    else
        term_signal(t, SIGTSTP);
    CHECK_MSG(term_wait_stop(t, TERM_PATIENCE), "it does not stop");
    CHECK_MSG(!term_damage(t), "when stopped %s", term_damage(t));
    term_resize(t, 100, 30); /* the user may resize meanwhile */
    term_signal(t, SIGCONT);
    SHOWS(t, "overlap");
    CHECK(term_is_full_screen(t));
    long long cycle = e2e_cycle(t);
    for (double began = term_clock(); e2e_cycle(t) <= cycle; term_pump(t, 0.05))
        CHECK_MSG(term_clock() - began < TERM_PATIENCE, "it goes on, but does not run:\n%s",
                  term_screen(t));
    term_keys(t, "K");
    CONTROL(t, "k", "5");
    LEAVE(t);
}

TEST_CALL(signals, control_z_and_fg, stop_and_go_on("\032"))
TEST_CALL(signals, tstp_and_cont, stop_and_go_on(NULL))

TEST(signals, cont_redraws)
{
    term *t = term_open(120, 40, NULL,
                        "poisson2d shared --n 256 --deterministic --threads 2 "
                        "--k 12 --overlap 4 -e 'view layer staleness' -e 'step 10'");
    SHOWS(t, "cycle 10");
    term_keys(t, "\032");
    CHECK(term_wait_stop(t, TERM_PATIENCE));
    CHECK_MSG(!term_damage(t), "when stopped %s", term_damage(t));
    term_signal(t, SIGCONT);
    SHOWS(t, "cycle 10");
    e2e_golden(t, "shared-120x40");
    term_keys(t, "\014");
    e2e_golden(t, "shared-120x40");
    term_close(t);
}
