/* OpenMP in a build without it: the pragmas are ignored, so that one thread does all the work. */
#ifndef SS_STANDIN_OMP_H
#define SS_STANDIN_OMP_H

static inline int omp_get_thread_num(void)
{
    return 0;
}

static inline int omp_get_num_threads(void)
{
    return 1;
}

#endif
