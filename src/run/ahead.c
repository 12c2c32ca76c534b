/* Kernels of runs that are not open: see ahead.h. */
#include "src/run/ahead.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/system.h"
#include "src/core/registry.h"
#include "src/core/run.h"

#define CHILDREN_MAX 8
#define BATCH 16  /* runs of a child at most: the last children end at about the same time */
#define TEXT 1000 /* of a run */
#define POLL_MS 10
#define LEAST 6 /* children: of fewer runs each gets all of them, and they divide the kernels */

const char *ss_ahead_program;

/* --- a run as text ------------------------------------------------------------------------------
 */

/* The words that a run begins with, or that its place is given by. */
static bool is_separate(const ss_param *row)
{
    return strcmp(row->name, "backend") == 0 || strcmp(row->name, "equation") == 0 ||
           strcmp(row->name, "solver") == 0;
}

/* A word with a space, as of a file's name, is none of those that a kernel depends on. */
static char *text_of(const ss_config *cfg)
{
    char value[256], *text = malloc(TEXT);
    const ss_param *row;
    size_t n = text ? (size_t)snprintf(text, TEXT, "%s %s", ss_config_equation(cfg)->name,
                                       ss_config_solver(cfg)->name)
                    : 0;
    for (ss_param_walk w = {.cfg = cfg}; text && (row = ss_param_next(&w));) {
        ss_value v = cfg->v[row->slot];
        if (!v.set || v.derived || (row->flags & SS_P_APP) || is_separate(row))
            continue;
        ss_param_format(row, ss_config_value(cfg, row), value, sizeof value);
        if (*value && !strchr(value, ' ') && strlen(row->name) + strlen(value) + 4 < TEXT - n)
            n += (size_t)snprintf(text + n, TEXT - n, " --%s=%s", row->name, value);
    }
    return text;
}

/* --- children ------------------------------------------------------------------------------------
 */

/* Silent; ends with this thread. 0: it did not start. */
static pid_t start(char *const argv[])
{
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    pid_t child = null >= 0 ? ss_child_start(argv, environ, null, SIGTERM) : -1;
    if (null >= 0)
        close(null);
    return child > 0 ? child : 0;
}

/* Starts a child for the next runs. */
static pid_t start_batch(const ss_ahead *a, const char *target, int batch, int total, int *next)
{
    char *argv[4 + BATCH + 1] = {(char *)(uintptr_t)ss_ahead_program, "kernels", "fill",
                                 (char *)(uintptr_t)target};
    int words = 4;
    ss_config cfg;
    for (; *next < total && words < 4 + batch; ++*next)
        if (a->config(a->ctx, *next % a->n, &cfg) && (argv[words] = text_of(&cfg)))
            words++;
    pid_t child = words > 4 ? start(argv) : 0;
    while (words > 4)
        free(argv[--words]);
    return child;
}

typedef struct pool {
    pid_t child[CHILDREN_MAX];
    int most, running;
} pool;

static void reap(pool *p)
{
    for (int i = 0; i < p->most; i++) {
        int status;
        pid_t ended = p->child[i] ? waitpid(p->child[i], &status, WNOHANG) : 0;
        if (ended != 0 && !(ended < 0 && errno == EINTR)) {
            p->child[i] = 0;
            p->running--;
        }
    }
}

static void end_all(const pool *p)
{
    for (int i = 0; i < p->most; i++)
        if (p->child[i])
            kill(p->child[i], SIGTERM);
}

static void fill_pool(pool *p, const ss_ahead *a, const char *target, int batch, int total,
                      int *next)
{
    for (int i = 0; i < p->most && *next < total; i++)
        if (!p->child[i] && (p->child[i] = start_batch(a, target, batch, total, next)))
            p->running++;
}

void ss_ahead_compile(const ss_ahead *a)
{
    char target[16];
    const ss_kernel_store *store = a->backend ? a->backend->kernels : NULL;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    pool p = {.most = processors < 1              ? 1
                      : processors < CHILDREN_MAX ? (int)processors
                                                  : CHILDREN_MAX};
    int least = p.most < LEAST ? p.most : LEAST, total = a->n < least ? least * a->n : a->n;
    int next = 0, batch = a->n / (2 * p.most) + 1;
    bool on = true;
    if (!ss_ahead_program || !store || !store->target(target, sizeof target))
        return;
    batch = batch < BATCH ? batch : BATCH;
    while (p.running > 0 || (on && next < total)) {
        if (on)
            fill_pool(&p, a, target, batch, total, &next);
        on = on && (!a->go_on || a->go_on(a->ctx, (double)(next - p.running) / total));
        if (!on)
            end_all(&p);
        usleep(1000 * POLL_MS);
        reap(&p);
    }
}

/* --- one run -------------------------------------------------------------------------------------
 */

static atomic_int waiting; /* threads */

bool ss_ahead_is_compiling(void)
{
    return atomic_load(&waiting) > 0;
}

/* Opens a run that has no memory and runs nothing. */
static int load(const ss_config *cfg, bool compiles, ss_err *err)
{
    const ss_kernel_store *store = ss_config_backend(cfg)->kernels;
    store->beside(compiles);
    ss_run *run = ss_run_open(cfg, NULL, NULL, err);
    if (run)
        ss_run_close(run);
    store->pretend_end();
    return run ? SS_OK : SS_FAIL;
}

static bool give(void *ctx, int i, ss_config *out)
{
    (void)i;
    *out = *(const ss_config *)ctx;
    return true;
}

static bool is_wanted(void *ctx, double done)
{
    (void)ctx, (void)done;
    return !ss_run_unwanted();
}

int ss_ahead_load(const ss_config *cfg, ss_err *err)
{
    ss_config own = *cfg;
    ss_ahead one = {ss_config_backend(cfg), 1, give, is_wanted, &own};
    if (load(cfg, false, err) == SS_OK)
        return SS_OK;
    atomic_fetch_add(&waiting, 1);
    ss_ahead_compile(&one);
    int status = load(cfg, true, err);
    atomic_fetch_sub(&waiting, 1);
    return status;
}

/* --- where nothing can be compiled ---------------------------------------------------------------
 */

#define FARTHEST 64 /* steps from the value that was asked for */
#define PATIENCE 1  /* seconds of looking for it */

static bool can_hold(const ss_param *row, int64_t i)
{
    int n = 0;
    if (row->type == SS_INT)
        return (double)i >= row->min && (double)i <= row->max;
    while (row->choices[n])
        n++;
    return i >= 0 && i < n;
}

static bool is_kept(const ss_config *cfg)
{
    ss_config checked = *cfg;
    return ss_config_check(&checked, NULL, NULL) == SS_OK && load(&checked, false, NULL) == SS_OK;
}

/* Do the solver's kernels depend on the row, as on k and block? */
static bool is_setting(const ss_config *cfg, const ss_param *row)
{
    ss_value v = cfg->v[row->slot];
    return v.set && !v.derived && (row->flags & SS_P_LIVE) && !(row->flags & SS_P_APP) &&
           !is_separate(row);
}

/* Are the kernels of a value at this distance from the given one on disk? */
static bool find_value(const ss_config *asked, const ss_param *row, int distance, ss_value *out)
{
    ss_config cfg = *asked;
    ss_value *v = &cfg.v[row->slot];
    if (!is_setting(asked, row) || (row->type != SS_INT && row->type != SS_CHOICE))
        return false;
    for (int sign = -1; sign <= 1; sign += 2) {
        v->i = asked->v[row->slot].i + sign * distance;
        *out = *v;
        if (can_hold(row, v->i) && is_kept(&cfg))
            return true;
    }
    return false;
}

/* The nearest row and value with which all kernels are on disk; NULL: none was found. */
static const ss_param *find_nearest(const ss_config *cfg, ss_value *value)
{
    const ss_param *row;
    double until = ss_clock() + PATIENCE;
    for (int d = 1; d <= FARTHEST && ss_clock() < until; d++)
        for (ss_param_walk w = {.cfg = cfg}; (row = ss_param_next(&w)) != NULL;)
            if (find_value(cfg, row, d, value))
                return row;
    return NULL;
}

/* Are they with the solver's defaults? */
static bool has_usual(const ss_config *cfg)
{
    ss_config usual = *cfg;
    const ss_param *row;
    for (ss_param_walk w = {.cfg = cfg}; (row = ss_param_next(&w)) != NULL;)
        if (is_setting(cfg, row))
            usual.v[row->slot].set = false;
    return is_kept(&usual);
}

void ss_ahead_name_kept(const ss_config *cfg, ss_err *err)
{
    char value[64];
    const ss_backend *backend = ss_config_backend(cfg);
    ss_value nearest;
    if (!err || !strstr(err->text, "NVRTC") || !strstr(err->text, "is not here") || !backend ||
        !backend->kernels)
        return;
    const ss_param *row = find_nearest(cfg, &nearest);
    bool kept = row || has_usual(cfg);
    size_t used = strlen(err->text), left = sizeof err->text - used;
    if (row)
        snprintf(err->text + used, left, "; without it there is %s %s", row->name,
                 ss_param_format(row, nearest, value, sizeof value));
    else if (kept)
        snprintf(err->text + used, left, "; without it there is %s with its defaults",
                 ss_config_solver(cfg)->name);
}
