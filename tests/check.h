/* Included by every test file.  A test is
 *
 *     TEST(suite, name) { CHECK_INT(ss_blocks(1024, 32, 4), 37); }
 *
 * and registers itself.  SLOW_TEST(suite, name) is one that takes more than a second: its suite
 * becomes slow_SUITE, `make test-all` runs it and `make test` does not.  With Criterion each
 * test is a process of its own; with SS_PLAIN_TESTS (the sanitized builds, where a process per test
 * takes twice the time, and Criterion aborts under tsan) tests/plain.c runs the same functions one
 * after the other in one process, so a test must not leave global state behind.  Every check ends
 * the test at the first failure; use checks only from the thread that runs the test. */
#ifndef SS_TESTS_CHECK_H
#define SS_TESTS_CHECK_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 1 in the asan and tsan profiles, which are ten times slower: long tests use smaller cases there.
 */
#ifdef SS_SANITIZED
#define CHECK_SANITIZED 1
#else
#define CHECK_SANITIZED 0
#endif

/* First in a test of long runs or large fields: shorter tests run the same code. */
#define SKIP_IF_SANITIZED()                                                                        \
    do {                                                                                           \
        if (CHECK_SANITIZED)                                                                       \
            SKIP("long runs or large fields: not under a sanitizer");                              \
    } while (0)

#define CHECK_TIMEOUT 300 /* seconds: a test that hangs has failed */

#ifdef SS_PLAIN_TESTS

struct check_test {
    const char *suite, *name;
    void (*run)(void);
    struct check_test *next;
};

void check_register(struct check_test *test);
_Noreturn void check_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
_Noreturn void check_skip(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define TEST(suite, name)                                                                          \
    static void suite##_##name##_run(void);                                                        \
    __attribute__((constructor)) static void suite##_##name##_register(void)                       \
    {                                                                                              \
        static struct check_test test = {#suite, #name, suite##_##name##_run, NULL};               \
        check_register(&test);                                                                     \
    }                                                                                              \
    static void suite##_##name##_run(void)

#define CHECK_MSG(cond, ...) ((cond) ? (void)0 : check_fail(__FILE__, __LINE__, __VA_ARGS__))
#define SKIP(...) check_skip(__VA_ARGS__)

#else

#include <criterion/criterion.h>

/* Per test: Criterion's own --timeout hangs as well (2.4.1). */
#define TEST(suite, name) Test(suite, name, .timeout = CHECK_TIMEOUT)
#define CHECK_MSG(cond, ...) cr_assert(cond, __VA_ARGS__)
#define SKIP(...) cr_skip_test(__VA_ARGS__)

#endif

#define SLOW_TEST(suite, name) TEST(slow_##suite, name)

/* A test that is one call. */
#define TEST_CALL(suite, name, ...)                                                                \
    TEST(suite, name)                                                                              \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }

#define CHECK(cond) CHECK_MSG(cond, "%s", #cond)

#define CHECK_INT(got, want)                                                                       \
    do {                                                                                           \
        long long got_ = (got), want_ = (want);                                                    \
        CHECK_MSG(got_ == want_, "%s is %lld, not %lld", #got, got_, want_);                       \
    } while (0)

/* |got - want| <= tol; a NaN fails. */
#define CHECK_NEAR(got, want, tol)                                                                 \
    do {                                                                                           \
        double got_ = (got), want_ = (want), tol_ = (tol);                                         \
        CHECK_MSG(fabs(got_ - want_) <= tol_, "%s is %.17g, not %.17g within %g", #got, got_,      \
                  want_, tol_);                                                                    \
    } while (0)

/* NULL equals only NULL. */
#define CHECK_STR(got, want)                                                                       \
    do {                                                                                           \
        const char *got_ = (got), *want_ = (want);                                                 \
        CHECK_MSG(got_ == want_ || (got_ && want_ && !strcmp(got_, want_)),                        \
                  "%s is \"%s\", not \"%s\"", #got, got_ ? got_ : "(null)",                        \
                  want_ ? want_ : "(null)");                                                       \
    } while (0)

#define CHECK_FOLDER 128 /* bytes of its name */

/* A new folder under $TMPDIR, which tests/run.sh removes after the run; its name to path. */
static inline const char *check_folder(char path[CHECK_FOLDER])
{
    const char *root = getenv("TMPDIR");
    snprintf(path, CHECK_FOLDER, "%s/ss-test-XXXXXX", root && *root ? root : "/tmp");
    return mkdtemp(path);
}

#endif
