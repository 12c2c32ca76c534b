/*
 * This machine, for the CPU backend. Its vector instruction set: any thread may read the level,
 * only one may change it. Its memory: the amount available, the size of the last-level
 * cache, and the allocation of large arrays for first-touch placement; any thread. Memory traffic:
 * copies with non-temporal stores. Its threads: the number that
 * a sweep uses, the rows of each, and its binding to a processor; engine thread, ss_team_row also
 * inside parallel regions.
 */
#ifndef SS_CPU_MACHINE_H
#define SS_CPU_MACHINE_H

#include "src/core/run.h"

/* --- instruction set -------------------------------------------------------------------------- */

/*
 * Every loop of kernels/cpu/loops is compiled several times (each.h); the widest version that this
 * processor supports is selected at run time. All are bit-for-bit equal, so only tests and
 * measurements limit the level: by ss_isa_limit, or by the environment variable STENCILSCOPE_SIMD
 * (plain, avx2, avx512), which is read once.
 */

/* In increasing order of width; plain is the compiler's target. */
typedef enum ss_isa { SS_ISA_PLAIN, SS_ISA_AVX2, SS_ISA_AVX512, SS_NISA } ss_isa;

/* Versions for other instruction sets than the compiler's target exist on x86 only. */
#if defined(__x86_64__)
#define SS_ISA_CLONES 1
#else
#define SS_ISA_CLONES 0
#endif

/* a_b, the name of a version. */
#define SS_PASTE(a, b) a##_##b
#define SS_JOIN(a, b) SS_PASTE(a, b)

ss_isa ss_isa_level(void);
/* Limits the level from now on. */
void ss_isa_limit(ss_isa most);
const char *ss_isa_name(ss_isa isa);

/* --- memory ----------------------------------------------------------------------------------- */

/* Bytes that this process may still allocate: the system's available memory, or the rest of the
 * container's limit if that is lower; `what` says which. */
double ss_memory_available(char *what, size_t size);
/* Bytes of the last-level cache; 32 MiB if the system does not report it. */
size_t ss_memory_cache(void);

/* A cache of the data that a core reads. */
typedef struct ss_cache {
    int level;   /* 1: the nearest */
    double size; /* bytes */
    bool shared; /* by several cores */
} ss_cache;

/* Those of the first core, the largest first; returns their number, at most max. 0: the system does
 * not report them. */
int ss_memory_caches(ss_cache *out, int max);
/* Allocates untouched memory: the system places each page on the NUMA node of the thread that
 * writes to it first. SS_ALIGN-aligned; free with free(). NULL: err holds the requested size. */
void *ss_memory_untouched(size_t bytes, const char *what, ss_err *err);

/* --- traffic ---------------------------------------------------------------------------------- */

/* memcpy with non-temporal stores, for results that are not read soon. `to` and `bytes` are
 * multiples of 4. */
void ss_stream_copy(void *to, const void *from, size_t bytes);
/* Store fence; to be called before another thread reads the copies. */
void ss_stream_done(void);

/* --- threads ---------------------------------------------------------------------------------- */

/* The number of threads for this many point updates. Waking a thread costs microseconds, so each
 * must have enough work. */
int ss_team_size(const ss_run *run, double updates);

/* The first row of thread t of a team; ss_team_row(rows, t + 1, team) ends its rows. First touch
 * and sweeps use the same division, so that a thread's rows are in its NUMA node's memory. */
static inline int ss_team_row(int rows, int t, int team)
{
    return (int)((int64_t)rows * t / team);
}

/* Binds thread t to the t-th processor of the process's affinity mask (pin), or unbinds all. */
int ss_team_bind(const ss_run *run, ss_err *err);
/* Bind and unbind the calling thread. It is bound only during a step, because threads that it
 * creates later and its processor count would inherit the binding. */
void ss_team_enter(const ss_run *run);
void ss_team_leave(const ss_run *run);

#endif
