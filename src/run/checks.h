/*
 * When the residual of a steady run is checked, and when a run that makes no progress ends. Engine
 * thread.
 */
#ifndef SS_CHECKS_H
#define SS_CHECKS_H

#include "src/core/run.h"

/* --- checks ----------------------------------------------------------------------------------- */

/*
 * Residual checks at cycles of the run's own choice (`check-every 0`, the default). A norm reads
 * the whole field, and beside a fast cycle it costs as much as the cycle. checks.c takes few, and
 * finds the same last cycle as a check of every cycle does.
 *
 * Why few are enough. Let r_c be the residual after c cycles. If the iteration matrix M is
 * symmetric, r_c = M^c r_0, and with its eigenvalues m_i and the parts w_i of r_0
 *
 *     |r_c|^2 = sum of w_i^2 m_i^(2c),
 *
 * a sum of exponentials in c with weights >= 0. The logarithm of such a sum is convex. So the line
 * through two points of log |r_c| lies below all later ones: the tolerance is not reached before
 * that line reaches it, and all cycles until then need no norm. Where M is not symmetric (shared
 * with stale halos, async, blocks) the logarithm may bend down as well as up, but slowly: it is
 * measured, not proved.
 *
 * Both cases use one rule, with room for rounding and for bends:
 *   - the residual is expected to fall at most twice as fast as it did between the last norms;
 *   - so the run waits until it could be 1 % above the tolerance, and from there on takes all
 * norms;
 *   - no wait is more than twice as long as the stretch over which the fall was measured, or more
 *     than a quarter of all cycles so far (but at least 16);
 *   - after a rise the waits become shorter, so that divergence is seen soon.
 *
 * Rounding. Near the residual that rounding leaves, points stop changing one after the other, and
 * the residual bends down at once. This floor is about e / (1 - rho) of the first residual, with e
 * = 1.1e-16 or 6.0e-8 and the spectral radius rho of Jacobi's matrix: an update's error of e |u| is
 * D e |u| in r, with the diagonal D of the matrix, and |u| <= |b| / (D (1 - rho)). Each cycle below
 * a thousand times the floor has its norm. In single precision that is most of a run (n = 127:
 * below 0.2); in double precision 1e-4 is above it for all n up to 60000.
 *
 * Above it, one cycle's errors change log |r| by at most q = 16 e |r_0| / (|r| (1 - rho)). Where q
 * is less than the fall of log |r| per cycle, the factor of two has room for all errors of a wait,
 * and the proof holds: for n = 1024 and 1e-4 in double precision q is 3.7e-6, and the fall 4.7e-6.
 * For larger fields it is not proved, but errors of single points are independent, and their norm
 * over n^2 points is smaller than this bound by a factor of n.
 */

/* Does the run choose the cycles of its checks? Its caller allows it (run->seldom), its solver and
 * its equation admit it. */
bool ss_run_checks_seldom(const ss_run *run);
/* As ss_run_advance, with checks at the cycles that the rule above chooses. Norms between cycles
 * count in the run's time. */
int ss_run_advance_seldom(ss_run *run, int64_t cycles, ss_err *err);

/* --- stagnation ------------------------------------------------------------------------------- */

/*
 * Stagnation: a steady run whose residual stands still above its tolerance ends, instead of running
 * for ever. Two kinds are told apart from a run that is merely slow:
 *
 *   - Rounding. A field of size |u| has values that are exact to eps |u| only, so that a residual
 *     cannot be told from about eps |A| |u| (|A|: the norm of the matrix). The run has stagnated
 *     where its least residual is below FLOORS (checks.c) such floors and has not made progress
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
 * nothing. Called by ss_run_step.
 */

/* Cycles until the run may have stagnated; INT64_MAX: it is not judged. At least 1. */
int64_t ss_run_until_judged(const ss_run *run);
/* To be called after every advance: if a judgement is due, and the run has stagnated, sets its
 * status and message. It may read the whole field. */
int ss_run_judge(ss_run *run, ss_err *err);

#endif
