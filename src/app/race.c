/* The results of a race: the finished runs, places by each measure, the table, the JSON object. See
 * src/snapshot/race.h. Main thread. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/app/parts.h"
#include "src/base/common.h"
#include "src/base/json_out.h"
#include "src/core/registry.h"
#include "src/core/run.h"
#include "src/run/checkpoint.h"
#include "src/run/reference.h"
#include "src/snapshot/race.h"

/* --- results ---------------------------------------------------------------------------------- */

typedef struct racer {
    const ss_run *run;
    char label[120], device[80];
    int place[SS_NRANKED]; /* 0: none */
    bool finished;
    bool compared, equal;    /* with the bits of the first run, at the same step */
    ss_point end;            /* seconds NaN: not measured */
    double error[SS_NERROR]; /* relative to u*; NaN: not known */
} racer;

typedef struct standings {
    racer at[SS_RACE_MAX];
    int n;
    bool interrupted;
} standings;

/* --- places ----------------------------------------------------------------------------------- */

/* A run that was ended by --seconds counts as unfinished. */
static ss_status status_of(const ss_run *run)
{
    bool has_limit = run->max_cycles >= 0 || run->max_time > 0;
    return run->status == SS_LIMIT && !has_limit ? SS_RUNNING : run->status;
}

static ss_point end_of(const ss_run *run, bool clock)
{
    return (ss_point){.cycle = run->cycle,
                      .iteration = run->iteration,
                      .seconds = !clock && !run->ranks ? (double)NAN
                                 : run->iteration > 0  ? run->seconds_solve
                                                       : 0,
                      .bytes = run->total.global_bytes,
                      .work = ss_run_work(run, &run->total),
                      .reductions = run->total.reductions,
                      .time = run->time};
}

static void rank_by(standings *f, ss_measure by, const bool *finished)
{
    double value[SS_RACE_MAX];
    bool in[SS_RACE_MAX];
    int place[SS_RACE_MAX];
    for (int i = 0; i < f->n; i++) {
        value[i] = ss_measure_of(by, &f->at[i].end);
        in[i] = finished[i] && isfinite(value[i]);
    }
    ss_race_places(value, in, f->n, place);
    for (int i = 0; i < f->n; i++)
        f->at[i].place[by] = place[i];
}

/* Do transient runs stand at one simulated time? Steady ones are compared at their goal. */
static bool is_level(ss_run *const *run, int n)
{
    double time[SS_RACE_MAX];
    for (int i = 0; i < n; i++)
        time[i] = run[i]->time;
    return run[0]->eq->kind == SS_STEADY || ss_race_level(time, n);
}

/* Has the run the same bits as the first one at the same step? False and *known false if they do
 * not stand at one step, or are of different precision. */
static bool has_equal_bits(ss_run *first, ss_run *run, bool *known)
{
    bool same_step = first->eq->kind == SS_TRANSIENT ? first->step == run->step
                                                     : first->iteration == run->iteration;
    *known = false;
    if (!same_step || first->prec != run->prec || first->cycle == 0)
        return false;
    char *a = ss_field_download(first), *b = ss_field_download(run);
    *known = a && b;
    bool equal = *known && memcmp(a, b, ss_field_bytes(first)) == 0;
    free(a);
    free(b);
    return equal;
}

/* With --error, or where u* is cheap; runs of one right-hand side compute it once. */
static void fill_errors(standings *f, ss_run *const *run)
{
    bool wanted = ss_config_int(ss_options(), "error") != 0;
    for (int i = 0; i < f->n; i++) {
        for (int k = 0; k < i; k++)
            ss_reference_take(run[i], run[k]);
        ss_result_errors(run[i], wanted, f->at[i].error);
    }
}

static void fill(standings *f, ss_run *const *run, int n, bool clock)
{
    ss_status status[SS_RACE_MAX];
    bool finished[SS_RACE_MAX];
    const ss_config *cfg[SS_RACE_MAX];
    f->n = n;
    for (int i = 0; i < n; i++) {
        cfg[i] = &run[i]->cfg;
        status[i] = status_of(run[i]);
    }
    ss_race_finished(status, n, finished);
    bool level = is_level(run, n);
    for (int i = 0; i < n; i++)
        finished[i] = finished[i] && level;
    for (int i = 0; i < n; i++) {
        racer *r = &f->at[i];
        *r = (racer){.run = run[i], .finished = finished[i], .end = end_of(run[i], clock)};
        ss_race_label_among(cfg, n, i, r->label, sizeof r->label);
        r->equal = has_equal_bits(run[0], run[i], &r->compared);
        run[i]->backend->describe(&run[i]->cfg, r->device, sizeof r->device);
    }
    for (int by = 0; by < SS_NRANKED; by++)
        rank_by(f, (ss_measure)by, finished);
    fill_errors(f, run);
}

/* Speed-up over the first run; NaN: one of the two has not finished, or nothing was timed. */
static double speedup(const standings *f, const racer *r)
{
    bool both = f->at[0].finished && r->finished && r->end.seconds > 0;
    return both ? f->at[0].end.seconds / r->end.seconds : (double)NAN;
}

/* --- output ----------------------------------------------------------------------------------- */

/* The goal of the runs, as given. */
static void print_goals(const ss_run *run, FILE *out)
{
    bool steady = run->eq->kind == SS_STEADY;
    if (!steady && run->max_time > 0)
        fprintf(out, ", to t = %g", run->max_time);
    if (steady && run->tol > 0)
        fprintf(out, ", to %g of the first residual", run->tol);
    if (run->until_accuracy > 0)
        fprintf(out, ", to an accuracy of %g", run->until_accuracy);
    if (run->until_error > 0)
        fprintf(out, ", to an error of %g", run->until_error);
    if (run->max_cycles >= 0)
        fprintf(out, ", at most %lld cycles", (long long)run->max_cycles);
    if (run->max_seconds > 0)
        fprintf(out, ", at most %g s each", run->max_seconds);
}

/* Every device once; the labels distinguish the runs on it. */
static void print_devices(const standings *f, FILE *out)
{
    for (int i = 0; i < f->n; i++) {
        bool printed = false;
        for (int j = 0; j < i; j++)
            printed = printed || strcmp(f->at[j].device, f->at[i].device) == 0;
        if (!printed)
            fprintf(out, "%s%s", i ? " and " : ", on ", f->at[i].device);
    }
}

/* Time steps have no reductions, and each is one sweep per stage. */
static bool is_printed(ss_measure by, bool transient)
{
    return !transient || (by != SS_BY_SWEEPS && by != SS_BY_REDUCTIONS);
}

static void print_head(const standings *f, int width, FILE *out)
{
    const ss_run *run = f->at[0].run;
    const ss_problem *p = &run->problem;
    char grid[48];
    snprintf(grid, sizeof grid, p->nz > 1 ? "%d\xc3\x97%d\xc3\x97%d" : "%d\xc3\x97%d", p->nx, p->ny,
             p->nz);
    if (run->eq->dim == 1)
        snprintf(grid, sizeof grid, "%d points", p->nx);
    fprintf(out, "%s, %s", run->eq->name, grid);
    print_devices(f, out);
    print_goals(run, out);
    bool transient = run->eq->kind == SS_TRANSIENT;
    fprintf(out, "\n\n  %-*s %*s   places by\n  %-*s", width, "", transient ? 64 : 86, "", width,
            "run");
    if (transient)
        fprintf(out, " %9s", "t");
    fprintf(out, " %10s %11s", "cycles", transient ? "steps" : "iterations");
    if (!transient)
        fprintf(out, " %10s %10s %9s", "sweeps", "reductions", "error");
    fprintf(out, " %10s %10s %9s", "seconds", "bytes", "speed-up");
    for (int by = 0; by < SS_NRANKED; by++)
        if (is_printed((ss_measure)by, transient))
            fprintf(out, "  %s", ss_measure_names[by]);
    fprintf(out, "\n");
}

/* A dash for an unknown value. */
static const char *figure(double v, const char *format, char *buf, size_t size)
{
    if (isfinite(v))
        snprintf(buf, size, format, v);
    else
        snprintf(buf, size, "-");
    return buf;
}

/* A run that is still running when the race ends has done the steps of the script, unless it was
 * interrupted. */
static const char *status_name(const standings *f, const ss_run *run)
{
    ss_status stopped = f->interrupted ? SS_INTERRUPTED : SS_LIMIT;
    return ss_status_name(run->status == SS_RUNNING ? stopped : run->status);
}

static void print_racer(const standings *f, const racer *r, int width, FILE *out)
{
    char bytes[32], ratio[32], seconds[32], place[16], error[32];
    const ss_run *run = r->run;
    bool transient = run->eq->kind == SS_TRANSIENT;
    fprintf(out, "  %-*s", width, r->label);
    if (transient)
        fprintf(out, " %9.5g", r->end.time);
    fprintf(out, " %10lld %11lld", (long long)r->end.cycle,
            (long long)(transient ? run->step : r->end.iteration));
    if (!transient)
        fprintf(out, " %10.0f %10.0f %9s", r->end.work, r->end.reductions,
                figure(r->error[run->error_norm], "%.2e", error, sizeof error));
    fprintf(out, " %10s %10s %9s", figure(r->end.seconds, "%.4g", seconds, sizeof seconds),
            ss_format_bytes(r->end.bytes, bytes, sizeof bytes),
            figure(speedup(f, r), "%.2f", ratio, sizeof ratio));
    for (int by = 0; by < SS_NRANKED; by++)
        if (is_printed((ss_measure)by, transient))
            fprintf(out, "  %*s", (int)strlen(ss_measure_names[by]),
                    figure(r->place[by] ? r->place[by] : (double)NAN, "%.0f", place, sizeof place));
    fprintf(out, "%s%s\n", r->finished ? "" : "  ", r->finished ? "" : status_name(f, r->run));
}

/* If any run has modelled ranks: by which clock its seconds are. */
static void print_clock(const standings *f, FILE *out)
{
    for (int i = 0; i < f->n; i++) {
        const ss_run *run = f->at[i].run;
        if (!run->ranks)
            continue;
        fprintf(out, "\nSeconds of modelled ranks are those of their clocks: %s.\n",
                ss_ranks_clock_name(run->modelled_work));
        return;
    }
}

/* The norm of the error column. Runs with equal residuals can have very different errors. */
static void print_norm(const standings *f, FILE *out)
{
    static const char *const norms[SS_NERROR] = {"max|u - u*| / max|u*|",
                                                 "relative to u*, in the energy norm"};
    bool known = false;
    ss_error_norm norm = f->at[0].run->error_norm;
    for (int i = 0; i < f->n; i++)
        known = known || isfinite(f->at[i].error[norm]);
    if (known)
        fprintf(out, "\nerror: %s\n", norms[norm]);
}

/* Whether the fields are equal, where they can be compared. */
static void print_bits(const standings *f, FILE *out)
{
    const ss_run *first = f->at[0].run;
    bool transient = first->eq->kind == SS_TRANSIENT, level = true;
    for (int i = 1; i < f->n; i++) {
        const racer *r = &f->at[i];
        level = level && r->run->step == first->step;
        if (r->compared)
            fprintf(out, "%s%s and %s: %s after %lld %s\n", i == 1 ? "\n" : "", r->label,
                    f->at[0].label,
                    r->equal ? "bit-for-bit equal \xe2\x9c\x93"
                             : "not bit-for-bit equal \xe2\x9c\x97",
                    (long long)(transient ? first->step : first->iteration),
                    transient ? "steps" : "iterations");
    }
    if (transient && !level)
        fprintf(out, "\nThe runs stand at different times: --until-time ends them at one.\n");
}

static void print_table(const standings *f, FILE *out)
{
    int width = 3;
    for (int i = 0; i < f->n; i++) {
        int n = (int)strlen(f->at[i].label);
        width = n > width ? n : width;
    }
    print_head(f, width, out);
    for (int i = 0; i < f->n; i++)
        print_racer(f, &f->at[i], width, out);
    print_bits(f, out);
    print_norm(f, out);
    print_clock(f, out);
    for (int i = 0; i < f->n; i++)
        if (ss_status_fails(f->at[i].run->status))
            fprintf(out, "\n%s: %s\n", f->at[i].label, f->at[i].run->message);
}

static json_t *real_or_null(double v)
{
    return isfinite(v) ? json_real(v) : json_null();
}

static json_t *places_json(const racer *r)
{
    json_t *o = json_object();
    for (int by = 0; by < SS_NRANKED; by++)
        json_object_set_new(o, ss_measure_names[by],
                            r->place[by] ? json_integer(r->place[by]) : json_null());
    return o;
}

static json_t *racer_json(const standings *f, const racer *r)
{
    const ss_run *run = r->run;
    bool known = run->residual_cycle >= 0 && run->residual0 > 0;
    json_t *o = json_object();
    json_object_set_new(o, "run", json_string(r->label));
    json_object_set_new(o, "solver", json_string(run->solver->name));
    json_object_set_new(o, "backend", json_string(run->backend->name));
    json_object_set_new(o, "device", json_string(r->device));
    json_object_set_new(o, "status", json_string(status_name(f, run)));
    json_object_set_new(o, "cycles", json_integer(r->end.cycle));
    json_object_set_new(o, "iterations", json_integer(r->end.iteration));
    json_object_set_new(o, "sweeps", json_real(r->end.work));
    json_object_set_new(o, "reductions", json_integer((json_int_t)r->end.reductions));
    json_object_set_new(o, "seconds", real_or_null(r->end.seconds));
    json_object_set_new(o, "clock",
                        run->ranks ? json_string(ss_ranks_clock_name(run->modelled_work))
                                   : json_null());
    json_object_set_new(o, "bytes", json_integer((json_int_t)r->end.bytes));
    json_object_set_new(o, "reduction",
                        known ? real_or_null(run->residual / run->residual0) : json_null());
    if (run->eq->kind == SS_TRANSIENT)
        json_object_set_new(o, "time", json_real(r->end.time));
    json_object_set_new(o, "error", ss_errors_json(r->error));
    json_object_set_new(o, "bit_for_bit_equal", r->compared ? json_boolean(r->equal) : json_null());
    json_object_set_new(o, "speedup", real_or_null(speedup(f, r)));
    json_object_set_new(o, "places", places_json(r));
    return o;
}

static json_t *race_json(const standings *f)
{
    const ss_run *run = f->at[0].run;
    json_t *o = json_object(), *runs = json_array();
    ss_json_about(o);
    json_object_set_new(o, "tolerance",
                        run->eq->kind == SS_STEADY && run->tol > 0 ? json_real(run->tol)
                                                                   : json_null());
    json_object_set_new(o, "until_error",
                        run->until_error > 0 ? json_real(run->until_error) : json_null());
    json_object_set_new(o, "equation", json_string(run->eq->name));
    json_object_set_new(o, "n",
                        json_pack("[i,i,i]", run->problem.nx, run->problem.ny, run->problem.nz));
    for (int i = 0; i < f->n; i++)
        json_array_append_new(runs, racer_json(f, &f->at[i]));
    json_object_set_new(o, "runs", runs);
    return o;
}

/* A run that diverged, or missed a given tolerance, has failed. */
static int exit_status(const standings *f)
{
    int status = SS_EXIT_OK;
    for (int i = 0; i < f->n; i++) {
        const ss_run *run = f->at[i].run;
        bool asked =
            run->eq->kind == SS_STEADY && run->tol > 0 && ss_config_given(&run->cfg, "until");
        bool missed = (asked && !run->reached) || (ss_run_seeks(run) && !run->met);
        if (ss_status_fails(run->status) || missed)
            status = SS_EXIT_FAILED;
    }
    return status;
}

int ss_race_publish(struct ss_run *const *run, int n, bool clock, bool interrupted, ss_err *err)
{
    standings f;
    const char *json = ss_config_text(ss_options(), "json");
    fill(&f, run, n, clock);
    f.interrupted = interrupted;
    if (!json || strcmp(json, "-") != 0)
        print_table(&f, stdout);
    if (json && ss_json_write(race_json(&f), json, err) != SS_OK)
        return SS_EXIT_FAILED;
    return exit_status(&f);
}
