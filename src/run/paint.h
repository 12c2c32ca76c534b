/*
 * Painting: a smooth disturbance added to the field between two cycles. Of a steady equation it is
 * a disturbance of the error as well, since u - u* moves by what is added to u. Engine thread
 * (tests call it from their one thread).
 */
#ifndef SS_PAINT_H
#define SS_PAINT_H

#include "src/core/command.h"
#include "src/core/run.h"

/* amount * (1 - (d/radius)^2)^3 at distance d < radius of the centre: twice continuously
 * differentiable, exactly `amount` in the middle. */
typedef struct ss_dab {
    double at[3]; /* centre in points: x, y, z; of lines: x and which copy */
    double radius, amount;
    int quantity; /* what is raised: of the equation's quantities; 0 where there is only u */
    bool joined;  /* part of the same stroke as the one before */
} ss_dab;

/* paint X Y RADIUS AMOUNT [field=NAME] [plane=PLANE] [slice=N] [join]: X and Y are points as in
 * `view probe`, of the slice in 3D, where a ball is painted and not only its cut. What is out of
 * range is refused in a sentence with the valid range. */
int ss_dab_parse(const ss_run *run, const ss_cmd *cmd, ss_dab *out, ss_err *err);
/* Adds it to the current field, through rows: only those it touches travel. What cannot be (values
 * that are not finite, a gas without density, a disturbance that counts as divergence) is refused,
 * and the field is as before. */
int ss_dab_apply(ss_run *run, const ss_dab *dab, ss_err *err);
/* What the run knew of its field (norms, the start of the last cycle) is of another field now. */
void ss_run_disturbed(ss_run *run);

#endif
