/*
 * The functions of a step of the Euler equations in 1D. Included once per arithmetic type, hence no
 * include guard: SS_REAL is float or double, SS_NAME(x) the name of the emitted function,
 * SS_SQRT(x) the square root. Valid as C11 and CUDA C++17; called by every schedule of every
 * backend. Branches are conditional expressions, so that compilers can vectorise them.
 * Source: Magee & Niemeyer, appendix D, corrected as kernels/misprints.md says.
 *
 * Q = (r, m, e) = (density, momentum, total energy per volume), gamma = 1.4. A step: pressures of
 * all cells, fluxes of all faces, Q' = base - h (F_right - F_left), h = dt/dx / 2 in stage 0 (base
 * = Q), dt/dx in stage 1 (base = Q of the step's start).
 */
#ifndef SS_EULER_GAMMA
#define SS_EULER_GAMMA 1.4
enum { SS_LIMITER_MINMOD, SS_LIMITER_PRINTED, SS_LIMITER_NONE, SS_NLIMITER };
#endif

/* p = (gamma - 1)(e - m^2 / (2 r)) */
SS_INLINE SS_REAL SS_NAME(euler1d_pressure)(SS_REAL r, SS_REAL m, SS_REAL e)
{
    return (SS_REAL)(SS_EULER_GAMMA - 1) * SS_LESS_HALF(e, m * m * SS_INVERSE(r));
}

/* The limiter times 1/2, from half the ratio of two slopes: min(ratio, 1)/2, or 0 if the ratio is
 * not positive and finite. */
SS_INLINE SS_REAL SS_NAME(euler1d_trust)(SS_REAL half_ratio)
{
    SS_REAL most = half_ratio < (SS_REAL)0.5 ? half_ratio : (SS_REAL)0.5;
    SS_REAL finite = half_ratio - half_ratio == 0 ? most : (SS_REAL)0;
    return half_ratio > 0 ? finite : (SS_REAL)0;
}

/* Twice the flux through the face between cells 1 and 2, from their Q and the pressures of cells
 * 0 to 3. limiter is a compile-time constant. Local Lax-Friedrichs with Roe averages: equations D.6
 * to D.11. The weights, square roots of the densities, are divided by the left one. */
SS_INLINE void SS_NAME(euler1d_flux)(int limiter, SS_REAL p0, SS_REAL p1, SS_REAL p2, SS_REAL p3,
                                     SS_REAL r1, SS_REAL m1, SS_REAL e1, SS_REAL r2, SS_REAL m2,
                                     SS_REAL e2, SS_REAL *fr, SS_REAL *fm, SS_REAL *fe)
{
    const SS_REAL half = (SS_REAL)0.5, g1 = (SS_REAL)(SS_EULER_GAMMA - 1);
    const SS_REAL gg1 = (SS_REAL)(SS_EULER_GAMMA * (SS_EULER_GAMMA - 1));
    SS_REAL slope_l = p1 - p0, slope = p2 - p1, slope_r = p3 - p2, left = half, right = half;
    if (limiter == SS_LIMITER_MINMOD) {
        SS_REAL scale = half * SS_INVERSE(slope);
        left = SS_TRUST(slope_l * scale);
        right = SS_TRUST(slope_r * scale);
    } else if (limiter == SS_LIMITER_PRINTED) {
        left = SS_TRUST(slope * (half * SS_INVERSE(slope_l)));
        right = SS_TRUST(slope * (half * SS_INVERSE(slope_r)));
    }
    /* The two states at the face. */
    SS_REAL dr = r2 - r1, dm = m2 - m1, de = e2 - e1;
    SS_REAL rl = r1 + left * dr, ml = m1 + left * dm, el = e1 + left * de;
    SS_REAL rr = r2 - right * dr, mr = m2 - right * dm, er = e2 - right * de;
    SS_REAL inverse = SS_INVERSE(rl * rr), il = inverse * rr, ir = inverse * rl; /* 1/rl, 1/rr */
    SS_REAL ul = ml * il, ur = mr * ir, tl = ml * ul, tr = mr * ur;
    SS_REAL pl = g1 * SS_LESS_HALF(el, tl), pr = g1 * SS_LESS_HALF(er, tr);
    /* The fastest wave speed |u| + c of the Roe average, with weights 1 and w. */
    SS_REAL w = SS_SQRT(rr * il), sum = SS_INVERSE(1 + w);
    SS_REAL u = (ul + w * ur) * sum, e = (el * il + w * (er * ir)) * sum;
    SS_REAL speed = SS_SQRT(gg1 * SS_LESS_HALF(e, u * u)) + SS_MAGNITUDE(u);
    *fr = ml + mr + speed * (rl - rr);
    *fm = tl + pl + (tr + pr) + speed * (ml - mr);
    *fe = ul * (el + pl) + ur * (er + pr) + speed * (el - er);
}

#ifdef SS_STRIP
/*
 * Points [lo, hi) of the next level, on the CPU (strips.h). Per chunk:
 * first the pressures of its cells and of two more on each side, then the fluxes of its faces, then
 * the cells.
 */
#ifndef SS_EULER_CHUNK
#define SS_EULER_CHUNK 256
#endif

static inline __attribute__((always_inline)) void
SS_NAME(euler1d_fluxes)(int limiter, const SS_REAL *restrict r, const SS_REAL *restrict m,
                        const SS_REAL *restrict e, const SS_REAL *restrict p, int faces,
                        SS_REAL *restrict fr, SS_REAL *restrict fm, SS_REAL *restrict fe)
{
    for (int i = 0; i < faces; i++) /* between cells i - 1 and i of the chunk */
        SS_NAME(euler1d_flux)
    (limiter, p[i], p[i + 1], p[i + 2], p[i + 3], r[i - 1], m[i - 1], e[i - 1], r[i], m[i], e[i],
     fr + i, fm + i, fe + i);
}

static void SS_NAME(euler1d_chunk)(int limiter, SS_REAL h, int stage, const SS_REAL *restrict in,
                                   ptrdiff_t in_field, SS_REAL *restrict out, ptrdiff_t out_field,
                                   int n)
{
    SS_REAL p[SS_EULER_CHUNK + 4], f[3][SS_EULER_CHUNK + 1];
    const SS_REAL *r = in, *m = in + in_field, *e = in + 2 * in_field;
    for (int i = 0; i < n + 4; i++)
        p[i] = SS_NAME(euler1d_pressure)(r[i - 2], m[i - 2], e[i - 2]);
    if (limiter == SS_LIMITER_MINMOD)
        SS_NAME(euler1d_fluxes)(SS_LIMITER_MINMOD, r, m, e, p, n + 1, f[0], f[1], f[2]);
    else if (limiter == SS_LIMITER_PRINTED)
        SS_NAME(euler1d_fluxes)(SS_LIMITER_PRINTED, r, m, e, p, n + 1, f[0], f[1], f[2]);
    else
        SS_NAME(euler1d_fluxes)(SS_LIMITER_NONE, r, m, e, p, n + 1, f[0], f[1], f[2]);
    for (int k = 0; k < 3; k++) {
        const SS_REAL *base = stage == 0 ? in + k * in_field : out + k * out_field;
        SS_REAL *to = out + k * out_field;
        for (int i = 0; i < n; i++)
            to[i] = base[i] - h * (f[k][i + 1] - f[k][i]);
    }
}

static void SS_NAME(euler1d_strip)(const ss_coef *coef, int stage, const ss_strip *s,
                                   const SS_REAL *restrict in, SS_REAL *restrict out)
{
    const SS_REAL h = (SS_REAL)coef->c[stage];
    const int limiter = (int)coef->c[2];
    for (int i = s->lo; i < s->hi; i += SS_EULER_CHUNK)
        SS_NAME(euler1d_chunk)
    (limiter, h, stage, in + i, s->in_field, out + i, s->out_field,
     s->hi - i < SS_EULER_CHUNK ? s->hi - i : SS_EULER_CHUNK);
}
#endif
