/* Cells as terminal output: ANSI sequences in 24-bit colour for the cells that changed. For the
 * terminal front end and its recordings. Main thread. */
#ifndef SS_ANSI_H
#define SS_ANSI_H

#include "ui/cells/grid.h"

typedef struct ss_ansi {
    char *text; /* not terminated */
    size_t used, room;
} ss_ansi;

/* Sets `text` to the sequences that turn `have` into `want` (of the same size), and copies want
 * to have. all: every cell. False: out of memory. */
bool ss_ansi_update(ss_ansi *a, const ss_term_cells *want, ss_term_cells *have, bool all);
void ss_ansi_free(ss_ansi *a);

#endif
