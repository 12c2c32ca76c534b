/*
 * Sine transforms along the lines of a block, for all blocks of a panel at once. The values of a
 * cell, one per block, are SS_ALIGN contiguous bytes: a few vectors. Compiled by each.h for each
 * precision and instruction set, hence no include guard. No sum depends on the number of blocks or
 * on the vector width, so that all variants are bit-for-bit equal.
 */
#define vec SS_NAME(vec)
#define transform_lines SS_NAME(transform_lines)
#define solve_lines SS_NAME(solve_lines)
#define transform_fn SS_NAME(transform_fn)
#define solve_fn SS_NAME(solve_fn)
#define transforms SS_NAME(transforms)
#define solves SS_NAME(solves)
#define solve_block SS_NAME(solve_block)
#define VECTORS ((ptrdiff_t)(SS_ALIGN / SS_BYTES)) /* per cell */

typedef SS_REAL vec __attribute__((vector_size(SS_BYTES), may_alias));

#define SS_CELL vec
#include "kernels/block/line.h"
#undef SS_CELL
#define transform SS_NAME(transform)

/* Transforms `lines` lines of n cells. Distances in vectors: `step` between the first cells of two
 * lines, `stride` between the cells of a line. out may equal in. */
inlined void transform_lines(int n, const SS_REAL *s, const vec *in, vec *out, int lines,
                             ptrdiff_t step, ptrdiff_t stride)
{
    for (int l = 0; l < lines; l++, in += step, out += step) {
        vec modes[SS_BLOCK_MOST];
        transform(n, s, in, stride, modes);
        UNROLLED
        for (int k = 0; k < n; k++)
            out[k * stride] = modes[k];
    }
}

/* Transform, division by the eigenvalues, inverse transform, in place. `reciprocal` holds the
 * reciprocal eigenvalues of a line's modes contiguously, line after line. */
inlined void solve_lines(int n, const SS_REAL *s, const SS_REAL *reciprocal, vec *u, int lines,
                         ptrdiff_t step, ptrdiff_t stride)
{
    for (int l = 0; l < lines; l++, u += step) {
        vec modes[SS_BLOCK_MOST], cells[SS_BLOCK_MOST];
        transform(n, s, u, stride, modes);
        UNROLLED
        for (int k = 0; k < n; k++)
            modes[k] *= reciprocal[l * n + k];
        transform(n, s, modes, 1, cells);
        UNROLLED
        for (int k = 0; k < n; k++)
            u[k * stride] = cells[k];
    }
}

typedef void transform_fn(int n, const SS_REAL *s, const vec *in, vec *out, int lines,
                          ptrdiff_t step, ptrdiff_t stride);
typedef void solve_fn(int n, const SS_REAL *s, const SS_REAL *reciprocal, vec *u, int lines,
                      ptrdiff_t step, ptrdiff_t stride);

/* Both functions for lines of `size` cells, a constant so that the compiler unrolls the loops. */
#define SIZED(name, n) SS_NAME(name##_##n)
#define DEFINE(id, size)                                                                           \
    static void SIZED(transform_size, id)(int n, const SS_REAL *s, const vec *in, vec *out,        \
                                          int lines, ptrdiff_t step, ptrdiff_t stride)             \
    {                                                                                              \
        (void)n;                                                                                   \
        transform_lines(size, s, in, out, lines, step, stride);                                    \
    }                                                                                              \
    static void SIZED(solve_size, id)(int n, const SS_REAL *s, const SS_REAL *reciprocal, vec *u,  \
                                      int lines, ptrdiff_t step, ptrdiff_t stride)                 \
    {                                                                                              \
        (void)n;                                                                                   \
        solve_lines(size, s, reciprocal, u, lines, step, stride);                                  \
    }

DEFINE(any, n)
DEFINE(1, 1)
DEFINE(2, 2)
DEFINE(3, 3)
DEFINE(4, 4)
DEFINE(5, 5)
DEFINE(6, 6)
DEFINE(7, 7)
DEFINE(8, 8)

#define SIZES(name)                                                                                \
    {                                                                                              \
        SIZED(name, any), SIZED(name, 1), SIZED(name, 2), SIZED(name, 3), SIZED(name, 4),          \
            SIZED(name, 5), SIZED(name, 6), SIZED(name, 7), SIZED(name, 8)                         \
    }
static transform_fn *const transforms[FIXED + 1] = SIZES(transform_size);
static solve_fn *const solves[FIXED + 1] = SIZES(solve_size);

/* Solves for one vector of every cell. The transforms along y and x go plane by plane, so that the
 * plane is still in the cache. z comes first and last because on a GPU a thread loads and stores a
 * line along z through its registers. */
static void solve_block(const int n[3], const SS_REAL *table, const vec *rhs, vec *u)
{
    const SS_REAL *sx = table, *sy = sx + sines(n[0]), *sz = sy + sines(n[1]);
    const SS_REAL *reciprocal = sz + sines(n[2]);
    solve_fn *along_x = solves[n[0] <= FIXED ? n[0] : 0];
    transform_fn *along_y = transforms[n[1] <= FIXED ? n[1] : 0];
    transform_fn *along_z = transforms[n[2] <= FIXED ? n[2] : 0];
    ptrdiff_t one = VECTORS, row = one * n[0], plane = row * n[1];
    along_z(n[2], sz, rhs, u, n[0] * n[1], one, plane);
    for (int k = 0; k < n[2]; k++, reciprocal += n[0] * n[1]) {
        vec *here = u + k * plane;
        along_y(n[1], sy, here, here, n[0], one, row);
        along_x(n[0], sx, reciprocal, here, n[1], row, one);
        along_y(n[1], sy, here, here, n[0], one, row);
    }
    along_z(n[2], sz, u, u, n[0] * n[1], one, plane);
}

/* Solves for all vectors of a panel. */
static void SS_NAME(solve)(const int n[3], const void *table, const void *rhs, void *u)
{
    for (ptrdiff_t v = 0; v < VECTORS; v++)
        solve_block(n, table, (const vec *)rhs + v, (vec *)u + v);
}
