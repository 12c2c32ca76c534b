/* `bench --paper swept`: the sweep of Magee & Niemeyer behind their figures 7 to 9, threads per
 * block by points. A figure is the time of a step, the transfers to the device and back included as
 * they would weigh in 50,000 steps; so many are done only where they are quick. See paper.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/bench/paper.h"
#include "src/core/registry.h"

#define NAME "swept"
#define STEPS 50000 /* the paper's */

/* --- measuring -------------------------------------------------------------------------------- */

static int64_t steps_of(const ss_case *c)
{
    return c->cycles * c->per_cycle;
}

/* As many cycles as a figure's time allows, the paper's number of steps at most; adds the seconds
 * of all rounds. */
static int plan_case(const ss_paper *p, const ss_group *g, ss_case *c, ss_run *run, double *seconds,
                     ss_err *err)
{
    double cycle;
    if (!ss_paper_take(g, c, run))
        return SS_OK;
    if (ss_run_reset(run, err) != SS_OK || ss_bench_time(run, 0, &cycle, err) != SS_OK)
        return SS_FAIL;
    double most = ceil((double)STEPS / c->per_cycle);
    c->cycles = (int64_t)fmax(1, fmin(most, ss_bench_sample(p->b) / cycle));
    *seconds += p->b->rounds * (double)c->cycles * cycle;
    return SS_OK;
}

static int plan(const ss_paper *p, double *seconds, ss_err *err)
{
    int status = SS_OK;
    for (int i = 0; i < p->nproblem && status == SS_OK; i++) {
        ss_run *run = ss_paper_open(ss_paper_group(p, i, 0), err);
        status = run ? SS_OK : SS_FAIL;
        for (int way = 0; way < p->nway; way++) {
            ss_group *g = ss_paper_group(p, i, way);
            for (int k = 0; k < g->ncase && status == SS_OK; k++)
                status = plan_case(p, g, &g->cases[k], run, seconds, err);
        }
        ss_run_close(run);
    }
    return status;
}

/* u: the initial fields in host memory; result: room for the last ones. */
static int measure_case(ss_paper *p, const ss_group *g, ss_case *c, ss_run *run, void *u,
                        void *result, int round, ss_err *err)
{
    double up, solve, down;
    if (!ss_paper_take(g, c, run))
        return SS_OK;
    if (ss_run_reset(run, err) != SS_OK || ss_paper_transfer(run, 0, u, true, &up, err) != SS_OK ||
        ss_bench_step(run, c->cycles, &solve, err) != SS_OK ||
        ss_paper_transfer(run, 0, result, false, &down, err) != SS_OK)
        return SS_FAIL;
    c->solve[round] = solve / (double)steps_of(c) + (up + down) / STEPS;
    p->transfers++;
    p->upload += (up - p->upload) / p->transfers;
    p->download += (down - p->download) / p->transfers;
    return SS_OK;
}

static int measure_rounds(ss_paper *p, int problem, ss_run *run, void *u, void *result, ss_err *err)
{
    for (int round = 0; round < p->b->rounds; round++)
        for (int way = 0; way < p->nway; way++) {
            ss_group *g = ss_paper_group(p, problem, way);
            for (int i = 0; i < g->ncase; i++) {
                if (measure_case(p, g, &g->cases[i], run, u, result, round, err) != SS_OK)
                    return SS_FAIL;
                ss_bench_advance(p->b);
            }
        }
    return SS_OK;
}

static int measure_problem(ss_paper *p, int problem, ss_err *err)
{
    double seconds;
    ss_run *run = ss_paper_open(ss_paper_group(p, problem, 0), err);
    if (!run)
        return SS_FAIL;
    size_t bytes = (size_t)run->problem.nx * (size_t)run->problem.nfield * ss_prec_size(run->prec);
    void *u = ss_alloc(bytes, "the fields", err);
    void *result = u ? ss_alloc(bytes, "the result", err) : NULL;
    int status = result ? ss_paper_transfer(run, 0, u, false, &seconds, err) : SS_FAIL;
    if (status == SS_OK)
        status = measure_rounds(p, problem, run, u, result, err);
    free(u);
    free(result);
    ss_run_close(run);
    return status;
}

/* --- what comes out --------------------------------------------------------------------------- */

/* Speed-up over the classic solver of the same way and size, round by round; 0: there is none. */
static double speedup(const ss_paper *p, int problem, int way, const ss_case *c)
{
    double best[SS_ROUNDS_MAX];
    if (!ss_bench_best(ss_paper_group(p, problem, way), SS_BENCH_CLASSIC, true, p->b->rounds, best))
        return 0;
    return ss_median_ratio(best, c->solve, p->b->rounds);
}

/* Where a variant does not apply, its row comes to the same as one before it. */
static bool repeats(const ss_paper *p, int at)
{
    const ss_paper_row *row = &p->rows[at];
    for (int i = 0; i < at; i++) {
        const ss_paper_row *other = &p->rows[i];
        bool same = other->problem == row->problem;
        for (int k = 0; k < row->count && same; k++) {
            bool found = false;
            for (int j = 0; j < other->count; j++)
                found = found || other->at[j] == row->at[k];
            same = found;
        }
        if (same)
            return true;
    }
    return false;
}

static void print_ours(const ss_paper *p, const ss_paper_row *row, int way, FILE *out)
{
    char choice[48];
    const ss_case *c = ss_paper_best(p, row, way);
    if (!c) {
        fprintf(out, " %31s", "skipped");
        return;
    }
    ss_paper_choice(p, row, way, c, choice, sizeof choice);
    fprintf(out, " %9.3f %6.2f %14s", 1e6 * ss_median(c->solve, p->b->rounds),
            speedup(p, row->problem, way, c), choice);
}

/* A line for each size of a name, a column for each of its rows. */
static void print_table(const ss_paper *p, int first, int way, FILE *out)
{
    const char *name = p->problems[first];
    fprintf(out, "\n%s, %s: microseconds a step\n  %9s", name,
            p->nway > 1 ? p->ways[way].name : p->b->device, "points");
    for (int i = 0; i < p->nrow; i++)
        if (p->rows[i].problem == first && !repeats(p, i))
            fprintf(out, " | %-8s theirs %9s %6s %14s", p->rows[i].source, "ours", "times", "best");
    for (int problem = first; problem < p->nproblem; problem++) {
        if (strcmp(p->problems[problem], name) != 0)
            continue;
        fprintf(out, "\n  %9lld",
                (long long)ss_config_int(&ss_paper_group(p, problem, way)->cfg, "n"));
        for (int i = 0; i < p->nrow; i++) {
            const ss_paper_row *row = &p->rows[i];
            if (row->problem != problem || repeats(p, i))
                continue;
            fprintf(out, " | %15s", *row->theirs ? row->theirs : "-");
            print_ours(p, row, way, out);
        }
    }
    fprintf(out, "\n");
}

static bool is_first(const ss_paper *p, int problem)
{
    return problem == 0 || strcmp(p->problems[problem], p->problems[problem - 1]) != 0;
}

static void print_all(const ss_paper *p, FILE *out)
{
    char up[32], down[32];
    for (int way = 0; way < p->nway; way++)
        for (int i = 0; i < p->nproblem; i++)
            if (is_first(p, i))
                print_table(p, i, way, out);
    fprintf(out,
            "\n  times: faster than the Classic of the same table and size, round by round; best:\n"
            "  which of the list. %d steps, or as many as take %g s; transfers (ours: %s there,\n"
            "  %s back, on average) count as in %d steps.\n",
            STEPS, ss_bench_sample(p->b), ss_format_si(p->upload, "s", up, sizeof up),
            ss_format_si(p->download, "s", down, sizeof down), STEPS);
}

static json_t *case_json(const ss_paper *p, const ss_paper_row *row, int way, const ss_case *c)
{
    char choice[48];
    ss_paper_choice(p, row, way, c, choice, sizeof choice);
    if (*c->skipped)
        return json_pack("{s:s,s:s}", "choice", choice, "skipped", c->skipped);
    return json_pack("{s:s,s:f,s:I,s:f,s:b}", "choice", choice, "seconds_per_step",
                     ss_median(c->solve, p->b->rounds), "steps", (json_int_t)steps_of(c), "speedup",
                     speedup(p, row->problem, way, c), "best", c == ss_paper_best(p, row, way));
}

static json_t *ours_json(const ss_paper *p, const ss_paper_row *row, int way)
{
    json_t *cases = json_array();
    const ss_group *g = ss_paper_group(p, row->problem, way);
    for (int k = 0; k < row->count; k++)
        json_array_append_new(cases, case_json(p, row, way, &g->cases[row->at[k]]));
    return json_pack("{s:s,s:o}", "way", p->nway > 1 ? p->ways[way].name : "ours", "cases", cases);
}

static json_t *all_json(const ss_paper *p)
{
    json_t *o = ss_paper_json_head(p), *rows = json_array();
    for (int i = 0; i < p->nrow; i++) {
        const ss_paper_row *row = &p->rows[i];
        json_t *ours = json_array();
        for (int way = 0; way < p->nway; way++)
            json_array_append_new(ours, ours_json(p, row, way));
        json_t *theirs = *row->theirs ? json_real(1e-6 * atof(row->theirs)) : json_null();
        json_array_append_new(
            rows,
            json_pack("{s:s,s:I,s:s,s:o,s:o}", "problem", p->problems[row->problem], "n",
                      (json_int_t)ss_config_int(&ss_paper_group(p, row->problem, 0)->cfg, "n"),
                      "algorithm", row->source, "their_seconds_per_step", theirs, "ours", ours));
    }
    json_object_set_new(o, "steps", json_integer(STEPS));
    json_object_set_new(o, "seconds_upload", json_real(p->upload));
    json_object_set_new(o, "seconds_download", json_real(p->download));
    json_object_set_new(o, "rows", rows);
    return o;
}

int ss_paper_swept(ss_bench *b, FILE *out, json_t **json, ss_err *err)
{
    double seconds = 0;
    ss_paper *p = ss_paper_read(b, NAME, err);
    int status = p ? ss_bench_limits(b, err) : SS_FAIL;
    if (status == SS_OK && out)
        ss_paper_print_head(p, out);
    if (status == SS_OK)
        status = plan(p, &seconds, err);
    if (status == SS_OK && out)
        ss_paper_announce(p, seconds, out);
    for (int i = 0; status == SS_OK && i < p->nproblem * p->nway; i++)
        b->all += b->groups[i].ncase * b->rounds;
    for (int i = 0; status == SS_OK && i < p->nproblem; i++)
        status = measure_problem(p, i, err);
    if (status == SS_OK && out)
        print_all(p, out);
    if (status == SS_OK)
        *json = all_json(p);
    free(p);
    return status;
}
