/* Pictures of further views (src/snapshot/further.h): asked for and taken by the main thread, made
 * by the engine thread. */
#ifndef SS_ENGINE_FURTHER_H
#define SS_ENGINE_FURTHER_H

#include "src/engine/lane.h"

/* Engine thread, once per turn: makes one picture if any is asked for. A busy engine spends at most
 * a quarter of its time on them. idle: seconds until other work, 0 now, < 0 unknown; returns the
 * same with this work. */
double ss_further_turn(ss_engine *e, double idle);
/* Is one asked for? Under the engine's lock. */
bool ss_further_asked(const ss_engine *e);
void ss_further_free(ss_engine *e);

#endif
