/*
 * Sweeps on a part of a field, from a copy of it: exactly, on the shrinking domain of dependence,
 * or with a frozen halo, as a subdomain computes. Their difference is the staleness of a picture
 * (kernels/sample) and of the cone. Steady equations on lines and planes; rows of lines are
 * independent copies. Engine thread.
 */
#ifndef SS_TRACE_H
#define SS_TRACE_H

#include "src/core/run.h"

/* Points [x0, x1) x [y0, y1). */
typedef struct ss_area {
    int x0, y0, x1, y1;
} ss_area;

static inline double ss_area_points(ss_area a)
{
    return (double)(a.x1 - a.x0) * (a.y1 - a.y0);
}

/* Rows of values in the run's precision, from which a trace starts or takes its right-hand side. */
typedef struct ss_trace_rows {
    const char *data; /* the value at (x0, y0) */
    ptrdiff_t stride; /* values between rows */
    int x0, y0;
} ss_trace_rows;

/* A double buffer over a part of the field; zeroed: empty. */
typedef struct ss_trace {
    char *now, *next;
    size_t capacity;
    int x0, y0; /* the point at element 0 */
    ptrdiff_t stride;
} ss_trace;

/* a, widened by `by` stencil radii on each side and clipped to the domain, or with `halo` to the
 * domain and its halo. */
ss_area ss_trace_widen(const ss_run *run, ss_area a, int by, bool halo);
/* Makes room for area a, and loads `known`, a part of it, into both buffers. New room is zero. */
int ss_trace_load(const ss_run *run, const ss_trace_rows *from, ss_area a, ss_area known,
                  ss_trace *t, ss_err *err);
void ss_trace_free(ss_trace *t);
/* One sweep of area a, which is then `now`. */
void ss_trace_sweep(const ss_run *run, const ss_trace_rows *rhs, ss_area a, ss_trace *t);
/* The values of a row, from point (x, y) on. */
const char *ss_trace_at(const ss_run *run, const ss_trace *t, int x, int y);

#endif
