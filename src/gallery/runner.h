/*
 * The thread that computes the pictures of the gallery's cards, each with a small run of its own.
 * It computes the still pictures in order, then plays the chosen card three times. It uses at most
 * a fifth of one processor, at low priority; while it is held it computes nothing. Called from the
 * main thread.
 */
#ifndef SS_GALLERY_RUNNER_H
#define SS_GALLERY_RUNNER_H

#include "src/core/backend.h"
#include "src/core/param.h"
#include "src/snapshot/gallery.h"

typedef struct ss_gallery_runner ss_gallery_runner;

/* The run of a card. */
typedef struct ss_gallery_runner_card {
    char commands[640]; /* separated by ';' */
    ss_layer layer;
} ss_gallery_runner_card;

typedef struct ss_gallery_runner_setup {
    const ss_config *machine; /* checked */
    ss_gallery_runner_card card[SS_NTAB][SS_GALLERY_CARDS];
    int n[SS_NTAB];
    int w, h;                /* dots of a picture */
    bool still;              /* no card plays, and nothing waits: the same pictures every time */
    void (*wake)(void *ctx); /* called from the thread after each new picture */
    void *ctx;
} ss_gallery_runner_setup;

/* NULL: err says why. The setup is copied. */
ss_gallery_runner *ss_gallery_runner_start(const ss_gallery_runner_setup *s, ss_err *err);
/* Ends the thread, within a step if need be, and frees everything; NULL is fine. */
void ss_gallery_runner_stop(ss_gallery_runner *r);
/* The tab whose pictures come first, and the card that plays; -1: none. */
void ss_gallery_runner_choose(ss_gallery_runner *r, int tab, int card);
/* While another rate is being measured. */
void ss_gallery_runner_hold(ss_gallery_runner *r, bool hold);
/* Copies what is new; false: nothing is. */
bool ss_gallery_runner_take(ss_gallery_runner *r, ss_gallery *to);
/* Waits until all still pictures of a tab are there. */
void ss_gallery_runner_wait(ss_gallery_runner *r, int tab);

#endif
