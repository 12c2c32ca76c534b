/*
 * Poisson's equation in 3D on patches of cells: the residual of a cell, for every smoother of every
 * backend, and the point update of Jacobi's method. Included once per arithmetic type, hence no
 * include guard around that part: SS_REAL is float or double, SS_NAME(x) the name of the emitted
 * function. Valid as C11 and CUDA C++17.
 *
 *     r = h^2 f - (6 u - u_w - u_e - u_s - u_n - u_b - u_t)
 *     u' = u + r / 6
 *
 * The residual is over all neighbours, including those in other blocks; algorithm 1 of the paper on
 * block-relaxation smoothers shows only the part inside the block. The argument f is h^2 f. The
 * parentheses fix the order of operations. To round-off u' is the block method with blocks of one
 * cell and omega 1; sixth is 1/6, the inverse of such a block.
 */
#ifdef SS_REAL
SS_INLINE SS_REAL SS_NAME(residual)(SS_REAL f, SS_REAL u, SS_REAL w, SS_REAL e, SS_REAL s,
                                    SS_REAL n, SS_REAL b, SS_REAL t)
{
    return f - (6 * u - ((w + e) + ((s + n) + (b + t))));
}

SS_INLINE SS_REAL SS_NAME(poisson3d)(SS_REAL u, SS_REAL r, SS_REAL sixth)
{
    return u + r * sixth;
}
#endif

#ifndef SS_EQ_POISSON3D_H
#define SS_EQ_POISSON3D_H

struct ss_config;
struct ss_err;

/* The cells per direction of the smallest patch, the largest size of a block; *what: the same in
 * words. Pure. */
int ss_poisson3d_smallest(const struct ss_config *cfg, const char **what);
/* Makes every patch half as large in each direction, with cells twice as long. Fails, with the
 * nearest sizes, if a patch has an odd number of cells. Pure. */
int ss_poisson3d_halve(struct ss_config *cfg, struct ss_err *err);

#endif
