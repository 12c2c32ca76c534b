/* `stencilscope bench`: see driver.h. Every method runs problem by problem; each round measures all
 * cases of the problem in turn. */
#include "src/bench/driver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/common.h"
#include "src/base/file.h"
#include "src/base/json_out.h"
#include "src/base/text.h"
#include "src/bench/kit.h"
#include "src/snapshot/mapview.h"
#include "src/core/registry.h"
#include "src/core/run.h"
#include "src/run/ahead.h"

/* --- the limits of machines ------------------------------------------------------------------- */

/* The measured limits of machines, in the file "limits" of the user's state: `bench --limits`
 * writes them, the roofline reads them. A line per limit: KEY NAME UNIT VALUE CAPACITY PER_CORE. */

#define LIMITS "limits"
enum { KEY = 400 };

static void processor(char *buf, size_t size)
{
    char line[256];
    FILE *f = fopen("/proc/cpuinfo", "r");
    buf[0] = '\0';
    while (f && !*buf && fgets(line, sizeof line, f)) {
        char *colon = strncmp(line, "model name", 10) == 0 ? strchr(line, ':') : NULL;
        if (colon)
            snprintf(buf, size, "%.80s", colon + 1 + strspn(colon + 1, " "));
    }
    if (f)
        fclose(f);
    buf[strcspn(buf, "\n")] = '\0';
}

/* What the limits depend on: host, processor, and the device or the threads. */
static const char *key_of(const ss_config *cfg, char buf[KEY])
{
    char host[128] = "", cpu[96], place[128];
    gethostname(host, sizeof host - 1);
    processor(cpu, sizeof cpu);
    ss_config_backend(cfg)->describe(cfg, place, sizeof place);
    snprintf(buf, KEY, "%s|%s|%s", host, cpu, place);
    return buf;
}

int ss_limits_save(const ss_config *cfg, const ss_limit *limit, int n, ss_err *err)
{
    char key[KEY], lines[SS_LIMITS_MAX * 120] = "";
    size_t used = 0;
    for (int i = 0; i < n && used < sizeof lines; i++)
        used += (size_t)snprintf(lines + used, sizeof lines - used, "%s %s %.6g %.0f %d\n",
                                 limit[i].name, limit[i].unit, limit[i].value, limit[i].capacity,
                                 limit[i].per_core);
    return ss_state_write(LIMITS, key_of(cfg, key), lines, err);
}

/* --- reading it ------------------------------------------------------------------------------- */

/* "triad-L2" is the bandwidth of L2; of a disturbed measurement the true part is kept: no cache is
 * slower than the next larger one. */
static void add_cache(ss_roofs *r, const char *name, double bandwidth, double bytes, bool per_core)
{
    const char *dash = strrchr(name, '-');
    name = dash ? dash + 1 : name;
    if (r->n == SS_ROOFS_MAX || strlen(name) >= SS_ROOF_NAME)
        return;
    ss_roof *roof = &r->roof[r->n++];
    *roof = (ss_roof){
        .bandwidth = fmax(bandwidth, roof[-1].bandwidth), .capacity = bytes, .per_core = per_core};
    snprintf(roof->name, sizeof roof->name, "%s", name);
}

typedef struct loading {
    ss_roofs *roofs;
    const ss_config *cfg;
} loading;

/* The roof that a limit is; latencies are none. */
static void add_limit(char *line, void *ctx)
{
    const loading *l = ctx;
    ss_roofs *r = l->roofs;
    const ss_config *cfg = l->cfg;
    char name[32], unit[16];
    double value, bytes;
    int per_core;
    bool read = sscanf(line, "%31s %15s %lf %lf %d", name, unit, &value, &bytes, &per_core) == 5;
    const char *product = ss_config_int(cfg, "precision") == SS_F32 ? "sgemm" : "dgemm";
    if (!read || !(value > 0) || !isfinite(value) || !(bytes >= 0) || !isfinite(bytes))
        return;
    if (strcmp(unit, "B/s") == 0 && bytes > 0)
        add_cache(r, name, value, bytes, per_core);
    else if (strcmp(unit, "B/s") == 0 && strncmp(name, "triad", 5) == 0)
        r->roof[0].bandwidth = fmax(r->roof[0].bandwidth, value);
    else if (strcmp(name, product) == 0)
        r->rate = value * ss_config_threads(cfg);
}

/* Several devices, or a device and the processors, have other limits than one. */
static bool is_shared(const ss_config *cfg)
{
    static const char *const names[] = {"devices", "split"}, *const alone[] = {"0", "off"};
    for (int i = 0; i < 2; i++)
        if (ss_param_find(cfg, names[i], NULL) &&
            strcmp(ss_config_text(cfg, names[i]), alone[i]) != 0)
            return true;
    return ss_config_ranks(cfg) > 0;
}

static int fail_load(const ss_config *cfg, ss_err *err)
{
    char place[128], threads[40] = "";
    const ss_backend *backend = ss_config_backend(cfg);
    backend->describe(cfg, place, sizeof place);
    if (!backend->meter || is_shared(cfg))
        return ss_fail(err, "limits are measured of one machine's processors or of its first GPU, "
                            "and this run has others");
    if (ss_config_given(cfg, "threads"))
        snprintf(threads, sizeof threads, " --threads %d", ss_config_threads(cfg));
    return ss_fail(err,
                   "The limits of %s are not known; this command measures and keeps them: "
                   "stencilscope bench --limits --backend %s%s",
                   place, backend->name, threads);
}

int ss_limits_load(const ss_config *cfg, ss_roofs *out, ss_err *err)
{
    char key[KEY];
    loading l = {out, cfg};
    *out = (ss_roofs){.n = 1, .roof = {{.name = "memory"}}};
    if (ss_config_backend(cfg)->meter && !is_shared(cfg))
        ss_state_read(LIMITS, key_of(cfg, key), add_limit, &l);
    if (out->roof[0].bandwidth > 0)
        return SS_OK;
    out->n = 0;
    return fail_load(cfg, err);
}

/* The first one is our own plan. */
static const char *const paper_names[] = {"none",  "hierarchical", "wild", "smoother",
                                          "swept", "methods",      NULL};
static const char *const paper_help[] = {
    "our own plan",
    "Islam & Wang: tables 1-4, the times behind figures 7, 9, 12 and 13",
    "Venkatasubramanian & Vuduc: tuning, transfers, CPU + GPU, several GPUs, asynchronous variants",
    "block-relaxation smoothers on patches: figures 4 and 5, times of figures 6 to 10",
    "Magee & Niemeyer: threads per block by points, the sweep behind figures 7 to 9",
    "no paper: every method of poisson2d from one start to one tolerance",
    NULL};

// clang-format off
ss_param ss_bench_rows[] = {
    {.name = "rounds", .symbol = "rounds", .unit = "", .group = "Bench", .type = SS_INT,
     .help = "rounds of bench, which prints medians over them", .flags = SS_P_APP, .def = 5,
     .min = 1, .max = SS_ROUNDS_MAX, .step = 1},
    {.name = "paper", .symbol = "paper", .unit = "", .group = "Bench", .type = SS_CHOICE,
     .help = "bench measures what a paper measured, its figures beside ours", .flags = SS_P_APP,
     .choices = paper_names, .choice_help = paper_help},
    {.name = "limits", .symbol = "limits", .unit = "", .group = "Bench", .type = SS_BOOL,
     .help = "bench measures only the machine's limits and keeps them for the roofline",
     .flags = SS_P_APP},
};
// clang-format on
const int ss_nbench = sizeof ss_bench_rows / sizeof *ss_bench_rows;

/* --- all cases -------------------------------------------------------------------------------- */

static void advance(ss_bench *b)
{
    char left[40];
    double gone = ss_clock() - b->began;
    b->done++;
    if (b->done < b->all)
        ss_bar_show((double)b->done / b->all, "%3d %%, %s left", 100 * b->done / b->all,
                    ss_duration_text(gone * (b->all - b->done) / b->done, left, sizeof left));
    else
        ss_bar_clear();
}

/* --- measuring -------------------------------------------------------------------------------- */

/* At most every few seconds: a write waits for the disk. */
#define WRITE_INTERVAL 2.0

static int write_json(ss_bench *b, ss_err *err)
{
    b->written = ss_clock();
    return ss_json_write(ss_bench_json(b), b->file, err);
}

/* Prints and writes what the last measurement has completed. */
static int show_progress(ss_bench *b, int problem, ss_err *err)
{
    if (b->out)
        ss_bench_print_lines(b, problem, b->out);
    bool due = b->file && ss_clock() - b->written >= WRITE_INTERVAL;
    return due ? write_json(b, err) : SS_OK;
}

static int measure_case(const ss_bench_at *at, ss_err *err)
{
    ss_bench_case *c = at->c;
    double started = ss_clock();
    if (c->measured <= at->round) { /* else it was taken over from an interrupted bench */
        bool taken = ss_bench_take(at);
        c->prepared += ss_clock() - started;
        if (taken && c->kind->measure(at, err) != SS_OK)
            return SS_FAIL;
        c->measured = at->round + 1;
    }
    c->spent += ss_clock() - started;
    advance(at->b);
    return show_progress(at->b, at->problem, err);
}

static int measure_round(ss_bench_at at, ss_err *err)
{
    for (at.way = 0; at.way < at.b->nway; at.way++) {
        at.g = ss_bench_group_of(at.b, at.problem, at.way);
        for (at.c = at.g->cases; at.c < at.g->cases + at.g->ncase; at.c++)
            if (measure_case(&at, err) != SS_OK)
                return SS_FAIL;
    }
    return SS_OK;
}

/* Time-dependent fields are checked once, after all measurements. */
static int check_values(ss_run *run, ss_err *err)
{
    if (run->eq->kind != SS_TRANSIENT)
        return SS_OK;
    if (ss_run_settle(run, err) != SS_OK)
        return SS_FAIL;
    return run->status == SS_RUNNING ? SS_OK : ss_fail(err, "bench: %s", run->message);
}

static int measure_rounds(ss_bench_at at, ss_err *err)
{
    double started = ss_clock();
    ss_bench_group *g = ss_bench_group_of(at.b, at.problem, 0);
    if (g->cases->kind->limits_again && ss_bench_limits(at.b, err) != SS_OK)
        return SS_FAIL;
    g->limited = ss_clock() - started;
    for (at.round = 0; at.round < at.b->rounds; at.round++)
        if (measure_round(at, err) != SS_OK)
            return SS_FAIL;
    return check_values(at.run, err);
}

/* Of the problem by its first case, then of all cases that are not measured yet. */
static int prepare_cases(ss_bench_at at, ss_err *err)
{
    for (at.way = at.b->nway - 1; at.way >= 0; at.way--) {
        at.g = ss_bench_group_of(at.b, at.problem, at.way);
        at.c = at.g->cases;
        if (at.way == at.b->nway - 1 && at.c->kind->begin && at.c->kind->begin(&at, err) != SS_OK)
            return SS_FAIL;
        for (; at.c < at.g->cases + at.g->ncase; at.c++)
            if (at.c->kind->prepare && at.c->measured == 0 && ss_bench_take(&at) &&
                at.c->kind->prepare(&at, err) != SS_OK)
                return SS_FAIL;
    }
    return SS_OK;
}

/* The field is allocated once, for the first valid case. */
static int measure_problem(ss_bench *b, int problem, ss_err *err)
{
    ss_err why;
    ss_bench_group *g = ss_bench_group_of(b, problem, 0);
    double started = ss_clock();
    b->line = 0;
    if (ss_bench_is_complete(b, problem))
        return show_progress(b, problem, err);
    ss_bench_at at = {.b = b, .problem = problem, .run = ss_bench_open(g, &why)};
    g->opened = ss_clock() - started;
    if (!at.run)
        return ss_fail(err, "bench: %.300s", why.text);
    int status = prepare_cases(at, err);
    if (status == SS_OK)
        status = measure_rounds(at, err);
    void **const host[] = {&b->fields, &b->rhs, &b->result};
    for (size_t i = 0; i < sizeof host / sizeof *host; i++) {
        free(*host[i]);
        *host[i] = NULL;
    }
    ss_run_close(at.run);
    return status;
}

static int measure_all(ss_bench *b, ss_err *err)
{
    int status = SS_OK;
    b->began = ss_clock();
    for (int i = 0; i < b->nproblem; i++)
        b->all += ss_bench_group_of(b, i, 0)->ncase * b->rounds * b->nway;
    for (int i = 0; i < b->nproblem && status == SS_OK; i++)
        status = measure_problem(b, i, err);
    return status;
}

/* --- compiling ---------------------------------------------------------------------------------
 */

/* Case i of all groups. */
static bool case_config(void *ctx, int i, ss_config *out)
{
    ss_err why;
    ss_bench *b = ctx;
    int group = 0;
    for (; i >= b->groups[group].ncase; group++)
        i -= b->groups[group].ncase;
    const ss_bench_group *g = &b->groups[group];
    return ss_bench_config(g, &g->cases[i].set, out, &why) == SS_OK;
}

static bool show_compiling(void *ctx, double done)
{
    (void)ctx;
    if (done < 1)
        ss_bar_show(done, "compiling kernels");
    else
        ss_bar_clear();
    return true;
}

static void compile_cases(ss_bench *b)
{
    ss_ahead a = {b->backend, 0, case_config, show_compiling, b};
    for (int g = 0; g < b->nproblem * b->nway; g++)
        a.n += b->groups[g].ncase;
    ss_ahead_compile(&a);
}

/* --- all of it ----------------------------------------------------------------------------------
 */

/* Reads the cases and prints the head. */
static int begin(ss_bench *b, FILE *out, ss_err *err)
{
    int64_t paper = ss_config_int(ss_options(), "paper");
    int status = paper > 0 ? ss_paper_read(b, paper_names[paper], err) : ss_bench_plan(b, err);
    if (status != SS_OK)
        return SS_FAIL;
    compile_cases(b);
    if (ss_bench_limits(b, err) != SS_OK)
        return SS_FAIL;
    if (out)
        ss_bench_print_head(b, out);
    for (int i = 0; i < b->nproblem && !b->paper && status == SS_OK; i++)
        status = ss_bench_fit(b, ss_bench_group_of(b, i, 0), out, err);
    return status;
}

static int run_all(ss_bench *b, ss_err *err)
{
    if (begin(b, b->out, err) != SS_OK)
        return SS_FAIL;
    ss_bench_resume(b);
    if (measure_all(b, err) != SS_OK)
        return SS_FAIL;
    if (b->out)
        ss_bench_print_end(b, b->out);
    return SS_OK;
}

/* --- the limits alone ------------------------------------------------------------------------- */

static int keep_limits(ss_bench *b, ss_err *err)
{
    for (int round = 0; round < b->rounds; round++)
        if (ss_bench_limits(b, err) != SS_OK)
            return SS_FAIL;
    for (int i = 0; i < b->nlimit; i++)
        b->limits[i].value = ss_bench_median(b->limit[i], b->nsample);
    if (b->out)
        ss_bench_print_head(b, b->out);
    if (ss_limits_save(&b->base, b->limits, b->nlimit, err) != SS_OK)
        return SS_FAIL;
    if (b->out)
        fprintf(b->out, "\nkept for the roofline of runs on %s\n", b->device);
    return SS_OK;
}

/* --- the subcommand --------------------------------------------------------------------------- */

/* The backend of the command line, or the first available one; notice: why it is not another, and
 * the machine that is used. */
static int choose_backend(ss_bench *b, const ss_config *cfg, ss_err *notice, ss_err *err)
{
    ss_config any;
    const ss_param *row = ss_param_find(cfg, "backend", NULL);
    const ss_param *threads = ss_param_find(cfg, "threads", NULL);
    ss_config_default(&any);
    any.v[row->slot] = cfg->v[row->slot];
    any.v[threads->slot] = cfg->v[threads->slot];
    if (ss_config_check(&any, notice, err) != SS_OK)
        return SS_FAIL;
    b->base = *cfg;
    b->base.v[row->slot] = any.v[row->slot];
    b->backend = ss_config_backend(&b->base);
    return SS_OK;
}

static bool is_limits_alone(void)
{
    return ss_config_int(ss_options(), "limits") != 0;
}

static int prepare(ss_bench *b, const ss_config *cfg, bool quiet, ss_err *err)
{
    ss_err notice = {0};
    if (choose_backend(b, cfg, &notice, err) != SS_OK)
        return SS_FAIL;
    if (notice.text[0] && !quiet)
        fprintf(stderr, "stencilscope: %s\n", notice.text);
    b->rounds = (int)ss_config_int(ss_options(), "rounds");
    if (!b->backend->meter)
        return ss_fail(err, "bench does not measure the backend %s: choose another one",
                       b->backend->name);
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
    if (is_limits_alone() && ss_config_given(ss_options(), "paper")) {
        ss_fail(err, "bench: --limits measures no paper: give one of the two");
        return SS_EXIT_USAGE;
    }
    ss_bench *b = ss_alloc(sizeof *b, "bench", err);
    int status = b ? prepare(b, cfg, quiet, err) : SS_FAIL;
    if (status == SS_OK) {
        b->out = quiet ? NULL : stdout;
        b->file = quiet ? NULL : path;
        status = is_limits_alone() ? keep_limits(b, err) : run_all(b, err);
    }
    if (status == SS_OK && path)
        status = ss_json_write(ss_bench_json(b), path, err);
    if (b && b->meter)
        b->backend->meter->close(b->meter);
    if (b)
        free(b->paper);
    free(b);
    return status == SS_OK ? SS_EXIT_OK : SS_EXIT_FAILED;
}
