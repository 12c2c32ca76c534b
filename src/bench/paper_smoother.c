/* `bench --paper smoother`: the times behind figures 6 to 9 of the paper on block-relaxation
 * smoothers. A figure is the wall time of three smoothing steps from the start, ghosts included, of
 * which the share is given; the inverses of the blocks are apart. See paper.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/bench/paper.h"

#define NAME "smoother"
#define STEPS 3 /* the paper's */

/* What goes with the time of a case. */
typedef struct figures {
    double ghosts, inverses, bytes; /* share of the time; seconds and bytes of the inverses */
} figures;

typedef struct bench {
    ss_paper *p;
    figures of[SS_GROUPS_MAX][SS_CASES_MAX];
} bench;

static figures *figures_of(bench *b, int problem, int way, int at)
{
    return &b->of[way * b->p->nproblem + problem][at];
}

/* --- measuring -------------------------------------------------------------------------------- */

static int measure_case(ss_paper *p, const ss_group *g, ss_case *c, figures *f, ss_run *run,
                        int round, ss_err *err)
{
    if (!ss_paper_take(g, c, run))
        return SS_OK;
    if (ss_run_reset(run, err) != SS_OK ||
        ss_bench_step(run, STEPS, &c->solve[round], err) != SS_OK)
        return SS_FAIL;
    c->cycles = STEPS;
    c->updates = run->per_cycle.updates;
    f->ghosts += run->seconds_ghosts / c->solve[round] / p->b->rounds;
    f->inverses = run->seconds_inverses;
    f->bytes = run->bytes_inverses;
    return SS_OK;
}

static int measure_problem(bench *b, int problem, ss_err *err)
{
    ss_paper *p = b->p;
    int status = SS_OK;
    ss_run *run = ss_paper_open(ss_paper_group(p, problem, 0), err);
    if (!run)
        return SS_FAIL;
    for (int round = 0; round < p->b->rounds; round++)
        for (int way = 0; way < p->nway; way++) {
            ss_group *g = ss_paper_group(p, problem, way);
            for (int i = 0; i < g->ncase && status == SS_OK; i++) {
                status = measure_case(p, g, &g->cases[i], figures_of(b, problem, way, i), run,
                                      round, err);
                ss_bench_advance(p->b);
            }
        }
    ss_run_close(run);
    return status;
}

static void announce(const ss_paper *p, FILE *out)
{
    fprintf(out, "three steps of each case, %d round%s; stored inverses take their time\n",
            p->b->rounds, p->b->rounds == 1 ? "" : "s");
    fflush(out);
}

/* --- what comes out --------------------------------------------------------------------------- */

static double seconds_of(const ss_paper *p, const ss_case *c)
{
    return ss_median(c->solve, p->b->rounds);
}

static void print_ours(bench *b, const ss_paper_row *row, int way, FILE *out)
{
    char time[32], inverse[32];
    const ss_group *g = ss_paper_group(b->p, row->problem, way);
    const ss_case *c = &g->cases[row->at[0]];
    const figures *f = figures_of(b, row->problem, way, row->at[0]);
    if (*c->skipped) {
        fprintf(out, " | %-36.36s", c->skipped);
        return;
    }
    double s = seconds_of(b->p, c);
    fprintf(out, " | %9s %8.1f %5.1f%% %10s", ss_format_si(s, "s", time, sizeof time),
            1e-6 * STEPS * c->updates / s, 100 * f->ghosts,
            f->bytes > 0 ? ss_format_si(f->inverses, "s", inverse, sizeof inverse) : "-");
}

static void print_rows(bench *b, FILE *out)
{
    const ss_paper *p = b->p;
    int problem = -1;
    for (int i = 0; i < p->nrow; i++) {
        const ss_paper_row *row = &p->rows[i];
        if (row->problem != problem) {
            problem = row->problem;
            fprintf(out, "\n%s patches\n  %-34s %-9s %8s %8s", p->problems[problem], "", "",
                    "32 cores", "Kepler");
            for (int way = 0; way < p->nway; way++)
                fprintf(out, " | %9s %8s %6s %10s", p->nway > 1 ? p->ways[way].name : "ours",
                        "Mcell/s", "ghosts", "inverses");
            fprintf(out, "\n");
        }
        fprintf(out, "  %-34s %-9s %8s %8s", row->label, row->source,
                *row->theirs ? row->theirs : "-", *row->extra ? row->extra : "-");
        for (int way = 0; way < p->nway; way++)
            print_ours(b, row, way, out);
        fprintf(out, "\n");
    }
    fprintf(out,
            "\n  seconds of three steps, ghosts included; inverses: made once, and not included.\n"
            "  theirs: two AMD 6272 with 32 cores, and a K20X with its transfers.\n");
}

static json_t *ours_json(bench *b, const ss_paper_row *row, int way)
{
    const ss_paper *p = b->p;
    const ss_case *c = &ss_paper_group(p, row->problem, way)->cases[row->at[0]];
    const figures *f = figures_of(b, row->problem, way, row->at[0]);
    const char *name = p->nway > 1 ? p->ways[way].name : "ours";
    if (*c->skipped)
        return json_pack("{s:s,s:s}", "way", name, "skipped", c->skipped);
    return json_pack("{s:s,s:f,s:f,s:f,s:f,s:f}", "way", name, "seconds", seconds_of(p, c),
                     "cells_per_second", STEPS * c->updates / seconds_of(p, c), "ghost_share",
                     f->ghosts, "seconds_inverses", f->inverses, "bytes_inverses", f->bytes);
}

static json_t *all_json(bench *b)
{
    const ss_paper *p = b->p;
    json_t *o = ss_paper_json_head(p), *rows = json_array();
    for (int i = 0; i < p->nrow; i++) {
        const ss_paper_row *row = &p->rows[i];
        json_t *ours = json_array();
        for (int way = 0; way < p->nway; way++)
            json_array_append_new(ours, ours_json(b, row, way));
        json_array_append_new(
            rows, json_pack("{s:s,s:s,s:s,s:o,s:o,s:o}", "patches", p->problems[row->problem],
                            "case", row->label, "source", row->source, "their_seconds_32_cores",
                            *row->theirs ? json_real(atof(row->theirs)) : json_null(),
                            "their_seconds_gpu",
                            *row->extra ? json_real(atof(row->extra)) : json_null(), "ours", ours));
    }
    json_object_set_new(o, "steps", json_integer(STEPS));
    json_object_set_new(o, "rows", rows);
    return o;
}

int ss_paper_smoother(ss_bench *b, FILE *out, json_t **json, ss_err *err)
{
    bench *all = ss_alloc(sizeof *all, "figures", err);
    int status = all ? SS_OK : SS_FAIL;
    if (status == SS_OK)
        all->p = ss_paper_read(b, NAME, err);
    if (status == SS_OK && (!all->p || ss_bench_limits(b, err) != SS_OK))
        status = SS_FAIL;
    if (status == SS_OK && out) {
        ss_paper_print_head(all->p, out);
        announce(all->p, out);
    }
    for (int i = 0; status == SS_OK && i < all->p->nproblem * all->p->nway; i++)
        b->all += b->groups[i].ncase * b->rounds;
    for (int i = 0; status == SS_OK && i < all->p->nproblem; i++)
        status = measure_problem(all, i, err);
    if (status == SS_OK && out)
        print_rows(all, out);
    if (status == SS_OK)
        *json = all_json(all);
    if (all)
        free(all->p);
    free(all);
    return status;
}
