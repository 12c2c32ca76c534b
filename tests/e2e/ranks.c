/*
 * A run on MPI ranks, seen from the terminal: it is shown, changes follow keys, and whatever ends,
 * the ranks, the program or both, nothing is left running and the terminal is as it was. Skipped
 * where the rank program is not built.
 */
#include "tests/e2e/e2e.h"

#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define RUN "poisson2d jacobi --n 256 --until 0 --ui tui "
#define FOUR RUN "--ranks 4"
#define GONE 5.0 /* seconds until nothing is left running */

/* All processes of a test have a variable with its name. */
static void mark(char *env, size_t size, const char *name)
{
    if (access("build/release/stencilscope-rank", X_OK) != 0)
        SKIP("no Open MPI: make config says what is missing");
    snprintf(env, size, "TERM=xterm-256color SS_TEST_MARK=%s-%d", name, (int)getpid());
}

static bool has_mark(const char *pid, const char *text)
{
    char path[300], data[32768];
    snprintf(path, sizeof path, "/proc/%s/environ", pid);
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(data, 1, sizeof data - 1, f) : 0;
    if (f)
        fclose(f);
    data[n] = '\0';
    return n > 0 && memmem(data, n, text, strlen(text)) != NULL;
}

static bool is_rank(const char *pid)
{
    char path[300], name[64] = "";
    snprintf(path, sizeof path, "/proc/%s/comm", pid);
    FILE *f = fopen(path, "r");
    if (f && !fgets(name, sizeof name, f))
        name[0] = '\0';
    if (f)
        fclose(f);
    return strncmp(name, "stencilscope-ra", 15) == 0;
}

/* The processes with this mark: all, or ranks only. Returns their number. */
static int processes(const char *env, bool ranks, int *pids, int max)
{
    const char *text = strstr(env, "SS_TEST_MARK");
    DIR *d = opendir("/proc");
    int n = 0;
    for (struct dirent *e; d && (e = readdir(d)) != NULL && n < max;)
        if (isdigit((unsigned char)e->d_name[0]) && has_mark(e->d_name, text) &&
            (!ranks || is_rank(e->d_name)))
            pids[n++] = atoi(e->d_name);
    if (d)
        closedir(d);
    return n;
}

static void nothing_is_left(const char *env)
{
    int pids[64], n = 0;
    double began = term_clock();
    while ((n = processes(env, false, pids, 64)) > 0 && term_clock() - began < GONE)
        usleep(50000);
    CHECK_MSG(n == 0, "after %.0f s %d processes are left, one of them %d", GONE, n, pids[0]);
}

static term *start(const char *env, const char *args)
{
    int pids[64];
    term *t = term_open(120, 40, env, args);
    SHOWS(t, "▶");
    for (double began = term_clock(); e2e_cycle(t) < 1; term_pump(t, 0.05))
        CHECK_MSG(term_clock() - began < TERM_PATIENCE, "no cycle:\n%s", term_screen(t));
    CHECK_INT(processes(env, true, pids, 64), 4);
    return t;
}

TEST(ranks, nothing_is_left_after_q)
{
    char env[128];
    mark(env, sizeof env, "q");
    term *t = start(env, FOUR);
    SHOWS(t, "4 MPI ranks");
    term_keys(t, "q");
    ENDS(t, 0);
    nothing_is_left(env);
    term_close(t);
}

TEST(ranks, nothing_is_left_after_an_interrupt)
{
    char env[128];
    mark(env, sizeof env, "interrupt");
    term *t = start(env, FOUR);
    term_keys(t, "\003");
    ENDS(t, 130);
    nothing_is_left(env);
    term_close(t);
}

TEST(ranks, nothing_is_left_after_the_program_is_killed)
{
    char env[128];
    mark(env, sizeof env, "killed");
    term *t = start(env, FOUR);
    term_signal(t, SIGKILL);
    CHECK_INT(term_exit(t, TERM_PATIENCE), 128 + SIGKILL);
    nothing_is_left(env);
    term_close(t);
}

/* The sentence, and the run goes on from a copy. */
static void rescued(term *t, const char *env, double killed)
{
    SHOWS(t, "continuing on CPU");
    CHECK_MSG(term_clock() - killed < GONE, "only after %.1f s", term_clock() - killed);
    printf("# a sentence after %.2f s\n", term_clock() - killed);
    long long before = e2e_cycle(t);
    term_keys(t, "q");
    CHECK(before >= 0);
    ENDS(t, 0);
    nothing_is_left(env);
}

static double kill_a_rank(const char *env)
{
    int pids[64], n = processes(env, true, pids, 64);
    CHECK_INT(n, 4);
    CHECK_INT(kill(pids[2], SIGKILL), 0);
    return term_clock();
}

TEST(ranks, a_killed_rank_is_rescued_while_the_run_goes_on)
{
    char env[128];
    mark(env, sizeof env, "running");
    term *t = start(env, FOUR);
    term_pump(t, 4); /* a checkpoint */
    double killed = kill_a_rank(env);
    SHOWS(t, "continuing on CPU");
    long long cycle = e2e_cycle(t);
    for (double began = term_clock(); e2e_cycle(t) <= cycle; term_pump(t, 0.05))
        CHECK_MSG(term_clock() - began < TERM_PATIENCE, "it stands still:\n%s", term_screen(t));
    CHECK_MSG(cycle > 1, "it began again at cycle %lld", cycle);
    rescued(t, env, killed);
    term_close(t);
}

TEST(ranks, a_killed_rank_is_noticed_while_the_run_is_paused)
{
    char env[128];
    mark(env, sizeof env, "paused");
    term *t = start(env, FOUR);
    term_keys(t, " ");
    LOSES(t, "▶");
    term_pump(t, 1);
    rescued(t, env, kill_a_rank(env));
    term_close(t);
}

/* Keys that move the window: each asks the ranks for a picture. */
TEST(ranks, a_rank_killed_in_a_picture_is_rescued)
{
    char env[128];
    mark(env, sizeof env, "picture");
    term *t = start(env, "poisson2d jacobi --n 1024 --until 0 --ui tui --ranks 4");
    term_keys(t, " ");
    LOSES(t, "▶");
    for (int i = 0; i < 6; i++) {
        term_pump(t, 0.01);
        term_keys(t, "z");
    }
    double killed = kill_a_rank(env); /* no key follows: the next one would remove the sentence */
    rescued(t, env, killed);
    term_close(t);
}

/* --- a rank that hangs ------------------------------------------------------------------------ */

#define LEAVES 3.0 /* seconds: the program never waits longer for its ranks */

static void stop_a_rank(const char *env, int which)
{
    int pids[64], n = processes(env, true, pids, 64);
    CHECK_INT(n, 4);
    CHECK_INT(kill(pids[which], SIGSTOP), 0);
}

/* It ends soon, gives the terminal back (ENDS), and neither stopped ranks nor mpiexec stay. Status
 * 1: the run is lost, with the sentence. */
static void leaves_soon(term *t, const char *env, double asked, int status)
{
    ENDS(t, status);
    CHECK_MSG(term_clock() - asked < LEAVES, "only after %.1f s", term_clock() - asked);
    nothing_is_left(env);
    term_close(t);
}

TEST(ranks, q_leaves_while_a_rank_hangs)
{
    char env[128];
    mark(env, sizeof env, "hangs-q");
    term *t = start(env, FOUR);
    stop_a_rank(env, 1);
    term_pump(t, 0.5);
    double asked = term_clock();
    term_keys(t, "q");
    leaves_soon(t, env, asked, 1);
}

TEST(ranks, q_leaves_a_paused_run_whose_rank_hangs)
{
    char env[128];
    mark(env, sizeof env, "hangs-paused");
    term *t = start(env, FOUR);
    term_keys(t, " ");
    LOSES(t, "▶");
    stop_a_rank(env, 0);
    double asked = term_clock();
    term_keys(t, "q");
    leaves_soon(t, env, asked, 0);
}

TEST(ranks, a_signal_ends_a_run_whose_rank_hangs)
{
    char env[128];
    mark(env, sizeof env, "hangs-term");
    term *t = start(env, FOUR);
    stop_a_rank(env, 3);
    term_pump(t, 0.2);
    double asked = term_clock();
    term_signal(t, SIGTERM);
    leaves_soon(t, env, asked, 130);
}

/* After ten seconds without a beat a rank is a lost device; one that computes is none. */
SLOW_TEST(ranks, a_rank_that_hangs_is_rescued)
{
    char env[128];
    mark(env, sizeof env, "hangs-long");
    term *t = start(env, FOUR);
    term_pump(t, 2); /* a checkpoint */
    stop_a_rank(env, 2);
    SHOWS(t, "has been silent for 10 s");
    SHOWS(t, "continuing on CPU");
    CHECK_MSG(e2e_cycle(t) > 1, "it began again");
    double asked = term_clock();
    term_keys(t, "q");
    leaves_soon(t, env, asked, 0);
}

/* --- every message 10 ms late ----------------------------------------------------------------- */

static term *start_delayed(const char *env, const char *settings)
{
    char args[1024], path[512];
    CHECK(realpath("build/release/tests/delay.so", path) != NULL);
    snprintf(args, sizeof args,
             "%s --ranks 4 --launcher 'mpiexec --oversubscribe --bind-to none -n 4 -x "
             "LD_PRELOAD=%s -x SS_TEST_DELAY_US=10000'",
             settings, path);
    return start(env, args);
}

/* The number before " fps" of the first line. */
static double frames(term *t)
{
    const char *row = term_row(t, 0), *at = strstr(row, " fps");
    while (at && at > row && (isdigit((unsigned char)at[-1]) || at[-1] == '.'))
        at--;
    return at ? atof(at) : -1;
}

/* Seconds until the ranks have the new value: until then a remark beside it says when they will. */
static double change_takes(term *t, int exchange)
{
    char want[8], line[64];
    int x, y;
    snprintf(want, sizeof want, "%d", exchange);
    snprintf(line, sizeof line, ":set exchange %s\r", want);
    double began = term_clock();
    term_keys(t, line);
    for (bool done = false; !done && term_clock() - began < 5; term_pump(t, 0.002)) {
        bool shown = strcmp(e2e_control(t, "exchange"), want) == 0;
        done = shown && term_find(t, "exchange", &x, &y) && !strstr(term_row(t, y), "next");
    }
    return term_clock() - began;
}

/* Seconds until the run has begun again. */
static double restart_takes(term *t)
{
    long long before = e2e_cycle(t);
    double began = term_clock();
    term_keys(t, "r");
    while (e2e_cycle(t) >= before && term_clock() - began < 5)
        term_pump(t, 0.002);
    return term_clock() - began;
}

TEST(ranks, pictures_and_keys_with_messages_of_10_ms)
{
    char env[128];
    enum { KEYS = 15 };
    double worst = 0, rate = 0;
    TIMING();
    mark(env, sizeof env, "delayed");
    term *t = start_delayed(env, RUN);
    term_pump(t, 3);
    for (int i = 0; i < 10; i++, term_pump(t, 0.3))
        rate += frames(t) / 10;
    e2e_figure("ranks_10ms_pictures_per_second", rate, 15, true);
    for (int i = 0; i < KEYS; i++) {
        double took = i % 2 ? change_takes(t, 2 + i % 8) : restart_takes(t);
        worst = took > worst ? took : worst;
        term_pump(t, 0.5);
    }
    e2e_figure("ranks_10ms_key_to_effect_worst_s", worst, 0.3, false);
    term_keys(t, "q");
    ENDS(t, 0);
    nothing_is_left(env);
    term_close(t);
}
