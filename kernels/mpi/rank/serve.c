/*
 * A rank's loop: rank 0 reads a command from its connection and tells the others, all obey, rank 0
 * replies. A command that a rank cannot obey fails on all of them (see agree).
 */
#include "kernels/mpi/rank/rank.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/cuda/rank/rank.h"
#include "kernels/mpi/wire.h"
#include "src/core/registry.h"

/* --- CPU threads or a GPU --------------------------------------------------------------------- */

/* The numbers of all ranks; free them. NULL: err. */
static double *gather(ss_comm *comm, double mine, ss_err *err)
{
    double *all = malloc((size_t)comm->size * sizeof *all);
    if (!all) {
        ss_fail_memory(err, "numbers of the ranks", (size_t)comm->size * sizeof *all);
    } else if (comm->ops->gather(comm, &mine, 1, err) != SS_OK ||
               comm->ops->gathered(comm, all, err) != SS_OK) {
        free(all);
        all = NULL;
    }
    return all;
}

/* Different numbers among them, without 0. */
static int count_gpus(const double *id, int ranks)
{
    int gpus = 0;
    for (int r = 0; r < ranks; r++) {
        bool new = id[r] > 0;
        for (int q = 0; q < r; q++)
            new = new &&id[q] != id[r];
        gpus += new;
    }
    return gpus;
}

/* Has each rank a GPU of its own? why: if not; one that this rank knows stays. */
static bool is_enough(const double *id, int ranks, ss_err *why)
{
    bool twice = getenv("STENCILSCOPE_CUDA_TWICE") != NULL; /* ranks share a GPU: for tests */
    int gpus = count_gpus(id, ranks);
    for (int r = 0; r < ranks; r++)
        if (!(id[r] > 0)) {
            if (!why->text[0])
                ss_fail(why, "rank %d has no GPU", r);
            return false;
        }
    if (gpus == ranks || twice)
        return true;
    ss_fail(why, "%d ranks have %d GPU%s", ranks, gpus, gpus == 1 ? "" : "s");
    return false;
}

/* *found: each rank has one, and it works. *some: there is one. */
static int find_gpus(ss_comm *comm, int local, ss_part_setup *setup, bool *found, bool *some,
                     ss_err *why, ss_err *err)
{
    double mine = 0;
    int which = 0;
    if (ss_cuda_rank.find(local, &which, &mine, why) != SS_OK)
        mine = 0;
    double *id = gather(comm, mine, err);
    if (!id)
        return SS_FAIL;
    *some = count_gpus(id, comm->size) > 0;
    *found = is_enough(id, comm->size, why) && ss_part_check_device(setup, why) == SS_OK;
    free(id);
    if (!*found)
        return SS_OK;
    double *fails = gather(comm, ss_cuda_rank.begin(which, why) != SS_OK, err);
    if (!fails)
        return SS_FAIL;
    for (int r = 0; r < comm->size; r++)
        if (fails[r] > 0 && *found) {
            *found = false;
            if (!why->text[0])
                ss_fail(why, "the GPU of rank %d does not work", r);
        }
    free(fails);
    const ss_equation *eq = ss_config_equation(setup->cfg);
    setup->device = *found ? ss_cuda_rank.device[eq->kind] : NULL;
    setup->which = which;
    return SS_OK;
}

/* What computes a rank's part: CPU threads or a GPU. Collective: completes a setup. GPUs only if
 * each rank has one of its own. local: this rank's number among those of its machine. wish:
 * SS_RANK_*. note: what was chosen, in words; empty if there is no GPU or none is wished. Fails on
 * all ranks where GPUs are wished and cannot be. */
static int device_of(ss_comm *comm, int local, int wish, ss_part_setup *setup, ss_err *note,
                     ss_err *err)
{
    ss_err why = {0};
    bool found = false, some = false;
    if (wish == SS_RANK_CPU)
        return SS_OK;
    if (find_gpus(comm, local, setup, &found, &some, &why, err) != SS_OK)
        return SS_FAIL;
    if (!found && wish == SS_RANK_GPU)
        return ss_fail(err, "rank-device: %.200s: choose rank-device cpu, or auto", why.text);
    if (found)
        ss_fail(note, comm->size > 1 ? "1 GPU each" : "1 GPU");
    else if (some)
        ss_fail(note, "on the CPU: %.200s", why.text);
    return SS_OK;
}

/* --- the rank --------------------------------------------------------------------------------- */

typedef struct rank {
    ss_comm *comm;
    int fd;
    int local_ranks, local; /* ranks of this machine, and this one's number among them */
    ss_part_run *part;      /* NULL: none is open */
    double *ref;            /* owned points, dense; NULL: none was put */
    ss_mpi_command command;
    ss_mpi_reply reply;
    char *in, *out; /* payloads of the command and, on rank 0, of the reply */
    size_t in_room, out_room;
} rank_t;

/* --- payloads --------------------------------------------------------------------------------- */

/* A buffer of at least so many bytes; fails on all ranks or ends them all. */
static char *room(char **buffer, size_t *size, size_t bytes)
{
    if (bytes > *size) {
        char *more = realloc(*buffer, bytes);
        if (!more)
            ss_mpi_comm_abort("out of memory");
        *buffer = more;
        *size = bytes;
    }
    return *buffer;
}

static size_t value_size(const rank_t *r)
{
    return r->command.which == SS_MPI_REFERENCE ? sizeof(double)
                                                : ss_prec_size(ss_part_described(r->part)->prec);
}

static size_t box_bytes(const rank_t *r, ss_part_box b)
{
    return (size_t)(b.x1 - b.x0) * (size_t)(b.y1 - b.y0) * value_size(r);
}

static ss_part_box meet(ss_part_box a, ss_part_box b)
{
    ss_part_box m = {a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0,
                     a.x1 < b.x1 ? a.x1 : b.x1, a.y1 < b.y1 ? a.y1 : b.y1};
    if (m.x1 < m.x0 || m.y1 < m.y0)
        m.x1 = m.x0, m.y1 = m.y0;
    return m;
}

/* --- commands --------------------------------------------------------------------------------- */

/* Have all ranks succeeded? All have the same answer. */
static int agree(rank_t *r, int mine, ss_err *err)
{
    double *all = gather(r->comm, mine == SS_OK ? 0 : 1, err);
    int failed = 0;
    if (!all)
        ss_mpi_comm_abort("out of memory");
    for (int q = 0; q < r->comm->size; q++)
        failed += all[q] > 0;
    free(all);
    if (failed && mine == SS_OK)
        return ss_fail(err, "another rank has failed");
    return failed ? SS_FAIL : SS_OK;
}

/* The config from its lines "name value", and the setup that follows from it. */
static int read_setup(rank_t *r, ss_config *cfg, ss_part_setup *setup, ss_err *err)
{
    char *rest = r->in;
    ss_config_default(cfg);
    for (char *line; (line = strtok_r(rest, "\n", &rest)) != NULL;) {
        char *value = strchr(line, ' ');
        if (!value)
            return ss_fail(err, "a line of the config has no value");
        *value++ = '\0';
        if (ss_config_set(cfg, line, value, err) != SS_OK)
            return SS_FAIL;
    }
    *setup = ss_mpi_setup(cfg);
    int share = ss_processors() / r->local_ranks;
    setup->threads = setup->threads > 0 ? setup->threads : share > 1 ? share : 1;
    return setup->schedule ? SS_OK : ss_fail(err, "the ranks do not run this combination");
}

/* All ranks succeed, or none does. */
static int choose_device(rank_t *r, const ss_config *cfg, ss_part_setup *setup, ss_err *err)
{
    ss_err note = {0};
    int wish = (int)ss_config_int(cfg, "rank-device");
    int status = device_of(r->comm, r->local, wish, setup, &note, err);
    snprintf(r->reply.text, sizeof r->reply.text, "%s", note.text);
    return status;
}

static int obey_close(rank_t *r, ss_err *err)
{
    (void)err;
    ss_part_close(r->part);
    free(r->ref);
    r->part = NULL;
    r->ref = NULL;
    return SS_OK;
}

/* All ranks succeed, or none does. */
static int open_part(rank_t *r, const ss_part_setup *setup, ss_err *err)
{
    ss_err ignored;
    r->part = ss_part_open(setup, r->comm, err);
    int status = agree(r, r->part ? SS_OK : SS_FAIL, err);
    if (status != SS_OK)
        obey_close(r, &ignored);
    return status;
}

/* GPUs that a run does not fit, by its memory or its block, leave it to the CPU unless they are
 * wished for. */
static int obey_open(rank_t *r, ss_err *err)
{
    ss_config cfg;
    ss_part_setup setup;
    obey_close(r, err);
    if (agree(r, read_setup(r, &cfg, &setup, err), err) != SS_OK ||
        agree(r, choose_device(r, &cfg, &setup, err), err) != SS_OK)
        return SS_FAIL;
    int status = open_part(r, &setup, err);
    if (status == SS_OK || !setup.device || ss_config_int(&cfg, "rank-device") == SS_RANK_GPU)
        return status;
    snprintf(r->reply.text, sizeof r->reply.text, "on the CPU: %.100s", err->text);
    setup.device = NULL;
    return open_part(r, &setup, err);
}

static int obey_configure(rank_t *r, ss_err *err)
{
    ss_config cfg;
    ss_part_setup setup;
    free(r->ref); /* other points may be owned now */
    r->ref = NULL;
    if (read_setup(r, &cfg, &setup, err) != SS_OK || choose_device(r, &cfg, &setup, err) != SS_OK)
        return SS_FAIL;
    return ss_part_configure(&r->part, &setup, err);
}

static int obey_reset(rank_t *r, ss_err *err)
{
    return agree(r, ss_part_reset(r->part, err), err);
}

static int obey_step(rank_t *r, ss_err *err)
{
    static ss_part_done done;
    ss_part_batch batch = r->command.batch;
    ss_mpi_reply *reply = &r->reply;
    ss_rank_begin(r->command.number);
    batch.stop = r->comm->rank == 0 ? ss_rank_stop() : NULL;
    if (ss_part_step(r->part, &batch, &done, err) != SS_OK)
        return SS_FAIL;
    reply->cycles = done.cycles;
    reply->norms = done.norms;
    reply->stopped = done.stopped;
    reply->bytes = (uint64_t)done.norms * sizeof *done.norm;
    memcpy(room(&r->out, &r->out_room, reply->bytes + 1), done.norm, reply->bytes);
    return SS_OK;
}

static int obey_finish(rank_t *r, ss_err *err)
{
    return ss_part_finish(r->part, r->command.count, err);
}

/* Owned points of the reference. */
static int put_reference(rank_t *r, ss_err *err)
{
    ss_part_box own = ss_part_own(r->part), b = meet(r->command.box, own);
    ptrdiff_t nx = own.x1 - own.x0, width = r->command.box.x1 - r->command.box.x0;
    if (!r->ref)
        r->ref =
            ss_alloc((size_t)nx * (size_t)(own.y1 - own.y0) * sizeof *r->ref, "the reference", err);
    const double *from = (const double *)(const void *)r->in;
    for (int y = b.y0; r->ref && y < b.y1; y++)
        memcpy(r->ref + (y - own.y0) * nx + (b.x0 - own.x0),
               from + (y - r->command.box.y0) * width + (b.x0 - r->command.box.x0),
               (size_t)(b.x1 - b.x0) * sizeof *from);
    return agree(r, r->ref ? SS_OK : SS_FAIL, err);
}

static int obey_put(rank_t *r, ss_err *err)
{
    const ss_mpi_command *c = &r->command;
    if (c->which == SS_MPI_REFERENCE)
        return put_reference(r, err);
    return ss_part_put(r->part, c->which, c->field, &c->box, r->in, c->box.x1 - c->box.x0, err);
}

/* Rank 0 receives the points of each rank and puts them into the box. */
static void collect_box(rank_t *r, ss_part_box owned, int from)
{
    ss_part_box b = meet(r->command.box, owned);
    size_t size = value_size(r), row = (size_t)(b.x1 - b.x0) * size;
    ptrdiff_t width = r->command.box.x1 - r->command.box.x0;
    char *data = room(&r->in, &r->in_room, box_bytes(r, b) + 1);
    ss_mpi_comm_collect(r->comm, from, data, box_bytes(r, b));
    for (int y = b.y0; y < b.y1; y++, data += row)
        memcpy(r->out +
                   ((y - r->command.box.y0) * width + (b.x0 - r->command.box.x0)) * (ptrdiff_t)size,
               data, row);
}

static int obey_get(rank_t *r, ss_err *err)
{
    const ss_mpi_command *c = &r->command;
    ss_part_box mine = meet(c->box, ss_part_own(r->part));
    if (r->comm->rank > 0) {
        char *data = room(&r->in, &r->in_room, box_bytes(r, mine) + 1);
        if (ss_part_get(r->part, c->which, c->field, &mine, data, mine.x1 - mine.x0, err) != SS_OK)
            return SS_FAIL;
        ss_mpi_comm_report(r->comm, data, box_bytes(r, mine));
        return SS_OK;
    }
    r->reply.bytes = box_bytes(r, c->box);
    memset(room(&r->out, &r->out_room, r->reply.bytes + 1), 0, r->reply.bytes);
    if (ss_part_get(r->part, c->which, c->field, &c->box, r->out, c->box.x1 - c->box.x0, err) !=
        SS_OK)
        return SS_FAIL;
    for (int q = 1; q < r->comm->size; q++)
        collect_box(r, ss_part_owned_by(r->part, q), q);
    return SS_OK;
}

static int write_bytes(int fd, const char *data, size_t bytes, int64_t at, ss_err *err)
{
    while (bytes > 0) {
        ssize_t n = pwrite(fd, data, bytes, (off_t)at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return ss_fail(err, "a rank cannot write: %s", strerror(errno));
        data += n;
        at += n;
        bytes -= (size_t)n;
    }
    return SS_OK;
}

/* The owned points of one field: whole rows at once, or piece by piece. */
static int write_field(rank_t *r, int fd, int field, ss_err *err)
{
    ss_part_box own = ss_part_own(r->part), b = own;
    const ss_problem *p = &ss_part_described(r->part)->problem;
    size_t size = ss_prec_size(ss_part_described(r->part)->prec);
    size_t row = (size_t)(own.x1 - own.x0) * size;
    bool whole = own.x1 - own.x0 == p->nx;
    int rows = whole && (double)row < SS_MPI_CHUNK ? (int)(SS_MPI_CHUNK / (double)row) : 1;
    char *data = room(&r->out, &r->out_room, row * (size_t)rows);
    for (b.y0 = own.y0; b.y0 < own.y1; b.y0 = b.y1) {
        b.y1 = b.y0 + rows < own.y1 ? b.y0 + rows : own.y1;
        int64_t point = ((int64_t)field * p->ny + b.y0) * p->nx + b.x0;
        if (ss_part_get(r->part, SS_MPI_FIELD, field, &b, data, b.x1 - b.x0, err) != SS_OK ||
            write_bytes(fd, data, row * (size_t)(b.y1 - b.y0),
                        r->command.count + point * (int64_t)size, err) != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}

/* The program has created the file. On a machine that does not have it, this fails. */
static int obey_write(rank_t *r, ss_err *err)
{
    int fd = open(r->in, O_WRONLY | O_CLOEXEC), status = SS_OK;
    if (fd < 0)
        status = ss_fail(err, "a rank cannot open the file: %s", strerror(errno));
    for (int f = 0; f < ss_part_described(r->part)->eq->nfield && status == SS_OK; f++)
        status = write_field(r, fd, f, err);
    if (fd >= 0 && close(fd) != 0 && status == SS_OK)
        status = ss_fail(err, "a rank cannot write: %s", strerror(errno));
    return agree(r, status, err);
}

static int obey_reduce(rank_t *r, ss_err *err)
{
    return ss_part_reduce(r->part, r->command.which ? r->ref : NULL, &r->reply.figures, err);
}

/* Adds another rank's sums, or takes the larger maxima. */
static void combine(double *fold, const double *other, size_t n, bool mean)
{
    for (size_t i = 0; i < n; i++)
        fold[i] = mean ? fold[i] + other[i] : other[i] > fold[i] ? other[i] : fold[i];
}

/* Each rank's fold is followed by a number that is not 0 if it has failed: to agree first would
 * cost one more latency per picture. */
static int obey_cells(rank_t *r, ss_err *err)
{
    static const ss_reader reader = {.picture_bytes = SS_MPI_PICTURE};
    const ss_view *view = &r->command.view;
    ss_plan plan = {.pairs = 0};
    ss_parts here;
    ss_part_box own = ss_part_own(r->part);
    ss_run *run = ss_part_described(r->part);
    ss_layer layer = view->layer;
    size_t n = (size_t)view->w * (size_t)view->h, bytes = (n + 1) * sizeof(double);
    double *fold = (double *)(void *)room(&r->out, &r->out_room, 2 * bytes);
    double *other = fold + n + 1;
    int status = ss_sample_plan(run, view, &reader, &plan, err);
    if (status == SS_OK) /* only residuals read the halo */
        status = ss_part_show(r->part, layer == SS_RESIDUAL, &plan, &here, err);
    if (status == SS_OK)
        status = ss_sample_fold(run, layer, &here, &own, &plan, fold, err);
    ss_plan_free(&plan);
    fold[n] = status == SS_OK ? 0 : 1;
    if (r->comm->rank > 0) {
        ss_mpi_comm_report(r->comm, fold, bytes);
        return status;
    }
    for (int q = 1; q < r->comm->size; q++) {
        ss_mpi_comm_collect(r->comm, q, other, bytes);
        combine(fold, other, n, ss_layer_of(run, layer)->mean);
        if (other[n] > 0 && status == SS_OK)
            status = ss_fail(err, "another rank has no memory for a picture");
    }
    r->reply.bytes = n * sizeof *fold;
    return status;
}

static int (*const obey[SS_MPI_NVERB])(rank_t *r, ss_err *err) = {
    [SS_MPI_OPEN] = obey_open,   [SS_MPI_CLOSE] = obey_close,
    [SS_MPI_STEP] = obey_step,   [SS_MPI_CONFIGURE] = obey_configure,
    [SS_MPI_RESET] = obey_reset, [SS_MPI_FINISH] = obey_finish,
    [SS_MPI_PUT] = obey_put,     [SS_MPI_GET] = obey_get,
    [SS_MPI_WRITE] = obey_write, [SS_MPI_REDUCE] = obey_reduce,
    [SS_MPI_CELLS] = obey_cells,
};

/* --- the loop --------------------------------------------------------------------------------- */

/* The next command, on all ranks. The program's end is a QUIT. */
static void next_command(rank_t *r)
{
    ss_mpi_command *c = &r->command;
    bool first = r->comm->rank == 0;
    if (first && ss_wire_read(r->fd, c, sizeof *c) != SS_OK)
        *c = (ss_mpi_command){.verb = SS_MPI_QUIT};
    if (first) {
        room(&r->in, &r->in_room, c->bytes + 1);
        if (c->bytes > 0 && ss_wire_read(r->fd, r->in, c->bytes) != SS_OK)
            *c = (ss_mpi_command){.verb = SS_MPI_QUIT};
        ss_mpi_comm_tell(r->comm, c, sizeof *c);
        ss_mpi_comm_tell(r->comm, r->in, c->bytes);
    } else {
        ss_mpi_comm_told(r->comm, c, sizeof *c);
        room(&r->in, &r->in_room, c->bytes + 1);
        ss_mpi_comm_told(r->comm, r->in, c->bytes);
    }
    r->in[c->bytes] = '\0';
}

static void reply_to(rank_t *r, int status, const ss_err *err)
{
    r->reply.status = status;
    if (status != SS_OK) {
        snprintf(r->reply.text, sizeof r->reply.text, "%s", err->text);
        r->reply.bytes = 0;
    }
    if (ss_wire_write(r->fd, &r->reply, sizeof r->reply) == SS_OK)
        ss_wire_write(r->fd, r->out, r->reply.bytes);
}

void ss_rank_serve(ss_comm *comm, int fd, int local_ranks, int local)
{
    rank_t r = {.comm = comm, .fd = fd, .local_ranks = local_ranks, .local = local};
    for (next_command(&r); r.command.verb != SS_MPI_QUIT; next_command(&r)) {
        ss_err err = {0};
        int verb = r.command.verb, status = SS_FAIL;
        memset(&r.reply, 0, sizeof r.reply);
        if (verb < 0 || verb >= SS_MPI_NVERB || (!r.part && verb > SS_MPI_CLOSE))
            ss_fail(&err, "the ranks have no run");
        else
            status = obey[verb](&r, &err);
        if (r.part && ss_part_failed(r.part))
            ss_mpi_comm_abort(err.text);
        if (comm->rank == 0)
            reply_to(&r, status, &err);
    }
    ss_err ignored;
    obey_close(&r, &ignored);
    free(r.in);
    free(r.out);
}
