/*
 * The point update of the heat equation in 1D. Included once per arithmetic type, hence no include
 * guard: SS_REAL is float or double, SS_NAME(x) the name of the emitted function. Valid as C11 and
 * CUDA C++17; called by every schedule of every backend.
 * Source: Magee & Niemeyer, equation B.3, with the correct sign.
 *
 *     T' = Fo (T_w + T_e) + (1 - 2 Fo) T        fo = Fo, rest = 1 - 2 Fo
 */
SS_INLINE SS_REAL SS_NAME(heat1d)(SS_REAL fo, SS_REAL rest, SS_REAL w, SS_REAL u, SS_REAL e)
{
    return fo * (w + e) + rest * u;
}
