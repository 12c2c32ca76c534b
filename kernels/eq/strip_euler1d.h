/*
 * Points [lo, hi) of the Euler equations' next level: see strips.h. No include guard. Per chunk:
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
