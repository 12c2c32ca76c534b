/* The BLAS of this process. OpenBLAS chooses its kernels by the processor model, once, when it
 * is loaded, and treats a model newer than itself as one of 2004: matrix products are then four
 * times slower than the available instructions allow. */
#ifndef SS_BLAS_H
#define SS_BLAS_H

/* Main thread, first call in main: if that happened, restarts the program with better kernels;
 * otherwise returns. OPENBLAS_CORETYPE in the environment takes precedence. */
void ss_blas_settle(char **argv);
/* The name of the kernels, "SkylakeX"; "" if this is not OpenBLAS. Any thread. */
const char *ss_blas_kernels(void);

#endif
