/* Measures the machine's limits for the roofline of a map: see kit.h. On the host the
 * measurement is short, because a run may be in progress; on a device it is that of `bench`. */
#include <cblas.h>
#include <math.h>
#include <string.h>

#include "kernels/block/inverse.h"
#include "kernels/cpu/simd/stream.h"
#include "src/tune/kit.h"
#include "src/core/registry.h"

#define ARRAYS (3 * 96e6) /* bytes; bench takes four times the last-level cache, and seconds */

enum { PASSES = 4, ORDER = 384 };

/* Operations per second of a matrix product on one thread. */
static double multiply(ss_triad *t)
{
    int n = (int)fmin(ORDER, sqrt((double)t->n));
    ss_blas_alone();
    double started = ss_clock();
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0, t->b, n, t->c, n, 0.0,
                t->a, n);
    return 2.0 * n * n * n / (ss_clock() - started);
}

static int measure_host(const ss_config *cfg, ss_tune_limits *out, ss_err *err)
{
    ss_triad t;
    int threads = ss_config_threads(cfg);
    if (ss_triad_open(&t, threads, ARRAYS, err) != SS_OK)
        return SS_FAIL;
    for (int i = 0; i < PASSES; i++) {
        out->bandwidth = fmax(out->bandwidth, ss_triad_plain(&t));
        out->rate = fmax(out->rate, threads * multiply(&t));
    }
    ss_triad_close(&t);
    return SS_OK;
}

/* The first limit with that unit; 0: none. */
static double limit_of(const ss_limit *rows, int n, const char *unit)
{
    for (int i = 0; i < n; i++)
        if (strcmp(rows[i].unit, unit) == 0)
            return rows[i].value;
    return 0;
}

static int measure_device(const ss_config *cfg, const ss_meter *meter, ss_tune_limits *out,
                          ss_err *err)
{
    ss_limit rows[SS_LIMITS_MAX];
    void *state;
    if (!meter || meter->open(cfg, &state, err) != SS_OK)
        return SS_FAIL;
    int n = meter->measure(state, rows, err);
    meter->close(state);
    out->bandwidth = limit_of(rows, n, "B/s");
    out->rate = limit_of(rows, n, "flop/s");
    return n > 0 ? SS_OK : SS_FAIL;
}

int ss_tune_measure_limits(const ss_config *cfg, ss_tune_limits *out, ss_err *err)
{
    const ss_backend *backend = ss_config_backend(cfg);
    *out = (ss_tune_limits){0, 0};
    return backend->lost ? measure_device(cfg, backend->meter, out, err)
                         : measure_host(cfg, out, err);
}
