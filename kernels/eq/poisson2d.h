/*
 * The point update of Poisson's equation in 2D. Included once per arithmetic type, hence no include
 * guard: SS_REAL is float, double or a SIMD vector of them, SS_NAME(x) the name of the emitted
 * function. Valid as C11 and CUDA C++17; called by every schedule of every backend.
 *
 *     (2 u - u_w - u_e) / dx^2 + (2 u - u_s - u_n) / dy^2 = b      solved for u:
 *     u' = g + c ((u_w + u_e) + a (u_s + u_n))
 *
 * with g = b/D, c = (1/dx^2)/D, a = (dx/dy)^2 and the diagonal D = 2/dx^2 + 2/dy^2. The residual is
 * D (u' - u). The parentheses fix the order of operations, so that all results are bit-for-bit
 * equal. With equal spacing in both directions a = 1 and c = 1/4, and neither product rounds.
 */
SS_INLINE SS_REAL SS_NAME(poisson2d)(SS_REAL g, SS_REAL c, SS_REAL a, SS_REAL w, SS_REAL e,
                                     SS_REAL s, SS_REAL n)
{
    return g + c * ((w + e) + a * (s + n));
}
