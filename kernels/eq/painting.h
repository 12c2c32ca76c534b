/*
 * How the fields of a point change when a person paints one of the quantities that are shown, and
 * which fields are those of no state at all. Only equations with more than the field u have rows
 * here: of that, any finite value will do. Constant; any thread.
 */
#ifndef SS_EQ_PAINTING_H
#define SS_EQ_PAINTING_H

#include "src/base/common.h"

struct ss_equation;

typedef struct ss_painting {
    const struct ss_equation *eq;
    /* Raises a quantity (of ss_equation.quantities) by amount. False: it follows from the others in
     * no way that could be turned round. */
    bool (*add)(int quantity, double amount, double *fields);
    /* Why no point may have these fields, in a few words; NULL: it may. */
    const char *(*refuse)(const double *fields);
} ss_painting;

/* NULL-terminated. */
extern const ss_painting *const ss_paintings[];

#endif
