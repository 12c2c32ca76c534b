/* Points [lo, hi) of the heat equation's next level: see strips.h. No include guard. A long range
 * is first computed point by point up to a cache line: unaligned vector stores, which straddle two
 * lines, cost 10 % of the speed. */
#ifndef SS_HEAT_LONG
#define SS_HEAT_LONG 128 /* points */
#endif

static void SS_NAME(heat1d_strip)(const ss_coef *coef, int stage, const ss_strip *s,
                                  const SS_REAL *restrict in, SS_REAL *restrict out)
{
    const SS_REAL fo = (SS_REAL)coef->c[0], rest = (SS_REAL)coef->c[1];
    const bool align = s->hi - s->lo >= SS_HEAT_LONG;
    int i = s->lo;
    (void)stage;
    for (; align && i < s->hi && (uintptr_t)(out + i) % SS_ALIGN != 0; i++)
        out[i] = SS_NAME(heat1d)(fo, rest, in[i - 1], in[i], in[i + 1]);
    for (; i < s->hi; i++)
        out[i] = SS_NAME(heat1d)(fo, rest, in[i - 1], in[i], in[i + 1]);
}
