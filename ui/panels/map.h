/*
 * What the two files that draw a map share. Private to ui/build_map*.c and those that call them
 * (screen.c, events.c). Main thread only.
 */
#ifndef SS_BUILD_MAP_H
#define SS_BUILD_MAP_H

#include "ui/view/state.h"

/* The page that is open, and the cell under the cursor. */
void ss_build_map(const ss_build *b);
/* For the message line. */
void ss_map_sentence(const ss_build *b, char *buf, size_t size);
/* "▶ measuring" */
const char *ss_map_state(const ss_map_view *v);
/* A click on the table. */
void ss_map_press(ss_ui *ui, const ss_hit *h, double x, double y);

void ss_map_layout_of(const ss_ui *ui, ss_map_layout *out);
void ss_map_details(const ss_build *b, const ss_map_layout *l);
/* Cycles against seconds a cycle; operations a byte against operations a second. */
void ss_map_pareto(const ss_build *b, const ss_map_layout *l);
void ss_map_roofline(const ss_build *b, const ss_map_layout *l);
/* What the page says beside its chart; returns the lines used. */
int ss_map_remarks(const ss_build *b, ss_rect r);

#endif
