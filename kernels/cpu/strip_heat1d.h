/* Points [lo, hi) of the heat equation's next level: see strips.h. No include guard. */
static void SS_NAME(heat1d_strip)(const ss_coef *coef, int stage, const ss_strip *s,
                                  const SS_REAL *restrict in, SS_REAL *restrict out)
{
    const SS_REAL fo = (SS_REAL)coef->c[0], rest = (SS_REAL)coef->c[1];
    (void)stage;
    for (int i = s->lo; i < s->hi; i++)
        out[i] = SS_NAME(heat1d)(fo, rest, in[i - 1], in[i], in[i + 1]);
}
