/* The spectrum of the error: see src/snapshot/snapshot.h. */
#include "src/snapshot/snapshot.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/eq/sine.h"
#include "src/run/copy.h"

/* A box of cells that is not coupled to any other; `at`: its first cell in the window. */
typedef struct domain {
    int n[3], at[3];
} domain;

/* Most operations of a transform, so that it takes about a tenth of a second, and most points of a
 * direction, whose modes are a square matrix. */
#define OPERATIONS_MAX 4.5e9
#define DIRECTION_MAX 2048

/* Rows of a 1D problem are copies: domains of their own. Coupled patches count as one domain. */
static int domains_most(const ss_run *run)
{
    const ss_problem *p = &run->problem;
    return run->eq->patches ? run->eq->patches(p, NULL) : p->dim == 1 ? p->ny : 1;
}

static int find_rows(const ss_problem *p, domain *out)
{
    int n = p->dim == 1 ? p->ny : 1;
    for (int i = 0; i < n; i++)
        out[i] = (domain){{p->nx, p->dim == 1 ? 1 : p->ny, p->nz}, {0, i, 0}};
    return n;
}

/* Returns the number; out has room for domains_most. < 0: out of memory. */
static int find_domains(const ss_run *run, domain *out, ss_err *err)
{
    const ss_problem *p = &run->problem;
    if (!run->eq->patches)
        return find_rows(p, out);
    int patches = domains_most(run);
    bool coupled = patches == 1;
    ss_patch *patch = ss_alloc((size_t)patches * sizeof *patch, "the list of patches", err);
    if (!patch)
        return -1;
    run->eq->patches(p, patch);
    for (int q = 0; q < patches; q++) {
        const ss_box *b = &patch[q].box;
        out[q] = (domain){{b->nx, b->ny, b->nz}, {patch[q].at[0], patch[q].at[1], patch[q].at[2]}};
        for (int s = 0; s < 6; s++)
            coupled = coupled || patch[q].side[s] != SS_WALL_SIDE;
    }
    free(patch);
    if (coupled)
        out[0] = (domain){{p->nx, p->ny, p->nz}, {0, 0, 0}};
    return coupled ? 1 : patches;
}

bool ss_bands_fit(const ss_problem *p)
{
    const int n[3] = {p->nx, p->dim == 1 ? 1 : p->ny, p->nz};
    double cells = (double)p->nx * p->ny * p->nz, per_cell = 0;
    for (int d = 0; d < 3; d++) {
        if (n[d] > DIRECTION_MAX)
            return false;
        per_cell += n[d] > 1 ? 2.0 * n[d] : 0;
    }
    return cells * per_cell <= OPERATIONS_MAX && cells <= SS_BAND_CELLS;
}

/* A plane of the field as doubles. */
static int read_plane(ss_run *run, bool start, int k, double *plane, ss_err *err)
{
    const ss_problem *p = &run->problem;
    for (int j = 0; j < p->ny && start; j++)
        run->eq->init(p, 0, j, k, plane + (size_t)j * (size_t)p->nx);
    return start ? SS_OK : ss_run_doubles(run, run->peek > 0 ? 2 : 0, k, 1, plane, err);
}

/* Scales the error to magnitudes below 1 by a power of two, and returns its inverse. Without it a
 * well smoothed error becomes denormal, which slows arithmetic down a hundredfold. Ignores NaN. */
static double scale_down(double *error, size_t cells)
{
    double most = 0;
    int power;
    for (size_t c = 0; c < cells; c++)
        most = fabs(error[c]) > most ? fabs(error[c]) : most;
    frexp(most, &power);
    for (size_t c = 0; c < cells; c++)
        error[c] = ldexp(error[c], -power);
    return ldexp(1, power);
}

/* The error u - exact in the whole window; start: that of the initial field. */
static int read_error(ss_run *run, const double *exact, bool start, double *error, ss_err *err)
{
    const ss_problem *p = &run->problem;
    size_t plane = (size_t)p->nx * (size_t)p->ny;
    for (int k = 0; k < p->nz; k++) {
        double *to = error + (size_t)k * plane;
        if (read_plane(run, start, k, to, err) != SS_OK)
            return SS_FAIL;
        for (size_t c = 0; c < plane; c++)
            to[c] -= exact[(size_t)k * plane + c];
    }
    return SS_OK;
}

static void take_domain(const ss_run *run, const domain *d, const double *window, double *out)
{
    const ss_problem *p = &run->problem;
    for (int k = 0; k < d->n[2]; k++)
        for (int j = 0; j < d->n[1]; j++, out += d->n[0]) {
            size_t row = (size_t)(k + d->at[2]) * (size_t)p->ny + (size_t)(j + d->at[1]);
            memcpy(out, window + row * (size_t)p->nx + d->at[0], (size_t)d->n[0] * sizeof *out);
        }
}

/* The highest frequency of a mode; a direction of one point has none. */
static int band_of(const domain *d, int i, int j, int k, int bands)
{
    const int at[3] = {i, j, k};
    double highest = 0;
    for (int c = 0; c < 3; c++)
        if (d->n[c] > 1)
            highest = fmax(highest, (at[c] + 1.0) / d->n[c]);
    int band = (int)ceil(highest * bands - 1e-9) - 1;
    return band < 0 ? 0 : band < bands ? band : bands - 1;
}

static void add_modes(const domain *d, const double *mode, ss_bands *out, double *count)
{
    for (int k = 0; k < d->n[2]; k++)
        for (int j = 0; j < d->n[1]; j++)
            for (int i = 0; i < d->n[0]; i++, mode++) {
                int b = band_of(d, i, j, k, out->n);
                out->rms[b] += *mode * *mode;
                count[b]++;
            }
}

/* The modes of a domain; those of the last one again if it has the same size. */
static int modes_of(const ss_run *run, const domain *d, ss_modes modes[3], ss_err *err)
{
    bool mirror = run->eq->patches && run->coef.c[0] < 0;
    if (modes[0].basis && modes[0].n == d->n[0] && modes[1].n == d->n[1] && modes[2].n == d->n[2])
        return SS_OK;
    ss_modes_free(modes);
    return ss_modes_make(modes, d->n, mirror, err);
}

static int add_domain(const ss_run *run, const domain *d, ss_modes modes[3], const double *window,
                      ss_bands *out, double *count, ss_err *err)
{
    size_t cells = (size_t)d->n[0] * (size_t)d->n[1] * (size_t)d->n[2];
    int rc = SS_FAIL;
    if (modes_of(run, d, modes, err) != SS_OK)
        return SS_FAIL;
    double *u = ss_alloc((cells + ss_modes_work(modes)) * sizeof *u, "the spectrum", err);
    if (u) {
        take_domain(run, d, window, u);
        rc = ss_modes_transform(modes, false, u, u + cells, err);
    }
    if (rc == SS_OK)
        add_modes(d, u, out, count);
    free(u);
    return rc;
}

/* Half the number of modes in the shortest direction, within 4..SS_BAND_MAX / 2. */
static int band_count(const domain *d, int n)
{
    int least = INT_MAX;
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            least = d[i].n[c] > 1 && d[i].n[c] < least ? d[i].n[c] : least;
    least = least / 2 + least % 2;
    return least < 4 ? 4 : least < SS_BAND_MAX / 2 ? least : SS_BAND_MAX / 2;
}

static int add_domains(const ss_run *run, const domain *d, int n, double *window, ss_bands *out,
                       ss_err *err)
{
    const ss_problem *p = &run->problem;
    double count[SS_BAND_MAX] = {0};
    double scale = scale_down(window, (size_t)p->nx * (size_t)p->ny * (size_t)p->nz);
    ss_modes modes[3] = {{0}};
    int rc = SS_OK;
    out->n = band_count(d, n);
    for (int i = 0; i < n && rc == SS_OK; i++)
        rc = add_domain(run, &d[i], modes, window, out, count, err);
    for (int b = 0; b < out->n; b++)
        out->rms[b] = count[b] > 0 ? scale * sqrt(out->rms[b] / count[b]) : (double)NAN;
    ss_modes_free(modes);
    return rc;
}

int ss_bands_measure(ss_run *run, const double *exact, bool start, ss_bands *out, ss_err *err)
{
    const ss_problem *p = &run->problem;
    int rc = SS_FAIL;
    domain *d = ss_alloc((size_t)domains_most(run) * sizeof *d, "the list of domains", err);
    size_t cells = (size_t)p->nx * (size_t)p->ny * (size_t)p->nz;
    double *window = d ? ss_alloc(cells * sizeof *window, "the error", err) : NULL;
    memset(out, 0, sizeof *out);
    int n = window ? find_domains(run, d, err) : -1;
    if (n > 0)
        rc = read_error(run, exact, start, window, err);
    if (rc == SS_OK)
        rc = add_domains(run, d, n, window, out, err);
    out->n = rc == SS_OK ? out->n : 0;
    free(window);
    free(d);
    return rc;
}
