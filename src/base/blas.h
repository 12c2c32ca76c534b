/*
 * The BLAS of this process. OpenBLAS chooses its kernels by the model of the processor, once, when
 * it is loaded, and takes a model that is newer than itself for one of 2004: products of matrices
 * are then four times slower than the instructions that are there allow.
 */
#ifndef SS_BLAS_H
#define SS_BLAS_H

/* Main thread, first thing in main: starts the program anew with better kernels if that happened,
 * and returns otherwise. OPENBLAS_CORETYPE in the environment has the last word. */
void ss_blas_settle(char **argv);
/* What the kernels are called, "SkylakeX"; "" if this is not OpenBLAS. Any thread. */
const char *ss_blas_kernels(void);

#endif
