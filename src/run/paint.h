/*
 * Painting: a smooth disturbance added to the field between two cycles. For a steady equation the
 * error u - u* changes by the same amount. Engine thread (tests call it from their one thread).
 */
#ifndef SS_PAINT_H
#define SS_PAINT_H

#include "src/core/command.h"
#include "src/core/run.h"

/* amount * (1 - (d/radius)^2)^3 at distance d < radius of the centre: twice continuously
 * differentiable, exactly `amount` at the centre. */
typedef struct ss_dab {
    double at[3]; /* centre in points: x, y, z; for 1D equations: x and the copy */
    double radius, amount;
    int quantity; /* index of the painted quantity of the equation; 0 if u is the only one */
    bool joined;  /* part of the same stroke as the one before */
} ss_dab;

/* paint X Y RADIUS AMOUNT [field=NAME] [plane=PLANE] [slice=N] [join]: X and Y are points as in
 * `view probe`. In 3D they lie in the slice, and a whole ball is painted, not only its section.
 * A value out of range is refused with a sentence that gives the valid range. */
int ss_dab_parse(const ss_run *run, const ss_cmd *cmd, ss_dab *out, ss_err *err);
/* Adds the dab to the current field. Only the rows that it touches are transferred. Refuses values
 * that are not finite, a gas without density and a disturbance that would count as divergence; the
 * field is then as before. */
int ss_dab_apply(ss_run *run, const ss_dab *dab, ss_err *err);
/* Invalidates what the run stores about its field: norms, the start of the last cycle. */
void ss_run_disturbed(ss_run *run);

#endif
