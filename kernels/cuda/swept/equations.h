/*
 * The equations of equations.cuh as host code sees them: the type by which kernels are asked for,
 * and the argument that every kernel begins with. Host code; engine thread.
 */
#ifndef SS_CUDA_EQUATIONS_H
#define SS_CUDA_EQUATIONS_H

#include "src/core/run.h"

typedef struct ss_cuda_equation {
    char type[24];     /* "euler<double, 2>" */
    int shared_values; /* of the type */
    /* The coefficients of the point update in the run's precision. The types have no members but
     * the first of these. */
    union {
        double f64[8];
        float f32[8];
    } coef;
} ss_cuda_equation;

/* The equation of a run. Fails where it has no type. */
int ss_cuda_equation_of(const ss_run *run, ss_cuda_equation *out, ss_err *err);

#endif
