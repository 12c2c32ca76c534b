/*
 * The vocabulary every other file shares: precision, boxes of points, error text, status.
 * Included by everything, also from CUDA C++17; it therefore declares no function bodies that
 * need C11 only and no state. Thread: none of it is shared.
 */
#ifndef SS_BASE_H
#define SS_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __CUDACC__
#define SS_HD __host__ __device__
#else
#define SS_HD
#endif
/* A function of a header that both a C kernel and a CUDA kernel inline. */
#define SS_INLINE SS_HD static inline __attribute__((unused))

#ifdef __cplusplus
extern "C" {
#endif

#define SS_OK 0
#define SS_FAIL (-1)
#define SS_ALIGN 64 /* bytes: a cache line, and the alignment of every field and tile */

#if defined(__GNUC__) && !defined(__CUDACC__)
#define SS_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define SS_PRINTF(fmt, args)
#endif

/* One clear sentence for a person, with the valid range where there is one. */
typedef struct ss_err {
    char text[320];
} ss_err;

/* Writes the sentence (err may be NULL) and returns SS_FAIL, so that `return ss_fail(...)` reads.
 */
int ss_fail(ss_err *err, const char *fmt, ...) SS_PRINTF(2, 3);

typedef enum ss_prec { SS_F64, SS_F32, SS_NPREC } ss_prec;

SS_INLINE size_t ss_prec_size(ss_prec p)
{
    return p == SS_F64 ? sizeof(double) : sizeof(float);
}

/*
 * A box of interior points and how it lies in memory. Indices count interior points from 0;
 * point (i, j, k) of a field starting at element 0 is element first + i + j*sy + k*sz.
 * Halo points lie at index -1 and n. A 1D equation with copies uses y as the copy (hy = 0).
 */
typedef struct ss_box {
    int nx, ny, nz;   /* interior points a direction (unused directions: 1) */
    int hx, hy, hz;   /* halo points on each side */
    ptrdiff_t sy, sz; /* elements between rows, between planes */
    size_t first;     /* element of interior point (0, 0, 0); rows start SS_ALIGN-aligned */
    size_t count;     /* elements of one field, halo and padding included */
} ss_box;

/* Why a run is not advancing, or that it is. The order is the order of the JSON names. */
typedef enum ss_status {
    SS_RUNNING,
    SS_CONVERGED,   /* first cycle with |r| <= tol |r0| */
    SS_LIMIT,       /* a limit that was asked for: cycles, seconds */
    SS_DIVERGED,    /* NaN, Inf or growth: a status, not an error */
    SS_INTERRUPTED, /* a signal or the user */
    SS_FAILED,      /* an error; its sentence is in the snapshot's message */
    SS_NSTATUS
} ss_status;

const char *ss_status_name(ss_status s);

/* Monotonic wall clock, seconds. */
double ss_clock(void);

/* splitmix64 as a counter: value number `index` (from 0) of the stream `seed`, in [0, 1).
 * Source: numerics section 6: z of state seed + (index+1)*golden, (z >> 11) * 2^-53. */
double ss_random_unit(uint64_t seed, uint64_t index);
uint64_t ss_random_u64(uint64_t seed, uint64_t index);
/* The same as an integer below n, n > 0. */
uint32_t ss_random_below(uint64_t seed, uint64_t index, uint32_t n);

/* Zeroed, SS_ALIGN-aligned memory, or NULL with the bytes asked for in err. Free with free(). */
void *ss_alloc(size_t bytes, const char *what, ss_err *err);

/* Columns that a text of UTF-8 takes on a terminal: bytes that begin a character. */
int ss_utf8_width(const char *text);
/* Removes the rest of a last character of UTF-8 that was cut. Returns text. */
char *ss_utf8_trim(char *text);
/* Bytes of the character that text begins with, of `left` at most; 0: it is none (RFC 3629: no
 * surrogates, no long forms). */
int ss_utf8_length(const char *text, size_t left);

/* "33.9 MB", "4.3k", "1.2e-4": how the program prints quantities, one place for all front ends. */
const char *ss_format_si(double v, const char *unit, char *buf, size_t size);
const char *ss_format_bytes(double v, char *buf, size_t size);
const char *ss_format_sci(double v, char *buf, size_t size);

#ifdef __cplusplus
}
#endif
#endif
