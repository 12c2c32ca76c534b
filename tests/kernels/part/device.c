/* A part whose points lie on a device, without any: see device.h. */
#include "tests/kernels/part/device.h"

#include <stdlib.h>

#include "kernels/geom/pictures.h"
#include "src/core/registry.h"
#include "tests/kernels/part/run.h"

/* --- the device ------------------------------------------------------------------------------- */

enum { LATE_MAX = 64 };

typedef struct late_sweep {
    int from, to;
    ss_area box;
    bool norm;
} late_sweep;

typedef struct late_copy {
    int array, field;
    ss_area box;
    char *data;
    ptrdiff_t pitch;
} late_copy;

typedef struct late {
    ss_run run; /* equation, precision and coefficients */
    ss_area stored;
    int which;
    ptrdiff_t stride, count; /* values of a row and of a field */
    char *array[SS_PART_ARRAYS];
    bool prompt;
    bool waits; /* an inner sweep has not been done yet: */
    late_sweep inner;
    late_copy down[LATE_MAX]; /* copies that have not been done yet */
    int downs, copies[2];     /* copies[up]: begun */
    double squares;
} late;

static late_fault fault = {.which = -1};

void late_device_fault(late_fault f)
{
    fault = f;
}

enum { AROUND = 2 }; /* points around those that are stored */

static char *point(const late *l, int array, int field, int x, int y)
{
    ptrdiff_t row = y - l->stored.y0 + AROUND,
              at = field * l->count + row * l->stride + x - l->stored.x0 + AROUND;
    return l->array[array] + at * (ptrdiff_t)ss_prec_size(l->run.prec);
}

static void late_close(void *self)
{
    late *l = self;
    for (int i = 0; i < SS_PART_ARRAYS; i++)
        free(l->array[i]);
    free(l);
}

/* Zeros around points that are not numbers. */
static int late_open(const ss_run *run, const ss_area *stored, int which, void **self, ss_err *err)
{
    late *l = calloc(1, sizeof *l);
    size_t size = ss_prec_size(run->prec), ny = (size_t)(stored->y1 - stored->y0);
    l->run = *run;
    l->run.problem.cfg = &l->run.cfg;
    l->stored = *stored;
    l->which = which;
    l->stride = stored->x1 - stored->x0 + 2 * AROUND;
    l->count = l->stride * (ptrdiff_t)(ny + 2 * AROUND);
    (void)err;
    for (int i = 0; i < SS_PART_ARRAYS; i++) {
        l->array[i] = calloc((size_t)l->count * (size_t)run->eq->nfield, size);
        for (int f = 0; f < run->eq->nfield; f++)
            for (int y = stored->y0; y < stored->y1; y++)
                memset(point(l, i, f, stored->x0, y), 0xff,
                       (size_t)(stored->x1 - stored->x0) * size);
    }
    *self = l;
    return SS_OK;
}

static int prompt_open(const ss_run *run, const ss_area *stored, int which, void **self,
                       ss_err *err)
{
    if (late_open(run, stored, which, self, err) != SS_OK)
        return SS_FAIL;
    ((late *)*self)->prompt = true;
    return SS_OK;
}

static void do_sweep(late *l, const late_sweep *s)
{
    int ny = s->box.y1 - s->box.y0;
    double *sum = calloc((size_t)ny, sizeof *sum);
    ss_sweep sweep = {.nx = s->box.x1 - s->box.x0,
                      .ny = ny,
                      .nz = 1,
                      .in_sy = l->stride,
                      .rhs_sy = l->stride,
                      .out_sy = l->stride,
                      .sum = s->norm ? sum : NULL};
    l->run.eq->apply[l->run.prec](&l->run.coef, 0, point(l, s->from, 0, s->box.x0, s->box.y0),
                                  point(l, SS_PART_RIGHT, 0, s->box.x0, s->box.y0),
                                  point(l, s->to, 0, s->box.x0, s->box.y0), &sweep);
    for (int j = 0; j < ny; j++)
        l->squares += sum[j];
    free(sum);
}

static void do_inner(late *l)
{
    if (l->waits)
        do_sweep(l, &l->inner);
    l->waits = false;
}

static void do_copy(const late *l, const late_copy *c, bool up)
{
    size_t row = (size_t)(c->box.x1 - c->box.x0) * ss_prec_size(l->run.prec);
    for (int y = c->box.y0; y < c->box.y1; y++) {
        char *at = point(l, c->array, c->field, c->box.x0, y),
             *data = c->data + (y - c->box.y0) * c->pitch;
        memcpy(up ? at : data, up ? data : at, row);
    }
}

static void do_downs(late *l)
{
    for (int i = 0; i < l->downs; i++)
        do_copy(l, &l->down[i], false);
    l->downs = 0;
}

static int late_copy_box(void *self, int array, int field, const ss_area *box, void *data,
                         ptrdiff_t pitch, bool up, ss_err *err)
{
    late *l = self;
    late_copy c = {array, field, *box, data, pitch};
    bool inside = box->x0 >= l->stored.x0 && box->x1 <= l->stored.x1 && box->y0 >= l->stored.y0 &&
                  box->y1 <= l->stored.y1;
    if (!inside)
        return ss_fail(err, "a copy of points that are not stored");
    if (l->which == fault.which && up == fault.up && l->copies[up] == fault.number)
        l->run.problem.dim > 1 ? c.box.y1-- : c.box.x1--;
    l->copies[up]++;
    if (up) {
        do_copy(l, &c, true);
        return SS_OK;
    }
    do_inner(l);
    for (int y = box->y0; y < box->y1; y++) /* until it has arrived */
        memset(c.data + (y - box->y0) * pitch, 0xff,
               (size_t)(box->x1 - box->x0) * ss_prec_size(l->run.prec));
    if (l->downs == LATE_MAX)
        return ss_fail(err, "many copies and nobody waits");
    l->down[l->downs++] = c;
    return SS_OK;
}

static int late_copied(void *self, ss_err *err)
{
    (void)err;
    do_downs(self);
    return SS_OK;
}

/* Copies down are done as late as possible: after this sweep. */
static int late_sweep_box(void *self, int from, int to, const ss_area *box, bool inner, bool norm,
                          ss_err *err)
{
    late *l = self;
    late_sweep s = {from, to, *box, norm};
    (void)err;
    if (!inner || l->prompt) {
        do_sweep(l, &s);
        return SS_OK;
    }
    do_inner(l);
    l->inner = s;
    l->waits = true;
    return SS_OK;
}

/* --- a line ----------------------------------------------------------------------------------- */

static void copy_cell(const late *l, int array, int to, int from)
{
    for (int f = 0; f < l->run.eq->nfield; f++)
        memcpy(point(l, array, f, to, 0), point(l, array, f, from, 0), ss_prec_size(l->run.prec));
}

/* One level of the stored points, which are a line of their own. */
static void advance_level(const late *l, int from, int stage)
{
    const ss_equation *eq = l->run.eq;
    int first = l->stored.x0, n = l->stored.x1 - first;
    int fixed = eq->bc == SS_BC_PERIODIC ? 0 : eq->fixed;
    for (int i = 1; i <= eq->radius; i++) {
        copy_cell(l, from, first - i, first + ss_end_source(eq->bc, n, -i));
        copy_cell(l, from, first + n - 1 + i, first + ss_end_source(eq->bc, n, n - 1 + i));
    }
    ss_strip strip = {point(l, from, 0, first + fixed, 0),
                      point(l, 1 - from, 0, first + fixed, 0),
                      l->count,
                      l->count,
                      0,
                      n - 2 * fixed};
    for (int f = 0; f < eq->nfield; f++)
        for (int i = 0; i < fixed; i++)
            for (int x = first + i; x < first + n; x += n - 1 - 2 * i)
                memcpy(point(l, 1 - from, f, x, 0), point(l, from, f, x, 0),
                       ss_prec_size(l->run.prec));
    eq->advance[l->run.prec](&l->run.coef, stage, &strip);
}

static int late_advance(void *self, int from, int64_t cycles, int64_t steps, ss_err *err)
{
    late *l = self;
    int stages = l->run.eq->nstage;
    (void)err;
    for (int64_t i = 0; i < cycles * l->run.iterations_per_cycle + steps * stages; i++) {
        advance_level(l, from, (int)(i % stages));
        from = 1 - from;
    }
    return SS_OK;
}

static int late_finish(void *self, double *squares, ss_err *err)
{
    late *l = self;
    (void)err;
    do_inner(l);
    do_downs(l);
    *squares = l->squares;
    l->squares = 0;
    return SS_OK;
}

const ss_part_device late_device = {late_open,      late_close,   late_copy_box, late_copied,
                                    late_sweep_box, late_advance, late_finish,   NULL};

const ss_part_device prompt_device = {prompt_open,    late_close,   late_copy_box, late_copied,
                                      late_sweep_box, late_advance, late_finish,   NULL};

/* --- equal fields ----------------------------------------------------------------------------- */

static const int64_t batches[] = {1, 60, 7, 1, 31, 0};

static void check_device(const char *settings, int exchange, bool mixed)
{
    static const char *const precisions[] = {"f64", "f32"};
    static const ss_part_device *const devices[] = {&late_device, &prompt_device};
    for (int i = 0; i < 4; i++) {
        char text[256];
        snprintf(text, sizeof text, "%s backend cpu precision %s", settings, precisions[i / 2]);
        part_case c = {.settings = text,
                       .schedule = &ss_part_jacobi,
                       .exchange = exchange,
                       .batch = batches,
                       .device = devices[i % 2],
                       .mixed = mixed};
        part_check(&c, text, true);
    }
}

SLOW_TEST(part_device, jacobi_equals_cpu)
{
    static const int exchanges[] = {1, 2, 5, 40}; /* the last one is deeper than a slab of 8 */
    for (int i = 0; i < 4; i++) {
        check_device("equation poisson2d solver jacobi problem random n 203 ny 131", exchanges[i],
                     false);
        check_device("equation poisson1d solver jacobi problem random n 611 copies 3", exchanges[i],
                     false);
    }
    check_device("equation poisson2d solver jacobi problem random n 9 ny 8", 3, false);
}

TEST(part_device, ranks_with_and_without_a_device_work_together)
{
    check_device("equation poisson2d solver jacobi problem random n 43 ny 61", 1, true);
    check_device("equation poisson2d solver jacobi problem random n 43 ny 61", 4, true);
}

SLOW_TEST(part_device, tiles_with_a_frozen_halo_equal_cpu)
{
    static const char *const settings[] = {
        "equation poisson2d solver shared problem random n 203 ny 131 k 7",
        "equation poisson2d solver shared problem random n 61 ny 90 k 4 overlap 6 overlap-y 4",
        "equation poisson1d solver shared problem random n 611 copies 3 k 5",
        "equation poisson2d solver shared problem random n 61 ny 47 k 1",
    };
    static const ss_part_device *const devices[] = {&late_device, &prompt_device};
    for (int i = 0; i < 8; i++) {
        const part_case like = {.settings = settings[i / 2],
                                .batch = batches,
                                .device = devices[i % 2],
                                .mixed = i == 2};
        part_check_tiles(&like);
    }
}

/* The end of the run is seen late: the field of the norm is still there. */
TEST(part_device, stops_at_the_cycle_of_the_tolerance)
{
    part_check_stop(&(part_case){.tol = 1e-3, .device = &late_device});
}

/* --- lines ------------------------------------------------------------------------------------ */

static const struct {
    const char *settings; /* swept, with its block */
    const char *stepper;
} lines[] = {
    {"equation heat1d solver swept problem step n 352 block 16", "equation heat1d solver stepper "
                                                                 "problem step n 353"},
    {"equation ks1d solver swept n 256 block 16", "equation ks1d solver stepper n 203"},
    {"equation euler1d solver swept n 320 block 32", "equation euler1d solver stepper n 211"},
};

static void check_line(const char *settings, const ss_part_schedule *schedule, const char *prec)
{
    static const int64_t cycles[] = {1, 6, 3, 0};
    char text[256];
    snprintf(text, sizeof text, "%s backend cpu precision %s", settings, prec);
    part_case c = {.settings = text,
                   .schedule = schedule,
                   .batch = cycles,
                   .finish = 3,
                   .device = &late_device};
    part_check(&c, text, false);
}

TEST(part_device, ranges_of_a_line_equal_cpu)
{
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        for (int p = 0; p < 2; p++) {
            check_line(lines[i].settings, &ss_part_swept, p ? "f32" : "f64");
            check_line(lines[i].stepper, &ss_part_stepper, p ? "f32" : "f64");
        }
}

/* --- a row that is not copied ----------------------------------------------------------------- */

/* On 3 ranks: copy `number` of each rank from first_rank on. */
static void check_short(part_case whole, int first_rank, int number, bool up)
{
    whole.ranks = 3;
    whole.device = &late_device;
    part_run(&whole);
    for (int which = first_rank; which < 3; which++) {
        part_case c = whole;
        late_device_fault((late_fault){which, number, up});
        part_run(&c);
        late_device_fault((late_fault){.which = -1});
        CHECK_MSG(memcmp(c.field, whole.field, c.bytes) != 0,
                  "%s, exchange %d: copy %d %s of rank %d was short, and nobody noticed",
                  c.settings, c.exchange, number, up ? "up" : "down", which);
        part_free(&c);
    }
    part_free(&whole);
}

static void check_fault(int exchange, const int64_t *cycles, int first_rank, int number, bool up)
{
    check_short((part_case){.settings = "equation poisson2d solver jacobi problem random n 43 "
                                        "ny 31 backend cpu",
                            .schedule = &ss_part_jacobi,
                            .exchange = exchange,
                            .batch = cycles},
                first_rank, number, up);
}

/* Copies up: the field, the right-hand side, then halos; down: edges. The last row of the
 * right-hand side is read only where the domain ends. */
TEST(part_device, a_copy_one_row_short_changes_the_field)
{
    static const int64_t cycles[] = {8, 0};
    for (int exchange = 1; exchange <= 3; exchange += 2) {
        check_fault(exchange, cycles, 0, 0, true);
        check_fault(exchange, cycles, 2, 1, true);
        check_fault(exchange, cycles, 0, 2, true);
        check_fault(exchange, cycles, 0, 0, false);
    }
}

/* The first copy up is that of the start. */
TEST(part_device, a_halo_one_point_short_changes_the_line)
{
    static const int64_t cycles[] = {3, 0};
    part_case stepper = {.settings = "equation ks1d solver stepper n 203 backend cpu",
                         .schedule = &ss_part_stepper,
                         .batch = cycles};
    part_case swept = {.settings = "equation ks1d solver swept n 256 block 16 backend cpu",
                       .schedule = &ss_part_swept,
                       .batch = cycles};
    check_short(stepper, 0, 1, true);
    check_short(stepper, 0, 0, false);
    check_short(swept, 0, 1, true);
    check_short(swept, 0, 0, false);
}

/* --- points in and out ------------------------------------------------------------------------ */

typedef struct visit {
    const ss_config *cfg;
    double *u; /* fields, one after the other */
} visit;

enum { NX = 61, NY = 44, CYCLES = 5 };

static int step_some(ss_part_run *part, ss_err *err)
{
    static _Thread_local ss_part_done done;
    ss_part_batch batch = {.cycles = CYCLES, .residual_cycle = -1};
    return ss_part_step(part, &batch, &done, err);
}

static int keep_field(ss_part_run *part, double *u, ss_err *err)
{
    ss_part_box own = ss_part_own(part);
    return ss_part_get(part, 0, 0, &own, u + own.y0 * NX + own.x0, NX, err);
}

static int put_numbers(ss_part_run *part, int which, uint64_t seed, ss_err *err)
{
    ss_part_box whole = {0, 0, NX, NY};
    double *g = malloc(NX * NY * sizeof *g);
    for (int i = 0; i < NX * NY; i++)
        g[i] = ss_random_unit(seed, (uint64_t)i);
    int status = ss_part_put(part, which, 0, &whole, g, NX, err);
    free(g);
    return status;
}

static int configure(ss_part_run **part, const visit *v, const ss_part_device *device, int exchange,
                     ss_err *err)
{
    ss_part_setup setup = {.cfg = v->cfg,
                           .schedule = &ss_part_jacobi,
                           .exchange = exchange,
                           .threads = 1,
                           .device = device};
    return ss_part_configure(part, &setup, err);
}

/* From memory to the device, to another depth of the halo, and back; then from the start. */
static int visit_main(ss_comm *comm, void *ctx, ss_err *err)
{
    const visit *v = ctx;
    double *u = v->u;
    ss_part_setup setup = {.cfg = v->cfg, .schedule = &ss_part_jacobi, .exchange = 1, .threads = 1};
    ss_part_run *part = ss_part_open(&setup, comm, err);
    if (!part)
        return SS_FAIL;
    int status = SS_FAIL;
    if (put_numbers(part, 1, 7, err) == SS_OK && step_some(part, err) == SS_OK &&
        configure(&part, v, &late_device, 3, err) == SS_OK && step_some(part, err) == SS_OK &&
        configure(&part, v, &late_device, 2, err) == SS_OK && step_some(part, err) == SS_OK &&
        keep_field(part, u, err) == SS_OK && put_numbers(part, 0, 3, err) == SS_OK &&
        step_some(part, err) == SS_OK && keep_field(part, u + NX * NY, err) == SS_OK &&
        ss_part_reset(part, err) == SS_OK && step_some(part, err) == SS_OK &&
        configure(&part, v, NULL, 2, err) == SS_OK && step_some(part, err) == SS_OK)
        status = keep_field(part, u + 2 * NX * NY, err);
    ss_part_close(part);
    return status;
}

static double numbers(const ss_run *run, int i, int j, const void *ctx)
{
    return ss_random_unit(*(const uint64_t *)ctx,
                          (uint64_t)j * (uint64_t)run->problem.nx + (uint64_t)i);
}

static void check_now(ss_run *run, const double *u, const char *what)
{
    double *expected = get_field(run, FIELD);
    CHECK_MSG(memcmp(u, expected, NX * NY * sizeof *u) == 0, "%s", what);
    free(expected);
}

TEST(part_device, points_move_to_the_device_and_back)
{
    static const char settings[] = "equation poisson2d solver jacobi problem random n 61 ny 44 "
                                   "backend cpu";
    static const uint64_t right = 7, field = 3;
    ss_config cfg;
    ss_err err = {0};
    set_config(&cfg, settings);
    visit v = {.cfg = &cfg, .u = malloc(3 * NX * NY * sizeof *v.u)};
    for (int ranks = 1; ranks <= 5; ranks += 2) {
        const double *u = v.u;
        memset(v.u, 0, 3 * NX * NY * sizeof *u);
        CHECK_MSG(threads_run(ranks, visit_main, &v, NULL, NULL, &err), "%s", err.text);
        ss_run *run = open_run(settings);
        set_field(run, RHS, numbers, &right);
        double *first = get_field(run, FIELD);
        step_run(run, 3 * CYCLES);
        check_now(run, u, "after two moves");
        set_field(run, FIELD, numbers, &field);
        step_run(run, CYCLES);
        check_now(run, u + NX * NY, "after a put");
        for (int j = 0; j < NY; j++) /* the right-hand side stays */
            CHECK_INT(run->backend->upload(run, 0, 0, 0, j, j + 1, first + j * NX, &err), SS_OK);
        step_run(run, 2 * CYCLES);
        check_now(run, u + 2 * NX * NY, "after a reset and a move");
        free(first);
        ss_run_close(run);
    }
    free(v.u);
}

/* --- pictures --------------------------------------------------------------------------------- */

static const int row_lo[] = {0, 1, 9, 20, 37}, row_hi[] = {1, 9, 20, 37, NY};
enum { BOXES = 5, PAIRS = 1 };

/* Row y and those beside it are where the part says. */
static bool rows_are_there(const ss_part_run *part, const ss_part *p, const double *u, int y)
{
    ss_part_box stored = ss_part_stored(part);
    for (int at = y - 1; at <= y + 1; at++) {
        const double *row =
            (const double *)(const void *)p->data + (at - p->y0) * p->stride - p->x0;
        if (at >= stored.y0 && at < stored.y1 && memcmp(row, u + at * NX, NX * sizeof *u) != 0)
            return false;
    }
    return true;
}

/* Each part shows the rows that a picture reads of it, and the rows beside them. */
static int show_main(ss_comm *comm, void *ctx, ss_err *err)
{
    const visit *v = ctx;
    int lo[BOXES], hi[BOXES], status = SS_FAIL;
    memcpy(lo, row_lo, sizeof lo);
    memcpy(hi, row_hi, sizeof hi);
    ss_plan plan = {.y = {BOXES, 0, NY, lo, hi}, .pairs = PAIRS};
    ss_part_setup setup = {.cfg = v->cfg, .schedule = &ss_part_jacobi, .exchange = 2, .threads = 1};
    setup.device = &late_device;
    ss_part_run *part = ss_part_open(&setup, comm, err);
    ss_parts parts;
    if (part && step_some(part, err) == SS_OK &&
        ss_part_show(part, true, &plan, &parts, err) == SS_OK)
        status = SS_OK;
    ss_part_box own = status == SS_OK ? ss_part_own(part) : (ss_part_box){0, 0, 0, 0};
    for (int r = 0; r < BOXES; r++)
        for (int i = 0; i < ss_box_rows(lo[r], hi[r], PAIRS); i++) {
            int y = ss_box_row(lo[r], hi[r], PAIRS, r, BOXES, i);
            if (y >= own.y0 && y < own.y1 && !rows_are_there(part, &parts.of[SS_PART_U], v->u, y))
                status = ss_fail(err, "row %d of a picture, or one beside it, differs", y);
        }
    ss_part_close(part);
    return status;
}

TEST(part_device, a_picture_has_the_rows_that_it_reads)
{
    static const char settings[] = "equation poisson2d solver jacobi problem random n 61 ny 44 "
                                   "backend cpu";
    ss_config cfg;
    ss_err err = {0};
    set_config(&cfg, settings);
    ss_run *run = open_run(settings);
    step_run(run, CYCLES);
    visit v = {.cfg = &cfg, .u = get_field(run, FIELD)};
    for (int ranks = 1; ranks <= 4; ranks++)
        CHECK_MSG(threads_run(ranks, show_main, &v, NULL, NULL, &err), "%d ranks: %s", ranks,
                  err.text);
    free(v.u);
    ss_run_close(run);
}
