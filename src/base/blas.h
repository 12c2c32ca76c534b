/* The BLAS of this process. OpenBLAS chooses its kernels by processor model, once, when it is
 * loaded. For a model that it does not know, it uses kernels of 2004, and matrix products take four
 * times as long as the available instructions allow. */
#ifndef SS_BLAS_H
#define SS_BLAS_H

/* Better kernels, where OpenBLAS uses its oldest ones: a value of OPENBLAS_CORETYPE, which it reads
 * when it is loaded (libraries.h). NULL: its choice is good. Any thread. */
const char *ss_blas_wanted(void);
/* The name of the kernels, "SkylakeX"; "" if this is not OpenBLAS. Any thread. */
const char *ss_blas_kernels(void);

#endif
