/* `stencilscope map`: see map.h. Cells are run one after the other, each from the initial field to
 * its tolerance or limit; no figure is ever guessed from a shorter run. */
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/map_film.h"
#include "src/map_kit.h"
#include "src/options.h"
#include "src/registry.h"
#include "src/report.h"

enum { DONE = 0, FAILED = 1, USAGE = 2, INTERRUPTED = 130 };

#define LOOK 0.1 /* seconds between two looks at the clock and at signals */

/* --- signals ---------------------------------------------------------------------------------- */

static atomic_bool stop;

static void on_signal(int number)
{
    (void)number;
    atomic_store(&stop, true);
}

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
#define NSIGNAL (sizeof signals / sizeof *signals)

static void watch_signals(struct sigaction *before)
{
    struct sigaction act = {.sa_handler = on_signal};
    sigemptyset(&act.sa_mask);
    atomic_store(&stop, false);
    for (size_t i = 0; i < NSIGNAL; i++) {
        sigaction(signals[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN) /* as under nohup */
            sigaction(signals[i], &act, NULL);
    }
}

static void leave_signals(const struct sigaction *before)
{
    for (size_t i = 0; i < NSIGNAL; i++)
        sigaction(signals[i], &before[i], NULL);
}

/* --- progress --------------------------------------------------------------------------------- */

typedef struct progress {
    bool shown; /* stderr is a terminal */
    double started;
    int done, all; /* cells measured by now, and to be measured */
} progress;

/* "1 h 20 min", "3 min 5 s" */
static const char *time_text(double seconds, char *buf, size_t size)
{
    long s = lround(seconds);
    if (s >= 3600)
        snprintf(buf, size, "%ld h %ld min", s / 3600, s / 60 % 60);
    else if (s >= 60)
        snprintf(buf, size, "%ld min %ld s", s / 60, s % 60);
    else
        snprintf(buf, size, "%ld s", s);
    return buf;
}

/* How much of the way a run has gone, by its limits; residuals fall by about the same factor. */
static double way_of(const ss_run *run)
{
    double way = 0;
    if (run->tol > 0 && run->residual0 > 0 && run->residual > 0 && run->residual < run->residual0)
        way = log(run->residual / run->residual0) / log(run->tol);
    if (run->max_cycles > 0)
        way = fmax(way, (double)run->cycle / (double)run->max_cycles);
    if (run->max_seconds > 0)
        way = fmax(way, run->seconds_solve / run->max_seconds);
    return way < 1 ? way : 1;
}

static void show(const progress *p, double way)
{
    static const char full[] = "########################################";
    char left[40];
    if (!p->shown)
        return;
    int width = (int)sizeof full - 1;
    double part = (p->done + way) / p->all, gone = ss_clock() - p->started;
    fprintf(stderr, "\r[%-*.*s] %3d %%  %d of %d cells", width, (int)(width * part), full,
            (int)(100 * part), p->done, p->all);
    if (part > 0.01 && gone > 1)
        fprintf(stderr, ", %s left", time_text(gone * (1 - part) / part, left, sizeof left));
    fprintf(stderr, "\033[K");
    fflush(stderr);
}

static void show_end(const progress *p)
{
    if (p->shown)
        fprintf(stderr, "\r\033[K");
}

/* --- a cell ----------------------------------------------------------------------------------- */

/* Opens the run, or makes the one before the cell's; from the initial field. */
static int take(const ss_map *m, const ss_config *cfg, ss_run **run, ss_err *err)
{
    if (!*run) {
        *run = ss_run_open(cfg, m->load, m->rhs, err);
    } else if (ss_run_configure(*run, cfg, err) != SS_OK || ss_run_reset(*run, err) != SS_OK) {
        ss_run_close(*run); /* the next cell has a new one */
        *run = NULL;
    }
    if (*run)
        (*run)->stop_at_tol = true;
    return *run ? SS_OK : SS_FAIL;
}

/* To its end, in steps short enough to be watched. */
static int solve(ss_run *run, const progress *p, ss_err *err)
{
    int64_t cycles = 1;
    while (run->status == SS_RUNNING && !atomic_load(&stop)) {
        double before = ss_clock();
        if (ss_run_step(run, cycles, err) != SS_OK)
            return SS_FAIL;
        double took = ss_clock() - before;
        if (took < LOOK / 2)
            cycles *= 2;
        else if (took > 2 * LOOK && cycles > 1)
            cycles /= 2;
        if (took > LOOK / 2)
            show(p, way_of(run));
    }
    return SS_OK;
}

/* Without a tolerance the limit is what was asked for. */
static ss_cell_status status_of(const ss_run *run)
{
    bool missed = run->eq->kind == SS_STEADY && (run->tol > 0 || run->until_accuracy > 0);
    if (run->status == SS_DIVERGED)
        return SS_CELL_DIVERGED;
    return run->status == SS_CONVERGED || !missed ? SS_CELL_OK : SS_CELL_LIMIT;
}

static int collect(const ss_map *m, ss_run *run, ss_cell *c, ss_err *err)
{
    ss_result r;
    bool error = m->quantity->error && run->status != SS_DIVERGED;
    if (ss_result_make(run, error, false, 0, &r, err) != SS_OK)
        return SS_FAIL;
    c->status = status_of(run);
    c->cycles = run->cycle;
    c->blocks = ss_result_blocks(run);
    c->seconds = m->deterministic ? (double)NAN : run->seconds_solve;
    c->bytes = run->total.global_bytes;
    c->error = r.error_max;
    c->when = m->deterministic ? 0 : time(NULL);
    if (c->status == SS_CELL_DIVERGED) /* what a front end's keys would do is of no use here */
        snprintf(c->why, sizeof c->why, "%.*s", (int)strcspn(run->message, "."), run->message);
    return SS_OK;
}

static void refuse(const ss_map *m, ss_cell *c, const ss_err *why)
{
    c->status = SS_CELL_REFUSED;
    c->when = m->deterministic ? 0 : time(NULL);
    snprintf(c->why, sizeof c->why, "%s", why->text);
}

/* Leaves the cell unmeasured if it was interrupted. */
static int measure(ss_map *m, int cell, ss_run **run, const progress *p, ss_err *err)
{
    ss_config cfg;
    ss_err why = {""};
    ss_cell *c = &m->cell[cell];
    ss_map_config(m, cell, &cfg);
    if (ss_config_check(&cfg, NULL, &why) != SS_OK || take(m, &cfg, run, &why) != SS_OK) {
        if (!atomic_load(&stop)) /* which makes opening fail, too */
            refuse(m, c, &why);
        return SS_OK;
    }
    int status = solve(*run, p, err);
    if (status == SS_OK && !atomic_load(&stop))
        status = collect(m, *run, c, err);
    return atomic_load(&stop) ? SS_OK : status;
}

/* What is printed; free it. NULL: no memory. */
static char *print(const ss_map *m)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    ss_map_print(m, out);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static int film(ss_map_film *f, const ss_map *m, ss_err *err)
{
    char *text = f ? print(m) : NULL;
    int status = !f     ? SS_OK
                 : text ? ss_map_film_frame(f, text, err)
                        : ss_fail(err, "out of memory");
    free(text);
    return status;
}

static int figure(const ss_map *m, ss_err *err)
{
    char *text = print(m);
    int status = text ? ss_map_figure(text, m->settings, err) : ss_fail(err, "out of memory");
    free(text);
    return status;
}

static int measure_all(ss_map *m, ss_map_file *file, ss_map_film *reel, progress *p, ss_err *err)
{
    ss_run *run = NULL;
    int status = film(reel, m, err);
    for (int i = 0; i < m->n && status == SS_OK && !atomic_load(&stop); i++) {
        if (m->cell[i].status != SS_CELL_NONE)
            continue;
        show(p, 0);
        status = measure(m, i, &run, p, err);
        if (status == SS_OK && m->cell[i].status != SS_CELL_NONE)
            status = ss_map_file_add(file, m, i, err);
        if (status == SS_OK && !atomic_load(&stop))
            status = film(reel, m, err);
        p->done++;
    }
    ss_run_close(run);
    show_end(p);
    return status;
}

/* --- what is asked for ------------------------------------------------------------------------ */

/* The same backend for all cells: the one that the first would have. */
static int choose_backend(ss_map *m, ss_err *say, ss_err *err)
{
    ss_config first;
    ss_err ignored;
    const ss_param *row = ss_param_find(&m->base, "backend", NULL);
    const ss_backend *asked = ss_config_backend(&m->base);
    if (asked)
        return asked->probe(err);
    ss_map_config(m, 0, &first);
    bool good = ss_config_check(&first, say, &ignored) == SS_OK;
    if (!good && !ss_config_backend(&first))
        return ss_fail(err, "%s", ignored.text);
    m->base.v[row->slot] = first.v[row->slot];
    return SS_OK;
}

static bool is_limit(const ss_map *m, const char *name)
{
    const ss_param *row = ss_param_find(&m->base, name, NULL);
    for (int i = 0; i < m->axes->n; i++)
        if (m->axes->at[i].row == row)
            return true;
    ss_value v = m->base.v[row->slot];
    return v.set && (row->type == SS_INT || ss_param_number(row, v) > 0);
}

/* Nobody is there to stop a run that has no end. */
static int check_ends(const ss_map *m, ss_err *err)
{
    static const char *const limits[] = {"cycles", "seconds", "until-time", "until-accuracy"};
    const ss_equation *eq = ss_config_equation(&m->base);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (is_limit(m, limits[i]))
            return SS_OK;
    if (eq->kind == SS_STEADY && ss_config_real(&m->base, "until") > 0)
        return SS_OK;
    return ss_fail(err, "%s goes on for ever: give --cycles, %s or --seconds", eq->name,
                   eq->kind == SS_STEADY ? "--until" : "--until-time");
}

static int check_axes(const ss_map *m, ss_err *err)
{
    bool applies;
    if (m->axes->n == 0)
        return ss_fail(err, "a map needs a list or a range: --k 4,8,16 --overlap 0:16:2");
    for (int i = 0; i < m->axes->n; i++) {
        const ss_param *row = m->axes->at[i].row;
        if (ss_param_find(&m->base, row->name, &applies) != row || !applies)
            return ss_fail(err, "%s does not apply to %s with the solver %s", row->name,
                           ss_config_equation(&m->base)->name, ss_config_solver(&m->base)->name);
    }
    return SS_OK;
}

/* --- the subcommand --------------------------------------------------------------------------- */

static int all_refused(const ss_map *m, ss_err *err)
{
    for (int i = 0; i < m->n; i++)
        if (m->cell[i].status != SS_CELL_REFUSED)
            return SS_OK;
    return ss_fail(err, "every cell was refused; the first one: %.240s", m->cell[0].why);
}

static int count_open(const ss_map *m)
{
    int n = 0;
    for (int i = 0; i < m->n; i++)
        n += m->cell[i].status == SS_CELL_NONE;
    return n;
}

static int fill(ss_map *m, const char *csv, ss_err *err)
{
    ss_map_file file;
    ss_map_film *reel;
    struct sigaction before[NSIGNAL];
    if (ss_map_film_open(&reel, m->settings, err) != SS_OK)
        return FAILED;
    if (ss_map_file_open(&file, csv, m, err) != SS_OK) {
        ss_map_film_close(reel, NULL);
        return FAILED;
    }
    progress p = {isatty(STDERR_FILENO) != 0, ss_clock(), 0, count_open(m)};
    watch_signals(before);
    ss_run_abandon_by(&stop);
    int status = measure_all(m, &file, reel, &p, err);
    char *text = status == SS_OK ? print(m) : NULL;
    ss_map_film_close(reel, text);
    free(text);
    ss_run_abandon_by(NULL);
    leave_signals(before);
    if (ss_map_file_close(&file, status == SS_OK ? err : NULL) != SS_OK)
        status = SS_FAIL;
    int open = count_open(m);
    if (status == SS_OK && open > 0) {
        ss_fail(err, "interrupted: %d of %d cells are done%s", m->n - open, m->n,
                csv ? ", and the same command goes on from there" : "");
        return INTERRUPTED;
    }
    return status == SS_OK ? DONE : FAILED;
}

static int publish(const ss_map *m, ss_err *err)
{
    const char *json = ss_config_text(ss_options(), "json");
    if (!json || strcmp(json, "-") != 0)
        ss_map_print(m, stdout);
    if ((json && ss_map_json(m, json, err) != SS_OK) || figure(m, err) != SS_OK)
        return FAILED;
    return all_refused(m, err) == SS_OK ? DONE : FAILED;
}

int ss_map_run(const ss_config *cfg, ss_err *err)
{
    ss_err say = {""};
    ss_map m = {
        .base = *cfg,
        .axes = ss_map_axes(),
        .quantity = &ss_map_quantities[ss_config_int(ss_options(), "quantity")],
        .load = ss_config_text(ss_options(), "load"),
        .rhs = ss_config_text(ss_options(), "rhs"),
        .deterministic = ss_config_int(ss_options(), "deterministic") != 0,
    };
    if (check_axes(&m, err) != SS_OK || check_ends(&m, err) != SS_OK)
        return USAGE;
    m.nx = 1; /* for the first cell */
    if (choose_backend(&m, &say, err) != SS_OK)
        return FAILED;
    if (say.text[0] && !ss_config_text(ss_options(), "json"))
        fprintf(stderr, "stencilscope: %s\n", say.text);
    int status =
        ss_map_make(&m, err) == SS_OK ? fill(&m, ss_config_text(ss_options(), "csv"), err) : FAILED;
    if (status == DONE)
        status = publish(&m, err);
    free(m.cell);
    return status;
}
