/* Points [lo, hi) of the Kuramoto-Sivashinsky equation's next level: see strips.h. No include
 * guard. */
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
