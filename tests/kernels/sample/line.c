/*
 * Pictures of time-dependent runs: every field and derived quantity, the exact solution and the
 * distance to it, the probed point at the ends of the line, and which layers are missing.
 */
#include <stdio.h>
#include <unistd.h>

#include "src/engine/lane.h"
#include "tests/pictures.h"

#define TUBE "equation euler1d solver swept n 64 block 16 "

/* The three fields of a point. */
static void fields_at(const double *u, int n, int i, double *q)
{
    for (int f = 0; f < 3; f++)
        q[f] = u[f * n + i];
}

/* All fields, one behind the other. */
static double *all_fields(ss_run *run)
{
    ss_err err;
    int n = run->problem.nx;
    double *u = malloc(3 * (size_t)n * sizeof *u);
    for (int f = 0; f < 3; f++)
        CHECK_INT(run->backend->download(run, 0, f, 0, 0, 1, u + f * n, &err), SS_OK);
    return u;
}

TEST(line, every_quantity_is_that_of_the_fields)
{
    ss_run *run = open_run(TUBE);
    ss_picture pic = new_picture(64, 1);
    ss_view view = view_of(SS_VALUE);
    step_run(run, 5);
    double *u = all_fields(run), q[3];
    for (view.field = 0; view.field < run->eq->nquantity; view.field++) {
        double (*of)(const double *) = run->eq->quantities[view.field].of;
        take(run, &view, &pic);
        for (int i = 0; i < 64; i++) {
            fields_at(u, 64, i, q);
            CHECK_MSG((float)cell_at(&pic, i, 0) == (float)(of ? of(q) : q[view.field]),
                      "%s, point %d", run->eq->quantities[view.field].name, i);
        }
    }
    view.field = 99; /* of another equation: the last one there is */
    take(run, &view, &pic);
    free(u);
    free_picture(&pic);
    ss_run_close(run);
}

TEST(line, error_is_the_distance_to_the_solution)
{
    ss_run *run = open_run(TUBE "limiter as-printed");
    ss_picture value = new_picture(64, 1), exact = new_picture(64, 1), error = new_picture(64, 1);
    ss_view view = view_of(SS_VALUE);
    step_run(run, 5);
    for (view.field = 0; view.field < run->eq->nquantity; view.field++) {
        view.layer = SS_VALUE, take(run, &view, &value);
        view.layer = SS_EXACT, take(run, &view, &exact);
        view.layer = SS_ERROR, take(run, &view, &error);
        for (int i = 0; i < 64; i++) {
            double distance = fabs(cell_at(&value, i, 0) - cell_at(&exact, i, 0));
            CHECK_MSG(fabs(cell_at(&error, i, 0) - distance) < 1e-6, "field %d, point %d",
                      view.field, i);
        }
    }
    free_picture(&value), free_picture(&exact), free_picture(&error);
    ss_run_close(run);
}

/* Cosine modes are known to the last bits: the picture of the error is rounding. */
RUN_TEST(line, modes_of_heat_are_exact, "equation heat1d solver swept n 256 block 32")
{
    ss_picture pic = new_picture(100, 1);
    ss_view view = view_of(SS_ERROR);
    step_run(run, 20);
    take(run, &view, &pic);
    CHECK_MSG(pic.hi >= 0 && pic.hi < 1e-13, "%g", pic.hi);
    free_picture(&pic);
}

TEST(line, unknown_quantities_are_explained)
{
    static ss_snapshot s;
    ss_run *chaos = open_run("equation ks1d solver swept n 64 block 16");
    ss_run *step = open_run("equation heat1d solver stepper n 64 problem step");
    ss_run *tube = open_run(TUBE);
    CHECK(!ss_run_solution(chaos, 0, NULL) && !ss_run_solution(step, 0, NULL));
    CHECK(ss_run_solution(tube, 0, NULL));
    ss_layers_missing(chaos, s.layer_why);
    for (int i = 0; i < SS_NLAYER; i++)
        CHECK((s.layer_why[i] == NULL) == (i == SS_VALUE));
    ss_layers_missing(tube, s.layer_why);
    CHECK(!s.layer_why[SS_EXACT] && !s.layer_why[SS_ERROR] && s.layer_why[SS_RESIDUAL]);
    ss_run_close(chaos), ss_run_close(step), ss_run_close(tube);
}

/* No exact solution where the run has left its validity. */
TEST(line, a_loaded_start_has_no_known_solution)
{
    static const char *const settings[] = {TUBE, "equation heat1d solver swept n 64 block 16"};
    static ss_snapshot s;
    char path[64];
    snprintf(path, sizeof path, "/tmp/ss-%ld-start.npy", (long)getpid());
    for (int k = 0; k < 2; k++) {
        ss_run *run = open_run(settings[k]);
        step_run(run, 2);
        ss_layers_missing(run, s.layer_why);
        CHECK(!s.layer_why[SS_EXACT] && !s.layer_why[SS_ERROR]);
        CHECK_INT(ss_run_save(run, path, NULL), SS_OK);
        CHECK_INT(ss_run_load(run, path, NULL), SS_OK);
        ss_layers_missing(run, s.layer_why);
        CHECK_STR(s.layer_why[SS_EXACT], ss_run_no_solution(run));
        CHECK_MSG(s.layer_why[SS_ERROR] && strstr(s.layer_why[SS_ERROR], "was loaded"), "%s",
                  s.layer_why[SS_ERROR]);
        CHECK(!ss_run_solution(run, 0, NULL));
        CHECK_INT(ss_run_reset(run, NULL), SS_OK); /* from the file again */
        CHECK(!ss_run_solution(run, 0, NULL));
        ss_run_close(run);
    }
    remove(path);
}

/* The neighbour of an end is the other end on a ring, the inner point at an insulated end. */
TEST(line, the_probe_reads_boundary_values)
{
    static const struct {
        const char *settings;
        int west;
    } ends[] = {{"equation ks1d solver stepper n 64", 63},
                {"equation heat1d solver stepper n 64", 1}};
    for (int k = 0; k < 2; k++) {
        ss_run *run = open_run(ends[k].settings);
        ss_picture pic = new_picture(8, 1);
        ss_view view = view_of(SS_VALUE);
        step_run(run, 3);
        view.probe_x = view.probe_y = 0;
        take(run, &view, &pic);
        double *u = get_field(run, FIELD);
        CHECK(pic.probe.valid && !pic.probe.has_stale);
        CHECK(pic.probe.value == u[0] && pic.probe.east == u[1]);
        CHECK(pic.probe.west == u[ends[k].west]);
        free(u);
        free_picture(&pic);
        ss_run_close(run);
    }
}

/* A picture in the middle of a cycle leaves the run as it was. */
TEST(line, sampling_does_not_change_the_run)
{
    static ss_snapshot s;
    ss_run *run = open_run(TUBE), *other = open_run(TUBE);
    ss_picture pic = new_picture(64, 1);
    ss_err err;
    s.view = view_of(SS_VALUE);
    s.view.spectrum = true;
    s.picture.w = 64;
    for (int i = 0; i < 9; i++) {
        CHECK_INT(ss_run_tick(run, &err), SS_OK);
        take(run, &s.view, &pic);
        ss_publish_line(&s, run, -1);
        CHECK(s.nexact == 0 && s.nspectrum == 0); /* levels differ from point to point; no ring */
    }
    CHECK_INT(s.theatre.phase, SS_PHASE_DIAMOND);
    step_run(run, 3), step_run(other, 3);
    double *a = all_fields(run), *b = all_fields(other);
    CHECK(memcmp(a, b, 3 * 64 * sizeof *a) == 0);
    ss_publish_line(&s, run, -1);
    CHECK_INT(s.nexact, 64);
    free(a), free(b);
    free_picture(&pic);
    ss_run_close(run), ss_run_close(other);
}
