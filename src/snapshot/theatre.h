/*
 * The theatre: one cycle of a time-dependent run as a picture of who computes what, where and when.
 * Evaluated from the geometry of the schedule (kernels/geom/swept.h) into plain cells, so that
 * front ends draw it without knowing any schedule. A few nodes stand for all; where even these have
 * more points or levels than there are cells, evenly spread ones are shown. Pure; engine thread.
 */
#ifndef SS_THEATRE_H
#define SS_THEATRE_H

#include "src/core/solver.h"

enum { SS_STAGE_COLS = 128, SS_STAGE_ROWS = 65, SS_STAGE_NODES = 4 };

typedef enum ss_phase {
    SS_PHASE_START,    /* the level that is known everywhere */
    SS_PHASE_TRIANGLE, /* alone, from the start */
    SS_PHASE_DIAMOND,  /* half a node further on: the gap, and the next triangle upon it */
    SS_PHASE_CLOSING,  /* the gaps between these, where nodes were: all on one level again */
    SS_PHASE_IDLE,     /* nothing to do */
    SS_NPHASE
} ss_phase;

typedef struct ss_stage_cell {
    int tick;      /* of the cycle, when it is computed; 0: known before */
    uint8_t owner; /* the node that computes it */
    uint8_t phase; /* ss_phase */
    bool passed;   /* another node reads it: part of a message */
} ss_stage_cell;

/* Row 0 is the first in time. */
typedef struct ss_stage {
    int cols, rows;
    ss_stage_cell cell[SS_STAGE_ROWS][SS_STAGE_COLS];
} ss_stage;

typedef struct ss_theatre {
    bool there;        /* there is one: the run depends on time */
    bool swept;        /* with triangles and diamonds; else only the classic picture */
    int block, nodes;  /* points of a node, nodes shown */
    int first;         /* of the nodes shown */
    int levels;        /* of a cycle (classic: as many as are shown) */
    int reach;         /* points that the stencil reaches: the width of an edge */
    int ticks;         /* of a cycle */
    int shift;         /* points, by which the nodes at work now stand aside of where they began */
    ss_phase phase;    /* of the tick that was done last; START: none */
    ss_stage diamonds; /* (x, level) */
    ss_stage lanes;    /* (lane, tick): what the processors do, and when they idle */
    ss_stage classic;  /* (x, level), every node level by level */
    uint64_t key;      /* what it was evaluated for */
} ss_theatre;

/* For the problem and its solver, around node `selected` (-1: the first), after `tick` ticks. What
 * it holds already is not evaluated again. */
void ss_theatre_fill(ss_theatre *t, const ss_solver *solver, const ss_config *cfg,
                     const ss_problem *p, int selected, int tick);

#endif
