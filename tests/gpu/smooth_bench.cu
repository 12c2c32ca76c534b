/*
 * Times of the block smoothers on the GPU: `make bench-smooth`, build/release/tests/smooth_bench.
 * 64 patches of 64^3 (-p, -n), every form and block size; a step by replay of a graph of ten, the
 * median of seven. It prints billions of cells per second.
 */
#include <algorithm>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

#include "kernels/cuda/device/common.cuh"
#include "tests/gpu/smooth_kit.h"

#define STEPS 10
#define ROUNDS 7

static ss_err failure;
#define MUST(call)                                                                                 \
    do {                                                                                           \
        if ((call) != SS_OK) {                                                                     \
            printf("failed: %s\n", failure.text);                                                  \
            fflush(stdout);                                                                        \
            return NAN;                                                                            \
        }                                                                                          \
    } while (0)
#define CUDA(call)                                                                                 \
    MUST((call) == cudaSuccess                                                                     \
             ? SS_OK                                                                               \
             : ss_fail(&failure, "%s: %s", #call, cudaGetErrorString(cudaGetLastError())))

/* --- the domain ------------------------------------------------------------------------------- */

struct domain {
    std::vector<ss_patch> patch;
    size_t count;
    double cells;
    ss_prec prec;
    void *u[2], *rhs;
    double *norm2;
    cudaStream_t stream;
};

/* across^3 coupled patches of n^3, rows at multiples of `line` elements. */
static void lay_out(domain *d, int across, int n, int line)
{
    d->patch.clear();
    d->count = 0;
    for (int q = 0; q < across * across * across; q++) {
        const int at[3] = {q % across, q / across % across, q / across / across};
        ss_patch p = {};
        p.box.nx = p.box.ny = p.box.nz = n;
        p.box.hx = p.box.hy = p.box.hz = 1;
        p.box.sy = ((n + 2 + line - 1) / line | 1) * line;
        p.box.sz = p.box.sy * (n + 2);
        p.box.first = d->count + (size_t)(line + p.box.sy + p.box.sz);
        p.box.count = (size_t)(p.box.sz * (n + 2) + line);
        for (int s = 0, stride = 1; s < 6; s += 2, stride *= across) {
            p.side[s] = at[s / 2] > 0 ? q - stride : SS_WALL_SIDE;
            p.side[s + 1] = at[s / 2] + 1 < across ? q + stride : SS_WALL_SIDE;
        }
        d->count += p.box.count;
        d->patch.push_back(p);
    }
    d->cells = (double)d->patch.size() * n * n * n;
}

template <typename T> __global__ void fill_array(T *a, size_t n, unsigned seed)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x) {
        unsigned long long z = (i + 1) * 0x9E3779B97F4A7C15ull + seed;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ z >> 27) * 0x94D049BB133111EBull;
        a[i] = (T)((double)((z ^ z >> 31) >> 11) * 0x1p-53 * 1e-3);
    }
}

template <typename T> __global__ void triad(const T *a, const T *b, T *c, size_t n)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n / pack<T>::n;
         i += (size_t)gridDim.x * blockDim.x) {
        pack<T> x = load(a + i * pack<T>::n), y = load(b + i * pack<T>::n);
        for (int k = 0; k < pack<T>::n; k++)
            x.v[k] = x.v[k] + (T).5 * y.v[k];
        store(c + i * pack<T>::n, x, pack<T>::n);
    }
}

template <typename T> static void fill_all(domain *d)
{
    fill_array<<<1024, 256>>>((T *)d->u[0], d->count, 1);
    fill_array<<<1024, 256>>>((T *)d->u[1], d->count, 2);
    fill_array<<<1024, 256>>>((T *)d->rhs, d->count, 3);
}

static double make_arrays(domain *d)
{
    size_t bytes = d->count * ss_prec_size(d->prec);
    MUST(gpu_array_make(&d->u[0], bytes, "u", &failure));
    MUST(gpu_array_make(&d->u[1], bytes, "u", &failure));
    MUST(gpu_array_make(&d->rhs, bytes, "rhs", &failure));
    MUST(gpu_array_make((void **)&d->norm2, 8, "norm", &failure));
    CUDA(cudaStreamCreateWithFlags(&d->stream, cudaStreamNonBlocking));
    d->prec == SS_F64 ? fill_all<double>(d) : fill_all<float>(d);
    CUDA(cudaDeviceSynchronize());
    return 0;
}

static void free_arrays(domain *d)
{
    cudaFree(d->u[0]);
    cudaFree(d->u[1]);
    cudaFree(d->rhs);
    cudaFree(d->norm2);
    cudaStreamDestroy(d->stream);
}

/* --- timing ----------------------------------------------------------------------------------- */

/* Seconds of one of STEPS calls of step(i), i even and odd in turn; NAN: failed. */
template <class F> static double time_steps(domain *d, F step)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaEvent_t begin, end;
    std::vector<double> times;
    int status = SS_OK;
    MUST(step(0)); /* kernels are loaded when they are first used */
    MUST(step(1));
    CUDA(cudaStreamSynchronize(d->stream));
    CUDA(cudaStreamBeginCapture(d->stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < STEPS && status == SS_OK; i++)
        status = step(i);
    cudaError_t code = cudaStreamEndCapture(d->stream, &graph);
    MUST(status);
    CUDA(code);
    CUDA(cudaGraphInstantiate(&exec, graph, 0));
    CUDA(cudaEventCreate(&begin));
    CUDA(cudaEventCreate(&end));
    for (int r = -2; r < ROUNDS; r++) {
        float ms;
        CUDA(cudaEventRecord(begin, d->stream));
        CUDA(cudaGraphLaunch(exec, d->stream));
        CUDA(cudaEventRecord(end, d->stream));
        CUDA(cudaEventSynchronize(end));
        CUDA(cudaEventElapsedTime(&ms, begin, end));
        if (r >= 0)
            times.push_back(ms * 1e-3 / STEPS);
    }
    std::sort(times.begin(), times.end());
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    return times[ROUNDS / 2];
}

/* Seconds of a step that reads the neighbour patches' cells instead of ghosts; 0: it cannot. */
static double time_direct(domain *d, ss_cuda_smooth_how how)
{
    ss_cuda_smooth *s;
    how.direct = true;
    MUST(ss_cuda_smooth_make(&s, d->patch.data(), (int)d->patch.size(), &how, &failure));
    double t = !ss_cuda_smooth_direct(s) ? 0 : time_steps(d, [&](int i) {
        return ss_cuda_smooth_step(s, .8, d->u[i % 2], d->rhs, d->u[1 - i % 2], NULL, d->stream,
                                   &failure);
    });
    ss_cuda_smooth_free(s);
    return t;
}

/* A smoother's step in billions of cells per second; alone, with the exchange of ghosts or without
 * ghosts between patches, with the norm. */
static double time_smoother(domain *d, const ss_cuda_smooth_how *how, bool more)
{
    static const char *const orders[] = {"jacobi", "gs-lex", "gs-chaos"};
    ss_cuda_smooth *s;
    ss_cuda_ghosts *g;
    bool once = how->order == SS_CUDA_AT_ONCE;
    double started = ss_clock();
    if (ss_cuda_smooth_make(&s, d->patch.data(), (int)d->patch.size(), how, &failure) != SS_OK) {
        printf("%-9s %s: %s\n", how->form->name, orders[how->order], failure.text);
        return NAN;
    }
    MUST(ss_cuda_ghosts_make(&g, d->patch.data(), (int)d->patch.size(), d->prec, SS_WALL_ZERO,
                             &failure));
    double made = ss_clock() - started;
    auto step = [&](int i, double *norm2) {
        int from = once ? i % 2 : 0, to = once ? 1 - from : 0;
        return ss_cuda_smooth_step(s, once ? .8 : 1, d->u[from], d->rhs, d->u[to], norm2, d->stream,
                                   &failure);
    };
    double alone = time_steps(d, [&](int i) { return step(i, NULL); });
    printf("%-9s %s %-8s %2d^3 %8.2f GCells/s %9.1f us", how->form->name,
           d->prec == SS_F64 ? "f64" : "f32", orders[how->order], how->block[0],
           d->cells / alone * 1e-9, alone * 1e6);
    if (more) {
        double both = time_steps(d, [&](int i) {
            int status = step(i, NULL);
            return status != SS_OK ? status
                                   : ss_cuda_ghosts_exchange(g, d->u[once ? 1 - i % 2 : 0], false,
                                                             d->stream, &failure);
        });
        printf(" | +ghosts %8.2f (%+.1f us)", d->cells / both * 1e-9, (both - alone) * 1e6);
        double direct = once ? time_direct(d, *how) : 0;
        if (direct > 0)
            printf(" | direct %8.2f", d->cells / direct * 1e-9);
        if (once) {
            double norm = time_steps(d, [&](int i) { return step(i, d->norm2); });
            printf(" | +norm %8.2f", d->cells / norm * 1e-9);
        }
        printf(" | inverses %.1f ms, made in %.0f ms", ss_cuda_smooth_seconds(s) * 1e3, made * 1e3);
    }
    printf("\n");
    fflush(stdout);
    ss_cuda_smooth_free(s);
    ss_cuda_ghosts_free(g);
    return d->cells / alone * 1e-9;
}

template <typename T> static double time_triad(domain *d)
{
    int processors;
    CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    double t = time_steps(d, [&](int) {
        triad<<<processors * 16, 256, 0, d->stream>>>((const T *)d->u[0], (const T *)d->rhs,
                                                      (T *)d->u[1], d->count);
        return SS_OK;
    });
    printf("triad: %.2f TB/s\n", 3e-12 * (double)d->count * sizeof(T) / t);
    ss_cuda_ghosts *g;
    MUST(ss_cuda_ghosts_make(&g, d->patch.data(), (int)d->patch.size(), d->prec, SS_WALL_ZERO,
                             &failure));
    t = time_steps(
        d, [&](int) { return ss_cuda_ghosts_exchange(g, d->u[0], false, d->stream, &failure); });
    printf("ghosts of neighbours: %.1f us\n", t * 1e6);
    t = time_steps(d, [&](int) {
        return ss_cuda_ghosts_norm2(g, d->u[0], d->rhs, d->norm2, d->stream, &failure);
    });
    printf("norm by a pass of its own: %.1f us\n", t * 1e6);
    ss_cuda_ghosts_free(g);
    return 0;
}

static ss_cuda_smooth_how how_of(const domain *d, const ss_inverse_form *form, int block,
                                 ss_cuda_order order)
{
    ss_cuda_smooth_how how = {};
    how.form = form;
    how.prec = d->prec;
    how.order = order;
    how.block[0] = how.block[1] = how.block[2] = block;
    return how;
}

static void all_sizes(domain *d)
{
    static const int sizes[] = {16, 8, 4, 2, 1};
    for (int b : sizes) {
        ss_cuda_smooth_how how = how_of(d, &ss_inverse_separable, b, SS_CUDA_AT_ONCE);
        time_smoother(d, &how, true);
    }
    for (int b = 8; b >= 2; b /= 2) {
        ss_cuda_smooth_how how = how_of(d, &ss_inverse_dense, b, SS_CUDA_AT_ONCE);
        time_smoother(d, &how, true);
    }
    for (int order = SS_CUDA_LEXICOGRAPHIC; order <= SS_CUDA_CHAOTIC; order++)
        for (int b = 8; b >= 2; b /= 2) {
            ss_cuda_smooth_how how = how_of(d, &ss_inverse_separable, b, (ss_cuda_order)order);
            time_smoother(d, &how, b == 8);
            how = how_of(d, &ss_inverse_dense, b, (ss_cuda_order)order);
            time_smoother(d, &how, b == 8);
        }
}

/* --- patches from the host -------------------------------------------------------------------- */

static double from_host(int patches, int n, int steps)
{
    static const char *const names[] = {"depth", "breadth"};
    domain d = {};
    lay_out(&d, 1, n, 8);
    d.prec = SS_F64;
    ss_cuda_smooth_how how = how_of(&d, &ss_inverse_separable, 8, SS_CUDA_AT_ONCE);
    ss_cuda_smooth *s;
    char *u, *rhs;
    size_t bytes = d.count * 8;
    MUST(ss_cuda_smooth_make(&s, d.patch.data(), 1, &how, &failure));
    MUST(ss_cuda_pinned_make((void **)&u, (size_t)patches * bytes, "u", &failure));
    MUST(ss_cuda_pinned_make((void **)&rhs, (size_t)patches * bytes, "rhs", &failure));
    memset(u, 0, (size_t)patches * bytes);
    memset(rhs, 0, (size_t)patches * bytes);
    for (int order = 0; order < SS_NSTREAM_ORDER; order++) {
        std::vector<double> times;
        for (int r = 0; r < 6; r++) {
            double seconds;
            MUST(gpu_smooth_from_host(s, d.count, patches, steps, .8, u, rhs,
                                      (ss_stream_order)order, &seconds, &failure));
            if (r > 0)
                times.push_back(seconds);
        }
        std::sort(times.begin(), times.end());
        printf("%d patches of %d^3 from the host, %2d steps, %-7s first: %8.3f ms, %.2f GCells/s, "
               "%.1f GB/s of copies\n",
               patches, n, steps, names[order], times[2] * 1e3,
               (double)patches * d.cells * steps / times[2] * 1e-9,
               3e-9 * (double)patches * (double)bytes / times[2]);
    }
    ss_cuda_smooth_free(s);
    ss_cuda_pinned_free(u);
    ss_cuda_pinned_free(rhs);
    return 0;
}

int main(int argc, char **argv)
{
    int across = 4, n = 64;
    for (int i = 1; i + 1 < argc; i++) {
        if (strcmp(argv[i], "-p") == 0)
            across = atoi(argv[i + 1]);
        if (strcmp(argv[i], "-n") == 0)
            n = atoi(argv[i + 1]);
    }
    if (ss_cuda_probe(&failure) != SS_OK) {
        printf("%s\n", failure.text);
        return 0;
    }
    for (int prec = 0; prec < SS_NPREC; prec++) {
        domain d = {};
        d.prec = (ss_prec)prec;
        lay_out(&d, across, n, prec == SS_F64 ? 8 : 16);
        printf("-- %d^3 patches of %d^3, %s\n", across, n, prec == SS_F64 ? "f64" : "f32");
        if (make_arrays(&d) != 0)
            return 1;
        prec == SS_F64 ? time_triad<double>(&d) : time_triad<float>(&d);
        all_sizes(&d);
        free_arrays(&d);
    }
    from_host(8, n, 1);
    from_host(8, n, 10);
    from_host(32, n, 10);
    return 0;
}
