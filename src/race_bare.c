/*
 * A race without a screen: each run alone on the device in turn slices, its time counted by its own
 * clock; then a table, or JSON. See race.h. Main thread.
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/bench_kit.h"
#include "src/options.h"
#include "src/race.h"
#include "src/registry.h"

#define SLICE 50e-3 /* seconds of work a turn: as long as a run has that is alone */

enum { DONE = 0, FAILED = 1 };

typedef struct racer {
    ss_run *run;
    double cycle_seconds;
    char label[80], device[80];
    int place[SS_NMEASURE];
    bool finished;
    ss_point end;
} racer;

typedef struct field {
    racer at[SS_RACE_MAX];
    int n;
} field;

/* --- running ---------------------------------------------------------------------------------- */

static int open_all(field *f, const ss_lineup *race, ss_err *err)
{
    const char *load = ss_config_text(ss_options(), "load");
    const char *rhs = ss_config_text(ss_options(), "rhs");
    for (; f->n < race->n; f->n++) {
        racer *r = &f->at[f->n];
        r->run = ss_run_open(&race->cfg[f->n], load, rhs, err);
        if (!r->run)
            return SS_FAIL;
        r->run->stop_at_tol = true;
        ss_race_label(&race->cfg[f->n], r->label, sizeof r->label);
        r->run->backend->describe(&r->run->cfg, r->device, sizeof r->device);
    }
    return SS_OK;
}

/* A slice of one run. The first one is a cycle, which tells how many there are in the next. */
static int advance(racer *r, ss_err *err)
{
    int64_t before = r->run->cycle;
    double spent = r->run->seconds_solve;
    int64_t cycles = r->cycle_seconds > 0 ? (int64_t)(SLICE / r->cycle_seconds) : 1;
    if (ss_run_step(r->run, cycles < 1 ? 1 : cycles, err) != SS_OK)
        return SS_FAIL;
    int64_t done = r->run->cycle - before;
    if (done > 0)
        r->cycle_seconds = (r->run->seconds_solve - spent) / (double)done;
    return SS_OK;
}

static int turns(field *f, ss_err *err)
{
    for (;;) {
        ss_stand s[SS_RACE_MAX];
        for (int i = 0; i < f->n; i++)
            s[i] = (ss_stand){.at = f->at[i].run->seconds_solve,
                              .going = f->at[i].run->status == SS_RUNNING};
        int turn = ss_race_turn(s, f->n);
        if (turn < 0)
            return SS_OK;
        if (advance(&f->at[turn], err) != SS_OK)
            return SS_FAIL;
    }
}

/* So many seconds are no distance. */
static ss_status status_of(const ss_run *run)
{
    bool far = run->max_cycles >= 0 || run->max_time > 0;
    return run->status == SS_LIMIT && !far ? SS_RUNNING : run->status;
}

static void rank(field *f)
{
    ss_status status[SS_RACE_MAX];
    bool finished[SS_RACE_MAX];
    for (int i = 0; i < f->n; i++)
        status[i] = status_of(f->at[i].run);
    ss_race_finished(status, f->n, finished);
    for (int i = 0; i < f->n; i++) {
        const ss_run *run = f->at[i].run;
        f->at[i].finished = finished[i];
        f->at[i].end = (ss_point){.cycle = run->cycle,
                                  .iteration = run->iteration,
                                  .seconds = run->seconds_solve,
                                  .bytes = run->total.global_bytes};
    }
    for (int by = 0; by < SS_NMEASURE; by++) {
        double value[SS_RACE_MAX];
        int place[SS_RACE_MAX];
        for (int i = 0; i < f->n; i++)
            value[i] = ss_measure_of((ss_measure)by, &f->at[i].end);
        ss_race_places(value, finished, f->n, place);
        for (int i = 0; i < f->n; i++)
            f->at[i].place[by] = place[i];
    }
}

/* Over the first run; 0: one of the two has not finished. */
static double speedup(const field *f, const racer *r)
{
    bool both = f->at[0].finished && r->finished && r->end.seconds > 0;
    return both ? f->at[0].end.seconds / r->end.seconds : 0;
}

/* --- what came out ---------------------------------------------------------------------------- */

static void print_head(const field *f, int width, FILE *out)
{
    const ss_run *run = f->at[0].run;
    const ss_problem *p = &run->problem;
    char grid[48];
    snprintf(grid, sizeof grid, p->nz > 1 ? "%d\xc3\x97%d\xc3\x97%d" : "%d\xc3\x97%d", p->nx, p->ny,
             p->nz);
    if (run->eq->dim == 1)
        snprintf(grid, sizeof grid, "%d points", p->nx);
    fprintf(out, "%s, %s, on %s", run->eq->name, grid, f->at[0].device);
    if (run->eq->kind == SS_TRANSIENT && run->max_time > 0)
        fprintf(out, ", to t = %g", run->max_time);
    if (run->eq->kind == SS_STEADY && run->tol > 0)
        fprintf(out, ", to %g of the first residual", run->tol);
    fprintf(out, "\n\n  %-*s %44s   places by\n  %-*s %10s %11s %10s %10s %9s", width, "", "",
            width, "run", "cycles", "iterations", "seconds", "bytes", "speed-up");
    for (int by = 0; by < SS_NMEASURE; by++)
        fprintf(out, "  %s", ss_measure_names[by]);
    fprintf(out, "\n");
}

static void print_racer(const field *f, const racer *r, int width, FILE *out)
{
    char bytes[32], ratio[32] = "-";
    double s = speedup(f, r);
    if (s > 0)
        snprintf(ratio, sizeof ratio, "%.2f", s);
    fprintf(out, "  %-*s %10lld %11lld %10.4g %10s %9s", width, r->label, (long long)r->end.cycle,
            (long long)r->end.iteration, r->end.seconds,
            ss_format_bytes(r->end.bytes, bytes, sizeof bytes), ratio);
    for (int by = 0; by < SS_NMEASURE; by++) {
        int column = (int)strlen(ss_measure_names[by]);
        if (r->finished)
            fprintf(out, "  %*d", column, r->place[by]);
        else
            fprintf(out, "  %*s", column, "-");
    }
    fprintf(out, "%s%s\n", r->finished ? "" : "  ",
            r->finished ? "" : ss_status_name(r->run->status));
}

static void print_table(const field *f, FILE *out)
{
    int width = 3;
    for (int i = 0; i < f->n; i++) {
        int n = (int)strlen(f->at[i].label);
        width = n > width ? n : width;
    }
    print_head(f, width, out);
    for (int i = 0; i < f->n; i++)
        print_racer(f, &f->at[i], width, out);
    for (int i = 0; i < f->n; i++)
        if (f->at[i].run->status == SS_DIVERGED)
            fprintf(out, "\n%s: %s\n", f->at[i].label, f->at[i].run->message);
}

static json_t *places_json(const racer *r)
{
    json_t *o = json_object();
    for (int by = 0; by < SS_NMEASURE; by++)
        json_object_set_new(o, ss_measure_names[by],
                            r->finished ? json_integer(r->place[by]) : json_null());
    return o;
}

static json_t *racer_json(const field *f, const racer *r)
{
    const ss_run *run = r->run;
    double s = speedup(f, r);
    bool known = run->residual_cycle >= 0 && run->residual0 > 0;
    json_t *o = json_object();
    json_object_set_new(o, "run", json_string(r->label));
    json_object_set_new(o, "solver", json_string(run->solver->name));
    json_object_set_new(o, "backend", json_string(run->backend->name));
    json_object_set_new(o, "device", json_string(r->device));
    json_object_set_new(o, "status", json_string(ss_status_name(run->status)));
    json_object_set_new(o, "cycles", json_integer(r->end.cycle));
    json_object_set_new(o, "iterations", json_integer(r->end.iteration));
    json_object_set_new(o, "seconds", json_real(r->end.seconds));
    json_object_set_new(o, "bytes", json_integer((json_int_t)r->end.bytes));
    json_object_set_new(o, "reduction",
                        known && isfinite(run->residual) ? json_real(run->residual / run->residual0)
                                                         : json_null());
    json_object_set_new(o, "speedup", s > 0 ? json_real(s) : json_null());
    json_object_set_new(o, "places", places_json(r));
    return o;
}

static json_t *race_json(const field *f)
{
    const ss_run *run = f->at[0].run;
    json_t *o = json_object(), *runs = json_array();
    json_object_set_new(o, "equation", json_string(run->eq->name));
    json_object_set_new(o, "n",
                        json_pack("[i,i,i]", run->problem.nx, run->problem.ny, run->problem.nz));
    for (int i = 0; i < f->n; i++)
        json_array_append_new(runs, racer_json(f, &f->at[i]));
    json_object_set_new(o, "runs", runs);
    return o;
}

/* A run that diverged, or missed a tolerance that was asked for, has failed. */
static int exit_status(const field *f)
{
    int status = DONE;
    for (int i = 0; i < f->n; i++) {
        const ss_run *run = f->at[i].run;
        bool asked =
            run->eq->kind == SS_STEADY && run->tol > 0 && ss_config_given(&run->cfg, "until");
        if (run->status == SS_DIVERGED || (asked && !run->reached))
            status = FAILED;
    }
    return status;
}

int ss_race_bare(const ss_lineup *race, bool quiet, ss_err *err)
{
    const char *path = ss_config_text(ss_options(), "json");
    field f = {.n = 0};
    int status = open_all(&f, race, err);
    if (status == SS_OK)
        status = turns(&f, err);
    if (status == SS_OK) {
        rank(&f);
        if (!quiet)
            print_table(&f, stdout);
        if (path)
            status = ss_bench_write_json(race_json(&f), path, err);
    }
    int code = status == SS_OK ? exit_status(&f) : FAILED;
    for (int i = 0; i < f.n; i++)
        ss_run_close(f.at[i].run);
    return code;
}
