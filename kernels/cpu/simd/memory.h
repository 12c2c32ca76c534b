/*
 * Memory of this machine: the amount available, the size of the last-level cache, and the
 * allocation of large arrays for first-touch placement (any thread); copies with non-temporal
 * stores, and STREAM's triad, the bandwidth with which every kernel is compared (engine thread, or
 * main in `bench`). The latter are in kernels/cpu/stream.c.
 */
#ifndef SS_CPU_MEMORY_H
#define SS_CPU_MEMORY_H

#include "src/base/common.h"

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

/* The arrays persist between rounds, so that a benchmark can interleave triads with its own runs.
 */
typedef struct ss_triad {
    size_t n;
    double *a, *b, *c;
    int threads;
} ss_triad;

/* Each array has four times the size of the last-level cache, less if all three would exceed
 * most_bytes: then they may fit in that cache. */
int ss_triad_open(ss_triad *t, int threads, double most_bytes, ss_err *err);
void ss_triad_close(ss_triad *t);
/* One pass over the arrays; returns bytes per second. Bytes are counted as STREAM does, without
 * write-allocate traffic: 24 per element of the triad a = b + s c (plain: ordinary stores; stream:
 * non-temporal stores), 16 per element of the copy. */
double ss_triad_plain(ss_triad *t);
double ss_triad_stream(ss_triad *t);
double ss_triad_copy(ss_triad *t);

/* The plain triad over the first `bytes` of the three arrays together, divided among the threads,
 * `times` times: the bandwidth of a cache that holds these bytes, in bytes per second. */
double ss_triad_within(ss_triad *t, double bytes, int64_t times);

#endif
