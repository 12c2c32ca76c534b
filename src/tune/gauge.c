/* The thread that measures roofs beside the shown run: see gauge.h. */
#include "src/tune/gauge.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "src/tune/kit.h"

enum { KEY = 400 };

typedef enum gauge_state { GAUGE_MEASURES, GAUGE_DONE, GAUGE_FAILED } gauge_state;

struct ss_gauge {
    pthread_t thread;
    ss_config cfg;
    ss_roof_clock clock;
    char key[KEY];
    void (*wake)(void *ctx);
    void *ctx;
    ss_roofs roofs; /* of the thread until the state says that it is done */
    atomic_int state;
    atomic_bool stop;
};

static void *measure(void *self)
{
    ss_gauge *g = self;
    ss_err err;
    int status = ss_tune_roofs(&g->cfg, g->clock, &g->stop, &g->roofs, &err);
    atomic_store(&g->state, status == SS_OK ? GAUGE_DONE : GAUGE_FAILED);
    g->wake(g->ctx);
    return NULL;
}

/* Beside a run the figures are those of one thread's CPU time, or of the device. */
static ss_roof_clock clock_of(const ss_config *cfg)
{
    return ss_tune_clock(cfg, true);
}

ss_gauge *ss_gauge_start(const ss_config *cfg, void (*wake)(void *ctx), void *ctx, ss_err *err)
{
    ss_gauge *g = ss_alloc(sizeof *g, "a measurement", err);
    if (!g)
        return NULL;
    memset(g, 0, sizeof *g);
    g->cfg = *cfg;
    g->clock = clock_of(cfg);
    g->wake = wake, g->ctx = ctx;
    ss_kept_key(cfg, g->clock, g->key, sizeof g->key);
    if (pthread_create(&g->thread, NULL, measure, g) == 0)
        return g;
    free(g);
    ss_fail(err, "no thread could be started");
    return NULL;
}

bool ss_gauge_covers(const ss_gauge *g, const ss_config *cfg)
{
    char key[KEY];
    return strcmp(g->key, ss_kept_key(cfg, clock_of(cfg), key, sizeof key)) == 0;
}

const ss_roofs *ss_gauge_roofs(ss_gauge *g, bool *failed)
{
    gauge_state state = (gauge_state)atomic_load(&g->state);
    *failed = state == GAUGE_FAILED;
    return state == GAUGE_DONE ? &g->roofs : NULL;
}

void ss_gauge_stop(ss_gauge *g)
{
    if (!g)
        return;
    atomic_store(&g->stop, true);
    pthread_join(g->thread, NULL);
    free(g);
}
