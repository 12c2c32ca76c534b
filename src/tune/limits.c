/* The roofs of a roofline: see kit.h. On the host the measurement is short, because a run may be in
 * progress; on a device it is that of `bench`. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "kernels/cpu/simd/memory.h"
#include "kernels/cpu/simd/stream.h"
#include "src/base/cpu_clock.h"
#include "src/blas/blas.h"
#include "src/core/registry.h"
#include "src/tune/kit.h"

#define LEAST                                                                                      \
    64e6 /* bytes of the three arrays: beyond every cache; bench takes more, and seconds */
#define SAMPLE 10e-3 /* seconds of one sample */
#define HALF 0.5     /* of a cache is filled: the rest is for others, and for what is not its own */

enum { PASSES = 4, ORDER = 384, KEY_CHARS = 400, TIMES_MAX = 1 << 20 };

/* A measurement in progress: the arrays, the clock, and all time so far. */
typedef struct meter {
    ss_triad triad;
    ss_roof_clock clock;
    ss_triad_time spent;
    const atomic_bool *stop; /* NULL: it is not stopped */
} meter;

static bool is_stopped(const meter *m)
{
    return m->stop && atomic_load(m->stop);
}

/* Adds a duration to the total, and returns it by the clock of the roofs. */
static double count(meter *m, ss_triad_time t)
{
    m->spent.wall += t.wall * m->triad.threads;
    m->spent.cpu += t.cpu;
    return m->clock == SS_ROOF_THREAD ? t.cpu : t.wall;
}

/* Bytes per second within so many bytes of the arrays; the best of some passes. */
static double bandwidth(meter *m, double bytes, bool stream)
{
    ss_triad_time t;
    int64_t times = 1;
    double best = 0, seconds = 0;
    /* Loads the cache, until the time to wake the threads no longer matters. */
    for (; seconds < SAMPLE && times < TIMES_MAX && !is_stopped(m); times *= 2) {
        ss_triad_within(&m->triad, bytes, times, stream, &t);
        seconds = count(m, t);
    }
    for (int i = 0; i < PASSES && !is_stopped(m); i++) {
        double moved = ss_triad_within(&m->triad, bytes, times, stream, &t);
        best = fmax(best, moved / fmax(count(m, t), 1e-9));
    }
    return best;
}

/* Operations per second of a matrix product on one thread. */
static double multiply(meter *m, ss_prec prec)
{
    const ss_triad *t = &m->triad;
    int n = (int)fmin(ORDER, sqrt((double)t->n));
    ss_blas_alone();
    double wall = ss_clock(), cpu = ss_cpu_thread();
    if (prec == SS_F32)
        ss_blas->sgemm(SS_ROW_MAJOR, SS_NO_TRANS, SS_NO_TRANS, n, n, n, 1, (float *)t->b, n,
                       (float *)t->c, n, 0, (float *)t->a, n);
    else
        ss_blas->dgemm(SS_ROW_MAJOR, SS_NO_TRANS, SS_NO_TRANS, n, n, n, 1, t->b, n, t->c, n, 0,
                       t->a, n);
    wall = ss_clock() - wall, cpu = ss_cpu_thread() - cpu;
    return 2.0 * n * n * n / fmax(m->clock == SS_ROOF_THREAD ? cpu : wall, 1e-9);
}

static void add_roof(ss_roofs *r, const char *name, double speed, double capacity, bool shared)
{
    ss_roof *roof = &r->roof[r->n++];
    *roof = (ss_roof){.bandwidth = speed, .capacity = capacity, .shared = shared};
    snprintf(roof->name, sizeof roof->name, "%s", name);
}

static void measure_caches(meter *m, ss_roofs *out)
{
    ss_cache cache[SS_ROOFS_MAX];
    char name[SS_ROOF_NAME];
    int n = ss_memory_caches(cache, SS_ROOFS_MAX - 1);
    for (int i = 0; i < n; i++) {
        double all = cache[i].size * (cache[i].shared ? 1 : m->triad.threads);
        snprintf(name, sizeof name, "L%d", cache[i].level % 10);
        /* Of a disturbed measurement the part stays that is true: no cache is slower than the next
         * larger one. */
        double speed = fmax(bandwidth(m, HALF * all, false), out->roof[out->n - 1].bandwidth);
        add_roof(out, name, speed, cache[i].size, cache[i].shared);
    }
}

static int measure_host(const ss_config *cfg, const atomic_bool *stop, ss_roofs *out, ss_err *err)
{
    char what[64];
    meter m = {.clock = out->clock, .stop = stop};
    double most = fmin(fmax(LEAST, 4.0 * (double)ss_memory_cache()),
                       0.4 * ss_memory_available(what, sizeof what));
    if (ss_blas_open(1, err) != SS_OK || ss_triad_open(&m.triad, out->threads, most, err) != SS_OK)
        return SS_FAIL;
    double all = 24.0 * (double)m.triad.n;
    add_roof(out, "memory", fmax(bandwidth(&m, all, false), bandwidth(&m, all, true)), 0, true);
    measure_caches(&m, out);
    for (int i = 0; i < PASSES && !is_stopped(&m); i++)
        out->rate =
            fmax(out->rate, out->threads * multiply(&m, (ss_prec)ss_config_int(cfg, "precision")));
    out->busy = m.spent.wall / fmax(m.spent.cpu, 1e-9);
    ss_triad_close(&m.triad);
    return is_stopped(&m) ? ss_fail(err, "the measurement was stopped") : SS_OK;
}

/* Bandwidths: the first one is that of memory, others count if they are a cache's. */
static void add_limit(ss_roofs *out, const ss_limit *row)
{
    const char *dash = strrchr(row->name, '-');
    if (strcmp(row->unit, "flop/s") == 0 && out->rate <= 0)
        out->rate = row->value;
    if (strcmp(row->unit, "B/s") != 0 || out->n == SS_ROOFS_MAX)
        return;
    if (out->n == 0)
        add_roof(out, "memory", row->value, 0, true);
    else if (row->capacity > 0)
        add_roof(out, dash ? dash + 1 : row->name, row->value, row->capacity, true);
}

static int measure_device(const ss_config *cfg, const atomic_bool *stop, ss_roofs *out, ss_err *err)
{
    (void)stop;
    const ss_meter *device = ss_config_backend(cfg)->meter;
    ss_limit rows[SS_LIMITS_MAX];
    void *state;
    if (!device || device->open(cfg, &state, err) != SS_OK)
        return SS_FAIL;
    int n = device->measure(state, rows, err);
    device->close(state);
    for (int i = 0; i < n; i++)
        add_limit(out, &rows[i]);
    return out->n > 0 ? SS_OK : SS_FAIL;
}

ss_roof_clock ss_tune_clock(const ss_config *cfg, bool beside)
{
    if (ss_config_backend(cfg)->lost)
        return SS_ROOF_DEVICE;
    return beside ? SS_ROOF_THREAD : SS_ROOF_WALL;
}

/* Called with the lock. */
static int find_roofs(const ss_config *cfg, ss_roof_clock clock, const atomic_bool *stop,
                      ss_roofs *out, ss_err *err)
{
    static int (*const measure[SS_NROOF_CLOCK])(const ss_config *, const atomic_bool *, ss_roofs *,
                                                ss_err *) = {[SS_ROOF_THREAD] = measure_host,
                                                             [SS_ROOF_WALL] = measure_host,
                                                             [SS_ROOF_DEVICE] = measure_device};
    /* The last ones of this process, which are used whatever the machine did meanwhile. */
    static char last_key[KEY_CHARS];
    static ss_roofs last;
    char key[KEY_CHARS] = "";
    ss_err ignored;
    ss_kept_key(cfg, clock, key, sizeof key);
    bool ours = strcmp(key, last_key) == 0;
    *out = ours ? last : (ss_roofs){.n = 0};
    bool known = ours || ss_kept_load(key, out);
    ss_roofs before = *out;
    if (!known || (!ours && before.busy > SS_ROOFS_BUSY)) {
        *out = (ss_roofs){.clock = clock, .threads = ss_config_threads(cfg)};
        if (measure[clock](cfg, stop, out, err) != SS_OK)
            return SS_FAIL;
        if (known && before.busy <= out->busy)
            *out = before;
        else
            ss_kept_save(key, out, &ignored); /* unsaved, the next program measures again */
    }
    out->clock = clock, out->threads = ss_config_threads(cfg);
    memcpy(last_key, key, sizeof last_key);
    last = *out;
    return SS_OK;
}

int ss_tune_roofs(const ss_config *cfg, ss_roof_clock clock, const atomic_bool *stop, ss_roofs *out,
                  ss_err *err)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    int status = find_roofs(cfg, clock, stop, out, err);
    pthread_mutex_unlock(&lock);
    return status;
}
