/* A driver that runs nothing: see driver.h. */
#include "kernels/cuda/device/driver.h"

#include <pthread.h>
#include <stdlib.h>

#include "kernels/cuda/device/compiler.h"

static _Thread_local const ss_cu_table *before; /* NULL: this thread is not dry */
static _Thread_local int now;                   /* compute capability of a GPU that is not there */

/* --- a typical GPU per generation ----------------------------------------------------------------
 */

/* What prepare asks for, where generations differ. Kilobytes of shared memory: per block and SM. */
static const struct {
    int capability, processors, block_kb, processor_kb, threads;
} typical[] = {
    {75, 40, 64, 64, 1024},    {80, 108, 163, 164, 2048}, {86, 84, 99, 100, 1536},
    {89, 128, 99, 100, 1536},  {90, 132, 227, 228, 2048}, {100, 148, 227, 228, 2048},
    {120, 170, 99, 100, 1536},
};
enum { NTYPICAL = sizeof typical / sizeof *typical };

/* The row of the newest generation that is not newer than the thread's. */
static int row(void)
{
    int i = 0;
    while (i + 1 < NTYPICAL && typical[i + 1].capability <= now)
        i++;
    return i;
}

static int attribute(int *out, int which, int device)
{
    int i = row();
    (void)device;
    switch (which) {
    case SS_CU_MAX_PITCH:
        *out = 0x7fffffff;
        break;
    case SS_CU_REGISTERS_PER_BLOCK:
    case SS_CU_REGISTERS_PER_PROCESSOR:
        *out = 65536;
        break;
    case SS_CU_PROCESSORS:
        *out = typical[i].processors;
        break;
    case SS_CU_L2_BYTES:
        *out = 50 << 20;
        break;
    case SS_CU_THREADS_PER_PROCESSOR:
        *out = typical[i].threads;
        break;
    case SS_CU_TEXTURE_WIDTH:
        *out = 131072;
        break;
    case SS_CU_TEXTURE_HEIGHT:
        *out = 65000;
        break;
    case SS_CU_MAJOR:
        *out = now / 10;
        break;
    case SS_CU_MINOR:
        *out = now % 10;
        break;
    case SS_CU_SHARED_PER_PROCESSOR:
        *out = typical[i].processor_kb << 10;
        break;
    case SS_CU_SHARED_PER_BLOCK:
        *out = typical[i].block_kb << 10;
        break;
    case SS_CU_BLOCKS_PER_PROCESSOR:
        *out = 16;
        break;
    default:
        *out = 0;
        break;
    }
    return 0;
}

/* --- memory and kernels ----------------------------------------------------------------------- */

/* Addresses that nothing else has: none of them is used. */
static int alloc(void **out, size_t bytes)
{
    static _Thread_local uintptr_t next = (uintptr_t)1 << 40;
    *out = (void *)next;
    next += (bytes + 511) & ~(size_t)511;
    return 0;
}

static int host_alloc(void **out, size_t bytes)
{
    *out = calloc(1, bytes);
    return *out ? 0 : SS_CU_OUT_OF_MEMORY;
}

static int host_free(void *memory)
{
    free(memory);
    return 0;
}

static int memory_free(size_t *left, size_t *total)
{
    *left = *total = (size_t)1 << 40;
    return 0;
}

/* What a function of this driver points to. */
typedef struct facts {
    int registers, local, shared;
} facts;

/* The image of the loader stands for a module. */
static int module_load(ss_cu_module *out, const void *image)
{
    *out = (ss_cu_module)(uintptr_t)image;
    return 0;
}

static int module_function(ss_cu_function *out, ss_cu_module module, const char *name)
{
    const ss_cuda_image *image = (const void *)module;
    facts *f = malloc(sizeof *f); /* as long as the process, like loaded code */
    (void)name;
    if (!f)
        return SS_CU_OUT_OF_MEMORY;
    *f = (facts){image->registers, image->local, image->shared};
    *out = (ss_cu_function)(void *)f;
    return 0;
}

static int function_attribute(int *out, int which, ss_cu_function function)
{
    const facts *f = (const void *)function;
    *out = which == SS_CU_REGISTERS       ? f->registers
           : which == SS_CU_LOCAL_BYTES   ? f->local
           : which == SS_CU_STATIC_SHARED ? f->shared
                                          : 1024;
    return 0;
}

static int at_most(int a, int b)
{
    return a < b ? a : b;
}

/* By threads, registers and shared memory. */
static int occupancy(int *out, ss_cu_function function, int threads, size_t shared)
{
    const facts *f = (const void *)function;
    int i = row(), bytes = (int)shared + f->shared + 1024;
    int by_registers = f->registers > 0 ? 65536 / ((f->registers + 7) / 8 * 8 * threads) : 16;
    *out = at_most(at_most(typical[i].threads / threads, by_registers),
                   at_most((typical[i].processor_kb << 10) / bytes, 16));
    *out = *out > 0 ? *out : 1;
    return 0;
}

/* --- everything else -------------------------------------------------------------------------- */

#pragma GCC diagnostic ignored "-Wunused-parameter"
#define SS_CU(name, symbol, arguments)                                                             \
    static int nothing_##name arguments                                                            \
    {                                                                                              \
        return 0;                                                                                  \
    }
#include "kernels/cuda/device/driver.def"
#undef SS_CU

#define SS_CU(name, symbol, arguments) .name = nothing_##name,
static ss_cu_table absent = {
#include "kernels/cuda/device/driver.def"
};
static ss_cu_table beside = {
#include "kernels/cuda/device/driver.def"
};
#undef SS_CU

static void complete(void)
{
    absent.device_attribute = attribute;
    absent.memory_free = memory_free;
    absent.module_load = module_load;
    absent.module_function = module_function;
    absent.function_attribute = function_attribute;
    absent.occupancy = occupancy;
    absent.alloc = alloc;
    absent.host_alloc = host_alloc;
    absent.host_free = host_free;
}

/* Functions that load kernels or ask for properties are the driver's own. */
static void complete_beside(void)
{
    beside.alloc = alloc;
    beside.host_alloc = host_alloc;
    beside.host_free = host_free;
    beside.device_attribute = ss_cu->device_attribute;
    beside.device_can_access_peer = ss_cu->device_can_access_peer;
    beside.context_retain = ss_cu->context_retain;
    beside.context_use = ss_cu->context_use;
    beside.context_priorities = ss_cu->context_priorities;
    beside.memory_free = ss_cu->memory_free;
    beside.error_string = ss_cu->error_string;
    beside.module_load = ss_cu->module_load;
    beside.module_function = ss_cu->module_function;
    beside.function_attribute = ss_cu->function_attribute;
    beside.function_set = ss_cu->function_set;
    beside.occupancy = ss_cu->occupancy;
}

static void begin(const ss_cu_table *table)
{
    before = ss_cu;
    ss_cu = table;
}

void ss_cu_dry_begin(int capability)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, complete);
    now = capability;
    begin(&absent);
}

void ss_cu_beside_begin(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, complete_beside);
    begin(&beside);
}

void ss_cu_dry_end(void)
{
    ss_cu = before;
    before = NULL;
}

bool ss_cu_is_dry(void)
{
    return before != NULL;
}

bool ss_cu_is_absent(void)
{
    return ss_cu == &absent;
}
