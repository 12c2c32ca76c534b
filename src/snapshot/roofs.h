/*
 * The roofs of a roofline: bandwidths of memory and of the caches, and the rate of a matrix
 * product, all by the clock and for the threads of the points that are drawn under them. Chooses
 * the roof of a point and says why a point lies above one. Plain data and pure functions, any
 * thread.
 */
#ifndef SS_ROOFS_H
#define SS_ROOFS_H

#include "src/core/working_set.h"

enum { SS_ROOFS_MAX = 5, SS_ROOF_NAME = 8 };

/* Busier than this: the machine did something else while the roofs were measured. */
#define SS_ROOFS_BUSY 1.2

/* The clock of roofs and points. */
typedef enum ss_roof_clock {
    SS_ROOF_THREAD, /* CPU time of one thread: maps beside a run */
    SS_ROOF_WALL,   /* wall-clock time of all threads: maps that have the machine for themselves */
    SS_ROOF_DEVICE, /* the device's */
    SS_NROOF_CLOCK
} ss_roof_clock;

typedef struct ss_roof {
    char name[SS_ROOF_NAME]; /* "memory", "L2" */
    double bandwidth;        /* bytes per second */
    double capacity;         /* bytes; of memory 0 */
    bool shared;             /* by all cores; else each has one */
} ss_roof;

typedef struct ss_roofs {
    ss_roof_clock clock;
    int threads;
    int n;                      /* 0: not measured */
    ss_roof roof[SS_ROOFS_MAX]; /* memory, then the caches, the largest first */
    double rate;                /* operations per second; 0: not known */
    double busy;                /* wall-clock time over CPU time while they were measured; 0: not
                                   known */
} ss_roofs;

/* A point of the roofline. */
typedef struct ss_roof_point {
    double intensity, rate; /* operations per byte; operations per second, by the roofs' clock */
    int threads;            /* that divide the fields among their caches */
    ss_working_set set;
} ss_roof_point;

/* Operations per second under roof i: its bandwidth, and the rate of arithmetic. */
double ss_roofs_at(const ss_roofs *r, int i, double intensity);
/* The first roof that is not below the point, memory before the caches: that of the bandwidth,
 * whatever the rate of arithmetic. -1: the point is above all of them. */
int ss_roofs_above(const ss_roofs *r, const ss_roof_point *p);
/* "56 % of what memory allows", or "above the memory roof: the tile of 8 kB stays in L1 (43 % of
 * what L1 allows)". */
const char *ss_roofs_explain(const ss_roofs *r, const ss_roof_point *p, char *buf, size_t size);
/* "CPU time of one thread", ", measured while the machine was busy" included if it was. */
const char *ss_roofs_measured(const ss_roofs *r, char *buf, size_t size);

#endif
