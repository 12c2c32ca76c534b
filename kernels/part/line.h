/*
 * Private to kernels/part: levels of a time-dependent equation at the points of one rank, for the
 * schedules stepper and swept. Points are numbered as in the whole line; a periodic line goes on
 * beyond its ends. Engine thread of a rank and its OpenMP threads.
 */
#ifndef SS_PART_LINE_H
#define SS_PART_LINE_H

#include "kernels/part/inner.h"

/* The number of the array of a level of the chain that starts from the current field. */
int ss_line_level(const ss_part_run *part, int64_t level);
/* To be called before level 1: copies the points that never change to the other array. */
void ss_line_begin(ss_part_run *part);
/* Computes the points of [lo, hi) that exist, on a level >= 1, from the previous one. Two threads
 * may call it concurrently unless both update points at the same end of the line. */
void ss_line_advance(const ss_part_run *part, int64_t level, int lo, int hi);

#endif
