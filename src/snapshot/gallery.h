/*
 * The cards of the gallery and their pictures: filled by src/app from src/gallery, drawn in ui/,
 * which knows no runs. Main thread.
 */
#ifndef SS_GALLERY_H
#define SS_GALLERY_H

#include <stdbool.h>
#include <stdint.h>

/* Its tabs. */
typedef enum ss_gallery_tab { SS_TAB_PRESETS, SS_TAB_LESSONS, SS_NTAB } ss_gallery_tab;

#define SS_GALLERY_CARDS 32
#define SS_THUMB_SIDE 160 /* at most so many cells across; */
#define SS_THUMB_ROWS 128 /* and up */

typedef enum ss_thumb_state {
    SS_THUMB_WAITS, /* it is not computed yet */
    SS_THUMB_SHOWN,
    SS_THUMB_WORDS /* there is no picture: words say what the run is, or why */
} ss_thumb_state;

/* The picture of a small run. In 1D it is a space-time diagram, with the newest state on top. */
typedef struct ss_thumb {
    ss_thumb_state state;
    char words[160];  /* SHOWN: its grid, "128×128 points" */
    uint64_t version; /* grows with each change; unique within a gallery */
    int layer, dim;   /* ss_layer; of the equation */
    double aspect;    /* width / height; 0: any */
    double lo, hi;    /* of the finite cells */
    int sweeps;       /* of a launch: the largest age */
    int w, h;         /* w*h cells, row 0 on top; NaN: nothing there */
    float cell[SS_THUMB_SIDE * SS_THUMB_ROWS];
} ss_thumb;

typedef struct ss_gallery {
    ss_thumb still[SS_NTAB][SS_GALLERY_CARDS];
    int n[SS_NTAB];
    ss_thumb moving; /* the picture of the card that plays */
    int tab, card;   /* that card; -1: none plays */
} ss_gallery;

/* What the screen asks for. */
typedef struct ss_gallery_want {
    bool open;
    int tab, card; /* the chosen card plays */
    int w, h;      /* dots of a picture */
} ss_gallery_want;

#endif
