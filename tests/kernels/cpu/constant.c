/* Jacobi iterations of systems with a constant matrix, against plain loops from the definition, bit
 * for bit: random fields and right-hand sides, grids that are neither square nor a multiple of any
 * vector, both precisions, several threads. */
#include "tests/fields.h"

/* c_w u_w + c_e u_e + c_s u_s + c_n u_n + d u = b; in 1D the last two are 0. */
typedef struct matrix {
    double w, e, s, n, d;
} matrix;

#define LOOPS(T)                                                                                   \
    static void loops_##T(const matrix *m, int dim, int nx, int ny, const double *g, double *u)    \
    {                                                                                              \
        T w = (T)(-m->w / m->d), e = (T)(-m->e / m->d);                                            \
        T s = (T)(-m->s / m->d), n = (T)(-m->n / m->d);                                            \
        T *old = calloc((size_t)(nx + 2) * (size_t)(ny + 2), sizeof *old);                         \
        for (int j = 0; j < ny; j++)                                                               \
            for (int i = 0; i < nx; i++)                                                           \
                old[(j + 1) * (nx + 2) + i + 1] = (T)u[j * nx + i];                                \
        for (int j = 0; j < ny; j++)                                                               \
            for (int i = 0; i < nx; i++) {                                                         \
                const T *p = old + (j + 1) * (nx + 2) + i + 1;                                     \
                T sum = w * p[-1] + e * p[1];                                                      \
                if (dim > 1)                                                                       \
                    sum = sum + (s * p[-(nx + 2)] + n * p[nx + 2]);                                \
                u[j * nx + i] = (double)((T)g[j * nx + i] + sum);                                  \
            }                                                                                      \
        free(old);                                                                                 \
    }
LOOPS(double)
LOOPS(float)

static void check_iterations(const char *problem, const matrix *m)
{
    static const char *const variants[] = {"", "precision f32", "threads 3",
                                           "threads 3 precision f32"};
    for (int v = 0; v < 4; v++) {
        char text[256];
        snprintf(text, sizeof text, "%s solver jacobi problem random seed 11 until 0 %s", problem,
                 variants[v]);
        ss_run *run = open_run(text);
        const ss_problem *p = &run->problem;
        size_t n = (size_t)p->nx * (size_t)p->ny;
        double *expected = get_field(run, FIELD), *g = get_field(run, RHS);
        for (int i = 0; i < 9; i++)
            (run->prec == SS_F64 ? loops_double : loops_float)(m, p->dim, p->nx, p->ny, g,
                                                               expected);
        step_run(run, 9);
        double *u = get_field(run, FIELD);
        CHECK_MSG(memcmp(u, expected, n * sizeof *u) == 0, "%s", text);
        CHECK_NEAR(run->coef.residual / m->d, 1, 1e-15);
        free(expected);
        free(g);
        free(u);
        ss_run_close(run);
    }
}

TEST(constant_loops, line)
{
    matrix m = {.w = -1.3, .e = 0.45, .d = 2.7};
    check_iterations("equation line n 1009 copies 5 west -1.3 east 0.45 diagonal 2.7", &m);
    check_iterations("equation line n 3 copies 2 west -1.3 east 0.45 diagonal 2.7", &m);
}

TEST(constant_loops, plane)
{
    matrix m = {-1.3, 0.45, -0.9, -1.7, 4.7};
    static const char *const sizes[] = {"n 203 ny 131", "n 5 ny 78", "n 131 ny 1"};
    for (int i = 0; i < 3; i++) {
        char text[160];
        snprintf(text, sizeof text,
                 "equation plane %s west -1.3 east 0.45 south -0.9 north -1.7 diagonal 4.7",
                 sizes[i]);
        check_iterations(text, &m);
    }
}

/* The entries from the difference formulas, term by term. */
TEST(constant_loops, advection_and_diffusion)
{
    double x = 204, y = 132, bx = 40, by = -25; /* 1/dx, 1/dy */
    matrix central = {-x * x - bx * x / 2, -x * x + bx * x / 2, -y * y - by * y / 2,
                      -y * y + by * y / 2, 2 * x * x + 2 * y * y};
    matrix upwind = {-x * x - bx * x, -x * x, -y * y, -y * y + by * y,
                     2 * x * x + 2 * y * y + bx * x - by * y};
    const matrix *expected[] = {&central, &upwind};
    for (int i = 0; i < 2; i++) {
        char text[160];
        snprintf(text, sizeof text,
                 "equation advdiff2d n 203 ny 131 velocity-x 40 velocity-y -25 scheme %s "
                 "solver jacobi",
                 i ? "upwind" : "central");
        ss_run *run = open_run(text);
        const matrix *m = expected[i];
        const double ratio[] = {-m->w / m->d, -m->e / m->d, -m->s / m->d, -m->n / m->d};
        for (int c = 0; c < 4; c++)
            CHECK_NEAR(run->coef.c[c], ratio[c], 1e-14);
        CHECK_NEAR(run->coef.residual / m->d, 1, 1e-13);
        /* With the program's own quotients the iteration is the plane's. */
        matrix same = {-run->coef.c[0], -run->coef.c[1], -run->coef.c[2], -run->coef.c[3], 1};
        double *u = get_field(run, FIELD), *g = get_field(run, RHS);
        for (int k = 0; k < 9; k++)
            loops_double(&same, 2, 203, 131, g, u);
        step_run(run, 9);
        double *v = get_field(run, FIELD);
        CHECK(memcmp(u, v, 203 * 131 * sizeof *u) == 0);
        free(u);
        free(v);
        free(g);
        ss_run_close(run);
    }
}
