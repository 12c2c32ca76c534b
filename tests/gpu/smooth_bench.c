/*
 * Times of the block smoothers on the GPU: `make bench-smooth`, build/release/tests/smooth_bench.
 * 64 patches of 64^3 (-p, -n), every form and block size; a step by replay of a graph of ten, the
 * median of seven. It prints billions of cells per second. To be started where the sources are: it
 * compiles their kernels, not those that were built in.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/device/loader.h"
#include "kernels/cuda/device/names.h"
#include "tests/gpu/smooth_kit.h"

#define STEPS 10
#define ROUNDS 7

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double median(double *times, int n)
{
    qsort(times, (size_t)n, sizeof *times, compare);
    return times[n / 2];
}

static void say_failed(const ss_err *err)
{
    printf("failed: %s\n", err->text);
    fflush(stdout);
}

/* --- the domain ------------------------------------------------------------------------------- */

typedef struct domain {
    ss_patch *patch;
    int patches;
    size_t count;
    double cells;
    ss_prec prec;
    void *u[2], *rhs;
    double *norm2;
    ss_cu_stream stream;
    ss_cu_event begin, end;
    ss_cuda_kept kept; /* the arrays, the stream, the events */
} domain;

/* across^3 coupled patches of n^3, rows at multiples of `line` elements. */
static int lay_out(domain *d, ss_prec prec, int across, int n, int line, ss_err *err)
{
    *d = (domain){.prec = prec, .patches = across * across * across};
    d->patch = ss_alloc((size_t)d->patches * sizeof *d->patch, "patches", err);
    if (!d->patch)
        return SS_FAIL;
    for (int q = 0; q < d->patches; q++) {
        const int at[3] = {q % across, q / across % across, q / across / across};
        ss_patch *p = &d->patch[q];
        *p = ss_patch_make(n, n, n, at[0] * n, at[1] * n, at[2] * n);
        for (int s = 0, stride = 1; s < 6; s += 2, stride *= across) {
            p->side[s] = at[s / 2] > 0 ? q - stride : SS_WALL_SIDE;
            p->side[s + 1] = at[s / 2] + 1 < across ? q + stride : SS_WALL_SIDE;
        }
    }
    d->count = ss_patches_layout(d->patch, d->patches, line);
    d->cells = (double)d->patches * n * n * n;
    return SS_OK;
}

/* A kernel of smooth_bench.cuh. */
static int find(ss_cuda_kernel *k, const char *name, ss_prec prec, ss_err *err)
{
    char entry[32];
    ss_cuda_source source = {"tests/gpu/smooth_bench.cuh", entry};
    snprintf(entry, sizeof entry, "%s<%s>", name, prec == SS_F64 ? "double" : "float");
    k->threads.x = 256;
    k->ordinary = true;
    return ss_cuda_kernel_find(k, &source, err);
}

static int fill_all(domain *d, ss_err *err)
{
    ss_cuda_kernel fill = {.blocks = {1024, 1, 1}};
    void *const arrays[] = {d->u[0], d->u[1], d->rhs};
    if (find(&fill, "fill_array", d->prec, err) != SS_OK)
        return SS_FAIL;
    for (unsigned i = 0; i < 3; i++) {
        unsigned seed = i + 1;
        ss_cuda_launch_kernel(&fill, d->stream, SS_ARGUMENTS(&arrays[i], &d->count, &seed));
    }
    SS_CUDA(ss_cuda_launch_error());
    SS_CUDA(ss_cu->stream_wait(d->stream));
    return SS_OK;
}

static int make_arrays(domain *d, ss_err *err)
{
    size_t bytes = d->count * ss_prec_size(d->prec);
    if (ss_cuda_keep(&d->kept, &d->u[0], bytes, "u", err) != SS_OK ||
        ss_cuda_keep(&d->kept, &d->u[1], bytes, "u", err) != SS_OK ||
        ss_cuda_keep(&d->kept, &d->rhs, bytes, "rhs", err) != SS_OK ||
        ss_cuda_keep(&d->kept, (void **)&d->norm2, sizeof *d->norm2, "norm", err) != SS_OK ||
        ss_cuda_keep_stream(&d->kept, &d->stream, err) != SS_OK ||
        ss_cuda_keep_event(&d->kept, &d->begin, 0, err) != SS_OK ||
        ss_cuda_keep_event(&d->kept, &d->end, 0, err) != SS_OK)
        return SS_FAIL;
    return fill_all(d, err);
}

static void free_domain(domain *d)
{
    ss_cuda_kept_free(&d->kept);
    free(d->patch);
}

/* --- timing ----------------------------------------------------------------------------------- */

/* What is timed: a smoother, or one of the others. */
typedef struct subject {
    const domain *d;
    ss_cuda_smooth *smooth;
    ss_cuda_ghosts *ghosts;
    bool once; /* the smoother goes from one array into the other */
    ss_cuda_kernel triad;
} subject;

/* Step i, from the arrays in turn. */
typedef int step_fn(const subject *s, int i, ss_err *err);

typedef struct recording {
    const subject *s;
    step_fn *step;
} recording;

static int launch_steps(void *context, ss_err *err)
{
    const recording *r = context;
    for (int i = 0; i < STEPS; i++)
        if (r->step(r->s, i, err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

/* The first two rounds are not counted. */
static int time_graph(const domain *d, ss_cu_graph graph, double *seconds, ss_err *err)
{
    double times[ROUNDS];
    for (int r = -2; r < ROUNDS; r++) {
        float ms;
        SS_CUDA(ss_cu->event_record(d->begin, d->stream));
        SS_CUDA(ss_cu->graph_launch(graph, d->stream));
        SS_CUDA(ss_cu->event_record(d->end, d->stream));
        SS_CUDA(ss_cu->event_wait(d->end));
        SS_CUDA(ss_cu->event_ms(&ms, d->begin, d->end));
        if (r >= 0)
            times[r] = (double)ms * 1e-3 / STEPS;
    }
    *seconds = median(times, ROUNDS);
    return SS_OK;
}

/* Seconds of one step. */
static int time_steps(const subject *s, step_fn *step, double *seconds, ss_err *err)
{
    recording r = {s, step};
    ss_cu_graph graph;
    if (ss_cuda_record(s->d->stream, launch_steps, &r, &graph, err) != SS_OK)
        return SS_FAIL;
    int status = time_graph(s->d, graph, seconds, err);
    ss_cu->graph_free(graph);
    return status;
}

/* --- steps ------------------------------------------------------------------------------------ */

static int relax(const subject *s, int i, double *norm2, ss_err *err)
{
    const domain *d = s->d;
    int from = s->once ? i % 2 : 0, to = s->once ? 1 - from : 0;
    return ss_cuda_smooth_step(s->smooth, s->once ? .8 : 1, d->u[from], d->rhs, d->u[to], norm2,
                               d->stream, err);
}

static int step_alone(const subject *s, int i, ss_err *err)
{
    return relax(s, i, NULL, err);
}

static int step_with_norm(const subject *s, int i, ss_err *err)
{
    return relax(s, i, s->d->norm2, err);
}

static int exchange(const subject *s, int i, ss_err *err)
{
    return ss_cuda_ghosts_exchange(s->ghosts, s->d->u[i], false, s->d->stream, err);
}

static int step_with_ghosts(const subject *s, int i, ss_err *err)
{
    return relax(s, i, NULL, err) == SS_OK ? exchange(s, s->once ? 1 - i % 2 : 0, err) : SS_FAIL;
}

static int step_ghosts(const subject *s, int i, ss_err *err)
{
    (void)i;
    return exchange(s, 0, err);
}

static int step_norm(const subject *s, int i, ss_err *err)
{
    const domain *d = s->d;
    (void)i;
    return ss_cuda_ghosts_norm2(s->ghosts, d->u[0], d->rhs, d->norm2, d->stream, err);
}

static int step_triad(const subject *s, int i, ss_err *err)
{
    const domain *d = s->d;
    (void)i;
    ss_cuda_launch_kernel(&s->triad, d->stream,
                          SS_ARGUMENTS(&d->u[0], &d->rhs, &d->u[1], &d->count));
    SS_CUDA(ss_cuda_launch_error());
    return SS_OK;
}

/* --- smoothers -------------------------------------------------------------------------------- */

/* Seconds of a step that reads the neighbour patches' cells instead of ghosts; 0: it cannot. */
static int time_direct(const domain *d, ss_cuda_smooth_how how, double *seconds, ss_err *err)
{
    subject s = {.d = d, .once = true};
    int status = SS_OK;
    how.direct = true;
    *seconds = 0;
    if (ss_cuda_smooth_make(&s.smooth, d->patch, d->patches, &how, err) != SS_OK)
        return SS_FAIL;
    if (ss_cuda_smooth_direct(s.smooth))
        status = time_steps(&s, step_alone, seconds, err);
    ss_cuda_smooth_free(s.smooth);
    return status;
}

/* With the exchange of ghosts or without ghosts between patches, with the norm. */
static int time_more(const subject *s, const ss_cuda_smooth_how *how, double alone, ss_err *err)
{
    const domain *d = s->d;
    double both, direct = 0, norm;
    if (time_steps(s, step_with_ghosts, &both, err) != SS_OK)
        return SS_FAIL;
    printf(" | +ghosts %8.2f (%+.1f us)", d->cells / both * 1e-9, (both - alone) * 1e6);
    if (!s->once)
        return SS_OK;
    if (time_direct(d, *how, &direct, err) != SS_OK ||
        time_steps(s, step_with_norm, &norm, err) != SS_OK)
        return SS_FAIL;
    if (direct > 0)
        printf(" | direct %8.2f", d->cells / direct * 1e-9);
    printf(" | +norm %8.2f", d->cells / norm * 1e-9);
    return SS_OK;
}

/* A smoother's step in billions of cells per second. */
static int time_smoother(subject *s, const ss_cuda_smooth_how *how, bool more, ss_err *err)
{
    static const char *const orders[] = {"jacobi", "gs-lex", "gs-chaos"};
    const domain *d = s->d;
    double started = ss_clock(), alone;
    if (ss_cuda_smooth_make(&s->smooth, d->patch, d->patches, how, err) != SS_OK ||
        ss_cuda_ghosts_make(&s->ghosts, d->patch, d->patches, d->prec, SS_WALL_ZERO, err) != SS_OK)
        return SS_FAIL;
    double made = ss_clock() - started;
    if (time_steps(s, step_alone, &alone, err) != SS_OK)
        return SS_FAIL;
    printf("%-9s %s %-8s %2d^3 %8.2f GCells/s %9.1f us", how->form->name,
           d->prec == SS_F64 ? "f64" : "f32", orders[how->order], how->block[0],
           d->cells / alone * 1e-9, alone * 1e6);
    if (more && time_more(s, how, alone, err) != SS_OK)
        return SS_FAIL;
    if (more)
        printf(" | inverses %.1f ms, made in %.0f ms", ss_cuda_smooth_seconds(s->smooth) * 1e3,
               made * 1e3);
    printf("\n");
    fflush(stdout);
    return SS_OK;
}

static void time_form(const domain *d, const ss_inverse_form *form, int block, ss_cuda_order order,
                      bool more)
{
    ss_err err = {0};
    subject s = {.d = d, .once = order == SS_CUDA_AT_ONCE};
    ss_cuda_smooth_how how = {
        .block = {block, block, block}, .form = form, .prec = d->prec, .order = order};
    if (time_smoother(&s, &how, more, &err) != SS_OK)
        say_failed(&err);
    ss_cuda_smooth_free(s.smooth);
    ss_cuda_ghosts_free(s.ghosts);
}

static void all_sizes(const domain *d)
{
    for (int b = 16; b >= 1; b /= 2)
        time_form(d, &ss_inverse_separable, b, SS_CUDA_AT_ONCE, true);
    for (int b = 8; b >= 2; b /= 2)
        time_form(d, &ss_inverse_dense, b, SS_CUDA_AT_ONCE, true);
    for (int order = SS_CUDA_LEXICOGRAPHIC; order <= SS_CUDA_CHAOTIC; order++)
        for (int b = 8; b >= 2; b /= 2) {
            time_form(d, &ss_inverse_separable, b, (ss_cuda_order)order, b == 8);
            time_form(d, &ss_inverse_dense, b, (ss_cuda_order)order, b == 8);
        }
}

/* --- what limits them ------------------------------------------------------------------------- */

static int time_limits(const domain *d, subject *s, ss_err *err)
{
    double t;
    s->triad.blocks.x = 16 * (unsigned)ss_cuda_attribute(SS_CU_PROCESSORS);
    if (find(&s->triad, "triad", d->prec, err) != SS_OK ||
        time_steps(s, step_triad, &t, err) != SS_OK)
        return SS_FAIL;
    printf("triad: %.2f TB/s\n", 3e-12 * (double)d->count * (double)ss_prec_size(d->prec) / t);
    if (ss_cuda_ghosts_make(&s->ghosts, d->patch, d->patches, d->prec, SS_WALL_ZERO, err) !=
            SS_OK ||
        time_steps(s, step_ghosts, &t, err) != SS_OK)
        return SS_FAIL;
    printf("ghosts of neighbours: %.1f us\n", t * 1e6);
    if (time_steps(s, step_norm, &t, err) != SS_OK)
        return SS_FAIL;
    printf("norm by a pass of its own: %.1f us\n", t * 1e6);
    return SS_OK;
}

static int time_all(domain *d, ss_err *err)
{
    subject s = {.d = d};
    if (make_arrays(d, err) != SS_OK)
        return SS_FAIL;
    int status = time_limits(d, &s, err);
    ss_cuda_ghosts_free(s.ghosts);
    if (status == SS_OK)
        all_sizes(d);
    return status;
}

/* --- patches from the host -------------------------------------------------------------------- */

/* d: one patch. */
static int time_pipeline(domain *d, int patches, int n, int steps, const ss_cuda_smooth *s,
                         ss_err *err)
{
    static const char *const names[] = {"depth", "breadth"};
    size_t bytes = d->count * ss_prec_size(d->prec), all = (size_t)patches * bytes;
    void *u, *rhs;
    if (ss_cuda_keep_pinned(&d->kept, &u, all, "u", err) != SS_OK ||
        ss_cuda_keep_pinned(&d->kept, &rhs, all, "rhs", err) != SS_OK)
        return SS_FAIL;
    memset(u, 0, all);
    memset(rhs, 0, all);
    for (int order = 0; order < SS_NSTREAM_ORDER; order++) {
        double times[6];
        for (int r = 0; r < 6; r++)
            if (gpu_smooth_from_host(s, d->count, patches, steps, .8, u, rhs,
                                     (ss_stream_order)order, &times[r], err) != SS_OK)
                return SS_FAIL;
        double t = median(times + 1, 5);
        printf("%d patches of %d^3 from the host, %2d steps, %-7s first: %8.3f ms, %.2f GCells/s, "
               "%.1f GB/s of copies\n",
               patches, n, steps, names[order], t * 1e3,
               (double)patches * d->cells * steps / t * 1e-9, 3e-9 * (double)all / t);
    }
    return SS_OK;
}

static void from_host(int patches, int n, int steps)
{
    ss_err err = {0};
    domain d;
    ss_cuda_smooth *s = NULL;
    ss_cuda_smooth_how how = {.block = {8, 8, 8}, .form = &ss_inverse_separable, .prec = SS_F64};
    if (lay_out(&d, SS_F64, 1, n, 8, &err) != SS_OK ||
        ss_cuda_smooth_make(&s, d.patch, 1, &how, &err) != SS_OK ||
        time_pipeline(&d, patches, n, steps, s, &err) != SS_OK)
        say_failed(&err);
    ss_cuda_smooth_free(s);
    free_domain(&d);
}

int main(int argc, char **argv)
{
    int across = 4, n = 64;
    ss_err err = {0};
    for (int i = 1; i + 1 < argc; i++) {
        if (strcmp(argv[i], "-p") == 0)
            across = atoi(argv[i + 1]);
        if (strcmp(argv[i], "-n") == 0)
            n = atoi(argv[i + 1]);
    }
    setenv("STENCILSCOPE_KERNELS", ".", 0);
    if (ss_cuda_probe(&err) != SS_OK) {
        printf("%s\n", err.text);
        return 0;
    }
    for (int prec = 0; prec < SS_NPREC; prec++) {
        domain d;
        printf("-- %d^3 patches of %d^3, %s\n", across, n, prec == SS_F64 ? "f64" : "f32");
        bool done = lay_out(&d, (ss_prec)prec, across, n, prec == SS_F64 ? 8 : 16, &err) == SS_OK &&
                    time_all(&d, &err) == SS_OK;
        free_domain(&d);
        if (!done) {
            say_failed(&err);
            return 1;
        }
    }
    from_host(8, n, 1);
    from_host(8, n, 10);
    from_host(32, n, 10);
    return 0;
}
