/*
 * The pieces of a step of the Euler equations in 1D, written once. Included once for every type
 * that computes: SS_REAL is float or double, SS_NAME(x) names what is emitted, SS_SQRT(x) is its
 * square root. Hence no include guard. Valid as C11 and CUDA C++17; called by every schedule of
 * every backend. Branches are conditional expressions, so that compilers can use vectors.
 * Source: Magee & Niemeyer, appendix D, as corrected in the numerics notes.
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
    return (SS_REAL)(SS_EULER_GAMMA - 1) * (e - (SS_REAL)0.5 * m * m * SS_INVERSE(r));
}

/* How much of the slope across a face is believed: min(ratio, 1), and nothing of it where the ratio
 * is not positive and finite. */
SS_INLINE SS_REAL SS_NAME(euler1d_trust)(SS_REAL ratio)
{
    SS_REAL most = ratio < 1 ? ratio : (SS_REAL)1;
    SS_REAL finite = ratio - ratio == 0 ? most : (SS_REAL)0;
    return ratio > 0 ? finite : (SS_REAL)0;
}

/* The flux through the face between cells 1 and 2 from their Q and from the pressures of cells
 * 0 .. 3. limiter is a constant. Local Lax-Friedrichs with Roe's averages: equations D.6 to D.11.
 */
SS_INLINE void SS_NAME(euler1d_flux)(int limiter, SS_REAL p0, SS_REAL p1, SS_REAL p2, SS_REAL p3,
                                     SS_REAL r1, SS_REAL m1, SS_REAL e1, SS_REAL r2, SS_REAL m2,
                                     SS_REAL e2, SS_REAL *fr, SS_REAL *fm, SS_REAL *fe)
{
    const SS_REAL half = (SS_REAL)0.5, g1 = (SS_REAL)(SS_EULER_GAMMA - 1);
    const SS_REAL gg1 = (SS_REAL)(SS_EULER_GAMMA * (SS_EULER_GAMMA - 1));
    SS_REAL before = p1 - p0, across = p2 - p1, behind = p3 - p2, left = 1, right = 1;
    if (limiter == SS_LIMITER_MINMOD) {
        SS_REAL per = SS_INVERSE(across);
        left = SS_NAME(euler1d_trust)(before * per);
        right = SS_NAME(euler1d_trust)(behind * per);
    } else if (limiter == SS_LIMITER_PRINTED) {
        left = SS_NAME(euler1d_trust)(across * SS_INVERSE(before));
        right = SS_NAME(euler1d_trust)(across * SS_INVERSE(behind));
    }
    /* The two states at the face. */
    left *= half;
    right *= half;
    SS_REAL dr = r2 - r1, dm = m2 - m1, de = e2 - e1;
    SS_REAL rl = r1 + left * dr, ml = m1 + left * dm, el = e1 + left * de;
    SS_REAL rr = r2 - right * dr, mr = m2 - right * dm, er = e2 - right * de;
    SS_REAL both = SS_INVERSE(rl * rr), il = both * rr, ir = both * rl;
    SS_REAL ul = ml * il, ur = mr * ir;
    SS_REAL pl = g1 * (el - half * ml * ul), pr = g1 * (er - half * mr * ur);
    /* The fastest wave between them, from averages weighted by the roots of the densities. */
    SS_REAL wl = SS_SQRT(rl), wr = SS_SQRT(rr), sum = SS_INVERSE(wl + wr);
    SS_REAL u = (wl * ul + wr * ur) * sum, e = (wl * (el * il) + wr * (er * ir)) * sum;
    SS_REAL speed = SS_SQRT(gg1 * (e - half * u * u)) + (u < 0 ? -u : u);
    *fr = half * (ml + mr + speed * (rl - rr));
    *fm = half * (ml * ul + pl + (mr * ur + pr) + speed * (ml - mr));
    *fe = half * (ul * (el + pl) + ur * (er + pr) + speed * (el - er));
}
