/* Live changes whose kernels are not compiled yet: the run goes on meanwhile, and computes the same
 * as one that waits. Prints how fast it goes on, and after how long the new value acts. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/engines.h"
#include "tests/gpu/gpu.h"

/* The cycle of a snapshot. */
static double cycle_of(const ss_snapshot *s)
{
    return s->telemetry.value[SS_T_CYCLE];
}

static const ss_snapshot *next_snapshot(ss_engine *e)
{
    bool fresh = false;
    const ss_snapshot *s;
    do {
        ss_engine_want(e);
        usleep(1000);
        s = ss_engine_take(e, &fresh);
    } while (!s || !fresh);
    return s;
}

/* Cycles per second over `seconds`. */
static double rate(ss_engine *e, double seconds)
{
    double began = ss_clock(), first = cycle_of(next_snapshot(e)), last = first;
    while (ss_clock() - began < seconds)
        last = cycle_of(next_snapshot(e));
    return (last - first) / (ss_clock() - began);
}

static void change_while_running(const char *equation, const char *solver, const char *const *pairs,
                                 const char *command)
{
    char folder[] = "/tmp/stencilscope-await-XXXXXX";
    need_gpu();
    CHECK(mkdtemp(folder) && setenv("XDG_CACHE_HOME", folder, 1) == 0);
    ss_config cfg = config(equation, solver, pairs);
    ss_engine_setup setup = {.cfg = &cfg, .interactive = true};
    ss_engine *e = engine_start(&setup);
    ss_cmd cmd;
    ss_err err = {0};
    rate(e, 0.5);
    double before = rate(e, 1);
    CHECK(ss_cmd_parse(command, &cmd, &err) == SS_OK);
    const ss_snapshot *s = next_snapshot(e);
    double began = ss_clock(), first = cycle_of(s), last = first, now = began;
    uint64_t ticket = ss_engine_post(e, &cmd, &err);
    for (; (s = next_snapshot(e))->ticket < ticket; now = ss_clock())
        last = cycle_of(s);
    CHECK_MSG(!s->message_is_error, "%s: %s", command, s->message);
    double seconds = ss_clock() - began, share = (last - first) / (now - began) / before;
    printf("figure %s %s, %s: %.2f of the cycles per second meanwhile, acts after %.2f s\n",
           equation, solver, command, share, seconds);
    CHECK_MSG(seconds < 0.3 || last > first, "%s: the run stands", command);
    ss_engine_stop(e);
    ss_engine_free(e);
}

#define CHANGES(name, equation, solver, command, ...)                                              \
    TEST(await, name)                                                                              \
    {                                                                                              \
        change_while_running(equation, solver, PAIRS("backend", "cuda", __VA_ARGS__), command);    \
    }

CHANGES(k, "poisson2d", "shared", "set k 12", "n", "4096", "k", "8", "block", "32", "until", "0")
CHANGES(block, "poisson2d", "shared", "set block 64", "n", "4096", "block", "32", "until", "0")
CHANGES(overlap, "poisson2d", "shared", "set overlap 4", "n", "4096", "overlap", "0", "until", "0")
CHANGES(solver, "poisson2d", "shared", "set solver async", "n", "4096", "until", "0")
CHANGES(heat, "heat1d", "swept", "set variant strip", "n", "65536", "variant", "block", "block",
        "128")
CHANGES(euler, "euler1d", "swept", "set variant strip", "n", "65536", "variant", "block")
CHANGES(precision, "poisson2d", "shared", "set precision f32", "n", "4096", "until", "0")
CHANGES(open, "poisson2d", "shared", "open ks1d swept n=4096", "n", "4096", "until", "0")
