/*
 * Memory traffic: copies that write past the caches, and the yardstick every kernel is compared
 * with, STREAM's triad on this machine. Engine thread, or main in `bench`.
 */
#ifndef SS_CPU_STREAM_H
#define SS_CPU_STREAM_H

#include "src/base/common.h"

/* memcpy for results nobody reads soon; both ends a multiple of four bytes from an SS_ALIGN line.
 */
void ss_stream_copy(void *to, const void *from, size_t bytes);
/* Before another thread reads what was copied. */
void ss_stream_done(void);

/* Arrays that are kept between rounds, so that a benchmark can interleave them with its own. */
typedef struct ss_triad {
    size_t n;
    double *a, *b, *c;
    int threads;
} ss_triad;

/* Each array four times the last-level cache, less if all three would exceed most_bytes. */
int ss_triad_open(ss_triad *t, int threads, double most_bytes, ss_err *err);
void ss_triad_close(ss_triad *t);
/* One pass over the arrays. Bytes a second, counting what the source text says: 24 an element of
 * the triad a = b + s c (plain: what STREAM reports; stream: past the caches), 16 of the copy. */
double ss_triad_plain(ss_triad *t);
double ss_triad_stream(ss_triad *t);
double ss_triad_copy(ss_triad *t);

#endif
