/*
 * The seeded scheduler: in which order the tiles of an asynchronous launch take their turns, so
 * that a race becomes an experiment that can be repeated. Every tile has the same number of turns,
 * taken in order; across tiles the turns are shuffled, each order as likely as any other, by
 * splitmix64 from a seed and the number of the launch. Even turns listen (read the neighbours'
 * halo strips), odd ones speak (write the own one).
 *
 * Turns that cannot tell in which order they came run at once: level by level, where a turn's level
 * is one more than that of any earlier turn of its own tile, or of a neighbour it may hear or that
 * may hear it. The result is that of one turn after the other, whatever the threads. Engine thread.
 */
#ifndef SS_CPU_SCHEDULE_H
#define SS_CPU_SCHEDULE_H

#include "src/base/common.h"

typedef struct ss_schedule {
    int nx, ny;         /* tiles; neighbours share a side */
    bool plane;         /* else rows of tiles do not see each other */
    int turns;          /* of each tile */
    uint32_t tiles;     /* nx * ny */
    uint32_t *turn;     /* the tile whose turn it is, in the order drawn: tiles * turns of them */
    uint32_t *by_level; /* the same, level by level, within a level in the order drawn */
    uint32_t *start;    /* level l is by_level[start[l]] up to start[l + 1] */
    uint32_t levels;
    uint32_t *level, *spoke, *heard; /* while drawing: of each turn; of each tile's last ones */
} ss_schedule;

int ss_schedule_make(ss_schedule *s, int nx, int ny, bool plane, int turns, ss_err *err);
void ss_schedule_free(ss_schedule *s);
/* The stream of random numbers of a launch. */
uint64_t ss_schedule_stream(uint64_t seed, int64_t launch);
/* The turns of a launch: drawn, or those of a race that was watched, of which `order` has the tile
 * of every sweep as it was done (tiles * turns / 2 of them). Sorts the first `count` into levels.
 */
void ss_schedule_draw(ss_schedule *s, uint64_t stream, uint32_t count);
void ss_schedule_replay(ss_schedule *s, const uint32_t *order, uint32_t count);

#endif
