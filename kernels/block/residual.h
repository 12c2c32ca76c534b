/*
 * The residual of a cell, written once. Included once for every type that computes: SS_REAL is
 * float or double, SS_NAME(x) names what is emitted. Hence no include guard. Valid as C11 and CUDA
 * C++17; called by every smoother of every backend.
 *
 *     r = h^2 f - (6 u - u_w - u_e - u_s - u_n - u_b - u_t)
 *
 * over all neighbours, those in other blocks too: algorithm 1 of the paper shows only the part
 * inside the block. f is h^2 f here. The parentheses fix the order of operations.
 */
SS_INLINE SS_REAL SS_NAME(residual)(SS_REAL f, SS_REAL u, SS_REAL w, SS_REAL e, SS_REAL s,
                                    SS_REAL n, SS_REAL b, SS_REAL t)
{
    return f - (6 * u - ((w + e) + ((s + n) + (b + t))));
}
