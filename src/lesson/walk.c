/* A lesson step by step, line by line: on any terminal, or from a file of answers. A prediction is
 * locked before anything runs; checks are evaluated after every command that advances the run. See
 * document.h. */
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/lesson/runner.h"
#include "src/lesson/session.h"
#include "src/snapshot/page.h"

#define WIDTH 78

typedef struct walk {
    ss_session session;
    const ss_config *cfg;
    FILE *in, *out;
    ss_lesson_viewer *view;
    void *view_ctx;
    ss_runner *runner;
    bool over, moved; /* the lesson is over; the student moved to another step */
} walk;

static const ss_lesson_step *step_of(const walk *w)
{
    return ss_session_step(&w->session);
}

/* --- work that can be stopped ------------------------------------------------------------------
 */

static atomic_bool stopped; /* by ctrl-c, while something is being solved */

static void on_interrupt(int number)
{
    (void)number;
    atomic_store(&stopped, true);
}

static void begin_work(struct sigaction *before)
{
    struct sigaction act = {.sa_handler = on_interrupt};
    atomic_store(&stopped, false);
    sigaction(SIGINT, &act, before);
}

/* True: it was stopped. */
static bool end_work(const walk *w, const struct sigaction *before)
{
    const ss_observation *now = ss_runner_now(w->runner);
    sigaction(SIGINT, before, NULL);
    if (!atomic_exchange(&stopped, false))
        return false;
    fprintf(w->out, "\nStopped at cycle %lld.\n", now ? (long long)now->cycle : 0LL);
    return true;
}

/* --- printing --------------------------------------------------------------------------------- */

/* Characters, not bytes: continuation bytes of UTF-8 have no width. */
static int width_of(const char *text, size_t n)
{
    int width = 0;
    for (size_t i = 0; i < n; i++)
        width += (text[i] & 0xc0) != 0x80;
    return width;
}

/* Wraps a text, without its marks of emphasis. */
static void print_wrapped(FILE *out, const char *marked)
{
    int at = 0;
    char *plain = strdup(marked);
    for (const char *text = plain ? ss_marks_strip(plain) : ""; *text;) {
        size_t n = strcspn(text, " \n");
        int width = width_of(text, n);
        if (at > 0 && at + 1 + width > WIDTH)
            at = 0, fputc('\n', out);
        fprintf(out, "%s%.*s", at > 0 ? " " : "", (int)n, text);
        at += width + (at > 0);
        if (text[n] == '\n')
            at = 0, fputc('\n', out);
        text += n + (text[n] != '\0');
    }
    free(plain);
    fputc('\n', out);
}

static void print_block(const walk *w, ss_lesson_kind kind)
{
    const char *text = step_of(w)->block[kind].text;
    if (text)
        print_wrapped(w->out, text);
}

static void print_run(const walk *w)
{
    char r[32];
    const ss_observation *now = ss_runner_now(w->runner);
    if (!now || !now->begun)
        return;
    fprintf(w->out, "  cycle %lld", (long long)now->cycle);
    if (now->kind == SS_STEADY)
        fprintf(w->out, ", |r|/|r0| %s", ss_format_sci(now->reduction, r, sizeof r));
    else
        fprintf(w->out, ", t = %.6g", now->time);
    fprintf(w->out, ", %s\n",
            now->reached                ? "converged"
            : now->status == SS_RUNNING ? "paused"
                                        : ss_status_name(now->status));
}

/* --- moving ----------------------------------------------------------------------------------- */

/* Progress that cannot be saved is reported, and the lesson goes on. */
static void report(const walk *w, int status, const ss_err *err)
{
    if (status != SS_OK)
        fprintf(w->out, "(%s)\n", err->text);
}

static void go(walk *w, int index)
{
    ss_err err;
    w->moved = true;
    report(w, ss_session_go(&w->session, index, &err), &err);
    w->over = w->session.over;
}

static void word_skip(walk *w)
{
    go(w, w->session.index + 1);
}

static bool refuse_unpredicted(const walk *w)
{
    if (ss_session_asks(&w->session))
        fprintf(w->out, "Your prediction comes first; skip continues without it.\n");
    return ss_session_asks(&w->session);
}

static void word_back(walk *w)
{
    go(w, w->session.index - 1);
}

static void word_hint(walk *w)
{
    if (step_of(w)->block[SS_L_HINT].text)
        print_block(w, SS_L_HINT);
    else
        fprintf(w->out, "There is no hint in this step.\n");
}

static void word_quit(walk *w)
{
    ss_err err;
    w->over = w->moved = true;
    report(w, ss_session_save(&w->session, &err), &err);
}

/* Shows a copy of the run, made by the same commands, with the task in the message line. */
static int view_run(walk *w, ss_err *err)
{
    char task[SS_CMD_TEXT / 2];
    const ss_lesson_step *s = step_of(w);
    ss_cmd words;
    snprintf(task, sizeof task, "%s: %s", s->title,
             s->turn[0] ? s->turn : w->session.lesson->title);
    if (ss_cmd_parse("say x", &words, err) != SS_OK)
        return SS_FAIL;
    words.arg[0] = task;
    if (ss_runner_do(w->runner, &words, err) != SS_OK)
        return SS_FAIL;
    return w->view(w->cfg, &w->runner->history, w->view_ctx, err);
}

static void word_look(walk *w)
{
    ss_err err = {0};
    if (refuse_unpredicted(w))
        return;
    fflush(w->out);
    if (!w->view || !isatty(fileno(w->in)) || !isatty(fileno(w->out)))
        fprintf(w->out, "look needs a terminal.\n");
    else if (view_run(w, &err) != SS_OK)
        fprintf(w->out, "%s\n", err.text);
    else
        fprintf(w->out, "The run here is as it was before; changes made on the screen are "
                        "dropped.\n");
}

static bool evaluate(walk *w);
static void carry_out(walk *w, const ss_script *s);

/* A run that was changed and not advanced is solved from its start, as in homework. */
static void word_next(walk *w)
{
    if (refuse_unpredicted(w))
        return;
    if (ss_session_is_done(&w->session) || evaluate(w))
        word_skip(w);
    else
        fprintf(w->out, "This step is not done yet; skip continues without it.\n");
}

/* The first time it is shown, the second time it is run. */
static void word_solution(walk *w)
{
    char line[SS_CMD_TEXT + 64];
    const ss_script *s = &step_of(w)->commands[SS_L_SOLUTION];
    if (refuse_unpredicted(w))
        return;
    if (s->count == 0) {
        fprintf(w->out, "This step has no solution.\n");
    } else if (w->session.helped) {
        carry_out(w, s);
        evaluate(w);
    } else {
        for (int i = 0; i < s->count; i++)
            fprintf(w->out, "  %s\n", ss_cmd_format(s->cmd[i], line, sizeof line));
        fprintf(w->out, "Type solution again to run it.\n");
        w->session.helped = true;
    }
}

static void word_help(walk *w);

static const struct word {
    const char *name, *help;
    void (*act)(walk *w);
} words[] = {
    {"next", "go to the next step if this one is done", word_next},
    {"skip", "go to the next step in any case", word_skip},
    {"back", "go to the step before", word_back},
    {"hint", "show the hint", word_hint},
    {"solution", "show the solution; typed again: run it", word_solution},
    {"look", "show the run on the screen; q comes back, and changes made there are dropped",
     word_look},
    {"quit", "leave; the lesson resumes here next time", word_quit},
    {"?", "show this list; every other line is a command: set k 16, run, step 10", word_help},
};
#define NWORD (sizeof words / sizeof *words)

static void word_help(walk *w)
{
    for (size_t i = 0; i < NWORD; i++)
        fprintf(w->out, "  %-8s %s\n", words[i].name, words[i].help);
}

/* Reads the rest of a line that was longer than `line`. True: there was more. */
static bool read_rest(FILE *in, const char *line)
{
    bool more = false;
    for (int c; !strchr(line, '\n') && (c = fgetc(in)) != EOF && c != '\n';)
        more = true;
    return more;
}

/* A line from the student, without trailing blanks; false at the end of the input. */
static bool read_answer(walk *w, const char *prompt, char *line, size_t size)
{
    fprintf(w->out, "%s ", prompt);
    fflush(w->out);
    if (!fgets(line, (int)size, w->in)) {
        fprintf(w->out, "\n");
        word_quit(w);
        return false;
    }
    if (read_rest(w->in, line)) {
        fprintf(w->out, "A line has %zu characters at most.\n", size - 2);
        line[0] = '\0';
    }
    for (size_t n = strlen(line); n > 0 && strchr(" \t\r\n", line[n - 1]);)
        line[--n] = '\0';
    return true;
}

static bool is_word(walk *w, const char *line)
{
    for (size_t i = 0; i < NWORD; i++)
        if (strcmp(words[i].name, line) == 0) {
            words[i].act(w);
            return true;
        }
    return false;
}

/* --- predictions ------------------------------------------------------------------------------ */

static void lock(walk *w, const char *answer)
{
    ss_err err;
    int status = ss_session_lock(&w->session, answer, &err);
    fprintf(w->out, "Locked.\n");
    report(w, status, &err);
}

static void predict(walk *w)
{
    char line[128];
    const ss_predict *p = &step_of(w)->predict;
    if (!p->question[0])
        return;
    print_wrapped(w->out, p->question);
    for (int i = 0; i < p->nanswer; i++)
        fprintf(w->out, "  %d  %s\n", i + 1, p->answer[i]);
    if (!ss_session_asks(&w->session)) {
        fprintf(w->out, "Your prediction is locked: %s\n", ss_session_predicted(&w->session));
        return;
    }
    while (!w->moved && read_answer(w, "Your prediction:", line, sizeof line)) {
        if (ss_session_is_answer(&w->session, line)) {
            lock(w, line);
            return;
        }
        if (!is_word(w, line))
            fprintf(w->out,
                    p->nanswer ? "A number from 1 to %d, or ? for help.\n"
                               : "A number, or ? for help.\n",
                    p->nanswer);
    }
}

/* --- one step --------------------------------------------------------------------------------- */

/* True: all checks are met. */
static bool print_checks(walk *w)
{
    const ss_lesson_step *s = step_of(w);
    ss_check_result got[SS_CHECKS_MAX];
    ss_err err;
    bool all = true;
    if (s->ncheck > 0 &&
        (ss_evaluate_fair(w->runner, &ss_runner_now(w->runner)->cfg, s, &err) != SS_OK ||
         ss_runner_check(w->runner, s, got, &err) != SS_OK)) {
        fprintf(w->out, "  %s\n", err.text);
        return false;
    }
    for (int i = 0; i < s->ncheck; i++) {
        char text[64];
        bool hidden = ss_check_tells(&s->check[i]) && !got[i].met && !w->session.helped;
        ss_check_reason(got[i].why, hidden);
        fprintf(w->out, "  [%c] %s  (%s)\n", got[i].met ? 'x' : ' ',
                hidden ? ss_check_hidden(&s->check[i], text, sizeof text) : s->check[i].text,
                got[i].why);
        all = all && got[i].met;
    }
    return all;
}

static void done(walk *w)
{
    ss_err err;
    char verdict[320];
    bool shown = w->session.revealed;
    report(w, ss_session_done(&w->session, &err), &err);
    if (shown)
        return;
    if (step_of(w)->predict.question[0])
        fprintf(w->out, "%s\n", ss_session_verdict(&w->session, verdict, sizeof verdict));
    print_block(w, SS_L_REVEAL);
}

/* Evaluates the checks, after solving a run that was only changed. True: the step is done. */
static bool evaluate(walk *w)
{
    struct sigaction before;
    ss_err err;
    bool all = false;
    begin_work(&before);
    int status = step_of(w)->ncheck > 0 ? ss_runner_measure(w->runner, &err) : SS_OK;
    if (status == SS_OK)
        all = print_checks(w);
    bool interrupted = end_work(w, &before);
    if (status != SS_OK && !interrupted)
        fprintf(w->out, "%s\n", err.text);
    if (all && !interrupted)
        done(w);
    return all && !interrupted;
}

static void carry_out(walk *w, const ss_script *s)
{
    char line[SS_CMD_TEXT + 64];
    struct sigaction before;
    ss_err err;
    int status = SS_OK;
    begin_work(&before);
    for (int i = 0; i < s->count && status == SS_OK; i++) {
        fprintf(w->out, "> %s\n", ss_cmd_format(s->cmd[i], line, sizeof line));
        status = ss_runner_do(w->runner, s->cmd[i], &err);
    }
    if (!end_work(w, &before) && status != SS_OK)
        fprintf(w->out, "%s\n", err.text);
    print_run(w);
}

/* Verbs of the screen: `lesson WORD` runs the word here; the others need the screen. */
static void run_screen_command(walk *w, const ss_cmd *cmd)
{
    bool of_lesson = cmd->verb->id == SS_VERB_LESSON;
    if (of_lesson && cmd->argc == 1 && is_word(w, cmd->arg[0]))
        return;
    if (of_lesson)
        fprintf(w->out, "lesson %s is not available here; ? lists the words that are\n",
                cmd->arg[0]);
    else
        fprintf(w->out, "%s needs the screen: look opens it.\n", cmd->verb->name);
}

/* False: it failed or was stopped. */
static bool execute(walk *w, const ss_cmd *cmd)
{
    struct sigaction before;
    ss_err err;
    begin_work(&before);
    int status = ss_runner_do(w->runner, cmd, &err);
    if (end_work(w, &before))
        return false;
    if (status != SS_OK)
        fprintf(w->out, "%s\n", err.text);
    return status == SS_OK;
}

/* One command of the student, then the checks. */
static void run_command(walk *w, const char *line)
{
    ss_cmd cmd;
    ss_err err;
    const ss_observation *now = ss_runner_now(w->runner);
    int64_t before = now ? now->cycle : -1;
    if (ss_cmd_parse(line, &cmd, &err) != SS_OK) {
        fprintf(w->out, "%s\n", err.text);
        return;
    }
    if (cmd.verb && cmd.verb->side != SS_SIDE_ENGINE &&
        !((cmd.verb->flags | cmd.row->flags) & SS_V_WRITES))
        run_screen_command(w, &cmd);
    else if (cmd.verb && execute(w, &cmd) && (cmd.verb->flags & SS_V_ADVANCES)) {
        now = ss_runner_now(w->runner);
        if (now && now->reached && now->cycle == before)
            fprintf(w->out, "It has converged already: reset starts again, a smaller until "
                            "continues.\n");
        print_run(w);
        if (step_of(w)->ncheck > 0)
            evaluate(w);
    }
}

static void run_step(walk *w)
{
    const ss_lesson_step *s = step_of(w);
    char line[SS_CMD_TEXT];
    fprintf(w->out, "\n%s \xc2\xb7 step %d of %d: %s\n\n", w->session.lesson->title,
            w->session.index + 1, w->session.lesson->nstep, s->title);
    if (s->prose)
        print_wrapped(w->out, s->prose);
    fprintf(w->out, "\n");
    predict(w);
    if (w->moved)
        return;
    carry_out(w, &s->commands[SS_L_DO]);
    if (s->turn[0])
        print_wrapped(w->out, s->turn);
    else
        evaluate(w);
    while (!w->moved && read_answer(w, "next, hint, look, ? or a command:", line, sizeof line)) {
        const char *text =
            line + strspn(line, ": "); /* a colon opens the command line of the screen */
        if (!is_word(w, text))
            run_command(w, text);
    }
}

static int start_step(walk *w, ss_err *err)
{
    ss_runner_free(w->runner);
    w->runner = ss_runner_new(w->cfg, 1e9, &stopped, err); /* no time limit: ctrl-c ends a solve */
    w->moved = false;
    return w->runner ? ss_runner_begin(w->runner, w->session.lesson, w->session.index, err)
                     : SS_FAIL;
}

int ss_lesson_walk(const ss_lesson *l, const ss_config *cfg, FILE *in, FILE *out,
                   ss_lesson_viewer *view, void *view_ctx, ss_err *err)
{
    walk w = {.cfg = cfg, .in = in, .out = out, .view = view, .view_ctx = view_ctx};
    int status = SS_OK;
    ss_session_open(&w.session, l);
    print_wrapped(out, l->title);
    print_wrapped(out, l->summary);
    while (!w.over && (status = start_step(&w, err)) == SS_OK)
        run_step(&w);
    ss_runner_free(w.runner);
    if (status == SS_OK)
        fprintf(out, "%d of %d steps done.\n", ss_progress_count(&w.session.progress), l->nstep);
    return status;
}
