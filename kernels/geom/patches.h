/*
 * Patches: boxes of cells that form the domain of a 3D problem, each with its own layer of ghost
 * cells. Either px * py * pz equal patches, coupled by a halo exchange at the end of a step, or
 * independent patches of different sizes, which pictures show next to each other along x. Used by
 * all backends and by pictures; valid as C11 and CUDA C++17. Source: the paper on block-relaxation
 * smoothers for structured patches, section 2.
 *
 * The window is the box that contains all patches. Cells of a patch and of the window are numbered
 * from 0 with x fastest; a cell of the window outside all patches has no value.
 */
#ifndef SS_GEOM_PATCHES_H
#define SS_GEOM_PATCHES_H

#include "src/base/common.h"

#define SS_WALL_SIDE (-1) /* the side is a wall */

typedef struct ss_patch {
    ss_box box;  /* layout in the array of all patches: box.first is an index of that array */
    int at[3];   /* the window's coordinates of the first cell */
    int side[6]; /* the neighbour at side 2d (lower end of direction d) and 2d + 1, or a wall */
} ss_patch;

SS_INLINE ss_patch ss_patch_make(int nx, int ny, int nz, int x, int y, int z)
{
    ss_patch p;
    p.box.nx = nx, p.box.ny = ny, p.box.nz = nz;
    p.box.hx = p.box.hy = p.box.hz = 1;
    p.box.sy = p.box.sz = 0;
    p.box.first = p.box.count = 0;
    p.at[0] = x, p.at[1] = y, p.at[2] = z;
    for (int s = 0; s < 6; s++)
        p.side[s] = SS_WALL_SIDE;
    return p;
}

/* Equal patches of cells^3, count[0] * count[1] * count[2] of them, coupled. */
SS_INLINE int ss_patches_grid(const int count[3], int cells, ss_patch *out)
{
    int total = count[0] * count[1] * count[2];
    for (int q = 0; q < total; q++) {
        int stride = 1;
        const int place[3] = {q % count[0], q / count[0] % count[1], q / count[0] / count[1]};
        out[q] = ss_patch_make(cells, cells, cells, place[0] * cells, place[1] * cells,
                               place[2] * cells);
        for (int d = 0; d < 3; d++) {
            if (place[d] > 0)
                out[q].side[2 * d] = q - stride;
            if (place[d] + 1 < count[d])
                out[q].side[2 * d + 1] = q + stride;
            stride *= count[d];
        }
    }
    return total;
}

/* Independent cubes, next to each other along x. */
SS_INLINE int ss_patches_row(const int *cells, int n, ss_patch *out)
{
    for (int q = 0, x = 0; q < n; x += cells[q++])
        out[q] = ss_patch_make(cells[q], cells[q], cells[q], x, 0, 0);
    return n;
}

/*
 * The memory layout, one patch after the other; `line`: elements per SS_ALIGN bytes. Rows start at
 * cache lines, with a stride of an odd number of them. The padding of a row's last line holds its
 * east ghost and the west ghost of the next row. Returns the number of elements of all patches.
 */
SS_INLINE size_t ss_patches_layout(ss_patch *p, int n, int line)
{
    size_t at = 0;
    for (int q = 0; q < n; q++) {
        ss_box *b = &p[q].box;
        b->sy = (((b->nx + 2 + line - 1) / line) | 1) * (ptrdiff_t)line;
        b->sz = b->sy * (b->ny + 2);
        b->first = at + (size_t)(line + b->sy + b->sz);
        b->count = (size_t)(b->sz * (b->nz + 2) + line);
        at += b->count;
    }
    return at;
}

/* Cells of a patch. */
SS_INLINE double ss_patch_cells(const ss_patch *p)
{
    return (double)p->box.nx * p->box.ny * p->box.nz;
}

SS_INLINE bool ss_patch_same_shape(const ss_box *a, const ss_box *b)
{
    return a->nx == b->nx && a->ny == b->ny && a->nz == b->nz;
}

/* The number of the patch's row that is part of row (., j, k) of the window; -1: none is. */
SS_INLINE int64_t ss_patch_row(const ss_patch *p, int j, int k)
{
    int y = j - p->at[1], z = k - p->at[2];
    bool in = y >= 0 && y < p->box.ny && z >= 0 && z < p->box.nz;
    return in ? (int64_t)z * p->box.ny + y : -1;
}

/* The order of the patches in their list: x fastest, then y, then z. */
typedef struct ss_patch_rows {
    int count[3]; /* patches in each direction */
    int ny, nz;   /* cells of a patch; with several rows of patches all patches are equal */
} ss_patch_rows;

SS_INLINE ss_patch_rows ss_patches_rows(const ss_patch *p, int n)
{
    ss_patch_rows r;
    int row = 1, plane = 1;
    while (row < n && p[row].at[1] == p[0].at[1] && p[row].at[2] == p[0].at[2])
        row++;
    for (plane = row; plane < n && p[plane].at[2] == p[0].at[2];)
        plane += row;
    r.count[0] = row, r.count[1] = plane / row, r.count[2] = n / plane;
    r.ny = p[0].box.ny, r.nz = p[0].box.nz;
    return r;
}

/* The first of the count[0] consecutive patches of the list that can contain cells of row (., j, k)
 * of the window. */
SS_INLINE int ss_patch_rows_at(const ss_patch_rows *r, int j, int k)
{
    int y = j / r->ny, z = k / r->nz;
    y = y < r->count[1] ? y : r->count[1] - 1;
    z = z < r->count[2] ? z : r->count[2] - 1;
    return (z * r->count[1] + y) * r->count[0];
}

/* The index of the first element of row `row` of a patch. */
SS_INLINE size_t ss_patch_row_at(const ss_patch *p, int64_t row)
{
    int64_t y = row % p->box.ny, z = row / p->box.ny;
    return p->box.first + (size_t)(y * p->box.sy + z * p->box.sz);
}

/* --- blocks of a patch ------------------------------------------------------------------------ */

/*
 * The division of a patch of cells into blocks, from the lower ends on; blocks at the upper ends
 * may be truncated. Blocks and cells are numbered with x fastest. Called by the smoothers and by
 * pictures of them.
 */

#define SS_BLOCK_MOST 128   /* the most cells of a block per direction */
#define SS_BLOCK_VARIANTS 8 /* truncated or not, in each of three directions */

typedef struct ss_blocking {
    int n[3];     /* cells of the patch */
    int size[3];  /* cells of a whole block */
    int count[3]; /* blocks per direction */
} ss_blocking;

SS_INLINE ss_blocking ss_blocking_make(const int n[3], const int size[3])
{
    ss_blocking b;
    for (int d = 0; d < 3; d++) {
        b.n[d] = n[d];
        b.size[d] = size[d] < n[d] ? size[d] : n[d];
        b.count[d] = (n[d] + b.size[d] - 1) / b.size[d];
    }
    return b;
}

SS_INLINE uint32_t ss_blocking_total(const ss_blocking *b)
{
    return (uint32_t)b->count[0] * (uint32_t)b->count[1] * (uint32_t)b->count[2];
}

/* The coordinates of a block, in blocks. */
SS_INLINE void ss_blocking_place(const ss_blocking *b, uint32_t block, int place[3])
{
    place[0] = (int)(block % (uint32_t)b->count[0]);
    place[1] = (int)(block / (uint32_t)b->count[0] % (uint32_t)b->count[1]);
    place[2] = (int)(block / (uint32_t)b->count[0] / (uint32_t)b->count[1]);
}

/* Bit d: the block is truncated in direction d. All blocks of a variant have the same shape. */
SS_INLINE int ss_blocking_variant(const ss_blocking *b, uint32_t block)
{
    int place[3], variant = 0;
    ss_blocking_place(b, block, place);
    for (int d = 0; d < 3; d++)
        variant |= ((place[d] + 1) * b->size[d] > b->n[d]) << d;
    return variant;
}

/* The shape of the blocks of a variant; false if the patch has none. */
SS_INLINE bool ss_blocking_shape(const ss_blocking *b, int variant, int cells[3])
{
    bool exists = true;
    for (int d = 0; d < 3; d++) {
        cells[d] = variant >> d & 1 ? b->n[d] % b->size[d] : b->size[d];
        exists = exists && cells[d] > 0;
    }
    return exists;
}

#endif
