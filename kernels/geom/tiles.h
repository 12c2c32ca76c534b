/*
 * Lines and planes of points: boundary conditions, the two colours of a checkerboard, and
 * overlapping subdomains: which points each covers and owns. The CPU schedules, the CUDA kernels,
 * the ledger, the sampler and the picture all call these functions. Valid as C11 and CUDA C++17.
 */
#ifndef SS_GEOM_TILES_H
#define SS_GEOM_TILES_H

#include "src/base/common.h"

/* --- boundary conditions at the ends of a line ------------------------------------------------ */

typedef enum ss_bc {
    SS_BC_DIRICHLET, /* zero */
    SS_BC_MIRROR,    /* insulated: point -i is point i */
    SS_BC_PERIODIC,  /* point -i is point n - i */
    SS_BC_FIXED,     /* the end points never change; points outside have the same values */
    SS_BC_GHOST      /* patches: ghost cells, see patches.h */
} ss_bc;

/* The point in 0 .. n-1 that supplies the value of point i, -n < i < 2n - 1. */
SS_INLINE int ss_end_source(ss_bc bc, int n, int i)
{
    if (bc == SS_BC_MIRROR)
        return i < 0 ? -i : i >= n ? 2 * (n - 1) - i : i;
    if (bc == SS_BC_PERIODIC)
        return i < 0 ? i + n : i >= n ? i - n : i;
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/* --- colours ---------------------------------------------------------------------------------- */

/*
 * Each point's neighbours have the other colour, so that an iteration is two halves: half 0 updates
 * the red points, half 1 the black ones. Points (i, j), counted from 0, with i + j even are red; on
 * a line, where rows are copies, odd i.
 */

/* A row begins at point (i, j): does half `half` update that point, 0, or only the next, 1? */
SS_INLINE int ss_colour_first(bool plane, int i, int j, int half)
{
    return (i + (plane ? j : 1) + half) & 1;
}

/* --- overlapping subdomains ------------------------------------------------------------------- */

/*
 * In each direction n interior points (numbered from 0) are divided into subdomains of `block`
 * points that share `overlap` points with each neighbour. All subdomains read the old array and
 * write a new one; subdomain j owns and writes the points from the middle of its left overlap to
 * the middle of its right one.
 * Source: Islam & Wang, hierarchical Jacobi, eqs 8-10 and 15-18, with the ceil that they omit.
 */

/* The division of one direction. */
typedef struct ss_cut {
    int n;       /* interior points */
    int block;   /* points of a subdomain, including its overlaps */
    int overlap; /* points shared by two neighbours: even, 0 <= overlap < block */
    int count;   /* subdomains */
} ss_cut;

/* One subdomain along one direction: covers [lo, hi), writes [wlo, whi). */
typedef struct ss_span {
    int lo, hi, wlo, whi;
} ss_span;

SS_INLINE ss_cut ss_cut_make(int n, int block, int overlap)
{
    ss_cut c = {n, block, overlap, 1};
    if (n > block)
        c.count = (n - overlap + (block - overlap) - 1) / (block - overlap);
    return c;
}

SS_INLINE ss_span ss_cut_span(ss_cut c, int j)
{
    ss_span s;
    s.lo = j * (c.block - c.overlap);
    s.hi = s.lo + c.block < c.n ? s.lo + c.block : c.n;
    s.wlo = j == 0 ? 0 : s.lo + c.overlap / 2;
    s.whi = j == c.count - 1 ? c.n : s.lo + (c.block - c.overlap) + c.overlap / 2;
    return s;
}

/* The block height whose subdomains take the least time if `resident` of them run at once, in waves
 * of equal length, and a subdomain takes as long as it has points: `across` columns of subdomains,
 * n points, that overlap. A last wave that is nearly full takes no longer than a full one. It is
 * more than the overlap, also where one subdomain has all n points. */
SS_INLINE int ss_cut_full_waves(int n, int across, int resident, int overlap)
{
    int best = n > overlap ? n : overlap + 1;
    int64_t least = INT64_MAX;
    for (int up = 1; up == 1 || (n - overlap) / up >= overlap; up++) {
        int block = (n - overlap + up - 1) / up + overlap;
        int64_t tiles = (int64_t)across * ss_cut_make(n, block, overlap).count;
        int64_t time = (tiles + resident - 1) / resident * block;
        if (time < least && block > overlap && block <= n) {
            least = time;
            best = block;
        }
        if (overlap == 0 && up >= n)
            break;
    }
    return best;
}

/* The subdomain that writes point i. */
SS_INLINE int ss_cut_owner(ss_cut c, int i)
{
    int j = (i - c.overlap / 2) / (c.block - c.overlap);
    if (i < c.overlap / 2)
        j = 0;
    return j < c.count ? j : c.count - 1;
}

/* Both directions. In 1D y counts the copies, and each subdomain has one row. */
typedef struct ss_tiling {
    ss_cut x, y;
} ss_tiling;

#endif
