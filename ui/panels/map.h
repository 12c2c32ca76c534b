/* Shared by the two files that draw a tuning map (map.c, map_pareto.c); screen.c calls them.
 * Private to ui/panels. Main thread only. */
#ifndef SS_PANELS_MAP_H
#define SS_PANELS_MAP_H

#include "ui/panels/build.h"

/* The open page, and the cell under the cursor. */
void ss_build_map(const ss_build *b);
/* "k 8, overlap 4 · cycles 620": of a cell, with the shown quantity. */
void ss_map_cell_words(const ss_build *b, int cell, char *buf, size_t size);
/* For the message line. */
void ss_map_sentence(const ss_build *b, char *buf, size_t size);
void ss_map_details(const ss_build *b, const ss_map_layout *l);
/* The chart of cycles against seconds per cycle, and the list of its front beside it; returns the
 * number of lines. */
void ss_map_pareto(const ss_build *b, const ss_map_layout *l);
int ss_map_front_list(const ss_build *b, ss_rect r);

#endif
