/*
 * Types and helpers that every other file uses: precision, boxes of points, error text, status.
 * CUDA C++17 files include it too, so its function bodies must be valid in both languages. No
 * state; any thread.
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
/* A header function that C and CUDA kernels inline. */
#define SS_INLINE SS_HD static inline __attribute__((unused))

#define SS_OK 0
#define SS_FAIL (-1)
#define SS_ALIGN 64 /* bytes: a cache line, and the alignment of every field and tile */

#if defined(__GNUC__) && !defined(__CUDACC__)
#define SS_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define SS_PRINTF(fmt, args)
#endif

/* One sentence for the user, with the valid range if one exists. */
typedef struct ss_err {
    char text[320];
    bool outside; /* not what the user wrote is wrong, but a file, memory or a device: never a usage
                     error (SS_EXIT_USAGE), wherever it happens */
} ss_err;

/* Writes the sentence (err may be NULL) and returns SS_FAIL, for `return ss_fail(...)`. A text that
 * is longer than its precision ("%.40s") ends with a whole character and an ellipsis. */
int ss_fail(ss_err *err, const char *fmt, ...) SS_PRINTF(2, 3);
/* The same for a cause outside the command. */
int ss_fail_outside(ss_err *err, const char *fmt, ...) SS_PRINTF(2, 3);

typedef enum ss_prec { SS_F64, SS_F32, SS_NPREC } ss_prec;

SS_INLINE size_t ss_prec_size(ss_prec p)
{
    return p == SS_F64 ? sizeof(double) : sizeof(float);
}

/*
 * A box of interior points and its memory layout. Indices count interior points from 0;
 * point (i, j, k) of a field starting at element 0 is element first + i + j*sy + k*sz.
 * Halo points lie at indices -1 and n. A 1D equation with copies uses y as the copy (hy = 0).
 */
typedef struct ss_box {
    int nx, ny, nz;   /* interior points per direction (unused directions: 1) */
    int hx, hy, hz;   /* halo points on each side */
    ptrdiff_t sy, sz; /* elements between rows, between planes */
    size_t first;     /* element of interior point (0, 0, 0); rows start SS_ALIGN-aligned */
    size_t count;     /* elements of one field, halo and padding included */
} ss_box;

/* The state of a run: running, or the reason why it has stopped. Names: ss_status_name. */
typedef enum ss_status {
    SS_RUNNING,
    SS_CONVERGED,   /* first cycle with |r| <= tol |r0|, or with the accuracy asked for */
    SS_LIMIT,       /* a given limit: cycles, seconds */
    SS_STAGNATED,   /* the residual no longer falls, and is above the tolerance */
    SS_DIVERGED,    /* NaN, Inf or growth: a status, not an error */
    SS_INTERRUPTED, /* a signal or the user */
    SS_FAILED,      /* an error; its sentence is in the snapshot's message */
    SS_NSTATUS
} ss_status;

const char *ss_status_name(ss_status s);
/* Does a run that ends so count as failed? Its message has the cause. */
bool ss_status_fails(ss_status s);

/* "out of memory: %s needs 33.9 MB". */
int ss_fail_memory(ss_err *err, const char *what, size_t bytes);

/* Monotonic wall clock, seconds. */
double ss_clock(void);

/* Counter-based splitmix64: value number `index` (from 0) of the stream `seed`, in [0, 1):
 * (z >> 11) * 2^-53 with z from the state seed + (index + 1) * 0x9e3779b97f4a7c15. */
double ss_random_unit(uint64_t seed, uint64_t index);
uint64_t ss_random_u64(uint64_t seed, uint64_t index);
/* The same as an integer below n, n > 0. */
uint32_t ss_random_below(uint64_t seed, uint64_t index, uint32_t n);

/* Zeroed, SS_ALIGN-aligned memory; NULL: err names `what` and its size. Free with free(). */
void *ss_alloc(size_t bytes, const char *what, ss_err *err);

/* Terminal columns of a character: 1; 2: East Asian; 0: a mark on the one before; -1: terminals
 * differ, or would do something with it, and a '?' stands for it. */
int ss_char_width(uint32_t ch);
/* Terminal columns of UTF-8 text. */
int ss_utf8_width(const char *text);
/* The character at *text, which moves to the next one; a byte that is not UTF-8 is a '?'. */
uint32_t ss_utf8_next(const char **text);
/* Writes a character; returns its bytes. */
int ss_utf8_put(char to[4], uint32_t ch);
/* Removes an incomplete UTF-8 sequence from the end, in place. Returns text. */
char *ss_utf8_trim(char *text);
/* Bytes of the first character of text, of which `left` bytes are readable; 0: invalid UTF-8 (RFC
 * 3629: no surrogates, no overlong forms). */
int ss_utf8_length(const char *text, size_t left);

/* Makes foreign text safe for a terminal, in place: control characters (C0, C1, DEL, line feeds
 * too) and bytes that are not UTF-8 become '?'. Every message passes through it. Returns text. */
char *ss_text_safe(char *text);

/* Bytes of a sign between two numbers, "x" or "×", at the start of text; 0: there is none. */
int ss_times_sign(const char *text);
/* Reads "800x600" or "800×600", numbers of at most 8 digits. Returns what follows; NULL: it is no
 * such text. */
const char *ss_parse_pair(const char *text, int *a, int *b);

/* Quantities as text, for all front ends: "4.3k", "33.9 MB", "1.2e-4". Return buf. */
const char *ss_format_si(double v, const char *unit, char *buf, size_t size);
const char *ss_format_bytes(double v, char *buf, size_t size);
const char *ss_format_sci(double v, char *buf, size_t size);

/* --- numbers ---------------------------------------------------------------------------------- */

SS_INLINE int ss_min(int a, int b)
{
    return a < b ? a : b;
}

SS_INLINE int ss_clamp(int v, int lo, int hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

/* For qsort of doubles, ascending. */
SS_INLINE int ss_ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A point: of a curve in the units of its axes, or in pixels. */
typedef struct ss_xy {
    double x, y;
} ss_xy;

/* --- the program ------------------------------------------------------------------------------ */

/* Exit statuses of the program and its subcommands. */
enum {
    SS_EXIT_OK = 0,
    SS_EXIT_FAILED = 1,
    SS_EXIT_USAGE = 2,
    SS_EXIT_INTERRUPTED = 130 /* by a signal */
};

/*
 * This build: its identity, a checksum of the objects of the library, which the Makefile generates
 * and programs that exchange structs compare; and what helps if it lacks something.
 */
const char *ss_build_id(void); /* without spaces */

#ifdef SS_WITH_PAGE
#define SS_REMEDY "the installed program has it"
#else
#define SS_REMEDY "`make deps` gets it"
#endif

#endif
