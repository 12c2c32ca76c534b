/*
 * Telemetry: every live figure with a validity bit, from one table. Front ends print it row by row.
 */
#ifndef SS_TELEMETRY_H
#define SS_TELEMETRY_H

#include "src/base/common.h"

/* name, label, unit (bytes and rates are scaled when printed), depends on the wall clock? (then
 * drawn as - with --deterministic) */
#define SS_TELEMETRY(X)                                                                            \
    X(CYCLE, "cycle", "", false)                                                                   \
    X(ITERATION, "iteration", "", false)                                                           \
    X(STEP, "steps", "", false)                                                                    \
    X(TIME, "t", "", false)                                                                        \
    X(DT, "dt", "", false)                                                                         \
    X(RESIDUAL, "|r|", "", false)                                                                  \
    X(REDUCTION, "|r|/|r0|", "", false)                                                            \
    X(SMOOTHING, "step's factor", "", false)                                                       \
    X(CONVERGENCE, "mean factor", "", false)                                                       \
    X(FACTOR, "factor", "factor", false)                                                           \
    X(PREDICTED, "predicted", "factor", false)                                                     \
    X(MAX_ERROR, "max|e|", "", false)                                                              \
    X(SECONDS, "time", "s", true)                                                                  \
    X(RATE, "rate", "updates/s", true)                                                             \
    X(CYCLE_SECONDS, "per cycle", "s", true)                                                       \
    X(STEP_SECONDS, "per step", "s", true)                                                         \
    X(BANDWIDTH, "memory", "B/s", true)                                                            \
    X(TEFF, "T_eff", "", false)                                                                    \
    X(ACCURACY, "accuracy", "", false)                                                             \
    X(BYTES, "bytes", "B", false)                                                                  \
    X(GHOSTS, "ghosts", "s", true)                                                                 \
    X(INVERSES, "inverses", "s", true)                                                             \
    X(INVERSE_BYTES, "inverses", "B", false)                                                       \
    X(TILE, "a tile takes", "B", false)                                                            \
    X(TILE_ROOM, "it may take", "B", false)                                                        \
    X(UPLOAD, "host→device", "s", true)                                                            \
    X(DOWNLOAD, "device→host", "s", true)                                                          \
    X(COMPUTE, "compute", "s", true)                                                               \
    X(HIDDEN, "iterations to hide", "", true)

typedef enum ss_telemetry_id {
#define SS_X(id, label, unit, wall) SS_T_##id,
    SS_TELEMETRY(SS_X)
#undef SS_X
        SS_NTELEMETRY
} ss_telemetry_id;

typedef struct ss_telemetry {
    double value[SS_NTELEMETRY];
    bool valid[SS_NTELEMETRY];
} ss_telemetry;

typedef struct ss_telemetry_row {
    const char *name, *label, *unit;
    bool wall;
} ss_telemetry_row;

extern const ss_telemetry_row ss_telemetry_rows[SS_NTELEMETRY];

#endif
