/*
 * The point update of a constant pentadiagonal matrix. Included once per arithmetic type, hence no
 * include guard: SS_REAL is float, double or a SIMD vector of them, SS_NAME(x) the name of the
 * emitted function. Valid as C11 and CUDA C++17; called by every schedule of every backend.
 *
 *     c_w u_w + c_e u_e + c_s u_s + c_n u_n + d u = b      solved for u:
 *     u' = g + ((cw u_w + ce u_e) + (cs u_s + cn u_n))
 *
 * with g = b/d, cw = -c_w/d and so on (Islam & Wang, equation 11). The residual is d (u' - u). The
 * parentheses fix the order of operations, so that all results are bit-for-bit equal.
 */
SS_INLINE SS_REAL SS_NAME(plane)(SS_REAL g, SS_REAL cw, SS_REAL ce, SS_REAL cs, SS_REAL cn,
                                 SS_REAL w, SS_REAL e, SS_REAL s, SS_REAL n)
{
    return g + ((cw * w + ce * e) + (cs * s + cn * n));
}
