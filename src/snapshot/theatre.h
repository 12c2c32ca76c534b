/*
 * The space-time diagram of one cycle of a time-dependent run ("theatre"): the node that computes
 * each point, and when. It is evaluated from the geometry of the schedule (kernels/geom/swept.h)
 * into plain cells, so that front ends need not know the schedule. It shows a few nodes; if these
 * have more points or levels than the diagram has cells, it samples them evenly. Pure; engine
 * thread.
 */
#ifndef SS_THEATRE_H
#define SS_THEATRE_H

#include "src/core/solver.h"

enum { SS_STAGE_COLS = 128, SS_STAGE_ROWS = 65, SS_STAGE_NODES = 4 };

typedef enum ss_phase {
    SS_PHASE_START,    /* the initial level, known everywhere */
    SS_PHASE_TRIANGLE, /* triangle: computed without neighbours */
    SS_PHASE_DIAMOND, /* diamond: a node shifted by half a block fills the gap, then goes on in time
                       */
    SS_PHASE_CLOSING, /* closing triangle: fills the last gaps, until all points have one level */
    SS_PHASE_IDLE,    /* the lane does not compute */
    SS_NPHASE
} ss_phase;

typedef struct ss_stage_cell {
    int tick;      /* tick of the cycle in which it is computed; 0: initial */
    uint8_t owner; /* the node that computes it */
    uint8_t phase; /* ss_phase */
    bool passed;   /* sent to another node */
} ss_stage_cell;

/* Row 0 is the first in time. */
typedef struct ss_stage {
    int cols, rows;
    ss_stage_cell cell[SS_STAGE_ROWS][SS_STAGE_COLS];
} ss_stage;

typedef struct ss_theatre {
    bool there;        /* the run depends on time */
    bool swept;        /* swept: triangles and diamonds; else only the classic diagram */
    int block, nodes;  /* points per node, nodes shown */
    int first;         /* first node shown */
    int levels;        /* levels per cycle (classic: levels shown) */
    int reach;         /* stencil radius: the width of an edge */
    int ticks;         /* ticks per cycle */
    int shift;         /* offset in points of the active nodes from their initial positions */
    ss_phase phase;    /* phase of the last tick; START: none */
    ss_stage diamonds; /* (x, level) */
    ss_stage lanes;    /* (lane, tick): active and idle lanes of the processors */
    ss_stage classic;  /* (x, level), every node level by level */
    uint64_t key;      /* hash of the inputs of the last evaluation */
} ss_theatre;

/* Fills the diagram for a problem and its solver, around node `selected` (-1: the first), after
 * `tick` ticks. Evaluates no cells if the inputs are unchanged. */
void ss_theatre_fill(ss_theatre *t, const ss_solver *solver, const ss_config *cfg,
                     const ss_problem *p, int selected, int tick);

#endif
