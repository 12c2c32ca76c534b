/*
 * The seeded scheduler: the order in which the tiles of an asynchronous launch take their turns. It
 * makes a data race repeatable. Every tile has the same number of turns, taken in order. The turns
 * of different tiles are shuffled, uniformly over all orders, by splitmix64 from a seed and the
 * number of the launch. Even turns read the neighbours' halo strips; odd turns update the tile and
 * write its own strip.
 *
 * Turns without a data dependence run concurrently, level by level. The level of a turn is one more
 * than the highest level of the earlier turns that it depends on: those of its own tile, the writes
 * that it may read, and the reads of the strip that it overwrites. The result equals sequential
 * execution for any number of threads. Engine thread.
 */
#ifndef SS_CPU_SCHEDULE_H
#define SS_CPU_SCHEDULE_H

#include "src/base/common.h"

typedef struct ss_schedule {
    int nx, ny;         /* tiles; neighbours share a side */
    bool plane;         /* 2D; else rows of tiles are independent */
    int turns;          /* per tile */
    uint32_t tiles;     /* nx * ny */
    uint32_t *turn;     /* the tile of each turn in the order drawn: tiles * turns entries */
    uint32_t *by_level; /* the same, sorted by level (stable) */
    uint32_t *start;    /* level l: by_level[start[l]] to by_level[start[l + 1] - 1] */
    uint32_t levels;
    /* Scratch while an order is made: the level of each turn; the levels of each tile's last write
     * and last read. */
    uint32_t *level, *written, *read;
} ss_schedule;

int ss_schedule_make(ss_schedule *s, int nx, int ny, bool plane, int turns, ss_err *err);
void ss_schedule_free(ss_schedule *s);
/* The random-number stream of a launch. */
uint64_t ss_schedule_stream(uint64_t seed, int64_t launch);
/* Set the order of a launch's turns and sort the first `count` into levels. draw: a random order.
 * replay: the order recorded from a run on another device; `order` holds the tile of every sweep in
 * order of completion, tiles * turns / 2 entries. */
void ss_schedule_draw(ss_schedule *s, uint64_t stream, uint32_t count);
void ss_schedule_replay(ss_schedule *s, const uint32_t *order, uint32_t count);

#endif
