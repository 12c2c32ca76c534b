/*
 * The sine transform of one line of cells. Included once per arithmetic type, hence no include
 * guard. SS_REAL is float or double. SS_CELL is the type of a cell: on the CPU a vector with one
 * SS_REAL per block of a panel, in CUDA SS_REAL itself. SS_NAME(x) is the name of the emitted
 * function. Valid as C11 and CUDA C++17. The order of every sum is fixed, so that all backends are
 * bit-for-bit equal.
 *
 * The modes are S u with the symmetric S of kernels/eq/sine.h. Mode k has the parity of k about the
 * middle of the line. It therefore needs only the sums or only the differences of opposite cells,
 * and only the first (n + 1) / 2 entries of its row of S: s holds these, row by row.
 *
 * `inlined` and UNROLLED remain defined for the including file.
 */
#define row_product SS_NAME(row_product)
#define transform SS_NAME(transform)

#ifdef __CUDACC__
#define inlined static __device__ __forceinline__
#define UNROLLED _Pragma("unroll")
#else
#define inlined static inline __attribute__((always_inline))
#ifdef __clang__
#define UNROLLED
#else
#define UNROLLED _Pragma("GCC unroll 8")
#endif
#endif

/* The dot product of the first `terms` entries of a row of S with the sums or differences. */
inlined void row_product(int terms, const SS_REAL *s, const SS_CELL *part, SS_CELL *mode)
{
    SS_CELL sum = s[0] * part[0];
    UNROLLED
    for (int m = 1; m < terms; m++)
        sum += s[m] * part[m];
    *mode = sum;
}

/* modes = S u for a line of n cells at distance `stride`; modes are contiguous. */
inlined void transform(int n, const SS_REAL *s, const SS_CELL *u, ptrdiff_t stride, SS_CELL *modes)
{
    SS_CELL even[SS_BLOCK_MOST / 2], odd[SS_BLOCK_MOST / 2];
    int half = n / 2, rest = n - half;
    UNROLLED
    for (int m = 0; m < half; m++) {
        SS_CELL west = u[m * stride], east = u[(n - 1 - m) * stride];
        even[m] = west + east;
        odd[m] = west - east;
    }
    if (half < rest)
        even[half] = u[half * stride];
    UNROLLED
    for (int k = 0; k < n; k += 2)
        row_product(rest, s + k * rest, even, modes + k);
    UNROLLED
    for (int k = 1; k < n; k += 2)
        row_product(half, s + k * rest, odd, modes + k);
}

/* Mode k alone, for a line that is read from memory at each use. Bit-for-bit equal to transform's.
 */
inlined SS_CELL SS_NAME(mode)(int n, const SS_REAL *s, const SS_CELL *u, ptrdiff_t stride, int k)
{
    int half = n / 2, rest = n - half, terms = k % 2 ? half : rest;
    SS_CELL sum = u[0];
    for (int m = 0; m < terms; m++) {
        SS_CELL part = u[m * stride];
        if (m < half && k % 2)
            part -= u[(n - 1 - m) * stride];
        else if (m < half)
            part += u[(n - 1 - m) * stride];
        part *= s[k * rest + m];
        if (m > 0)
            sum += part;
        else
            sum = part;
    }
    return sum;
}

#undef row_product
#undef transform
