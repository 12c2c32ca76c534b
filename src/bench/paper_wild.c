/*
 * `bench --paper wild`: what Venkatasubramanian & Vuduc show of tuning (figures 11 and 12),
 * transfers (13) and asynchronous variants (16). An asynchronous variant runs until it is as near
 * to the solution of 4096 iterations as the synchronous one after T = 1000; how many launches that
 * takes is found first, between two launches by the logarithm of the error, and then time per
 * launch is measured beside the tuned kernel's. No transfers but in figure 13. See paper.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/bench/paper.h"
#include "src/core/registry.h"

#define NAME "wild"
#define T 1000         /* iterations of the synchronous solver */
#define REFERENCE 4096 /* and of what is taken for the solution */
#define STRIDES 5      /* looks at the error in T iterations, before it is looked at closely */
#define TOO_LONG 4     /* times T: it does not get there */
#define T_TRANSFER 32  /* iterations between the transfers of figure 13 */
#define FLOPS 5        /* the paper counts so many a point */

/* What is known of a case beside its times. */
typedef struct findings {
    double launches; /* to the accuracy of T iterations; 0: not found */
    double up, down; /* seconds */
} findings;

typedef struct wild {
    ss_paper *p;
    double *reference, largest, target; /* of the problem at hand; the error after T iterations */
    findings found[SS_PAPER_ROWS];
} wild;

static ss_case *case_of(const wild *w, const ss_paper_row *row)
{
    return &ss_paper_group(w->p, row->problem, 0)->cases[row->at[0]];
}

/* --- accuracy --------------------------------------------------------------------------------- */

static int error_now(const wild *w, ss_run *run, double *out, ss_err *err)
{
    double residual;
    if (run->backend->reduce(run, &residual, w->reference, out, err) != SS_OK)
        return SS_FAIL;
    *out /= w->largest;
    return SS_OK;
}

/* The field of single precision takes the front half of the array and is widened from its end. */
static void widen(double *values, size_t n)
{
    for (size_t i = n; i-- > 0;) {
        float v;
        memcpy(&v, (const char *)values + i * sizeof v, sizeof v);
        values[i] = (double)v;
    }
}

static int take_reference(wild *w, ss_run *run, ss_err *err)
{
    double seconds;
    size_t n = (size_t)run->problem.nx * (size_t)run->problem.ny;
    w->reference = ss_alloc(n * sizeof *w->reference, "the reference", err);
    if (!w->reference || ss_run_reset(run, err) != SS_OK ||
        ss_bench_step(run, REFERENCE, &seconds, err) != SS_OK ||
        ss_paper_transfer(run, 0, w->reference, false, &seconds, err) != SS_OK)
        return SS_FAIL;
    if (run->prec == SS_F32)
        widen(w->reference, n);
    w->largest = 0;
    for (size_t i = 0; i < n; i++)
        w->largest = fmax(w->largest, fabs(w->reference[i]));
    if (ss_run_reset(run, err) != SS_OK || ss_bench_step(run, T, &seconds, err) != SS_OK)
        return SS_FAIL;
    return error_now(w, run, &w->target, err);
}

/* From `start` launches on, in strides: where the error falls below the target. 0: it does not. */
static int cross(const wild *w, ss_run *run, int64_t start, int64_t stride, double *launches,
                 ss_err *err)
{
    double before = 0, now, seconds;
    int64_t most = TOO_LONG * T / run->iterations_per_cycle + 1;
    *launches = 0;
    if (ss_run_reset(run, err) != SS_OK ||
        (start > 0 && ss_bench_step(run, start, &seconds, err) != SS_OK) ||
        error_now(w, run, &now, err) != SS_OK)
        return SS_FAIL;
    while (now > w->target && run->cycle < most) {
        before = now;
        if (ss_bench_step(run, stride, &seconds, err) != SS_OK ||
            error_now(w, run, &now, err) != SS_OK)
            return SS_FAIL;
    }
    if (now <= w->target && before > 0)
        *launches = (double)run->cycle - (double)stride * log(w->target / now) / log(before / now);
    else if (now <= w->target)
        *launches = (double)run->cycle; /* it started there */
    return SS_OK;
}

static int find_launches(wild *w, const ss_paper_row *row, ss_run *run, ss_err *err)
{
    findings *f = &w->found[row - w->p->rows];
    ss_case *c = case_of(w, row);
    if (!ss_paper_take(ss_paper_group(w->p, row->problem, 0), c, run))
        return SS_OK;
    int64_t stride = T / STRIDES / run->iterations_per_cycle;
    if (cross(w, run, 0, stride > 0 ? stride : 1, &f->launches, err) != SS_OK)
        return SS_FAIL;
    int64_t near = (int64_t)f->launches - 1;
    if (f->launches > 0 && stride > 1 &&
        cross(w, run, near > 0 ? near : 0, 1, &f->launches, err) != SS_OK)
        return SS_FAIL;
    if (f->launches == 0)
        snprintf(c->skipped, sizeof c->skipped, "not as accurate as %d iterations after %d", T,
                 TOO_LONG * T);
    return SS_OK;
}

/* --- times ------------------------------------------------------------------------------------ */

static int find_transfers(wild *w, const ss_paper_row *row, ss_run *run, ss_err *err)
{
    findings *f = &w->found[row - w->p->rows];
    size_t bytes = (size_t)run->problem.nx * (size_t)run->problem.ny * ss_prec_size(run->prec);
    void *rows = ss_alloc(bytes, "the field", err);
    int status = rows ? SS_OK : SS_FAIL;
    for (int pass = 0; pass < 2 && status == SS_OK; pass++) { /* the first one touches the pages */
        status = ss_paper_transfer(run, 0, rows, false, &f->down, err);
        if (status == SS_OK)
            status = ss_paper_transfer(run, 0, rows, true, &f->up, err);
    }
    free(rows);
    return status;
}

/* Seconds per launch of every case of the problem, in turn. */
static int time_cases(const wild *w, int problem, ss_run *run, ss_err *err)
{
    ss_group *g = ss_paper_group(w->p, problem, 0);
    for (int round = 0; round < w->p->b->rounds; round++) {
        if (ss_bench_limits(w->p->b, err) != SS_OK)
            return SS_FAIL;
        for (int i = 0; i < g->ncase; i++) {
            ss_case *c = &g->cases[i];
            if (ss_paper_take(g, c, run)) {
                if (ss_bench_time(run, ss_bench_sample(w->p->b), &c->solve[round], err) != SS_OK)
                    return SS_FAIL;
                c->iteration[round] = c->solve[round] / c->per_cycle;
                c->triad[round] = w->p->b->limits[0].value;
                c->bytes = run->per_cycle.global_bytes / c->per_cycle;
                c->updates = (double)run->problem.nx * run->problem.ny;
            }
            ss_bench_advance(w->p->b);
        }
    }
    return SS_OK;
}

static int find_out(wild *w, int problem, ss_run *run, ss_err *err)
{
    for (int i = 0; i < w->p->nrow; i++) {
        const ss_paper_row *row = &w->p->rows[i];
        if (row->problem != problem)
            continue;
        if ((row->kind == SS_ROW_WILD && find_launches(w, row, run, err) != SS_OK) ||
            (row->kind == SS_ROW_TRANSFER && find_transfers(w, row, run, err) != SS_OK))
            return SS_FAIL;
        ss_bench_advance(w->p->b);
    }
    return SS_OK;
}

static int measure_problem(wild *w, int problem, ss_err *err)
{
    ss_group *g = ss_paper_group(w->p, problem, 0);
    ss_run *run = ss_paper_open(g, err);
    int status = run && ss_paper_take(g, &g->cases[0], run) ? SS_OK : SS_FAIL;
    if (status == SS_OK)
        status = take_reference(w, run, err);
    if (status == SS_OK)
        status = find_out(w, problem, run, err);
    if (status == SS_OK)
        status = time_cases(w, problem, run, err);
    free(w->reference);
    w->reference = NULL;
    ss_run_close(run);
    return status;
}

/* --- how long it will take -------------------------------------------------------------------- */

/* By the synchronous iterations, twice as many for each variant as it is compared with; and two
 * samples a round of each case, half a dozen of them synchronous. */
static int announce(const wild *w, FILE *out, ss_err *err)
{
    double all = 0;
    for (int problem = 0; problem < w->p->nproblem; problem++) {
        ss_config cfg;
        double each, cases = 0;
        ss_group *g = ss_paper_group(w->p, problem, 0);
        ss_run *run = ss_paper_open(g, err);
        int status = run && ss_paper_take(g, &g->cases[0], run) ? SS_OK : SS_FAIL;
        if (status == SS_OK)
            status = ss_bench_time(run, 0, &each, err);
        ss_run_close(run);
        if (status != SS_OK)
            return SS_FAIL;
        for (int i = 0; i < w->p->nrow; i++)
            cases += w->p->rows[i].kind == SS_ROW_WILD && w->p->rows[i].problem == problem &&
                     ss_bench_config(g, &case_of(w, &w->p->rows[i])->set, &cfg, NULL) == SS_OK;
        all += each * (REFERENCE + T + 2.0 * T * cases);
        all += 2 * ss_bench_sample(w->p->b) * (6 + cases) * w->p->b->rounds;
    }
    if (out)
        ss_paper_announce(w->p, all, out);
    return SS_OK;
}

/* --- figures ---------------------------------------------------------------------------------- */

/* Seconds of T synchronous iterations of the tuned kernel over those of the variant; 0: unknown. */
static double speedup(const wild *w, const ss_paper_row *row)
{
    double tuned[SS_ROUNDS_MAX];
    const findings *f = &w->found[row - w->p->rows];
    const ss_group *g = ss_paper_group(w->p, row->problem, 0);
    if (!ss_bench_best(g, SS_BENCH_CLASSIC, false, w->p->b->rounds, tuned) || f->launches == 0)
        return 0;
    return ss_median_ratio(tuned, case_of(w, row)->solve, w->p->b->rounds) * T / f->launches;
}

static double teff(const wild *w, const ss_paper_row *row)
{
    return w->found[row - w->p->rows].launches * case_of(w, row)->per_cycle / T;
}

static double triad_percent(const wild *w, const ss_case *c)
{
    double fraction[SS_ROUNDS_MAX] = {0};
    for (int i = 0; i < w->p->b->rounds; i++)
        fraction[i] = 100 * c->bytes / c->iteration[i] / c->triad[i];
    return ss_median(fraction, w->p->b->rounds);
}

/* --- text ------------------------------------------------------------------------------------- */

static void print_tune(const wild *w, const ss_paper_row *row, FILE *out)
{
    char time[32], rate[32];
    const ss_case *c = case_of(w, row);
    double seconds = ss_median(c->iteration, w->p->b->rounds);
    fprintf(out, " %6s %% %6.1f %% %10s %14s\n", *row->theirs ? row->theirs : "-",
            triad_percent(w, c), ss_format_si(seconds, "s", time, sizeof time),
            ss_format_si(FLOPS * c->updates / seconds, "flop/s", rate, sizeof rate));
}

static void print_transfer(const wild *w, const ss_paper_row *row, FILE *out)
{
    char up[32], down[32], rate[32];
    const findings *f = &w->found[row - w->p->rows];
    const ss_case *c = case_of(w, row);
    double each = ss_median(c->iteration, w->p->b->rounds), work = T_TRANSFER * each;
    double all = f->up + work + f->down;
    double bytes = c->updates * (double)ss_prec_size((ss_prec)ss_config_int(
                                    &ss_paper_group(w->p, row->problem, 0)->cfg, "precision"));
    fprintf(out,
            " %s %%\n    ours %.1f %.1f %.1f %%: to the device %s (%s), back %s; as long as %.0f "
            "iterations\n",
            row->theirs, 100 * f->up / all, 100 * work / all, 100 * f->down / all,
            ss_format_si(f->up, "s", up, sizeof up),
            ss_format_si(bytes / f->up, "B/s", rate, sizeof rate),
            ss_format_si(f->down, "s", down, sizeof down), ceil((f->up + f->down) / each));
}

static void print_wild(const wild *w, const ss_paper_row *row, FILE *out)
{
    char time[32];
    fprintf(
        out, " %8s %6.2f %16s %7.3f %10s\n", *row->theirs ? row->theirs : "-", speedup(w, row),
        *row->extra ? row->extra : "-", teff(w, row),
        ss_format_si(ss_median(case_of(w, row)->solve, w->p->b->rounds), "s", time, sizeof time));
}

static const struct {
    const char *heading;
    void (*print)(const wild *w, const ss_paper_row *row, FILE *out);
} prints[SS_NROW_KIND] = {
    [SS_ROW_TUNE] = {"theirs, ours: of the streaming bandwidth; iteration", print_tune},
    [SS_ROW_TUNED] = {"theirs, ours: of the streaming bandwidth; iteration", print_tune},
    [SS_ROW_TRANSFER] = {"to the device, at work, back", print_transfer},
    [SS_ROW_WILD] = {"times the tuned kernel: theirs, ours; T_eff / T: expected, ours; launch",
                     print_wild},
};

static void print_all(const wild *w, FILE *out)
{
    const ss_paper_row *last = NULL;
    const char *why = "";
    for (int i = 0; i < w->p->nrow; last = &w->p->rows[i++]) {
        const ss_paper_row *row = &w->p->rows[i];
        const ss_case *c = case_of(w, row);
        bool next =
            !last || strcmp(last->source, row->source) != 0 || last->problem != row->problem;
        if (next)
            fprintf(out, "\n%s, %s: %s\n", row->source,
                    ss_paper_group(w->p, row->problem, 0)->label, prints[row->kind].heading);
        if (*c->skipped && !next && strcmp(c->skipped, why) == 0)
            continue; /* the same reason once more */
        why = c->skipped;
        fprintf(out, "  %-44s", row->label);
        if (*c->skipped)
            fprintf(out, " skipped: %s\n", c->skipped);
        else
            prints[row->kind].print(w, row, out);
    }
}

/* --- JSON ------------------------------------------------------------------------------------- */

static json_t *row_json(const wild *w, const ss_paper_row *row)
{
    const ss_case *c = case_of(w, row);
    const findings *f = &w->found[row - w->p->rows];
    json_t *o = json_pack("{s:s,s:s,s:s,s:s,s:s}", "source", row->source, "problem",
                          w->p->problems[row->problem], "label", c->label, "theirs", row->theirs,
                          "expected_teff", row->extra);
    if (*c->skipped) {
        json_object_set_new(o, "skipped", json_string(c->skipped));
        return o;
    }
    json_object_set_new(o, "seconds_per_launch", json_real(ss_median(c->solve, w->p->b->rounds)));
    json_object_set_new(o, "sweeps_per_launch", json_integer(c->per_cycle));
    json_object_set_new(o, "triad_percent", json_real(triad_percent(w, c)));
    if (f->launches > 0) {
        json_object_set_new(o, "launches", json_real(f->launches));
        json_object_set_new(o, "teff", json_real(teff(w, row)));
        json_object_set_new(o, "speedup", json_real(speedup(w, row)));
    }
    if (f->up > 0) {
        json_object_set_new(o, "seconds_upload", json_real(f->up));
        json_object_set_new(o, "seconds_download", json_real(f->down));
    }
    return o;
}

static json_t *all_json(const wild *w)
{
    json_t *o = ss_paper_json_head(w->p), *rows = json_array();
    for (int i = 0; i < w->p->nrow; i++)
        json_array_append_new(rows, row_json(w, &w->p->rows[i]));
    json_object_set_new(o, "rows", rows);
    return o;
}

int ss_paper_wild(ss_bench *b, FILE *out, json_t **json, ss_err *err)
{
    wild *w = ss_alloc(sizeof *w, "the findings", err);
    ss_paper *p = w ? ss_paper_read(b, NAME, err) : NULL;
    int status = p ? ss_bench_limits(b, err) : SS_FAIL;
    if (p)
        w->p = p;
    if (status == SS_OK && out)
        ss_paper_print_head(p, out);
    if (status == SS_OK)
        status = announce(w, out, err);
    for (int i = 0; status == SS_OK && i < p->nproblem; i++)
        b->all += ss_paper_group(p, i, 0)->ncase * b->rounds;
    b->all += p ? p->nrow : 0;
    for (int i = 0; status == SS_OK && i < p->nproblem; i++)
        status = measure_problem(w, i, err);
    if (status == SS_OK && out)
        print_all(w, out);
    if (status == SS_OK)
        *json = all_json(w);
    free(p);
    free(w);
    return status;
}
