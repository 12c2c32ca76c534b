/* Changes whose kernels must be compiled first: the run goes on, and the screen says so. On the
 * driver and compiler of tests/cuda, which compute nothing and take as long as they are told. */
#include "tests/e2e/e2e.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char saying[] = "the kernels of the new setting are being compiled";

/* seconds: of each kernel; more: "NAME=VALUE", or "". */
static term *open_gpu(const char *seconds, const char *more)
{
    const char *program = getenv("STENCILSCOPE");
    char env[PATH_MAX + 300], folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", program ? program : "build/release/stencilscope");
    *strrchr(folder, '/') = '\0';
    char *full = realpath(folder, NULL);
    CHECK(full != NULL);
    snprintf(
        env, sizeof env,
        "LD_LIBRARY_PATH=%s/tests/cuda:%s/tests/nvrtc XDG_CACHE_HOME=/dev/null FAKE_SECONDS=%s %s",
        full, full, seconds, more);
    free(full);
    term *t =
        term_open(120, 40, env, "heat1d swept --n 4096 --variant block --block 128 --backend cuda");
    SHOWS(t, "stand-in GPU");
    SHOWS(t, "fps");
    return t;
}

static void type(term *t, const char *command)
{
    term_keys(t, ":");
    term_keys(t, command);
    term_keys(t, "\r");
}

TEST(await, the_run_goes_on_while_kernels_are_compiled)
{
    term *t = open_gpu("0.8", "");
    type(t, "set variant warp");
    SHOWS(t, saying);
    long long before = e2e_cycle(t);
    term_pump(t, 0.3);
    CHECK_MSG(e2e_cycle(t) > before, "it stands at cycle %lld:\n%s", before, term_screen(t));
    CHECK_STR(e2e_control(t, "variant"), "block");
    CONTROL(t, "variant", "warp");
    LOSES(t, saying);
    LEAVE(t);
}

TEST(await, a_kernel_that_does_not_compile_leaves_the_old_one)
{
    term *t = open_gpu("0.1", "FAKE_ERROR=swept_warp");
    type(t, "set variant warp");
    SHOWS(t, "some.cuh(12): error: a planted error");
    CHECK_STR(e2e_control(t, "variant"), "block");
    long long before = e2e_cycle(t);
    term_pump(t, 0.3);
    CHECK_MSG(e2e_cycle(t) > before, "it stands at cycle %lld", before);
    LEAVE(t);
}

/* While one is compiled, it waits for no more than the last of the values given meanwhile; other
 * commands come after it. */
TEST(await, the_last_value_counts)
{
    term *t = open_gpu("0.4", "");
    type(t, "set variant warp");
    type(t, "set variant block");
    type(t, "set variant strip");
    type(t, "set block 256");
    CONTROL(t, "block", "256");
    CHECK_STR(e2e_control(t, "variant"), "strip");
    term_keys(t, "u");
    CONTROL(t, "block", "128");
    term_keys(t, "u");
    CONTROL(t, "variant", "block");
    LEAVE(t);
}

TEST(await, pause_and_quit_do_not_wait)
{
    term *t = open_gpu("4", "");
    type(t, "set variant warp");
    SHOWS(t, saying);
    double began = term_clock();
    term_keys(t, " ");
    SHOWS(t, "paused");
    CHECK_MSG(term_clock() - began < 2, "pausing took %.1f s", term_clock() - began);
    term_keys(t, "q");
    ENDS(t, 0);
    CHECK_MSG(term_clock() - began < 4, "leaving took %.1f s", term_clock() - began);
    term_close(t);
}

/* A pause acts wherever it stands; all else stays in order, and an `add` drops nothing. */
TEST(await, a_pause_goes_first_and_nothing_is_lost)
{
    term *t = open_gpu("1.5", "");
    type(t, "set variant warp");
    type(t, "set block 256");
    SHOWS(t, saying);
    double began = term_clock();
    term_keys(t, " ");
    SHOWS(t, "paused");
    CHECK_MSG(term_clock() - began < 1, "pausing took %.1f s", term_clock() - began);
    CONTROL(t, "block", "256");
    CHECK_STR(e2e_control(t, "variant"), "warp");
    type(t, "set variant strip");
    type(t, "add heat1d swept variant=block block=128");
    type(t, "select 1");
    SHOWS(t, saying);
    LOSES(t, saying);
    CONTROL(t, "variant", "strip");
    LEAVE(t);
}
