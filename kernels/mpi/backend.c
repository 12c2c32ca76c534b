/*
 * The backend mpi: a run whose field is divided among ranks. It forwards to them. Of pictures,
 * values and residuals are folded by the ranks, each over its own points; for everything else the
 * points are fetched (kernels/sample/parts.h). Engine thread.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/mpi/inner.h"
#include "src/core/registry.h"

/* --- configs ---------------------------------------------------------------------------------- */

int ss_mpi_probe(ss_err *err)
{
    char path[1100];
    return ss_job_program(path, sizeof path, err);
}

/* Was another value of this row given by the user? */
static bool differs(const ss_config *cfg, const char *name, int value)
{
    bool applies;
    const ss_param *row = ss_param_find(cfg, name, &applies);
    const ss_value *v = applies ? &cfg->v[row->slot] : NULL;
    return v && v->set && !v->derived && v->i != value;
}

static void set_row(ss_config *cfg, const char *name, int value)
{
    bool applies;
    const ss_param *row = ss_param_find(cfg, name, &applies);
    if (applies)
        cfg->v[row->slot] = (ss_value){.i = value, .set = true, .derived = true};
}

/* Where ranks are tiles, the blocks follow from their number: everybody who asks the config for the
 * subdomains finds those of the ranks. */
int ss_mpi_check(ss_config *cfg, ss_err *err)
{
    ss_part_setup setup = ss_mpi_setup(cfg);
    int ranks = (int)ss_config_int(cfg, "ranks");
    if (ss_part_check(&setup, ranks, err) != SS_OK)
        return SS_FAIL;
    if (!ss_part_is_tiled(&setup))
        return SS_OK;
    ss_tiling t = ss_part_tiling(&setup, ranks);
    if (differs(cfg, "block", t.x.block) || differs(cfg, "block-y", t.y.block))
        return ss_fail(
            err,
            "block: with %d ranks a block is a rank's part, %d \xc3\x97 %d points: choose block "
            "%d and block-y %d, or leave both out",
            ranks, t.x.block, t.y.block, t.x.block, t.y.block);
    int overlap = t.x.overlap, overlap_y = t.y.overlap;
    set_row(cfg, "block", t.x.block);
    set_row(cfg, "block-y", t.y.block);
    set_row(cfg, "overlap", overlap);
    set_row(cfg, "overlap-y", overlap_y);
    return SS_OK;
}

/* What the ranks said they compute on, at the last open or configuration. Any thread. */
static pthread_mutex_t device_lock = PTHREAD_MUTEX_INITIALIZER;
static int device_ranks; /* protected by device_lock, as is: */
static char device[320]; /* empty: CPU threads, as a matter of course */

static void keep_device(const ss_config *cfg, const char *text)
{
    pthread_mutex_lock(&device_lock);
    device_ranks = (int)ss_config_int(cfg, "ranks");
    snprintf(device, sizeof device, "%s", text);
    pthread_mutex_unlock(&device_lock);
}

void ss_mpi_describe(const ss_config *cfg, char *buf, size_t size)
{
    const char *hosts = ss_config_text(cfg, "hosts");
    int ranks = (int)ss_config_int(cfg, "ranks");
    pthread_mutex_lock(&device_lock);
    bool known = device[0] && device_ranks == ranks;
    snprintf(buf, size, "%d MPI rank%s%s%s%s%s", ranks, ranks == 1 ? "" : "s", hosts ? " on " : "",
             hosts ? hosts : "", known ? ", " : "", known ? device : "");
    pthread_mutex_unlock(&device_lock);
}

/* "name value" lines of all rows that were given and concern the run. */
static char *config_text(const ss_config *cfg, ss_err *err)
{
    char *text = NULL, value[1100];
    size_t size;
    FILE *out = open_memstream(&text, &size);
    /* These are in force whether or not they were given, and decide which other rows apply. */
    if (out)
        fprintf(out, "equation %s\nsolver %s\nbackend %s\n", ss_config_equation(cfg)->name,
                ss_config_solver(cfg)->name, ss_config_backend(cfg)->name);
    for (int i = 0; out && i < ss_param_count(); i++) {
        bool applies;
        const ss_param *row = ss_param_find(cfg, ss_param_row(i)->name, &applies);
        if (!applies || !cfg->v[row->slot].set || row->flags & SS_P_APP)
            continue;
        fprintf(out, "%s %s\n", row->name,
                ss_param_format(row, ss_config_value(cfg, row), value, sizeof value));
    }
    if (!out || fclose(out) != 0) {
        ss_fail(err, "out of memory");
        free(text);
        return NULL;
    }
    return text;
}

/* --- calls ------------------------------------------------------------------------------------ */

/* A command without payloads but for its text. */
static int call(ss_run *run, const ss_mpi_command *c, const char *text, ss_mpi_reply *reply,
                ss_err *err)
{
    ss_mpi_command with = *c;
    with.bytes = text ? strlen(text) : 0;
    return ss_job_call(ss_mpi_of(run)->job, &with, text, reply, NULL, 0, NULL, err);
}

static int simple(ss_run *run, int verb, const char *text, ss_err *err)
{
    ss_mpi_reply reply;
    return call(run, &(ss_mpi_command){.verb = verb}, text, &reply, err);
}

/* OPEN or CONFIGURE, with a config. */
static int set_up(ss_run *run, int verb, const char *text, ss_err *err)
{
    ss_mpi_reply reply;
    if (call(run, &(ss_mpi_command){.verb = verb}, text, &reply, err) != SS_OK)
        return SS_FAIL;
    keep_device(&run->cfg, reply.text);
    return SS_OK;
}

/* --- functions of ss_backend ------------------------------------------------------------------ */

int ss_mpi_open(ss_run *run, ss_err *err)
{
    const ss_config *cfg = &run->cfg;
    ss_job_setup setup = {.ranks = (int)ss_config_int(cfg, "ranks"),
                          .hosts = ss_config_text(cfg, "hosts"),
                          .launch = ss_config_text(cfg, "launcher")};
    ss_mpi_state *st = ss_alloc(sizeof *st, "state", err);
    run->state = st;
    if (!st)
        return SS_FAIL;
    st->box = (ss_box){.nx = run->problem.nx, .ny = run->problem.ny, .nz = 1};
    st->box.hx = run->problem.radius;
    st->box.hy = run->problem.dim > 1 ? run->problem.radius : 0;
    st->config = config_text(cfg, err);
    st->job = st->config ? ss_job_start(&setup, run->abandon, err) : NULL;
    if (st->job && set_up(run, SS_MPI_OPEN, st->config, err) == SS_OK)
        return SS_OK;
    ss_mpi_close(run);
    return SS_FAIL;
}

/* The ranks stay for the next run: starting them takes seconds. */
void ss_mpi_close(ss_run *run)
{
    ss_mpi_state *st = ss_mpi_of(run);
    if (!st)
        return;
    if (st->job && simple(run, SS_MPI_CLOSE, NULL, NULL) == SS_OK)
        ss_job_keep(st->job);
    else
        ss_job_end(st->job);
    free(st->config);
    free(st->areas);
    free(st);
    run->state = NULL;
}

bool ss_mpi_lost(const ss_run *run, ss_err *why)
{
    return run && run->state && ss_job_lost(ss_mpi_of(run)->job, why);
}

int ss_mpi_reset(ss_run *run, ss_err *err)
{
    return simple(run, SS_MPI_RESET, NULL, err);
}

typedef struct transfer {
    int verb, which, field;
    size_t size; /* of a value */
    int width;   /* values per row of data */
    ss_part_box whole;
    char *data;
} transfer;

static int transfer_piece(ss_run *run, const transfer *t, const ss_part_box *box, ss_err *err)
{
    ss_mpi_reply reply;
    ss_mpi_command c = {.verb = t->verb, .which = t->which, .field = t->field, .box = *box};
    size_t bytes = (size_t)(box->x1 - box->x0) * (size_t)(box->y1 - box->y0) * t->size;
    char *at = t->data + ((ptrdiff_t)(box->y0 - t->whole.y0) * t->width + (box->x0 - t->whole.x0)) *
                             (ptrdiff_t)t->size;
    bool put = t->verb == SS_MPI_PUT;
    c.bytes = put ? bytes : 0;
    return ss_job_call(ss_mpi_of(run)->job, &c, at, &reply, put ? NULL : at, put ? 0 : bytes, NULL,
                       err);
}

/* Several rows at a time, or parts of a long one. */
static int transfer_all(ss_run *run, const transfer *t, ss_err *err)
{
    ss_part_box w = t->whole, b;
    double row = (double)(w.x1 - w.x0) * (double)t->size;
    int rows = row < SS_MPI_CHUNK ? (int)(SS_MPI_CHUNK / row) : 1;
    int width = row < SS_MPI_CHUNK ? w.x1 - w.x0 : (int)(SS_MPI_CHUNK / (double)t->size);
    for (b.y0 = w.y0; b.y0 < w.y1; b.y0 = b.y1) {
        b.y1 = b.y0 + rows < w.y1 ? b.y0 + rows : w.y1;
        for (b.x0 = w.x0; b.x0 < w.x1; b.x0 = b.x1) {
            b.x1 = b.x0 + width < w.x1 ? b.x0 + width : w.x1;
            if (transfer_piece(run, t, &b, err) != SS_OK)
                return SS_FAIL;
        }
    }
    return SS_OK;
}

/* The points of a box of a field, dense, in pieces. Those outside the domain are 0, as the halo is.
 */
static int get(ss_run *run, int which, int field, const ss_part_box *box, void *data, ss_err *err)
{
    transfer t = {SS_MPI_GET, which, field, ss_prec_size(run->prec), box->x1 - box->x0, *box, data};
    return transfer_all(run, &t, err);
}

int ss_mpi_upload(ss_run *run, int which, int field, int k, int j0, int j1, const void *rows,
                  ss_err *err)
{
    ss_part_box box = {0, j0, run->problem.nx, j1};
    transfer t = {SS_MPI_PUT,
                  which,
                  field,
                  ss_prec_size(run->prec),
                  run->problem.nx,
                  box,
                  (char *)(uintptr_t)rows};
    (void)k;
    return transfer_all(run, &t, err);
}

int ss_mpi_download(ss_run *run, int which, int field, int k, int j0, int j1, void *rows,
                    ss_err *err)
{
    ss_part_box box = {0, j0, run->problem.nx, j1};
    (void)k;
    if (which > SS_MPI_RHS)
        return ss_fail(err, "the ranks do not keep the field that a cycle started from");
    return get(run, which, field, &box, rows, err);
}

/* Each rank writes the points that it owns, if it sees the file under the same name. */
int ss_mpi_write(ss_run *run, const char *path, int64_t at, ss_err *err)
{
    ss_mpi_reply reply;
    char whole[2200], here[1100];
    if (!getcwd(here, sizeof here))
        return ss_fail(err, "this folder has no name");
    snprintf(whole, sizeof whole, *path == '/' ? "%.0s%s" : "%s/%s", here, path);
    return call(run, &(ss_mpi_command){.verb = SS_MPI_WRITE, .count = at}, whole, &reply, err);
}

int ss_mpi_reduce(ss_run *run, double *residual, const double *ref, double *max_error, ss_err *err)
{
    ss_mpi_reply reply;
    ss_part_box whole = {0, 0, run->problem.nx, run->problem.ny};
    transfer t = {SS_MPI_PUT, SS_MPI_REFERENCE,      0, sizeof(double), whole.x1,
                  whole,      (char *)(uintptr_t)ref};
    bool compare = ref && max_error;
    if (compare && transfer_all(run, &t, err) != SS_OK)
        return SS_FAIL;
    if (call(run, &(ss_mpi_command){.verb = SS_MPI_REDUCE, .which = compare}, NULL, &reply, err) !=
        SS_OK)
        return SS_FAIL;
    if (residual)
        *residual = reply.figures.residual;
    if (compare)
        *max_error = reply.figures.max_error;
    return SS_OK;
}

/* --- functions of ss_engine_ops --------------------------------------------------------------- */

int ss_mpi_prepare(ss_run *run, ss_err *err)
{
    ss_mpi_state *st = ss_mpi_of(run);
    char *text = config_text(&run->cfg, err);
    if (!text)
        return SS_FAIL;
    if (strcmp(text, st->config) == 0) {
        free(text);
        return SS_OK;
    }
    if (set_up(run, SS_MPI_CONFIGURE, text, err) != SS_OK) {
        free(text);
        return SS_FAIL;
    }
    free(st->config);
    st->config = text;
    return SS_OK;
}

void ss_mpi_release(ss_run *run)
{
    (void)run; /* the ranks keep their parts until the next configuration */
}

/* Reports the cycles and the norms that the ranks have computed. False: the run has stopped. */
static bool replay(ss_run *run, const ss_mpi_reply *reply, const ss_part_norm *norm, double seconds,
                   double earlier)
{
    int next = 0;
    for (int64_t c = 0; c <= reply->cycles; c++) {
        run->step_seconds = earlier + seconds * (double)c / (double)(reply->cycles + 1);
        if (next < reply->norms && norm[next].cycle == run->cycle &&
            !ss_run_norm(run, norm[next++].norm))
            break;
        if (c < reply->cycles)
            ss_run_cycle_done(run);
        run->start_kept = false; /* by the ranks */
    }
    run->step_seconds = earlier + seconds;
    return run->status == SS_RUNNING;
}

static void fill_batch(const ss_run *run, int64_t cycles, double seconds, ss_part_batch *out)
{
    *out = (ss_part_batch){.cycles = cycles,
                           .cycle = run->cycle,
                           .residual_cycle = run->residual_cycle,
                           .check_every = run->eq->kind == SS_STEADY ? run->check_every : 0,
                           .residual0 = run->residual0,
                           .growth = run->growth,
                           .seconds = seconds};
    out->tol = run->stop_at_tol && !run->reached ? ss_run_goal(run) : 0;
}

int ss_mpi_step(ss_run *run, int64_t cycles, ss_err *err)
{
    static _Thread_local ss_part_norm norm[SS_PART_NORMS_MAX];
    double began = ss_clock(), earlier = 0;
    ss_mpi_reply reply;
    while (cycles > 0 && !ss_run_abandoned(run)) {
        double left = run->patience > 0 ? run->patience - earlier : 0;
        ss_mpi_command c = {.verb = SS_MPI_STEP};
        if (run->patience > 0 && left <= 0)
            break;
        fill_batch(run, cycles, left, &c.batch);
        if (ss_job_call(ss_mpi_of(run)->job, &c, NULL, &reply, norm, sizeof norm, run->abandon,
                        err) != SS_OK)
            return SS_FAIL;
        cycles -= reply.cycles;
        double now = ss_clock() - began;
        if (!replay(run, &reply, norm, now - earlier, earlier) || reply.stopped)
            break;
        earlier = now;
    }
    return SS_OK;
}

int ss_mpi_finish(ss_run *run, int64_t steps, ss_err *err)
{
    ss_mpi_reply reply;
    return call(run, &(ss_mpi_command){.verb = SS_MPI_FINISH, .count = steps}, NULL, &reply, err);
}

/* --- pictures --------------------------------------------------------------------------------- */

static size_t area_bytes(const ss_sampler *s, const ss_area *a)
{
    return (size_t)(a->x1 - a->x0) * (size_t)(a->y1 - a->y0) * s->size;
}

/* All fields of u, and the right-hand side. */
static int read_fields(const ss_sampler *s, const ss_area *a, char **at, ss_parts *out, ss_err *err)
{
    size_t each = area_bytes(s, a);
    ss_part p = {.data = *at,
                 .stride = a->x1 - a->x0,
                 .x0 = a->x0,
                 .y0 = a->y0,
                 .field = (ptrdiff_t)(each / s->size)};
    memset(out, 0, sizeof *out);
    out->of[SS_PART_U] = p;
    for (int f = 0; f < s->run->eq->nfield; f++, *at += each)
        if (get(s->run, SS_MPI_FIELD, f, a, *at, err) != SS_OK)
            return SS_FAIL;
    if (!s->run->eq->rhs)
        return SS_OK;
    p.data = *at;
    out->of[SS_PART_RHS] = p;
    int status = get(s->run, SS_MPI_RHS, 0, a, *at, err);
    *at += each;
    return status;
}

static int fetch(ss_sampler *s, const ss_area *area, int n, ss_parts *out, ss_err *err)
{
    ss_mpi_state *st = ss_mpi_of(s->run);
    size_t arrays = (size_t)s->run->eq->nfield + (s->run->eq->rhs ? 1 : 0), bytes = 1;
    for (int i = 0; i < n; i++)
        bytes += arrays * area_bytes(s, &area[i]);
    free(st->areas);
    st->areas = ss_alloc(bytes, "points of a picture", err);
    char *at = st->areas;
    if (!at)
        return SS_FAIL;
    for (int i = 0; i < n; i++)
        if (read_fields(s, &area[i], &at, &out[i], err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

/* Layers that compare with a reference, which only this process has. */
static int cells_here(ss_sampler *s, const ss_plan *p, ss_picture *out, ss_err *err)
{
    ss_area window = s->window;
    window.x0 -= s->box->hx;
    window.x1 += s->box->hx;
    window.y0 -= s->box->hy;
    window.y1 += s->box->hy;
    return fetch(s, &window, 1, &s->here, err) == SS_OK ? ss_sample_cells(s, p, out, err) : SS_FAIL;
}

static int cells_there(ss_sampler *s, const ss_plan *p, ss_picture *out, ss_err *err)
{
    ss_mpi_command c = {.verb = SS_MPI_CELLS, .view = *s->view};
    ss_mpi_reply reply;
    size_t bytes = (size_t)p->x.count * (size_t)p->y.count * sizeof(double);
    double *fold = malloc(bytes);
    c.view.w = p->x.count;
    c.view.h = p->y.count;
    int status = fold
                     ? ss_job_call(ss_mpi_of(s->run)->job, &c, NULL, &reply, fold, bytes, NULL, err)
                     : ss_fail_memory(err, "a picture", bytes);
    if (status == SS_OK)
        ss_sample_unfold(s, p, fold, out);
    free(fold);
    return status;
}

static int cells(ss_sampler *s, const ss_plan *p, ss_picture *out, ss_err *err)
{
    bool there = s->view->layer == SS_VALUE || s->view->layer == SS_RESIDUAL;
    return (there ? cells_there : cells_here)(s, p, out, err);
}

int ss_mpi_sample(ss_run *run, const ss_view *view, ss_picture *out, ss_err *err)
{
    static const ss_reader reader = {
        .picture_bytes = SS_MPI_PICTURE,
        .profile_bytes = 1024.0 * 1024,
        .fetch = fetch,
        .cells = cells,
    };
    bool kept = run->start_kept;
    run->start_kept = false; /* the ranks do not keep the start of a cycle */
    int status = ss_sample(run, view, &reader, &ss_mpi_of(run)->box, out, err);
    run->start_kept = kept;
    return status;
}
