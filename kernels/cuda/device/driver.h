/*
 * The CUDA driver (libcuda.so.1), opened when a GPU is first asked for: no header and no library of
 * CUDA is needed to build this program, and it runs where there is no driver. Types, constants and
 * functions are those of the driver API, version 12.0, in our own words; tests/lint/driver.sh
 * compares them with <cuda.h>. Addresses on the device are pointers.
 *
 * Any thread. A thread calls ss_cuda_use before the first other call.
 */
#ifndef SS_CUDA_DRIVER_H
#define SS_CUDA_DRIVER_H

#include <stddef.h>

#include "src/base/common.h"

typedef struct CUctx_st *ss_cu_context;
typedef struct CUstream_st *ss_cu_stream;
typedef struct CUevent_st *ss_cu_event;
typedef struct CUgraph_st *ss_cu_capture;   /* launches as recorded */
typedef struct CUgraphExec_st *ss_cu_graph; /* the same, ready to be launched */
typedef struct CUmod_st *ss_cu_module;      /* loaded machine code */
typedef struct CUfunc_st *ss_cu_function;   /* a kernel in it */
typedef unsigned long long ss_cu_texture;
typedef struct ss_cu_uuid {
    char bytes[16];
} ss_cu_uuid;

/* --- constants ----------------------------------------------------------------------------------
 */

/* Codes that this program tells apart. */
enum {
    SS_CU_OUT_OF_MEMORY = 2,
    SS_CU_NO_DEVICE = 100,
    SS_CU_NO_BINARY_FOR_GPU = 209,
    SS_CU_ECC_UNCORRECTABLE = 214,
    SS_CU_INVALID_PTX = 218,
    SS_CU_NVLINK_UNCORRECTABLE = 220,
    SS_CU_UNSUPPORTED_PTX_VERSION = 222,
    SS_CU_ILLEGAL_ADDRESS = 700,
    SS_CU_LAUNCH_TIMEOUT = 702,
    SS_CU_PEER_ALREADY_ENABLED = 704,
    SS_CU_ASSERT = 710,
    SS_CU_HARDWARE_STACK_ERROR = 714,
    SS_CU_ILLEGAL_INSTRUCTION = 715,
    SS_CU_MISALIGNED_ADDRESS = 716,
    SS_CU_INVALID_ADDRESS_SPACE = 717,
    SS_CU_INVALID_PC = 718,
    SS_CU_LAUNCH_FAILED = 719,
    SS_CU_SYSTEM_DRIVER_MISMATCH = 803,
};

/* Attributes of a device: device_attribute. Sizes in bytes. */
enum {
    SS_CU_MAX_PITCH = 11,
    SS_CU_REGISTERS_PER_BLOCK = 12, /* of 32 bits */
    SS_CU_CLOCK_KHZ = 13,           /* highest clock rate of the SMs */
    SS_CU_PROCESSORS = 16,          /* streaming multiprocessors */
    SS_CU_L2_BYTES = 38,
    SS_CU_THREADS_PER_PROCESSOR = 39,
    SS_CU_TEXTURE_WIDTH = 70, /* of a texture on rows, in elements */
    SS_CU_TEXTURE_HEIGHT = 71,
    SS_CU_MAJOR = 75, /* compute capability */
    SS_CU_MINOR = 76,
    SS_CU_SHARED_PER_PROCESSOR = 81,
    SS_CU_REGISTERS_PER_PROCESSOR = 82,
    SS_CU_SINGLE_TO_DOUBLE = 87, /* operations per second, single to double precision */
    SS_CU_SHARED_PER_BLOCK = 97, /* after function_set of SS_CU_DYNAMIC_SHARED */
    SS_CU_BLOCKS_PER_PROCESSOR = 106,
};

/* Attributes of a kernel: function_attribute, function_set. */
enum {
    SS_CU_MAX_THREADS = 0,
    SS_CU_STATIC_SHARED = 1,  /* bytes per block */
    SS_CU_LOCAL_BYTES = 3,    /* per thread: spilled registers and arrays */
    SS_CU_REGISTERS = 4,      /* per thread */
    SS_CU_DYNAMIC_SHARED = 8, /* the most that a launch may ask for */
    SS_CU_SHARED_CARVEOUT = 9,
};
#define SS_CU_MOST_SHARED 100 /* SS_CU_SHARED_CARVEOUT: in percent of what an SM has */

enum { SS_CU_NON_BLOCKING = 1 };           /* stream_create */
enum { SS_CU_NO_TIMING = 2 };              /* event_create */
enum { SS_CU_THREAD_LOCAL = 1 };           /* capture_begin */
enum { SS_CU_NOT_CAPTURING = 0 };          /* capture_status */
enum { SS_CU_HOST = 1, SS_CU_DEVICE = 2 }; /* sides of a copy of rows */

/* --- structures ---------------------------------------------------------------------------------
 */

/* One side of a copy of rows; `array` and `at` are not used here. */
typedef struct ss_cu_side {
    size_t x, y; /* 0 */
    int memory;  /* SS_CU_HOST or SS_CU_DEVICE */
    void *host;
    void *device;
    void *array; /* NULL */
    size_t pitch;
} ss_cu_side;

/* A copy of `height` rows of `width` bytes. */
typedef struct ss_cu_copy {
    ss_cu_side from, to;
    size_t width, height;
} ss_cu_copy;

/* What a launch asks for beyond its grid. */
typedef struct ss_cu_wish {
    int id;
    char unused[4];
    union {
        char bytes[64];
        int on; /* SS_CU_COOPERATIVE, SS_CU_OVERLAP */
        unsigned cluster[3];
    } value;
} ss_cu_wish;
enum {
    SS_CU_COOPERATIVE = 2, /* all blocks are resident at once */
    SS_CU_CLUSTER = 4,     /* blocks per cluster in x, y and z */
    SS_CU_OVERLAP = 6      /* programmatic dependent launch: see await_previous in ptx.cuh */
};

typedef struct ss_cu_launch {
    unsigned grid[3], block[3], shared; /* blocks, threads, bytes per block */
    ss_cu_stream stream;
    ss_cu_wish *wishes;
    unsigned count;
} ss_cu_launch;

/* An array that a texture reads: rows in device memory. */
typedef struct ss_cu_array {
    int kind; /* SS_CU_ROWS */
    union {
        int reserved[32];
        struct {
            void *first;
            int format;                  /* SS_CU_INT32 or SS_CU_FLOAT */
            unsigned channels;           /* per element */
            size_t width, height, pitch; /* elements, rows, bytes */
        } rows;
    } of;
    unsigned flags; /* 0 */
} ss_cu_array;
enum { SS_CU_ROWS = 3 };
enum { SS_CU_INT32 = 0x0a, SS_CU_FLOAT = 0x20 };

/* How a texture is read: all 0 but `flags` is the element at whole coordinates. */
typedef struct ss_cu_fetch {
    int address[3], filter;
    unsigned flags; /* SS_CU_AS_INTEGER */
    unsigned anisotropy;
    int mipmap_filter;
    float mipmap[3], border[4];
    int reserved[12];
} ss_cu_fetch;
enum { SS_CU_AS_INTEGER = 1 };

/* --- functions ----------------------------------------------------------------------------------
 */

#define SS_CU(name, symbol, arguments) int(*name) arguments;
typedef struct ss_cu_table {
#include "kernels/cuda/device/driver.def"
} ss_cu_table;
#undef SS_CU

#ifndef __cplusplus
/* The driver that this thread calls: ss_cu->alloc(&memory, bytes). Its functions are NULL before
 * ss_cu_driver_open. */
extern _Thread_local const ss_cu_table *ss_cu;
#endif

/* Opens the driver and gives it to the calling thread. Fails with one sentence where there is none
 * or it is older than 12.0. */
int ss_cu_driver_open(ss_err *err);
/* The words of a code. */
const char *ss_cu_words(int code);

/* --- a driver that runs nothing (dry.c) ------------------------------------------------------- */

/*
 * A driver that runs nothing: with it a plan is prepared for a GPU that is not there, or beside a
 * run that goes on, so that its kernels are compiled. Memory has addresses and no bytes, kernels
 * have the registers that the compiler named, launches and copies do nothing. Any thread, for
 * itself.
 */

/* This thread's ss_cu becomes the driver of a typical GPU of that compute capability: 90 for 9.0.
 */
void ss_cu_dry_begin(int capability);
/* This thread's ss_cu loads kernels on the devices that are there, and knows what they are; it has
 * no memory and runs nothing. */
void ss_cu_beside_begin(void);
/* The driver that it had before. */
void ss_cu_dry_end(void);
/* Is it one of the two? Is it that of a GPU that is not there? */
bool ss_cu_is_dry(void);
bool ss_cu_is_absent(void);

#endif
