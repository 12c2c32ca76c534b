/*
 * The point updates of the steady equations on lines and planes. Included once per arithmetic type,
 * hence no include guard: SS_REAL is float, double or a SIMD vector of them, SS_NAME(x) the name of
 * the emitted function. Valid as C11 and CUDA C++17; called by every schedule of every backend.
 * The parentheses fix the order of operations, so that all results are bit-for-bit equal.
 */

/*
 * Poisson's equation in 1D.
 *
 *     (2 u_i - u_w - u_e) / dx^2 = b      solved for u_i:      u' = g + c (u_w + u_e)
 *
 * with g = b/D, c = (1/dx^2)/D = 1/2 and the diagonal D = 2/dx^2. The residual is D (u' - u).
 */
SS_INLINE SS_REAL SS_NAME(poisson1d)(SS_REAL g, SS_REAL c, SS_REAL w, SS_REAL e)
{
    return g + c * (w + e);
}

/*
 * Poisson's equation in 2D.
 *
 *     (2 u - u_w - u_e) / dx^2 + (2 u - u_s - u_n) / dy^2 = b      solved for u:
 *     u' = g + c ((u_w + u_e) + a (u_s + u_n))
 *
 * with g = b/D, c = (1/dx^2)/D, a = (dx/dy)^2 and the diagonal D = 2/dx^2 + 2/dy^2. The residual is
 * D (u' - u). With equal spacing in both directions a = 1 and c = 1/4, and neither product rounds.
 */
SS_INLINE SS_REAL SS_NAME(poisson2d)(SS_REAL g, SS_REAL c, SS_REAL a, SS_REAL w, SS_REAL e,
                                     SS_REAL s, SS_REAL n)
{
    return g + c * ((w + e) + a * (s + n));
}

/*
 * A constant tridiagonal matrix (Islam & Wang, equation 4).
 *
 *     c_w u_w + d u + c_e u_e = b      solved for u:      u' = g + (cw u_w + ce u_e)
 *
 * with g = b/d, cw = -c_w/d, ce = -c_e/d. The residual is d (u' - u).
 */
SS_INLINE SS_REAL SS_NAME(line)(SS_REAL g, SS_REAL cw, SS_REAL ce, SS_REAL w, SS_REAL e)
{
    return g + (cw * w + ce * e);
}

/*
 * A constant pentadiagonal matrix (Islam & Wang, equation 11).
 *
 *     c_w u_w + c_e u_e + c_s u_s + c_n u_n + d u = b      solved for u:
 *     u' = g + ((cw u_w + ce u_e) + (cs u_s + cn u_n))
 *
 * with g = b/d, cw = -c_w/d and so on. The residual is d (u' - u).
 */
SS_INLINE SS_REAL SS_NAME(plane)(SS_REAL g, SS_REAL cw, SS_REAL ce, SS_REAL cs, SS_REAL cn,
                                 SS_REAL w, SS_REAL e, SS_REAL s, SS_REAL n)
{
    return g + ((cw * w + ce * e) + (cs * s + cn * n));
}
