/* Block smoothers and the exact inverses they use: numerics.md section 6, and what must hold for
 * blocks of any shape. */
#include <stdio.h>
#include <stdlib.h>

#include "kernels/block/smooth.h"
#include "kernels/cpu/isa.h"
#include "kernels/cpu/schedule.h"
#include "tests/check.h"

static const double pi = 3.14159265358979323846;

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
    ss_err err = {""};
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

static double norm(const patch *p)
{
    return sqrt(ss_smooth_norm2(&p->box, SS_F64, p->u, p->rhs));
}

/* h^2 f - A u of a cell, written out once more. */
static double residual(const patch *p, int i, int j, int k)
{
    size_t c = at(p, i, j, k), sy = (size_t)p->box.sy, sz = (size_t)p->box.sz;
    const double *u = p->u;
    return p->rhs[c] - 6 * u[c] + u[c - 1] + u[c + 1] + u[c - sy] + u[c + sy] + u[c - sz] +
           u[c + sz];
}

static void jacobi(patch *p, double omega)
{
    ss_order_at_once(&p->order);
    ss_smooth_step(&p->smooth, &p->order, omega, p->u, p->rhs, p->next);
    double *swap = p->u;
    p->u = p->next;
    p->next = swap;
}

static void damped(patch *p, int step)
{
    (void)step;
    jacobi(p, 0.8);
}

static void lexicographic(patch *p, int step)
{
    (void)step;
    ss_order_lexicographic(&p->order);
    ss_smooth_step(&p->smooth, &p->order, 1, p->u, p->rhs, p->u);
}

static uint64_t chaos = 1; /* the seed of the orders below; every test that uses it sets it */

static void chaotic(patch *p, int step)
{
    ss_order_chaotic(&p->order, ss_schedule_stream(chaos, step));
    ss_smooth_step(&p->smooth, &p->order, 1, p->u, p->rhs, p->u);
}

typedef void smoother(patch *p, int step);

/* ||r_3|| / ||r_0|| of the documented start. */
static double reduction(smoother *step, int block, const ss_inverse_form *form, int threads)
{
    patch p = patch_open(box_of(64, 64, 64), block, block, block, form, threads);
    double before = norm(&p);
    for (int s = 0; s < 3; s++)
        step(&p, s);
    double ratio = norm(&p) / before;
    patch_close(&p);
    return ratio;
}

/* --- numerics.md section 6 -------------------------------------------------------------------- */

typedef struct row {
    int block;
    double jacobi, gauss_seidel;
} row;

static const row table[] = {
    {2, .048066648, .021737874}, {4, .033544781, .013990269}, {8, .023951574, .010055430}};

TEST(smoother, start_is_the_documented_one)
{
    CHECK_NEAR(ss_random_unit(1, 0), .5665615751722809, 1e-16);
    CHECK_NEAR(ss_random_unit(1, 1), .7457817572627011, 1e-16);
}

/* The references have nine digits after the point, at least seven that count. */
TEST(smoother, block_jacobi_of_the_reference)
{
    for (int f = 0; f < 2; f++)
        for (int r = 0; r < 3; r++)
            CHECK_NEAR(reduction(damped, table[r].block, forms[f], 2), table[r].jacobi, 5.1e-10);
}

TEST(smoother, block_gauss_seidel_of_the_reference)
{
    for (int f = 0; f < 2; f++)
        for (int r = 0; r < 3; r++)
            CHECK_NEAR(reduction(lexicographic, table[r].block, forms[f], 2),
                       table[r].gauss_seidel, 5.1e-10);
}

TEST(smoother, chaotic_orders_stay_near_the_lexicographic_one)
{
    for (int r = 0; r < 3; r++)
        for (chaos = 1; chaos <= 5; chaos++) {
            double ratio = reduction(chaotic, table[r].block, &ss_inverse_separable, 2);
            CHECK_MSG(ratio > 0.93 * table[r].gauss_seidel && ratio < 1.14 * table[r].gauss_seidel,
                      "block %d, seed %d: %g", table[r].block, (int)chaos, ratio);
        }
}
