/*
 * Painting: a dab adds its formula to its points and changes no other; invalid ones are refused
 * without a change; undo reverts a stroke bit for bit; a session with strokes can be replayed.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/run/paint.h"
#include "tests/engines.h"

static ss_run *open_run(const char *equation, const char *const *pairs)
{
    ss_err err = {0};
    ss_config cfg = config(equation, NULL, pairs);
    ss_run *run = ss_run_open(&cfg, NULL, NULL, &err);
    CHECK_MSG(run, "%s", err.text);
    return run;
}

static int paint(ss_run *run, const char *line, ss_err *err)
{
    ss_cmd cmd;
    ss_dab dab;
    CHECK_MSG(ss_cmd_parse(line, &cmd, err) == SS_OK, "%s", err->text);
    return ss_dab_parse(run, &cmd, &dab, err) == SS_OK ? ss_dab_apply(run, &dab, err) : SS_FAIL;
}

/* --- dabs ------------------------------------------------------------------------------------- */

typedef struct bump {
    double x, y, z, radius, amount;
    int dim, ring; /* ring: points of a periodic line */
} bump;

/* The formula, straight from the header. */
static double added(const bump *b, int x, int y, int z)
{
    double dx = fabs(x - b->x), d2;
    if (b->ring && b->ring - dx < dx)
        dx = b->ring - dx;
    d2 = dx * dx;
    if (b->dim > 1)
        d2 += (y - b->y) * (y - b->y);
    else if (y != (int)b->y)
        return 0;
    if (b->dim > 2)
        d2 += (z - b->z) * (z - b->z);
    double q = d2 / (b->radius * b->radius);
    return q < 1 ? b->amount * pow(1 - q, 3) : 0;
}

static double value_at(const ss_run *run, const char *u, size_t i)
{
    return run->prec == SS_F64 ? ((const double *)u)[i] : (double)((const float *)u)[i];
}

static void check_bump(ss_run *run, const char *line, const bump *b)
{
    ss_err err = {0};
    const ss_problem *p = &run->problem;
    char *before = ss_field_download(run);
    double close = run->prec == SS_F64 ? 1e-14 : 1e-6;
    int touched = 0;
    size_t i = 0;
    CHECK_MSG(paint(run, line, &err) == SS_OK, "%s", err.text);
    char *after = ss_field_download(run);
    CHECK(before && after);
    for (int z = 0; z < p->nz; z++)
        for (int y = 0; y < p->ny; y++)
            for (int x = 0; x < p->nx; x++, i++) {
                double want = added(b, x, y, z), u = value_at(run, before, i);
                CHECK_NEAR(value_at(run, after, i), u + want, close * (1 + fabs(u)));
                if (want == 0)
                    CHECK(memcmp(&before[i * ss_prec_size(run->prec)],
                                 &after[i * ss_prec_size(run->prec)],
                                 ss_prec_size(run->prec)) == 0);
                touched += want != 0;
            }
    CHECK(touched > 0);
    free(before);
    free(after);
    ss_run_close(run);
}

TEST(paint, a_disc_changes_the_cells_inside_it)
{
    bump b = {.x = 10.5, .y = 3, .radius = 6, .amount = 0.75, .dim = 2};
    check_bump(open_run("poisson2d", PAIRS("n", "53", "ny", "31", "problem", "random")),
               "paint 10.5 3 6 0.75", &b);
}

TEST(paint, a_disc_is_painted_in_single_precision)
{
    bump b = {.x = 50, .y = 17.25, .radius = 40, .amount = -2, .dim = 2};
    check_bump(open_run("poisson2d", PAIRS("n", "53", "ny", "31", "precision", "f32")),
               "paint 50 17.25 40 -2", &b);
}

TEST(paint, painting_changes_one_copy_of_a_line)
{
    bump b = {.x = 7, .y = 2, .radius = 5, .amount = 1, .dim = 1};
    check_bump(open_run("poisson1d", PAIRS("n", "40", "copies", "4")), "paint 7 2 5 1", &b);
}

/* A dab wraps around a ring. */
TEST(paint, painting_wraps_around_a_periodic_line)
{
    bump b = {.x = 2, .radius = 9, .amount = 0.5, .dim = 1, .ring = 128};
    check_bump(open_run("ks1d", PAIRS("n", "128")), "paint 2 0 9 0.5", &b);
}

TEST(paint, painting_a_slice_changes_a_ball)
{
    bump b = {.x = 5, .y = 4, .z = 9, .radius = 4, .amount = 1, .dim = 3};
    check_bump(
        open_run("poisson3d", PAIRS("patch", "8", "px", "2", "py", "2", "pz", "2", "bx", "4")),
        "paint 5 9 4 1 plane=xz slice=4", &b);
}

/* Outside the uncoupled cubes painting is refused. */
TEST(paint, painting_uncoupled_patches_keeps_the_residual_finite)
{
    ss_err err = {0};
    ss_run *run = open_run("poisson3d", PAIRS("sizes", "6,9", "bx", "3"));
    CHECK_MSG(paint(run, "paint 5 3 4 1 slice=3", &err) == SS_OK, "%s", err.text);
    CHECK(ss_run_step(run, 2, &err) == SS_OK);
    CHECK(isfinite(run->residual));
    ss_run_close(run);
}

/* Added pressure is energy; density and momentum stay. */
TEST(paint, painting_pressure_changes_the_energy_alone)
{
    ss_err err = {0};
    ss_run *run = open_run("euler1d", PAIRS("n", "64"));
    char *before = ss_field_download(run);
    CHECK_MSG(paint(run, "paint 20 0 8 0.3 field=pressure", &err) == SS_OK, "%s", err.text);
    char *after = ss_field_download(run);
    CHECK(memcmp(before, after, 2 * 64 * sizeof(double)) == 0);
    for (int x = 0; x < 64; x++) {
        double q = (x - 20) * (x - 20) / 64.0, want = q < 1 ? 0.3 * pow(1 - q, 3) / 0.4 : 0;
        CHECK_NEAR(value_at(run, after, 128 + (size_t)x),
                   value_at(run, before, 128 + (size_t)x) + want, 1e-14);
    }
    free(before);
    free(after);
    ss_run_close(run);
}

/* --- refusals --------------------------------------------------------------------------------- */

static void refused(ss_run *run, const char *line, const char *why)
{
    ss_err err = {0};
    char *before = ss_field_download(run);
    CHECK(paint(run, line, &err) == SS_FAIL);
    CHECK_MSG(strstr(err.text, why), "'%s' does not say '%s'", err.text, why);
    char *after = ss_field_download(run);
    CHECK(memcmp(before, after, ss_field_bytes(run)) == 0);
    free(before);
    free(after);
}

TEST(paint, invalid_strokes_are_refused)
{
    ss_err err = {0};
    ss_run *gas = open_run("euler1d", PAIRS("n", "64"));
    ss_run *plane = open_run("poisson2d", PAIRS("n", "32"));
    CHECK(ss_run_step(plane, 3, &err) == SS_OK);
    refused(gas, "paint 50 0 8 -0.2", "the density would not be positive");
    refused(gas, "paint 50 0 8 -0.2 field=pressure", "the pressure would not be positive");
    refused(gas, "paint 50 0 8 0.2 field=mach", "mach cannot be painted");
    refused(gas, "paint 50 0 8 0.2 field=heat", "no field 'heat'");
    refused(gas, "paint 50 0 8 1e9", "a value would be too large");
    refused(gas, "paint 50 1 8 1",
            "Y is out of range: '1' is not in 0\xe2\x80\xa6"
            "0");
    refused(plane, "paint -1 0 8 1",
            "X is out of range: '-1' is not in 0\xe2\x80\xa6"
            "31");
    refused(plane, "paint 5 5 0 1",
            "RADIUS is out of range: '0' is not in 1\xe2\x80\xa6"
            "32 points");
    refused(plane, "paint 5 5 nan 1", "RADIUS is out of range");
    refused(plane, "paint 5 5 8 inf", "AMOUNT is out of range");
    refused(plane, "paint 5 5 8 1e9", "count as divergence");
    refused(plane, "paint 5 5 8 0", "changes no value of the field");
    refused(plane, "paint 5 5 8 1 slice=2", "neither field=NAME nor join");
    ss_run_close(gas);
    ss_run_close(plane);
}

/* --- undo and sessions ------------------------------------------------------------------------ */

static void undone(const char *equation, const char *const *pairs, const char *const *with,
                   const char *const *without)
{
    ss_config cfg = config(equation, NULL, pairs);
    ss_engine *a = engine_for(&cfg), *b = engine_for(&cfg);
    const ss_snapshot *s = send_lines(a, with);
    CHECK_MSG(!s->message_is_error, "%s", s->message);
    CHECK_INT(s->nmark, 0);
    send_lines(b, without);
    same_state(a, b);
}

/* A stroke of many dabs is undone after the run has continued. */
TEST(paint, undo_takes_a_stroke_back)
{
    undone("poisson2d", PAIRS("n", "48", "ny", "37", "problem", "random", "k", "3"),
           PAIRS("step 4", "paint 10 10 5 1", "paint 12 10 5 1 join", "step 2",
                 "paint 14 10 5 1 join", "step 3", "undo", "step 1"),
           PAIRS("step 5"));
    undone("euler1d", PAIRS("n", "96"),
           PAIRS("step 4", "paint 40 0 9 0.1 field=velocity", "step 3", "undo"), PAIRS("step 4"));
    undone("poisson3d", PAIRS("patch", "12", "bx", "4"),
           PAIRS("paint 4 4 3 1", "step 2", "undo", "step 1"), PAIRS("step 1"));
}

TEST(paint, strokes_are_taken_back_one_by_one)
{
    ss_config cfg = config("poisson2d", NULL, PAIRS("n", "40"));
    ss_engine *a = engine_for(&cfg), *b = engine_for(&cfg);
    const ss_snapshot *s =
        send_lines(a, PAIRS("step 2", "paint 9 9 4 1", "step 1", "paint 20 9 4 1"));
    CHECK_INT(s->nmark, 2);
    CHECK_STR(s->mark[1].text, "painted");
    send_lines(a, PAIRS("set k 5", "undo", "undo"));
    send_lines(b, PAIRS("step 2", "paint 9 9 4 1", "step 1"));
    same_state(a, b);
}

static void same_curve(const ss_snapshot *s, const ss_snapshot *t)
{
    CHECK_INT(s->ncurve, t->ncurve);
    for (int i = 0; i < s->ncurve; i++) {
        CHECK_INT(s->curve[i].cycle, t->curve[i].cycle);
        CHECK(memcmp(&s->curve[i].residual, &t->curve[i].residual, sizeof(double)) == 0);
    }
}

/* Commands that come late find an idle engine, which has taken the norm of the present field. */
static void timed(const char *equation, const char *const *pairs, const char *const *lines)
{
    ss_config cfg = config(equation, NULL, pairs);
    ss_engine *a = engine_for(&cfg), *b = engine_for(&cfg);
    const ss_snapshot *s = send_lines(a, lines), *t = NULL;
    for (; *lines; lines++)
        t = send_lines(b, LINES(*lines));
    same_curve(s, t);
    same_state(a, b);
}

TEST(paint, the_curve_does_not_depend_on_when_commands_come)
{
    timed("poisson2d", PAIRS("n", "48", "ny", "37", "problem", "random", "k", "3"),
          PAIRS("step 4", "paint 10 10 5 1", "step 2", "paint 14 10 5 1", "undo", "step 3"));
    timed("euler1d", PAIRS("n", "96"),
          PAIRS("step 4", "paint 40 0 9 0.1 field=velocity", "step 3", "undo", "redo", "step 2"));
    timed("poisson3d", PAIRS("patch", "12", "bx", "4"),
          PAIRS("paint 4 4 3 1", "paint 5 4 3 1", "step 2", "undo", "step 1"));
}

/* Undo and redo together change nothing: field, cycle, curve, marks. */
static void redone(const char *equation, const char *const *pairs, const char *const *with,
                   const char *const *without)
{
    ss_config cfg = config(equation, NULL, pairs);
    ss_engine *a = engine_for(&cfg), *b = engine_for(&cfg);
    const ss_snapshot *s = send_lines(a, with), *t = send_lines(b, without);
    CHECK_MSG(!s->message_is_error, "%s", s->message);
    CHECK_INT(s->nmark, t->nmark);
    same_curve(s, t);
    CHECK(s->telemetry.value[SS_T_ITERATION] == t->telemetry.value[SS_T_ITERATION]);
    same_state(a, b);
}

TEST(paint, redo_returns_to_the_state_that_was_undone)
{
    redone(
        "poisson2d", PAIRS("n", "48", "ny", "37", "problem", "random", "k", "3"),
        PAIRS("step 4", "paint 10 10 5 1", "step 2", "paint 14 10 5 1 join", "step 3", "undo",
              "step 9", "redo", "step 1"),
        PAIRS("step 4", "paint 10 10 5 1", "step 2", "paint 14 10 5 1 join", "step 3", "step 1"));
    redone("euler1d", PAIRS("n", "96"),
           PAIRS("step 4", "paint 40 0 9 0.1 field=velocity", "step 3", "undo", "redo"),
           PAIRS("step 4", "paint 40 0 9 0.1 field=velocity", "step 3"));
    redone("poisson3d", PAIRS("patch", "12", "bx", "4"),
           PAIRS("paint 4 4 3 1", "step 2", "undo", "redo", "step 1"),
           PAIRS("paint 4 4 3 1", "step 3"));
    redone("poisson2d", PAIRS("n", "40"), /* back and forth, with a change between strokes */
           PAIRS("step 2", "paint 9 9 4 1", "step 1", "set k 5", "step 1", "paint 20 9 4 1", "undo",
                 "undo", "undo", "redo", "redo", "redo", "undo", "redo", "step 2"),
           PAIRS("step 2", "paint 9 9 4 1", "step 1", "set k 5", "step 1", "paint 20 9 4 1",
                 "step 2"));
}

/* What was redone can be undone again. */
TEST(paint, a_redone_stroke_can_be_taken_back)
{
    undone("poisson2d", PAIRS("n", "40"),
           PAIRS("step 4", "paint 9 9 4 1", "step 2", "undo", "redo", "step 1", "undo", "step 1"),
           PAIRS("step 5"));
}

ENGINE_TEST(paint, reset_leaves_nothing_to_redo, "poisson2d", NULL, "n", "40")
{
    const ss_snapshot *s = send_lines(e, PAIRS("step 2", "paint 9 9 4 1", "undo", "reset", "redo"));
    CHECK_MSG(s->message_is_error && strstr(s->message, "nothing to redo"), "%s", s->message);
}

ENGINE_TEST(paint, reset_leaves_nothing_to_undo, "poisson2d", NULL, "n", "40")
{
    const ss_snapshot *s = send_lines(e, PAIRS("step 2", "paint 9 9 4 1", "reset", "undo"));
    CHECK_MSG(s->message_is_error && strstr(s->message, "nothing to undo"), "%s", s->message);
}

TEST(paint, a_session_with_strokes_replays_to_the_same_field)
{
    char path[] = "/tmp/ss-painted-XXXXXX.run", line[80];
    int fd = mkstemps(path, 4);
    CHECK(fd >= 0);
    close(fd);
    ss_config cfg = config("poisson2d", NULL, PAIRS("n", "45", "ny", "33", "problem", "random"));
    ss_engine *first = engine_for(&cfg), *second = engine_for(&cfg);
    snprintf(line, sizeof line, "save %s", path);
    send_lines(first, PAIRS("step 4", "paint 10.25 8 5 0.1", "paint 12 8 5 0.1 join", "step 2",
                            "paint 30 99 5 1", "paint 30 20 6 -0.3", "step 3", "undo", "step 2",
                            "redo", "step 1", line));
    play(second, path);
    same_state(first, second);
    remove(path);
}
