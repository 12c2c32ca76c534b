/* Copies of a run's state in host memory, and its fields as doubles: see copy.h. */
#include "src/run/copy.h"

#include <stdlib.h>
#include <string.h>

#include "src/core/registry.h"

/* --- the field -------------------------------------------------------------------------------- */

/* The CPU backend is the last of the table and always present. */
double ss_host_memory(char *what, size_t size)
{
    int last = 0;
    while (ss_backends[last + 1])
        last++;
    return ss_backends[last]->memory(what, size);
}

size_t ss_field_bytes(const ss_run *run)
{
    const ss_problem *p = &run->problem;
    size_t points = (size_t)p->nx * (size_t)p->ny * (size_t)p->nz;
    return points * (size_t)p->nfield * ss_prec_size(run->prec);
}

/* Planes of all fields together. */
static int plane_count(const ss_run *run)
{
    return run->problem.nz * run->problem.nfield;
}

static size_t plane_bytes(const ss_run *run)
{
    return ss_field_bytes(run) / (size_t)plane_count(run);
}

static uint64_t mix(uint64_t key, const void *what, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        key = (key ^ ((const unsigned char *)what)[i]) * 1099511628211U; /* FNV-1a */
    return key;
}

uint64_t ss_run_method(const ss_config *cfg)
{
    const ss_equation *eq = ss_config_equation(cfg);
    const ss_solver *solver = ss_config_solver(cfg);
    uint64_t key = mix(14695981039346656037U, eq->name, strlen(eq->name));
    key = mix(key, solver->name, strlen(solver->name));
    for (int i = 0; i < solver->nparam; i++) {
        ss_value v = ss_config_value(cfg, &solver->params[i]);
        key = mix(key, &v.i, sizeof v.i);
    }
    return key;
}

/* Follows the field of a copy: the method whose memory comes next. ops NULL: nothing comes. The
 * field's size need not be a multiple of its alignment, hence memcpy. */
typedef struct owner {
    const ss_engine_ops *ops;
    uint64_t method; /* ss_run_method */
    size_t bytes;    /* of the memory */
} owner;

static size_t memory_bytes(const ss_run *run)
{
    return run->ops->memory ? run->ops->memory(run) : 0;
}

static owner owner_now(const ss_run *run)
{
    bool has = run->ops->memory != NULL;
    return (owner){.ops = has ? run->ops : NULL,
                   .method = has ? ss_run_method(&run->cfg) : 0,
                   .bytes = memory_bytes(run)};
}

static void set_owner(const ss_run *run, char *field, owner who)
{
    memcpy(field + ss_field_bytes(run), &who, sizeof who);
}

static bool owns(const ss_run *run, const char *field)
{
    owner then, now = owner_now(run);
    memcpy(&then, field + ss_field_bytes(run), sizeof then);
    return now.ops && then.ops == now.ops && then.method == now.method && then.bytes == now.bytes;
}

static size_t memory_at(const ss_run *run)
{
    return ss_field_bytes(run) + sizeof(owner);
}

size_t ss_copy_bytes(const ss_run *run)
{
    return memory_at(run) + memory_bytes(run);
}

char *ss_field_copy(ss_run *run, int which, ss_err *err)
{
    const ss_problem *p = &run->problem;
    char *field = ss_alloc(ss_copy_bytes(run), "a copy of the field", err);
    if (field)
        set_owner(run, field, (owner){.ops = NULL});
    for (int i = 0; field && i < plane_count(run); i++)
        if (run->backend->download(run, which, i / p->nz, i % p->nz, 0, p->ny,
                                   field + (size_t)i * plane_bytes(run), err) != SS_OK) {
            free(field);
            return NULL;
        }
    return field;
}

char *ss_field_download(ss_run *run)
{
    double before = run->seconds_download;
    char *field = ss_field_copy(run, 0, NULL);
    if (field && run->ops->memory) {
        set_owner(run, field, owner_now(run));
        if (run->ops->memory_get(run, field + memory_at(run), NULL) != SS_OK) {
            free(field);
            return NULL;
        }
    }
    if (field)
        run->seconds_field_down = run->seconds_download - before;
    return field;
}

int ss_field_upload(ss_run *run, const char *field, ss_err *err)
{
    const ss_problem *p = &run->problem;
    for (int i = 0; i < plane_count(run); i++)
        if (run->backend->upload(run, 0, i / p->nz, i % p->nz, 0, p->ny,
                                 field + (size_t)i * plane_bytes(run), err) != SS_OK)
            return SS_FAIL;
    if (!run->ops->memory)
        return SS_OK;
    return run->ops->memory_put(run, owns(run, field) ? field + memory_at(run) : NULL, err);
}

bool ss_fields_compare(ss_run *a, ss_run *b, bool *equal)
{
    char *one = ss_field_download(a), *other = one ? ss_field_download(b) : NULL;
    if (other)
        *equal = memcmp(one, other, ss_field_bytes(a)) == 0;
    bool compared = other != NULL;
    free(one);
    free(other);
    return compared;
}

/* From the last value: none is overwritten before it was read. */
static void widen(ss_prec prec, double *v, size_t n)
{
    for (size_t i = n; prec == SS_F32 && i-- > 0;) {
        float narrow;
        memcpy(&narrow, (const char *)v + i * sizeof narrow, sizeof narrow);
        v[i] = (double)narrow;
    }
}

int ss_run_doubles(ss_run *run, int which, int k, int planes, double *out, ss_err *err)
{
    const ss_problem *p = &run->problem;
    size_t plane = (size_t)p->nx * (size_t)p->ny;
    for (int i = 0; i < planes; i++, out += plane) {
        if (run->backend->download(run, which, 0, k + i, 0, p->ny, out, err) != SS_OK)
            return SS_FAIL;
        widen(run->prec, out, plane);
    }
    return SS_OK;
}

/* --- the state -------------------------------------------------------------------------------- */

void ss_run_return(ss_run *run, const ss_run *then)
{
    run->cycle = then->cycle;
    run->iteration = then->iteration;
    run->step = then->step;
    run->time = then->time;
    run->since = then->since;
    run->many_dt = then->many_dt;
    run->painted = then->painted;
    run->edited = then->edited;
    run->exact_since = then->exact_since;
    run->reached = then->reached;
    run->met = then->met;
    run->reached_cycle = then->reached_cycle;
    run->reached_tol = then->reached_tol;
    run->residual0 = then->residual0;
    run->residual = then->residual;
    run->residual_cycle = then->residual_cycle;
    run->watch = then->watch;
    run->teff = then->teff;
    run->total = then->total;
    ss_copy_free(&run->good);
    run->status = SS_RUNNING;
    run->message[0] = '\0';
}

bool ss_copy_take(ss_run *run, ss_run_copy *out)
{
    char *field = ss_field_download(run);
    if (!field)
        return false;
    free(out->field); /* only now: the device may be lost during the download */
    *out = (ss_run_copy){field, *run};
    return true;
}

int ss_copy_put(ss_run *run, const ss_run_copy *c, ss_err *err)
{
    if (ss_field_upload(run, c->field, err) != SS_OK)
        return SS_FAIL;
    ss_run_return(run, &c->then);
    return SS_OK;
}

int ss_copy_resume(ss_run *run, const ss_run_copy *c, ss_err *err)
{
    if (ss_copy_put(run, c, err) != SS_OK)
        return SS_FAIL;
    run->status = c->then.status;
    run->factors = c->then.factors;
    run->accuracy_cycle = -1;
    run->peek = 0;
    run->start_kept = false;
    ss_checkpoint_forget(run); /* it may belong to a later cycle */
    return SS_OK;
}

void ss_copy_free(ss_run_copy **c)
{
    if (*c)
        free((*c)->field);
    free(*c);
    *c = NULL;
}

void ss_checkpoint_forget(ss_run *run)
{
    if (run->checkpoint)
        free(run->checkpoint->copy.field);
    free(run->checkpoint);
    run->checkpoint = NULL;
}
