/*
 * The point update of the heat equation in 1D. Included once per arithmetic type, hence no include
 * guard: SS_REAL is float or double, SS_NAME(x) the name of the emitted function, and SS_STRIP asks
 * for the loop as well. Valid as C11 and CUDA C++17; called by every schedule of every backend.
 * Source: Magee & Niemeyer, equation B.3, with the correct sign.
 *
 *     T' = Fo (T_w + T_e) + (1 - 2 Fo) T        fo = Fo, rest = 1 - 2 Fo
 */
SS_INLINE SS_REAL SS_NAME(heat1d)(SS_REAL fo, SS_REAL rest, SS_REAL w, SS_REAL u, SS_REAL e)
{
    return fo * (w + e) + rest * u;
}

#ifdef SS_STRIP
/*
 * Points [lo, hi) of the next level, on the CPU (strips.h). The loads are
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
#endif
