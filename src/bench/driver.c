/* `stencilscope bench`: see driver.h. What is measured is data (assets/data/bench.txt); this file
 * goes through it round by round. */
#include "src/bench/driver.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/bench/kit.h"
#include "src/core/options.h"
#include "src/base/json_out.h"
#include "src/core/registry.h"

enum { OK = 0, FAILED = 1 };

/* The papers whose tables can be measured again, in the order of the choices of --paper. */
static const char *const paper_names[] = {"none",     "hierarchical", "wild",
                                          "smoother", "swept",        NULL};
static const char *const paper_help[] = {
    "our own plan",
    "Islam & Wang: tables 1-4, the times behind figures 7, 9, 12 and 13",
    "Venkatasubramanian & Vuduc: tuning, transfers, asynchronous variants",
    "block-relaxation smoothers on patches: the times of figures 6 to 9",
    "Magee & Niemeyer: threads per block by points, the sweep behind figures 7 to 9",
    NULL};
static ss_paper_fn *const papers[] = {NULL, ss_paper_hierarchical, ss_paper_wild, ss_paper_smoother,
                                      ss_paper_swept};

// clang-format off
ss_param ss_bench_rows[] = {
    {.name = "rounds", .symbol = "rounds", .unit = "", .group = "Bench", .type = SS_INT,
     .help = "rounds of bench, which prints medians over them", .flags = SS_P_APP, .def = 5,
     .min = 1, .max = SS_ROUNDS_MAX, .step = 1},
    {.name = "paper", .symbol = "paper", .unit = "", .group = "Bench", .type = SS_CHOICE,
     .help = "bench measures a paper's tables again, theirs beside ours", .flags = SS_P_APP,
     .choices = paper_names, .choice_help = paper_help},
};
// clang-format on
const int ss_nbench = sizeof ss_bench_rows / sizeof *ss_bench_rows;

/* --- time per iteration ----------------------------------------------------------------------- */

/* Makes the run one of the case, or says in the case why that cannot be. */
static bool take_case(const ss_group *g, ss_case *c, ss_run *run, int64_t check_every)
{
    ss_config cfg;
    ss_err why;
    if (*c->skipped)
        return false;
    if (ss_bench_config(g, &c->set, &cfg, &why) == SS_OK &&
        ss_bench_take(run, &cfg, check_every, &why) == SS_OK)
        return true;
    snprintf(c->skipped, sizeof c->skipped, "%.199s", why.text);
    return false;
}

static int measure_case(const ss_bench *b, const ss_group *g, ss_case *c, ss_run *run, int round,
                        ss_err *err)
{
    double plain, checked;
    if (!take_case(g, c, run, 0))
        return SS_OK;
    if (ss_bench_time(run, ss_bench_sample(b), &plain, err) != SS_OK)
        return SS_FAIL;
    checked = plain;
    if (!ss_bench_moves(g) && (!take_case(g, c, run, 1) ||
                               ss_bench_time(run, ss_bench_sample(b), &checked, err) != SS_OK))
        return *c->skipped ? SS_OK : SS_FAIL;
    c->per_cycle = ss_bench_per_cycle(run);
    c->iteration[round] = plain / c->per_cycle;
    c->checked[round] = checked / c->per_cycle;
    c->triad[round] = b->limits[0].value;
    c->bytes = run->per_cycle.global_bytes / c->per_cycle;
    c->updates =
        run->eq->patches ? run->per_cycle.updates : (double)run->problem.nx * run->problem.ny;
    return SS_OK;
}

/* --- time to the tolerance -------------------------------------------------------------------- */

static int count_case(const ss_group *g, ss_case *c, ss_run *run, ss_err *err)
{
    ss_config cfg;
    if (!take_case(g, c, run, 1))
        return SS_OK;
    c->per_cycle = run->iterations_per_cycle;
    if (ss_bench_config(g, &c->set, &cfg, err) != SS_OK)
        return SS_FAIL;
    return ss_bench_count(run, &cfg, &c->cycles, err);
}

static int solve_case(const ss_group *g, ss_case *c, ss_run *run, int round, ss_err *err)
{
    ss_config cfg;
    if (!take_case(g, c, run, 0))
        return SS_OK;
    if (ss_bench_config(g, &c->set, &cfg, err) != SS_OK)
        return SS_FAIL;
    return ss_bench_solve(run, &cfg, c->cycles, &c->solve[round], err);
}

/* --- groups ----------------------------------------------------------------------------------- */

static int measure_rounds(ss_bench *b, ss_group *g, ss_run *run, ss_err *err)
{
    for (int i = 0; i < g->ncase && g->solve; i++) {
        if (count_case(g, &g->cases[i], run, err) != SS_OK)
            return SS_FAIL;
        ss_bench_advance(b);
    }
    for (int round = 0; round < b->rounds; round++) {
        if (ss_bench_limits(b, err) != SS_OK)
            return SS_FAIL;
        for (int i = 0; i < g->ncase; i++) {
            ss_case *c = &g->cases[i];
            int status = g->solve ? solve_case(g, c, run, round, err)
                                  : measure_case(b, g, c, run, round, err);
            if (status != SS_OK)
                return SS_FAIL;
            ss_bench_advance(b);
        }
    }
    return SS_OK;
}

/* The field is opened once, with the first case that can be. */
static int measure_group(ss_bench *b, ss_group *g, ss_err *err)
{
    ss_config cfg;
    ss_run *run = NULL;
    ss_err why = {"there is no case"};
    for (int i = 0; i < g->ncase && !run; i++)
        if (ss_bench_config(g, &g->cases[i].set, &cfg, &why) == SS_OK)
            run = ss_run_open(&cfg, NULL, NULL, &why);
    if (!run)
        return ss_fail(err, "bench: %.300s", why.text);
    int status = measure_rounds(b, g, run, err);
    ss_run_close(run);
    return status;
}

static int measure_all(ss_bench *b, ss_err *err)
{
    for (int i = 0; i < b->ngroup; i++)
        b->all += b->groups[i].ncase * (b->rounds + b->groups[i].solve);
    for (int i = 0; i < b->ngroup; i++)
        if (measure_group(b, &b->groups[i], err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

static int run_plan(ss_bench *b, FILE *out, json_t **json, ss_err *err)
{
    if (ss_bench_plan(b, err) != SS_OK)
        return SS_FAIL;
    for (int i = 0; i < b->ngroup; i++)
        if (ss_bench_fit(b, &b->groups[i], out, err) != SS_OK)
            return SS_FAIL;
    if (measure_all(b, err) != SS_OK)
        return SS_FAIL;
    if (out)
        ss_bench_print(b, out);
    *json = ss_bench_json(b);
    return SS_OK;
}

/* --- the subcommand --------------------------------------------------------------------------- */

/* The backend that was asked for, or the first that is there; `say` is told why not another. */
static int choose_backend(ss_bench *b, const ss_config *cfg, ss_err *say, ss_err *err)
{
    ss_config any;
    const ss_param *row = ss_param_find(cfg, "backend", NULL);
    ss_config_default(&any);
    any.v[row->slot] = cfg->v[row->slot];
    if (ss_config_check(&any, say, err) != SS_OK)
        return SS_FAIL;
    b->base = *cfg;
    b->base.v[row->slot] = any.v[row->slot];
    b->backend = ss_config_backend(&b->base);
    return SS_OK;
}

static int prepare(ss_bench *b, const ss_config *cfg, bool quiet, ss_err *err)
{
    ss_err say = {""};
    if (choose_backend(b, cfg, &say, err) != SS_OK)
        return SS_FAIL;
    if (say.text[0] && !quiet)
        fprintf(stderr, "stencilscope: %s\n", say.text);
    b->rounds = (int)ss_config_int(ss_options(), "rounds");
    b->progress = isatty(STDERR_FILENO);
    b->backend->describe(&b->base, b->device, sizeof b->device);
    if (b->backend->meter->open(&b->base, &b->meter, err) != SS_OK) {
        b->meter = NULL;
        return SS_FAIL;
    }
    b->backend->meter->describe(b->meter, b->detail, sizeof b->detail);
    return SS_OK;
}

int ss_bench_run(const ss_config *cfg, ss_err *err)
{
    const char *path = ss_config_text(ss_options(), "json");
    bool quiet = path && strcmp(path, "-") == 0;
    ss_paper_fn *paper = papers[ss_config_int(ss_options(), "paper")];
    ss_bench *b = ss_alloc(sizeof *b, "bench", err);
    json_t *json = NULL;
    int status = b ? prepare(b, cfg, quiet, err) : SS_FAIL;
    if (status == SS_OK)
        status = (paper ? paper : run_plan)(b, quiet ? NULL : stdout, &json, err);
    if (status == SS_OK && path)
        status = ss_json_write(json, path, err);
    else
        json_decref(json);
    if (b && b->meter)
        b->backend->meter->close(b->meter);
    free(b);
    return status == SS_OK ? OK : FAILED;
}
