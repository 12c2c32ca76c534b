/* The row kernels, with every instruction set of this processor, against plain loops: values and
 * sums bit for bit, and no write outside the box. */
#include "kernels/cpu/simd/machine.h"
#include "kernels/cpu/simd/norm.h"
#include "tests/fields.h"

#define WIDTH 160 /* elements between rows */
#define ROWS 8
#define CELLS (WIDTH * ROWS)

typedef struct arrays {
    double in64[CELLS], g64[CELLS], out64[CELLS];
    float in32[CELLS], g32[CELLS], out32[CELLS];
    double sum[ROWS];
} arrays;

static void fill(arrays *a)
{
    for (size_t i = 0; i < CELLS; i++) {
        a->in64[i] = ss_random_unit(1, i) - 0.5;
        a->g64[i] = ss_random_unit(2, i) - 0.5;
        a->in32[i] = (float)a->in64[i];
        a->g32[i] = (float)a->g64[i];
        a->out64[i] = a->out32[i] = 77;
    }
    memset(a->sum, 0, sizeof a->sum);
}

/* u' of the element at p, written out once more, in each precision. */
typedef struct update {
    double (*at64)(const ss_coef *c, const double *in, const double *g, size_t p);
    float (*at32)(const ss_coef *c, const float *in, const float *g, size_t p);
} update;

#define UPDATES(T, NAME)                                                                           \
    static T poisson1d_##NAME(const ss_coef *c, const T *in, const T *g, size_t p)                 \
    {                                                                                              \
        return g[p] + (T)c->c[0] * (in[p - 1] + in[p + 1]);                                        \
    }                                                                                              \
    static T poisson2d_##NAME(const ss_coef *c, const T *in, const T *g, size_t p)                 \
    {                                                                                              \
        T sum = in[p - 1] + in[p + 1];                                                             \
        sum += (T)c->c[1] * (in[p - WIDTH] + in[p + WIDTH]);                                       \
        return g[p] + (T)c->c[0] * sum;                                                            \
    }                                                                                              \
    static T line_##NAME(const ss_coef *c, const T *in, const T *g, size_t p)                      \
    {                                                                                              \
        return g[p] + ((T)c->c[0] * in[p - 1] + (T)c->c[1] * in[p + 1]);                           \
    }                                                                                              \
    static T plane_##NAME(const ss_coef *c, const T *in, const T *g, size_t p)                     \
    {                                                                                              \
        T across = (T)c->c[0] * in[p - 1] + (T)c->c[1] * in[p + 1];                                \
        T up = (T)c->c[2] * in[p - WIDTH] + (T)c->c[3] * in[p + WIDTH];                            \
        return g[p] + (across + up);                                                               \
    }
UPDATES(double, f64)
UPDATES(float, f32)

/* Sixteen lanes, then a tree: the order that norm.h promises. */
static double expect_sum(const double *change, int n)
{
    double lane[16] = {0};
    for (int i = 0; i < n; i++)
        lane[i % 16] += change[i] * change[i];
    for (int half = 8; half > 0; half /= 2)
        for (int i = 0; i < half; i++)
            lane[i] += lane[i + half];
    return lane[0];
}

static void check_box(const ss_equation *eq, const update *expect, arrays *a, size_t first, int nx,
                      int ny, bool sums)
{
    ss_coef c = {.c = {0.3, 0.2, -0.7, 0.45}, .residual = 1};
    ss_sweep box = {.nx = nx,
                    .ny = ny,
                    .nz = 1,
                    .in_sy = WIDTH,
                    .rhs_sy = WIDTH,
                    .out_sy = WIDTH,
                    .sum = sums ? a->sum : NULL};
    fill(a);
    eq->apply[SS_F64](&c, 0, a->in64 + first, a->g64 + first, a->out64 + first, &box);
    double sum64[ROWS];
    memcpy(sum64, a->sum, sizeof sum64);
    memset(a->sum, 0, sizeof a->sum);
    eq->apply[SS_F32](&c, 0, a->in32 + first, a->g32 + first, a->out32 + first, &box);
    for (size_t p = 0; p < CELLS; p++) {
        size_t x = (p - first) % WIDTH, y = (p - first) / WIDTH;
        bool inside = p >= first && x < (size_t)nx && y < (size_t)ny;
        CHECK(a->out64[p] == (inside ? expect->at64(&c, a->in64, a->g64, p) : 77));
        CHECK(a->out32[p] == (inside ? expect->at32(&c, a->in32, a->g32, p) : 77));
    }
    for (int j = 0; sums && j < ny; j++) {
        double d64[WIDTH], d32[WIDTH];
        for (int i = 0; i < nx; i++) {
            size_t p = first + (size_t)j * WIDTH + (size_t)i;
            d64[i] = a->out64[p] - a->in64[p];
            d32[i] = (double)(a->out32[p] - a->in32[p]);
        }
        CHECK(sum64[j] == expect_sum(d64, nx));
        CHECK(a->sum[j] == expect_sum(d32, nx));
    }
}

static void check_equation(const char *settings, const update *expect)
{
    ss_run *run = open_run(settings);
    arrays *a = ss_alloc(sizeof *a, "arrays", NULL);
    ss_isa best = ss_isa_level();
    for (int isa = SS_ISA_PLAIN; isa <= (int)best; isa++) {
        ss_isa_limit((ss_isa)isa);
        for (int nx = 1; nx <= 70; nx++)
            for (int ny = 1; ny <= 4; ny++)
                for (size_t shift = 0; shift < 3; shift++)
                    check_box(run->eq, expect, a, WIDTH + 16 + shift, nx, ny, (nx + ny) % 2);
    }
    ss_isa_limit(SS_NISA - 1);
    free(a);
    ss_run_close(run);
}

TEST_CALL(rows, poisson1d,
          check_equation("equation poisson1d n 4", &(update){poisson1d_f64, poisson1d_f32}))
TEST_CALL(rows, poisson2d,
          check_equation("equation poisson2d n 4", &(update){poisson2d_f64, poisson2d_f32}))
TEST_CALL(rows, line, check_equation("equation line n 4", &(update){line_f64, line_f32}))
TEST_CALL(rows, plane, check_equation("equation plane n 4", &(update){plane_f64, plane_f32}))
TEST_CALL(rows, advdiff2d,
          check_equation("equation advdiff2d n 4", &(update){plane_f64, plane_f32}))

TEST(rows, tree_sum_of_any_length)
{
    for (size_t n = 1; n < 70; n++) {
        double v[70], sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += v[i] = (double)(i * i + 1);
        CHECK(ss_tree_sum(v, n) == sum); /* small integers: exact in any order */
    }
}
