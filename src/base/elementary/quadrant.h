/*
 * The range reduction of sine and cosine, for every finite x. For sin.c. Pure; any thread.
 */
#ifndef SS_QUADRANT_H
#define SS_QUADRANT_H

#include "src/base/elementary/pair.h"

/* x = n pi/2 + r, |r| <= pi/4 up to rounding; returns n modulo 4, 0 ... 3. r has at least 100
 * correct bits after its leading zeros. */
int ss_quadrant(double x, ss_pair *r);

#endif
