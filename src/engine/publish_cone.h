/* The staleness cone in a snapshot: while a cycle is under the microscope, and right after its last
 * subiteration. A change of settings in mid-cycle shows that of the next cycle. With
 * setup.cones also between two cycles, where no subiteration is done. Not in a race.
 * Engine thread; see lane.h and src/snapshot/cone.h. */
#ifndef SS_ENGINE_PUBLISH_CONE_H
#define SS_ENGINE_PUBLISH_CONE_H

#include "src/engine/lane.h"

void ss_publish_cone(ss_engine *e, ss_snapshot *s);
void ss_cone_free(ss_cone_memo *memo);

#endif
