/*
 * Cells as the text a terminal wants: ANSI sequences in 24-bit colour, of the cells that changed
 * only. For the terminal front end and for recordings of it. Main thread.
 */
#ifndef SS_ANSI_H
#define SS_ANSI_H

#include "ui/cells/grid.h"

typedef struct ss_ansi {
    char *text; /* not terminated */
    size_t used, room;
} ss_ansi;

/* Makes `text` what turns `have` into `want` (the same size), and have want. all: every cell. False
 * when memory is out. */
bool ss_ansi_update(ss_ansi *a, const ss_term_cells *want, ss_term_cells *have, bool all);
void ss_ansi_free(ss_ansi *a);

#endif
