/* The sentences below the staleness cone. Private to ui/panels. Main thread only. */
#ifndef SS_PANELS_CONE_H
#define SS_PANELS_CONE_H

#include "src/snapshot/cone.h"

/* How deep it is now; what the overlap makes of it at the end of the cycle. */
typedef enum ss_cone_words { SS_CONE_DEPTH, SS_CONE_OVERLAP } ss_cone_words;

/* The longest sentence of at most `most` characters; else the shortest one, cut after a part. */
void ss_cone_sentence(const ss_cone *c, ss_cone_words what, int most, char *buf, size_t size);

#endif
