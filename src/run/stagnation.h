/*
 * Stagnation: a steady run whose residual stands still above its tolerance ends, instead of running
 * for ever. Two kinds are told apart from a run that is merely slow:
 *
 *   - Rounding. A field of size |u| has values that are exact to eps |u| only, so that a residual
 *     cannot be told from about eps |A| |u| (|A|: the norm of the matrix). The run has stagnated
 *     where its least residual is below FLOORS (stagnation.c) such floors and has not made progress
 *     (a fall by 5 %) for as many cycles as it took to get there, while few of the residuals are
 *     the least so far. Every method that still converges makes progress in that time, or falls in
 *     each cycle; above the floor no run is judged, so that plateaus and growth that passes
 *     (matrices that are not symmetric) do not count. Measured floors of all methods are 0.1 to 16
 *     times eps |A| |u|.
 *   - Conjugate gradients on a matrix that they are not made for may wander above any floor. Those
 *     that converge do so without a longer plateau than the iterations to it, or than PLATEAU times
 *     the points along the axes.
 *
 * The run is judged only at cycles that follow from the numbers of its cycles and residuals, so
 * that the slices in which it is advanced, and devices that do many cycles at a time, change
 * nothing. Called by ss_run_step; engine thread.
 */
#ifndef SS_STAGNATION_H
#define SS_STAGNATION_H

#include "src/core/run.h"

/* Cycles until the run may have stagnated; INT64_MAX: it is not judged. At least 1. */
int64_t ss_run_until_judged(const ss_run *run);
/* To be called after every advance: if a judgement is due, and the run has stagnated, sets its
 * status and message. It may read the whole field. */
int ss_run_judge(ss_run *run, ss_err *err);

#endif
