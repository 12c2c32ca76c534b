/*
 * The residual of a cell, for every smoother of every backend. Included once per arithmetic type,
 * hence no include guard: SS_REAL is float or double, SS_NAME(x) the name of the emitted function.
 * Valid as C11 and CUDA C++17.
 *
 *     r = h^2 f - (6 u - u_w - u_e - u_s - u_n - u_b - u_t)
 *
 * over all neighbours, including those in other blocks; algorithm 1 of the paper shows only the
 * part inside the block. The argument f is h^2 f. The parentheses fix the order of operations.
 */
SS_INLINE SS_REAL SS_NAME(residual)(SS_REAL f, SS_REAL u, SS_REAL w, SS_REAL e, SS_REAL s,
                                    SS_REAL n, SS_REAL b, SS_REAL t)
{
    return f - (6 * u - ((w + e) + ((s + n) + (b + t))));
}
