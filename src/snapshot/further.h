/*
 * Pictures beside that of the snapshot: other layers and windows of the shown run, for watchers in
 * a browser. The engine makes them one at a time between its turns, each when it is asked for; they
 * cost nothing otherwise.
 */
#ifndef SS_FURTHER_H
#define SS_FURTHER_H

#include "src/core/backend.h"

enum { SS_FURTHER_MAX = 21, SS_FURTHER_SIDE = 300 /* cells across or up, at most */ };

typedef struct ss_further {
    ss_view view;       /* that was asked for */
    ss_picture picture; /* w 0: there is none: the run has diverged */
    size_t room;        /* cells */
    int run, nx, ny;    /* of the run that it shows */
} ss_further;

#endif
