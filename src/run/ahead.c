/* Kernels compiled before they are measured: see ahead.h. */
#include "src/run/ahead.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/core/registry.h"
#include "src/core/run.h"

#define CHILDREN_MAX 8
#define BATCH 16  /* runs of a child at most: the last children end at about the same time */
#define TEXT 1000 /* of a run */
#define POLL_MS 10
#define LEAST 3 /* children: of fewer runs each gets all of them, and they divide the kernels */

const char *ss_ahead_program;

/* --- a run as text ------------------------------------------------------------------------------
 */

typedef struct line {
    const ss_config *cfg;
    char *text;
    size_t used;
} line;

/* A word with a space, as of a file's name, is none of those that a kernel depends on. */
static void add_row(const ss_param *row, void *ctx)
{
    line *l = ctx;
    char value[256];
    ss_value v = l->cfg->v[row->slot];
    if (!v.set || v.derived || (row->flags & SS_P_APP) || strcmp(row->name, "backend") == 0 ||
        strcmp(row->name, "equation") == 0 || strcmp(row->name, "solver") == 0)
        return;
    ss_param_format(row, ss_config_value(l->cfg, row), value, sizeof value);
    size_t left = TEXT - l->used;
    if (*value && !strchr(value, ' ') && strlen(row->name) + strlen(value) + 4 < left)
        l->used += (size_t)snprintf(l->text + l->used, left, " --%s=%s", row->name, value);
}

static char *text_of(const ss_config *cfg)
{
    line l = {cfg, malloc(TEXT), 0};
    if (!l.text)
        return NULL;
    l.used = (size_t)snprintf(l.text, TEXT, "%s %s", ss_config_equation(cfg)->name,
                              ss_config_solver(cfg)->name);
    ss_param_each(cfg, add_row, &l);
    return l.text;
}

/* --- children ------------------------------------------------------------------------------------
 */

extern char **environ;

/* Silent. 0: it did not start. */
static pid_t start(char *const argv[])
{
    pid_t child = 0;
    posix_spawn_file_actions_t files;
    if (posix_spawn_file_actions_init(&files) != 0)
        return 0;
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (posix_spawn(&child, ss_ahead_program, &files, NULL, argv, environ) != 0)
        child = 0;
    posix_spawn_file_actions_destroy(&files);
    return child;
}

/* Starts a child for the next runs. */
static pid_t start_batch(const ss_ahead *a, const char *target, int batch, int total, int *next)
{
    char *argv[4 + BATCH + 1] = {"stencilscope", "kernels", "fill", (char *)(uintptr_t)target};
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
