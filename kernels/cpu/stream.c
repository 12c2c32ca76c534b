/* Non-temporal copies and the triad: see machine.h. */
#include "kernels/cpu/simd/machine.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define LINE 64

#ifdef __SSE2__

void ss_stream_copy(void *to, const void *from, size_t bytes)
{
    char *t = to;
    const char *f = from;
    size_t head = (LINE - (uintptr_t)t % LINE) % LINE;
    head = head < bytes ? head : bytes;
    memcpy(t, f, head);
    /* Whole cache lines only: a partial line would have to be read first. */
    size_t i = head;
    for (; i + LINE <= bytes; i += LINE)
        for (size_t k = i; k < i + LINE; k += 16)
            _mm_stream_si128((__m128i *)(void *)(t + k),
                             _mm_loadu_si128((const __m128i *)(const void *)(f + k)));
    memcpy(t + i, f + i, bytes - i);
}

void ss_stream_done(void)
{
    _mm_sfence();
}

static void triad_streaming(double *a, const double *b, const double *c, double s, size_t n)
{
    __m128d factor = _mm_set1_pd(s);
    for (size_t i = 0; i < n; i += 2)
        _mm_stream_pd(a + i,
                      _mm_add_pd(_mm_load_pd(b + i), _mm_mul_pd(factor, _mm_load_pd(c + i))));
    _mm_sfence();
}

#else

void ss_stream_copy(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

void ss_stream_done(void)
{
}

static void triad_streaming(double *a, const double *b, const double *c, double s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        a[i] = b[i] + s * c[i];
}

#endif

typedef void pass_fn(double *a, const double *b, const double *c, double s, size_t n);

#define SS_TEMPLATE "kernels/cpu/triad_each.h"
#include "kernels/cpu/simd/each.h"

/* As wide as the row kernels that are compared with it. */
static void triad(double *a, const double *b, const double *c, double s, size_t n)
{
    SS_PICK(triad, f64)(a, b, c, s, n);
}

static void copy(double *a, const double *b, const double *c, double s, size_t n)
{
    (void)c, (void)s;
    memcpy(a, b, n * sizeof *a);
}

/* Each thread has the same part of the arrays in every pass; parts are whole cache lines. */
static void run_pass(const ss_triad *t, pass_fn *pass)
{
#pragma omp parallel num_threads(t->threads)
    {
        size_t lines = t->n / 8, id = (size_t)omp_get_thread_num();
        size_t team = (size_t)omp_get_num_threads();
        size_t from = lines * id / team * 8, to = lines * (id + 1) / team * 8;
        pass(t->a + from, t->b + from, t->c + from, 3.0, to - from);
    }
}

static double rate(const ss_triad *t, pass_fn *pass, double bytes_each)
{
    double start = ss_clock();
    run_pass(t, pass);
    return bytes_each * (double)t->n / (ss_clock() - start);
}

/* Initial values; the first touch. */
static void fill(double *a, const double *b, const double *c, double s, size_t n)
{
    (void)s;
    double *y = (double *)(uintptr_t)b, *z = (double *)(uintptr_t)c;
    for (size_t i = 0; i < n; i++) {
        a[i] = 0;
        y[i] = 1;
        z[i] = 2;
    }
}

int ss_triad_open(ss_triad *t, int threads, double most_bytes, ss_err *err)
{
    size_t bytes = 4 * ss_memory_cache();
    if (3 * (double)bytes > most_bytes)
        bytes = (size_t)(most_bytes / 3);
    *t = (ss_triad){.n = bytes / LINE * 8, .threads = threads};
    t->a = ss_memory_untouched(bytes, "the triad's arrays", err);
    t->b = t->a ? ss_memory_untouched(bytes, "the triad's arrays", err) : NULL;
    t->c = t->b ? ss_memory_untouched(bytes, "the triad's arrays", err) : NULL;
    if (!t->c) {
        ss_triad_close(t);
        return SS_FAIL;
    }
    run_pass(t, fill);
    return SS_OK;
}

void ss_triad_close(ss_triad *t)
{
    free(t->a);
    free(t->b);
    free(t->c);
    *t = (ss_triad){0};
}

/* Keeps the compiler from joining passes over the same elements. */
static void use(const double *a)
{
    __asm__ volatile("" : : "r"(a) : "memory");
}

double ss_triad_within(ss_triad *t, double bytes, int64_t times)
{
    size_t lines = (size_t)(bytes / 3 / LINE) / (size_t)t->threads;
    size_t most = t->n / 8 / (size_t)t->threads;
    size_t n = 8 * (lines < 1 ? 1 : lines < most ? lines : most); /* per thread */
    double start = ss_clock();
#pragma omp parallel num_threads(t->threads)
    {
        size_t from = n * (size_t)omp_get_thread_num();
        for (int64_t i = 0; i < times; i++) {
            triad(t->a + from, t->b + from, t->c + from, 3.0, n);
            use(t->a);
        }
    }
    return 24.0 * (double)n * t->threads * (double)times / (ss_clock() - start);
}

double ss_triad_plain(ss_triad *t)
{
    return rate(t, triad, 24);
}

double ss_triad_stream(ss_triad *t)
{
    return rate(t, triad_streaming, 24);
}

double ss_triad_copy(ss_triad *t)
{
    return rate(t, copy, 16);
}
