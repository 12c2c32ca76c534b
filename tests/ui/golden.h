/* Golden screens: text in tests/ui/golden/NAME.txt, made anew by SS_GOLDEN=write. */
#ifndef SS_TESTS_UI_GOLDEN_H
#define SS_TESTS_UI_GOLDEN_H

#include "ui/cells/grid.h"

/* Fails the test, with what there is now, if the screen differs from the golden one. */
void golden_check(const char *name, const ss_term_cells *c);

#endif
