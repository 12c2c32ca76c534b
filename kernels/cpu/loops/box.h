/*
 * The sweep over a box of points, for one precision (SS_PREC: f64, f32) and one instruction set
 * (SS_ISA, with vectors of SS_BYTES): apply.h compiles it for each (each.h), hence no include
 * guard. Vectors of points and the remaining single points at the end of a row use the same
 * expression, so that the vector width does not change the values.
 *
 * Several rows are updated at once: a row is its neighbours' north or south row and is loaded once.
 * The next vector of a row is loaded one iteration early: the east neighbours are then a shuffle of
 * two registers and not an unaligned load that straddles two cache lines. AVX2 needs two
 * instructions for that shuffle, both on the ports of the additions; there, and with two registers
 * per vector, the load takes less.
 *
 * Rows and the vectors of a row are in ascending order, and no pointer is `restrict`: the tiles of
 * kernels/cpu/shared.c overwrite their own input.
 */

#if !SS_ISA_CLONES
/* One instruction set only, as in WebAssembly: a vector is two registers of 16 bytes, so that there
 * is half the arithmetic on addresses. */
#undef SS_BYTES
#define SS_BYTES 32
#endif

/* Everything below exists once per inclusion: ID appends the equation, the instruction set and the
 * precision to a name. A macro may be defined again with the same text. */
#define ID(x) SS_JOIN(SS_JOIN(SS_JOIN(SS_EQ, x), SS_ISA), SS_PREC)
#define POINT SS_JOIN(SS_EQ, SS_PREC)                   /* the update of one point */
#define POINTS SS_JOIN(SS_JOIN(SS_EQ, SS_ISA), SS_PREC) /* the update of a vector of points */
#define scalar ID(scalar)                               /* the type of a point */
#define update_rows ID(update_rows)
/* Rows at once: 16 registers hold four of AVX2. In WebAssembly one is as fast, and its loop is
 * smaller. */
#define ROWS_MOST (!SS_ISA_CLONES ? 1 : SS_BYTES > 16 ? 4 : 2)
#define EAST_IS_SHUFFLED (SS_BYTES != 32)
#define update_plane ID(update_plane)
#define add_squares ID(add_squares)
#define sum_rows ID(sum_rows)
#define sum_plane ID(sum_plane)
#define is_aligned ID(is_aligned)
typedef SS_REAL scalar;
#include "kernels/cpu/loops/vectors.h"

#define inlined static inline __attribute__((always_inline))
/* Defines c0 to c3; an update may use any of them. UNIT, a constant: c[1] is 1, so that the
 * compiler leaves out the product with it, which changes no bit. */
#define COEFFICIENTS(TYPE, MAKE, UNIT)                                                             \
    const TYPE c0 = MAKE((scalar)coef->c[0]),                                                      \
               c1 = (UNIT) ? MAKE((scalar)1) : MAKE((scalar)coef->c[1]);                           \
    const TYPE c2 = MAKE((scalar)coef->c[2]), c3 = MAKE((scalar)coef->c[3]);                       \
    (void)c0, (void)c1, (void)c2, (void)c3
#define STREAM(p, v) SS_JOIN(SS_JOIN(ss_stream, SS_ISA), SS_PREC)(p, v)

#ifdef SS_EQ_HEADER
#undef SS_REAL
#define SS_REAL vec
#include SS_EQ_HEADER
#endif

/* Updates nx points of ROWS rows, a constant. diff, if not NULL, receives their changes; those of
 * row r begin at diff[r * SS_SUM_CHUNK]. */
inlined void update_rows(const int ROWS, const ss_coef *coef, const scalar *in, const scalar *g,
                         scalar *out, const ss_sweep *box, int nx, bool stream, bool unit,
                         scalar *diff)
{
    const ptrdiff_t sy = box->in_sy, gy = box->rhs_sy, oy = box->out_sy;
    int i = 0;
    {
        COEFFICIENTS(vec, SPLAT, unit);
        vec at[ROWS_MOST], next[ROWS_MOST];
        for (int r = 0; r < ROWS; r++)
            at[r] = i + LANES <= nx ? LOAD(in + r * sy) : c0;
        for (; i + LANES <= nx; i += LANES) {
            /* After the last whole vector only one more point may be read. */
            bool more = i + 2 * LANES <= nx;
            for (int r = 0; r < ROWS; r++)
                next[r] = more ? LOAD(in + r * sy + i + LANES) : SPLAT(in[r * sy + i + LANES]);
            for (int r = 0; r < ROWS; r++) {
                vec south = r > 0 ? at[(r + ROWS - 1) % ROWS] : LOAD(in - sy + i);
                vec north = r < ROWS - 1 ? at[(r + 1) % ROWS] : LOAD(in + ROWS * sy + i);
                vec east = EAST_IS_SHUFFLED ? EAST(at[r], next[r]) : LOAD(in + r * sy + i + 1);
                vec u = SS_UPDATE(POINTS, LOAD(g + r * gy + i), LOAD(in + r * sy + i - 1), east,
                                  south, north);
                (void)south, (void)north; /* a line has none */
                if (diff)
                    STORE(diff + r * SS_SUM_CHUNK + i, u - at[r]);
                if (stream)
                    STREAM(out + r * oy + i, u);
                else
                    STORE(out + r * oy + i, u);
            }
            for (int r = 0; r < ROWS; r++)
                at[r] = next[r];
        }
    }
    COEFFICIENTS(scalar, , unit);
    for (; i < nx; i++)
        for (int r = 0; r < ROWS; r++) {
            const scalar *p = in + r * sy + i;
            scalar u = SS_UPDATE(POINT, g[r * gy + i], p[-1], p[1], p[-sy], p[sy]);
            if (diff)
                diff[r * SS_SUM_CHUNK + i] = u - *p;
            out[r * oy + i] = u;
        }
}

/* ROWS(n) for all rows from j to ny, n rows at a time. */
#define EACH_ROWS(j, ny)                                                                           \
    for (; j + ROWS_MOST <= ny; j += ROWS_MOST)                                                    \
        ROWS(ROWS_MOST);                                                                           \
    for (; ROWS_MOST > 2 && j + 2 <= ny; j += 2)                                                   \
        ROWS(2);                                                                                   \
    if (j < ny)                                                                                    \
    ROWS(1)

inlined void update_plane(const ss_coef *coef, const scalar *in, const scalar *g, scalar *out,
                          const ss_sweep *box, bool stream, bool unit)
{
#define ROWS(n)                                                                                    \
    update_rows(n, coef, in + j * box->in_sy, g + j * box->rhs_sy, out + j * box->out_sy, box,     \
                box->nx, stream, unit, NULL)
    int j = 0;
    EACH_ROWS(j, box->ny);
#undef ROWS
}

/* lane[i % SS_SUM_LANES] += d[i]^2, in double, with the lanes in registers. All calls for a row but
 * the last have n = SS_SUM_CHUNK, a multiple of SS_SUM_LANES. */
inlined void add_squares(ss_lanes *l, const scalar *d, int n)
{
    enum { DOUBLES = SS_BYTES / sizeof(double), VECTORS = SS_SUM_LANES / DOUBLES };
    typedef double wide __attribute__((vector_size(SS_BYTES)));
    typedef double unaligned_wide __attribute__((vector_size(SS_BYTES), aligned(8), may_alias));
    typedef scalar narrow
        __attribute__((vector_size(DOUBLES * sizeof(scalar)), aligned(sizeof(scalar)), may_alias));
    wide sum[VECTORS];
    int i = 0;
    for (int v = 0; v < VECTORS; v++)
        sum[v] = (wide) * (const unaligned_wide *)(l->lane + v * DOUBLES);
    for (; i + SS_SUM_LANES <= n; i += SS_SUM_LANES)
        for (int v = 0; v < VECTORS; v++) {
            wide x = __builtin_convertvector(*(const narrow *)(d + i + v * DOUBLES), wide);
            sum[v] += x * x;
        }
    for (int v = 0; v < VECTORS; v++)
        *(unaligned_wide *)(l->lane + v * DOUBLES) = (unaligned_wide)sum[v];
    for (int k = 0; i + k < n; k++)
        l->lane[k] += (double)d[i + k] * (double)d[i + k];
}

/* Updates ROWS rows chunk by chunk; adds the sum of the squared changes of row r to sum[r]. */
inlined void sum_rows(const int ROWS, const ss_coef *coef, const scalar *in, const scalar *g,
                      scalar *out, const ss_sweep *box, double *sum, bool stream, bool unit)
{
    scalar diff[ROWS_MOST * SS_SUM_CHUNK];
    ss_lanes lanes[ROWS_MOST] = {0};
    for (int i = 0; i < box->nx; i += SS_SUM_CHUNK) {
        int n = box->nx - i < SS_SUM_CHUNK ? box->nx - i : SS_SUM_CHUNK;
        update_rows(ROWS, coef, in + i, g + i, out + i, box, n, stream, unit, diff);
        for (int r = 0; r < ROWS; r++)
            add_squares(&lanes[r], diff + r * SS_SUM_CHUNK, n);
    }
    for (int r = 0; r < ROWS; r++)
        sum[r] += ss_lanes_sum(&lanes[r]);
}

inlined void sum_plane(const ss_coef *coef, const scalar *in, const scalar *g, scalar *out,
                       const ss_sweep *box, double *sum, bool stream, bool unit)
{
#define ROWS(n)                                                                                    \
    sum_rows(n, coef, in + j * box->in_sy, g + j * box->rhs_sy, out + j * box->out_sy, box,        \
             sum + j, stream, unit)
    int j = 0;
    EACH_ROWS(j, box->ny);
#undef ROWS
}

/* Non-temporal stores need aligned vectors. */
inlined bool is_aligned(const scalar *out, const ss_sweep *box)
{
    return (uintptr_t)out % SS_BYTES == 0 && box->out_sy % LANES == 0 && box->out_sz % LANES == 0;
}

/* An ss_apply_fn. */
static void ID(box)(const ss_coef *coef, int stage, const void *in0, const void *rhs0, void *out0,
                    const ss_sweep *box)
{
    (void)stage;
    bool stream = SS_ISA_CLONES && box->stream && is_aligned(out0, box);
    for (int k = 0; k < box->nz; k++) {
        const scalar *in = (const scalar *)in0 + k * box->in_sz;
        const scalar *g = (const scalar *)rhs0 + k * box->rhs_sz;
        scalar *out = (scalar *)out0 + k * box->out_sz;
        double *sum = box->sum ? box->sum + (ptrdiff_t)k * box->ny : NULL;
        bool unit = SS_BYTES > 16 && !stream && coef->c[1] == 1; /* from memory it gains nothing */
#define PLANE(stream, unit)                                                                        \
    (sum ? sum_plane(coef, in, g, out, box, sum, stream, unit)                                     \
         : update_plane(coef, in, g, out, box, stream, unit))
        if (stream)
            PLANE(true, false);
        else if (unit)
            PLANE(false, true);
        else
            PLANE(false, false);
#undef PLANE
    }
    if (stream)
        ss_stream_fence();
}
