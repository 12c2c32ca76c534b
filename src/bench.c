/* Measurements: see bench.h. A case is a command line; its figures are taken round by round. */
#include "src/bench.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/cpu/isa.h"
#include "kernels/cpu/stream.h"
#include "src/options.h"
#include "src/outfile.h"
#include "src/registry.h"
#include "src/run.h"

enum { OK = 0, FAILED = 1 };

#define ROUNDS_MAX 99
#define SAMPLE_TIME 0.25 /* seconds of work behind one figure, at least */

ss_param ss_bench_rows[] = {
    {.name = "rounds",
     .symbol = "rounds",
     .unit = "",
     .group = "Bench",
     .type = SS_INT,
     .help = "rounds of bench, which prints medians over them",
     .flags = SS_P_APP,
     .def = 5,
     .min = 1,
     .max = ROUNDS_MAX,
     .step = 1},
};
const int ss_nbench = sizeof ss_bench_rows / sizeof *ss_bench_rows;

/* Cases of a group share one field; the first one is what the others are compared with. */
typedef struct bench_case {
    const char *set[12]; /* name, value, ... */
} bench_case;

#define CASES_MAX 6
typedef struct bench_group {
    const char *equation, *precision;
    int64_t n; /* unless --n is given */
    bench_case cases[CASES_MAX];
    int count;
} bench_group;

#define TILES(BX, BY)                                                                              \
    {                                                                                              \
        {                                                                                          \
            "solver", "shared", "k", "16", "block", BX, "block-y", BY, "overlap", "30"             \
        }                                                                                          \
    }
#define CASES_2D                                                                                   \
    {{{"solver", "jacobi"}}, {{"solver", "shared"}}, TILES("128", "128"),                          \
     TILES("256", "128"),    TILES("256", "512"),    TILES("512", "512")},                         \
        6
#define LINE(B)                                                                                    \
    {                                                                                              \
        {                                                                                          \
            "solver", "shared", "k", "16", "block", B, "overlap", "30"                             \
        }                                                                                          \
    }
#define CASES_1D {{{"solver", "jacobi"}}, {{"solver", "shared"}}, LINE("1024"), LINE("4096")}, 4

static const bench_group groups[] = {
    {"poisson2d", "f64", 8192, CASES_2D},
    {"poisson2d", "f32", 8192, CASES_2D},
    {"poisson1d", "f64", 1 << 26, CASES_1D},
    {"poisson1d", "f32", 1 << 26, CASES_1D},
};
#define GROUPS ((int)(sizeof groups / sizeof *groups))

/* Figures of a case, one a round. */
typedef struct figures {
    double iteration[ROUNDS_MAX]; /* seconds per iteration, no norm */
    double checked[ROUNDS_MAX];   /* the same with a norm every cycle */
    double triad[ROUNDS_MAX];     /* bytes a second, measured just before */
    double speedup[ROUNDS_MAX];   /* over the first case of the group */
    double bytes;                 /* the ledger's, per iteration */
    double updates;               /* useful ones, per iteration */
    char label[96];
} figures;

typedef struct bench {
    ss_config cpu; /* what was asked for, on the CPU */
    const ss_config *base;
    int rounds, threads;
    bool progress;
    int done, all;
    ss_triad arrays;
    double triad[ROUNDS_MAX], triad_stream[ROUNDS_MAX], copy[ROUNDS_MAX];
    figures figures[GROUPS][CASES_MAX];
    int64_t n[GROUPS];
    char device[80];
} bench;

/* --- numbers ---------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const double *v, int n)
{
    double sorted[ROUNDS_MAX];
    memcpy(sorted, v, (size_t)n * sizeof *v);
    qsort(sorted, (size_t)n, sizeof *sorted, ascending);
    return n % 2 ? sorted[n / 2] : 0.5 * (sorted[n / 2 - 1] + sorted[n / 2]);
}

/* Median of a[i] / b[i]: what one round says about two kernels. */
static double median_ratio(const double *a, const double *b, int n)
{
    double ratio[ROUNDS_MAX] = {0};
    for (int i = 0; i < n; i++)
        ratio[i] = a[i] / b[i];
    return median(ratio, n);
}

/* The ledger's bandwidth as a fraction of the triad of the same round. */
static double triad_fraction(const figures *f, int rounds)
{
    double fraction[ROUNDS_MAX] = {0};
    for (int i = 0; i < rounds; i++)
        fraction[i] = f->bytes / f->iteration[i] / f->triad[i];
    return median(fraction, rounds);
}

static void advance(bench *b)
{
    static const char full[] = "########################################";
    b->done++;
    if (!b->progress)
        return;
    int width = (int)sizeof full - 1, filled = width * b->done / b->all;
    fprintf(stderr, "\r[%-*.*s] %3d %%", width, filled, full, 100 * b->done / b->all);
    if (b->done == b->all)
        fprintf(stderr, "\r%*s\r", width + 8, "");
    fflush(stderr);
}

/* --- one measurement -------------------------------------------------------------------------- */

static int case_config(const bench *b, int group, int index, ss_config *cfg, ss_err *err)
{
    const bench_group *g = &groups[group];
    const char *const *set = g->cases[index].set;
    char n[24];
    snprintf(n, sizeof n, "%lld", (long long)b->n[group]);
    *cfg = *b->base;
    if (ss_config_set(cfg, "equation", g->equation, err) != SS_OK ||
        ss_config_set(cfg, "precision", g->precision, err) != SS_OK ||
        ss_config_set(cfg, "n", n, err) != SS_OK)
        return SS_FAIL;
    for (; *set; set += 2)
        if (ss_config_set(cfg, set[0], set[1], err) != SS_OK)
            return SS_FAIL;
    return ss_config_check(cfg, NULL, err);
}

/* Seconds per iteration, over at least SAMPLE_TIME. */
static int time_iteration(ss_run *run, int64_t check_every, double *out, ss_err *err)
{
    int64_t cycles = 1;
    run->check_every = check_every;
    for (;; cycles *= 2) {
        double start = ss_clock();
        if (ss_run_step(run, cycles, err) != SS_OK)
            return SS_FAIL;
        double seconds = ss_clock() - start;
        *out = seconds / (double)(cycles * run->iterations_per_cycle);
        if (run->status != SS_RUNNING)
            return ss_fail(err, "bench: %s", run->message);
        if (seconds >= SAMPLE_TIME)
            return SS_OK;
    }
}

static int measure_case(bench *b, ss_run *run, int group, int index, int round, ss_err *err)
{
    ss_config cfg;
    figures *f = &b->figures[group][index];
    if (case_config(b, group, index, &cfg, err) != SS_OK ||
        ss_run_configure(run, &cfg, err) != SS_OK)
        return SS_FAIL;
    run->tol = 0;
    run->max_seconds = 0;
    run->max_cycles = -1;
    run->check_every = 0;
    if (ss_run_step(run, 1, err) != SS_OK || /* warms up */
        time_iteration(run, 0, &f->iteration[round], err) != SS_OK ||
        time_iteration(run, 1, &f->checked[round], err) != SS_OK)
        return SS_FAIL;
    f->triad[round] = b->triad[round];
    f->speedup[round] = b->figures[group][0].iteration[round] / f->iteration[round];
    f->bytes = run->per_cycle.global_bytes / run->iterations_per_cycle;
    f->updates = (double)run->problem.nx * run->problem.ny;
    advance(b);
    return SS_OK;
}

static void measure_triad(bench *b, int round)
{
    ss_triad_plain(&b->arrays);
    b->triad[round] = ss_triad_plain(&b->arrays);
    b->triad_stream[round] = ss_triad_stream(&b->arrays);
    b->copy[round] = ss_triad_copy(&b->arrays);
    for (int i = 0; i < 4; i++) {
        b->triad[round] = fmax(b->triad[round], ss_triad_plain(&b->arrays));
        b->triad_stream[round] = fmax(b->triad_stream[round], ss_triad_stream(&b->arrays));
        b->copy[round] = fmax(b->copy[round], ss_triad_copy(&b->arrays));
    }
    advance(b);
}

static int measure_group(bench *b, int group, ss_err *err)
{
    ss_config cfg;
    if (case_config(b, group, 0, &cfg, err) != SS_OK)
        return SS_FAIL;
    ss_run *run = ss_run_open(&cfg, NULL, NULL, err);
    if (!run)
        return SS_FAIL;
    int status = SS_OK;
    for (int round = 0; round < b->rounds && status == SS_OK; round++) {
        measure_triad(b, round);
        for (int i = 0; i < groups[group].count && status == SS_OK; i++)
            status = measure_case(b, run, group, i, round, err);
    }
    ss_run_close(run);
    return status;
}

/* --- what is measured ------------------------------------------------------------------------- */

/* "shared k=16 block=256 block-y=128 overlap=30" */
static void write_label(figures *f, const bench_case *c)
{
    int n = snprintf(f->label, sizeof f->label, "%s", c->set[1]);
    for (int i = 2; c->set[i] && n < (int)sizeof f->label; i += 2)
        n +=
            snprintf(f->label + n, sizeof f->label - (size_t)n, " %s=%s", c->set[i], c->set[i + 1]);
}

/* The largest n, halved from what was asked, that fits beside the triad's arrays. */
static int choose_size(bench *b, int group, FILE *say, ss_err *err)
{
    const ss_param *row = ss_param_find(b->base, "n", NULL);
    ss_config cfg;
    char what[64];
    b->n[group] = b->base->v[row->slot].set ? b->base->v[row->slot].i : groups[group].n;
    int64_t asked = b->n[group];
    double room =
        ss_config_backend(b->base)->memory(what, sizeof what) - 12.0 * (double)b->arrays.n;
    for (;; b->n[group] /= 2) {
        if (case_config(b, group, 0, &cfg, err) == SS_OK && ss_config_bytes(&cfg) <= 0.9 * room)
            break;
        if (b->n[group] <= 64)
            return SS_FAIL;
    }
    if (b->n[group] != asked && say)
        fprintf(say, "%s %s: n = %lld instead of %lld, to fit the %s\n", groups[group].equation,
                groups[group].precision, (long long)b->n[group], (long long)asked, what);
    return SS_OK;
}

static int prepare(bench *b, const ss_config *cfg, FILE *say, ss_err *err)
{
    char what[64];
    const ss_param *rounds = ss_param_find(cfg, "rounds", NULL);
    int64_t threads = ss_config_int(cfg, "threads"), asked = ss_config_int(cfg, "backend");
    b->cpu = *cfg;
    if (ss_config_set(&b->cpu, "backend", "cpu", err) != SS_OK)
        return SS_FAIL;
    if (asked != 0 && asked != ss_config_int(&b->cpu, "backend"))
        return ss_fail(err, "bench measures the CPU so far: leave --backend out, or say cpu");
    b->base = &b->cpu;
    const ss_backend *cpu = ss_config_backend(b->base);
    b->rounds = rounds ? (int)ss_config_value(ss_options(), rounds).i : 5;
    b->threads = threads > 0 ? (int)threads : ss_processors();
    b->progress = isatty(STDERR_FILENO);
    cpu->describe(cfg, b->device, sizeof b->device);
    if (ss_triad_open(&b->arrays, b->threads, 0.4 * cpu->memory(what, sizeof what), err) != SS_OK)
        return SS_FAIL;
    for (int g = 0; g < GROUPS; g++) {
        if (choose_size(b, g, say, err) != SS_OK)
            return SS_FAIL;
        for (int i = 0; i < groups[g].count; i++)
            write_label(&b->figures[g][i], &groups[g].cases[i]);
        b->all += b->rounds * (1 + groups[g].count);
    }
    return SS_OK;
}

/* --- what is printed -------------------------------------------------------------------------- */

static void print_row(const bench *b, int group, int index, FILE *out)
{
    const figures *f = &b->figures[group][index];
    char time[32], rate[32];
    double seconds = median(f->iteration, b->rounds);
    fprintf(out, "  %-46s %10s %11s %7.1f %7.2f %8.2f %8.1f %%\n", f->label,
            ss_format_si(seconds, "s", time, sizeof time),
            ss_format_si(f->updates / seconds, "pt/s", rate, sizeof rate),
            f->bytes / seconds * 1e-9, triad_fraction(f, b->rounds), median(f->speedup, b->rounds),
            100 * (median_ratio(f->checked, f->iteration, b->rounds) - 1));
}

static void print_table(const bench *b, FILE *out)
{
    char bytes[32];
    fprintf(out, "%s, %s instructions, medians of %d rounds\n\n", b->device,
            ss_isa_name(ss_isa_level()), b->rounds);
    fprintf(out,
            "  triad a = b + s c, arrays of %s: %.1f GB/s (non-temporal stores: %.1f; "
            "copy: %.1f)\n",
            ss_format_bytes((double)b->arrays.n * 8, bytes, sizeof bytes),
            median(b->triad, b->rounds) * 1e-9, median(b->triad_stream, b->rounds) * 1e-9,
            median(b->copy, b->rounds) * 1e-9);
    for (int g = 0; g < GROUPS; g++) {
        fprintf(out, "\n%s %s, n = %lld\n  %-46s %10s %11s %7s %7s %8s %10s\n", groups[g].equation,
                groups[g].precision, (long long)b->n[g], "", "iteration", "useful", "GB/s",
                "triads", "speed-up", "norm costs");
        for (int i = 0; i < groups[g].count; i++)
            print_row(b, g, i, out);
    }
    fprintf(out,
            "\n  iteration: per iteration, no norm; GB/s: traffic by the ledger; triads: that, as\n"
            "  a fraction of the triad; speed-up: per iteration over jacobi, round by round;\n"
            "  norm costs: with the residual looked at every cycle.\n");
}

static json_t *case_json(const bench *b, int group, int index)
{
    const figures *f = &b->figures[group][index];
    double seconds = median(f->iteration, b->rounds);
    json_t *params = json_object();
    for (const char *const *set = groups[group].cases[index].set + 2; *set; set += 2)
        json_object_set_new(params, set[0], json_integer(atoll(set[1])));
    return json_pack("{s:s,s:s,s:s,s:I,s:o,s:f,s:f,s:f,s:f,s:f,s:f}", "equation",
                     groups[group].equation, "precision", groups[group].precision, "solver",
                     groups[group].cases[index].set[1], "n", (json_int_t)b->n[group], "params",
                     params, "seconds_per_iteration", seconds, "points_per_second",
                     f->updates / seconds, "bytes_per_second", f->bytes / seconds, "triad_fraction",
                     triad_fraction(f, b->rounds), "speedup", median(f->speedup, b->rounds),
                     "norm_cost", median_ratio(f->checked, f->iteration, b->rounds) - 1);
}

static char *json_text(const bench *b)
{
    json_t *cases = json_array();
    for (int g = 0; g < GROUPS; g++)
        for (int i = 0; i < groups[g].count; i++)
            json_array_append_new(cases, case_json(b, g, i));
    json_t *o = json_pack("{s:s,s:i,s:s,s:i,s:f,s:f,s:f,s:I,s:o}", "device", b->device, "threads",
                          b->threads, "instructions", ss_isa_name(ss_isa_level()), "rounds",
                          b->rounds, "triad", median(b->triad, b->rounds), "triad_stream",
                          median(b->triad_stream, b->rounds), "copy", median(b->copy, b->rounds),
                          "triad_array_bytes", 8 * (json_int_t)b->arrays.n, "cases", cases);
    char *line = o ? json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(o);
    return line;
}

static int write_json(const bench *b, const char *path, ss_err *err)
{
    ss_outfile f;
    bool standard = strcmp(path, "-") == 0;
    char *line = json_text(b);
    int status = line ? SS_OK : ss_fail(err, "out of memory");
    if (line && standard) {
        if (printf("%s\n", line) < 0 || fflush(stdout) != 0)
            status = ss_fail(err, "cannot write to stdout: %s", strerror(errno));
    } else if (line && (status = ss_outfile_open(&f, path, err)) == SS_OK) {
        fprintf(f.stream, "%s\n", line);
        status = ss_outfile_close(&f, true, err);
    }
    free(line);
    return status;
}

int ss_bench_run(const ss_config *cfg, ss_err *err)
{
    const char *json = ss_config_text(ss_options(), "json");
    bool table = !json || strcmp(json, "-") != 0;
    bench *b = ss_alloc(sizeof *b, "bench", err);
    int status = b ? prepare(b, cfg, table ? stdout : NULL, err) : SS_FAIL;
    for (int g = 0; g < GROUPS && status == SS_OK; g++)
        status = measure_group(b, g, err);
    if (status == SS_OK && table)
        print_table(b, stdout);
    if (status == SS_OK && json)
        status = write_json(b, json, err);
    if (b)
        ss_triad_close(&b->arrays);
    free(b);
    return status == SS_OK ? OK : FAILED;
}
