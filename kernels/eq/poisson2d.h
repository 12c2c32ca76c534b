/*
 * The point update of Poisson's equation in 2D, written once. Included once for every type that
 * computes: SS_REAL is float, double or a SIMD vector of them, SS_NAME(x) names what is emitted.
 * Hence no include guard. Valid as C11 and CUDA C++17; called by every schedule of every backend.
 *
 *     (2 u - u_w - u_e) / dx^2 + (2 u - u_s - u_n) / dy^2 = b      solved for u:
 *     u' = g + (cx (u_w + u_e) + cy (u_s + u_n))
 *
 * with g = b/D, cx = (1/dx^2)/D, cy = (1/dy^2)/D and the diagonal D = 2/dx^2 + 2/dy^2. The residual
 * is D (u' - u). The parentheses fix the order of operations, so that all agree to the last bit.
 */
SS_INLINE SS_REAL SS_NAME(poisson2d)(SS_REAL g, SS_REAL cx, SS_REAL cy, SS_REAL w, SS_REAL e,
                                     SS_REAL s, SS_REAL n)
{
    return g + (cx * (w + e) + cy * (s + n));
}
