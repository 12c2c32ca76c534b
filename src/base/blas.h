/* The BLAS of this process. OpenBLAS chooses its kernels by processor model, once, when it is
 * loaded. For a model that it does not know, it uses kernels of 2004, and matrix products take four
 * times as long as the available instructions allow. */
#ifndef SS_BLAS_H
#define SS_BLAS_H

/* Main thread, first call in main: if OpenBLAS uses its oldest kernels, restarts the program with
 * better ones; otherwise returns. OPENBLAS_CORETYPE in the environment takes precedence. */
void ss_blas_settle(char **argv);
/* The name of the kernels, "SkylakeX"; "" if this is not OpenBLAS. Any thread. */
const char *ss_blas_kernels(void);

#endif
