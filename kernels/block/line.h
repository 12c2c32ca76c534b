/*
 * The sine transform of one line of cells, written once. Included once for every type that
 * computes: SS_REAL is float or double, SS_CELL what a cell is (CPU: a vector of them, one of each
 * block of a panel; CUDA: SS_REAL itself), SS_NAME(x) names what is emitted. Hence no include
 * guard. Valid as C11 and CUDA C++17; every sum has one order, so that all backends give the same
 * bits.
 *
 * Modes are S u with the symmetric S of kernels/eq/sine.h. Mode k is even about the middle of the
 * line if k is, else odd, so that it needs only the sums or only the differences of opposite cells,
 * and of a row of S only its first (n + 1) / 2 entries: these are in s, row by row.
 *
 * `inlined` and UNROLLED stay defined for who includes this.
 */
#define weigh SS_NAME(weigh)
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

/* The first `terms` entries of a row of S times as many sums or differences. */
inlined void weigh(int terms, const SS_REAL *s, const SS_CELL *part, SS_CELL *mode)
{
    SS_CELL sum = s[0] * part[0];
    UNROLLED
    for (int m = 1; m < terms; m++)
        sum += s[m] * part[m];
    *mode = sum;
}

/* modes = S u, one line of n cells, `stride` apart. */
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
        weigh(rest, s + k * rest, even, modes + k);
    UNROLLED
    for (int k = 1; k < n; k += 2)
        weigh(half, s + k * rest, odd, modes + k);
}

/* Mode k alone, for who has the line in memory and nowhere else. The same sum. */
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

#undef weigh
#undef transform
