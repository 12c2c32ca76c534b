/* Block smoothers and their exact inverses: figures of an independent program, and properties for
 * blocks of any shape. */
#include <stdio.h>
#include <stdlib.h>

#include "kernels/block/smooth.h"
#include "kernels/cpu/simd/machine.h"
#include "kernels/cpu/state.h"
#include "src/core/run.h"
#include "tests/check.h"

static const ss_inverse_form *const forms[] = {&ss_inverse_dense, &ss_inverse_separable};

/* --- a patch ---------------------------------------------------------------------------------- */

typedef struct patch {
    ss_smooth smooth;
    ss_order order;
    ss_box box;
    double *u, *next, *rhs; /* with ghosts; rhs is zero at first */
} patch;

static ss_box box_of(int nx, int ny, int nz)
{
    ss_box box = {.nx = nx, .ny = ny, .nz = nz, .hx = 1, .hy = 1, .hz = 1, .sy = nx + 2};
    box.sz = box.sy * (ny + 2);
    box.first = (size_t)(1 + box.sy + box.sz);
    box.count = (size_t)box.sz * (size_t)(nz + 2);
    return box;
}

static size_t at(const patch *p, int i, int j, int k)
{
    return p->box.first + (size_t)(i + j * p->box.sy + k * p->box.sz);
}

/* Cells in [0, 1) in the documented order, ghosts zero. */
static patch patch_open(ss_box box, int bx, int by, int bz, const ss_inverse_form *form,
                        int threads)
{
    patch p = {.box = box};
    ss_err err = {0};
    const int block[3] = {bx, by, bz};
    CHECK_MSG(ss_smooth_make(&p.smooth, &box, block, form, SS_F64, threads, &err) == SS_OK, "%s",
              err.text);
    CHECK_INT(ss_order_make(&p.order, &p.smooth.blocking, form->width(SS_F64), NULL), SS_OK);
    p.u = ss_alloc(box.count * sizeof *p.u, "u", NULL);
    p.next = ss_alloc(box.count * sizeof *p.u, "next", NULL);
    p.rhs = ss_alloc(box.count * sizeof *p.u, "rhs", NULL);
    CHECK(p.u && p.next && p.rhs);
    uint64_t index = 0;
    for (int k = 0; k < box.nz; k++)
        for (int j = 0; j < box.ny; j++)
            for (int i = 0; i < box.nx; i++)
                p.u[at(&p, i, j, k)] = ss_random_unit(1, index++);
    return p;
}

static void patch_close(patch *p)
{
    ss_smooth_free(&p->smooth);
    ss_order_free(&p->order);
    free(p->u);
    free(p->next);
    free(p->rhs);
}

/* h^2 f - A u of a cell, written out once more. */
static double residual(const patch *p, int i, int j, int k)
{
    size_t c = at(p, i, j, k), sy = (size_t)p->box.sy, sz = (size_t)p->box.sz;
    const double *u = p->u;
    return p->rhs[c] - 6 * u[c] + u[c - 1] + u[c + 1] + u[c - sy] + u[c + sy] + u[c - sz] +
           u[c + sz];
}

/* --- the inverse ------------------------------------------------------------------------------ */

static const int shapes[][3] = {{1, 1, 1}, {2, 2, 2},  {4, 4, 4}, {8, 8, 8},
                                {8, 4, 2}, {5, 3, 2},  {1, 7, 6}, {12, 1, 3},
                                {3, 9, 5}, {1, 1, 16}, {2, 1, 1}, {10, 9, 8}};
#define SHAPES ((int)(sizeof shapes / sizeof shapes[0]))

/* Random right-hand sides of `count` blocks, and the inverse applied to them block by block. */
static double *solve(const ss_inverse_form *form, const int n[3], ss_prec prec, int count)
{
    ss_inverse inv;
    ss_err err = {0};
    CHECK_MSG(ss_inverse_make(&inv, form, n, prec, &err) == SS_OK, "%s", err.text);
    char *rhs = ss_alloc(ss_inverse_panel(&inv), "rhs", NULL);
    char *u = ss_alloc(ss_inverse_panel(&inv), "u", NULL);
    double *out = ss_alloc((size_t)count * (size_t)inv.cells * sizeof *out, "result", NULL);
    CHECK(rhs && u && out && count <= inv.width);
    for (int c = 0; c < inv.cells; c++)
        for (int l = 0; l < count; l++) {
            size_t to = (size_t)c * (size_t)inv.width + (size_t)l;
            double value = ss_random_unit((uint64_t)l, (uint64_t)c) - 0.5;
            if (prec == SS_F64)
                ((double *)rhs)[to] = value;
            else
                ((float *)rhs)[to] = (float)value;
        }
    ss_inverse_apply(&inv, rhs, u, count);
    for (int c = 0; c < inv.cells; c++)
        for (int l = 0; l < count; l++) {
            size_t from = (size_t)c * (size_t)inv.width + (size_t)l;
            out[l * inv.cells + c] =
                prec == SS_F64 ? ((double *)u)[from] : (double)((float *)u)[from];
        }
    free(rhs);
    free(u);
    ss_inverse_free(&inv);
    return out;
}

/* Quitting does not wait for a matrix. */
TEST(smoother, inversion_can_be_abandoned)
{
    static const int n[3] = {12, 12, 12};
    atomic_bool quit = true;
    ss_inverse inv;
    ss_err err = {0};
    ss_run_abandon_by(&quit);
    CHECK_INT(ss_inverse_make(&inv, &ss_inverse_dense, n, SS_F64, &err), SS_FAIL);
    ss_run_abandon_by(NULL);
    CHECK_MSG(strstr(err.text, "cancelled") != NULL, "%s", err.text);
    CHECK(inv.own == NULL);
}

/* The largest entry of the block's matrix times u minus the right-hand side. */
static double defect(const int n[3], int block, const double *u)
{
    double most = 0;
    int sy = n[0], sz = n[0] * n[1];
    for (int c = 0; c < sz * n[2]; c++) {
        int i = c % sy, j = c / sy % n[1], k = c / sz;
        double sum = 6 * u[c];
        sum -= (i > 0 ? u[c - 1] : 0) + (i + 1 < n[0] ? u[c + 1] : 0);
        sum -= (j > 0 ? u[c - sy] : 0) + (j + 1 < n[1] ? u[c + sy] : 0);
        sum -= (k > 0 ? u[c - sz] : 0) + (k + 1 < n[2] ? u[c + sz] : 0);
        double rhs = ss_random_unit((uint64_t)block, (uint64_t)c) - 0.5;
        most = fmax(most, fabs(sum - rhs));
    }
    return most;
}

/* Right-hand sides are at most 1/2; the solutions are, too, about. */
static void check_shape(const int n[3], ss_prec prec, double tolerance)
{
    int count = 5, cells = n[0] * n[1] * n[2];
    double *u[2], apart = 0;
    for (int f = 0; f < 2; f++) {
        u[f] = solve(forms[f], n, prec, count);
        for (int l = 0; l < count; l++)
            CHECK_NEAR(defect(n, l, u[f] + l * cells), 0, 10 * tolerance);
    }
    for (int c = 0; c < count * cells; c++)
        apart = fmax(apart, fabs(u[0][c] - u[1][c]));
    CHECK_MSG(apart <= tolerance, "%d x %d x %d: %g apart", n[0], n[1], n[2], apart);
    free(u[0]);
    free(u[1]);
}

/* Eight units in the last place of 1, for blocks of up to ten cells per direction. */
TEST(smoother, dense_and_separable_agree_to_round_off)
{
    for (int s = 0; s < SHAPES; s++) {
        check_shape(shapes[s], SS_F64, 8 * 0x1p-52);
        check_shape(shapes[s], SS_F32, 8 * 0x1p-23);
    }
}

TEST(smoother, separable_is_the_same_in_every_instruction_set)
{
    for (int s = 0; s < SHAPES; s++)
        for (int prec = 0; prec < SS_NPREC; prec++) {
            const int *n = shapes[s];
            size_t bytes = (size_t)(8 * n[0] * n[1] * n[2]) * sizeof(double);
            ss_isa_limit(SS_ISA_PLAIN);
            double *plain = solve(&ss_inverse_separable, n, (ss_prec)prec, 8);
            for (int isa = SS_ISA_AVX2; isa < SS_NISA; isa++) {
                ss_isa_limit((ss_isa)isa);
                double *wide = solve(&ss_inverse_separable, n, (ss_prec)prec, 8);
                CHECK_MSG(!memcmp(plain, wide, bytes), "%s: %d x %d x %d", ss_isa_name((ss_isa)isa),
                          n[0], n[1], n[2]);
                free(wide);
            }
            free(plain);
        }
    ss_isa_limit(SS_NISA - 1);
}

TEST(smoother, operations_of_the_two_forms)
{
    ss_inverse inv;
    CHECK_INT(ss_inverse_make(&inv, &ss_inverse_separable, shapes[3], SS_F64, NULL), SS_OK);
    CHECK_NEAR(inv.form->flops(&inv) / inv.cells, 6 * 8 + 1, 0);
    ss_inverse_free(&inv);
    CHECK_INT(ss_inverse_make(&inv, &ss_inverse_dense, shapes[3], SS_F64, NULL), SS_OK);
    CHECK_NEAR(inv.form->flops(&inv) / inv.cells, 2 * 512, 0);
    ss_inverse_free(&inv);
}

TEST(smoother, refused_with_a_reason)
{
    static const int none[3] = {4, 0, 4}, huge[3] = {129, 1, 1}, heavy[3] = {32, 32, 32};
    ss_inverse inv;
    ss_err err = {0};
    for (int f = 0; f < 2; f++) {
        CHECK_INT(ss_inverse_make(&inv, forms[f], none, SS_F64, &err), SS_FAIL);
        CHECK_INT(ss_inverse_make(&inv, forms[f], huge, SS_F64, &err), SS_FAIL);
        CHECK_MSG(strstr(err.text, "129") != NULL, "%s", err.text);
    }
    CHECK_INT(ss_inverse_make(&inv, &ss_inverse_dense, heavy, SS_F64, &err), SS_FAIL);
    CHECK_MSG(strstr(err.text, "32x32x32") != NULL, "%s", err.text);
}

/* --- blocks of any shape ---------------------------------------------------------------------- */

/* Neither the patch nor any of its blocks is a cube, and all eight shapes of blocks occur. */
static patch odd_patch(const ss_inverse_form *form, int threads)
{
    patch p = patch_open(box_of(20, 13, 9), 8, 4, 4, form, threads);
    for (size_t c = 0; c < p.box.count; c++)
        p.rhs[c] = ss_random_unit(2, c);
    ss_smooth_walls(&p.box, SS_F64, SS_WALL_MIRROR, SS_WALLS_ALL, p.u);
    return p;
}

/* The largest residual in a block. */
static double block_residual(const patch *p, uint32_t block)
{
    const ss_blocking *b = &p->smooth.blocking;
    int place[3], n[3];
    double most = 0;
    ss_blocking_place(b, block, place);
    CHECK(ss_blocking_shape(b, ss_blocking_variant(b, block), n));
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++)
                most = fmax(most,
                            fabs(residual(p, place[0] * b->size[0] + i, place[1] * b->size[1] + j,
                                          place[2] * b->size[2] + k)));
    return most;
}

/* Level by level, until the whole step is done. */
TEST(smoother, a_relaxed_block_has_no_residual)
{
    for (int f = 0; f < 2; f++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            patch p = odd_patch(forms[f], 2);
            ss_order_chaotic(&p.order, seed);
            ss_order level = p.order;
            level.levels = 1;
            for (uint32_t l = 0; l < p.order.levels; l++, level.start++) {
                ss_smooth_step(&p.smooth, &level, 1, p.u, p.rhs, p.u);
                uint32_t from = level.panel[level.start[0]], to = level.panel[level.start[1]];
                for (uint32_t i = from; i < to; i++)
                    CHECK_NEAR(block_residual(&p, level.block[i]), 0, 1e-14);
            }
            patch_close(&p);
        }
}

TEST(smoother, blocks_of_a_level_share_no_face)
{
    patch p = odd_patch(&ss_inverse_dense, 1);
    ss_order_chaotic(&p.order, 1);
    int level[3 * 4 * 3] = {0};
    for (uint32_t l = 0; l < p.order.levels; l++)
        for (uint32_t i = p.order.panel[p.order.start[l]]; i < p.order.panel[p.order.start[l + 1]];
             i++) {
            CHECK_INT(level[p.order.block[i]], 0);
            level[p.order.block[i]] = (int)l + 1;
        }
    for (int b = 0; b < 36; b++) {
        CHECK(level[b] > 0);
        CHECK(b % 3 == 2 || level[b] != level[b + 1]);
        CHECK(b / 3 % 4 == 3 || level[b] != level[b + 3]);
        CHECK(b / 12 == 2 || level[b] != level[b + 12]);
    }
    patch_close(&p);
}

TEST(smoother, ghost_cells_follow_both_rules)
{
    patch p = odd_patch(&ss_inverse_separable, 1);
    CHECK_NEAR(p.u[at(&p, -1, 5, 2)], -p.u[at(&p, 0, 5, 2)], 0);
    CHECK_NEAR(p.u[at(&p, 20, 12, 8)], -p.u[at(&p, 19, 12, 8)], 0);
    CHECK_NEAR(p.u[at(&p, 3, -1, 2)], -p.u[at(&p, 3, 0, 2)], 0);
    CHECK_NEAR(p.u[at(&p, 19, 13, 7)], -p.u[at(&p, 19, 12, 7)], 0);
    CHECK_NEAR(p.u[at(&p, 3, 5, -1)], -p.u[at(&p, 3, 5, 0)], 0);
    CHECK_NEAR(p.u[at(&p, 19, 12, 9)], -p.u[at(&p, 19, 12, 8)], 0);
    double ghost = p.u[at(&p, 3, -1, 2)];
    ss_smooth_walls(&p.box, SS_F64, SS_WALL_ZERO, SS_WALLS_ALL & ~4U, p.u);
    CHECK_NEAR(p.u[at(&p, 19, 12, 9)], 0, 0);
    CHECK_NEAR(p.u[at(&p, -1, 0, 0)], 0, 0);
    CHECK_NEAR(p.u[at(&p, 3, -1, 2)], ghost, 0);
    patch_close(&p);
}
