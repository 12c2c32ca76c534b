/*
 * Poisson's equation in 3D on patches of cells: the point update of Jacobi's method. Included once
 * per arithmetic type, hence no include guard around that part: SS_REAL is float or double (CPU:
 * also a vector of them), SS_NAME(x) the name of the emitted function. Valid as C11 and CUDA C++17.
 *
 *     u' = u + r / 6,   r = h^2 f - (6 u - sum of the six neighbours)
 *
 * To round-off this is the block method with blocks of one cell and omega 1; sixth is 1/6, the
 * inverse of such a block.
 */
#ifdef SS_REAL
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
