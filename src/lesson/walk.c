/* A lesson step by step, a line at a time: on any terminal, or from a file of answers. Predictions
 * are locked before anything is run; checks are looked at after every command. See document.h. */
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "src/lesson/session.h"
#include "src/snapshot/page.h"
#include "src/core/run.h"

#define WIDTH 78

typedef struct walk {
    ss_session session;
    const ss_config *cfg;
    FILE *in, *out;
    ss_pupil *pupil;
    bool left, moved; /* the lesson, the step */
} walk;

static const ss_lesson_step *step_of(const walk *w)
{
    return ss_session_step(&w->session);
}

/* --- work that can be stopped ------------------------------------------------------------------
 */

static atomic_bool stopped; /* by ctrl-c, while something is solved */

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
    const ss_run *run = ss_pupil_run(w->pupil);
    sigaction(SIGINT, before, NULL);
    if (!atomic_exchange(&stopped, false))
        return false;
    fprintf(w->out, "\nStopped at cycle %lld.\n", run ? (long long)run->cycle : 0LL);
    return true;
}

/* --- printing --------------------------------------------------------------------------------- */

/* Characters, not bytes: what continues one in UTF-8 has no width. */
static int width_of(const char *text, size_t n)
{
    int width = 0;
    for (size_t i = 0; i < n; i++)
        width += (text[i] & 0xc0) != 0x80;
    return width;
}

/* Without the marks of its emphasis. */
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
    const ss_run *run = ss_pupil_run(w->pupil);
    if (!run || (run->cycle == 0 && run->step == 0))
        return;
    fprintf(w->out, "  cycle %lld", (long long)run->cycle);
    if (run->eq->kind == SS_STEADY)
        fprintf(w->out, ", |r|/|r0| %s",
                ss_format_sci(run->residual / run->residual0, r, sizeof r));
    else
        fprintf(w->out, ", t = %.6g", run->time);
    fprintf(w->out, ", %s\n",
            run->reached                ? "converged"
            : run->status == SS_RUNNING ? "paused"
                                        : ss_status_name(run->status));
}

/* --- moving ----------------------------------------------------------------------------------- */

/* Where progress cannot be kept that is said, and nothing else happens. */
static void tell(const walk *w, int status, const ss_err *err)
{
    if (status != SS_OK)
        fprintf(w->out, "(%s)\n", err->text);
}

static void go(walk *w, int index)
{
    ss_err err;
    w->moved = true;
    tell(w, ss_session_go(&w->session, index, &err), &err);
    w->left = w->session.over;
}

static void word_skip(walk *w)
{
    go(w, w->session.index + 1);
}

static bool refuse_unpredicted(const walk *w)
{
    if (ss_session_asks(&w->session))
        fprintf(w->out, "Your prediction comes first; skip goes on without it.\n");
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
    w->left = w->moved = true;
    tell(w, ss_session_keep(&w->session, &err), &err);
}

static void word_look(walk *w)
{
    if (!refuse_unpredicted(w))
        ss_lesson_look(&w->session, w->pupil, w->cfg, w->in, w->out);
}

static bool judge(walk *w);
static void carry_out(walk *w, const ss_script *s);

/* What was set and not run is run from the start, as homework is. */
static void word_next(walk *w)
{
    if (refuse_unpredicted(w))
        return;
    if (ss_session_is_done(&w->session) || judge(w))
        word_skip(w);
    else
        fprintf(w->out, "This step is not done yet; skip goes on without.\n");
}

/* Shown first, and carried out when it is asked for again. */
static void word_solution(walk *w)
{
    char line[SS_CMD_TEXT + 64];
    const ss_script *s = &step_of(w)->commands[SS_L_SOLUTION];
    if (refuse_unpredicted(w))
        return;
    if (s->count == 0) {
        fprintf(w->out, "There is nothing to be solved in this step.\n");
    } else if (w->session.helped) {
        carry_out(w, s);
        judge(w);
    } else {
        for (int i = 0; i < s->count; i++)
            fprintf(w->out, "  %s\n", ss_cmd_format(s->cmd[i], line, sizeof line));
        fprintf(w->out, "solution once more does it for you.\n");
        w->session.helped = true;
    }
}

static void word_help(walk *w);

static const struct word {
    const char *name, *help;
    void (*act)(walk *w);
} words[] = {
    {"next", "the next step, if this one is done", word_next},
    {"skip", "the next step, this one undone", word_skip},
    {"back", "the step before", word_back},
    {"hint", "what may help", word_hint},
    {"solution", "the solution; once more: have it done", word_solution},
    {"look", "see it live, as it is now; q comes back, what was turned there is not kept",
     word_look},
    {"quit", "leave; the next time it goes on here", word_quit},
    {"?", "these words; whatever else is typed is a command: set k 16, run, step 10", word_help},
};
#define NWORD (sizeof words / sizeof *words)

static void word_help(walk *w)
{
    for (size_t i = 0; i < NWORD; i++)
        fprintf(w->out, "  %-8s %s\n", words[i].name, words[i].help);
}

/* A line that has no end in `line` is read to it. True: there was more of it. */
static bool read_rest(FILE *in, const char *line)
{
    bool more = false;
    for (int c; !strchr(line, '\n') && (c = fgetc(in)) != EOF && c != '\n';)
        more = true;
    return more;
}

/* A line from the student, without blanks behind it; false at the end of the input. */
static bool ask(walk *w, const char *prompt, char *line, size_t size)
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
    tell(w, status, &err);
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
    while (!w->moved && ask(w, "Your prediction:", line, sizeof line)) {
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

/* True: all are met. */
static bool look(walk *w)
{
    const ss_lesson_step *s = step_of(w);
    char why[240];
    ss_err err;
    bool all = true;
    if (s->ncheck > 0 && ss_pupil_fair(w->pupil, s, &err) != SS_OK) {
        fprintf(w->out, "  %s\n", err.text);
        return false;
    }
    for (int i = 0; i < s->ncheck; i++) {
        bool met = false;
        int status = ss_pupil_check(w->pupil, &s->check[i], &met, why, sizeof why, &err);
        fprintf(w->out, "  [%c] %s  (%s)\n", met ? 'x' : ' ', s->check[i].text,
                status == SS_OK ? why : err.text);
        all = all && met;
    }
    return all;
}

static void done(walk *w)
{
    ss_err err;
    char verdict[320];
    bool shown = w->session.revealed;
    tell(w, ss_session_done(&w->session, &err), &err);
    if (shown)
        return;
    if (step_of(w)->predict.question[0])
        fprintf(w->out, "%s\n", ss_session_verdict(&w->session, verdict, sizeof verdict));
    print_block(w, SS_L_REVEAL);
}

/* Looks at the checks of what there is, solved if it was only set. True: the step is done. */
static bool judge(walk *w)
{
    struct sigaction before;
    ss_err err;
    bool all = false;
    begin_work(&before);
    int status = step_of(w)->ncheck > 0 ? ss_pupil_measure(w->pupil, &err) : SS_OK;
    if (status == SS_OK)
        all = look(w);
    bool cut = end_work(w, &before);
    if (status != SS_OK && !cut)
        fprintf(w->out, "%s\n", err.text);
    if (all && !cut)
        done(w);
    return all && !cut;
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
        status = ss_pupil_do(w->pupil, s->cmd[i], &err);
    }
    if (!end_work(w, &before) && status != SS_OK)
        fprintf(w->out, "%s\n", err.text);
    print_run(w);
}

/* Verbs of the screen: words of the lesson have their own line here, what only shows has none. */
static void obey_screen(walk *w, const ss_cmd *cmd)
{
    bool of_lesson = strcmp(cmd->verb->name, "lesson") == 0;
    if (of_lesson && cmd->argc == 1 && is_word(w, cmd->arg[0]))
        return;
    if (of_lesson)
        fprintf(w->out, "lesson %s: that is not for here; ? lists the words there are\n",
                cmd->arg[0]);
    else
        fprintf(w->out, "%s is for the screen: look opens it.\n", cmd->verb->name);
}

/* False: it was refused, or stopped. */
static bool execute(walk *w, const ss_cmd *cmd)
{
    struct sigaction before;
    ss_err err;
    begin_work(&before);
    int status = ss_pupil_do(w->pupil, cmd, &err);
    if (end_work(w, &before))
        return false;
    if (status != SS_OK)
        fprintf(w->out, "%s\n", err.text);
    return status == SS_OK;
}

/* One command of the student's, and what it makes of the checks. */
static void obey(walk *w, const char *line)
{
    ss_cmd cmd;
    ss_err err;
    const ss_run *run = ss_pupil_run(w->pupil);
    int64_t before = run ? run->cycle : -1;
    if (ss_cmd_parse(line, &cmd, &err) != SS_OK) {
        fprintf(w->out, "%s\n", err.text);
        return;
    }
    if (cmd.verb && cmd.verb->side != SS_SIDE_ENGINE && !(cmd.verb->flags & SS_V_WRITES))
        obey_screen(w, &cmd);
    else if (cmd.verb && execute(w, &cmd) && (cmd.verb->flags & SS_V_ADVANCES)) {
        if (run && run->reached && run->cycle == before)
            fprintf(w->out,
                    "It has converged already: reset starts again, a smaller until goes on.\n");
        print_run(w);
        if (step_of(w)->ncheck > 0)
            judge(w);
    }
}

static void take_step(walk *w)
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
        judge(w);
    while (!w->moved && ask(w, "next, hint, look, ? or a command:", line, sizeof line)) {
        const char *said = line + strspn(line, ": "); /* as the command line of a screen begins */
        if (!is_word(w, said))
            obey(w, said);
    }
}

static int start_step(walk *w, ss_err *err)
{
    ss_pupil_free(w->pupil);
    w->pupil = ss_pupil_new(w->cfg, 1e9, err); /* the student may wait as long as they like */
    w->moved = false;
    return w->pupil ? ss_pupil_begin(w->pupil, w->session.lesson, w->session.index, err) : SS_FAIL;
}

int ss_lesson_walk(const ss_lesson *l, const ss_config *cfg, FILE *in, FILE *out, ss_err *err)
{
    walk w = {.cfg = cfg, .in = in, .out = out};
    int status = SS_OK;
    ss_run_abandon_by(&stopped);
    ss_session_open(&w.session, l);
    print_wrapped(out, l->title);
    print_wrapped(out, l->summary);
    while (!w.left && (status = start_step(&w, err)) == SS_OK)
        take_step(&w);
    ss_pupil_free(w.pupil);
    ss_run_abandon_by(NULL);
    if (status == SS_OK)
        fprintf(out, "%d of %d steps done.\n", ss_progress_count(&w.session.progress), l->nstep);
    return status;
}
