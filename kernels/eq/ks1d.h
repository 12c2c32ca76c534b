/*
 * The point update of the Kuramoto-Sivashinsky equation. Included once per arithmetic type, hence
 * no include guard: SS_REAL is float or double, SS_NAME(x) the name of the emitted function, and
 * SS_STRIP asks for the loop as well. Valid as C11 and CUDA C++17; called by every schedule of
 * every backend. Source: Magee & Niemeyer, equations C.1 and C.2, with two signs corrected.
 *
 *     u_t = -( (u^2/2)_x + u_xx + u_xxxx )
 *
 * With s = u_w + u_e, t = u_ww + u_ee, d = u_e - u_w and u_e^2 - u_w^2 = s d:
 *
 *     u' = base + s (c1 + c3 d) + c2 t + c0 u
 *     c0 = h (2/dx^2 - 6/dx^4)   c1 = h (4/dx^4 - 1/dx^2)   c2 = -h/dx^4   c3 = -h/(4 dx)
 *
 * Midpoint rule: h = dt/2 and base = u in stage 0; h = dt and base = u at the step's start in
 * stage 1.
 */
SS_INLINE SS_REAL SS_NAME(ks1d)(SS_REAL c0, SS_REAL c1, SS_REAL c2, SS_REAL c3, SS_REAL base,
                                SS_REAL ww, SS_REAL w, SS_REAL u, SS_REAL e, SS_REAL ee)
{
    SS_REAL s = w + e, t = ww + ee, d = e - w;
    return base + ((s * (c1 + c3 * d) + c0 * u) + c2 * t);
}

#ifdef SS_STRIP
/* Points [lo, hi) of the next level, on the CPU (strips.h). */
static void SS_NAME(ks1d_strip)(const ss_coef *coef, int stage, const ss_strip *s,
                                const SS_REAL *restrict in, SS_REAL *restrict out)
{
    const double *c = coef->c + 4 * stage;
    const SS_REAL c0 = (SS_REAL)c[0], c1 = (SS_REAL)c[1], c2 = (SS_REAL)c[2], c3 = (SS_REAL)c[3];
    if (stage == 0)
        for (int i = s->lo; i < s->hi; i++)
            out[i] = SS_NAME(ks1d)(c0, c1, c2, c3, in[i], in[i - 2], in[i - 1], in[i], in[i + 1],
                                   in[i + 2]);
    else
        for (int i = s->lo; i < s->hi; i++)
            out[i] = SS_NAME(ks1d)(c0, c1, c2, c3, out[i], in[i - 2], in[i - 1], in[i], in[i + 1],
                                   in[i + 2]);
}
#endif
