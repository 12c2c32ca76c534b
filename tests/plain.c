/* The main of the test programs that do without Criterion (the sanitized profiles, the tests of the
 * GPU): every test in one process, one after the other.  Prints TAP on stdout with the seconds of
 * each test, as Criterion does with --tap, so that tests/run.sh reads both.
 *
 *   -f PATTERN   only the tests whose suite::name fits the pattern (as file names do in a shell);
 *                else all tests but the slow ones */
#include "tests/check.h"

#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PASSED, FAILED, SKIPPED };

static struct check_test *tests;
static jmp_buf leave;
static char message[1024];

/* Sorted, since constructors run in an unspecified order: the output of two builds compares. */
void check_register(struct check_test *test)
{
    struct check_test **at = &tests;
    while (*at && (strcmp((*at)->suite, test->suite) < 0 ||
                   (!strcmp((*at)->suite, test->suite) && strcmp((*at)->name, test->name) < 0)))
        at = &(*at)->next;
    test->next = *at;
    *at = test;
}

void check_fail(const char *file, int line, const char *format, ...)
{
    int used = snprintf(message, sizeof message, "%s:%d: ", file, line);
    va_list args;
    va_start(args, format);
    vsnprintf(message + used, sizeof message - (size_t)used, format, args);
    va_end(args);
    longjmp(leave, FAILED);
}

void check_skip(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    longjmp(leave, SKIPPED);
}

static int run(const struct check_test *test)
{
    int outcome = setjmp(leave);
    if (outcome == PASSED) {
        /* A hang ends the program; the last name printed is that of the test. */
        alarm(CHECK_TIMEOUT);
        test->run();
    }
    alarm(0);
    return outcome;
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool is_wanted(const char *name, const char *pattern)
{
    return pattern ? fnmatch(pattern, name, 0) == 0 : strncmp(name, "slow_", 5) != 0;
}

int main(int argc, char **argv)
{
    const char *pattern = argc == 3 && !strcmp(argv[1], "-f") ? argv[2] : NULL;
    int count[3] = {0, 0, 0};

    puts("TAP version 13");
    for (const struct check_test *t = tests; t; t = t->next) {
        char name[256];
        snprintf(name, sizeof name, "%s::%s", t->suite, t->name);
        if (!is_wanted(name, pattern))
            continue;
        /* Before the test runs: the last name printed is that of a test that crashed. */
        printf("# %s\n", name);
        fflush(stdout);
        double began = seconds();
        int outcome = run(t);
        count[outcome]++;
        printf("%s - %s  (%.2fs)", outcome == FAILED ? "not ok" : "ok", name, seconds() - began);
        if (outcome == SKIPPED)
            printf(" # SKIP %s", message);
        else if (outcome == FAILED)
            printf("\n# %s", message);
        putchar('\n');
    }
    printf("# %d passed, %d failed, %d skipped\n", count[PASSED], count[FAILED], count[SKIPPED]);
    return count[FAILED] != 0;
}
