/*
 * The first members of parameter rows that most equations have; others follow by name. Constant;
 * any thread.
 */
#ifndef SS_EQ_ROWS_H
#define SS_EQ_ROWS_H

#include "src/core/equation.h"

/* The number of points in a direction. */
#define SS_ROW_POINTS(NAME, DEF, MIN, MAX)                                                         \
    SS_ROW_INT(NAME, "Problem", DEF, MIN, MAX), .flags = SS_P_REOPEN | SS_P_LOG | SS_P_POW2
/* The same where the solver may take only some numbers (ss_solver.nearest_points). */
#define SS_ROW_AXIS(NAME, DEF, MIN, MAX)                                                           \
    SS_ROW_INT(NAME, "Problem", DEF, MIN, MAX),                                                    \
        .flags = SS_P_REOPEN | SS_P_LOG | SS_P_POW2 | SS_P_POINTS
/* The choice of initial field and right-hand side. */
#define SS_ROW_PROBLEM(CHOICES, CHOICE_HELP)                                                       \
    SS_ROW_CHOICE("problem", "Problem", CHOICES, CHOICE_HELP), .flags = SS_P_REOPEN

#endif
