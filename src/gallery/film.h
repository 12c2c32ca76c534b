/*
 * The film of a card: the states of its small run, one picture each. Private to src/gallery; the
 * runner's thread, or a test's.
 */
#ifndef SS_GALLERY_FILM_H
#define SS_GALLERY_FILM_H

#include "src/core/run.h"
#include "src/gallery/plan.h"
#include "src/snapshot/gallery.h"

typedef struct ss_card_film {
    ss_card_plan plan;
    ss_layer layer;
    ss_run *run;
    int state; /* that `thumb` shows, from 0 on */
    ss_thumb thumb;
    uint8_t owner[SS_THUMB_SIDE * SS_THUMB_ROWS];
} ss_card_film;

/* Opens the run and draws its first state. w, h: dots of a picture. SS_FAIL: err says in words why
 * there is no picture. */
int ss_card_film_open(ss_card_film *f, const char *commands, ss_layer layer,
                      const ss_config *machine, int w, int h, ss_err *err);
/* Draws the next state. *more: there is another one. */
int ss_card_film_next(ss_card_film *f, bool *more, ss_err *err);
/* Starts the run again. */
int ss_card_film_restart(ss_card_film *f, ss_err *err);
/* Of the states that there are: a run may end before the last one. For a still picture. */
void ss_card_film_trim(ss_card_film *f);
void ss_card_film_close(ss_card_film *f);

#endif
