/* The spectrum of the error: see bands.h. */
#include "src/snapshot/bands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/eq/modes.h"
#include "src/core/run.h"

/* A box of cells that is not coupled to any other; `at`: its first cell in the window. */
typedef struct domain {
    int n[3], at[3];
} domain;

/* Coupled patches count as one domain. Returns the number; out has room for one per patch. */
static int find_domains(const ss_run *run, const ss_patch *patch, int patches, domain *out)
{
    const ss_problem *p = &run->problem;
    bool coupled = patches == 1;
    for (int q = 0; q < patches; q++) {
        const ss_box *b = &patch[q].box;
        out[q] = (domain){{b->nx, b->ny, b->nz}, {patch[q].at[0], patch[q].at[1], patch[q].at[2]}};
        for (int s = 0; s < 6; s++)
            coupled = coupled || patch[q].side[s] != SS_WALL_SIDE;
    }
    if (coupled)
        out[0] = (domain){{p->nx, p->ny, p->nz}, {0, 0, 0}};
    return coupled ? 1 : patches;
}

/* A plane of the field as doubles. */
static int read_plane(ss_run *run, bool start, int k, double *plane, ss_err *err)
{
    const ss_problem *p = &run->problem;
    size_t cells = (size_t)p->nx * (size_t)p->ny;
    for (int j = 0; j < p->ny && start; j++)
        run->eq->init(p, 0, j, k, plane + (size_t)j * (size_t)p->nx);
    if (start)
        return SS_OK;
    if (run->backend->download(run, 0, 0, k, 0, p->ny, plane, err) != SS_OK)
        return SS_FAIL;
    for (size_t c = cells; run->prec == SS_F32 && c-- > 0;) { /* in place, from the end */
        float narrow;
        memcpy(&narrow, (const char *)plane + c * sizeof narrow, sizeof narrow);
        plane[c] = (double)narrow;
    }
    return SS_OK;
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

static int band_of(const domain *d, int i, int j, int k, int bands)
{
    double x = (i + 1.0) / d->n[0], y = (j + 1.0) / d->n[1], z = (k + 1.0) / d->n[2];
    int band = (int)ceil(fmax(x, fmax(y, z)) * bands - 1e-9) - 1;
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

static int add_domain(ss_run *run, const domain *d, const double *window, ss_bands *out,
                      double *count, ss_err *err)
{
    ss_modes modes[3];
    size_t cells = (size_t)d->n[0] * (size_t)d->n[1] * (size_t)d->n[2];
    int rc = SS_FAIL;
    if (ss_modes_make(modes, d->n, run->coef.c[0] < 0, err) != SS_OK)
        return SS_FAIL;
    double *u = ss_alloc((cells + ss_modes_work(modes)) * sizeof *u, "the spectrum", err);
    if (u) {
        take_domain(run, d, window, u);
        rc = ss_modes_transform(modes, false, u, u + cells, err);
    }
    if (rc == SS_OK)
        add_modes(d, u, out, count);
    free(u);
    ss_modes_free(modes);
    return rc;
}

/* Half the number of modes in the shortest direction, within 4..SS_BAND_MAX / 2. */
static int band_count(const domain *d, int n)
{
    int least = d[0].n[0];
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            least = d[i].n[c] < least ? d[i].n[c] : least;
    least = (least + 1) / 2;
    return least < 4 ? 4 : least < SS_BAND_MAX / 2 ? least : SS_BAND_MAX / 2;
}

int ss_bands_measure(ss_run *run, const double *exact, bool start, ss_bands *out, ss_err *err)
{
    const ss_problem *p = &run->problem;
    int patches = run->eq->patches(p, NULL), rc = SS_FAIL;
    double count[SS_BAND_MAX] = {0};
    ss_patch *patch = ss_alloc((size_t)patches * sizeof *patch, "the list of patches", err);
    domain *d = patch ? ss_alloc((size_t)patches * sizeof *d, "the list of patches", err) : NULL;
    size_t cells = (size_t)p->nx * (size_t)p->ny * (size_t)p->nz;
    double *window = d ? ss_alloc(cells * sizeof *window, "the error", err) : NULL;
    memset(out, 0, sizeof *out);
    if (window) {
        run->eq->patches(p, patch);
        int n = find_domains(run, patch, patches, d);
        out->n = band_count(d, n);
        rc = read_error(run, exact, start, window, err);
        double scale = scale_down(window, cells);
        for (int i = 0; i < n && rc == SS_OK; i++)
            rc = add_domain(run, &d[i], window, out, count, err);
        for (int b = 0; b < out->n; b++)
            out->rms[b] = count[b] > 0 ? scale * sqrt(out->rms[b] / count[b]) : (double)NAN;
    }
    out->n = rc == SS_OK ? out->n : 0;
    free(window);
    free(d);
    free(patch);
    return rc;
}
