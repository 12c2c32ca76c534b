/* The trial of an edited kernel, with shell scripts in place of the program. */
#include "src/engine/lane.h"

#include <unistd.h>

#include "tests/engines.h"

static ss_trial_result result;

static void start(ss_trial *t, const char *script, double limit)
{
    char *const words[] = {"sh", "-c", (char *)(uintptr_t)script, NULL};
    ss_err err;
    CHECK_INT(ss_trial_start(t, words, limit, &err), SS_OK);
}

/* Polls until it has ended, at most ten seconds. */
static bool await_end(ss_trial *t)
{
    for (double until = ss_clock() + 10; ss_clock() < until; usleep(5000))
        if (ss_trial_poll(t, &result))
            return true;
    return false;
}

static const char *failure_of(const char *script, double limit)
{
    ss_trial t = {0};
    start(&t, script, limit);
    CHECK(await_end(&t));
    CHECK_INT(t.pid, 0);
    return result.why.text;
}

TEST(trial, its_lines_are_its_result)
{
    ss_trial t = {0};
    CHECK(!ss_trial_poll(&t, &result));
    start(&t,
          "echo text 3f2a9c01ab120000; echo compiled; echo a word of the kernel; echo finished; "
          "echo bits same; echo cycle 1.5e-5; echo built-in 2e-5",
          1);
    CHECK(await_end(&t));
    CHECK_STR(result.why.text, "");
    CHECK(result.hash == 0x3f2a9c01ab120000);
    CHECK_INT(result.bits, SS_BITS_SAME);
    CHECK_NEAR(result.edited, 1.5e-5, 1e-12);
    CHECK_NEAR(result.own, 2e-5, 1e-12);
    CHECK(!ss_trial_poll(&t, &result));
}

TEST(trial, differing_bits_are_no_failure)
{
    CHECK_STR(failure_of("echo compiled; echo finished; echo bits differ; echo cycle 1; "
                         "echo built-in 1",
                         1),
              "");
    CHECK_INT(result.bits, SS_BITS_DIFFER);
}

TEST(trial, an_error_is_its_sentence)
{
    CHECK_STR(failure_of("echo 'stencilscope: a.cuh(3): error: expected a \";\"' >&2; "
                         "echo 'stencilscope --help shows how it is used' >&2; exit 1",
                         1),
              "a.cuh(3): error: expected a \";\"");
    CHECK_STR(failure_of("exit 3", 1), "the trial ended with status 3");
    CHECK_STR(failure_of("echo compiled", 1), "the trial ended without a result");
}

TEST(trial, a_crash_names_what_crashed)
{
    CHECK_STR(failure_of("kill -SEGV $$", 1),
              "the compiler crashed on this text: Segmentation fault");
    CHECK_STR(failure_of("echo compiled; kill -ABRT $$", 1),
              "the program crashed while it ran the edited kernel: Aborted");
}

TEST(trial, cycles_that_do_not_end_are_killed)
{
    double began = ss_clock();
    CHECK_STR(failure_of("echo compiled; sleep 100 & wait", 0.2),
              "the edited kernel did not finish within 0.2 s");
    CHECK(ss_clock() - began < 5);
}

/* And its result is not heard. */
TEST(trial, a_new_one_ends_the_one_before)
{
    ss_trial t = {0};
    start(&t, "echo text 1; sleep 100", 1);
    int first = t.pid;
    start(&t, "echo text 2; exit 4", 1);
    CHECK(t.pid != first);
    CHECK(await_end(&t));
    CHECK(result.hash == 2);
    for (int i = 0; i < 400 && t.dying[0] > 0; i++, usleep(5000))
        ss_trial_poll(&t, &result);
    CHECK_INT(t.dying[0], 0);
}

TEST(trial, much_output_does_not_hide_the_result)
{
    CHECK_STR(failure_of("echo compiled; i=0; while [ $i -lt 3000 ]; do i=$((i + 1)); echo "
                         "thread $i of a kernel that prints more than a pipe holds; done; "
                         "echo finished; echo bits same; echo cycle 1; echo built-in 1",
                         5),
              "");
    CHECK_INT(result.bits, SS_BITS_SAME);
}
