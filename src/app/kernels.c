/* `stencilscope kernels`: the compiled kernels on disk, compiling them for any GPU, and trying
 * edited ones. Main thread. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/app/cli.h"
#include "src/base/file.h"
#include "src/base/text.h"
#include "src/core/registry.h"
#include "src/core/run.h"
#include "src/core/settings.h"
#include "src/lesson/document.h"
#include "src/run/checkpoint.h"
#include "src/snapshot/snapshot.h"

/* --- try -------------------------------------------------------------------------------------- */

/*
 * `stencilscope kernels try`: an edited text of a kernel file is compiled, runs some cycles, is
 * compared with the CPU bit for bit and timed beside the program's own text. In a process of its
 * own, because such a text may crash the compiler, hang the GPU or ruin this process's context:
 * src/engine/edit.c starts it and reads its lines.
 */

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

static int try_kernel(const ss_backend *backend, int nword, const char *const *word, ss_err *err)
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

/* The first backend that has kernels; NULL: none. */
static const ss_backend *find_backend(void)
{
    for (int i = 0; ss_backends[i]; i++)
        if (ss_backends[i]->kernels)
            return ss_backends[i];
    return NULL;
}

/* --- list ------------------------------------------------------------------------------------- */

typedef struct total {
    int kernels, spilled;
    double bytes, seconds;
} total;

static void print_kernel(const ss_kernel_facts *k, void *ctx)
{
    total *t = ctx;
    const char *file = strrchr(k->file, '/');
    t->kernels++;
    t->spilled += k->local > 0;
    t->bytes += (double)k->bytes;
    t->seconds += k->seconds;
    printf("%-8s %4d %5d %6d %7.1f %6.2f  %s: %s\n", k->target, k->registers, k->local, k->shared,
           (double)k->bytes / 1024, k->seconds, file ? file + 1 : k->file, k->entry);
}

static int list(const ss_kernel_store *store)
{
    total t = {0};
    printf("target   regs local shared      KB      s  kernel\n");
    store->each(print_kernel, &t);
    printf("%d kernels, %.1f MB, %.1f s of compiling; %d with local memory\n", t.kernels,
           t.bytes / 1e6, t.seconds, t.spilled);
    return 0;
}

/* --- fill ------------------------------------------------------------------------------------- */

typedef struct filling {
    const ss_backend *backend;
    bool last;     /* the second pass, which leaves no kernel to other processes */
    int runs;      /* that were prepared */
    ss_err err;    /* of the first kernel that did not compile */
    ss_config cfg; /* of the last run that a command opened, */
    bool open;     /* if there is one */
} filling;

enum { WIDTH = 64, HEIGHT = 32 }; /* of a picture, in cells */

/* What a run computes besides its cycles: pictures, and the residual of a steady problem. Fails if
 * a kernel of these does not compile. */
static int fill_pictures(ss_run *run, ss_err *err)
{
    static const ss_layer layers[] = {SS_VALUE, SS_RESIDUAL, SS_STALENESS};
    static float cell[WIDTH * HEIGHT];
    static uint8_t owner[WIDTH * HEIGHT];
    static ss_picture p;
    double residual;
    bool steady = run->eq->kind == SS_STEADY;
    ss_view view = {.axis = 2, .w = WIDTH, .h = run->problem.ny > 1 ? HEIGHT : 1, .exact = true};
    view.probe_x = view.probe_y = view.tile_x = view.tile_y = -1;
    int status = steady ? run->backend->reduce(run, &residual, NULL, NULL, err) : SS_OK;
    for (size_t i = 0; i < (steady ? sizeof layers / sizeof *layers : 1) && status == SS_OK; i++) {
        view.layer = layers[i];
        p = (ss_picture){.cell = cell, .owner = owner, .w = view.w, .h = view.h};
        status = run->backend->sample(run, &view, &p, err);
    }
    return status == SS_OK || !strstr(err->text, "NVRTC") ? SS_OK : SS_FAIL;
}

/* One run, for the device that this thread pretends to have. A refusal of the run is no failure. */
static int fill_config(filling *f, const char *text, const ss_config *asked)
{
    ss_config cfg = *asked;
    ss_err err = {0};
    bool admitted = ss_config_check(&cfg, NULL, &err) == SS_OK;
    ss_run *run = admitted ? ss_run_open(&cfg, NULL, NULL, &err) : NULL;
    f->runs += run && f->last;
    if (run && fill_pictures(run, &err) == SS_OK)
        err.text[0] = '\0';
    ss_run_close(run);
    if (strstr(err.text, "NVRTC"))
        return ss_fail(&f->err, "%.60s: %.240s", text, err.text);
    if (!run && f->last)
        fprintf(stderr, "not prepared: %s: %s\n", text, err.text);
    return SS_OK;
}

static int fill_run(filling *f, const char *text)
{
    char with[1100];
    ss_err err = {0};
    snprintf(with, sizeof with, "%.1000s --backend %s", text, f->backend->name);
    f->open = ss_cli_run(with, &f->cfg, &err) == SS_OK;
    if (f->open)
        return fill_config(f, text, &f->cfg);
    fprintf(stderr, "not prepared: %s: %s\n", text, err.text);
    return SS_OK;
}

/* Every solver of the backend on every equation. */
static int fill_defaults(filling *f)
{
    char text[160];
    int status = SS_OK;
    for (int e = 0; ss_equations[e] && status == SS_OK; e++)
        for (int s = 0; ss_solvers[s] && status == SS_OK; s++)
            for (int p = 0; p < 2 && status == SS_OK; p++)
                if (ss_matrix(ss_equations[e], ss_solvers[s], f->backend, NULL)) {
                    snprintf(text, sizeof text, "%s %s --precision %s", ss_equations[e]->name,
                             ss_solvers[s]->name, p ? "f32" : "f64");
                    status = fill_run(f, text);
                }
    return status;
}

/* Opens the run of a lesson or a preset on the CPU, whose parameters some of them have, and moves
 * it.
 */
static bool open_for(filling *f, const ss_cmd *cmd, ss_err *err)
{
    ss_config_default(&f->cfg);
    ss_lesson_config(&f->cfg);
    return ss_open_words(cmd, &f->cfg, err) == SS_OK &&
           ss_config_set(&f->cfg, "backend", f->backend->name, err) == SS_OK;
}

/* Commands that change which kernels run: open, add, set. */
static int fill_command(filling *f, const ss_cmd *cmd)
{
    char line[SS_CMD_TEXT];
    ss_err err = {0};
    if (cmd->verb->flags & SS_V_OPENS)
        f->open = open_for(f, cmd, &err);
    else if (cmd->verb->id != SS_VERB_SET || !f->open ||
             ss_config_set(&f->cfg, cmd->arg[0], cmd->arg[1], &err) != SS_OK)
        return SS_OK;
    ss_cmd_format(cmd, line, sizeof line);
    if (f->open)
        return fill_config(f, line, &f->cfg);
    fprintf(stderr, "not prepared: %s: %s\n", line, err.text);
    return SS_OK;
}

static int fill_script(filling *f, const ss_script *s)
{
    for (int i = 0; i < s->count; i++)
        if (fill_command(f, s->cmd[i]) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

static int fill_lessons(filling *f)
{
    static const ss_lesson_kind kinds[] = {SS_L_SCENARIO, SS_L_DO, SS_L_SOLUTION};
    const struct ss_embed *e;
    int status = SS_OK;
    for (int i = 0; (e = ss_lesson_embedded(i)) && status == SS_OK; i++) {
        ss_lesson *l = ss_lesson_parse(e->name, (const char *)e->data, e->size, &f->err);
        for (int k = 0; l && k < 3 * l->nstep && status == SS_OK; k++)
            status = fill_script(f, &l->step[k / 3].commands[kinds[k % 3]]);
        ss_lesson_free(l);
    }
    return status;
}

/* The commands of a preset are the last part of its line. */
static int fill_presets(filling *f)
{
    char commands[640], *save = NULL;
    const char *text = ss_embed_text("assets/data/presets.txt");
    for (; text && *text; text += strcspn(text, "\n"), text += *text == '\n') {
        if (sscanf(text, "%*[^|#\n] | %*[^|\n] | %*[^|\n] | %639[^\n]", commands) != 1)
            continue;
        for (char *c = strtok_r(commands, ";", &save); c; c = strtok_r(NULL, ";", &save)) {
            ss_cmd cmd;
            if (ss_cmd_parse(c, &cmd, &f->err) == SS_OK && fill_command(f, &cmd) != SS_OK)
                return SS_FAIL;
        }
    }
    return SS_OK;
}

static int fill_all(filling *f, int nrun, const char *const *run)
{
    if (nrun == 0)
        return fill_presets(f) == SS_OK && fill_lessons(f) == SS_OK ? fill_defaults(f) : SS_FAIL;
    for (int i = 0; i < nrun; i++)
        if (fill_run(f, run[i]) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

/* The next of a list as "75,90,120-ptx"; false: that is none. */
static bool next_target(const char **list, int *capability, bool *ptx)
{
    char *end;
    long value = strtol(*list, &end, 10);
    *capability = (int)value;
    *ptx = strncmp(end, "-ptx", 4) == 0;
    end += *ptx ? 4 : 0;
    if (end == *list || (*end != ',' && *end != '\0') || value < 75 || value > 999)
        return false;
    *list = *end ? end + 1 : end;
    return true;
}

/* Two passes for each target: several processes that are given the same runs divide the kernels. */
static int fill(const ss_backend *backend, int nword, const char *const *word, ss_err *err)
{
    const char *at = nword > 0 ? word[0] : "";
    filling f = {.backend = backend};
    do {
        int capability;
        bool ptx;
        if (!next_target(&at, &capability, &ptx))
            return ss_fail(err,
                           "kernels fill: '%.40s' is no list of compute capabilities from 75 on, "
                           "as 75,90 or 90-ptx",
                           nword > 0 ? word[0] : ""),
                   2;
        for (int pass = 0; pass < 2; pass++) {
            if (backend->kernels->pretend(capability, ptx, pass == 0, err) != SS_OK)
                return 1;
            f.last = pass == 1;
            int status = fill_all(&f, nword - 1, word + 1);
            backend->kernels->pretend_end();
            if (status != SS_OK)
                return *err = f.err, 1;
        }
    } while (*at);
    printf("prepared runs: %d\n", f.runs);
    return 0;
}

/* --- show ------------------------------------------------------------------------------------- */

/* The run is prepared for the device that this thread pretends to have. */
static int show_run(const ss_backend *backend, const char *text, ss_err *err)
{
    char with[1100];
    ss_config cfg;
    ss_running_kernel k;
    snprintf(with, sizeof with, "%.1000s --backend %s", text, backend->name);
    ss_run *run = ss_cli_run(with, &cfg, err) == SS_OK && ss_config_check(&cfg, NULL, err) == SS_OK
                      ? ss_run_open(&cfg, NULL, NULL, err)
                      : NULL;
    if (!run)
        return 1;
    for (int i = 0; backend->kernel_of(run, i, &k); i++) {
        char facts[SS_KERNEL_FACTS][SS_KERNEL_FACT];
        int n = ss_kernel_facts_of(&k, facts);
        for (int line = 0; line < n; line++)
            printf("%s%s\n", i > 0 && line == 0 ? "\n" : "", facts[line]);
        size_t begin = k.text ? ss_kernel_begin(k.text, k.entry) : 0;
        if (k.text)
            printf("\n%.*s", (int)(ss_kernel_end(k.text, begin) - begin), k.text + begin);
    }
    ss_run_close(run);
    return 0;
}

static int show(const ss_backend *backend, int nword, const char *const *word, ss_err *err)
{
    const char *at = nword > 0 ? word[0] : "";
    int capability;
    bool ptx;
    if (nword != 2 || !next_target(&at, &capability, &ptx) || *at)
        return ss_fail(err, "kernels show takes a compute capability from 75 on and a run: "
                            "kernels show 90 'poisson2d jacobi'"),
               2;
    if (backend->kernels->pretend(capability, ptx, false, err) != SS_OK)
        return 1;
    int status = show_run(backend, word[1], err);
    backend->kernels->pretend_end();
    return status;
}

int ss_kernels_main(const ss_config *cfg, int nword, const char *const *word, ss_err *err)
{
    const ss_backend *backend = find_backend();
    const char *verb = nword > 0 ? word[0] : "list";
    (void)cfg;
    if (!backend)
        return ss_fail(err, "no backend of this program compiles kernels"), 1;
    if (strcmp(verb, "list") == 0 && nword < 2)
        return list(backend->kernels);
    if (strcmp(verb, "clear") == 0 && nword == 1) {
        printf("%d kernels were removed\n", backend->kernels->clear());
        return 0;
    }
    if (strcmp(verb, "fill") == 0)
        return fill(backend, nword - 1, word + 1, err);
    if (strcmp(verb, "show") == 0)
        return show(backend, nword - 1, word + 1, err);
    if (strcmp(verb, "try") == 0)
        return try_kernel(backend, nword - 1, word + 1, err);
    return ss_fail(err, "kernels: '%.40s' is none of list, clear, show, try and fill", verb), 2;
}
