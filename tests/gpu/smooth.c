/* Block smoothers on the GPU against those of the CPU: patches of unequal sizes that are no
 * multiples of the block, random fields and right-hand sides, every order and kernel. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/gpu/gpu.h"
#include "tests/gpu/smooth_kit.h"

/* --- patches ---------------------------------------------------------------------------------- */

enum { MOST = 8 };

typedef struct domain {
    ss_patch patch[MOST];
    int patches;
    size_t count; /* elements of an array of all patches */
    ss_prec prec;
    ss_wall wall;
} domain;

static void add_patch(domain *d, int nx, int ny, int nz)
{
    ss_patch *p = &d->patch[d->patches++];
    *p = (ss_patch){.box = {.nx = nx, .ny = ny, .nz = nz, .hx = 1, .hy = 1, .hz = 1}};
    for (int s = 0; s < 6; s++)
        p->side[s] = SS_WALL_SIDE;
    p->box.sy = ((nx + 2 + 7) / 8 | 1) * 8;
    p->box.sz = p->box.sy * (ny + 2);
    p->box.first = d->count + (size_t)(8 + p->box.sy + p->box.sz);
    p->box.count = (size_t)(p->box.sz * (nz + 2) + 8);
    d->count += p->box.count;
}

/* Patches that are not coupled. */
static domain some_patches(ss_prec prec)
{
    domain d = {.prec = prec, .wall = SS_WALL_MIRROR};
    add_patch(&d, 20, 13, 9);
    add_patch(&d, 24, 16, 32);
    add_patch(&d, 5, 40, 17);
    return d;
}

/* Two by two by one, side by side. */
static domain four_patches(ss_prec prec)
{
    domain d = {.prec = prec, .wall = SS_WALL_ZERO};
    for (int q = 0; q < 4; q++) {
        add_patch(&d, 16, 24, 12);
        d.patch[q].side[q % 2 ? 0 : 1] = q ^ 1;
        d.patch[q].side[q / 2 ? 2 : 3] = q ^ 2;
    }
    return d;
}

static domain one_patch(int n, ss_prec prec)
{
    domain d = {.prec = prec, .wall = SS_WALL_ZERO};
    add_patch(&d, n, n, n);
    return d;
}

static double get(const domain *d, const void *array, size_t at)
{
    return d->prec == SS_F64 ? ((const double *)array)[at] : (double)((const float *)array)[at];
}

static void put(const domain *d, void *array, size_t at, double value)
{
    if (d->prec == SS_F64)
        ((double *)array)[at] = value;
    else
        ((float *)array)[at] = (float)value;
}

/* Element of cell number c of a patch. */
static size_t element(const ss_patch *p, int c)
{
    return p->box.first + (size_t)(c % p->box.nx + c / p->box.nx % p->box.ny * p->box.sy +
                                   c / p->box.nx / p->box.ny * p->box.sz);
}

static int cells(const ss_patch *p)
{
    return p->box.nx * p->box.ny * p->box.nz;
}

/* Random cells; everything else is zero. */
static void *fill(const domain *d, uint64_t seed)
{
    void *array = ss_alloc(d->count * ss_prec_size(d->prec), "a field", NULL);
    uint64_t index = 0;
    for (int q = 0; q < d->patches; q++)
        for (int c = 0; c < cells(&d->patch[q]); c++)
            put(d, array, element(&d->patch[q], c), ss_random_unit(seed, index++));
    return array;
}

/* --- the CPU ---------------------------------------------------------------------------------- */

/* Ghosts of side s of patch q from its neighbour, cell by cell. */
static void exchange_side(const domain *d, void *u, int q, int s)
{
    const ss_box *box = &d->patch[q].box, *from = &d->patch[d->patch[q].side[s]].box;
    const int n[3] = {box->nx, box->ny, box->nz}, m[3] = {from->nx, from->ny, from->nz};
    int here[3], there[3], dir = s / 2, a = (dir + 1) % 3, b = (dir + 2) % 3;
    here[dir] = s % 2 ? n[dir] : -1;
    there[dir] = s % 2 ? 0 : m[dir] - 1;
    for (here[a] = 0; here[a] < n[a]; here[a]++)
        for (here[b] = 0; here[b] < n[b]; here[b]++) {
            there[a] = here[a];
            there[b] = here[b];
            ptrdiff_t to = (ptrdiff_t)box->first + here[0] + here[1] * box->sy + here[2] * box->sz;
            ptrdiff_t at =
                (ptrdiff_t)from->first + there[0] + there[1] * from->sy + there[2] * from->sz;
            put(d, u, (size_t)to, get(d, u, (size_t)at));
        }
}

static void exchange(const domain *d, void *u)
{
    for (int q = 0; q < d->patches; q++)
        for (int s = 0; s < 6; s++)
            if (d->patch[q].side[s] == SS_WALL_SIDE)
                ss_smooth_walls(&d->patch[q].box, d->prec, d->wall, 1U << s, u);
            else
                exchange_side(d, u, q, s);
}

static double norm_on_cpu(const domain *d, const void *u, const void *rhs)
{
    double sum = 0;
    for (int q = 0; q < d->patches; q++)
        sum += ss_smooth_norm2(&d->patch[q].box, d->prec, u, rhs);
    return sqrt(sum);
}

/* That many steps; returns which of the two arrays holds the result. */
static int steps_on_cpu(const domain *d, const ss_cuda_smooth_how *how, double omega, void *u[2],
                        const void *rhs, int steps)
{
    ss_smooth s[MOST];
    ss_order o[MOST];
    bool once = how->order == SS_CUDA_AT_ONCE;
    int cur = 0;
    for (int q = 0; q < d->patches; q++) {
        CHECK_INT(ss_smooth_make(&s[q], &d->patch[q].box, how->block, how->form, d->prec, 2, NULL),
                  SS_OK);
        CHECK_INT(ss_order_make(&o[q], &s[q].blocking, how->form->width(d->prec), NULL), SS_OK);
        if (once)
            ss_order_at_once(&o[q]);
        else
            ss_order_lexicographic(&o[q]);
    }
    for (int i = 0; i < steps; i++) {
        int next = once ? 1 - cur : cur;
        for (int q = 0; q < d->patches; q++)
            ss_smooth_step(&s[q], &o[q], omega, u[cur], rhs, u[next]);
        exchange(d, u[next]);
        cur = next;
    }
    for (int q = 0; q < d->patches; q++) {
        ss_smooth_free(&s[q]);
        ss_order_free(&o[q]);
    }
    return cur;
}

/* --- the GPU ---------------------------------------------------------------------------------- */

typedef struct device {
    void *u[2], *rhs;
    double *norm2;
    ss_cuda_smooth *smooth;
    ss_cuda_ghosts *ghosts;
    int cur;
} device;

static device open_device(const domain *d, const ss_cuda_smooth_how *how, const void *u,
                          const void *rhs)
{
    device g = {.cur = 0};
    ss_err err = {0};
    size_t bytes = d->count * ss_prec_size(d->prec);
    CHECK_MSG(ss_cuda_smooth_make(&g.smooth, d->patch, d->patches, how, &err) == SS_OK, "%s",
              err.text);
    CHECK_MSG(ss_cuda_ghosts_make(&g.ghosts, d->patch, d->patches, d->prec, d->wall, &err) == SS_OK,
              "%s", err.text);
    CHECK_INT(gpu_array_make(&g.u[0], bytes, "u", &err), SS_OK);
    CHECK_INT(gpu_array_make(&g.u[1], bytes, "u", &err), SS_OK);
    CHECK_INT(gpu_array_make(&g.rhs, bytes, "rhs", &err), SS_OK);
    CHECK_INT(gpu_array_make((void **)&g.norm2, sizeof *g.norm2, "norm", &err), SS_OK);
    CHECK_INT(gpu_array_put(g.u[0], u, bytes, &err), SS_OK);
    CHECK_INT(gpu_array_put(g.rhs, rhs, bytes, &err), SS_OK);
    return g;
}

static void close_device(device *g)
{
    ss_cuda_smooth_free(g->smooth);
    ss_cuda_ghosts_free(g->ghosts);
    gpu_array_free(g->u[0]);
    gpu_array_free(g->u[1]);
    gpu_array_free(g->rhs);
    gpu_array_free(g->norm2);
}

static void steps_on_gpu(device *g, const ss_cuda_smooth_how *how, double omega, int steps,
                         bool norm)
{
    ss_err err = {0};
    for (int i = 0; i < steps; i++) {
        int next = how->order == SS_CUDA_AT_ONCE ? 1 - g->cur : g->cur;
        CHECK_MSG(ss_cuda_smooth_step(g->smooth, omega, g->u[g->cur], g->rhs, g->u[next],
                                      norm ? g->norm2 : NULL, NULL, &err) == SS_OK,
                  "%s", err.text);
        CHECK_MSG(ss_cuda_ghosts_exchange(g->ghosts, g->u[next], true, NULL, &err) == SS_OK, "%s",
                  err.text);
        g->cur = next;
    }
}

/* |r| of the field on hand by the pass over all cells. */
static double norm_on_gpu(device *g)
{
    double norm2;
    ss_err err = {0};
    CHECK_MSG(ss_cuda_ghosts_norm2(g->ghosts, g->u[g->cur], g->rhs, g->norm2, NULL, &err) == SS_OK,
              "%s", err.text);
    CHECK_MSG(gpu_array_get(&norm2, g->norm2, sizeof norm2, &err) == SS_OK, "%s", err.text);
    return sqrt(norm2);
}

/* --- comparing -------------------------------------------------------------------------------- */

/* All cells and ghosts; tol is relative to the largest. 0: bit-for-bit equal. */
static void check_equal(const domain *d, const void *want, const void *got, double tol,
                        const char *what)
{
    double most = 0;
    for (size_t i = 0; i < d->count; i++)
        most = fmax(most, fabs(get(d, want, i)));
    tol *= most;
    for (size_t i = 0; i < d->count; i++) {
        double a = get(d, want, i), b = get(d, got, i);
        bool ok = tol > 0 ? fabs(a - b) <= tol : memcmp(&a, &b, sizeof a) == 0;
        CHECK_MSG(ok, "%s: element %zu is %.17g, not %.17g", what, i, b, a);
    }
}

static void describe(char *text, size_t size, const ss_cuda_smooth_how *how)
{
    snprintf(text, size, "%s, %s, order %d, block %dx%dx%d", how->form->name,
             how->prec == SS_F64 ? "f64" : "f32", how->order, how->block[0], how->block[1],
             how->block[2]);
}

static void compare(const domain *d, ss_cuda_smooth_how how, double tol)
{
    char what[160];
    ss_err err = {0};
    size_t bytes = d->count * ss_prec_size(d->prec);
    double omega = how.order == SS_CUDA_AT_ONCE ? 0.8 : 1, norm2;
    void *rhs = fill(d, 2), *got = ss_alloc(bytes, "got", NULL);
    void *u[2] = {fill(d, 1), ss_alloc(bytes, "u", NULL)};
    how.prec = d->prec;
    describe(what, sizeof what, &how);
    exchange(d, u[0]);
    exchange(d, u[1]);
    device g = open_device(d, &how, u[0], rhs);
    double before = norm_on_cpu(d, u[0], rhs), start = norm_on_gpu(&g);
    CHECK_MSG(fabs(start - before) <= 1e-12 * before, "%s: |r| is %.17g, not %.17g", what, start,
              before);
    steps_on_gpu(&g, &how, omega, 1, how.order == SS_CUDA_AT_ONCE);
    if (how.order == SS_CUDA_AT_ONCE) {
        CHECK_INT(gpu_array_get(&norm2, g.norm2, sizeof norm2, &err), SS_OK);
        CHECK_MSG(fabs(sqrt(norm2) - before) <= 1e-12 * before, "%s: fused |r| is %.17g, not %.17g",
                  what, sqrt(norm2), before);
    }
    steps_on_gpu(&g, &how, omega, 2, false);
    int cur = steps_on_cpu(d, &how, omega, u, rhs, 3);
    CHECK_MSG(gpu_array_get(got, g.u[g.cur], bytes, &err) == SS_OK, "%s", err.text);
    check_equal(d, u[cur], got, tol, what);
    close_device(&g);
    free(u[0]);
    free(u[1]);
    free(rhs);
    free(got);
}

static const int blocks[][3] = {{8, 8, 8}, {4, 4, 4},    {2, 2, 2}, {1, 1, 1},
                                {8, 4, 3}, {16, 16, 16}, {7, 1, 5}};
enum { NBLOCK = sizeof blocks / sizeof *blocks };

static void compare_all(const ss_inverse_form *form, ss_cuda_order order, ss_prec prec, double tol,
                        int blocks_up_to)
{
    domain one = some_patches(prec), two = four_patches(prec);
    need_gpu();
    for (int b = 0; b < NBLOCK; b++) {
        ss_cuda_smooth_how how = {.form = form, .order = order};
        memcpy(how.block, blocks[b], sizeof how.block);
        if (blocks[b][0] * blocks[b][1] * blocks[b][2] > blocks_up_to)
            continue;
        compare(&one, how, tol);
        compare(&two, how, tol);
    }
}

TEST(gpu_smooth, separable_jacobi_is_the_cpus_to_the_last_bit)
{
    compare_all(&ss_inverse_separable, SS_CUDA_AT_ONCE, SS_F64, 0, 4096);
    compare_all(&ss_inverse_separable, SS_CUDA_AT_ONCE, SS_F32, 0, 4096);
}

TEST(gpu_smooth, separable_lexicographic_is_the_cpus_to_the_last_bit)
{
    compare_all(&ss_inverse_separable, SS_CUDA_LEXICOGRAPHIC, SS_F64, 0, 4096);
    compare_all(&ss_inverse_separable, SS_CUDA_LEXICOGRAPHIC, SS_F32, 0, 4096);
}

TEST(gpu_smooth, separable_in_every_width)
{
    need_gpu();
    for (int prec = 0; prec < SS_NPREC; prec++)
        for (int width = 1; width <= 4; width++) {
            domain d = some_patches((ss_prec)prec);
            ss_cuda_smooth_how how = {
                .block = {8, 8, 8}, .form = &ss_inverse_separable, .width = width};
            compare(&d, how, 0);
        }
}

/* Many patches of unequal sizes, so that the strips of the norm are irregular. */
TEST(gpu_smooth, norm_of_unequal_patches)
{
    domain d = {.prec = SS_F64, .wall = SS_WALL_ZERO};
    need_gpu();
    add_patch(&d, 40, 64, 64);
    for (int i = 0; i < 6; i++)
        add_patch(&d, 3 + 7 * i, 5, 1 + 3 * i);
    add_patch(&d, 33, 31, 64);
    compare(&d, (ss_cuda_smooth_how){.block = {8, 8, 8}, .form = &ss_inverse_separable}, 0);
}

TEST(gpu_smooth, dense_agrees_to_round_off)
{
    for (int order = SS_CUDA_AT_ONCE; order <= SS_CUDA_LEXICOGRAPHIC; order++) {
        compare_all(&ss_inverse_dense, (ss_cuda_order)order, SS_F64, 1e-13, 512);
        compare_all(&ss_inverse_dense, (ss_cuda_order)order, SS_F32, 5e-6, 512);
    }
}

/* Up, a few steps and down again, in both orders of the streams. */
TEST(gpu_smooth, patches_from_the_host)
{
    enum { PATCHES = 5, STEPS = 3 };
    need_gpu();
    for (int order = 0; order < SS_NSTREAM_ORDER; order++)
        for (int in_place = 0; in_place < 2; in_place++) {
            domain d = one_patch(24, SS_F64);
            ss_cuda_smooth_how how = {.block = {8, 8, 8},
                                      .form = &ss_inverse_separable,
                                      .order = in_place ? SS_CUDA_LEXICOGRAPHIC : SS_CUDA_AT_ONCE};
            ss_err err = {0};
            ss_cuda_smooth *s;
            size_t bytes = d.count * sizeof(double);
            double seconds = 0;
            char *u, *rhs;
            CHECK_MSG(ss_cuda_smooth_make(&s, d.patch, 1, &how, &err) == SS_OK, "%s", err.text);
            CHECK_INT(ss_cuda_alloc_host((void **)&u, PATCHES * bytes, "u", &err), SS_OK);
            CHECK_INT(ss_cuda_alloc_host((void **)&rhs, PATCHES * bytes, "rhs", &err), SS_OK);
            for (int q = 0; q < PATCHES; q++) {
                void *a = fill(&d, 2 * (uint64_t)q + 1), *b = fill(&d, 2 * (uint64_t)q + 2);
                memcpy(u + (size_t)q * bytes, a, bytes);
                memcpy(rhs + (size_t)q * bytes, b, bytes);
                free(a);
                free(b);
            }
            CHECK_MSG(gpu_smooth_from_host(s, d.count, PATCHES, STEPS, .8, u, rhs,
                                           (ss_stream_order)order, &seconds, &err) == SS_OK,
                      "%s", err.text);
            CHECK(seconds > 0);
            for (int q = 0; q < PATCHES; q++) {
                void *b = fill(&d, 2 * (uint64_t)q + 2);
                void *v[2] = {fill(&d, 2 * (uint64_t)q + 1), ss_alloc(bytes, "u", NULL)};
                int cur = steps_on_cpu(&d, &how, .8, v, b, STEPS);
                check_equal(&d, v[cur], u + (size_t)q * bytes, 0, "from the host");
                free(v[0]);
                free(v[1]);
                free(b);
            }
            ss_cuda_smooth_free(s);
            ss_cu->host_free(u);
            ss_cu->host_free(rhs);
        }
}

/* --- figures of an independent program -------------------------------------------------------- */

/* ||r_3|| / ||r_0|| of the documented start. */
static double reduction(const ss_cuda_smooth_how *how)
{
    domain d = one_patch(64, SS_F64);
    void *u = fill(&d, 1), *rhs = ss_alloc(d.count * sizeof(double), "rhs", NULL);
    device g = open_device(&d, how, u, rhs);
    double before = norm_on_gpu(&g);
    steps_on_gpu(&g, how, how->order == SS_CUDA_AT_ONCE ? 0.8 : 1, 3, false);
    double after = norm_on_gpu(&g);
    close_device(&g);
    free(u);
    free(rhs);
    return after / before;
}

static const struct {
    int block;
    double jacobi, gauss_seidel;
} references[] = {
    {2, .048066648, .021737874}, {4, .033544781, .013990269}, {8, .023951574, .010055430}};

TEST(gpu_smooth, reference_figures)
{
    static const ss_inverse_form *const forms[] = {&ss_inverse_separable, &ss_inverse_dense};
    double most = 1.14;
    need_gpu();
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            int n = references[i].block;
            double lexicographic = references[i].gauss_seidel;
            ss_cuda_smooth_how how = {.block = {n, n, n}, .form = forms[k]};
            CHECK_NEAR(reduction(&how), references[i].jacobi, 6e-10);
            how.order = SS_CUDA_LEXICOGRAPHIC;
            CHECK_NEAR(reduction(&how), lexicographic, 6e-10);
            how.order = SS_CUDA_CHAOTIC;
            double chaotic = reduction(&how);
            printf("# %s, block %d: chaotic %.9f, %+.1f %% of lexicographic\n", how.form->name, n,
                   chaotic, 100 * (chaotic / lexicographic - 1));
            CHECK_MSG(chaotic > .93 * lexicographic && chaotic < most * lexicographic,
                      "%s, block %d: chaotic %.9f", how.form->name, n, chaotic);
        }
}

/* Races do not prevent convergence, whatever the sizes. */
TEST(gpu_smooth, chaotic_converges)
{
    int steps = 200;
    need_gpu();
    for (int b = 0; b < NBLOCK; b++)
        for (int k = 0; k < 2; k++) {
            ss_cuda_smooth_how how = {.form = k ? &ss_inverse_dense : &ss_inverse_separable,
                                      .order = SS_CUDA_CHAOTIC};
            domain d = some_patches(SS_F64);
            memcpy(how.block, blocks[b], sizeof how.block);
            if (k && blocks[b][0] == 16)
                continue;
            void *u = fill(&d, 1), *rhs = fill(&d, 2);
            exchange(&d, u);
            device g = open_device(&d, &how, u, rhs);
            double before = norm_on_gpu(&g);
            steps_on_gpu(&g, &how, 1, steps, false);
            double rest = norm_on_gpu(&g) / before, most = steps < 200 ? 0.9 : 0.05;
            CHECK_MSG(rest < most, "block %d: %g of |r|", b, rest);
            close_device(&g);
            free(u);
            free(rhs);
        }
}
