/*
 * Poisson's equation in 3D, cell-centred, on patches: one domain of px * py * pz coupled patches,
 * or a list of independent cubes. Parameters, positions of the patches, initial fields, and the
 * exact discrete solution. Constant and pure; any thread.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/eq/inner.h"
#include "kernels/eq/poisson3d.h"
#include "kernels/eq/sine.h"
#include "src/base/elementary/elementary.h"
#include "src/core/equation.h"
#include "src/core/param.h"
#include "src/core/registry.h"

#define SIZES_MOST 128  /* the most patches of a list */
#define CELLS_MOST 1024 /* the most cells of a patch per direction */

static const char *const ghosts[] = {"zero", "mirror", NULL};
static const char *const ghost_help[] = {
    "ghost cells are 0: u vanishes at their centres",
    "ghost cells are minus the cells inside: u vanishes on the wall, second order", NULL};

enum { RANDOM, SOURCE, SMOOTH, ROUGH, MIXED };
static const char *const problems[] = {"random", "source", "smooth", "rough", "mixed", NULL};
static const char *const problem_help[] = {
    "f = 0, u random in every cell: the reference case",
    "f of a known smooth solution, u starts at 0",
    "f = 0, u starts as the smoothest wave",
    "f = 0, u starts as the roughest wave, whose sign changes from cell to cell",
    "f = 0, u starts as a sum of five waves: the roughest, and each next one twice as long",
    NULL};

// clang-format off
#define COUNT(NAME, WHERE) \
    {SS_ROW_INT(NAME, "Problem", 1, 1, 64), .unit = "patches", .flags = SS_P_REOPEN | SS_P_LOG, \
     .help = "coupled patches in " WHERE}

static ss_param params[] = {
    COUNT("px", "x"), COUNT("py", "y"), COUNT("pz", "z"),
    {SS_ROW_POINTS("patch", 64, 1, CELLS_MOST), .unit = "cells",
     .help = "cells of a patch in each direction"},
    {SS_ROW("sizes", "Problem", SS_STRING), .unit = "cells", .flags = SS_P_REOPEN,
     .help = "instead: uncoupled cubes, e.g. 64,72 or 16x64+16x72"},
    {SS_ROW_CHOICE("ghost", "Problem", ghosts, ghost_help), .flags = SS_P_REOPEN,
     .help = "values of the ghost cells at walls"},
    {SS_ROW_PROBLEM(problems, problem_help), .help = "right-hand side f and initial field u"},
};
// clang-format on

/* --- patches ---------------------------------------------------------------------------------- */

/* Parses "64", or "16x64" for 16 patches of 64. */
static int parse_size(const char **at, long *count, long *cells)
{
    for (int i = 0; i < 2; i++) {
        char *end;
        if (**at < '0' || **at > '9')
            return SS_FAIL;
        *count = i == 0 ? 1 : *cells;
        *cells = strtol(*at, &end, 10);
        *at = end;
        int sign = i == 0 ? ss_times_sign(*at) : 0;
        if (sign == 0)
            return SS_OK;
        *at += sign;
    }
    return SS_OK;
}

/* Parses "64,72,80" or "16x64+16x96" into out[SIZES_MOST]; returns the number, or SS_FAIL. */
static int parse_sizes(const char *text, int *out, ss_err *err)
{
    int n = 0;
    for (const char *at = text;; at++) {
        long count, cells;
        if (parse_size(&at, &count, &cells) != SS_OK || (*at && *at != ',' && *at != '+'))
            return ss_fail(err, "sizes: '%.40s' is not a list of whole numbers, e.g. 64,72,80",
                           text);
        if (cells < 1 || cells > CELLS_MOST)
            return ss_fail(err, "sizes: %ld: a patch has 1\xe2\x80\xa6%d cells in a direction",
                           cells, CELLS_MOST);
        if (count < 1 || count > SIZES_MOST - n)
            return ss_fail(err, "sizes: '%.40s' lists more than %d patches, or none", text,
                           SIZES_MOST);
        while (count-- > 0)
            out[n++] = (int)cells;
        if (!*at)
            return n;
    }
}

/* The sizes of the independent patches; returns their number, 0 if coupled or the list is invalid.
 */
static int independent(const ss_config *cfg, int *out)
{
    const char *text = ss_config_text(cfg, "sizes");
    int n = text ? parse_sizes(text, out, NULL) : 0;
    return n > 0 ? n : 0;
}

static void coupled(const ss_config *cfg, int count[3])
{
    static const char *const names[3] = {"px", "py", "pz"};
    for (int d = 0; d < 3; d++)
        count[d] = (int)ss_config_int(cfg, names[d]);
}

static int patches(const ss_problem *p, ss_patch *out)
{
    int sizes[SIZES_MOST], count[3], n = independent(p->cfg, sizes);
    coupled(p->cfg, count);
    if (!out)
        return n > 0 ? n : count[0] * count[1] * count[2];
    return n > 0 ? ss_patches_row(sizes, n, out)
                 : ss_patches_grid(count, (int)ss_config_int(p->cfg, "patch"), out);
}

int ss_poisson3d_smallest(const ss_config *cfg, const char **what)
{
    int sizes[SIZES_MOST], n = independent(cfg, sizes), least = CELLS_MOST;
    *what = n > 0 ? "cells of the smallest patch" : "cells of a patch";
    for (int i = 0; i < n; i++)
        least = sizes[i] < least ? sizes[i] : least;
    return n > 0 ? least : (int)ss_config_int(cfg, "patch");
}

/* Sets a row of the equation from text. */
static int put(ss_config *cfg, const char *name, const char *text, ss_err *err)
{
    return ss_config_put(cfg, ss_param_find(cfg, name, NULL), text, err);
}

/* Appends half the cells to a list of sizes. */
static int append_half(int cells, char *text, size_t size, ss_err *err)
{
    size_t at = strlen(text);
    if (cells % 2 != 0)
        return ss_fail(err, "a patch of %d cells cannot be halved: the nearest are %d and %d",
                       cells, cells - 1, cells + 1);
    snprintf(text + at, size - at, "%s%d", at > 0 ? "," : "", cells / 2);
    return SS_OK;
}

int ss_poisson3d_halve(ss_config *cfg, ss_err *err)
{
    char text[SIZES_MOST * 6] = "";
    int sizes[SIZES_MOST], n = independent(cfg, sizes);
    if (n == 0)
        sizes[0] = (int)ss_config_int(cfg, "patch");
    for (int i = 0; i < n || i == 0; i++)
        if (append_half(sizes[i], text, sizeof text, err) != SS_OK)
            return SS_FAIL;
    return put(cfg, n > 0 ? "sizes" : "patch", text, err);
}

static bool is_mirrored(const ss_problem *p)
{
    return ss_config_int(p->cfg, "ghost") == 1;
}

/* The longest edge of the domain, or of the largest independent cube, has length 1. */
static void shape(const ss_config *cfg, ss_problem *out)
{
    int sizes[SIZES_MOST], count[3], n = independent(cfg, sizes), longest = 1;
    int cells = (int)ss_config_int(cfg, "patch");
    coupled(cfg, count);
    out->dim = 3;
    out->nx = count[0] * cells;
    out->ny = count[1] * cells;
    out->nz = count[2] * cells;
    for (int d = 0; d < 3 && n == 0; d++)
        longest = count[d] * cells > longest ? count[d] * cells : longest;
    if (n > 0)
        out->nx = 0;
    for (int i = 0; i < n; i++) {
        out->nx += sizes[i];
        longest = sizes[i] > longest ? sizes[i] : longest;
    }
    if (n > 0)
        out->ny = out->nz = longest;
    out->dx = out->dy = out->dz = 1.0 / (ss_config_int(cfg, "ghost") == 1 ? longest : longest + 1);
}

static int check(const ss_config *cfg, const ss_problem *p, ss_err *err)
{
    static const char *const others[] = {"px", "py", "pz"};
    int sizes[SIZES_MOST];
    const char *text = ss_config_text(cfg, "sizes");
    (void)p;
    if (!text)
        return SS_OK;
    if (parse_sizes(text, sizes, err) < 0)
        return SS_FAIL;
    for (int d = 0; d < 3; d++)
        if (ss_config_int(cfg, others[d]) > 1)
            return ss_fail(err, "%s: patches of a list of sizes are not coupled; give %s or sizes",
                           others[d], others[d]);
    if (ss_config_given(cfg, "patch"))
        return ss_fail(err, "patch: a list of sizes already sets the cells of each patch; give "
                            "patch or sizes");
    return SS_OK;
}

static void coefficients(const ss_problem *p, ss_coef *out)
{
    *out = (ss_coef){.residual = 1 / (p->dx * p->dx)};
    out->c[0] = is_mirrored(p) ? -1 : 0;
}

/* --- domains: independent boxes of cells ------------------------------------------------------ */

typedef struct domain {
    int n[3], x;    /* cells per direction; the window's x of the first cell */
    uint64_t first; /* the number of cells of all domains before it */
} domain;

static int domains(const ss_problem *p, domain out[SIZES_MOST])
{
    int sizes[SIZES_MOST] = {0}, n = independent(p->cfg, sizes), x = 0;
    uint64_t first = 0;
    if (n == 0) {
        out[0] = (domain){{p->nx, p->ny, p->nz}, 0, 0};
        return 1;
    }
    for (int i = 0; i < n; i++) {
        uint64_t cells = (uint64_t)sizes[i];
        out[i] = (domain){{sizes[i], sizes[i], sizes[i]}, x, first};
        x += sizes[i];
        first += cells * cells * cells;
    }
    return n;
}

/* Fills row (j, k) of a domain. */
typedef void row_fn(const ss_problem *p, const domain *d, int j, int k, double *row);

static void each_domain(const ss_problem *p, int j, int k, row_fn *fill, double *row)
{
    domain d[SIZES_MOST];
    int n = domains(p, d);
    memset(row, 0, (size_t)p->nx * sizeof *row);
    for (int i = 0; i < n; i++)
        if (j < d[i].n[1] && k < d[i].n[2])
            fill(p, &d[i], j, k, row + d[i].x);
}

static void random_row(const ss_problem *p, const domain *d, int j, int k, double *row)
{
    uint64_t line = (uint64_t)k * (uint64_t)d->n[1] + (uint64_t)j;
    uint64_t first = d->first + line * (uint64_t)d->n[0];
    for (int i = 0; i < d->n[0]; i++)
        row[i] = ss_random_unit(p->seed, first + (uint64_t)i);
}

/* Adds the wave of m[d] half periods in direction d. */
static void add_wave(const ss_problem *p, const domain *d, const int m[3], int j, int k,
                     double *row)
{
    bool mirror = is_mirrored(p);
    double yz = ss_mode_at(d->n[1], mirror, m[1], j) * ss_mode_at(d->n[2], mirror, m[2], k);
    for (int i = 0; i < d->n[0]; i++)
        row[i] += yz * ss_mode_at(d->n[0], mirror, m[0], i);
}

static void smooth_row(const ss_problem *p, const domain *d, int j, int k, double *row)
{
    static const int first[3] = {1, 1, 1};
    add_wave(p, d, first, j, k, row);
}

static void rough_row(const ss_problem *p, const domain *d, int j, int k, double *row)
{
    add_wave(p, d, d->n, j, k, row);
}

static void mixed_row(const ss_problem *p, const domain *d, int j, int k, double *row)
{
    for (int w = 0; w < 5; w++) {
        const int m[3] = {(d->n[0] >> w) + (w == 0 ? 0 : 1), (d->n[1] >> w) + (w == 0 ? 0 : 1),
                          (d->n[2] >> w) + (w == 0 ? 0 : 1)};
        add_wave(p, d, m, j, k, row);
    }
}

static void zero_row(const ss_problem *p, const domain *d, int j, int k, double *row)
{
    (void)p, (void)d, (void)j, (void)k, (void)row;
}

static void init(const ss_problem *p, int field, int j, int k, double *row)
{
    static row_fn *const starts[] = {[RANDOM] = random_row,
                                     [SOURCE] = zero_row,
                                     [SMOOTH] = smooth_row,
                                     [ROUGH] = rough_row,
                                     [MIXED] = mixed_row};
    (void)field;
    each_domain(p, j, k, starts[ss_config_int(p->cfg, "problem")], row);
}

/* --- the manufactured source ------------------------------------------------------------------ */

/* q(s) = 4 s (1 - s) exp(s - 1/2), which is 0 on both walls; below it -q''. */
static double bump(double s)
{
    return 4 * s * (1 - s) * ss_exp(s - 0.5);
}

static double bump_second(double s)
{
    return 4 * s * (3 + s) * ss_exp(s - 0.5);
}

/* u = q(x/Lx) q(y/Ly) q(z/Lz), f = -laplace u; the row is h^2 f. */
static void source_row(const ss_problem *p, const domain *d, int j, int k, double *row)
{
    bool mirror = is_mirrored(p);
    double shift = mirror ? 0.5 : 1, length[3];
    for (int c = 0; c < 3; c++)
        length[c] = d->n[c] + (mirror ? 0 : 1); /* in h */
    double y = (j + shift) / length[1], z = (k + shift) / length[2];
    double qy = bump(y), qz = bump(z);
    double dy = bump_second(y) / (length[1] * length[1]),
           dz = bump_second(z) / (length[2] * length[2]);
    for (int i = 0; i < d->n[0]; i++) {
        double x = (i + shift) / length[0], qx = bump(x);
        double dx = bump_second(x) / (length[0] * length[0]);
        row[i] = dx * qy * qz + qx * dy * qz + qx * qy * dz;
    }
}

static void rhs(const ss_problem *p, int field, int j, int k, double *row)
{
    (void)field;
    each_domain(p, j, k, ss_config_int(p->cfg, "problem") == SOURCE ? source_row : zero_row, row);
}

/* --- u* --------------------------------------------------------------------------------------- */

/* Copies a domain from the window to a dense array, or back. */
static void copy_domain(const ss_problem *p, const domain *d, double *window, double *dense,
                        bool back)
{
    for (int k = 0; k < d->n[2]; k++)
        for (int j = 0; j < d->n[1]; j++, dense += d->n[0]) {
            double *at = window + ((size_t)k * (size_t)p->ny + (size_t)j) * (size_t)p->nx + d->x;
            memcpy(back ? at : dense, back ? dense : at, (size_t)d->n[0] * sizeof *dense);
        }
}

static void divide(const ss_modes m[3], double *u)
{
    for (int k = 0; k < m[2].n; k++)
        for (int j = 0; j < m[1].n; j++)
            for (int i = 0; i < m[0].n; i++)
                *u++ /= m[0].lambda[i] + m[1].lambda[j] + m[2].lambda[k];
}

/* Fast diagonalisation in one domain: u holds h^2 f, then the solution. */
static int solve(const ss_problem *p, const domain *d, double *u, ss_err *err)
{
    ss_modes modes[3];
    int rc = SS_FAIL;
    if (ss_modes_make(modes, d->n, is_mirrored(p), err) != SS_OK)
        return SS_FAIL;
    double *work = ss_alloc(ss_modes_work(modes) * sizeof *work, "direct solver", err);
    if (work && ss_modes_transform(modes, false, u, work, err) == SS_OK) {
        divide(modes, u);
        rc = ss_modes_transform(modes, true, u, work, err);
    }
    free(work);
    ss_modes_free(modes);
    return rc;
}

static size_t cells_of(const domain *d)
{
    return (size_t)d->n[0] * (size_t)d->n[1] * (size_t)d->n[2];
}

static int exact(const ss_problem *p, const double *g, double *u, ss_err *err)
{
    domain d[SIZES_MOST];
    int n = domains(p, d), rc = SS_OK;
    size_t window = (size_t)p->nx * (size_t)p->ny * (size_t)p->nz, most = 0;
    if (n == 1) {
        memcpy(u, g, window * sizeof *u);
        return solve(p, d, u, err);
    }
    for (int i = 0; i < n; i++)
        most = cells_of(&d[i]) > most ? cells_of(&d[i]) : most;
    double *dense = ss_alloc(most * sizeof *dense, "direct solver", err);
    for (size_t i = 0; i < window; i++)
        u[i] = (double)NAN; /* outside all patches */
    for (int i = 0; i < n && rc == SS_OK; i++) {
        rc = dense ? SS_OK : SS_FAIL;
        if (dense) {
            copy_domain(p, &d[i], (double *)(uintptr_t)g, dense, false);
            rc = solve(p, &d[i], dense, err);
            copy_domain(p, &d[i], u, dense, true);
        }
    }
    free(dense);
    return rc;
}

static void exact_cost(const ss_problem *p, double *bytes, double *operations)
{
    domain d[SIZES_MOST];
    int n = domains(p, d);
    *bytes = *operations = 0;
    for (int i = 0; i < n; i++) {
        double cells = (double)cells_of(&d[i]), sum = 0, most = 0;
        for (int c = 0; c < 3; c++) {
            sum += d[i].n[c];
            most = fmax(most, d[i].n[c]);
        }
        *bytes = fmax(*bytes, 8 * (sum * most + (n > 1 ? cells : 0)));
        *operations += 4 * cells * sum;
    }
}

const ss_equation ss_eq_poisson3d = {
    .name = "poisson3d",
    .title = "3D Poisson",
    .help = "-u_xx - u_yy - u_zz = f on patches of cells, each with ghost cells of its own",
    .dim = 3,
    .nfield = 1,
    .nstage = 1,
    .radius = 1,
    .kind = SS_STEADY,
    .bc = SS_BC_GHOST,
    .origin = 0.5,
    SS_PARAMS(params),
    .shape = shape,
    .coef = coefficients,
    .init = init,
    .rhs = rhs,
    .exact = exact,
    .exact_cost = exact_cost,
    .patches = patches,
    .check = check,
    .solver = "block-jacobi",
    .flops = 9,
    .reads = 8,
    .writes = 1,
};
