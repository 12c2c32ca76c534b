/* See trial.h. */
#include "src/engine/trial.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/process.h"

/* What a trial does next: its line has ended the phase before. */
static const struct phase {
    const char *line;
    double seconds; /* 0: the trial's own limit */
    const char *late, *crashed;
} phases[] = {
    {"", 60, "the edited file did not compile within %.3g s", "the compiler crashed on this text"},
    {"compiled", 0, "the edited kernel did not finish within %.3g s",
     "the program crashed while it ran the edited kernel"},
    {"finished", 30, "the comparison with the CPU did not finish within %.3g s",
     "the program crashed while it compared the edited kernel with the CPU"},
};
enum { NPHASE = sizeof phases / sizeof *phases };

/* --- the process ------------------------------------------------------------------------------ */

static void bury(ss_trial *t)
{
    for (int i = 0; i < SS_TRIAL_DYING; i++)
        if (t->dying[i] > 0 && waitpid(t->dying[i], NULL, WNOHANG) != 0)
            t->dying[i] = 0;
}

static void forget(ss_trial *t)
{
    close(t->from);
    t->pid = 0;
}

void ss_trial_end(ss_trial *t)
{
    int i = 0;
    bury(t);
    if (t->pid == 0)
        return;
    kill(-t->pid, SIGKILL);
    kill(t->pid, SIGKILL); /* it may not have begun its session yet */
    while (i < SS_TRIAL_DYING - 1 && t->dying[i] > 0)
        i++;
    t->dying[i] = t->pid;
    forget(t);
    bury(t);
}

int ss_trial_start(ss_trial *t, char *const *argv, double limit, ss_err *err)
{
    int ends[2];
    ss_trial_end(t);
    if (pipe2(ends, O_CLOEXEC) != 0 || fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0)
        return ss_fail(err, "a trial cannot be started: %s", strerror(errno));
    t->pid = ss_child_start(argv, environ, ends[1], SIGKILL);
    close(ends[1]);
    t->from = ends[0];
    t->n = 0;
    t->heard = (ss_trial_result){.hash = 0};
    t->phase = 0;
    t->since = ss_clock();
    t->limit = limit;
    if (t->pid > 0)
        return SS_OK;
    forget(t);
    return ss_fail(err, "a trial cannot be started: %s", strerror(errno));
}

/* --- what it says ----------------------------------------------------------------------------- */

static void take_text(ss_trial_result *r, const char *value)
{
    r->hash = strtoull(value, NULL, 16);
}

static void take_bits(ss_trial_result *r, const char *value)
{
    r->bits = strcmp(value, "same") == 0     ? SS_BITS_SAME
              : strcmp(value, "differ") == 0 ? SS_BITS_DIFFER
                                             : SS_BITS_UNKNOWN;
}

static void take_edited(ss_trial_result *r, const char *value)
{
    r->edited = strtod(value, NULL);
}

static void take_own(ss_trial_result *r, const char *value)
{
    r->own = strtod(value, NULL);
}

static void take_why(ss_trial_result *r, const char *value)
{
    if (!r->why.text[0])
        ss_fail(&r->why, "%s", value);
}

static const struct said {
    const char *begin;
    void (*take)(ss_trial_result *r, const char *value);
} lines[] = {{"text ", take_text},
             {"bits ", take_bits},
             {"cycle ", take_edited},
             {"built-in ", take_own},
             {"stencilscope: ", take_why}};

/* A kernel may print, too. */
static void take_line(ss_trial *t)
{
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        size_t n = strlen(lines[i].begin);
        if (strncmp(t->line, lines[i].begin, n) == 0)
            lines[i].take(&t->heard, t->line + n);
    }
    if (t->phase + 1 < NPHASE && strcmp(t->line, phases[t->phase + 1].line) == 0) {
        t->phase++;
        t->since = ss_clock();
    }
}

static void take_byte(ss_trial *t, char c)
{
    if (c != '\n' && t->n + 1 < sizeof t->line) {
        t->line[t->n++] = c;
    } else if (c == '\n') {
        t->line[t->n] = '\0';
        t->n = 0;
        take_line(t);
    }
}

static void hear(ss_trial *t)
{
    char part[4096];
    ssize_t n;
    while ((n = read(t->from, part, sizeof part)) > 0)
        for (ssize_t i = 0; i < n; i++)
            take_byte(t, part[i]);
}

/* By how the process ended. */
static void judge(const ss_trial *t, int status, ss_trial_result *r)
{
    if (WIFSIGNALED(status))
        ss_fail(&r->why, "%s: %s", phases[t->phase].crashed, strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) != 0 && !r->why.text[0])
        ss_fail(&r->why, "the trial ended with status %d", WEXITSTATUS(status));
    else if (WEXITSTATUS(status) == 0 && !(r->edited > 0 && r->own > 0))
        ss_fail(&r->why, "the trial ended without a result");
}

bool ss_trial_poll(ss_trial *t, ss_trial_result *out)
{
    int status = 0;
    bury(t);
    if (t->pid == 0)
        return false;
    int waited = waitpid(t->pid, &status, WNOHANG);
    bool ended = waited == t->pid || (waited < 0 && errno == ECHILD);
    hear(t);
    *out = t->heard;
    double limit = phases[t->phase].seconds > 0 ? phases[t->phase].seconds : t->limit;
    if (ended) {
        judge(t, status, out);
        forget(t);
    } else if (ss_clock() - t->since > limit) {
        ss_fail(&out->why, phases[t->phase].late, limit);
        ss_trial_end(t);
        ended = true;
    }
    return ended;
}
