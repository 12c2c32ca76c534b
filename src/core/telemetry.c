/* The telemetry table: see telemetry.h. */
#include "src/core/telemetry.h"

const ss_telemetry_row ss_telemetry_rows[SS_NTELEMETRY] = {
#define SS_X(id, label, unit, wall) {#id, label, unit, wall},
    SS_TELEMETRY(SS_X)
#undef SS_X
};
