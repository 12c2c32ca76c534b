/*
 * Numbers as the panels write them: counts, figures of a few digits, values of the telemetry with
 * their unit. The panels call these functions. Pure; any thread.
 */
#ifndef SS_SCENE_NUMBERS_H
#define SS_SCENE_NUMBERS_H

#include <stddef.h>

#include "src/snapshot/snapshot.h"

/* "0.123", "3,671", "1.2e-4" */
const char *ss_figure_text(double v, char *buf, size_t size);
/* "12,345" */
const char *ss_count_text(double v, char *buf, size_t size);
/* A factor of convergence, with four digits of its distance to 1, with three where that is less
 * than 1e-6: "0.95210", "0.999999706". */
const char *ss_factor_text(double v, char *buf, size_t size);
/* A telemetry value with unit, – where it is not known or must not depend on the clock. */
const char *ss_telemetry_text(const ss_snapshot *snap, ss_telemetry_id id, char *buf, size_t size);

/* "overlap 0→2" and "overlap 2→4" are together "overlap 0→4", written to out, which may be one of
 * them. False: they are not one change of one parameter. */
bool ss_mark_join(const char *first, const char *then, char *out, size_t size);
/* "overlap 0→0": joined changes that end at their first value. */
bool ss_mark_is_undone(const char *text);

#endif
