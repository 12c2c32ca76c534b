/* The triad for one precision and instruction set; included by each.h for meter.c. */
static inline void SS_NAME(triad)(SS_REAL *restrict a, const SS_REAL *restrict b,
                                  const SS_REAL *restrict c, SS_REAL s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        a[i] = b[i] + s * c[i];
}
