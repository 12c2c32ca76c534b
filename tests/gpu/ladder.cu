/*
 * The ladder of kernels by itself: `make ladder`, or the program with sizes to time. Checks each
 * rung (kernels/cuda/jacobi/ladder.cuh) against plain loops on the CPU, bit for bit, and its norm;
 * then times it. Needs no other part of the program. Exit status 1 if a check fails; without a GPU
 * it says so and exits with 0.
 */
#include <algorithm>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

#include "kernels/cuda/jacobi/ladder.cuh"

#define CUDA(call)                                                                                 \
    do {                                                                                           \
        cudaError_t code_ = (call);                                                                \
        if (code_ != cudaSuccess) {                                                                \
            printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(code_));       \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* --- the CPU's cycle -------------------------------------------------------------------------- */

/* One cycle in plain loops; returns the sum of squared changes. */
template <typename T>
static double reference(const T *u, const T *b, T *out, int nx, int ny, ptrdiff_t stride, T c, T a)
{
    double squares = 0;
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            const T *p = u + j * stride + i;
            T v = b[j * stride + i] + c * ((p[-1] + p[1]) + a * (p[-stride] + p[stride]));
            double d = (double)(v - p[0]);
            out[j * stride + i] = v;
            squares += d * d;
        }
    return squares;
}

/* --- a problem -------------------------------------------------------------------------------- */

/* Memory layout of a field with a halo, in elements. */
struct layout {
    int nx, ny;
    ptrdiff_t stride;
    size_t first, count; /* of point (0, 0); of the whole field */
};

static layout lay_out(int nx, int ny, int size, bool padded)
{
    int line = padded ? 128 / size : 1; /* elements that rows are aligned to */
    layout l = {nx, ny, 0, 0, 0};
    l.stride = (line + nx + 1 + line - 1) / line * line;
    l.first = (size_t)(line + l.stride);
    l.count = (size_t)(l.stride * (ny + 2) + line);
    return l;
}

template <typename T> struct problem {
    layout l;
    T *u, *b, *out; /* on the device, first element */
    ss_cuda_control *control;
    double *partial;
    cudaTextureObject_t texture; /* of u */
    poisson_plane<T> update;
    spike<T> f; /* the right-hand side as a function */
};

#define PARTIAL_SUMS (1 << 19) /* thread blocks of the largest grid */

template <typename T> static void allocate(problem<T> *p, layout l)
{
    p->l = l;
    p->update.c[0] = (T)0.23;
    p->update.c[1] = (T)1.17; /* products that round: a fused multiply-add would give other bits */
    p->f = spike<T>{l.nx / 2, l.ny / 2, (T)0.71, (T)-0.13};
    CUDA(cudaMalloc(&p->u, l.count * sizeof(T)));
    CUDA(cudaMalloc(&p->b, l.count * sizeof(T)));
    CUDA(cudaMalloc(&p->out, l.count * sizeof(T)));
    CUDA(cudaMalloc(&p->control, sizeof *p->control));
    CUDA(cudaMalloc(&p->partial, PARTIAL_SUMS * sizeof(double)));
    CUDA(cudaMemset(p->u, 0, l.count * sizeof(T)));
    CUDA(cudaMemset(p->b, 0, l.count * sizeof(T)));
    CUDA(cudaMemset(p->control, 0, sizeof *p->control));
    p->texture = 0;
    cudaResourceDesc array = {};
    cudaTextureDesc access = {};
    array.resType = cudaResourceTypePitch2D;
    array.res.pitch2D.devPtr = p->u;
    array.res.pitch2D.desc =
        sizeof(T) == 8 ? cudaCreateChannelDesc<int2>() : cudaCreateChannelDesc<float>();
    array.res.pitch2D.width = (size_t)l.stride;
    array.res.pitch2D.height = (size_t)(l.ny + 2);
    array.res.pitch2D.pitchInBytes = (size_t)l.stride * sizeof(T);
    access.filterMode = cudaFilterModePoint;
    access.readMode = cudaReadModeElementType;
    if (l.stride * sizeof(T) % 128 == 0) /* packed rows cannot be a texture */
        CUDA(cudaCreateTextureObject(&p->texture, &array, &access, NULL));
}

template <typename T> static void release(problem<T> *p)
{
    if (p->texture)
        CUDA(cudaDestroyTextureObject(p->texture));
    cudaFree(p->u);
    cudaFree(p->b);
    cudaFree(p->out);
    cudaFree(p->control);
    cudaFree(p->partial);
}

/* --- the rungs -------------------------------------------------------------------------------- */

static unsigned ceil_div(int64_t a, int64_t b)
{
    return (unsigned)((a + b - 1) / b);
}

/* The arguments that all kernels begin with, at point (0, 0). */
#define ARRAYS(p)                                                                                  \
    (p).u + (p).l.first, (p).b + (p).l.first, (p).out + (p).l.first, (p).l.nx, (p).l.ny,           \
        (p).l.stride, (p).update, &(p).control->stop

/* Blocks of `threads` that cover the field, if a thread has wide by high points. */
template <typename T> static dim3 grid(const problem<T> &p, dim3 threads, int wide, int high)
{
    unsigned rows = ceil_div(p.l.ny, (int64_t)threads.y * high);
    return dim3(ceil_div(p.l.nx, (int64_t)threads.x * wide), std::min(rows, 65535u),
                ceil_div(rows, 65535));
}

template <typename T> static void naive(const problem<T> &p, dim3 threads)
{
    jacobi1_naive<poisson_plane<T>><<<grid(p, threads, 1, 1), threads>>>(ARRAYS(p));
}
template <typename T> static void texture(const problem<T> &p, dim3 threads)
{
    jacobi3_texture<poisson_plane<T>><<<grid(p, threads, 1, 1), threads>>>(
        p.texture, (int)(p.l.first - (size_t)p.l.stride), 1, p.b + p.l.first, p.out + p.l.first,
        p.l.nx, p.l.ny, p.l.stride, p.update, &p.control->stop);
}
template <typename T, bool NORM> static void smem(const problem<T> &p, dim3 threads)
{
    size_t bytes = (size_t)(threads.x + 2) * (LADDER_ROWS * threads.y + 2) * sizeof(T);
    jacobi4_smem<poisson_plane<T>, NORM>
        <<<grid(p, threads, 1, LADDER_ROWS), threads, bytes>>>(ARRAYS(p), p.partial, p.control);
}
template <typename T, bool NORM> static void unrolled(const problem<T> &p, dim3 threads)
{
    jacobi5_unrolled<poisson_plane<T>, NORM>
        <<<grid(p, threads, 1, LADDER_ROWS), threads>>>(ARRAYS(p), p.partial, p.control);
}
template <typename T> static int vector_tiles(const problem<T> &p, dim3 threads)
{
    dim3 g = grid(p, threads, pack<T>::n, LADDER_ROWS);
    return (int)(g.x * g.y * g.z);
}
/* Rungs 6 and 7. With NORM fewer blocks than tiles, so that they loop. */
template <bool NORM, typename T, class F>
static void vector_of(const problem<T> &p, F f, dim3 threads)
{
    int tiles = vector_tiles(p, threads), blocks = NORM ? std::min(tiles, 528) : tiles;
    jacobi6_vector<poisson_plane<T>, F, NORM>
        <<<blocks, threads>>>(p.u + p.l.first, f, p.out + p.l.first, p.l.nx, p.l.ny, p.l.stride,
                              p.update, &p.control->stop, tiles, p.partial, p.control);
}
template <typename T, bool NORM> static void vector(const problem<T> &p, dim3 threads)
{
    vector_of<NORM>(p, stored<T>{p.b + p.l.first}, threads);
}
template <typename T, bool NORM> static void inlined(const problem<T> &p, dim3 threads)
{
    vector_of<NORM>(p, p.f, threads);
}

/* The norm in a pass of its own. Fewer blocks than tiles, so that they loop. */
template <typename T> static void norm_pass(const problem<T> &p, dim3)
{
    dim3 threads(32, 8), g = grid(p, threads, 1, LADDER_ROWS);
    int tiles = (int)(g.x * g.y * g.z), blocks = std::min(tiles, 792);
    jacobi_norm<poisson_plane<T>><<<blocks, threads>>>(
        (const T *)p.u + p.l.first, (const T *)p.b + p.l.first, p.l.nx, p.l.ny, p.l.stride,
        p.update, &p.control->stop, tiles, p.partial, p.control);
}

template <typename T> struct rung {
    const char *name;
    bool padded, function; /* function: it computes the right-hand side */
    bool stores, has_norm;
    double bytes; /* per point, in values: what must cross DRAM */
    void (*launch)(const problem<T> &p, dim3 threads);
};

template <typename T>
static const rung<T> rungs[] = {
    {"1 naive", false, false, true, false, 3, naive<T>},
    {"2 padded", true, false, true, false, 3, naive<T>},
    {"3 texture", true, false, true, false, 3, texture<T>},
    {"4 smem, packed", false, false, true, false, 3, smem<T, false>},
    {"4 smem", true, false, true, false, 3, smem<T, false>},
    {"4 smem, norm", true, false, true, true, 3, smem<T, true>},
    {"5 unrolled", true, false, true, false, 3, unrolled<T, false>},
    {"5 unrolled, norm", true, false, true, true, 3, unrolled<T, true>},
    {"6 vector", true, false, true, false, 3, vector<T, false>},
    {"6 vector, norm", true, false, true, true, 3, vector<T, true>},
    {"7 inline", true, true, true, false, 2, inlined<T, false>},
    {"7 inline, norm", true, true, true, true, 2, inlined<T, true>},
    {"norm pass", true, false, false, true, 2, norm_pass<T>},
    {"norm pass, packed", false, false, false, true, 2, norm_pass<T>},
};

/* --- checks ----------------------------------------------------------------------------------- */

static int failures;

static void check(bool ok, const char *name, const layout &l, int size, const char *what)
{
    if (!ok)
        printf("not ok: %s, %d x %d, f%d: %s\n", name, l.nx, l.ny, 8 * size, what);
    failures += !ok;
}

/* Random values at the interior points, zero elsewhere. */
template <typename T> static std::vector<T> random_field(const layout &l)
{
    std::vector<T> v(l.count, 0);
    for (int j = 0; j < l.ny; j++)
        for (int i = 0; i < l.nx; i++)
            v[l.first + (size_t)(j * l.stride + i)] = (T)(rand() / (RAND_MAX + 1.0) - 0.5);
    return v;
}

/* The values of p.f. */
template <typename T> static std::vector<T> field_of(const problem<T> &p)
{
    std::vector<T> v(p.l.count, 0);
    for (int j = 0; j < p.l.ny; j++)
        for (int i = 0; i < p.l.nx; i++)
            v[p.l.first + (size_t)(j * p.l.stride + i)] =
                i == p.f.i && j == p.f.j ? p.f.at : p.f.elsewhere;
    return v;
}

/* The whole array, padding included: what a rung must not touch is compared as well. */
template <typename T> static bool equals(const T *device, const std::vector<T> &expected)
{
    std::vector<T> got(expected.size());
    CUDA(cudaMemcpy(got.data(), device, got.size() * sizeof(T), cudaMemcpyDeviceToHost));
    return memcmp(got.data(), expected.data(), got.size() * sizeof(T)) == 0;
}

template <typename T> static void upload(T *device, const std::vector<T> &host)
{
    CUDA(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
}

template <typename T> static void check_rung(const rung<T> &r, int nx, int ny, dim3 threads)
{
    problem<T> p;
    layout l = lay_out(nx, ny, sizeof(T), r.padded);
    allocate(&p, l);
    std::vector<T> u = random_field<T>(l), before(l.count, (T)7);
    std::vector<T> b = r.function ? field_of(p) : random_field<T>(l);
    std::vector<T> after = before;
    double squares = reference(u.data() + l.first, b.data() + l.first, after.data() + l.first, nx,
                               ny, l.stride, p.update.c[0], p.update.c[1]);
    ss_cuda_control control = {};
    control.scale = 1, control.first = -1, control.growth = 1e6;
    upload(p.u, u);
    upload(p.b, b);
    for (int stop = 1; stop >= 0; stop--) {
        control.stop = stop;
        CUDA(cudaMemcpy(p.control, &control, sizeof control, cudaMemcpyHostToDevice));
        upload(p.out, before);
        r.launch(p, threads);
        CUDA(cudaGetLastError());
        CUDA(cudaDeviceSynchronize());
        check(equals(p.out, stop || !r.stores ? before : after), r.name, l, sizeof(T),
              stop ? "stores although the run has stopped" : "other bits than the CPU");
    }
    CUDA(cudaMemcpy(&control, p.control, sizeof control, cudaMemcpyDeviceToHost));
    check(control.count == (r.has_norm ? 1 : 0), r.name, l, sizeof(T), "number of norms");
    if (r.has_norm)
        check(fabs(control.norm[0] - sqrt(squares)) <= 1e-12 * sqrt(squares), r.name, l, sizeof(T),
              "norm");
    release(&p);
}

template <typename T> static void check_all()
{
    static const int sizes[][2] = {{128, 64}, {203, 131}, {1, 300}, {301, 1}, {1021, 517}};
    static const dim3 blocks[] = {dim3(32, 8), dim3(64, 3), dim3(256, 1)};
    for (const rung<T> &r : rungs<T>)
        for (const int *n : sizes)
            for (dim3 threads : blocks)
                check_rung(r, n[0], n[1], threads);
}

/* --- times ------------------------------------------------------------------------------------ */

#define PASSES 9
#define CYCLES 10 /* of a pass, between two events */
static_assert((PASSES + 1) * CYCLES <= SS_CUDA_NORMS, "each launch may append a norm");

/* Seconds per launch: the median of the passes, after one to warm up. */
template <class F> static double seconds(F launch)
{
    cudaEvent_t begin, end;
    std::vector<float> ms;
    CUDA(cudaEventCreate(&begin));
    CUDA(cudaEventCreate(&end));
    for (int pass = -1; pass < PASSES; pass++) {
        float t;
        CUDA(cudaEventRecord(begin));
        for (int i = 0; i < CYCLES; i++)
            launch();
        CUDA(cudaEventRecord(end));
        CUDA(cudaEventSynchronize(end));
        CUDA(cudaEventElapsedTime(&t, begin, end));
        if (pass >= 0)
            ms.push_back(t);
    }
    CUDA(cudaGetLastError());
    CUDA(cudaEventDestroy(begin));
    CUDA(cudaEventDestroy(end));
    std::sort(ms.begin(), ms.end());
    return ms[PASSES / 2] * 1e-3 / CYCLES;
}

static __global__ void triad(const double2 *b, const double2 *c, double2 *a, size_t n)
{
    size_t at = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (at < n)
        a[at] = make_double2(b[at].x + 3 * c[at].x, b[at].y + 3 * c[at].y);
}

/* Bytes per second that a triad moves, in arrays as large as a field. */
static double triad_rate(size_t bytes)
{
    double2 *x[3];
    size_t n = bytes / sizeof(double2);
    for (double2 *&array : x) {
        CUDA(cudaMalloc(&array, n * sizeof(double2)));
        CUDA(cudaMemset(array, 0, n * sizeof(double2)));
    }
    double s = seconds([&] { triad<<<ceil_div((int64_t)n, 256), 256>>>(x[0], x[1], x[2], n); });
    for (double2 *array : x)
        cudaFree(array);
    return 3.0 * (double)(n * sizeof(double2)) / s;
}

template <typename T> static void time_all(int n)
{
    double points = (double)n * n, best = triad_rate((size_t)points * sizeof(T));
    printf("\nf%d, %d x %d points, triad %.0f GB/s\n", (int)(8 * sizeof(T)), n, n, best * 1e-9);
    printf("  %-18s %12s %10s %10s\n", "rung", "us per launch", "GB/s", "of triad");
    for (const rung<T> &r : rungs<T>) {
        problem<T> p;
        allocate(&p, lay_out(n, n, sizeof(T), r.padded));
        double s = seconds([&] { r.launch(p, dim3(32, 8)); });
        double rate = r.bytes * sizeof(T) * points / s;
        printf("  %-18s %12.2f %10.0f %9.0f%%\n", r.name, s * 1e6, rate * 1e-9, 100 * rate / best);
        release(&p);
    }
}

int main(int argc, char **argv)
{
    int devices = 0;
    size_t room = 0, all = 0;
    cudaError_t code = cudaGetDeviceCount(&devices);
    if (code != cudaSuccess || devices == 0) {
        printf("skipped: the ladder needs a GPU (%s)\n", cudaGetErrorString(code));
        return 0;
    }
    check_all<double>();
    check_all<float>();
    printf("%s: every rung against the CPU, f64 and f32, 5 sizes, 3 shapes of blocks\n",
           failures ? "not ok" : "ok");
    CUDA(cudaMemGetInfo(&room, &all));
    int n = 16384;
    while (n > 1024 && 3.1 * n * n * sizeof(double) > (double)room)
        n /= 2;
    std::vector<int> sizes = {1024, n};
    if (argc > 1)
        sizes.clear();
    for (int i = 1; i < argc; i++)
        sizes.push_back(std::min(std::max(atoi(argv[i]), 32), n));
    for (int size : sizes) {
        time_all<double>(size);
        time_all<float>(size);
    }
    return failures > 0;
}
