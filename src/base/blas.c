/* The choice of OpenBLAS kernels: see blas.h. */
#include "src/base/blas.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* OpenBLAS only; another BLAS lacks them. */
extern char *openblas_get_corename(void) __attribute__((weak));

#define OLDEST "Prescott" /* its choice for unknown processors */
#define CHOICE "OPENBLAS_CORETYPE"

const char *ss_blas_kernels(void)
{
    return openblas_get_corename ? openblas_get_corename() : "";
}

/* The best kernels for this processor's instructions; NULL: keep OpenBLAS's choice. */
static const char *best(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return "SkylakeX";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return "Haswell";
#endif
    return NULL;
}

void ss_blas_settle(char **argv)
{
    const char *kernels = best();
    if (!kernels || getenv(CHOICE) || strcmp(ss_blas_kernels(), OLDEST) != 0)
        return;
    if (setenv(CHOICE, kernels, 1) == 0)
        execv("/proc/self/exe", argv); /* on failure the old kernels remain in use */
}
