/*
 * Checkpoints: while a run advances, the engine stores copies of its field: dense for the last
 * seconds, sparse before, always the first one. `rewind` restores one, with the settings, counters,
 * curve and journal of that moment, and repeats the cycles up to the requested one, bit for bit.
 * The cycles ahead can be reached until the run advances or changes; then they are dropped. Engine
 * thread only; see lane.h.
 */
#ifndef SS_REWIND_H
#define SS_REWIND_H

#include "src/engine/lane.h"

/* Call before and after a lane has advanced; `before` is its cycle at the start. */
void ss_rewind_begin(const ss_engine *e, ss_lane *lane);
void ss_rewind_advanced(ss_engine *e, ss_lane *lane, int64_t before);
/* Call before a command that changes the run, and after it has done so. */
void ss_rewind_changing(const ss_engine *e, ss_lane *lane);
void ss_rewind_changed(ss_lane *lane);
void ss_rewind_free(ss_lane *lane);

/* rewind [CYCLE|-N|+N|end] */
int ss_verb_rewind(ss_engine *e, const ss_cmd *cmd, ss_err *err);

/* What of it a snapshot shows. */
void ss_publish_past(const ss_engine *e, ss_snapshot *s, const ss_lane *lane);

#endif
