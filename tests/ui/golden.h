/* Golden screens: text in tests/ui/golden/NAME.txt; SS_GOLDEN=write rewrites them. */
#ifndef SS_TESTS_UI_GOLDEN_H
#define SS_TESTS_UI_GOLDEN_H

#include "ui/cells/cells.h"

/* Fails the test and prints the screen if it differs from the golden one. */
void golden_check(const char *name, const ss_term_cells *c);

#endif
