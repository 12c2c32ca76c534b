/*
 * A CUDA driver for tests where there is no GPU (libcuda.so.1): memory is the host's, copies are
 * done, kernels do nothing. What it answers is in the environment: FAKE_DRIVER its version,
 * FAKE_INIT and FAKE_CODE the codes of cuInit and of functions without an answer, FAKE_COUNT its
 * devices, FAKE_MAJOR their compute capability, FAKE_LACKS a function that it has not.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/device/driver.h"

static int of(const char *name, int otherwise)
{
    const char *value = getenv(name);
    return value ? atoi(value) : otherwise;
}

/* --- functions without an answer of their own --------------------------------------------------
 */

#pragma GCC diagnostic ignored "-Wunused-parameter"
#define SS_CU(name, symbol, arguments)                                                             \
    static int plain_##name arguments                                                              \
    {                                                                                              \
        return of("FAKE_CODE", 0);                                                                 \
    }
#include "kernels/cuda/device/driver.def"
#undef SS_CU

/* --- those with one ----------------------------------------------------------------------------
 */

static int init(unsigned flags)
{
    return of("FAKE_INIT", 0);
}

static int driver_version(int *version)
{
    *version = of("FAKE_DRIVER", 13000);
    return 0;
}

static int error_string(int code, const char **out)
{
    *out = "a reason of the driver";
    return 0;
}

static int device_count(int *out)
{
    *out = of("FAKE_COUNT", 1);
    return 0;
}

static int device_name(char *out, int size, int device)
{
    strncpy(out, "a GPU of the tests", (size_t)size);
    return 0;
}

static int device_attribute(int *out, int which, int device)
{
    *out = which == SS_CU_MAJOR                 ? of("FAKE_MAJOR", 9)
           : which == SS_CU_MINOR               ? 0
           : which == SS_CU_MAX_PITCH           ? 1 << 30
           : which == SS_CU_PROCESSORS          ? 132
           : which == SS_CU_SHARED_PER_BLOCK    ? 227 << 10
           : which == SS_CU_REGISTERS_PER_BLOCK ? 65536
                                                : 2048;
    return 0;
}

static int memory_free(size_t *left, size_t *total)
{
    *left = *total = (size_t)8 << 30;
    return 0;
}

static int alloc(void **out, size_t bytes)
{
    *out = calloc(1, bytes);
    return *out ? 0 : SS_CU_OUT_OF_MEMORY;
}

static int release(void *memory)
{
    free(memory);
    return 0;
}

static int copy(void *to, const void *from, size_t bytes, ss_cu_stream stream)
{
    memcpy(to, from, bytes);
    return 0;
}

static int copy_now(void *to, const void *from, size_t bytes)
{
    return copy(to, from, bytes, NULL);
}

static const char *side(const ss_cu_side *s)
{
    return s->memory == SS_CU_HOST ? s->host : s->device;
}

static int copy_rows(const ss_cu_copy *c, ss_cu_stream stream)
{
    for (size_t j = 0; j < c->height; j++)
        memcpy((char *)(size_t)side(&c->to) + j * c->to.pitch, side(&c->from) + j * c->from.pitch,
               c->width);
    return 0;
}

static int fill(void *to, unsigned char value, size_t bytes, ss_cu_stream stream)
{
    memset(to, value, bytes);
    return 0;
}

static int event_ms(float *out, ss_cu_event begin, ss_cu_event end)
{
    *out = 0.01f;
    return 0;
}

static int some(void **out)
{
    static int thing;
    *out = &thing;
    return 0;
}

static int stream_create(ss_cu_stream *out, unsigned flags)
{
    return some((void **)out);
}

static int event_create(ss_cu_event *out, unsigned flags)
{
    return some((void **)out);
}

static int context_retain(ss_cu_context *out, int device)
{
    return some((void **)out);
}

static int module_load(ss_cu_module *out, const void *image)
{
    return some((void **)out);
}

static int module_function(ss_cu_function *out, ss_cu_module module, const char *name)
{
    return some((void **)out);
}

static int function_attribute(int *out, int which, ss_cu_function function)
{
    *out = which == SS_CU_REGISTERS ? 32 : which == SS_CU_MAX_THREADS ? 1024 : 0;
    return 0;
}

static int occupancy(int *out, ss_cu_function function, int threads, size_t shared)
{
    *out = 2;
    return 0;
}

/* --- by name ------------------------------------------------------------------------------------
 */

#define SS_CU(name, symbol, arguments) .name = plain_##name,
static ss_cu_table table = {
#include "kernels/cuda/device/driver.def"
};
#undef SS_CU

static void answer(void)
{
    table.init = init;
    table.driver_version = driver_version;
    table.error_string = error_string;
    table.device_count = device_count;
    table.device_name = device_name;
    table.device_attribute = device_attribute;
    table.context_retain = context_retain;
    table.memory_free = memory_free;
    table.alloc = alloc;
    table.free = release;
    table.host_alloc = alloc;
    table.host_free = release;
    table.copy_now = copy_now;
    table.copy = copy;
    table.copy_rows = copy_rows;
    table.fill = fill;
    table.stream_create = stream_create;
    table.event_create = event_create;
    table.event_ms = event_ms;
    table.module_load = module_load;
    table.module_function = module_function;
    table.function_attribute = function_attribute;
    table.occupancy = occupancy;
}

int cuDriverGetVersion(int *out)
{
    return driver_version(out);
}

#define SS_CU(name, symbol, arguments) {#symbol, offsetof(ss_cu_table, name)},
static const struct {
    const char *symbol;
    size_t at;
} symbols[] = {
#include "kernels/cuda/device/driver.def"
};
#undef SS_CU

int cuGetProcAddress_v2(const char *name, void **out, int version, unsigned long long flags,
                        int *status)
{
    const char *lacks = getenv("FAKE_LACKS");
    answer();
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (strcmp(symbols[i].symbol, name) == 0 && !(lacks && strcmp(name, lacks) == 0))
            return memcpy(out, (char *)&table + symbols[i].at, sizeof *out), 0;
    return 500;
}
