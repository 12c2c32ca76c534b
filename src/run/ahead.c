/* Kernels compiled before they are measured: see ahead.h. */
#include "src/run/ahead.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/core/registry.h"

#define CHILDREN_MAX 8
#define BATCH 16  /* runs of a child at most: the last children end at about the same time */
#define TEXT 1000 /* of a run */
#define POLL_MS 10

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
static pid_t start_batch(const ss_ahead *a, const char *target, int batch, int *next)
{
    char *argv[4 + BATCH + 1] = {"stencilscope", "kernels", "fill", (char *)(uintptr_t)target};
    int words = 4;
    ss_config cfg;
    for (; *next < a->n && words < 4 + batch; ++*next)
        if (a->config(a->ctx, *next, &cfg) && (argv[words] = text_of(&cfg)))
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

static void fill_pool(pool *p, const ss_ahead *a, const char *target, int batch, int *next)
{
    for (int i = 0; i < p->most && *next < a->n; i++)
        if (!p->child[i] && (p->child[i] = start_batch(a, target, batch, next)))
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
    int next = 0, batch = a->n / (2 * p.most) + 1;
    bool on = true;
    if (!ss_ahead_program || !store || !store->target(target, sizeof target))
        return;
    batch = batch < BATCH ? batch : BATCH;
    while (p.running > 0 || (on && next < a->n)) {
        if (on)
            fill_pool(&p, a, target, batch, &next);
        on = on && (!a->go_on || a->go_on(a->ctx, (double)(next - p.running) / a->n));
        if (!on)
            end_all(&p);
        usleep(1000 * POLL_MS);
        reap(&p);
    }
}
