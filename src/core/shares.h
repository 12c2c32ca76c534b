/*
 * Where the time of a cycle goes on each of several devices that share a run, measured now and
 * then. Written by the engine thread; the snapshot has a copy.
 */
#ifndef SS_SHARES_H
#define SS_SHARES_H

#define SS_SHARES_MAX 8

/* Seconds per cycle. Exchange and interior overlap; the rest of the cycle is waiting. */
typedef struct ss_share {
    int device;
    double interior; /* the rows that no other device needs */
    double edge;     /* the rows that a neighbour needs, computed first */
    double exchange; /* copies of the halo */
    double wait;     /* for the other devices, and for launches */
} ss_share;

typedef struct ss_shares {
    int count; /* devices; 0: nothing was measured */
    ss_share of[SS_SHARES_MAX];
} ss_shares;

#endif
