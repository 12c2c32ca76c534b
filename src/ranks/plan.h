/*
 * The communication of one cycle on P modelled ranks: who computes what, and which messages travel
 * when. A solver fills a plan from its geometry (ss_solver.ranks); clock.h executes it. Plain data.
 *
 * All ranks go through the same phases. SEND sends a range of messages; RECEIVE waits for the same
 * range. A cycle may begin with the RECEIVE of messages that the previous cycle sent: the swept
 * rule's chain of diamonds does so.
 */
#ifndef SS_RANKS_PLAN_H
#define SS_RANKS_PLAN_H

#include "src/base/common.h"

enum { SS_RANKS_MAX = 64, SS_RANKS_PHASES = 12, SS_RANKS_MESSAGES = 8 * SS_RANKS_MAX };

/* REDUCTION: a sum over all ranks, for which each waits. */
typedef enum ss_ranks_act {
    SS_RANKS_COMPUTE,
    SS_RANKS_SEND,
    SS_RANKS_RECEIVE,
    SS_RANKS_REDUCTION
} ss_ranks_act;

typedef struct ss_ranks_message {
    uint8_t from, to;
    double bytes;
} ss_ranks_message;

typedef struct ss_ranks_phase {
    ss_ranks_act act;
    double work[SS_RANKS_MAX]; /* COMPUTE: point updates of each rank */
    int first, count;          /* SEND and RECEIVE: the messages */
} ss_ranks_phase;

typedef struct ss_ranks_plan {
    int count, columns, rows; /* ranks; their grid */
    int levels;               /* iterations or time levels per cycle */
    int steps;                /* iterations or time steps per cycle: figures are per step */
    int exchanges;            /* per cycle; a rank computes levels/exchanges levels between two */
    int points, per_level;    /* swept: of the line; points of a node per level between exchanges */
    int nphase, nmessage;
    ss_ranks_phase phase[SS_RANKS_PHASES];
    ss_ranks_message message[SS_RANKS_MESSAGES];
    /* Time per step in words: "max(c, L + s) + 4 o"; and its symbols that are not parameters. */
    char formula[96], where[96];
} ss_ranks_plan;

/* The grid of `count` ranks with the least halo on nx x ny points, at most most_x columns and
 * most_y rows. False: there is none. */
bool ss_ranks_grid(int count, double nx, double ny, int most_x, int most_y, int *columns,
                   int *rows);

/* Each adds a phase. compute returns the work of the ranks, all 0, to be filled in. */
double *ss_ranks_compute(ss_ranks_plan *p);
void ss_ranks_send(ss_ranks_plan *p, int first, int count);
void ss_ranks_receive(ss_ranks_plan *p, int first, int count);
void ss_ranks_reduction_add(ss_ranks_plan *p);
/* Adds a message to the list; returns its index. */
int ss_ranks_message_add(ss_ranks_plan *p, int from, int to, double bytes);
/* The phases of one halo exchange, all messages of which can be sent at once: with `hide`, the work
 * `inner` that needs no halo runs while messages travel; `outer` follows. Without it the ranks
 * compute both after the exchange. Arrays of `count` ranks. */
void ss_ranks_exchange(ss_ranks_plan *p, int first, int count, bool hide, const double *inner,
                       const double *outer);

/* Point updates of a rank per cycle; of all ranks. */
double ss_ranks_work(const ss_ranks_plan *p, int rank);
double ss_ranks_work_all(const ss_ranks_plan *p);
/* Messages and bytes that all ranks send per cycle. */
double ss_ranks_bytes(const ss_ranks_plan *p);
/* Most messages that a rank sends and receives per exchange. */
int ss_ranks_calls(const ss_ranks_plan *p);

#endif
