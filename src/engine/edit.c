/* An edited kernel: the copy that the user changes, and trials of its text: see lane.h. */
#include "src/engine/lane.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "src/base/file.h"
#include "src/base/text.h"
#include "src/base/system.h"

#define POLL 0.25          /* seconds between two looks */
#define PATIENCE 2.5       /* seconds that the cycles of a trial may take, */
#define EACH 20            /* and as many of the run's own cycles */
#define MOST_BYTES 4000000 /* of a text */

static ss_run *shown(const ss_engine *e)
{
    return e->lane[e->shown].run;
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static uint64_t hash_of(const char *text)
{
    return ss_crc64(0, text, strlen(text));
}

/* --- the text in use -------------------------------------------------------------------------- */

/* Compiles the run's kernels from `text`. On failure it has those of the text before. */
static int use(ss_engine *e, const char *text, ss_err *err)
{
    ss_edit *ed = &e->edit;
    const ss_kernel_store *store = ed->backend->kernels;
    const char *before = ed->used == ed->own ? NULL : ed->used;
    ss_lane *lane = &e->lane[e->shown];
    ss_run *run = lane->run;
    bool repeated = run->repeated;
    if (store->edit(ed->file, text == ed->own ? NULL : text, err) != SS_OK)
        return SS_FAIL;
    ss_hold_suspend(lane);
    if (run->backend == ed->backend && ss_run_prepare_again(run, err) != SS_OK) {
        store->edit(ed->file, before, NULL);
        if (run->status == SS_FAILED && ss_run_prepare_again(run, NULL) == SS_OK)
            run->status = SS_RUNNING;
        if (repeated)
            ss_hold_resume(e, lane);
        return SS_FAIL;
    }
    ed->used = text;
    lane->cycle_seconds = 0;
    e->dirty = e->changed = true;
    for (int i = 0; i < e->nlane; i++)
        if (i != e->shown && e->lane[i].run->backend == ed->backend &&
            ss_run_prepare_again(e->lane[i].run, err) != SS_OK)
            return SS_FAIL;
    ss_pair_stop(&e->classic.pair, true);
    if (repeated)
        ss_hold_resume(e, lane);
    return ss_engine_race_changed(e, e->shown, err);
}

/* --- trials ----------------------------------------------------------------------------------- */

/* It is an answer, which ends no program without a screen. */
static void fail(ss_engine *e, const char *why)
{
    ss_edit *ed = &e->edit;
    snprintf(ed->failed, sizeof ed->failed, "%s", why);
    ss_engine_say(e, true, "%.64s is not used: %s", name_of(ed->path), why);
    e->message_refuses = true;
}

static void try_text(ss_engine *e)
{
    ss_edit *ed = &e->edit;
    ss_err err;
    char program[] = "/proc/self/exe", kernels[] = "kernels", try[] = "try";
    if (!ss_reproduce_words(&shown(e)->cfg, ed->trying, sizeof ed->trying))
        return;
    char *const words[] = {program, kernels, try, ed->file, ed->path, ed->trying, NULL};
    double limit = PATIENCE + EACH * e->lane[e->shown].cycle_seconds;
    e->dirty = true;
    *ed->failed = '\0';
    if (ss_trial_start(&ed->trial, words, limit, &err) != SS_OK)
        fail(e, err.text);
}

static void words_of(const ss_trial_result *r, char *buf, size_t size)
{
    char words[96], edited[32], own[32];
    const ss_edited of = {r->hash, r->bits};
    snprintf(buf, size, "%s; %s per cycle, the program's own %s",
             ss_edited_words(&of, words, sizeof words),
             ss_format_si(r->edited, "s", edited, sizeof edited),
             ss_format_si(r->own, "s", own, sizeof own));
}

/* The file may have been saved again meanwhile; its next look finds that. */
static void accept(ss_engine *e, const ss_trial_result *r)
{
    ss_edit *ed = &e->edit;
    ss_err err = {0};
    char *read = ss_infile_text(ed->path, MOST_BYTES, NULL), text[256];
    const char *kept = read && hash_of(read) == r->hash ? ss_intern(read) : NULL;
    free(read);
    if (!kept)
        return;
    if (kept != ed->used && use(e, kept, &err) != SS_OK) {
        fail(e, err.text);
        return;
    }
    ed->passed = *r;
    memcpy(ed->tried, ed->trying, sizeof ed->tried);
    words_of(r, text, sizeof text);
    ss_engine_say(e, false, "%s", text);
}

/* The text in use may have failed with other settings than before. */
static void reject(ss_engine *e, const ss_trial_result *r)
{
    ss_edit *ed = &e->edit;
    ss_err err;
    if (ed->used != ed->own && r->hash == hash_of(ed->used) && use(e, ed->own, &err) != SS_OK)
        fail(e, err.text);
    else
        fail(e, r->why.text);
}

static void follow_trial(ss_engine *e)
{
    ss_trial_result r;
    int phase = e->edit.trial.phase;
    if (ss_trial_poll(&e->edit.trial, &r)) {
        if (r.why.text[0])
            reject(e, &r);
        else
            accept(e, &r);
        e->dirty = true;
    }
    e->dirty = e->dirty || phase != e->edit.trial.phase;
}

/* --- the copy --------------------------------------------------------------------------------- */

/* Is there another text than at the last look? An editor may have removed the file for a moment. */
static bool is_saved(ss_edit *ed)
{
    struct stat st;
    if (stat(ed->path, &st) != 0)
        return false;
    int64_t changed = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
    if (changed == ed->changed && st.st_size == ed->size)
        return false;
    char *text = ss_infile_text(ed->path, MOST_BYTES, NULL);
    uint64_t before = ed->hash;
    if (!text)
        return false;
    ed->changed = changed;
    ed->size = st.st_size;
    ed->hash = hash_of(text);
    free(text);
    return ed->hash != before;
}

/* The program's own text needs no trial. */
static void follow_copy(ss_engine *e)
{
    ss_edit *ed = &e->edit;
    ss_err err;
    if (!is_saved(ed))
        return;
    if (ed->hash != hash_of(ed->own)) {
        try_text(e);
        return;
    }
    ss_trial_end(&ed->trial);
    *ed->failed = '\0';
    e->dirty = true;
    if (ed->used == ed->own)
        return;
    if (use(e, ed->own, &err) == SS_OK)
        ss_engine_say(e, false, "the copy is the program's own text again");
    else
        fail(e, err.text);
}

/* What is known of the fields holds for the settings that were tried; other ones are tried, too. */
static void follow_settings(ss_engine *e)
{
    ss_edit *ed = &e->edit;
    ss_run *run = shown(e);
    char now[SS_EDIT_RUN];
    if (ss_run_edited_now(run) != ed->passed.hash || ed->passed.hash == 0)
        return;
    bool fits = ss_reproduce_words(&run->cfg, now, sizeof now);
    bool same = fits && strcmp(now, ed->tried) == 0;
    ss_bits bits = same ? ed->passed.bits : SS_BITS_UNKNOWN;
    if (run->edited.hash == ed->passed.hash && run->edited.bits != SS_BITS_DIFFER) {
        e->dirty = e->dirty || run->edited.bits != bits;
        run->edited.bits = bits;
    }
    if (fits && !same && ed->trial.pid == 0 && !*ed->failed)
        try_text(e);
}

/* A run that its device has left has no kernels. */
static void follow(ss_engine *e)
{
    if (shown(e)->backend != e->edit.backend || ss_lane_is_lost(&e->lane[e->shown])) {
        ss_trial_end(&e->edit.trial);
        return;
    }
    follow_trial(e);
    follow_copy(e);
    follow_settings(e);
}

static double turn(ss_engine *e, double idle)
{
    ss_edit *ed = &e->edit;
    double now = ss_clock();
    if (!ed->backend)
        return idle;
    if (now >= ed->next) {
        ed->next = now + POLL;
        follow(e);
    }
    double wait = ed->next - now > 1e-3 ? ed->next - now : 1e-3;
    return ss_earlier(idle, wait);
}

/* --- the command ------------------------------------------------------------------------------ */

static int end(ss_engine *e, ss_err *err)
{
    ss_edit *ed = &e->edit;
    char text[SS_KERNEL_PATH + 80];
    if (!ed->backend)
        return ss_fail(err, "no kernel is being edited");
    ss_trial_end(&ed->trial);
    int status = ed->used == ed->own ? SS_OK : use(e, ed->own, err);
    snprintf(text, sizeof text, "the program's own kernel is in use; %s stays", ed->path);
    ed->backend = NULL;
    if (status == SS_OK)
        ss_engine_say(e, false, "%s", text);
    return status;
}

/* The copy of an earlier time stays as it is, and is tried. */
static int make_copy(ss_edit *ed, ss_err *err)
{
    FILE *f = fopen(ed->path, "wx");
    if (!f && errno == EEXIST) {
        char *text = ss_infile_text(ed->path, MOST_BYTES, err);
        free(text);
        return text ? SS_OK : SS_FAIL;
    }
    bool written = f && fputs(ed->own, f) >= 0;
    if (f && fclose(f) != 0)
        written = false;
    return written ? SS_OK
                   : ss_fail_outside(err, "cannot write %.200s: %s", ed->path, strerror(errno));
}

static int begin(ss_engine *e, const ss_running_kernel *k, ss_err *err)
{
    char folder[PATH_MAX];
    ss_edit *ed = &e->edit;
    *ed = (ss_edit){.own = k->text, .used = k->text};
    snprintf(ed->file, sizeof ed->file, "%s", k->file);
    int n = getcwd(folder, sizeof folder)
                ? snprintf(ed->path, sizeof ed->path, "%s/%s", folder, name_of(k->file))
                : -1;
    if (n < 0 || n >= (int)sizeof ed->path)
        return ss_fail_outside(err, "the working folder has no name, or too long a one");
    if (make_copy(ed, err) != SS_OK)
        return SS_FAIL;
    ed->backend = shown(e)->backend;
    ed->hash = hash_of(ed->own);
    return SS_OK;
}

/* The one that the page shows, or the first. */
static bool find_kernel(const ss_engine *e, ss_running_kernel *out)
{
    const ss_run *run = shown(e);
    int i = e->view.kernels > 0 ? e->view.kernels - 1 : 0;
    return run->backend->kernel_of && run->backend->kernels &&
           (run->backend->kernel_of(run, i, out) || run->backend->kernel_of(run, 0, out)) &&
           out->text;
}

static int admits(const ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    if (e->setup.deterministic || (!e->setup.interactive && !cmd->heard))
        return ss_fail(err, "kernel edit: a run whose result must not depend on the clock, or that "
                            "nobody watches, keeps the program's kernels");
    return SS_OK;
}

int ss_verb_kernel(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    ss_edit *ed = &e->edit;
    ss_running_kernel k;
    char text[SS_KERNEL_PATH + 80];
    if (cmd->argc > 1 && strcmp(cmd->arg[1], "off") == 0)
        return end(e, err);
    if (cmd->argc > 1)
        return ss_fail(err, "kernel edit: '%.40s' is not 'off'", cmd->arg[1]);
    if (admits(e, cmd, err) != SS_OK)
        return SS_FAIL;
    if (!find_kernel(e, &k))
        return ss_fail(err,
                       "kernel edit: no kernel runs here, backend %s computes with functions "
                       "of the program",
                       shown(e)->backend->name);
    if (ed->backend && strcmp(ed->file, k.file) != 0)
        return ss_fail(err, "kernel edit: %s is being edited; kernel edit off ends that", ed->path);
    if (!ed->backend && begin(e, &k, err) != SS_OK)
        return SS_FAIL;
    snprintf(text, sizeof text, "edit %s: each save is tried", ed->path);
    ss_engine_say(e, false, "%s", text);
    return SS_OK;
}

/* --- the page --------------------------------------------------------------------------------- */

static void publish(ss_engine *e, ss_snapshot *s)
{
    const ss_edit *ed = &e->edit;
    ss_kernels *out = &s->kernels;
    static const char *const phases[] = {"the saved text is being compiled", "the saved text runs",
                                         "the saved text is compared with the CPU and timed"};
    *out->edit.path = '\0';
    if (!ed->backend)
        return;
    memcpy(out->edit.path, ed->path, sizeof out->edit.path);
    out->edit.failed = ed->trial.pid == 0 && *ed->failed;
    if (ed->trial.pid != 0)
        snprintf(out->edit.state, sizeof out->edit.state, "%s", phases[ed->trial.phase]);
    else if (*ed->failed)
        snprintf(out->edit.state, sizeof out->edit.state, "not used: %s", ed->failed);
    else if (ed->used == ed->own)
        snprintf(out->edit.state, sizeof out->edit.state, "it is the program's own text so far");
    else
        words_of(&ed->passed, out->edit.state, sizeof out->edit.state);
}

/* --- a trial ---------------------------------------------------------------------------------- */

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

/* A kernel may print, too. */
static void take_line(ss_trial *t)
{
    static const char sentence[] = "stencilscope: ";
    ss_trial_result *r = &t->heard;
    char bits[16] = "";
    sscanf(t->line, "text %" SCNx64, &r->hash);
    sscanf(t->line, "cycle %lf", &r->edited);
    sscanf(t->line, "built-in %lf", &r->own);
    if (sscanf(t->line, "bits %15s", bits) == 1)
        r->bits = strcmp(bits, "same") == 0     ? SS_BITS_SAME
                  : strcmp(bits, "differ") == 0 ? SS_BITS_DIFFER
                                                : SS_BITS_UNKNOWN;
    if (strncmp(t->line, sentence, sizeof sentence - 1) == 0 && !r->why.text[0])
        ss_fail(&r->why, "%s", t->line + sizeof sentence - 1);
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

/* --- the feature ------------------------------------------------------------------------------ */

/* Kills a trial that is in progress. */
static void end_all(ss_engine *e)
{
    ss_trial_end(&e->edit.trial);
}

const ss_feature ss_edit_feature = {.turn = turn, .publish = publish, .end = end_all};
