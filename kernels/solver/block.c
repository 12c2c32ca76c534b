/*
 * The block smoothers of 3D patches. Source: the paper on block-relaxation smoothers for structured
 * patches. This file describes the schedules; the loops are in kernels/cpu/smoother.c. Pure
 * functions; any thread.
 *
 * Damped block Jacobi: adds to every block omega times its exact inverse applied to its residual,
 * from the old array into a new one; a halo exchange follows (algorithm 1 of the paper).
 *
 * Block Gauss-Seidel: relaxes the blocks of a patch one after the other in place, each by its exact
 * inverse from the latest values of its neighbours. Ghost cells have the values before the step; a
 * halo exchange follows. Chaotic: in an order drawn anew for every step, on a GPU in the hardware's
 * order.
 */
#include "kernels/solver/schedules.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/block/inverse.h"
#include "kernels/block/smooth.h"
#include "kernels/eq/poisson3d.h"
#include "kernels/geom/patches.h"

const char *const ss_block_inverses[] = {"separable", "dense", NULL};
const char *const ss_block_inverse_help[] = {
    "by sine transforms along x, y and z: exact, almost no storage",
    "as a stored full matrix, as in the paper: one matrix product for many blocks", NULL};

const char *const ss_block_orders[] = {
    [SS_BLOCK_CHAOTIC] = "chaotic", [SS_BLOCK_LEXICOGRAPHIC] = "lexicographic", NULL};
const char *const ss_block_order_help[] = {"drawn at random from the seed, anew for every step",
                                           "x first, then y, then z", NULL};

const ss_inverse_form *ss_block_form(const ss_config *cfg)
{
    static const ss_inverse_form *const forms[] = {&ss_inverse_separable, &ss_inverse_dense};
    return forms[ss_config_int(cfg, "inverse")];
}

void ss_block_size(const ss_config *cfg, int size[3])
{
    static const char *const names[3] = {"bx", "by", "bz"};
    for (int d = 0; d < 3; d++)
        size[d] = (int)ss_config_int(cfg, names[d]);
}

static void block_range(const ss_config *cfg, double *lo, double *hi, const char **why)
{
    int most = ss_poisson3d_smallest(cfg, why);
    *lo = 1;
    *hi = most < SS_BLOCK_MOST ? most : SS_BLOCK_MOST;
    *why = most < SS_BLOCK_MOST ? *why : NULL;
}

int ss_block_check(const ss_config *cfg, const ss_problem *p, ss_err *err)
{
    int size[3];
    (void)p;
    ss_block_size(cfg, size);
    const ss_inverse_form *form = ss_block_form(cfg);
    return form->check ? form->check(size, err) : SS_OK;
}

/* --- memory ----------------------------------------------------------------------------------- */

/* The list of patches; the caller frees it. NULL: out of memory, or the domain is one box. */
static ss_patch *patches_of(const ss_equation *eq, const ss_problem *p, int *n)
{
    *n = eq->patches ? eq->patches(p, NULL) : 0;
    ss_patch *list = *n > 0 ? malloc((size_t)*n * sizeof *list) : NULL;
    if (list)
        eq->patches(p, list);
    return list;
}

static ss_blocking blocking_of(const ss_config *cfg, const ss_box *box)
{
    const int n[3] = {box->nx, box->ny, box->nz};
    int size[3];
    ss_block_size(cfg, size);
    return ss_blocking_make(n, size);
}

/* Adds the bytes and the set-up operations of the inverses of a patch: one per shape of block. */
static void inverses_of(const ss_config *cfg, const ss_box *box, double *bytes, double *effort)
{
    ss_inverse inv = {.form = ss_block_form(cfg)};
    ss_blocking b = blocking_of(cfg, box);
    inv.prec = (ss_prec)ss_config_int(cfg, "precision");
    for (int v = 0; v < SS_BLOCK_VARIANTS; v++)
        if (ss_blocking_shape(&b, v, inv.n)) {
            inv.cells = inv.n[0] * inv.n[1] * inv.n[2];
            *bytes += inv.form->bytes(&inv);
            *effort += inv.form->effort ? inv.form->effort(&inv) : 0;
        }
}

/* The first patch of the list with the extent of patch q. */
static int first_of_shape(const ss_patch *list, int q)
{
    int first = 0;
    while (!ss_patch_same_shape(&list[first].box, &list[q].box))
        first++;
    return first;
}

#define PANEL 9 /* bytes per panel: its item and its `done` */
#define SUM 8   /* bytes per row or panel: its sum of squares */
#define PHASE 8 /* bytes per level of an order that is drawn */

/* Bytes per patch, whether or not its shape is new: its ss_patch, panels, sums of squares. drawn:
 * in orders that have up to one panel and one level per block. */
static double lists_of(const ss_config *cfg, const ss_box *box, bool drawn)
{
    ss_prec prec = (ss_prec)ss_config_int(cfg, "precision");
    ss_blocking b = blocking_of(cfg, box);
    double blocks = ss_blocking_total(&b);
    double panels = drawn ? blocks : ceil(blocks / ss_block_form(cfg)->width(prec));
    return sizeof(ss_patch) + (drawn ? PHASE * blocks : 0) + PANEL * panels +
           SUM * fmax((double)box->ny * box->nz, panels);
}

/* per_patch: one order per patch, else one per shape. */
static double bytes_of(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                       bool per_patch)
{
    int n;
    double sum = 0, effort = 0;
    ss_patch *list = patches_of(eq, p, &n);
    for (int q = 0; list && q < n; q++) {
        bool first = first_of_shape(list, q) == q;
        ss_blocking b = blocking_of(cfg, &list[q].box);
        if (first)
            inverses_of(cfg, &list[q].box, &sum, &effort);
        sum += per_patch || first ? ss_order_bytes(&b) : 0;
        sum += lists_of(cfg, &list[q].box, per_patch);
    }
    free(list);
    return sum;
}

static double block_bytes(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                          const char **what)
{
    *what = "the inverses of the blocks and their order";
    return bytes_of(cfg, eq, p, false);
}

/* The same for solvers whose order may differ from patch to patch. */
static double block_bytes_drawn(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                                const char **what)
{
    bool drawn = ss_config_int(cfg, "order") == SS_BLOCK_CHAOTIC;
    *what = "the inverses of the blocks and their order";
    return bytes_of(cfg, eq, p, drawn);
}

#define SETUP_LONG 3e9 /* operations: about 0.1 s on one core */

bool ss_block_setup_cost(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                         char *what, size_t size)
{
    int n, block[3];
    double bytes = 0, effort = 0;
    ss_patch *list = patches_of(eq, p, &n);
    for (int q = 0; list && q < n; q++)
        if (first_of_shape(list, q) == q)
            inverses_of(cfg, &list[q].box, &bytes, &effort);
    free(list);
    ss_block_size(cfg, block);
    snprintf(what, size, "inverting blocks of %d\xc3\x97%d\xc3\x97%d cells", block[0], block[1],
             block[2]);
    return effort > SETUP_LONG;
}

/* --- ledger ----------------------------------------------------------------------------------- */

ss_patch_sums ss_patch_sums_of(const ss_equation *eq, const ss_problem *p)
{
    int n;
    ss_patch_sums sum = {0, 0};
    ss_patch *list = patches_of(eq, p, &n);
    for (int q = 0; list && q < n; q++) {
        const ss_box *b = &list[q].box;
        sum.cells += ss_patch_cells(&list[q]);
        sum.ghosts += 2 * ((double)b->nx * b->ny + (double)b->ny * b->nz + (double)b->nx * b->nz);
    }
    free(list);
    return sum;
}

/* The blocks of one variant in a patch. */
static double blocks_of(const ss_blocking *b, int variant)
{
    double n = 1;
    for (int d = 0; d < 3; d++)
        n *= variant >> d & 1 ? 1 : b->n[d] / b->size[d];
    return n;
}

/* Adds the blocks of a patch, and what applying their inverses costs. */
static void add_blocks(const ss_config *cfg, const ss_box *box, ss_ledger *out)
{
    ss_inverse inv = {.form = ss_block_form(cfg), .prec = (ss_prec)ss_config_int(cfg, "precision")};
    ss_blocking b = blocking_of(cfg, box);
    for (int v = 0; v < SS_BLOCK_VARIANTS; v++)
        if (ss_blocking_shape(&b, v, inv.n)) {
            double n = blocks_of(&b, v);
            inv.cells = inv.n[0] * inv.n[1] * inv.n[2];
            out->blocks += n;
            out->operations += n * inv.form->flops(&inv);
            out->shared_bytes += n * inv.form->moves(&inv) * (double)ss_prec_size(inv.prec);
        }
}

/* Assumes ideal caches: u and f are read once, u' is written once, ghost cells are read and
 * written. In private memory a residual is written, the inverse is applied, and a correction is
 * read. */
static void block_ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                         ss_ledger *out)
{
    int n;
    double bytes = ss_value_bytes(cfg);
    ss_patch_sums sum = ss_patch_sums_of(eq, p);
    double cells = sum.cells, edge = 2 * sum.ghosts * bytes;
    *out = (ss_ledger){
        .launches = 1,
        .global_bytes = 3 * cells * bytes + edge,
        .shared_bytes = 2 * cells * bytes,
        .updates = cells,
        .operations = cells * eq->flops,
        .edge_bytes = edge,
    };
    ss_patch *list = patches_of(eq, p, &n);
    for (int q = 0; list && q < n; q++)
        add_blocks(cfg, &list[q].box, out);
    free(list);
}

/* --- both solvers ----------------------------------------------------------------------------- */

static const char *const phases[] = {"relax blocks", "exchange ghosts", NULL};

#define ROW_CELLS(NAME)                                                                            \
    SS_ROW_INT(NAME, "Method", 8, 1, 128),                                                         \
        .unit = "cells", .range = block_range,                                                     \
        .flags = SS_BLOCK_LIVE | SS_P_LOG | SS_P_POW2 | SS_P_FITS
#define ROWS(OMEGA)                                                                                \
    {ROW_CELLS("bx"), .key = "b",                                                                  \
     .help = "cells of a block in x, fewer at upper ends; at most a patch unless given"},          \
        {ROW_CELLS("by"), .follows = "bx", .help = "the same in y; as in x unless given"},         \
        {ROW_CELLS("bz"), .follows = "bx", .help = "the same in z; as in x unless given"},         \
        {SS_ROW_REAL("omega", "Method", OMEGA, 0.05, 2),                                           \
         .symbol = "\xcf\x89",                                                                     \
         .key = "w",                                                                               \
         .flags = SS_BLOCK_LIVE,                                                                   \
         .step = 0.05,                                                                             \
         .help = "relaxation factor: the share of a correction that is applied"},                  \
    {                                                                                              \
        SS_ROW_CHOICE("inverse", "Method", ss_block_inverses, ss_block_inverse_help),              \
            .key = "a", .flags = SS_BLOCK_LIVE,                                                    \
            .help = "how the exact inverse of a block is applied"                                  \
    }

// clang-format off
static ss_param jacobi_params[] = {
    ROWS(0.8),
};
// clang-format on

/* The largest eigenvalue of the block inverses times the matrix is below 2 but close to it, so an
 * omega above 1 may diverge. */
static const char *jacobi_suspect(const ss_config *cfg)
{
    return ss_config_real(cfg, "omega") > 1
               ? "and omega above 1 is the likely cause: the corrections of all blocks overshoot"
               : NULL;
}

#define MEMBERS                                                                                    \
    .paper = "Rodriguez Rodriguez, Philip, Wang & Berrill: block-relaxation methods for 3D "       \
             "constant-coefficient stencils on GPUs and multicore CPUs",                           \
    .no_box = "its blocks divide 3D patches", .phases = phases, .check = ss_block_check,           \
    .blocks = ss_block_size, .ledger = block_ledger, .setup_cost = ss_block_setup_cost

const ss_solver ss_solver_block_jacobi = {
    MEMBERS,
    .name = "block-jacobi",
    .title = "damped block Jacobi",
    .help = "the exact inverse of every block at once, damped: a smoother for patches",
    SS_PARAMS(jacobi_params),
    .bytes = block_bytes,
    .suspect = jacobi_suspect,
};

// clang-format off
static ss_param gs_params[] = {
    ROWS(1),
    {SS_BLOCK_ORDER, .key = "d"},
};
// clang-format on

/* In a single patch any omega below 2 is stable, except with mirrored ghost cells. */
static const char *gs_suspect(const ss_config *cfg)
{
    return ss_config_real(cfg, "omega") > 1
               ? "and omega above 1 is the likely cause: ghost cells lag by one step"
               : NULL;
}

const ss_solver ss_solver_block_gs = {
    MEMBERS,
    .name = "block-gs",
    .title = "chaotic block Gauss-Seidel",
    .help = "the exact inverse of one block after the other, in place: a smoother for patches",
    SS_PARAMS(gs_params),
    .bytes = block_bytes_drawn,
    .suspect = gs_suspect,
};
