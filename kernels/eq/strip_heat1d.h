/*
 * Points [lo, hi) of the heat equation's next level: see strips.h. No include guard. The loads are
 * the limit of a level that lies in a cache: an unaligned vector straddles two cache lines and
 * costs two loads. A vector is therefore loaded one iteration early, and the east neighbours are a
 * shuffle of two registers; the west neighbours are an unaligned load, since a second shuffle costs
 * more. A long range is first computed point by point up to a cache line, for aligned stores.
 */
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
    vec at = i + LANES <= s->hi ? LOAD(in + i) : SPLAT(fo);
    for (; i + LANES <= s->hi; i += LANES) {
        /* After the last whole vector only one more point may be read. */
        vec next = i + 2 * LANES <= s->hi ? LOAD(in + i + LANES) : SPLAT(in[i + LANES]);
        STORE(out + i,
              SS_POINTS(heat1d)(SPLAT(fo), SPLAT(rest), LOAD(in + i - 1), at, EAST(at, next)));
        at = next;
    }
    for (; i < s->hi; i++)
        out[i] = SS_NAME(heat1d)(fo, rest, in[i - 1], in[i], in[i + 1]);
}
