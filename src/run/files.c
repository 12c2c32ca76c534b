/* Reads and writes a run's arrays as NumPy files: see run.h. Engine thread only. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/file.h"
#include "src/core/registry.h"
#include "src/run/parts.h"

/* Shape of the run's arrays in a file: (n,), (ny, n), (nz, ny, n), or (fields, n). */
static ss_npy_shape file_shape(const ss_run *run)
{
    const ss_problem *p = &run->problem;
    int rows = p->nfield > 1 ? p->nfield : p->ny;
    int n[3] = {p->nz, rows, p->nx}, dims = p->nz > 1 ? 3 : rows > 1 || run->eq->dim > 1 ? 2 : 1;
    ss_npy_shape s = {.ndim = dims, .prec = run->prec};
    for (int i = 0; i < dims; i++)
        s.dim[i] = n[3 - dims + i];
    return s;
}

/* n, and in 2D ny, of a run that has arrays of this shape; returns how many, 0: there is none. */
static int fitting_points(const ss_equation *eq, const ss_problem *p, const ss_npy_shape *file,
                          int64_t n[2])
{
    int64_t dim[3] = {0};
    int dims = 0, want = p->nfield > 1 || eq->dim > 1 ? 2 : 1;
    for (int i = 0; i < file->ndim; i++)
        if (file->dim[i] > 1)
            dim[dims++] = file->dim[i];
    if (dims != want || eq->dim > 2 || (p->nfield > 1 && dim[0] != p->nfield))
        return 0;
    n[0] = dim[dims - 1], n[1] = dim[0];
    return eq->dim;
}

/* The options for it. */
static const char *fitting_options(const ss_run *run, const ss_npy_shape *file, char *buf,
                                   size_t size)
{
    int64_t n[2] = {0};
    int rows = fitting_points(run->eq, &run->problem, file, n);
    *buf = '\0';
    if (rows > 0)
        snprintf(buf, size, rows == 1 ? ": it fits --n %lld" : ": it fits --n %lld --ny %lld",
                 (long long)n[0], (long long)n[1]);
    return buf;
}

/* Raises *largest to the largest |value|. */
static int check_finite(const char *path, const double *row, int n, int j, double *largest,
                        ss_err *err)
{
    for (int i = 0; i < n; i++) {
        if (!isfinite(row[i]))
            return ss_fail(err, "%s: the value at row %d, column %d is not finite", path, j, i);
        *largest = fmax(*largest, fabs(row[i]));
    }
    return SS_OK;
}

/* The norm is a sum of squares in double: beyond these limits it would be infinite, or 0 while the
 * residual is not, and the run would diverge or converge at once. Steady equations are linear. */
static int check_size(const ss_run *run, const char *path, double factor, double largest,
                      ss_err *err)
{
    static const struct limits {
        double least, most;
        const char *below, *above;
    } limits[] = {[SS_F64] = {1e-140, 1e140, "whose squares underflow", "whose squares overflow"},
                  [SS_F32] = {FLT_MIN, FLT_MAX, "which underflows in single precision",
                              "which overflows in single precision"}};
    const struct limits *l = &limits[run->prec];
    double scaled = largest * fabs(factor);
    const char *why = scaled > l->most ? l->above : scaled < l->least ? l->below : NULL;
    if (!why || !(largest > 0) || run->eq->kind != SS_STEADY)
        return SS_OK;
    return ss_fail(err,
                   "%s: the largest value is %g, %s: multiply the array by a power of ten, and the "
                   "solution is multiplied by it too",
                   path, largest, why);
}

/* The patches that cover the window; list NULL: the window is one box. Free the list. */
typedef struct cover {
    ss_patch *list;
    ss_patch_rows rows;
} cover;

static int make_cover(const ss_run *run, cover *out, ss_err *err)
{
    int n = run->eq->patches ? run->eq->patches(&run->problem, NULL) : 0;
    *out = (cover){NULL};
    if (n == 0)
        return SS_OK;
    out->list = ss_alloc((size_t)n * sizeof *out->list, "the list of patches", err);
    if (!out->list)
        return SS_FAIL;
    run->eq->patches(&run->problem, out->list);
    out->rows = ss_patches_rows(out->list, n);
    return SS_OK;
}

/* Window cells outside all patches have no value: they are saved as NaN and ignored in a file. Sets
 * them to 0. */
static void blank_gaps(const cover *c, int j, int k, double *row, int n)
{
    const ss_patch *p = c->list ? c->list + ss_patch_rows_at(&c->rows, j, k) : NULL;
    int x = 0;
    for (int q = 0; p && q < c->rows.count[0]; q++) { /* the patches of a row are ordered by x */
        if (ss_patch_row(&p[q], j, k) < 0)
            continue;
        for (; x < p[q].at[0]; x++)
            row[x] = 0;
        x = p[q].at[0] + p[q].box.nx;
    }
    for (; p && x < n; x++)
        row[x] = 0;
}

static void convert_row(ss_prec prec, double *row, int n, double factor)
{
    for (int i = 0; i < n; i++)
        row[i] *= factor;
    if (prec == SS_F32)
        for (int i = 0; i < n; i++) {
            float v = (float)row[i];
            memcpy((char *)row + (size_t)i * sizeof v, &v, sizeof v);
        }
}

/* Position in the field of row `at` of a file. */
typedef struct place {
    int field, k, j;
} place;

static place place_of(const ss_problem *p, int at)
{
    return (place){at / (p->ny * p->nz), at / p->ny % p->nz, at % p->ny};
}

static int rows_of(const ss_problem *p)
{
    return p->nfield * p->nz * p->ny;
}

/* What the first pass over a file looks at. */
typedef struct check {
    cover gaps;
    double largest; /* |value| */
} check;

/* Reads row `at` of a file and uploads it to `which`. With `first` it only checks that the values
 * are finite, and finds the largest. */
static int read_row(ss_run *run, ss_npy *f, int at, int which, const char *path, double factor,
                    check *first, double *row, ss_err *err)
{
    const ss_problem *p = &run->problem;
    place to = place_of(p, at);
    if (ss_npy_read(f, row, (size_t)p->nx, err) != SS_OK)
        return SS_FAIL;
    if (first) {
        blank_gaps(&first->gaps, to.j, to.k, row, p->nx);
        return check_finite(path, row, p->nx, to.j + to.field * p->ny, &first->largest, err);
    }
    convert_row(run->prec, row, p->nx, factor);
    return run->backend->upload(run, which, to.field, to.k, to.j, to.j + 1, row, err);
}

/* One pass over the file. */
static int read_rows(ss_run *run, int which, const char *path, double factor, check *first,
                     ss_err *err)
{
    ss_npy_shape want = file_shape(run), got;
    char a[64], b[64], fits[64];
    double *row = ss_alloc((size_t)run->problem.nx * sizeof *row, "a row", err);
    ss_npy *f = row ? ss_npy_open(path, &got, err) : NULL;
    int status = f ? SS_OK : SS_FAIL;
    if (f && !ss_npy_same_shape(&got, &want))
        status =
            ss_fail(err, "%s holds %s values, but the run needs %s%s", path,
                    ss_npy_shape_text(&got, a, sizeof a), ss_npy_shape_text(&want, b, sizeof b),
                    fitting_options(run, &got, fits, sizeof fits));
    for (int at = 0; at < rows_of(&run->problem) && status == SS_OK; at++)
        status = read_row(run, f, at, which, path, factor, first, row, err);
    ss_npy_close(f, false, NULL);
    free(row);
    return status;
}

/* The array of a state may be of any size: its first norm is known. */
int ss_array_check(ss_run *run, const char *path, double factor, bool is_state, ss_err *err)
{
    check first = {.largest = 0};
    int status = make_cover(run, &first.gaps, err);
    if (status == SS_OK)
        status = read_rows(run, 0, path, factor, &first, err);
    if (status == SS_OK && !is_state)
        status = check_size(run, path, factor, first.largest, err);
    free(first.gaps.list);
    return status;
}

/* Reads a whole array into `which` (0 field, 1 right-hand side), multiplied by factor. It is
 * checked first, so a bad file leaves the run unchanged. */
int ss_array_read(ss_run *run, int which, const char *path, double factor, bool is_state,
                  ss_err *err)
{
    if (ss_array_check(run, path, factor, is_state, err) != SS_OK)
        return SS_FAIL;
    return read_rows(run, which, path, factor, NULL, err);
}

int ss_run_fit_points(ss_config *cfg, const char *path, ss_err *err)
{
    static const char *const names[] = {"n", "ny"};
    int64_t n[2];
    char text[32];
    ss_npy_shape shape;
    ss_problem p;
    int rows = 0, status = SS_OK;
    for (int i = 0; i < 2; i++) {
        bool applies;
        const ss_param *row = ss_param_find(cfg, names[i], &applies);
        if (applies && cfg->v[row->slot].set)
            return SS_OK;
    }
    ss_npy *f = ss_npy_open(path, &shape, NULL); /* whoever reads it says what is wrong */
    p = ss_config_problem(cfg);
    if (f)
        rows = fitting_points(ss_config_equation(cfg), &p, &shape, n);
    ss_npy_close(f, false, NULL);
    for (int i = 0; i < rows && status == SS_OK; i++) {
        snprintf(text, sizeof text, "%lld", (long long)n[i]);
        if (i == 0 || n[1] != n[0])
            status = ss_config_set(cfg, names[i], text, err);
    }
    return status;
}

/* From an array, or from a saved state: the one that the run continues from, or another one. */
static int read_rhs(ss_run *run, ss_saved *state, ss_err *err)
{
    ss_saved *other = NULL;
    if (state && run->rhs && strcmp(run->rhs, run->load) != 0)
        return ss_fail_outside(err, "%.120s has its own right-hand side: leave out --rhs %.120s",
                               run->load, run->rhs);
    if (state && ss_saved_has_rhs(state))
        run->rhs = run->load;
    if (!run->rhs)
        return SS_OK;
    if (!run->eq->rhs)
        return ss_fail(err, "--rhs: %s has no right-hand side", run->eq->name);
    if (state)
        return ss_saved_put_rhs(state, run, err);
    int status = ss_saved_open(run->rhs, &other, err);
    if (status == SS_OK && other && (status = ss_saved_suits(other, run, err)) == SS_OK)
        status = ss_saved_put_rhs(other, run, err);
    else if (status == SS_OK)
        status = ss_array_read(run, 1, run->rhs, 1 / run->coef.residual, false, err);
    ss_saved_close(other);
    return status;
}

int ss_run_read_inputs(ss_run *run, ss_saved **state, ss_err *err)
{
    *state = NULL;
    int status = run->load ? ss_saved_open(run->load, state, err) : SS_OK;
    if (*state)
        status = ss_saved_suits(*state, run, err);
    if (status == SS_OK)
        status = read_rhs(run, *state, err);
    if (status == SS_OK && run->load)
        status = ss_array_read(run, 0, run->load, 1, *state != NULL, err);
    if (status == SS_OK)
        return SS_OK;
    ss_saved_close(*state);
    *state = NULL;
    return SS_FAIL;
}

/* By the processes that hold the fields. False: they cannot. */
static bool write_there(ss_run *run, ss_npy *f, size_t row_bytes)
{
    int64_t begin;
    const char *path = run->backend->write ? ss_npy_place(f, &begin) : NULL;
    return path && run->backend->write(run, path, begin, NULL) == SS_OK &&
           ss_npy_skip(f, (int64_t)row_bytes * rows_of(&run->problem), NULL) == SS_OK;
}

static int write_rows(ss_run *run, ss_npy *f, void *row, size_t bytes, ss_err *err)
{
    const ss_problem *p = &run->problem;
    int status = SS_OK;
    if (write_there(run, f, bytes))
        return SS_OK;
    for (int at = 0; at < rows_of(p) && status == SS_OK; at++) {
        place from = place_of(p, at);
        status = run->backend->download(run, 0, from.field, from.k, from.j, from.j + 1, row, err);
        if (status == SS_OK)
            status = ss_npy_write(f, row, bytes, err);
    }
    return status;
}

int ss_run_save(ss_run *run, const char *path, ss_err *err)
{
    ss_npy_shape shape = file_shape(run);
    size_t bytes = (size_t)run->problem.nx * ss_prec_size(run->prec);
    int status = SS_FAIL;
    double before = run->seconds_download;
    void *row = ss_alloc(bytes, "a row", err);
    ss_npy *f = row ? ss_npy_create(path, &shape, err) : NULL;
    if (f) {
        status = write_rows(run, f, row, bytes, err);
        if (status == SS_OK && ss_saved_is_name(path))
            status = ss_saved_write(run, f, err);
        if (status == SS_OK)
            run->seconds_field_down = run->seconds_download - before;
        int closed = ss_npy_close(f, status == SS_OK, err);
        status = status == SS_OK ? closed : status;
    }
    free(row);
    return status;
}
