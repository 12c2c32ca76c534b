/*
 * The sweep over a box of points, for one precision (SS_PREC: f64, f32) and one instruction set
 * (SS_ISA, with vectors of SS_BYTES): included by apply.h once for each, hence no include guard.
 * Vectors of points and the remaining single points at the end of a row use the same expression, so
 * that the vector width does not change the values.
 *
 * Rows are updated in pairs: each row of a pair is the other's north or south neighbour and is
 * loaded once. The next vector of a row is loaded one iteration early: the east neighbours are then
 * a shuffle of two registers and not an unaligned load that straddles two cache lines.
 */

/* Everything below exists once per inclusion: ID appends the equation, the instruction set and the
 * precision to a name. */
#define ID(x) SS_JOIN(SS_JOIN(SS_JOIN(SS_EQ, x), SS_ISA), SS_PREC)
#define POINT SS_JOIN(SS_EQ, SS_PREC)                   /* the update of one point */
#define POINTS SS_JOIN(SS_JOIN(SS_EQ, SS_ISA), SS_PREC) /* the update of a vector of points */
#define scalar SS_JOIN(ss, SS_PREC)
#define update_row ID(update_row)
#define update_pair ID(update_pair)
#define update_plane ID(update_plane)
#define add_squares ID(add_squares)
#define sum_row ID(sum_row)
#define sum_pair ID(sum_pair)
#define sum_plane ID(sum_plane)
#define is_aligned ID(is_aligned)
#include "kernels/cpu/loops/vectors.h"

#define inlined static inline __attribute__((always_inline))
/* Defines c0 to c3; an update may use any of them. */
#define COEFFICIENTS(TYPE, MAKE)                                                                   \
    const TYPE c0 = MAKE((scalar)coef->c[0]), c1 = MAKE((scalar)coef->c[1]);                       \
    const TYPE c2 = MAKE((scalar)coef->c[2]), c3 = MAKE((scalar)coef->c[3]);                       \
    (void)c0, (void)c1, (void)c2, (void)c3
#define STREAM(p, v) SS_JOIN(SS_JOIN(ss_stream, SS_ISA), SS_PREC)(p, v)

#define SS_REAL vec
#define SS_NAME(x) SS_JOIN(SS_JOIN(x, SS_ISA), SS_PREC)
#include SS_EQ_HEADER
#undef SS_REAL
#undef SS_NAME

/* Updates one row. diff, if not NULL, receives the changes u' - u. */
inlined void update_row(const ss_coef *coef, const scalar *in, ptrdiff_t sy, const scalar *g,
                        scalar *out, int nx, bool stream, scalar *diff)
{
    const scalar *west = in - 1, *east = in + 1, *south = in - sy, *north = in + sy;
    int i = 0;
    {
        COEFFICIENTS(vec, SPLAT);
        for (; i + LANES <= nx; i += LANES) {
            vec u = SS_UPDATE(POINTS, LOAD(g + i), LOAD(west + i), LOAD(east + i), LOAD(south + i),
                              LOAD(north + i));
            if (diff)
                STORE(diff + i, u - LOAD(in + i));
            if (stream)
                STREAM(out + i, u);
            else
                STORE(out + i, u);
        }
    }
    COEFFICIENTS(scalar, );
    (void)south, (void)north;
    for (; i < nx; i++) {
        scalar u = SS_UPDATE(POINT, g[i], west[i], east[i], south[i], north[i]);
        if (diff)
            diff[i] = u - in[i];
        out[i] = u;
    }
}

/* Updates nx points of two rows. diff, if not NULL, receives their changes; those of the second row
 * begin at diff[SS_SUM_CHUNK]. */
inlined void update_pair(const ss_coef *coef, const scalar *in, const scalar *g, scalar *out,
                         const ss_sweep *box, int nx, bool stream, scalar *diff)
{
    const scalar *a = in, *b = in + box->in_sy, *south = a - box->in_sy, *north = b + box->in_sy;
    const scalar *ga = g, *gb = g + box->rhs_sy;
    scalar *oa = out, *ob = out + box->out_sy;
    int i = 0;
    {
        COEFFICIENTS(vec, SPLAT);
        vec at_a = i + LANES <= nx ? LOAD(a) : c0, at_b = i + LANES <= nx ? LOAD(b) : c0;
        for (; i + LANES <= nx; i += LANES) {
            /* After the last whole vector only one more point may be read. */
            bool more = i + 2 * LANES <= nx;
            vec next_a = more ? LOAD(a + i + LANES) : SPLAT(a[i + LANES]);
            vec next_b = more ? LOAD(b + i + LANES) : SPLAT(b[i + LANES]);
            vec u = SS_UPDATE(POINTS, LOAD(ga + i), LOAD(a + i - 1), EAST(at_a, next_a),
                              LOAD(south + i), at_b);
            vec v = SS_UPDATE(POINTS, LOAD(gb + i), LOAD(b + i - 1), EAST(at_b, next_b), at_a,
                              LOAD(north + i));
            if (diff) {
                STORE(diff + i, u - at_a);
                STORE(diff + SS_SUM_CHUNK + i, v - at_b);
            }
            at_a = next_a;
            at_b = next_b;
            if (stream) {
                STREAM(oa + i, u);
                STREAM(ob + i, v);
            } else {
                STORE(oa + i, u);
                STORE(ob + i, v);
            }
        }
    }
    COEFFICIENTS(scalar, );
    (void)south, (void)north;
    for (; i < nx; i++) {
        scalar u = SS_UPDATE(POINT, ga[i], a[i - 1], a[i + 1], south[i], b[i]);
        scalar v = SS_UPDATE(POINT, gb[i], b[i - 1], b[i + 1], a[i], north[i]);
        if (diff) {
            diff[i] = u - a[i];
            diff[SS_SUM_CHUNK + i] = v - b[i];
        }
        oa[i] = u;
        ob[i] = v;
    }
}

inlined void update_plane(const ss_coef *coef, const scalar *in, const scalar *g, scalar *out,
                          const ss_sweep *box, bool stream)
{
    int j = 0;
    for (; j + 2 <= box->ny; j += 2)
        update_pair(coef, in + j * box->in_sy, g + j * box->rhs_sy, out + j * box->out_sy, box,
                    box->nx, stream, NULL);
    if (j < box->ny)
        update_row(coef, in + j * box->in_sy, box->in_sy, g + j * box->rhs_sy,
                   out + j * box->out_sy, box->nx, stream, NULL);
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

/* Updates a row chunk by chunk; returns the sum of its squared changes. */
inlined double sum_row(const ss_coef *coef, const scalar *in, ptrdiff_t sy, const scalar *g,
                       scalar *out, int nx, bool stream)
{
    scalar diff[SS_SUM_CHUNK];
    ss_lanes lanes = {{0}};
    for (int i = 0; i < nx; i += SS_SUM_CHUNK) {
        int n = nx - i < SS_SUM_CHUNK ? nx - i : SS_SUM_CHUNK;
        update_row(coef, in + i, sy, g + i, out + i, n, stream, diff);
        add_squares(&lanes, diff, n);
    }
    return ss_lanes_sum(&lanes);
}

/* Updates two rows; adds their sums of squared changes to sum[0] and sum[1]. */
inlined void sum_pair(const ss_coef *coef, const scalar *in, const scalar *g, scalar *out,
                      const ss_sweep *box, double *sum, bool stream)
{
    scalar diff[2 * SS_SUM_CHUNK];
    ss_lanes a = {{0}}, b = {{0}};
    for (int i = 0; i < box->nx; i += SS_SUM_CHUNK) {
        int n = box->nx - i < SS_SUM_CHUNK ? box->nx - i : SS_SUM_CHUNK;
        update_pair(coef, in + i, g + i, out + i, box, n, stream, diff);
        add_squares(&a, diff, n);
        add_squares(&b, diff + SS_SUM_CHUNK, n);
    }
    sum[0] += ss_lanes_sum(&a);
    sum[1] += ss_lanes_sum(&b);
}

inlined void sum_plane(const ss_coef *coef, const scalar *in, const scalar *g, scalar *out,
                       const ss_sweep *box, double *sum, bool stream)
{
    int j = 0;
    for (; j + 2 <= box->ny; j += 2)
        sum_pair(coef, in + j * box->in_sy, g + j * box->rhs_sy, out + j * box->out_sy, box,
                 sum + j, stream);
    if (j < box->ny)
        sum[j] += sum_row(coef, in + j * box->in_sy, box->in_sy, g + j * box->rhs_sy,
                          out + j * box->out_sy, box->nx, stream);
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
    bool stream = box->stream && is_aligned(out0, box);
    for (int k = 0; k < box->nz; k++) {
        const scalar *in = (const scalar *)in0 + k * box->in_sz;
        const scalar *g = (const scalar *)rhs0 + k * box->rhs_sz;
        scalar *out = (scalar *)out0 + k * box->out_sz;
        double *sum = box->sum ? box->sum + (ptrdiff_t)k * box->ny : NULL;
        if (sum && stream)
            sum_plane(coef, in, g, out, box, sum, true);
        else if (sum)
            sum_plane(coef, in, g, out, box, sum, false);
        else if (stream)
            update_plane(coef, in, g, out, box, true);
        else
            update_plane(coef, in, g, out, box, false);
    }
    if (stream)
        ss_stream_fence();
}

#undef ID
#undef POINT
#undef POINTS
#undef scalar
#undef update_row
#undef update_pair
#undef update_plane
#undef add_squares
#undef sum_row
#undef sum_pair
#undef sum_plane
#undef is_aligned
#undef inlined
#undef COEFFICIENTS
#undef STREAM
#include "kernels/cpu/loops/vectors_end.h"
