/* Lessons: parsing, refusals with their place, the grammar of checks, progress. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/app/tables.h"
#include "src/lesson/session.h"
#include "src/lesson/document.h"
#include "src/core/registry.h"
#include "src/core/run.h"
#include "tests/check.h"

#define HEAD                                                                                       \
    "# Title\n\nThe *summary*,\nin two lines.\n\n## First\n\nProse `code`.\n\n- an item\n\n"
#define FENCE "```"

static ss_lesson *parse(const char *text, ss_err *err)
{
    ss_tables_init();
    return ss_lesson_parse("l.md", text, strlen(text), err);
}

TEST(lesson, a_lesson_file_is_parsed)
{
    ss_err err = {0};
    ss_lesson *l =
        parse(HEAD FENCE "predict\nHow many?\nanswer 4 tolerance 1 drawn cycles\n" FENCE "\n" FENCE
                         "do\nstep 3\nyour turn: change k\n" FENCE "\n" FENCE
                         "check\ncycles <= 0.5*baseline.cycles\nsame-as poisson2d jacobi\n" FENCE,
              &err);
    CHECK_MSG(l, "%s", err.text);
    CHECK(strcmp(l->name, "l") == 0 && strcmp(l->title, "Title") == 0);
    CHECK_MSG(strcmp(l->summary, "The summary, in two lines.") == 0, "%s", l->summary);
    CHECK(l->nstep == 1 && strstr(l->step[0].prose, "\xe2\x80\xa2 an item"));
    CHECK(l->step[0].predict.nanswer == 0);
    CHECK_NEAR(l->step[0].predict.number, 4, 0);
    CHECK_INT(l->step[0].predict.drawn, SS_DRAWN_CYCLES);
    CHECK(l->step[0].commands[SS_L_DO].count == 1 && strcmp(l->step[0].turn, "change k") == 0);
    CHECK(l->step[0].ncheck == 2 && l->step[0].check[1].form == SS_CHECK_SAME_AS);
    CHECK_MSG(l->step[0].check[1].line == 22, "%d", l->step[0].check[1].line);
    ss_lesson_free(l);
}

static int collect(void *ctx, const ss_md_block *b, ss_err *err)
{
    char *to = ctx;
    (void)err;
    snprintf(to + strlen(to), 200 - strlen(to), "%d[%s]", (int)b->kind, b->text);
    return SS_OK;
}

/* Markdown takes "24. " at the beginning of a paragraph for a list. */
TEST(lesson, numbers_at_the_start_of_a_paragraph_stay)
{
    static const struct {
        const char *text, *read;
    } texts[] = {{"24. The panel\nshows it.\n", "1[24. The panel shows it.]"},
                 {"8. A quarter.\n\nMore: 3.\n", "1[8. A quarter.]1[More: 3.]"},
                 {"1. one\n2. two\n", "1[1. one]1[2. two]"},
                 {"7) one\n\n8) two\n\nthree\n", "1[7) one]1[8) two]1[three]"},
                 {"- one\n- 2. two\n", "2[one]2[2. two]"},
                 {"1986. *A* year\n", "1[1986. A year]"},
                 {"0.623. The solution\n", "1[0.623. The solution]"},
                 {"- one\n\n  two\n", "2[one]1[two]"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ss_err err = {0};
        char got[200] = "";
        CHECK(ss_markdown_read(texts[i].text, strlen(texts[i].text), collect, got, &err) == SS_OK);
        CHECK_MSG(strcmp(got, texts[i].read) == 0, "%s", got);
    }
}

TEST(lesson, errors_name_the_line)
{
    static const struct fault {
        const char *text, *says;
    } faults[] = {
        {HEAD FENCE "check\ncycels < 3\n" FENCE, "l.md:13: unknown quantity 'cycels'"},
        {HEAD FENCE "scenario\nstep 1\nopne x\n" FENCE, "l.md:14: unknown command 'opne'"},
        {HEAD FENCE "solution\nsave x.npy\n" FENCE,
         "l.md:13: save writes files, which lessons do not allow"},
        {HEAD FENCE "scenario\nbind h \"save x.npy\"\n" FENCE,
         "l.md:13: bind is not a command for lessons"},
        {HEAD FENCE "do\nload x.npy\n" FENCE, "l.md:13: load is not a command for lessons"},
        {HEAD FENCE "scenario\nquit\n" FENCE, "l.md:13: quit is not a command for lessons"},
        {HEAD FENCE "scenario\npanels: curve, bras\n" FENCE,
         "l.md:13: panels: 'bras' is none of curve, bars, cost, space-time; did you mean bars?"},
        {HEAD FENCE "check\nkeep cycels < 3\n" FENCE, "l.md:13: unknown quantity 'cycels'"},
        {HEAD FENCE "scenario\npanels:\n" FENCE, "l.md:13: panels: a name is missing"},
        {HEAD FENCE "chekc\ncycles < 3\n" FENCE, "l.md:12: unknown kind of block"},
        {HEAD FENCE "predict\nQ\n- [ ] a\n- [ ] b\n" FENCE, "l.md:13: predict: no answer"},
        {HEAD FENCE "predict\nQ\n- [x] a\n- [x] b\n" FENCE, "l.md:15: two answers"},
        {HEAD FENCE "hint\na\n" FENCE "\n" FENCE "do\nstep\n" FENCE, "l.md:15: do comes before"},
        {HEAD, "l.md:1: there is no check"},
        {"", "l.md:1: the title is missing"},
        {HEAD FENCE "predict\nQ\nanswer 4 drawn wide\n" FENCE,
         "l.md:14: drawn: 'wide' is neither depth nor cycles"},
        {HEAD FENCE "predict\nQ\nanswer 4 tolerance -1\n" FENCE,
         "l.md:14: tolerance: '-1' is not a number from 0 on"},
        {HEAD FENCE "check\ncycles < 3\n", "l.md:12: this fence is never closed"},
        {"# T\n\nS \033[31m.\n", "l.md:3: a control character (0x1b)"},
        {"# T\n\nS \a.\n", "l.md:3: a control character (0x07)"},
        {"# T\n\nS \xc2\x9b.\n", "l.md:3: a control character (0x9b)"},
        {"# T\nS \xff.\n", "l.md:2: the byte 0xff is not UTF-8"},
        {"# T\nS \xe2\x80", "l.md:2: the byte 0xe2 is not UTF-8"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        ss_err err = {0};
        ss_lesson *l = parse(faults[i].text, &err);
        CHECK_MSG(!l && strncmp(err.text, faults[i].says, strlen(faults[i].says)) == 0, "%zu: %s",
                  i, err.text);
    }
}

/* --- a session -------------------------------------------------------------------------------- */

#define TWO_STEPS                                                                                  \
    HEAD FENCE "scenario\nopen poisson1d shared n=64 block=16 k=4\n" FENCE "\n" FENCE              \
               "predict\nWhich?\n- [ ] few\n- [x] many\n" FENCE "\n" FENCE                         \
               "do\nstep 3\nyour turn: set `k` to 8\n" FENCE "\n" FENCE                            \
               "check\nk == 8\ncycles < baseline.cycles\n" FENCE "\n" FENCE                        \
               "hint\nPress K.\n" FENCE "\n" FENCE "reveal\nSo it is.\n" FENCE "\n" FENCE          \
               "solution\nset k 8\n" FENCE "\n\n## Second\n\nAn *end*.\n\n" FENCE                  \
               "predict\nWhat?\nanswer 2 tolerance 0.5\n" FENCE "\n"

static ss_lesson *two_steps(char *home)
{
    ss_err err = {0};
    ss_lesson *l = parse(TWO_STEPS, &err);
    CHECK_MSG(l, "%s", err.text);
    CHECK(check_folder(home) != NULL);
    setenv("XDG_STATE_HOME", home, 1);
    return l;
}

/* A byte order mark is not part of the title; fences within fences are text. */
TEST(lesson, line_ends_and_byte_order_marks_are_accepted)
{
    ss_err err = {0};
    ss_lesson *l =
        parse("\xef\xbb\xbf# Title\r\n\r\nS \xe2\x89\xa4.\n\n## First\n\n````text\n" FENCE
              "\n````\n" FENCE "check\ncycles < 3\n" FENCE "\n",
              &err);
    CHECK_MSG(l, "%s", err.text);
    CHECK_STR(l->title, "Title");
    ss_lesson_free(l);
}

TEST(lesson, a_lesson_is_found_by_name)
{
    static const char *const none[] = {"0", "1x", "", "99", "nope"};
    static const char *const six[] = {"6", "06", "overlap", "06-overlap", "06-o"};
    ss_err err = {0};
    ss_tables_init();
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        CHECK_MSG(!ss_lesson_find(none[i], &err), "'%s' is one", none[i]);
    for (size_t i = 0; i < sizeof six / sizeof *six; i++) {
        ss_lesson *l = ss_lesson_find(six[i], &err);
        CHECK_MSG(l && strcmp(l->name, "06-overlap") == 0, "'%s': %s", six[i], err.text);
        ss_lesson_free(l);
    }
}

TEST(lesson, the_end_knows_the_next_lesson)
{
    ss_err err = {0};
    char name[64];
    ss_tables_init();
    ss_lesson *first = ss_lesson_find("01", &err), *last = ss_lesson_find("18", &err);
    CHECK(first && last);
    CHECK(ss_lesson_next(first, name, sizeof name));
    CHECK_STR(name, "02-slow-jacobi");
    CHECK(!ss_lesson_next(last, name, sizeof name));
    CHECK(first->step[0].panels == 0 && first->step[1].panels == SS_PAGE_CURVE);
    CHECK(first->step[3].panels == (SS_PAGE_CURVE | SS_PAGE_COST));
    ss_lesson_free(first);
    ss_lesson_free(last);
}

/* The progress file may be damaged, or of an earlier version of the lesson. */
TEST(lesson, damaged_progress_is_repaired)
{
    char home[CHECK_FOLDER];
    ss_err err = {0};
    ss_session s;
    ss_lesson *l = parse(HEAD FENCE "predict\nQ\n- [ ] a\n- [x] b\n" FENCE "\n" FENCE
                                    "check\ncycles < 3\n" FENCE,
                         &err);
    ss_progress bad = {.done = 0xffff, .at = 7};
    CHECK(check_folder(home) != NULL);
    setenv("XDG_STATE_HOME", home, 1);
    snprintf(bad.predicted[0], sizeof bad.predicted[0], "nan");
    snprintf(bad.predicted[3], sizeof bad.predicted[3], "2");
    CHECK_MSG(ss_progress_save("l", &bad, &err) == SS_OK, "%s", err.text);
    ss_session_open(&s, l);
    CHECK_INT(ss_progress_count(&s.progress), 1);
    CHECK_INT(s.index, 0);
    CHECK(ss_session_asks(&s) && !s.progress.predicted[3][0]);
    int before = open(".", O_RDONLY);
    CHECK(before >= 0 && chdir(home) == 0);
    setenv("XDG_STATE_HOME", "here", 1); /* not absolute: ignored, as the standard says */
    setenv("HOME", home, 1);
    CHECK(ss_progress_save("l", &bad, &err) == SS_OK);
    CHECK(access("here", F_OK) != 0 && access(".local/state/stencilscope/lessons", F_OK) == 0);
    CHECK(fchdir(before) == 0 && close(before) == 0); /* other tests may share the process */
    ss_lesson_free(l);
}

TEST(lesson, a_session_is_saved)
{
    char home[CHECK_FOLDER], text[200];
    static ss_session s, later;
    ss_err err = {0};
    ss_lesson *l = two_steps(home);
    ss_session_open(&s, l);
    CHECK(s.index == 0 && ss_session_asks(&s));
    CHECK(!ss_session_is_answer(&s, "3") && !ss_session_is_answer(&s, "1.5") &&
          !ss_session_is_answer(&s, "") && !ss_session_is_answer(&s, "1 "));
    CHECK(ss_session_is_answer(&s, "1") && ss_session_lock(&s, "1", &err) == SS_OK);
    CHECK(!ss_session_asks(&s) && !ss_session_is_right(&s));
    CHECK_STR(ss_session_verdict(&s, text, sizeof text), "You predicted 1. The answer is 2: many");
    CHECK(ss_session_lock(&s, "2", &err) == SS_OK);
    CHECK_STR(ss_session_verdict(&s, text, sizeof text), "Right: many");
    CHECK(ss_session_lock(&s, "1", &err) == SS_OK);
    CHECK(ss_session_done(&s, &err) == SS_OK && s.revealed);
    CHECK(ss_session_go(&s, 1, &err) == SS_OK && !s.revealed && ss_session_asks(&s));
    CHECK(ss_session_is_answer(&s, "2.4") && ss_session_lock(&s, "2.4", &err) == SS_OK);
    CHECK(ss_session_is_right(&s));
    ss_session_open(&later, l);
    CHECK(later.index == 1 && !ss_session_asks(&later) && !ss_session_is_done(&later));
    CHECK(ss_session_go(&later, 2, &err) == SS_OK && later.over && later.index == 1);
    CHECK(ss_session_reset(&later, &err) == SS_OK && later.index == 0 && ss_session_asks(&later));
    setenv("XDG_STATE_HOME", "/proc/none", 1);
    CHECK(ss_session_go(&later, 1, &err) != SS_OK && strstr(err.text, "not saved"));
    CHECK(later.index == 1 && ss_session_go(&later, 0, &err) == SS_OK); /* reported once */
    ss_lesson_free(l);
}

/* Who teaches has done the lesson before. */
TEST(lesson, before_a_class_it_begins_anew_and_progress_stays)
{
    char home[CHECK_FOLDER];
    static ss_session s, later;
    ss_err err = {0};
    ss_lesson *l = two_steps(home);
    ss_session_open(&s, l);
    CHECK(ss_session_lock(&s, "1", &err) == SS_OK && ss_session_done(&s, &err) == SS_OK);
    CHECK(ss_session_go(&s, 1, &err) == SS_OK);
    ss_session_teach(&later, l);
    CHECK(later.index == 0 && ss_session_asks(&later) && !ss_session_is_done(&later));
    CHECK(ss_session_lock(&later, "2", &err) == SS_OK && ss_session_reset(&later, &err) == SS_OK);
    ss_session_open(&s, l);
    CHECK(s.index == 1 && ss_progress_count(&s.progress) == 1);
    CHECK_STR(s.progress.predicted[0], "1");
    ss_lesson_free(l);
}

static const ss_page_block *block_with(const ss_page *p, const char *text)
{
    for (int i = 0; i < p->nblock; i++)
        if (strstr(p->block[i].text, text))
            return &p->block[i];
    return NULL;
}

TEST(lesson, a_page_hides_answers_until_the_prediction_is_locked)
{
    char home[CHECK_FOLDER];
    static ss_session s;
    static ss_page p;
    ss_check_result result[SS_CHECKS_MAX] = {{.met = true}, {.why = "cycles is 9, against 8"}};
    ss_err err = {0};
    ss_lesson *l = two_steps(home);
    ss_session_open(&s, l);
    ss_page_state now = {.session = &s, .result = result};
    ss_lesson_page(&now, &p);
    CHECK_STR(p.corner, "◉○ step 1 of 2");
    CHECK_STR(p.block[0].text, l->summary);                      /* above the first step only */
    CHECK(p.from == 1 && p.block[p.to - 1].kind == SS_PG_FIELD); /* what must be visible */
    CHECK_STR(block_with(&p, "1 to 2")->command, "lesson lock");
    CHECK(block_with(&p, "1 to 2")->kind == SS_PG_FIELD);
    CHECK(p.nbutton == 1 && strcmp(p.button[0].command, "lesson hint") == 0);
    CHECK_STR(block_with(&p, "Prose")->text, "Prose \3code\4.");
    CHECK(block_with(&p, "an item")->kind == SS_PG_ITEM);
    CHECK(p.asks == SS_ASKS_CHOICE && p.offers[SS_OFFER_HINT] && !p.offers[SS_OFFER_DO]);
    CHECK(block_with(&p, "many")->sign == SS_SIGN_NONE); /* not the answer yet */
    CHECK(!block_with(&p, "step 3") && !block_with(&p, "So it is"));
    now.chosen = 1;
    ss_lesson_page(&now, &p);
    CHECK(block_with(&p, "few")->sign == SS_SIGN_CHOSEN && p.asks == SS_ASKS_CHOICE);
    CHECK(ss_session_lock(&s, "1", &err) == SS_OK);
    now.focus = SS_FOCUS_WORK;
    ss_lesson_page(&now, &p);
    CHECK(p.asks == SS_ASKS_NOTHING && p.offers[SS_OFFER_DO] && !p.offers[SS_OFFER_SOLUTION]);
    CHECK_STR(block_with(&p, "step 3")->command, "lesson do");
    CHECK_STR(block_with(&p, "set ")->text, "set \3k\4 to 8");
    CHECK(block_with(&p, "k == 8")->sign == SS_SIGN_MET);
    CHECK(block_with(&p, "cycles <")->sign == SS_SIGN_OPEN && block_with(&p, "against 8"));
    CHECK(strcmp(p.block[p.from].text, "See what happens") == 0 && p.to > p.from);
    ss_check_result before[SS_CHECKS_MAX] = {{.why = "k is 4, against 8"}, {.pending = true}};
    now.result = before;
    ss_lesson_page(&now, &p);
    CHECK(!block_with(&p, "k == 8") && !block_with(&p, "against 8"));
    CHECK(block_with(&p, "k: to be found") &&
          strcmp(block_with(&p, "k is 4")->text, "k is 4") == 0);
    now.result = result;
    CHECK(!block_with(&p, "Press K") && !block_with(&p, "set k 8"));
    s.hinted = s.helped = true;
    ss_lesson_page(&now, &p);
    CHECK(block_with(&p, "Press K") && block_with(&p, "set k 8") && !p.offers[SS_OFFER_HINT] &&
          p.offers[SS_OFFER_SOLUTION]);
    CHECK(!p.offers[SS_OFFER_NEXT] && ss_session_done(&s, &err) == SS_OK);
    ss_lesson_page(&now, &p);
    CHECK(block_with(&p, "So it is") &&
          block_with(&p, "The answer is 2: many")->sign == SS_SIGN_UNMET);
    CHECK(block_with(&p, "many")->sign == SS_SIGN_MET && p.offers[SS_OFFER_NEXT]);
    ss_lesson_free(l);
}

static int bars_of(const ss_page *p)
{
    int n = 0;
    for (int i = 0; i < p->nblock; i++)
        n += p->block[i].kind == SS_PG_BAR;
    return n;
}

TEST(lesson, a_page_shows_the_answers_of_the_class_once_the_own_is_locked)
{
    char home[CHECK_FOLDER];
    static ss_session s;
    static ss_page p;
    const ss_check_result result[SS_CHECKS_MAX] = {{.pending = true}};
    const ss_answers class = {.asked = 5, .n = 3, .value = {2, 2, 1}};
    ss_err err = {0};
    ss_lesson *l = two_steps(home);
    ss_session_open(&s, l);
    ss_page_state now = {.session = &s, .result = result, .answers = &class};
    ss_lesson_page(&now, &p);
    CHECK(block_with(&p, "3 of 5 have answered") && bars_of(&p) == 0);
    CHECK(ss_session_lock(&s, "1", &err) == SS_OK);
    ss_lesson_page(&now, &p);
    CHECK(block_with(&p, "3 of 5 have answered") && bars_of(&p) == 2);
    const ss_page_block *first = block_with(&p, "The class") + 2;
    CHECK(first[0].bar.count == 1 && first[0].bar.most == 2 && first[0].bar.own);
    CHECK(first[1].bar.count == 2 && !first[1].bar.own && !first[1].bar.truth);
    CHECK(ss_session_done(&s, &err) == SS_OK);
    ss_lesson_page(&now, &p);
    first = block_with(&p, "The class") + 2;
    CHECK(bars_of(&p) == 2 && !first[0].bar.truth && first[1].bar.truth);
    CHECK(block_with(&p, "The class") > block_with(&p, "What happened"));
    now.answers = NULL;
    ss_lesson_page(&now, &p);
    CHECK(!block_with(&p, "The class"));
    ss_lesson_free(l);
}

/* --- the examiner ----------------------------------------------------------------------------- */

static void wake_nobody(void *ctx)
{
    (void)ctx;
}

/* An engine that is observed as the panel's is, without a picture request. */
typedef struct live {
    ss_engine *engine;
    ss_examiner *examiner;
} live;

static live watch(ss_lesson *l, const ss_config *machine)
{
    ss_err err = {0};
    ss_config cfg;
    live w = {.examiner = ss_examiner_new(machine, wake_nobody, NULL, &err)};
    CHECK_MSG(w.examiner && ss_lesson_opening(l, 0, machine, &cfg, &err) == SS_OK, "%s", err.text);
    const ss_engine_setup setup = {
        .cfg = &cfg, .paused = true, .observe = ss_examiner_observe, .observe_ctx = w.examiner};
    w.engine = ss_engine_start(&setup, &err);
    CHECK_MSG(w.engine, "%s", err.text);
    return w;
}

static void post(const live *w, const char *line)
{
    ss_err err = {0};
    ss_cmd cmd;
    CHECK_MSG(ss_cmd_parse(line, &cmd, &err) == SS_OK, "%s", err.text);
    CHECK(ss_engine_post(w->engine, &cmd, &err) > 0);
}

/* The results once the second one has this reason, or after ten seconds. */
static const ss_check_result *results(const live *w, const char *why)
{
    static ss_check_result result[SS_CHECKS_MAX];
    double until = ss_clock() + 10;
    do
        ss_examiner_results(w->examiner, result);
    while (!strstr(result[1].why, why) && ss_clock() < until);
    CHECK_MSG(strstr(result[1].why, why), "'%s' is not '%s'", result[1].why, why);
    return result;
}

TEST(lesson, an_examiner_follows_a_live_run)
{
    char home[CHECK_FOLDER];
    ss_config cfg;
    ss_lesson *l = two_steps(home);
    ss_config_default(&cfg);
    ss_lesson_config(&cfg);
    live w = watch(l, &cfg);
    post(&w, "pause"); /* no step yet: nothing is evaluated */
    ss_examiner_begin(w.examiner, l, 0);
    ss_engine_observe(w.engine); /* the run is paused: no change of its own */
    const ss_check_result *got = results(&w, "nothing has been solved");
    CHECK(got[0].pending && got[1].pending);
    post(&w, "step 3");
    got = results(&w, "so far");
    CHECK_MSG(!got[0].pending && !got[0].met && strstr(got[0].why, "k is 4, against 8"), "%s",
              got[0].why);
    CHECK(got[1].pending);
    post(&w, "set k 8");
    post(&w, "reset");
    post(&w, "run");
    got = results(&w, "against");
    CHECK_MSG(got[0].met && got[1].met && !got[1].pending, "%s; %s", got[0].why, got[1].why);
    post(&w, "set n 32");
    got = results(&w, "n differs from the lesson's");
    CHECK(!got[0].met && !got[1].met);
    ss_examiner_begin(w.examiner, l, 0);
    static ss_check_result fresh[SS_CHECKS_MAX];
    CHECK(!ss_examiner_results(w.examiner, fresh) && fresh[0].pending && !fresh[0].why[0]);
    ss_engine_free(w.engine);
    ss_examiner_free(w.examiner);
    ss_lesson_free(l);
}

/* --- the runner ------------------------------------------------------------------------------- */

static int run_line(ss_runner *r, const char *line, ss_err *err)
{
    ss_cmd cmd;
    err->text[0] = '\0';
    CHECK_MSG(ss_cmd_parse(line, &cmd, err) == SS_OK, "%s", err->text);
    return ss_runner_do(r, &cmd, err);
}

static ss_runner *new_runner(double seconds, const atomic_bool *stop)
{
    ss_err err = {0};
    ss_config cfg;
    ss_tables_init();
    ss_config_default(&cfg);
    ss_lesson_config(&cfg);
    ss_runner *r = ss_runner_new(&cfg, seconds, stop, &err);
    CHECK_MSG(r, "%s", err.text);
    return r;
}

TEST(lesson, a_runner_does_what_the_engine_does)
{
    ss_err err;
    ss_runner *r = new_runner(60, NULL);
    CHECK(run_line(r, "open poisson1d shared n=64 block=16 k=4", &err) == SS_OK);
    CHECK(run_line(r, "step 3", &err) == SS_OK);
    CHECK(ss_runner_now(r)->cycle == 3 && ss_runner_now(r)->iteration == 12);
    CHECK(run_line(r, "set k 5000", &err) != SS_OK && err.text[0]);
    CHECK(run_line(r, "step x", &err) != SS_OK && err.text[0]);
    CHECK(run_line(r, "set cycles 5", &err) == SS_OK && run_line(r, "step 9", &err) == SS_OK);
    CHECK(ss_runner_now(r)->cycle == 5 && ss_runner_now(r)->status == SS_LIMIT);
    /* The rest of the nine cycles is dropped, and a run at its limit waits. */
    CHECK(run_line(r, "unset cycles", &err) == SS_OK && ss_runner_now(r)->cycle == 5);
    CHECK(run_line(r, "undo", &err) == SS_OK && run_line(r, "undo", &err) == SS_OK);
    CHECK(run_line(r, "undo", &err) != SS_OK && strstr(err.text, "nothing to undo"));
    CHECK(run_line(r, "run", &err) == SS_OK && ss_runner_now(r)->reached);
    int64_t cycle = ss_runner_now(r)->cycle;
    CHECK(run_line(r, "step 2", &err) == SS_OK && ss_runner_now(r)->cycle == cycle + 2);
    CHECK(run_line(r, "save /tmp/x.npy", &err) != SS_OK && strstr(err.text, "writes files"));
    CHECK(run_line(r, "kernel edit", &err) != SS_OK && strstr(err.text, "writes files"));
    CHECK(run_line(r, "split", &err) != SS_OK && strstr(err.text, "not available"));
    CHECK(run_line(r, "open poisson2d jacobi n=6800", &err) != SS_OK);
    CHECK_MSG(strstr(err.text, "the limit is"), "%s", err.text);
    CHECK(run_line(r, "open heat1d stepper n=64", &err) == SS_OK);
    CHECK(run_line(r, "run", &err) != SS_OK && strstr(err.text, "forever"));
    ss_runner_free(r);
}

/* `undo` takes back the student's changes, not those that led to the step. */
TEST(lesson, undo_stops_at_the_start_of_a_step)
{
    char home[CHECK_FOLDER];
    ss_err err = {0};
    ss_lesson *l = two_steps(home);
    ss_runner *r = new_runner(60, NULL);
    CHECK_MSG(ss_runner_begin(r, l, 1, &err) == SS_OK, "%s", err.text);
    CHECK(ss_config_int(&ss_runner_now(r)->cfg, "k") == 8); /* the solution of step 1 */
    CHECK(run_line(r, "undo", &err) != SS_OK && strstr(err.text, "nothing to undo"));
    CHECK(run_line(r, "set k 2", &err) == SS_OK && run_line(r, "undo", &err) == SS_OK);
    CHECK(ss_config_int(&ss_runner_now(r)->cfg, "k") == 8);
    CHECK(run_line(r, "undo", &err) != SS_OK);
    ss_runner_free(r);
    ss_lesson_free(l);
}

/* A stopped run keeps its state, and the runner remains usable. */
SLOW_TEST(lesson, a_runner_can_be_stopped)
{
    ss_err err;
    atomic_bool stop = true;
    ss_runner *r = new_runner(60, NULL);
    CHECK(run_line(r, "open poisson2d jacobi n=512 until=0", &err) == SS_OK);
    r->budget.stop = &stop;
    CHECK(run_line(r, "step 1000000", &err) != SS_OK && strstr(err.text, "interrupted"));
    int64_t cycle = ss_runner_now(r)->cycle;
    CHECK(cycle < 1000000 && ss_runner_now(r)->still);
    r->budget.stop = NULL;
    CHECK(run_line(r, "step 2", &err) == SS_OK && ss_runner_now(r)->cycle == cycle + 2);
    ss_runner_free(r);
    r = new_runner(3, NULL); /* enough to open the run */
    CHECK(run_line(r, "open poisson2d jacobi n=512 until=0", &err) == SS_OK);
    CHECK(run_line(r, "step 1000000", &err) != SS_OK && strstr(err.text, "longer than"));
    ss_runner_free(r);
}

TEST(lesson, well_formed_checks_are_parsed_and_others_refused)
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
    ss_tables_init();
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        ss_err err = {0};
        CHECK_MSG(ss_check_parse(good[i], &check, &err) == SS_OK, "%s: %s", good[i], err.text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ss_err err = {0};
        CHECK_MSG(ss_check_parse(bad[i], &check, &err) != SS_OK && err.text[0], "'%s'", bad[i]);
    }
}

TEST(lesson, progress_is_saved_and_reset_per_lesson)
{
    char home[CHECK_FOLDER];
    ss_err err = {0};
    ss_progress p = {.done = 5, .at = 2}, got;
    CHECK(check_folder(home) != NULL);
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
    CHECK(ss_progress_save("a b", &p, &err) == SS_OK); /* a name is one word there */
    ss_progress_load("a b", &got);
    CHECK(got.done == 5 && got.at == 2 && strcmp(got.predicted[1], "0.5") == 0);
    CHECK(ss_progress_save("a", &(ss_progress){.done = 7}, &err) == SS_OK);
    ss_progress_load("a b", &got);
    CHECK(got.done == 5);
    char path[CHECK_FOLDER + 32];
    snprintf(path, sizeof path, "%s/stencilscope/lessons", home);
    CHECK(remove(path) == 0 && symlink("lessons", path) == 0); /* there, and cannot be read */
    CHECK(ss_progress_save("a", &p, &err) != SS_OK && strstr(err.text, "not saved"));
    setenv("XDG_STATE_HOME", "/proc/none", 1);
    CHECK(ss_progress_save("a", &p, &err) != SS_OK && strstr(err.text, "not saved"));
}

/* An editor of Windows adds a mark and carriage returns. */
TEST(lesson, progress_saved_by_an_editor_of_windows)
{
    char home[CHECK_FOLDER], path[CHECK_FOLDER + 32];
    ss_err err = {0};
    ss_progress got;
    CHECK(check_folder(home) != NULL);
    setenv("XDG_STATE_HOME", home, 1);
    CHECK(ss_progress_save("a", &(ss_progress){.done = 3}, &err) == SS_OK);
    snprintf(path, sizeof path, "%s/stencilscope/lessons", home);
    FILE *f = fopen(path, "wb");
    CHECK(f &&
          fputs("\xef\xbb\xbf"
                "a 5 2 - x\r\nb 1 0 y\r\n",
                f) >= 0 &&
          fclose(f) == 0);
    ss_progress_load("a", &got);
    CHECK(got.done == 5 && got.at == 2 && strcmp(got.predicted[1], "x") == 0);
    ss_progress_load("b", &got);
    CHECK(got.done == 1 && strcmp(got.predicted[0], "y") == 0);
    CHECK(ss_progress_save("a", &(ss_progress){.done = 1}, &err) == SS_OK);
    ss_progress_load("a", &got);
    CHECK(got.done == 1);
}

/* An editor may drop the last line feed. */
TEST(lesson, progress_without_a_last_line_feed)
{
    char home[CHECK_FOLDER], path[CHECK_FOLDER + 32];
    ss_err err = {0};
    ss_progress got;
    CHECK(check_folder(home) != NULL);
    setenv("XDG_STATE_HOME", home, 1);
    CHECK(ss_progress_save("a", &(ss_progress){.done = 1}, &err) == SS_OK);
    snprintf(path, sizeof path, "%s/stencilscope/lessons", home);
    FILE *f = fopen(path, "w");
    CHECK(f && fputs("a 5 0", f) >= 0 && fclose(f) == 0);
    CHECK(ss_progress_save("b", &(ss_progress){.done = 3}, &err) == SS_OK);
    ss_progress_load("a", &got);
    CHECK_INT(got.done, 5);
    ss_progress_load("b", &got);
    CHECK_INT(got.done, 3);
}

/* A line longer than any of ours is kept whole, and no piece of it is taken for another lesson. */
TEST(lesson, a_long_line_of_the_progress_file_is_kept)
{
    enum { LONG = 3000 };
    char home[CHECK_FOLDER], path[CHECK_FOLDER + 32];
    static char text[LONG + 64], got[LONG + 64];
    ss_err err = {0};
    ss_progress p;
    CHECK(check_folder(home) != NULL);
    setenv("XDG_STATE_HOME", home, 1);
    CHECK(ss_progress_save("a", &(ss_progress){.done = 1}, &err) == SS_OK);
    snprintf(path, sizeof path, "%s/stencilscope/lessons", home);
    memset(text, 'x', LONG);
    memcpy(text + 1023, "b 7 0 ", 6); /* where the second piece begins */
    text[LONG] = '\n';
    FILE *f = fopen(path, "w");
    CHECK(f && fputs(text, f) >= 0 && fclose(f) == 0);
    ss_progress_load("b", &p);
    CHECK_INT(p.done, 0);
    CHECK(ss_progress_save("b", &(ss_progress){.done = 3}, &err) == SS_OK);
    f = fopen(path, "r");
    CHECK(f && fgets(got, sizeof got, f) && fgets(got, sizeof got, f) && fclose(f) == 0);
    CHECK(strcmp(got, text) == 0);
}

/* Twenty lessons, each saved three times. */
static void save_many(char whose)
{
    char name[8];
    for (unsigned i = 0; i < 60; i++) {
        snprintf(name, sizeof name, "%c%u", whose, i % 20);
        ss_progress_save(name, &(ss_progress){.done = i}, NULL);
    }
}

/* Two programs that save at the same time lose none of each other's progress. */
TEST(lesson, progress_of_two_programs)
{
    char home[CHECK_FOLDER], name[8];
    int status = -1;
    ss_progress got;
    CHECK(check_folder(home) != NULL);
    setenv("XDG_STATE_HOME", home, 1);
    pid_t other = fork();
    if (other == 0) {
        save_many('b');
        _exit(0);
    }
    save_many('a');
    CHECK(other > 0 && waitpid(other, &status, 0) == other && status == 0);
    for (unsigned i = 0; i < 40; i++) {
        snprintf(name, sizeof name, "%c%u", i < 20 ? 'a' : 'b', i % 20);
        ss_progress_load(name, &got);
        CHECK_MSG(got.done == 40 + i % 20, "%s: %u", name, got.done);
    }
}
