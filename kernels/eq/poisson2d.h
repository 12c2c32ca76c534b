/*
 * The point update of Poisson's equation in 2D, written once. Included once for every type that
 * computes: SS_REAL is float, double or a SIMD vector of them, SS_NAME(x) names what is emitted.
 * Hence no include guard. Valid as C11 and CUDA C++17; called by every schedule of every backend.
 *
 *     (2 u - u_w - u_e) / dx^2 + (2 u - u_s - u_n) / dy^2 = b      solved for u:
 *     u' = g + c ((u_w + u_e) + a (u_s + u_n))
 *
 * with g = b/D, c = (1/dx^2)/D, a = (dx/dy)^2 and the diagonal D = 2/dx^2 + 2/dy^2. The residual is
 * D (u' - u). The parentheses fix the order of operations, so that all agree to the last bit. Where
 * the spacing is the same in both directions a is 1 and c a quarter, and neither product rounds.
 */
SS_INLINE SS_REAL SS_NAME(poisson2d)(SS_REAL g, SS_REAL c, SS_REAL a, SS_REAL w, SS_REAL e,
                                     SS_REAL s, SS_REAL n)
{
    return g + c * ((w + e) + a * (s + n));
}
