/*
 * Rows of values combined with the Jacobi values u' = g + ... of the same points: relaxation, one
 * colour of a checkerboard, a three-term recurrence; and the sums that conjugate gradients need.
 * Each is compiled for both precisions and every instruction set (combine_each.h). All give the
 * same bits. Arrays are in the precision of the table; factors are rounded to it once. Called by
 * the schedules of kernels/cpu on their threads.
 */
#ifndef SS_CPU_COMBINE_H
#define SS_CPU_COMBINE_H

#include "src/base/common.h"

typedef struct ss_combine {
    /* out = (1 - omega) u + omega jacobi; out may be u or jacobi. */
    void (*relax)(int n, double omega, const void *u, const void *jacobi, void *out);
    /* The same for points `first`, first + 2, ...; the others are u. first is 0 or 1. */
    void (*relax_colour)(int n, int first, double omega, const void *u, const void *jacobi,
                         void *out);
    /* out = omega (jacobi - out) + out: Chebyshev's recurrence, where out is the field before u. */
    void (*recur)(int n, double omega, const void *jacobi, void *out);
    /* out = a + factor b; out may be a or b. */
    void (*add)(int n, double factor, const void *a, const void *b, void *out);
    /* The sum of a b, in double, in the lanes of norm.h: the same for every instruction set. */
    double (*dot)(int n, const void *a, const void *b);
} ss_combine;

/* prec: of the arrays. The table is constant. */
const ss_combine *ss_combine_of(ss_prec prec);

#endif
