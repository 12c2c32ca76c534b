/*
 * The roofs of a roofline: bandwidths of memory and of the caches, and the rate of a matrix
 * product, as `bench --limits` measured them. Chooses the roof of a point and says why a point lies
 * above one. Plain data and pure functions, any thread.
 */
#ifndef SS_ROOFS_H
#define SS_ROOFS_H

#include "src/core/param.h"

/* --- working sets ----------------------------------------------------------------------------- */

/*
 * The working sets of a schedule: the bytes that it uses again and again, which may stay in a
 * cache. Pure function, any thread.
 */

/* Bytes; 0: the schedule has none. */
typedef struct ss_working_set {
    double fields; /* all buffers and right-hand sides of the problem */
    double tile;   /* two buffers and the right-hand side of one subdomain */
} ss_working_set;

ss_working_set ss_config_working_set(const ss_config *cfg);

/* --- roofs ------------------------------------------------------------------------------------ */

enum { SS_ROOFS_MAX = 5, SS_ROOF_NAME = 8 };

typedef struct ss_roof {
    char name[SS_ROOF_NAME]; /* "memory", "L2" */
    double bandwidth;        /* bytes per second, of all threads together */
    double capacity;         /* bytes; of memory 0 */
    bool per_core;           /* each core has one */
} ss_roof;

typedef struct ss_roofs {
    int n;                      /* 0: not measured */
    ss_roof roof[SS_ROOFS_MAX]; /* memory, then the caches, the largest first */
    double rate;                /* operations per second of all threads; 0: not known */
} ss_roofs;

/* A point of the roofline. */
typedef struct ss_roof_point {
    double intensity, rate; /* operations per byte; operations per second */
    int threads;            /* that divide the fields among their caches; 0: a device */
    ss_working_set set;
} ss_roof_point;

/* Operations per second under roof i: its bandwidth, and the rate of arithmetic. */
double ss_roofs_at(const ss_roofs *r, int i, double intensity);
/* The first roof that is not below the point, memory before the caches: that of the bandwidth,
 * whatever the rate of arithmetic. -1: the point is above all of them. */
int ss_roofs_above(const ss_roofs *r, const ss_roof_point *p);
/* "56 % of what memory allows", or "above the memory roof: the tile of 8 kB stays in L1 (43 % of
 * what L1 allows)". Of measured roofs. */
const char *ss_roofs_explain(const ss_roofs *r, const ss_roof_point *p, char *buf, size_t size);

#endif
