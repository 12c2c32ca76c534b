/* A driver of the tests' own in place of NVIDIA's, for cuda.sh and edit.sh: memory is the host's,
 * and two kernels of jacobi/ladder.cuh are functions below (run
 * `jacobi --kernel padded --launch stream`); all others do nothing. Variables of the environment
 * choose what it answers; files of the working folder what launches do: `hang` and `ruin` those of
 * `stencilscope kernels try`, `lost` all others.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "kernels/cuda/device/control.h"
#include "kernels/cuda/device/driver.h"

static int of(const char *name, int otherwise)
{
    const char *v = getenv(name);
    return v ? atoi(v) : otherwise;
}

static int is_trial(void)
{
    static int known = -1;
    char words[4096] = "";
    FILE *f = known < 0 ? fopen("/proc/self/cmdline", "r") : NULL;
    if (f) {
        size_t n = fread(words, 1, sizeof words - 1, f);
        for (size_t i = 0; i < n; i++)
            words[i] = words[i] ? words[i] : ' ';
        known = strstr(words, " kernels try ") != NULL;
        fclose(f);
    }
    return known;
}

int cuDriverGetVersion(int *out)
{
    *out = of("FAKE_DRIVER", 13000);
    return 0;
}

static int init(unsigned flags)
{
    (void)flags;
    return of("FAKE_INIT", 0);
}

static int count(int *out)
{
    *out = of("FAKE_COUNT", 1);
    return 0;
}

static int name(char *out, int size, int device)
{
    (void)device;
    snprintf(out, (size_t)size, "stand-in GPU");
    return 0;
}

static int attribute(int *out, int which, int device)
{
    static const struct {
        int which, value;
    } known[] = {{SS_CU_MINOR, 0},
                 {SS_CU_PROCESSORS, 132},
                 {SS_CU_THREADS_PER_PROCESSOR, 2048},
                 {SS_CU_REGISTERS_PER_BLOCK, 65536},
                 {SS_CU_SHARED_PER_PROCESSOR, 233472},
                 {SS_CU_SHARED_PER_BLOCK, 232448},
                 {SS_CU_L2_BYTES, 50 << 20},
                 {SS_CU_MAX_PITCH, 1 << 30}};
    (void)device;
    *out = which == SS_CU_MAJOR ? of("FAKE_MAJOR", 9) : 1000;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        *out = known[i].which == which ? known[i].value : *out;
    return 0;
}

static int words(int code, const char **out)
{
    *out = code == SS_CU_ILLEGAL_ADDRESS ? "an illegal memory access was encountered"
                                         : "a reason of the driver";
    return 0;
}

static int memory(size_t *left, size_t *total)
{
    *left = *total = (size_t)16 << 30;
    return 0;
}

/* Full of ones: so are the norms, which no kernel writes. */
static int alloc(void **out, size_t bytes)
{
    double *all = malloc(bytes + sizeof *all);
    *out = all;
    for (size_t i = 0; all && i <= bytes / sizeof *all; i++)
        all[i] = 1;
    return all ? 0 : SS_CU_OUT_OF_MEMORY;
}

static int alloc_pinned(void **out, size_t bytes)
{
    *out = calloc(1, bytes);
    return *out ? 0 : SS_CU_OUT_OF_MEMORY;
}

static int release(void *all)
{
    free(all);
    return 0;
}

static int copy(void *to, const void *from, size_t bytes)
{
    memmove(to, from, bytes);
    return 0;
}

static int copy_rows(const ss_cu_copy *c)
{
    const char *from = c->from.memory == SS_CU_HOST ? c->from.host : c->from.device;
    char *to = c->to.memory == SS_CU_HOST ? c->to.host : c->to.device;
    for (size_t j = 0; j < c->height; j++)
        memmove(to + j * c->to.pitch, from + j * c->from.pitch, c->width);
    return 0;
}

static int fill(void *to, unsigned char value, size_t bytes)
{
    memset(to, value, bytes);
    return 0;
}

/* Something that is not NULL. */
static int make(void **out)
{
    static char any;
    *out = &any;
    return 0;
}

static int make_for(void *stream, void **out)
{
    (void)stream;
    return make(out);
}

static int make_event(void **out)
{
    *out = calloc(1, sizeof(struct timespec));
    return *out ? 0 : SS_CU_OUT_OF_MEMORY;
}

static int record(struct timespec *event)
{
    return clock_gettime(CLOCK_MONOTONIC, event);
}

static int milliseconds(float *out, const struct timespec *begin, const struct timespec *end)
{
    double ns = (double)(end->tv_nsec - begin->tv_nsec);
    *out = (float)((double)(end->tv_sec - begin->tv_sec) * 1e3 + ns * 1e-6);
    return 0;
}

static int resource(int *out, int which)
{
    *out = which == SS_CU_MAX_THREADS ? 1024 : which == SS_CU_REGISTERS ? 40 : 0;
    return 0;
}

static int resident(int *out)
{
    *out = 2;
    return 0;
}

static int is_there(const char *file)
{
    return access(file, F_OK) == 0;
}

static int module_function(char **out, void *module, const char *kernel)
{
    (void)module;
    *out = strdup(kernel); /* as long as the process */
    return *out ? 0 : SS_CU_OUT_OF_MEMORY;
}

static double update(const double *u, const double *rhs, ptrdiff_t at, ptrdiff_t row,
                     const double *c)
{
    return rhs[at] + c[0] * ((u[at - 1] + u[at + 1]) + c[1] * (u[at - row] + u[at + row]));
}

/* jacobi1_naive(u, b, out, nx, ny, stride, update, stop) */
static void sweep(void **argument)
{
    const double *u = *(double **)argument[0], *rhs = *(double **)argument[1], *c = argument[6];
    double *out = *(double **)argument[2];
    ptrdiff_t row = *(ptrdiff_t *)argument[5];
    if (**(int **)argument[7])
        return;
    for (int j = 0; j < *(int *)argument[4]; j++)
        for (int i = 0; i < *(int *)argument[3]; i++)
            out[j * row + i] = update(u, rhs, j * row + i, row, c);
}

/* jacobi_norm(u, b, nx, ny, stride, update, stop, tiles, partial, control) */
static void norm(void **argument)
{
    const double *u = *(double **)argument[0], *rhs = *(double **)argument[1], *c = argument[5];
    ss_cuda_control *control = *(ss_cuda_control **)argument[9];
    ptrdiff_t row = *(ptrdiff_t *)argument[4];
    double sum = 0;
    for (int j = 0; j < *(int *)argument[3]; j++)
        for (int i = 0; i < *(int *)argument[2]; i++) {
            ptrdiff_t at = j * row + i;
            double d = update(u, rhs, at, row, c) - u[at];
            sum += d * d;
        }
    control->norm[control->count++] = control->scale * sqrt(sum);
}

static int launch(const ss_cu_launch *how, const char *kernel, void **argument)
{
    (void)how;
    if (is_trial() && is_there("hang"))
        sleep(1000);
    if (is_there(is_trial() ? "ruin" : "lost"))
        return SS_CU_ILLEGAL_ADDRESS;
    if (strstr(kernel, "jacobi1_naive"))
        sweep(argument);
    if (strstr(kernel, "jacobi_norm"))
        norm(argument);
    return 0;
}

static int launch_graph(void)
{
    return launch(NULL, "", NULL);
}

static int other(void)
{
    return of("FAKE_CODE", 0);
}

static const struct {
    const char *name;
    void *function;
} functions[] = {
    {"cuInit", (void *)init},
    {"cuDeviceGetCount", (void *)count},
    {"cuDeviceGetName", (void *)name},
    {"cuDeviceGetAttribute", (void *)attribute},
    {"cuGetErrorString", (void *)words},
    {"cuDriverGetVersion", (void *)cuDriverGetVersion},
    {"cuMemGetInfo", (void *)memory},
    {"cuMemAlloc", (void *)alloc},
    {"cuMemAllocHost", (void *)alloc_pinned},
    {"cuMemFree", (void *)release},
    {"cuMemFreeHost", (void *)release},
    {"cuMemcpy", (void *)copy},
    {"cuMemcpyAsync", (void *)copy},
    {"cuMemcpy2DAsync", (void *)copy_rows},
    {"cuMemsetD8Async", (void *)fill},
    {"cuDevicePrimaryCtxRetain", (void *)make},
    {"cuStreamCreate", (void *)make},
    {"cuStreamCreateWithPriority", (void *)make},
    {"cuEventCreate", (void *)make_event},
    {"cuEventDestroy", (void *)release},
    {"cuEventRecord", (void *)record},
    {"cuGraphInstantiateWithFlags", (void *)make},
    {"cuStreamEndCapture", (void *)make_for},
    {"cuModuleLoadData", (void *)make},
    {"cuModuleGetFunction", (void *)module_function},
    {"cuEventElapsedTime", (void *)milliseconds},
    {"cuFuncGetAttribute", (void *)resource},
    {"cuOccupancyMaxActiveBlocksPerMultiprocessor", (void *)resident},
    {"cuLaunchKernelEx", (void *)launch},
    {"cuGraphLaunch", (void *)launch_graph},
};

int cuGetProcAddress_v2(const char *symbol, void **out, int version, unsigned long long flags,
                        int *status)
{
    const char *lacks = getenv("FAKE_LACKS");
    (void)version, (void)flags, (void)status;
    *out = (void *)other;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, symbol) == 0)
            *out = functions[i].function;
    return lacks && strcmp(symbol, lacks) == 0 ? 500 : 0;
}
