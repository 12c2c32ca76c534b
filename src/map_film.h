/*
 * A map as a film, a frame before the first cell and one after each, and as a figure. Both
 * draw what `map` prints. Main thread.
 */
#ifndef SS_MAP_FILM_H
#define SS_MAP_FILM_H

#include "src/base.h"

typedef struct ss_map_film ss_map_film;

/* What --record asks for; *out NULL: nothing. command: for the metadata. */
int ss_map_film_open(ss_map_film **out, const char *command, ss_err *err);
/* The map as it is now. */
int ss_map_film_frame(ss_map_film *f, const char *text, ss_err *err);
/* Shows the text for --hold-last and says on stderr how it went; NULL: leaves no file. */
void ss_map_film_close(ss_map_film *f, const char *text);
/* What --export asks for, if anything. */
int ss_map_figure(const char *text, const char *command, ss_err *err);

#endif
