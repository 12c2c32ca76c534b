/* Multigrid on patches: against a plain recursive program, its counts and their independence of the
 * patch, the threads and the grouping into calls, its costs, and the sizes that it refuses. */
#include <math.h>

#include "src/core/history.h"
#include "tests/windows.h"

/* --- a plain program: cells of the whole domain in one array, blocks solved by elimination -------
 */

enum { BLOCK_MOST = 64 };

typedef struct plain {
    int n[3], patch, block[3];             /* cells of the domain, of a patch, of a block */
    bool mirror, in_place;                 /* the rule for ghost cells; Gauss-Seidel */
    int pre, post, coarsest, least, shape; /* least: cells of a patch of the coarsest grid */
    double omega;
} plain;

static size_t at(const plain *p, const int c[3])
{
    return ((size_t)c[2] * (size_t)p->n[1] + (size_t)c[1]) * (size_t)p->n[0] + (size_t)c[0];
}

static size_t count_of(const plain *p)
{
    return (size_t)p->n[0] * (size_t)p->n[1] * (size_t)p->n[2];
}

/* A cell, or what the walls' rule makes of a cell outside. */
static double value(const plain *p, const double *u, const int c[3])
{
    int in[3] = {c[0], c[1], c[2]};
    double sign = 1;
    for (int d = 0; d < 3; d++)
        if (c[d] < 0 || c[d] >= p->n[d]) {
            in[d] = c[d] < 0 ? 0 : p->n[d] - 1;
            sign *= p->mirror ? -1 : 0;
        }
    return sign == 0 ? 0 : sign * u[at(p, in)];
}

static bool same_patch(const plain *p, const int a[3], const int b[3])
{
    for (int d = 0; d < 3; d++)
        if (b[d] < 0 || b[d] >= p->n[d] || a[d] / p->patch != b[d] / p->patch)
            return false;
    return true;
}

/* h^2 (f - A u) of a cell: other patches and walls give the values before the sweep. */
static double rest(const plain *p, const double *now, const double *before, const double *f,
                   const int c[3])
{
    double sum = f[at(p, c)] - 6 * now[at(p, c)];
    for (int s = 0; s < 6; s++) {
        int next[3] = {c[0], c[1], c[2]};
        next[s / 2] += s % 2 ? 1 : -1;
        sum += same_patch(p, c, next) ? now[at(p, next)] : value(p, before, next);
    }
    return sum;
}

/* Solves A x = r in a block of cells with zeros around it. */
static void solve_block(const int n[3], double *x)
{
    static double a[BLOCK_MOST][BLOCK_MOST];
    int cells = n[0] * n[1] * n[2];
    for (int i = 0; i < cells; i++)
        for (int j = 0; j < cells; j++) {
            int dx = abs(i % n[0] - j % n[0]), dy = abs(i / n[0] % n[1] - j / n[0] % n[1]);
            int dz = abs(i / n[0] / n[1] - j / n[0] / n[1]), away = dx + dy + dz;
            a[i][j] = away == 0 ? 6 : away == 1 ? -1 : 0;
        }
    for (int i = 0; i < cells; i++)
        for (int k = i + 1; k < cells; k++) {
            double factor = a[k][i] / a[i][i];
            for (int j = i; j < cells && factor != 0; j++)
                a[k][j] -= factor * a[i][j];
            x[k] -= factor * x[i];
        }
    for (int i = cells - 1; i >= 0; i--) {
        for (int j = i + 1; j < cells; j++)
            x[i] -= a[i][j] * x[j];
        x[i] /= a[i][i];
    }
}

/* Corrects the block that begins at cell c. */
static void relax_block(const plain *p, const int c[3], const double *now, const double *before,
                        const double *f, double *out)
{
    double x[BLOCK_MOST];
    int n[3], i = 0;
    for (int d = 0; d < 3; d++) {
        int left = p->patch - c[d] % p->patch;
        n[d] = p->block[d] < left ? p->block[d] : left;
    }
    for (int pass = 0; pass < 2; pass++, i = 0) {
        for (int dz = 0; dz < n[2]; dz++)
            for (int dy = 0; dy < n[1]; dy++)
                for (int dx = 0; dx < n[0]; dx++, i++) {
                    int cell[3] = {c[0] + dx, c[1] + dy, c[2] + dz};
                    if (pass == 0)
                        x[i] = rest(p, now, before, f, cell);
                    else
                        out[at(p, cell)] = now[at(p, cell)] + p->omega * x[i];
                }
        if (pass == 0)
            solve_block(n, x);
    }
}

/* Blocks in lexicographic order; patches do not see each other during a sweep. */
static void plain_sweeps(const plain *p, int sweeps, double *u, const double *f)
{
    double *before = malloc(count_of(p) * sizeof *before);
    while (sweeps-- > 0) {
        memcpy(before, u, count_of(p) * sizeof *before);
        for (int z = 0; z < p->n[2]; z++)
            for (int y = 0; y < p->n[1]; y++)
                for (int x = 0; x < p->n[0]; x++) {
                    const int c[3] = {x, y, z};
                    bool first = x % p->patch % p->block[0] == 0 &&
                                 y % p->patch % p->block[1] == 0 && z % p->patch % p->block[2] == 0;
                    if (first)
                        relax_block(p, c, p->in_place ? u : before, before, f, u);
                }
    }
    free(before);
}

/* Trilinear, at the centre of fine cell c. */
static double interpolated(const plain *coarse, const double *e, const int c[3])
{
    double sum = 0;
    for (int k = 0; k < 8; k++) {
        double weight = 1;
        int from[3];
        for (int d = 0; d < 3; d++) {
            bool next = k >> d & 1;
            from[d] = c[d] / 2 + (next ? (c[d] % 2 ? 1 : -1) : 0);
            weight *= next ? 0.25 : 0.75;
        }
        sum += weight * value(coarse, e, from);
    }
    return sum;
}

static void plain_cycle(const plain *p, int shape, double *u, const double *f)
{
    enum { V, W, F };
    static const int next[][2] = {[V] = {V, -1}, [W] = {W, W}, [F] = {F, V}};
    plain half = *p;
    if (p->patch / 2 < p->least) {
        plain_sweeps(p, p->coarsest, u, f);
        return;
    }
    half.patch /= 2;
    for (int d = 0; d < 3; d++)
        half.n[d] /= 2;
    double *g = calloc(count_of(&half), sizeof *g), *e = calloc(count_of(&half), sizeof *e);
    plain_sweeps(p, p->pre, u, f);
    for (int z = 0; z < p->n[2]; z++)
        for (int y = 0; y < p->n[1]; y++)
            for (int x = 0; x < p->n[0]; x++) {
                const int c[3] = {x, y, z}, in[3] = {x / 2, y / 2, z / 2};
                g[at(&half, in)] += 4 * rest(p, u, u, f, c) / 8;
            }
    for (int i = 0; i < 2; i++)
        if (next[shape][i] >= 0)
            plain_cycle(&half, next[shape][i], e, g);
    for (int z = 0; z < p->n[2]; z++)
        for (int y = 0; y < p->n[1]; y++)
            for (int x = 0; x < p->n[0]; x++) {
                const int c[3] = {x, y, z};
                u[at(p, c)] += interpolated(&half, e, c);
            }
    plain_sweeps(p, p->post, u, f);
    free(g), free(e);
}

static double plain_norm(const plain *p, const double *u, const double *f)
{
    double sum = 0;
    for (int z = 0; z < p->n[2]; z++)
        for (int y = 0; y < p->n[1]; y++)
            for (int x = 0; x < p->n[0]; x++) {
                const int c[3] = {x, y, z};
                sum += pow(rest(p, u, u, f, c), 2);
            }
    return sqrt(sum);
}

/* The norm that cycle c + 1 reports is that of the field after cycle c. */
static void compare(const char *settings, const plain *p)
{
    ss_run *run = open_join(settings, "solver multigrid until 0");
    random_rhs(run);
    double *u = get_window(run, FIELD), *f = get_window(run, RHS);
    for (int cycle = 1; cycle <= 4; cycle++) {
        double norm = plain_norm(p, u, f), largest = 0;
        step_run(run, 1);
        CHECK_NEAR(run->residual / run->coef.residual, norm, 1e-11 * norm);
        plain_cycle(p, p->shape, u, f);
        double *got = get_window(run, FIELD), off = distance(got, u, cells_of(run));
        for (size_t c = 0; c < cells_of(run); c++)
            largest = fmax(largest, fabs(u[c]));
        CHECK_MSG(off <= 1e-12 * largest, "%s, cycle %d: differs by %g of %g", settings, cycle, off,
                  largest);
        free(got);
    }
    free(u), free(f);
    ss_run_close(run);
}

TEST(multigrid3d, agrees_with_a_plain_program)
{
    compare("solver multigrid patch 32 bx 4 by 2 bz 1 coarsest 3",
            &(plain){{32, 32, 32}, 32, {4, 2, 1}, false, false, 2, 2, 3, 8, 0, 0.8});
    compare("solver multigrid patch 16 px 2 py 1 pz 3 bx 3 by 4 bz 2 ghost mirror pre 1 post 2 "
            "coarsest 2 omega 0.7",
            &(plain){{32, 16, 48}, 16, {3, 4, 2}, true, false, 1, 2, 2, 8, 0, 0.7});
    compare("solver multigrid patch 16 px 2 py 2 bx 2 smoother block-gs order lexicographic "
            "ghost mirror pre 0 post 1 coarsest 4",
            &(plain){{32, 32, 16}, 16, {2, 2, 2}, true, true, 0, 1, 4, 8, 0, 0.9});
    compare("solver multigrid patch 24 py 2 bx 4 smoother block-gs order lexicographic shape w "
            "coarsest 1 inverse dense",
            &(plain){{24, 48, 24}, 24, {4, 4, 4}, false, true, 2, 2, 1, 8, 1, 0.9});
    compare("solver multigrid patch 32 bx 2 ghost mirror shape f coarsest 2 pre 1 post 0",
            &(plain){{32, 32, 32}, 32, {2, 2, 2}, true, false, 1, 0, 2, 8, 2, 0.8});
    compare("solver multigrid patch 32 bx 2 shape w coarsest 1 pre 1 post 1",
            &(plain){{32, 32, 32}, 32, {2, 2, 2}, false, false, 1, 1, 1, 8, 1, 0.8});
}

/* --- counts ----------------------------------------------------------------------------------- */

#define CUBES "equation poisson3d solver multigrid "

SLOW_TEST(multigrid3d, its_cycles_do_not_grow_with_the_patch)
{
    static const char *const methods[] = {"smoother block-jacobi", "smoother block-gs",
                                          "smoother block-jacobi ghost mirror",
                                          "smoother block-gs ghost mirror"};
    for (int m = 0; m < 4; m++) {
        int64_t first = 0;
        for (int patch = 16; patch <= 64; patch *= 2) {
            char text[160];
            snprintf(text, sizeof text, CUBES "%s patch %d", methods[m], patch);
            int64_t cycles = cycles_of(text);
            first = first ? first : cycles;
            CHECK_MSG(cycles <= 4 && llabs(cycles - first) <= 1, "%s: %lld", text,
                      (long long)cycles);
        }
    }
    CHECK(cycles_of(CUBES "patch 32 shape w") <= 4);
    CHECK(cycles_of(CUBES "patch 32 shape f precision f32") <= 4);
    CHECK(cycles_of(CUBES "patch 16 px 4 py 2 pz 2") <= 4);
    CHECK(cycles_of(CUBES "sizes 16,24,32 smoother block-gs") <= 4);
    CHECK(cycles_of(CUBES "patch 32 problem source ghost mirror") <= 5);
    /* Without the coarsest grids the smooth part of the error remains. */
    CHECK(cycles_of(CUBES "patch 64 levels 2 problem smooth") > 15);
}

TEST(multigrid3d, its_factor_does_not_grow_with_the_patch)
{
    for (int mirror = 0; mirror < 2; mirror++)
        for (int patch = 16; patch <= 64; patch *= 2) {
            char text[160];
            bool settled;
            snprintf(text, sizeof text, "solver multigrid patch %d ghost %s until 0", patch,
                     mirror ? "mirror" : "zero");
            ss_run *run = open_join(text, "");
            step_run(run, 12);
            double factor = ss_factors_measured(&run->factors, &settled);
            CHECK_MSG(factor > 0.1 && factor < 0.2, "%s: %.4f", text, factor);
            ss_run_close(run);
        }
}

/* --- bits ------------------------------------------------------------------------------------- */

/* A list of cubes is one run of each of them. */
TEST(multigrid3d, independent_cubes_are_solved_as_if_alone)
{
    const char *method = "levels 2 coarsest 3 problem smooth until 0";
    ss_run *both = open_join("solver multigrid sizes 32,16", method);
    ss_run *alone = open_join("solver multigrid patch 16", method);
    step_run(both, 2);
    step_run(alone, 2);
    double *u = get_window(both, FIELD), *v = get_window(alone, FIELD), largest = 0;
    for (int k = 0; k < 16; k++)
        for (int j = 0; j < 16; j++) {
            const double *row = u + (k * 32 + j) * 48 + 32, *other = v + (k * 16 + j) * 16;
            CHECK(memcmp(row, other, 16 * sizeof *row) == 0);
            largest = fmax(largest, fabs(row[8]));
        }
    CHECK(largest > 0);
    free(u), free(v);
    ss_run_close(both);
    ss_run_close(alone);
}

/* --- costs ------------------------------------------------------------------------------------ */

/* V(2,2) of 16^3 and 8^3 cells: four sweeps and a residual of the first, eight sweeps of the other.
 */
TEST(multigrid3d, its_costs_are_the_sums_over_the_grids)
{
    ss_run *run = open_join("solver multigrid patch 16 coarsest 8", "");
    ss_run *fine = open_join("solver block-jacobi patch 16", "");
    ss_run *half = open_join("solver block-jacobi patch 8", "");
    const ss_ledger *f = &fine->per_cycle, *h = &half->per_cycle, *sum = &run->per_cycle;
    double cells = 16 * 16 * 16, edges = 2 * (6.0 * 16 * 16 + 6 * 8 * 8) * 8;
    CHECK(sum->launches == 4 + 8 + 2);
    CHECK(sum->updates == 5 * cells + 8 * cells / 8);
    CHECK(sum->shared_bytes == 4 * f->shared_bytes + 8 * h->shared_bytes);
    CHECK_NEAR(sum->edge_bytes, 4 * f->edge_bytes + 8 * h->edge_bytes + edges, 1e-6);
    CHECK_NEAR(sum->global_bytes,
               4 * f->global_bytes + 8 * h->global_bytes + 4.25 * cells * 8 + edges, 1e-6);
    ss_run_close(run);
    ss_run_close(fine);
    ss_run_close(half);
}

/* --- cautions --------------------------------------------------------------------------------- */

static bool warns(const char *settings)
{
    char said[320] = "";
    ss_run *run = open_join("solver multigrid patch 64", settings);
    run->solver->caution(&run->cfg, &run->problem, said, sizeof said);
    ss_run_close(run);
    return strstr(said, "V cycles hardly converge") != NULL;
}

/* The residual falls by less than a tenth per cycle where it warns. */
TEST(multigrid3d, it_warns_of_zero_ghost_cells_with_small_blocks)
{
    bool settled;
    ss_run *run = open_join("solver multigrid patch 64 bx 1 coarsest 64", "until 0");
    step_run(run, 14);
    CHECK(ss_factors_measured(&run->factors, &settled) > 0.9);
    ss_run_close(run);
    CHECK(warns("bx 1"));
    CHECK(!warns("bx 1 shape w") && !warns("bx 1 ghost mirror") && !warns("bx 1 levels 3"));
    CHECK(!warns("bx 2") && !warns(""));
}

/* --- refusals --------------------------------------------------------------------------------- */

static void refused(const char *name, const char *text, const char *words)
{
    ss_config cfg;
    ss_err err = {0};
    set_config(&cfg, "equation poisson3d solver multigrid");
    int rc = ss_config_set(&cfg, name, text, &err);
    CHECK_MSG(rc != SS_OK || ss_config_check(&cfg, NULL, &err) != SS_OK, "%s %s", name, text);
    CHECK_MSG(strstr(err.text, words), "%s", err.text);
}

TEST(multigrid3d, names_the_nearest_sizes)
{
    refused("patch", "65",
            "multigrid: a patch of 65 cells cannot be halved: the nearest are 64 and 66");
    refused("patch", "12",
            "multigrid: a patch of 12 cells is too small to be halved: the nearest is 16");
    refused("sizes", "32,31,16", "a patch of 31 cells cannot be halved: the nearest are 30 and 32");
    refused("bx", "64", "half the cells of a patch");
    refused("levels", "5", "a patch of the coarsest grid is at least a block");
    refused("smoother", "red-black", "block-jacobi");
}
