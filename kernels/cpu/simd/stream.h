/*
 * Memory traffic: copies with non-temporal stores, and STREAM's triad, the bandwidth with which
 * every kernel is compared. Engine thread, or main in `bench`.
 */
#ifndef SS_CPU_STREAM_H
#define SS_CPU_STREAM_H

#include "src/base/common.h"

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
