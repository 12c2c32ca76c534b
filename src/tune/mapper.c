/* The thread that fills a map beside a front end: see mapper.h. What it shares with the main thread
 * is under one lock, which is never held while something is measured. */
#include "src/tune/mapper.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "src/tune/kit.h"
#include "src/core/options.h"
#include "src/core/registry.h"

enum { DONE = 0, FAILED = 1, INTERRUPTED = 130 };

#define NICE 10 /* beside a run that somebody watches */

struct ss_mapper {
    /* Constant while the thread runs; its cells are under the lock. */
    ss_map map;
    ss_axes axes;
    ss_config limits_of; /* whose limits are measured */
    bool beside;         /* a run that somebody watches */
    int first;           /* the cell to begin with; -1: the first one */
    void (*wake)(void *ctx);
    void *ctx;
    pthread_t thread;
    bool started;
    ss_map_file file; /* the thread's */

    pthread_mutex_t lock;
    pthread_cond_t changed;
    atomic_bool stop;
    /* Under the lock. */
    bool paused, over, want_limits, measuring, no_limits;
    int now;
    double way, bandwidth, rate;
    double worked,
        since;       /* seconds of measuring so far; clock when it began again, 0: it has not */
    double measured; /* seconds of cells in that time */
    uint64_t seq;
    ss_err failure;

    /* Main thread's. */
    ss_map_view view;
    uint64_t seen;
};

/* --- shared state ----------------------------------------------------------------------------- */

static void tell(ss_mapper *mp)
{
    mp->seq++;
    pthread_cond_broadcast(&mp->changed);
}

static void told(ss_mapper *mp)
{
    pthread_mutex_unlock(&mp->lock);
    mp->wake(mp->ctx);
}

static void stop_clock(ss_mapper *mp)
{
    if (mp->since > 0)
        mp->worked += ss_clock() - mp->since;
    mp->since = 0;
}

/* Waits while it is paused; false: it is over. */
static bool wait_for_leave(ss_mapper *mp)
{
    if (mp->paused)
        stop_clock(mp);
    while (mp->paused && !mp->want_limits && !atomic_load(&mp->stop))
        pthread_cond_wait(&mp->changed, &mp->lock);
    return !atomic_load(&mp->stop);
}

/* With the cells' own work going on around them, but for this thread's. */
static void measure_limits(ss_mapper *mp)
{
    ss_err err = {""};
    ss_map_limits limits;
    int status = ss_map_measure_limits(&mp->limits_of, &limits, &err);
    pthread_mutex_lock(&mp->lock);
    mp->want_limits = mp->measuring = false;
    mp->bandwidth = limits.bandwidth;
    mp->rate = limits.rate;
    mp->no_limits = status != SS_OK;
    tell(mp);
    told(mp);
}

/* Between two steps of a cell, which may be a long one. */
static bool go_on(void *ctx, double way)
{
    ss_mapper *mp = ctx;
    pthread_mutex_lock(&mp->lock);
    bool on = wait_for_leave(mp);
    while (on && mp->want_limits) {
        mp->measuring = true;
        told(mp);
        measure_limits(mp);
        pthread_mutex_lock(&mp->lock);
        on = wait_for_leave(mp);
    }
    if (mp->since <= 0 && !mp->paused)
        mp->since = ss_clock();
    mp->way = way;
    tell(mp);
    told(mp);
    return on;
}

/* --- the thread ------------------------------------------------------------------------------- */

static int distance(const ss_map *m, int a, int b)
{
    int x = abs(ss_map_at(m, a, 1) - ss_map_at(m, b, 1));
    int y = abs(ss_map_at(m, a, 0) - ss_map_at(m, b, 0));
    return x > y ? x : y;
}

/* The nearest cell to the first one that is still to be measured; -1: none. */
static int next_cell(const ss_mapper *mp)
{
    int best = -1;
    for (int i = 0; i < mp->map.n; i++) {
        if (mp->map.cell[i].status != SS_CELL_NONE)
            continue;
        if (mp->first < 0)
            return i;
        if (best < 0 || distance(&mp->map, i, mp->first) < distance(&mp->map, best, mp->first))
            best = i;
    }
    return best;
}

/* The next thing to do: a cell, or -1: limits, or -2: nothing any more. */
static int next_task(ss_mapper *mp)
{
    enum { LIMITS = -1, NOTHING = -2 };
    int task = NOTHING;
    pthread_mutex_lock(&mp->lock);
    while (task == NOTHING && wait_for_leave(mp)) {
        task = next_cell(mp);
        if (mp->want_limits)
            task = LIMITS;
        else if (task < 0 || mp->failure.text[0])
            task = NOTHING;
        mp->measuring = task == LIMITS;
        if (task != NOTHING)
            break;
        stop_clock(mp);
        if (!mp->over) {
            mp->over = true;
            tell(mp);
            mp->now = -1;
            pthread_mutex_unlock(&mp->lock);
            mp->wake(mp->ctx);
            pthread_mutex_lock(&mp->lock);
        }
        if (!mp->want_limits && !atomic_load(&mp->stop))
            pthread_cond_wait(&mp->changed, &mp->lock);
    }
    mp->now = task >= 0 ? task : -1;
    mp->way = 0;
    tell(mp);
    told(mp);
    return atomic_load(&mp->stop) ? NOTHING : task;
}

static void keep(ss_mapper *mp, int cell, const ss_tune_cell *c, int status, const ss_err *err)
{
    ss_err failure = *err;
    pthread_mutex_lock(&mp->lock);
    mp->map.cell[cell] = *c;
    if (status == SS_OK && c->status != SS_CELL_NONE) {
        mp->measured += isfinite(c->seconds) ? c->seconds : 0;
        status = ss_map_file_add(&mp->file, &mp->map, cell, &failure);
    }
    if (status != SS_OK)
        mp->failure = failure;
    mp->now = -1;
    tell(mp);
    told(mp);
}

/* Beside a run a cell has one thread, which waits for others: only its own time is the cell's. */
static double thread_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void be_quiet(const ss_mapper *mp)
{
#ifdef __linux__
    if (mp->beside)
        setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), NICE); /* of this thread alone */
#else
    (void)mp;
#endif
}

static void *mapper_main(void *arg)
{
    ss_mapper *mp = arg;
    ss_run *run = NULL;
    ss_map_watch watch = {go_on, mp, mp->beside ? thread_clock : NULL};
    be_quiet(mp);
    ss_run_abandon_by(&mp->stop);
    for (int task = next_task(mp); task >= -1; task = next_task(mp)) {
        ss_err err = {""};
        ss_tune_cell cell;
        if (task < 0) {
            measure_limits(mp);
            continue;
        }
        int status = ss_map_measure(&mp->map, task, &run, &watch, &cell, &err);
        keep(mp, task, &cell, status, &err);
    }
    ss_run_close(run);
    return NULL;
}

/* --- life ------------------------------------------------------------------------------------- */

static ss_mapper *new_mapper(const ss_mapper_setup *s, ss_err *err)
{
    ss_mapper *mp = ss_alloc(sizeof *mp, "the map", err);
    if (!mp)
        return NULL;
    mp->wake = s->wake;
    mp->ctx = s->ctx;
    mp->now = mp->first = -1;
    mp->seq = 1; /* not seen yet */
    mp->limits_of = *s->cfg;
    pthread_mutex_init(&mp->lock, NULL);
    pthread_cond_init(&mp->changed, NULL);
    return mp;
}

static void free_mapper(ss_mapper *mp)
{
    pthread_cond_destroy(&mp->changed);
    pthread_mutex_destroy(&mp->lock);
    free(mp->view.cell);
    free(mp->map.cell);
    free(mp);
}

static void describe(ss_mapper *mp)
{
    size_t n = strlen(mp->view.place);
    if (mp->beside)
        snprintf(mp->view.place + n, sizeof mp->view.place - n,
                 " beside the run: its own seconds of the processor");
    mp->view.alone = !mp->beside;
}

static int start(ss_mapper *mp, ss_err *err)
{
    if (ss_map_show_make(&mp->map, &mp->view, err) != SS_OK)
        return SS_FAIL;
    describe(mp);
    int status = pthread_create(&mp->thread, NULL, mapper_main, mp);
    if (status != 0)
        return ss_fail(err, "cannot start a thread: %s", strerror(status));
    mp->started = true;
    return SS_OK;
}

ss_mapper *ss_mapper_asked(const ss_mapper_setup *s, int *status, ss_err *err)
{
    ss_mapper *mp = new_mapper(s, err);
    *status = FAILED;
    if (!mp)
        return NULL;
    mp->axes = *ss_map_axes();
    *status = ss_map_prepare(s->cfg, &mp->axes, &mp->map, err);
    mp->limits_of = mp->map.base;
    if (*status == DONE)
        *status =
            ss_map_file_open(&mp->file, ss_config_text(ss_options(), "csv"), &mp->map, err) == SS_OK
                ? DONE
                : FAILED;
    if (*status == DONE && start(mp, err) != SS_OK) {
        ss_map_file_close(&mp->file, NULL);
        *status = FAILED;
    }
    if (*status == DONE)
        return mp;
    free_mapper(mp);
    return NULL;
}

/* --- around a run ----------------------------------------------------------------------------- */

static void put(ss_config *cfg, const char *name, ss_value v)
{
    v.set = true;
    cfg->v[ss_param_find(cfg, name, NULL)->slot] = v;
}

/* A device that can be lost is not shared with a second thread: the host does the cells. */
static int choose_host(ss_config *cfg, ss_err *err)
{
    const ss_backend *now = ss_config_backend(cfg);
    const char *why = NULL;
    if (now && !now->lost)
        return SS_OK;
    for (int i = 0; ss_backends[i]; i++) {
        if (ss_backends[i]->lost)
            continue;
        if (ss_matrix(ss_config_equation(cfg), ss_config_solver(cfg), ss_backends[i], &why))
            return ss_config_set(cfg, "backend", ss_backends[i]->name, err);
    }
    return ss_fail(err, "no map beside this run: %s", why ? why : "it runs on the device alone");
}

/* Cells end: at the tolerance, or where the run was when the map was asked for. */
static void set_end(ss_config *cfg, double time)
{
    const ss_equation *eq = ss_config_equation(cfg);
    put(cfg, "threads", (ss_value){.i = 1});
    if (eq->kind != SS_TRANSIENT || ss_config_given(cfg, "until-time"))
        return;
    put(cfg, "until-time", (ss_value){.d = time > 0 ? time : eq->pace > 0 ? eq->pace : 1});
}

static void set_axes_apart(const ss_axes *axes, ss_config *cfg)
{
    for (int i = 0; i < axes->n; i++)
        cfg->v[axes->at[i].row->slot] = (ss_value){.set = false};
}

static int find_here(const ss_mapper *mp, const ss_config *cfg)
{
    char text[SS_AXES_MAX][SS_MAP_WORD];
    const char *of[SS_AXES_MAX] = {NULL};
    for (int i = 0; i < mp->axes.n; i++)
        of[i] = ss_param_format(mp->axes.at[i].row, ss_config_value(cfg, mp->axes.at[i].row),
                                text[i], sizeof text[i]);
    return mp->axes.n > 1 ? ss_map_find(&mp->view, of[0], of[1])
                          : ss_map_find(&mp->view, NULL, of[0]);
}

static int around(ss_mapper *mp, const ss_mapper_setup *s, ss_err *err)
{
    ss_map *m = &mp->map;
    mp->beside = true;
    m->base = *s->cfg;
    m->load = s->load;
    m->rhs = s->rhs;
    m->axes = &mp->axes;
    m->quantity = &ss_map_quantities[ss_config_int(ss_options(), "quantity")];
    if (choose_host(&m->base, err) != SS_OK || ss_axes_around(s->cfg, &mp->axes, err) != SS_OK)
        return SS_FAIL;
    set_end(&m->base, s->time);
    set_axes_apart(&mp->axes, &m->base);
    if (ss_map_check_ends(m, err) != SS_OK || ss_map_make(m, err) != SS_OK ||
        ss_map_show_make(m, &mp->view, err) != SS_OK)
        return SS_FAIL;
    mp->first = find_here(mp, s->cfg);
    free(mp->view.cell);
    return start(mp, err);
}

ss_mapper *ss_mapper_around(const ss_mapper_setup *s, ss_err *err)
{
    ss_mapper *mp = new_mapper(s, err);
    if (!mp || around(mp, s, err) == SS_OK)
        return mp;
    free_mapper(mp);
    return NULL;
}

bool ss_mapper_concerns(const ss_mapper *mp, const ss_config *cfg)
{
    static ss_map asked; /* large, main thread only */
    static const char *const own[] = {"backend", "threads", "until-time"};
    asked = mp->map;
    asked.base = *cfg;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        int slot = ss_param_find(cfg, own[i], NULL)->slot;
        asked.base.v[slot] = mp->map.base.v[slot];
    }
    if (ss_config_equation(cfg) != ss_config_equation(&mp->map.base) ||
        ss_config_solver(cfg) != ss_config_solver(&mp->map.base))
        return false;
    set_axes_apart(&mp->axes, &asked.base);
    ss_map_make_settings(&asked);
    return strcmp(asked.settings, mp->map.settings) == 0;
}

bool ss_mapper_covers(const ss_mapper *mp, const ss_config *cfg)
{
    return ss_mapper_concerns(mp, cfg) && find_here(mp, cfg) >= 0;
}

/* --- the main thread's side ------------------------------------------------------------------- */

void ss_mapper_pause(ss_mapper *mp, bool pause)
{
    pthread_mutex_lock(&mp->lock);
    mp->paused = pause;
    tell(mp);
    pthread_mutex_unlock(&mp->lock);
}

void ss_mapper_limits(ss_mapper *mp)
{
    pthread_mutex_lock(&mp->lock);
    if (mp->bandwidth <= 0 && !mp->no_limits) {
        mp->want_limits = true;
        tell(mp);
    }
    pthread_mutex_unlock(&mp->lock);
}

/* Cells to come take what those around them took, and as much longer than their own seconds as the
 * ones before. */
static double time_left(ss_mapper *mp)
{
    double gone = mp->worked + (mp->since > 0 ? ss_clock() - mp->since : 0), open = 0;
    ss_map_view *v = &mp->view;
    ss_map_guess(v);
    for (int i = 0; i < v->n; i++)
        open += v->cell[i].status == SS_CELL_NONE ? v->cell[i].guess : 0;
    double now = mp->now >= 0 ? mp->way * v->cell[mp->now].guess : 0, done = mp->measured + now;
    return done > 0 && gone > 1 ? gone * (open - now) / done : (double)NAN;
}

ss_map_view *ss_mapper_look(ss_mapper *mp, bool *fresh)
{
    ss_map_view *v = &mp->view;
    pthread_mutex_lock(&mp->lock);
    *fresh = mp->seq != mp->seen;
    mp->seen = mp->seq;
    if (*fresh) {
        ss_map_show(&mp->map, v);
        v->now = mp->now;
        v->way = mp->way;
        v->left = time_left(mp);
        v->paused = mp->paused;
        v->measuring = mp->measuring || mp->want_limits;
        v->bandwidth = mp->bandwidth;
        v->rate = mp->rate;
        snprintf(v->error, sizeof v->error, "%s", mp->failure.text);
    }
    pthread_mutex_unlock(&mp->lock);
    return v;
}

static int outcome(ss_mapper *mp, bool interrupted, ss_err *err)
{
    const char *json = ss_config_text(ss_options(), "json");
    int open = ss_map_open_cells(&mp->map);
    if (mp->failure.text[0]) {
        *err = mp->failure;
        return FAILED;
    }
    if (open == 0)
        return json && ss_map_json(&mp->map, json, err) != SS_OK ? FAILED : DONE;
    ss_fail(err, "%s: %d of %d cells are done%s", interrupted ? "interrupted" : "left",
            mp->map.n - open, mp->map.n,
            mp->file.path ? ", and the same command goes on from there" : "");
    return interrupted ? INTERRUPTED : DONE;
}

int ss_mapper_stop(ss_mapper *mp, bool interrupted, FILE *table, ss_err *err)
{
    if (!mp)
        return DONE;
    atomic_store(&mp->stop, true);
    pthread_mutex_lock(&mp->lock);
    pthread_cond_broadcast(&mp->changed);
    pthread_mutex_unlock(&mp->lock);
    if (mp->started)
        pthread_join(mp->thread, NULL);
    int status = mp->beside ? DONE : outcome(mp, interrupted, err);
    if (table && !mp->beside && ss_map_open_cells(&mp->map) < mp->map.n)
        ss_map_print(&mp->map, table);
    if (ss_map_file_close(&mp->file, status == DONE ? err : NULL) != SS_OK)
        status = FAILED;
    free_mapper(mp);
    return status;
}
