/*
 * `stencilscope kernels try`: an edited text of a kernel file is compiled, runs some cycles, is
 * compared with the CPU bit for bit and timed beside the program's own text. In a process of its
 * own, because such a text may crash the compiler, hang the GPU or ruin this process's context:
 * src/engine/edit.c starts it and reads its lines. Main thread.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/app/cli.h"
#include "src/app/docs.h"
#include "src/base/file.h"
#include "src/core/registry.h"
#include "src/core/run.h"
#include "src/run/checkpoint.h"

#define CYCLES 3    /* that are compared */
#define SAMPLE 5e-4 /* seconds of one sample: the GPU may be shared, and its slices are short */
#define SAMPLES 30  /* of each text; the least counts */
#define ENOUGH 2.0  /* seconds of all samples */
#define MOST_BYTES 4000000 /* of a text */

/* The largest n for which the CPU computes the cycles too, by the dimensions. */
static const int64_t most_points[] = {[1] = 1 << 20, [2] = 1024, [3] = 96};

typedef struct trial {
    const ss_backend *backend;
    const char *file;
    char *text;
    ss_config cfg;
    ss_run *edited, *own; /* own: of the program's own text */
} trial;

static void say(const char *line)
{
    printf("%s\n", line);
    fflush(stdout);
}

/* Only cycles count: no limits, no norms, no copies for pictures. */
static ss_run *open_bare(const ss_config *cfg, ss_err *err)
{
    ss_run *run = ss_run_open(cfg, NULL, NULL, err);
    if (!run)
        return NULL;
    run->tol = run->until_accuracy = run->until_error = 0;
    run->max_seconds = run->max_time = 0;
    run->max_cycles = -1;
    run->check_every = 0;
    run->unseen = true;
    if (ss_run_prepare_again(run, err) == SS_OK)
        return run;
    ss_run_close(run);
    return NULL;
}

/* --- the field -------------------------------------------------------------------------------- */

/* A row of whole numbers becomes at most `most`. */
static void limit(ss_config *cfg, const char *name, int64_t most)
{
    bool applies;
    const ss_param *row = ss_param_find(cfg, name, &applies);
    if (applies && ss_config_value(cfg, row).i > most)
        cfg->v[row->slot] = (ss_value){.i = most, .set = true};
}

static int compare_fields(ss_run *gpu, ss_run *cpu, ss_bits *bits, ss_err *err)
{
    char *a = ss_field_download(gpu), *b = ss_field_download(cpu);
    bool read = a && b, same = read && memcmp(a, b, ss_field_bytes(cpu)) == 0;
    free(a);
    free(b);
    if (!same)
        *bits = SS_BITS_DIFFER;
    return read ? SS_OK : ss_fail(err, "the fields cannot be read");
}

/* A run that believes a wrong norm stops too early, or never. */
static int compare_norms(const ss_run *gpu, const ss_run *cpu, ss_err *err)
{
    bool known = cpu->residual_cycle >= 0 && gpu->residual_cycle == cpu->residual_cycle;
    if (!known || fabs(gpu->residual - cpu->residual) <= 1e-6 * cpu->residual)
        return SS_OK;
    return ss_fail(err, "its fields have the CPU's bits, but its residual is %.6g, not %.6g",
                   gpu->residual, cpu->residual);
}

/* Some cycles without norms, and as many with one each: they have kernels of their own. */
static int compare_runs(ss_run *gpu, ss_run *cpu, ss_bits *bits, ss_err *err)
{
    for (int every = 0; every < 2 && *bits == SS_BITS_SAME; every++) {
        gpu->check_every = cpu->check_every = every;
        if (ss_run_step(gpu, CYCLES, err) != SS_OK || ss_run_step(cpu, CYCLES, err) != SS_OK ||
            compare_fields(gpu, cpu, bits, err) != SS_OK)
            return SS_FAIL;
    }
    return *bits == SS_BITS_SAME ? compare_norms(gpu, cpu, err) : SS_OK;
}

static int compare_with(const trial *t, const ss_config *cfg, ss_bits *bits, ss_err *err)
{
    ss_config other;
    int status = SS_FAIL;
    ss_run *gpu = open_bare(cfg, err), *cpu = NULL;
    if (gpu && ss_fallback(cfg, t->backend, gpu->ops, &other, err) == SS_OK)
        cpu = open_bare(&other, err);
    if (cpu)
        status = compare_runs(gpu, cpu, bits, err);
    ss_run_close(cpu);
    ss_run_close(gpu);
    return status;
}

/* The problem of the run and, because symmetric data hide errors, a random one. Solvers whose
 * result depends on the order of their blocks have no such field. */
static int compare(const trial *t, ss_bits *bits, ss_err *err)
{
    ss_config cfg = t->cfg;
    int64_t most = most_points[t->edited->eq->dim];
    *bits = t->edited->ops->caps & SS_CAP_EXACT ? SS_BITS_SAME : SS_BITS_UNKNOWN;
    limit(&cfg, "n", most);
    limit(&cfg, "ny", most);
    if (*bits == SS_BITS_UNKNOWN || ss_config_check(&cfg, NULL, err) != SS_OK)
        return *bits == SS_BITS_UNKNOWN ? SS_OK : SS_FAIL;
    if (compare_with(t, &cfg, bits, err) != SS_OK)
        return SS_FAIL;
    if (*bits == SS_BITS_DIFFER)
        return SS_OK;
    bool random = ss_config_set_of_run(&cfg, "problem", "random", NULL) == SS_OK &&
                  ss_config_check(&cfg, NULL, NULL) == SS_OK;
    return random ? compare_with(t, &cfg, bits, err) : SS_OK;
}

/* --- the time --------------------------------------------------------------------------------- */

/* Seconds per cycle of some cycles; the least remains in *least. */
static int sample(ss_run *run, int64_t cycles, double *least, ss_err *err)
{
    double before = run->seconds_solve;
    int64_t cycle = run->cycle;
    if (ss_run_step(run, cycles, err) != SS_OK)
        return SS_FAIL;
    if (run->cycle == cycle)
        return ss_fail(err, "its run does not advance");
    *least = fmin(*least, (run->seconds_solve - before) / (double)(run->cycle - cycle));
    return SS_OK;
}

/* At most n samples of each, in turn; the least remain. */
static int sample_both(trial *t, int n, int64_t cycles, double *edited, double *own, ss_err *err)
{
    double until = ss_clock() + ENOUGH;
    *edited = *own = INFINITY;
    for (int i = 0; i < n && (i == 0 || ss_clock() < until); i++)
        if (sample(t->edited, cycles, edited, err) != SS_OK ||
            sample(t->own, cycles, own, err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

/* Single cycles tell how many a sample has. */
static int measure(trial *t, double *edited, double *own, ss_err *err)
{
    if (sample_both(t, 3, 1, edited, own, err) != SS_OK)
        return SS_FAIL;
    return sample_both(t, SAMPLES, (int64_t)fmax(1, SAMPLE / fmax(*own, 1e-7)), edited, own, err);
}

/* --- all of it -------------------------------------------------------------------------------- */

static int begin(trial *t, ss_err *err)
{
    char line[64];
    snprintf(line, sizeof line, "text %016llx",
             (unsigned long long)ss_crc64(0, t->text, strlen(t->text)));
    say(line);
    if (t->backend->kernels->edit(t->file, t->text, err) != SS_OK ||
        !(t->edited = open_bare(&t->cfg, err)))
        return SS_FAIL;
    if (ss_run_edited_now(t->edited) == 0)
        return ss_fail(err, "no kernel of this run has the file %.80s", t->file);
    say("compiled");
    if (ss_run_step(t->edited, CYCLES, err) != SS_OK)
        return SS_FAIL;
    say("finished");
    return SS_OK;
}

/* The run with the edited text keeps its kernels. */
static int finish(trial *t, ss_err *err)
{
    static const char *const words[] = {
        [SS_BITS_UNKNOWN] = "unknown", [SS_BITS_SAME] = "same", [SS_BITS_DIFFER] = "differ"};
    ss_bits bits;
    double edited, own;
    if (compare(t, &bits, err) != SS_OK || t->backend->kernels->edit(NULL, NULL, err) != SS_OK ||
        !(t->own = open_bare(&t->cfg, err)) || measure(t, &edited, &own, err) != SS_OK)
        return SS_FAIL;
    printf("bits %s\ncycle %.9g\nbuilt-in %.9g\n", words[bits], edited, own);
    return SS_OK;
}

int ss_kernels_try(const ss_backend *backend, int nword, const char *const *word, ss_err *err)
{
    char with[1100];
    trial t = {.backend = backend};
    if (nword != 3)
        return ss_fail(err, "kernels try takes a kernel file of the program, an edited copy and a "
                            "run: kernels try kernels/cuda/jacobi/ladder.cuh ladder.cuh "
                            "'poisson2d jacobi'"),
               2;
    t.file = word[0];
    t.text = ss_infile_text(word[1], MOST_BYTES, err);
    snprintf(with, sizeof with, "%.1000s --backend %s", word[2], backend->name);
    bool ready = t.text && backend->probe(err) == SS_OK && ss_cli_run(with, &t.cfg, err) == SS_OK &&
                 ss_config_check(&t.cfg, NULL, err) == SS_OK;
    int status = ready && begin(&t, err) == SS_OK ? finish(&t, err) : SS_FAIL;
    ss_run_close(t.own);
    ss_run_close(t.edited);
    free(t.text);
    return status == SS_OK ? 0 : 1;
}
