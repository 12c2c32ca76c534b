/* The triad for one instruction set; included by isa_each.h for stream.c. */
static void SS_JOIN(triad, SS_ISA)(double *restrict a, const double *restrict b,
                                   const double *restrict c, double s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        a[i] = b[i] + s * c[i];
}
