/* The thread that measures a tuning map, and `stencilscope map`, which waits for it and shows its
 * progress: see tuner.h. One lock protects the state that it shares
 * with the main thread; the lock is never held during a measurement. */
#include "src/tune/tuner.h"

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

#include "src/base/system.h"
#include "src/base/common.h"
#include "src/base/text.h"
#include "src/core/settings.h"
#include "src/core/registry.h"
#include "src/run/ahead.h"
#include "src/tune/kit.h"

#define SHOW 0.05 /* seconds between two updates of the progress bar */
#define NICE 10   /* of the thread while the user watches a run */

struct ss_tuner {
    /* Constant while the thread runs; the cells of the map are under the lock. */
    ss_tune_map map;
    ss_tune_axes axes;
    bool during_run; /* the user watches a run meanwhile */
    bool by_cell;
    int first; /* cells near this one are measured first; -1: in order */
    void (*wake)(void *ctx);
    void *ctx;
    pthread_t thread;
    bool started;
    ss_tune_file file; /* the thread's */

    pthread_mutex_t lock;
    pthread_cond_t changed; /* the thread waits for it */
    pthread_cond_t due;     /* the subcommand waits for it: a cell to show, or the end */
    atomic_bool stop;
    /* Under the lock. */
    bool paused; /* by the user */
    bool held;   /* until the main thread has shown the last cell */
    bool over;
    int now;
    double way;
    double worked, since; /* seconds of measuring so far; clock at the last resume, 0: stopped */
    double measured;      /* seconds that cells report for that time */
    uint64_t seq;
    ss_err failure;

    /* Main thread's. */
    ss_map_view view;
    uint64_t seen;
};

/* --- shared state ----------------------------------------------------------------------------- */

static void signal_change(ss_tuner *t)
{
    t->seq++;
    pthread_cond_broadcast(&t->changed);
}

/* Tuner thread: the front end may want to draw the change. */
static void unlock_and_wake(ss_tuner *t)
{
    signal_change(t);
    pthread_mutex_unlock(&t->lock);
    if (t->wake)
        t->wake(t->ctx);
}

static void stop_clock(ss_tuner *t)
{
    if (t->since > 0)
        t->worked += ss_clock() - t->since;
    t->since = 0;
}

/* Waits while the map is paused; false: it is to end. */
static bool wait_while_paused(ss_tuner *t)
{
    if (t->paused)
        stop_clock(t);
    while ((t->paused || t->held) && !atomic_load(&t->stop))
        pthread_cond_wait(&t->changed, &t->lock);
    return !atomic_load(&t->stop);
}

/* Called between two steps of a cell. */
static bool go_on(void *ctx, double way)
{
    ss_tuner *t = ctx;
    pthread_mutex_lock(&t->lock);
    bool on = wait_while_paused(t);
    if (t->since <= 0 && !t->paused)
        t->since = ss_clock();
    t->way = way;
    unlock_and_wake(t);
    return on;
}

/* --- the thread ------------------------------------------------------------------------------- */

static int distance(const ss_tune_map *m, int a, int b)
{
    int x = abs(ss_tune_at(m, a, 1) - ss_tune_at(m, b, 1));
    int y = abs(ss_tune_at(m, a, 0) - ss_tune_at(m, b, 0));
    return x > y ? x : y;
}

/* The unmeasured cell nearest to the first one; -1: none. */
static int next_cell(const ss_tuner *t)
{
    int best = -1;
    for (int i = 0; i < t->map.n; i++) {
        if (t->map.cell[i].status != SS_CELL_NONE)
            continue;
        if (t->first < 0)
            return i;
        if (best < 0 || distance(&t->map, i, t->first) < distance(&t->map, best, t->first))
            best = i;
    }
    return best;
}

/* The next cell, after a pause if there is one; -1: none is left, or the map is to end. */
static int begin_cell(ss_tuner *t)
{
    pthread_mutex_lock(&t->lock);
    bool on = wait_while_paused(t) && !t->failure.text[0];
    t->now = on ? next_cell(t) : -1;
    t->way = 0;
    if (t->now < 0) {
        stop_clock(t);
        t->over = true;
        pthread_cond_signal(&t->due);
    }
    int cell = t->now;
    unlock_and_wake(t);
    return cell;
}

static void put_result(ss_tuner *t, int cell, const ss_map_cell *c, int status, const ss_err *err)
{
    ss_err failure = *err;
    pthread_mutex_lock(&t->lock);
    t->map.cell[cell] = *c;
    if (status == SS_OK && c->status != SS_CELL_NONE) {
        ss_tune_complete(&t->map, cell);
        t->measured += isfinite(c->seconds) ? c->seconds : 0;
        status = ss_tune_file_add(&t->file, &t->map, cell, &failure);
    }
    if (status != SS_OK)
        t->failure = failure;
    t->now = -1;
    t->way = 0;
    t->held = t->by_cell;
    if (t->held)
        pthread_cond_signal(&t->due);
    unlock_and_wake(t);
}

static void lower_priority(const ss_tuner *t)
{
#ifdef __linux__
    if (t->during_run)
        setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), NICE); /* of this thread alone */
#else
    (void)t;
#endif
}

static bool cell_config(void *ctx, int i, ss_config *out)
{
    const ss_tuner *t = ctx;
    ss_tune_config(&t->map, i, out);
    return ss_config_check(out, NULL, NULL) == SS_OK;
}

static bool goes_on(void *ctx, double done)
{
    (void)done;
    return !atomic_load(&((ss_tuner *)ctx)->stop);
}

static void *tuner_main(void *arg)
{
    ss_tuner *t = arg;
    ss_run *run = NULL;
    /* During a run other threads share the core: only this thread's CPU time counts for a cell. */
    ss_tune_watch watch = {go_on, t, t->during_run ? ss_cpu_thread : NULL};
    lower_priority(t);
    ss_run_abandon_by(&t->stop);
    ss_ahead_compile(
        &(ss_ahead){ss_config_backend(&t->map.base), t->map.n, cell_config, goes_on, t});
    for (int at = begin_cell(t); at >= 0; at = begin_cell(t)) {
        ss_err err = {0};
        ss_map_cell cell;
        int status = ss_tune_measure(&t->map, at, &run, &watch, &cell, &err);
        put_result(t, at, &cell, status, &err);
    }
    ss_run_close(run);
    return NULL;
}

/* --- life ------------------------------------------------------------------------------------- */

static ss_tuner *new_tuner(const ss_tuner_setup *s, ss_err *err)
{
    ss_tuner *t = ss_alloc(sizeof *t, "the map", err);
    if (!t)
        return NULL;
    t->wake = s->wake;
    t->ctx = s->ctx;
    t->now = t->first = -1;
    t->by_cell = t->held = s->by_cell;
    t->seq = 1; /* not seen yet */
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->changed, NULL);
    pthread_cond_init(&t->due, NULL);
    return t;
}

static void free_tuner(ss_tuner *t)
{
    pthread_cond_destroy(&t->changed);
    pthread_cond_destroy(&t->due);
    pthread_mutex_destroy(&t->lock);
    free(t->view.cell);
    free(t->map.cell);
    free(t);
}

static void describe(ss_tuner *t)
{
    size_t n = strlen(t->view.place);
    if (t->during_run)
        snprintf(t->view.place + n, sizeof t->view.place - n,
                 " beside the run: CPU time of its thread");
    t->view.alone = !t->during_run;
}

static int start(ss_tuner *t, ss_err *err)
{
    if (ss_tune_view_make(&t->map, &t->view, err) != SS_OK)
        return SS_FAIL;
    describe(t);
    int status = pthread_create(&t->thread, NULL, tuner_main, t);
    if (status != 0)
        return ss_fail(err, "cannot start a thread: %s", strerror(status));
    t->started = true;
    return SS_OK;
}

ss_tuner *ss_tuner_asked(const ss_tuner_setup *s, int *status, ss_err *err)
{
    ss_tuner *t = new_tuner(s, err);
    *status = SS_EXIT_FAILED;
    if (!t)
        return NULL;
    t->axes = *ss_tune_asked_axes();
    *status = ss_tune_prepare(s->cfg, &t->axes, &t->map, err);
    if (*status == SS_EXIT_OK)
        *status =
            ss_tune_file_open(&t->file, ss_config_text(ss_options(), "csv"), &t->map, err) == SS_OK
                ? SS_EXIT_OK
                : SS_EXIT_FAILED;
    if (*status == SS_EXIT_OK && start(t, err) != SS_OK) {
        ss_tune_file_close(&t->file, NULL);
        *status = SS_EXIT_FAILED;
    }
    if (*status == SS_EXIT_OK)
        return t;
    free_tuner(t);
    return NULL;
}

/* --- around a run ----------------------------------------------------------------------------- */

static void set_value(ss_config *cfg, const char *name, ss_value v)
{
    v.set = true;
    cfg->v[ss_param_find(cfg, name, NULL)->slot] = v;
}

/* Cells end at the tolerance, or at the simulated time that the run has reached. */
static void set_end(ss_config *cfg, double time)
{
    const ss_equation *eq = ss_config_equation(cfg);
    if (eq->kind != SS_TRANSIENT || ss_config_given(cfg, "until-time"))
        return;
    set_value(cfg, "until-time", (ss_value){.d = time > 0 ? time : eq->pace > 0 ? eq->pace : 1});
}

static void unset_axes(const ss_tune_axes *axes, ss_config *cfg)
{
    for (int i = 0; i < axes->n; i++)
        cfg->v[axes->at[i].row->slot] = (ss_value){.set = false};
}

static int find_cell(const ss_tuner *t, const ss_config *cfg)
{
    char text[SS_AXES_MAX][SS_MAP_WORD];
    const char *of[SS_AXES_MAX] = {NULL};
    for (int i = 0; i < t->axes.n; i++)
        of[i] = ss_param_format(t->axes.at[i].row, ss_config_value(cfg, t->axes.at[i].row), text[i],
                                sizeof text[i]);
    return t->axes.n > 1 ? ss_map_find(&t->view, of[0], of[1]) : ss_map_find(&t->view, NULL, of[0]);
}

static int open_around(ss_tuner *t, const ss_tuner_setup *s, ss_err *err)
{
    ss_tune_map *m = &t->map;
    t->during_run = true;
    m->base = *s->cfg;
    m->load = s->load;
    m->rhs = s->rhs;
    m->axes = &t->axes;
    m->quantity = &ss_tune_quantities[ss_config_int(ss_options(), "quantity")];
    if (m->quantity->residual && ss_config_equation(&m->base)->kind != SS_STEADY)
        m->quantity = ss_tune_quantities;
    if (ss_open_beside(&m->base, "no map beside this run", err) != SS_OK ||
        ss_tune_axes_around(s->cfg, &t->axes, err) != SS_OK)
        return SS_FAIL;
    set_end(&m->base, s->time);
    unset_axes(&t->axes, &m->base);
    if (ss_tune_check_ends(m, err) != SS_OK || ss_tune_make(m, err) != SS_OK ||
        ss_tune_view_make(m, &t->view, err) != SS_OK)
        return SS_FAIL;
    t->first = find_cell(t, s->cfg);
    free(t->view.cell);
    return start(t, err);
}

ss_tuner *ss_tuner_around(const ss_tuner_setup *s, ss_err *err)
{
    ss_tuner *t = new_tuner(s, err);
    if (!t || open_around(t, s, err) == SS_OK)
        return t;
    free_tuner(t);
    return NULL;
}

bool ss_tuner_concerns(const ss_tuner *t, const ss_config *cfg)
{
    static ss_tune_map asked; /* large, main thread only */
    static const char *const ignored[] = {"backend", "threads", "until-time"};
    asked = t->map;
    asked.base = *cfg;
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) {
        int slot = ss_param_find(cfg, ignored[i], NULL)->slot;
        asked.base.v[slot] = t->map.base.v[slot];
    }
    if (ss_config_equation(cfg) != ss_config_equation(&t->map.base) ||
        ss_config_solver(cfg) != ss_config_solver(&t->map.base))
        return false;
    unset_axes(&t->axes, &asked.base);
    ss_tune_make_settings(&asked);
    return strcmp(asked.settings, t->map.settings) == 0;
}

bool ss_tuner_covers(const ss_tuner *t, const ss_config *cfg)
{
    return ss_tuner_concerns(t, cfg) && find_cell(t, cfg) >= 0;
}

/* --- the main thread's side ------------------------------------------------------------------- */

void ss_tuner_pause(ss_tuner *t, bool pause)
{
    pthread_mutex_lock(&t->lock);
    t->paused = pause;
    signal_change(t);
    pthread_mutex_unlock(&t->lock);
}

/* Estimates unmeasured cells from their neighbours, scaled by the wall-clock time per second that
 * cells have reported so far. */
static double time_left(ss_tuner *t)
{
    double gone = t->worked + (t->since > 0 ? ss_clock() - t->since : 0), open = 0;
    ss_map_view *v = &t->view;
    ss_map_guess(v);
    for (int i = 0; i < v->n; i++)
        open += v->cell[i].status == SS_CELL_NONE ? v->cell[i].guess : 0;
    double now = t->now >= 0 ? t->way * v->cell[t->now].guess : 0, done = t->measured + now;
    return done > 0 && gone > 1 ? gone * (open - now) / done : (double)NAN;
}

static void copy_cells(const ss_tune_map *m, ss_map_view *v)
{
    v->done = m->n - ss_tune_open_cells(m);
    for (int i = 0; i < m->n; i++)
        if (m->cell[i].status != v->cell[i].status) {
            v->cell[i] = m->cell[i];
            if (v->cell[i].papers)
                ss_tune_papers(m, i, v->papers, sizeof v->papers);
        }
}

ss_map_view *ss_tuner_view(ss_tuner *t, bool *fresh)
{
    ss_map_view *v = &t->view;
    pthread_mutex_lock(&t->lock);
    *fresh = t->seq != t->seen;
    t->seen = t->seq;
    if (*fresh) {
        copy_cells(&t->map, v);
        v->now = t->now;
        v->way = t->way;
        v->left = t->by_cell ? (double)NAN : time_left(t); /* recordings show no clock */
        v->paused = t->paused;
        snprintf(v->error, sizeof v->error, "%s", t->failure.text);
    }
    pthread_mutex_unlock(&t->lock);
    return v;
}

/* Waits for the last cell, with by_cell for the next one, but at most `seconds`. */
static void wait_for_cell(ss_tuner *t, double seconds)
{
    struct timespec until = ss_deadline_in(CLOCK_REALTIME, seconds);
    pthread_mutex_lock(&t->lock);
    t->held = false;
    pthread_cond_broadcast(&t->changed);
    while (!t->held && !t->over && pthread_cond_timedwait(&t->due, &t->lock, &until) == 0)
        ;
    pthread_mutex_unlock(&t->lock);
}

/* --- its end ---------------------------------------------------------------------------------- */

static int outcome(ss_tuner *t, bool interrupted, ss_err *err)
{
    const char *json = ss_config_text(ss_options(), "json");
    int open = ss_tune_open_cells(&t->map);
    if (t->failure.text[0]) {
        *err = t->failure;
        return SS_EXIT_FAILED;
    }
    if (open == 0)
        return json && ss_tune_json(&t->map, json, err) != SS_OK ? SS_EXIT_FAILED : SS_EXIT_OK;
    ss_fail(err, "%s: %d of %d cells are done%s", interrupted ? "interrupted" : "left",
            t->map.n - open, t->map.n, t->file.path ? ", and the same command resumes it" : "");
    return interrupted ? SS_EXIT_INTERRUPTED : SS_EXIT_OK;
}

static void end_thread(ss_tuner *t)
{
    atomic_store(&t->stop, true);
    pthread_mutex_lock(&t->lock);
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->lock);
    if (t->started)
        pthread_join(t->thread, NULL);
}

static int close_and_free(ss_tuner *t, int status, ss_err *err)
{
    if (ss_tune_file_close(&t->file, status == SS_EXIT_OK ? err : NULL) != SS_OK)
        status = SS_EXIT_FAILED;
    free_tuner(t);
    return status;
}

int ss_tuner_stop(ss_tuner *t, bool interrupted, FILE *table, ss_err *err)
{
    if (!t)
        return SS_EXIT_OK;
    end_thread(t);
    int status = t->during_run ? SS_EXIT_OK : outcome(t, interrupted, err);
    if (table && !t->during_run && ss_tune_open_cells(&t->map) < t->map.n)
        ss_tune_print(&t->map, table);
    return close_and_free(t, status, err);
}

/* Fails if no cell has a value. */
static int check_any(const ss_tune_map *m, ss_err *err)
{
    bool refused = true;
    for (int i = 0; i < m->n; i++) {
        if (isfinite(ss_tune_value(m, i)) || m->cell[i].status == SS_CELL_OK)
            return SS_EXIT_OK;
        refused = refused && m->cell[i].status == SS_CELL_REFUSED;
    }
    if (refused)
        ss_fail(err, "every cell was refused; the first one: %.240s", m->cell[0].why);
    else
        ss_fail(err, "no cell reached the tolerance");
    return SS_EXIT_FAILED;
}

/* As ss_tuner_stop for the subcommand: prints a full map only, which fails if no cell has a value.
 * failed: it fails in any case, and err has the message. */
static int finish(ss_tuner *t, bool failed, FILE *table, ss_err *err)
{
    end_thread(t);
    int status = failed ? SS_EXIT_FAILED : outcome(t, true, err);
    if (status == SS_EXIT_OK && table)
        ss_tune_print(&t->map, table);
    if (status == SS_EXIT_OK)
        status = check_any(&t->map, err);
    return close_and_free(t, status, err);
}

/* --- the subcommand --------------------------------------------------------------------------- */

int ss_tune_first(const ss_config *cfg, ss_config *out, ss_err *err)
{
    ss_tune_map m;
    ss_err why = {0};
    int status = ss_tune_prepare(cfg, ss_tune_asked_axes(), &m, err);
    bool found = false;
    for (int i = 0; status == SS_EXIT_OK && i < m.n && !found; i++) {
        ss_tune_config(&m, i, out);
        found = ss_config_check(out, NULL, i ? NULL : &why) == SS_OK;
    }
    free(m.cell);
    if (status == SS_EXIT_OK && !found)
        status = (ss_fail(err, "every cell was refused; the first one: %.240s", why.text),
                  SS_EXIT_FAILED);
    return status;
}

static atomic_bool interrupted;

static void on_signal(int number)
{
    (void)number;
    atomic_store(&interrupted, true);
}

/* The progress bar on stderr; before: cells that were done at the start. */
static void show(const ss_map_view *v, int before)
{
    char left[40], words[60] = "";
    int done = v->done - before, all = v->n - before;
    double part = (done + v->way) / (all > 0 ? all : 1);
    if (isfinite(v->left))
        snprintf(words, sizeof words, ", %s left", ss_duration_text(v->left, left, sizeof left));
    ss_bar_show(part, "%3d %%  %d of %d cells%s", (int)(100 * part), done, all, words);
}

/* Until the map is full, something fails, or a signal comes. */
static int wait_for_all(ss_tuner *t, ss_tune_each *each, void *ctx, ss_err *err)
{
    bool fresh;
    const ss_map_view *v = ss_tuner_view(t, &fresh);
    int status = SS_OK, before = v->done, seen = -1;
    for (; !atomic_load(&interrupted); v = ss_tuner_view(t, &fresh)) {
        if (each && v->done != seen)
            status = each(v, ctx, err);
        seen = v->done;
        if (status != SS_OK || *v->error || v->done == v->n)
            break;
        show(v, before);
        wait_for_cell(t, SHOW);
    }
    ss_bar_clear();
    return status;
}

int ss_tune_run_shown(const ss_config *cfg, ss_tune_each *each, void *ctx, ss_err *err)
{
    int status;
    ss_quit_signals before;
    const char *json = ss_config_text(ss_options(), "json");
    ss_tuner_setup setup = {.cfg = cfg, .by_cell = each != NULL};
    atomic_store(&interrupted, false);
    ss_quit_signals_catch(&before, on_signal);
    ss_tuner *t = ss_tuner_asked(&setup, &status, err);
    if (!t) {
        ss_quit_signals_release(&before);
        return status;
    }
    if (*t->map.notice && !json)
        fprintf(stderr, "stencilscope: %s\n", t->map.notice);
    bool failed = wait_for_all(t, each, ctx, err) != SS_OK;
    ss_quit_signals_release(&before);
    FILE *table = json && strcmp(json, "-") == 0 ? NULL : stdout;
    return finish(t, failed, table, err);
}

int ss_tune_run(const ss_config *cfg, ss_err *err)
{
    return ss_tune_run_shown(cfg, NULL, NULL, err);
}
