/*
 * The point update of Poisson's equation in 1D. Included once per arithmetic type, hence no include
 * guard: SS_REAL is float, double or a SIMD vector of them, SS_NAME(x) the name of the emitted
 * function. Valid as C11 and CUDA C++17; called by every schedule of every backend.
 *
 *     (2 u_i - u_w - u_e) / dx^2 = b      solved for u_i:      u' = g + c (u_w + u_e)
 *
 * with g = b/D, c = (1/dx^2)/D = 1/2 and the diagonal D = 2/dx^2. The residual is D (u' - u).
 */
SS_INLINE SS_REAL SS_NAME(poisson1d)(SS_REAL g, SS_REAL c, SS_REAL w, SS_REAL e)
{
    return g + c * (w + e);
}
