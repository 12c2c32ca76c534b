/*
 * Measures the roofs of a roofline for the shown run, on a thread of its own: a second or two on a
 * host, once per host and settings (they are kept). Everything here is called from the main thread.
 */
#ifndef SS_GAUGE_H
#define SS_GAUGE_H

#include "src/snapshot/roofs.h"

typedef struct ss_gauge ss_gauge;

/* wake is called from the thread when it is done. NULL on failure. */
ss_gauge *ss_gauge_start(const ss_config *cfg, void (*wake)(void *ctx), void *ctx, ss_err *err);
/* True: cfg has the same roofs as the one that was given at the start. */
bool ss_gauge_covers(const ss_gauge *g, const ss_config *cfg);
/* NULL: not measured yet, or *failed. Valid until ss_gauge_stop. */
const ss_roofs *ss_gauge_roofs(ss_gauge *g, bool *failed);
/* Ends the thread, within a measurement if need be; NULL is fine. */
void ss_gauge_stop(ss_gauge *g);

#endif
