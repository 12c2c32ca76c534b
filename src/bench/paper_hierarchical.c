/* `bench --paper hierarchical`: tables 1 to 4 of Islam & Wang, and the sweeps behind their figures
 * 7, 9, 12 and 13. Every case runs for a number of cycles fixed beforehand, from the field in host
 * memory to the field in host memory. See paper.h. */
#include <stdlib.h>
#include <string.h>

#include "src/bench/paper.h"
#include "src/core/registry.h"

#define NAME "hierarchical"

/* --- measuring -------------------------------------------------------------------------------- */

/* Initial field and right-hand side in host memory, and room for the result. */
typedef struct fields {
    void *u, *g, *result;
} fields;

static void free_fields(fields *f)
{
    free(f->u);
    free(f->g);
    free(f->result);
}

static int take_fields(ss_run *run, fields *f, ss_err *err)
{
    double seconds;
    size_t bytes = (size_t)run->problem.nx * (size_t)run->problem.ny * ss_prec_size(run->prec);
    f->u = ss_alloc(bytes, "the field", err);
    f->g = f->u ? ss_alloc(bytes, "the right-hand side", err) : NULL;
    f->result = f->g ? ss_alloc(bytes, "the result", err) : NULL;
    if (!f->result || ss_paper_transfer(run, 0, f->u, false, &seconds, err) != SS_OK)
        return SS_FAIL;
    return ss_paper_transfer(run, 1, f->g, false, &seconds, err);
}

static int solve_case(ss_paper *p, const ss_group *g, ss_case *c, ss_run *run, const fields *f,
                      int round, ss_err *err)
{
    double up[2], solve, down;
    if (!ss_paper_take(g, c, run))
        return SS_OK;
    if (ss_run_reset(run, err) != SS_OK ||
        ss_paper_transfer(run, 0, f->u, true, &up[0], err) != SS_OK ||
        ss_paper_transfer(run, 1, f->g, true, &up[1], err) != SS_OK ||
        ss_bench_step(run, c->cycles, &solve, err) != SS_OK ||
        ss_paper_transfer(run, 0, f->result, false, &down, err) != SS_OK)
        return SS_FAIL;
    c->solve[round] = up[0] + up[1] + solve + down;
    p->transfers++;
    p->upload += (up[0] + up[1] - p->upload) / p->transfers;
    p->download += (down - p->download) / p->transfers;
    return SS_OK;
}

/* Where the data do not say how many cycles it takes, the last way counts them, or the first that
 * can. The others take as many: same bits. */
static int count_case(ss_paper *p, int problem, int index, ss_run *run, ss_err *err)
{
    ss_config cfg;
    int64_t cycles = 0;
    for (int way = p->nway - 1; way >= 0 && cycles == 0; way--) {
        ss_group *g = ss_paper_group(p, problem, way);
        ss_case *c = &g->cases[index];
        cycles = c->cycles;
        if (cycles == 0 && ss_paper_take(g, c, run) &&
            (ss_bench_config(g, &c->set, &cfg, err) != SS_OK ||
             ss_bench_count(run, &cfg, &cycles, err) != SS_OK))
            return SS_FAIL;
    }
    for (int way = 0; way < p->nway; way++)
        ss_paper_group(p, problem, way)->cases[index].cycles = cycles;
    return SS_OK;
}

static int measure(ss_paper *p, int problem, ss_run *run, const fields *f, ss_err *err)
{
    int cases = ss_paper_group(p, problem, 0)->ncase;
    for (int i = 0; i < cases; i++) {
        if (count_case(p, problem, i, run, err) != SS_OK)
            return SS_FAIL;
        ss_bench_advance(p->b);
    }
    for (int round = 0; round < p->b->rounds; round++)
        for (int way = 0; way < p->nway; way++)
            for (int i = 0; i < cases; i++) {
                ss_group *g = ss_paper_group(p, problem, way);
                if (solve_case(p, g, &g->cases[i], run, f, round, err) != SS_OK)
                    return SS_FAIL;
                ss_bench_advance(p->b);
            }
    return SS_OK;
}

static int measure_problem(ss_paper *p, int problem, ss_err *err)
{
    fields f = {NULL, NULL, NULL};
    ss_run *run = ss_paper_open(ss_paper_group(p, problem, 0), err);
    int status = run ? take_fields(run, &f, err) : SS_FAIL;
    if (status == SS_OK)
        status = measure(p, problem, run, &f, err);
    free_fields(&f);
    ss_run_close(run);
    return status;
}

/* --- how long it will take -------------------------------------------------------------------- */

/* Seconds a cycle of every case, and from that of everything. */
static int estimate(ss_paper *p, int problem, double *seconds, ss_err *err)
{
    ss_run *run = ss_paper_open(ss_paper_group(p, problem, 0), err);
    int status = run ? SS_OK : SS_FAIL;
    for (int way = 0; way < p->nway && status == SS_OK; way++) {
        ss_group *g = ss_paper_group(p, problem, way);
        for (int i = 0; i < g->ncase && status == SS_OK; i++) {
            ss_case *c = &g->cases[i];
            double cycle = 0;
            if (ss_paper_take(g, c, run))
                status = ss_bench_time(run, 0, &cycle, err);
            bool counted = c->cycles == 0 && way == p->nway - 1;
            *seconds += cycle * (double)c->hint * (p->b->rounds + (counted ? 1.2 : 0));
        }
    }
    ss_run_close(run);
    return status;
}

static int announce(ss_paper *p, FILE *out, ss_err *err)
{
    double seconds = 0;
    for (int i = 0; i < p->nproblem; i++)
        if (estimate(p, i, &seconds, err) != SS_OK)
            return SS_FAIL;
    if (out)
        ss_paper_announce(p, seconds, out);
    return SS_OK;
}

/* --- what is printed -------------------------------------------------------------------------- */

/* Speed-up of a case over the best classic one of its way; 0: there is none. */
static double speedup(const ss_paper *p, int problem, int way, const ss_case *c)
{
    double best[SS_ROUNDS_MAX];
    if (!ss_bench_best(ss_paper_group(p, problem, way), SS_BENCH_CLASSIC, true, p->b->rounds, best))
        return 0;
    return ss_median_ratio(best, c->solve, p->b->rounds);
}

static void print_ours(const ss_paper *p, const ss_paper_row *row, int way, FILE *out)
{
    char time[32], choice[48];
    const ss_case *c = ss_paper_best(p, row, way);
    if (!c) {
        fprintf(out, " | %-36s", "skipped");
        return;
    }
    ss_paper_choice(p, row, way, c, choice, sizeof choice);
    fprintf(out, " | %6.2f %9s %7lld %-11s", speedup(p, row->problem, way, c),
            ss_format_si(ss_median(c->solve, p->b->rounds), "s", time, sizeof time),
            (long long)c->cycles, choice);
}

/* Their best classic time, in seconds: what their speed-ups are over. */
static double their_classic(const ss_paper *p, int problem)
{
    double best = 0;
    for (int i = 0; i < p->nrow; i++) {
        double ms = atof(p->rows[i].theirs);
        if (p->rows[i].kind == SS_ROW_CLASSIC && p->rows[i].problem == problem && ms > 0 &&
            (best == 0 || ms < best))
            best = ms;
    }
    return 1e-3 * best;
}

static void print_theirs(const ss_paper *p, const ss_paper_row *row, FILE *out)
{
    char time[32];
    double theirs = atof(row->theirs), classic = their_classic(p, row->problem);
    bool is_time = row->kind == SS_ROW_CLASSIC;
    double seconds = is_time ? 1e-3 * theirs : classic / theirs;
    fprintf(out, "  %-32s %6.2f %9s %-11s", row->label, is_time ? classic / seconds : theirs,
            ss_format_si(seconds, "s", time, sizeof time), row->extra);
}

static void print_table(const ss_paper *p, int problem, FILE *out)
{
    const char *source = "";
    fprintf(out, "%s\n  %-32s %-28s", ss_paper_group(p, problem, 0)->label, "", "theirs");
    for (int way = 0; way < p->nway; way++)
        fprintf(out, " | %-36s", p->nway > 1 ? p->ways[way].name : "ours");
    fprintf(out, "\n  %-32s %6s %9s %-11s", "", "times", "time", "best");
    for (int way = 0; way < p->nway; way++)
        fprintf(out, " | %6s %9s %7s %-11s", "times", "time", "cycles", "best");
    for (int i = 0; i < p->nrow; i++) {
        const ss_paper_row *row = &p->rows[i];
        if (row->problem != problem)
            continue;
        if (strcmp(source, row->source) != 0)
            fprintf(out, "\n%s\n", row->source);
        else
            fprintf(out, "\n");
        source = row->source;
        print_theirs(p, row, out);
        for (int way = 0; way < p->nway; way++)
            print_ours(p, row, way, out);
    }
    fprintf(out, "\n\n");
}

static void print_times(const ss_paper *p, const ss_paper_row *row, int way, FILE *out)
{
    char text[32];
    fprintf(out, "  %-24s", row->label);
    for (int k = 0; k < row->count; k++) {
        const ss_case *c = &ss_paper_group(p, row->problem, way)->cases[row->at[k]];
        double seconds = ss_median(c->solve, p->b->rounds);
        fprintf(out, " %9s", *c->skipped ? "-" : ss_format_si(seconds, "s", text, sizeof text));
    }
    fprintf(out, "\n");
}

static void print_cycles(const ss_paper *p, const ss_paper_row *row, int way, FILE *out)
{
    fprintf(out, "  %-24s", row->label);
    for (int k = 0; k < row->count; k++)
        fprintf(out, " %9lld",
                (long long)ss_paper_group(p, row->problem, way)->cases[row->at[k]].cycles);
    fprintf(out, "\n");
}

/* The sweeps behind the figures: a line for each row with a list, a column for each of the list. */
static void print_sweep(const ss_paper *p, int problem, int way, const char *what,
                        void (*print)(const ss_paper *p, const ss_paper_row *row, int way,
                                      FILE *out),
                        FILE *out)
{
    char choice[48];
    bool headed = false;
    for (int i = 0; i < p->nrow; i++) {
        const ss_paper_row *row = &p->rows[i];
        if (row->problem != problem || row->kind != SS_ROW_SPEEDUP || row->count < 2)
            continue;
        if (!headed)
            fprintf(out, "\n%s: %-20s", p->problems[problem], what);
        for (int k = 0; k < row->count && !headed; k++) {
            const ss_case *c = &ss_paper_group(p, problem, way)->cases[row->at[k]];
            ss_paper_choice(p, row, way, c, choice, sizeof choice);
            fprintf(out, " %10s", choice);
        }
        fprintf(out, "%s", headed ? "" : "\n");
        headed = true;
        print(p, row, way, out);
    }
}

static void print_all(const ss_paper *p, FILE *out)
{
    char up[32], down[32];
    for (int i = 0; i < p->nproblem; i++)
        print_table(p, i, out);
    for (int i = 0; i < p->nproblem; i++)
        for (int way = 0; way < p->nway; way++)
            print_sweep(p, i, way, p->nway > 1 ? p->ways[way].name : "time", print_times, out);
    for (int i = 0; i < p->nproblem; i++)
        print_sweep(p, i, 0, "cycles", print_cycles, out);
    fprintf(
        out,
        "\n  times: faster than the best classic solver of the same column; time: to %g of the\n"
        "  first residual, transfers included (ours: %s there, %s back). Their time of a\n"
        "  hierarchical solver is their best classic time over their speed-up. Figures 7 and 12\n"
        "  draw the times of tables 1 and 3, figures 9 and 13 those for every overlap.\n",
        ss_config_real(&p->b->base, "until"), ss_format_si(p->upload, "s", up, sizeof up),
        ss_format_si(p->download, "s", down, sizeof down));
}

/* --- JSON ------------------------------------------------------------------------------------- */

static json_t *ours_json(const ss_paper *p, const ss_paper_row *row, int way)
{
    char choice[48];
    json_t *sweep = json_array(), *o = json_object();
    const ss_group *g = ss_paper_group(p, row->problem, way);
    const ss_case *best = ss_paper_best(p, row, way);
    json_object_set_new(o, "way", json_string(p->nway > 1 ? p->ways[way].name : "ours"));
    for (int k = 0; k < row->count; k++) {
        const ss_case *c = &g->cases[row->at[k]];
        ss_paper_choice(p, row, way, c, choice, sizeof choice);
        if (*c->skipped)
            json_array_append_new(sweep,
                                  json_pack("{s:s,s:s}", "choice", choice, "skipped", c->skipped));
        else
            json_array_append_new(sweep,
                                  json_pack("{s:s,s:I,s:f,s:f,s:b}", "choice", choice, "cycles",
                                            (json_int_t)c->cycles, "seconds",
                                            ss_median(c->solve, p->b->rounds), "speedup",
                                            speedup(p, row->problem, way, c), "best", c == best));
    }
    json_object_set_new(o, "cases", sweep);
    return o;
}

static json_t *all_json(const ss_paper *p)
{
    json_t *o = ss_paper_json_head(p), *rows = json_array();
    for (int i = 0; i < p->nrow; i++) {
        const ss_paper_row *row = &p->rows[i];
        json_t *ours = json_array();
        for (int way = 0; way < p->nway; way++)
            json_array_append_new(ours, ours_json(p, row, way));
        json_array_append_new(rows, json_pack("{s:s,s:s,s:s,s:s,s:s,s:o}", "source", row->source,
                                              "problem", p->problems[row->problem], "label",
                                              row->label, "theirs", row->theirs, "their_best",
                                              row->extra, "ours", ours));
    }
    json_object_set_new(o, "seconds_upload", json_real(p->upload));
    json_object_set_new(o, "seconds_download", json_real(p->download));
    json_object_set_new(o, "rows", rows);
    return o;
}

int ss_paper_hierarchical(ss_bench *b, FILE *out, json_t **json, ss_err *err)
{
    ss_paper *p = ss_paper_read(b, NAME, err);
    if (!p)
        return SS_FAIL;
    int status = ss_bench_limits(b, err);
    if (status == SS_OK && out)
        ss_paper_print_head(p, out);
    if (status == SS_OK)
        status = announce(p, out, err);
    for (int i = 0; i < p->nproblem; i++)
        b->all += ss_paper_group(p, i, 0)->ncase * (1 + b->rounds * p->nway);
    for (int i = 0; i < p->nproblem && status == SS_OK; i++)
        status = measure_problem(p, i, err);
    if (status == SS_OK && out)
        print_all(p, out);
    if (status == SS_OK)
        *json = all_json(p);
    free(p);
    return status;
}
