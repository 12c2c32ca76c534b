/* Lessons: what is read, what is refused and where, the grammar of checks, progress. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/lesson.h"
#include "src/registry.h"
#include "tests/check.h"

#define HEAD                                                                                       \
    "# Title\n\nThe *summary*,\nin two lines.\n\n## First\n\nProse `code`.\n\n- an item\n\n"
#define FENCE "```"

#ifdef SS_WITH_MD4C
static ss_lesson *parse(const char *text, ss_err *err)
{
    ss_registry_init();
    return ss_lesson_parse("l.md", text, strlen(text), err);
}

TEST(lesson, is_read)
{
    ss_err err = {""};
    ss_lesson *l =
        parse(HEAD FENCE "predict\nHow many?\nanswer 4 tolerance 1\n" FENCE "\n" FENCE
                         "do\nstep 3\nyour turn: change k\n" FENCE "\n" FENCE
                         "check\ncycles <= 0.5*baseline.cycles\nsame-as poisson2d jacobi\n" FENCE,
              &err);
    CHECK_MSG(l, "%s", err.text);
    CHECK(strcmp(l->name, "l") == 0 && strcmp(l->title, "Title") == 0);
    CHECK_MSG(strcmp(l->summary, "The summary, in two lines.") == 0, "%s", l->summary);
    CHECK(l->nstep == 1 && strstr(l->step[0].prose, "\xe2\x80\xa2 an item"));
    CHECK(l->step[0].predict.nanswer == 0);
    CHECK_NEAR(l->step[0].predict.number, 4, 0);
    CHECK(l->step[0].commands[SS_L_DO].count == 1 && strcmp(l->step[0].turn, "change k") == 0);
    CHECK(l->step[0].ncheck == 2 && l->step[0].check[1].form == SS_CHECK_SAME_AS);
    CHECK_MSG(l->step[0].check[1].line == 22, "%d", l->step[0].check[1].line);
    ss_lesson_free(l);
}

TEST(lesson, faults_name_the_line)
{
    static const struct fault {
        const char *text, *says;
    } faults[] = {
        {HEAD FENCE "check\ncycels < 3\n" FENCE, "l.md:13: unknown quantity 'cycels'"},
        {HEAD FENCE "scenario\nstep 1\nopne x\n" FENCE, "l.md:14: unknown command 'opne'"},
        {HEAD FENCE "solution\nsave x.npy\n" FENCE, "l.md:13: save writes a file"},
        {HEAD FENCE "chekc\ncycles < 3\n" FENCE, "l.md:12: unknown kind of block"},
        {HEAD FENCE "predict\nQ\n- [ ] a\n- [ ] b\n" FENCE, "l.md:13: predict: no answer"},
        {HEAD FENCE "predict\nQ\n- [x] a\n- [x] b\n" FENCE, "l.md:15: two answers"},
        {HEAD FENCE "hint\na\n" FENCE "\n" FENCE "do\nstep\n" FENCE, "l.md:15: do comes before"},
        {HEAD, "l.md:1: there is no check"},
        {"", "l.md:1: the title is missing"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        ss_err err = {""};
        ss_lesson *l = parse(faults[i].text, &err);
        CHECK_MSG(!l && strncmp(err.text, faults[i].says, strlen(faults[i].says)) == 0, "%zu: %s",
                  i, err.text);
    }
}
#endif

TEST(lesson, checks)
{
    static const char *const good[] = {
        "cycles <= 10", "time<=1.15*best(k)",        "bytes < 0.5 * baseline.bytes",
        "overlap == 4", "reduction <= 1e-3",         "diverged",
        "converged",    "same-as heat1d swept n=64", "baseline.cycles > cycles",
    };
    static const char *const bad[] = {
        "",           "cycles",         "cycles <=",     "cycles = 3",    "cycles <= 3 4",
        "cycles < x", "time < best(q)", "k < best(k)",   "cycles < 2 * ", "diverged now",
        "same-as",    "frogs < 3",      "cycles < best", "cycles << 3",   "load < 3",
    };
    static ss_check check;
    ss_registry_init();
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        ss_err err = {""};
        CHECK_MSG(ss_check_parse(good[i], &check, &err) == SS_OK, "%s: %s", good[i], err.text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ss_err err = {""};
        CHECK_MSG(ss_check_parse(bad[i], &check, &err) != SS_OK && err.text[0], "'%s'", bad[i]);
    }
}

TEST(lesson, progress)
{
    char home[] = "/tmp/ss-lesson-XXXXXX";
    ss_err err = {""};
    ss_progress p = {.done = 5, .at = 2}, got;
    CHECK(mkdtemp(home) != NULL);
    setenv("XDG_STATE_HOME", home, 1);
    snprintf(p.predicted[1], sizeof p.predicted[1], "0.5");
    CHECK_MSG(ss_progress_save("a", &p, &err) == SS_OK, "%s", err.text);
    CHECK(ss_progress_save("ab", &(ss_progress){.done = 1}, &err) == SS_OK);
    ss_progress_load("a", &got);
    CHECK(got.done == 5 && got.at == 2 && strcmp(got.predicted[1], "0.5") == 0);
    CHECK(ss_progress_count(&got) == 2);
    CHECK(ss_progress_reset("a", &err) == SS_OK);
    ss_progress_load("a", &got);
    CHECK(got.done == 0 && !got.predicted[1][0]);
    ss_progress_load("ab", &got);
    CHECK(got.done == 1);
    setenv("XDG_STATE_HOME", "/proc/none", 1);
    CHECK(ss_progress_save("a", &p, &err) != SS_OK && strstr(err.text, "not kept"));
}
