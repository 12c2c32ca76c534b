/*
 * The point update of a constant tridiagonal matrix. Included once per arithmetic type, hence no
 * include guard: SS_REAL is float, double or a SIMD vector of them, SS_NAME(x) the name of the
 * emitted function. Valid as C11 and CUDA C++17; called by every schedule of every backend.
 *
 *     c_w u_w + d u + c_e u_e = b      solved for u:      u' = g + (cw u_w + ce u_e)
 *
 * with g = b/d, cw = -c_w/d, ce = -c_e/d (Islam & Wang, equation 4). The residual is d (u' - u).
 */
SS_INLINE SS_REAL SS_NAME(line)(SS_REAL g, SS_REAL cw, SS_REAL ce, SS_REAL w, SS_REAL e)
{
    return g + (cw * w + ce * e);
}
