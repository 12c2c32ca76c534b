/* The result of a run as JSON and as text: see src/app/parts.h. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "src/run/checkpoint.h"
#include "src/app/parts.h"
#include "tests/fields.h"

static ss_result result_of(ss_run *run)
{
    ss_result r;
    ss_err err = {0};
    CHECK_MSG(ss_result_make(run, false, false, ss_clock(), &r, &err) == SS_OK, "%s", err.text);
    return r;
}

static json_t *json_of(ss_run *run)
{
    char path[256];
    ss_err err = {0};
    const char *dir = getenv("TMPDIR");
    ss_result r = result_of(run);
    snprintf(path, sizeof path, "%s/ss-%ld-result.json", dir ? dir : "/tmp", (long)getpid());
    CHECK_MSG(ss_result_json(&r, path, &err) == SS_OK, "%s", err.text);
    json_t *o = json_load_file(path, 0, NULL);
    CHECK_MSG(o, "%s is no JSON", path);
    remove(path);
    return o;
}

/* The names below `key`, in the order of the tables, each with a blank after it. */
static const char *names_of(const json_t *o, const char *key)
{
    static char text[512];
    const char *name;
    json_t *value;
    size_t at = 0;
    text[0] = '\0';
    json_object_foreach(json_object_get(o, key), name, value)
    {
        at += (size_t)snprintf(text + at, sizeof text - at, "%s ", name);
    }
    return text;
}

static const char *word_of(const json_t *o, const char *name)
{
    const char *text = json_string_value(json_object_get(json_object_get(o, "params"), name));
    return text ? text : "";
}

/* Every parameter that applies to this run, set or not, except common ones; those of another
 * backend are absent. */
TEST(report, params_of_a_cpu_run)
{
    static const char *const table[][2] = {
        {"equation poisson2d solver jacobi backend cpu n 16",
         "n ny aspect problem damping ranks-model latency message-cost link-rate hide-messages "},
        {"equation poisson2d solver shared backend cpu n 64",
         "n ny aspect problem k block block-y overlap overlap-y fault ranks-model latency "
         "message-cost link-rate hide-messages "},
        {"equation heat1d solver swept backend cpu n 64",
         "n fo allow-unstable problem mode block ranks-model latency message-cost link-rate "
         "hide-messages "},
        {"equation poisson3d solver block-gs backend cpu patch 16",
         "px py pz patch sizes ghost problem bx by bz omega inverse order parallel "},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        ss_run *run = open_run(table[i][0]);
        json_t *o = json_of(run);
        CHECK_STR(names_of(o, "params"), table[i][1]);
        json_decref(o);
        ss_run_close(run);
    }
}

/* A GPU config on a CPU run: the rows are known without a device. */
TEST(report, params_of_a_cuda_run)
{
    static const char *const table[][2] = {
        {"equation poisson2d solver jacobi n 16",
         "n ny aspect problem kernel launch tpb-x tpb-y devices damping exchange "
         "split "},
        {"equation poisson2d solver shared n 64",
         "n ny aspect problem k block block-y overlap overlap-y tile launch devices "},
        {"equation heat1d solver swept n 64",
         "n fo allow-unstable problem mode block variant launch devices "},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char text[128];
        snprintf(text, sizeof text, "%s backend cpu", table[i][0]);
        ss_run *run = open_run(text);
        CHECK_INT(ss_config_set(&run->cfg, "backend", "cuda", NULL), SS_OK);
        json_t *o = json_of(run);
        CHECK_STR(names_of(o, "params"), table[i][1]);
        json_decref(o);
        ss_run_close(run);
    }
}

RUN_TEST(report, every_reported_parameter_has_a_value,
         "equation poisson2d solver jacobi backend cpu n 16")
{
    ss_config *cfg = &run->cfg;
    CHECK_INT(ss_config_set(cfg, "backend", "cuda", NULL), SS_OK);
    CHECK_INT(ss_config_set(cfg, "kernel", "smem", NULL), SS_OK);
    CHECK_INT(ss_config_set(cfg, "tpb-x", "64", NULL), SS_OK);
    json_t *o = json_of(run), *params = json_object_get(o, "params");
    CHECK_STR(word_of(o, "kernel"), "smem");
    CHECK_STR(word_of(o, "launch"), "graph");
    CHECK_INT(json_integer_value(json_object_get(params, "tpb-x")), 64);
    CHECK_INT(json_integer_value(json_object_get(params, "tpb-y")), 8);
    json_decref(o);
}

/* --- transfers ------------------------------------------------------------------------------- */

/* A simulated device, in CPU memory, whose transfers take a second each, for any size. */
static const ss_backend *cpu_backend;
static ss_backend device;

static int far_reset(ss_run *run, ss_err *err)
{
    run->seconds_upload += 1;
    return cpu_backend->reset(run, err);
}

static int far_download(ss_run *run, int which, int field, int k, int j0, int j1, void *rows,
                        ss_err *err)
{
    run->seconds_download += 1;
    return cpu_backend->download(run, which, field, k, j0, j1, rows, err);
}

static int far_sample(ss_run *run, const ss_view *view, ss_picture *out, ss_err *err)
{
    run->seconds_download += 1;
    return cpu_backend->sample(run, view, out, err);
}

static ss_run *open_far(void)
{
    ss_run *run = open_run("equation poisson2d solver jacobi backend cpu n 16");
    cpu_backend = run->backend;
    device = *cpu_backend;
    device.reset = far_reset;
    device.download = far_download;
    device.sample = far_sample;
    run->backend = &device;
    return run;
}

static void take_picture(ss_run *run)
{
    static float cell[64];
    static uint8_t owner[64];
    static ss_picture picture;
    ss_view view = {.layer = SS_VALUE, .w = 8, .h = 8, .probe_x = -1, .probe_y = -1, .tile_x = -1};
    ss_err err = {0};
    picture = (ss_picture){.cell = cell, .owner = owner, .w = 8, .h = 8};
    CHECK_MSG(run->backend->sample(run, &view, &picture, &err) == SS_OK, "%s", err.text);
}

/* Neither pictures nor a second request increase the iterations that hide the transfers. */
TEST(report, problem_transfers_are_counted_separately)
{
    ss_run *run = open_far();
    CHECK(isnan(ss_run_to_hide(run, 1)));
    CHECK_INT(ss_run_reset(run, NULL), SS_OK);
    CHECK_NEAR(run->seconds_field_up, 1, 0);
    CHECK_NEAR(ss_run_to_hide(run, 0.25), 4, 0);
    CHECK(isnan(ss_run_to_hide(run, 0)));
    for (int i = 0; i < 5; i++)
        take_picture(run);
    CHECK_NEAR(run->seconds_download, 5, 0);
    CHECK_NEAR(ss_run_to_hide(run, 0.25), 4, 0);
    for (int i = 0; i < 3; i++) { /* a plane in one transfer */
        free(ss_field_download(run));
        CHECK_NEAR(run->seconds_field_down, 1, 0);
        CHECK_NEAR(ss_run_to_hide(run, 0.25), 8, 0);
    }
    CHECK_INT(ss_run_reset(run, NULL), SS_OK);
    CHECK_NEAR(ss_run_to_hide(run, 0.25), 4, 0);
    run->backend = cpu_backend;
    ss_run_close(run);
}

/* Row by row into the file. */
TEST(report, saving_a_field_is_timed_as_a_download)
{
    char path[256];
    ss_err err = {0};
    const char *dir = getenv("TMPDIR");
    ss_run *run = open_far();
    snprintf(path, sizeof path, "%s/ss-%ld-far.npy", dir ? dir : "/tmp", (long)getpid());
    take_picture(run);
    CHECK_MSG(ss_run_save(run, path, &err) == SS_OK, "%s", err.text);
    CHECK_NEAR(run->seconds_download, 17, 0);
    CHECK_NEAR(run->seconds_field_down, 16, 0);
    remove(path);
    run->backend = cpu_backend;
    ss_run_close(run);
}

static double seconds_of(const json_t *o, const char *name)
{
    json_t *value = json_object_get(json_object_get(o, "seconds"), name);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static const char *text_of(ss_run *run)
{
    static char text[1024];
    memset(text, 0, sizeof text);
    ss_result r = result_of(run);
    FILE *out = fmemopen(text, sizeof text - 1, "w");
    CHECK(out);
    ss_result_text(&r, out);
    fclose(out);
    return text;
}

RUN_TEST(report, transfers_are_reported, "equation poisson2d solver jacobi backend cpu n 16")
{
    run->seconds_upload = 3, run->seconds_download = 0.5;
    run->seconds_field_up = 2, run->seconds_field_down = 0.25;
    json_t *o = json_of(run);
    CHECK_NEAR(seconds_of(o, "transfer"), 3.5, 0);
    CHECK_NEAR(seconds_of(o, "to_device"), 3, 0);
    CHECK_NEAR(seconds_of(o, "from_device"), 0.5, 0);
    CHECK_NEAR(seconds_of(o, "transfer_fields"), 2.25, 0);
    const char *text = text_of(run);
    CHECK_MSG(strstr(text, "transfers: 3 s to the device, 500 ms back; 2.25 s of these for"), "%s",
              text);
    json_decref(o);
}

/* Without transfers the text does not mention them. */
RUN_TEST(report, no_transfers_on_the_cpu, "equation poisson2d solver jacobi backend cpu n 16")
{
    step_run(run, 2);
    free(ss_field_download(run));
    json_t *o = json_of(run);
    CHECK_STR(names_of(o, "seconds"), "solve ghosts transfer total ");
    CHECK(isnan(seconds_of(o, "transfer")));
    CHECK(!strstr(text_of(run), "transfers"));
    json_decref(o);
}

/* The backend reports the memory of a tile; the CPU has none. */
RUN_TEST(report, a_tile_reports_its_shared_memory_and_registers,
         "equation poisson2d solver shared backend cpu n 64")
{
    char *text = NULL;
    size_t size;
    json_t *o = json_of(run);
    CHECK(json_is_null(json_object_get(o, "tile")));
    json_decref(o);
    run->tile_bytes = 131072, run->tile_room = 262144;
    o = json_of(run);
    CHECK_NEAR(json_number_value(json_object_get(json_object_get(o, "tile"), "bytes")), 131072, 0);
    CHECK_NEAR(json_number_value(json_object_get(json_object_get(o, "tile"), "room")), 262144, 0);
    json_decref(o);
    FILE *out = open_memstream(&text, &size);
    ss_result r = result_of(run);
    ss_result_text(&r, out);
    CHECK_INT(fclose(out), 0);
    CHECK_MSG(strstr(text, "a tile uses 131 kB of an SM, of at most 262 kB"), "%s", text);
    free(text);
}

/* --- divergence and goals -------------------------------------------------------------------- */

RUN_TEST(report, a_diverged_run_has_no_numbers,
         "equation euler1d solver stepper n 64 dtdx 2 allow-unstable on cycles "
         "1000 backend cpu")
{
    ss_err err = {0};
    char *text = NULL;
    size_t size;
    ss_result r;
    CHECK_INT(ss_run_step(run, 1000, &err), SS_OK);
    json_t *o = json_of(run);
    CHECK_STR(json_string_value(json_object_get(o, "status")), "diverged");
    CHECK(json_is_null(json_object_get(o, "error_max")));
    json_t *mass = json_object_get(json_object_get(o, "monitors"), "mass");
    CHECK(json_is_null(json_object_get(mass, "now")) &&
          json_is_null(json_object_get(mass, "drift")));
    json_decref(o);
    CHECK_INT(ss_result_make(run, true, true, 0, &r, &err), SS_OK);
    FILE *out = open_memstream(&text, &size);
    ss_result_text(&r, out);
    CHECK_INT(fclose(out), 0);
    CHECK_MSG(strstr(text, "max|u - u*| = \xe2\x80\x93\n") && !strstr(text, "nan"), "%s", text);
    CHECK_MSG(strstr(text, "mass \xe2\x80\x93 (\xe2\x80\x93 since the start)\n"), "%s", text);
    free(text);
}

/* "converged" is nothing without its tolerance. */
TEST(report, goals_version_and_command)
{
    ss_run *run = open_run("equation poisson2d solver jacobi n 16 until 0.01 backend cpu");
    json_t *o = json_of(run);
    CHECK_NEAR(json_number_value(json_object_get(o, "tolerance")), 0.01, 0);
    CHECK(json_is_null(json_object_get(o, "until_accuracy")));
    CHECK_STR(json_string_value(json_object_get(o, "version")), SS_VERSION);
    CHECK(json_is_string(json_object_get(o, "command")));
    json_decref(o);
    ss_run_close(run);
    run = open_run("equation poisson2d solver jacobi n 16 until-accuracy 0.1 backend cpu");
    while (run->status == SS_RUNNING) /* the reference is computed in the background */
        CHECK_INT(ss_run_step(run, 10000, NULL), SS_OK);
    CHECK_INT(run->status, SS_CONVERGED);
    o = json_of(run);
    CHECK(json_is_null(json_object_get(o, "tolerance")));
    CHECK_NEAR(json_number_value(json_object_get(o, "until_accuracy")), 0.1, 0);
    CHECK_STR(json_string_value(json_object_get(o, "status")), "converged");
    json_decref(o);
    ss_run_close(run);
    run = open_run("equation heat1d solver stepper n 64 cycles 2 backend cpu");
    o = json_of(run);
    CHECK(json_is_null(json_object_get(o, "tolerance")));
    CHECK(json_is_null(json_object_get(json_object_get(o, "error"), "max")));
    json_decref(o);
    ss_run_close(run);
}

/* --- residual and error ---------------------------------------------------------------------- */

static double error_in(const json_t *o, const char *norm)
{
    return json_number_value(json_object_get(json_object_get(o, "error"), norm));
}

/* Without being asked for where u* is computed in no time; max|u - u*| itself only if it is. */
TEST(report, the_error_stands_beside_the_residual)
{
    ss_err err = {0};
    char *text = NULL;
    size_t size;
    ss_result r;
    ss_run *run = open_run("equation poisson2d solver jacobi n 31 until-error 0.02 error-norm "
                           "energy backend cpu");
    while (run->status == SS_RUNNING)
        CHECK_INT(ss_run_step(run, 10000, NULL), SS_OK);
    json_t *o = json_of(run);
    CHECK_NEAR(json_number_value(json_object_get(o, "until_error")), 0.02, 0);
    CHECK_STR(json_string_value(json_object_get(o, "error_norm")), "energy");
    CHECK(json_is_null(json_object_get(o, "error_max")));
    CHECK(error_in(o, "energy") <= 0.02 && error_in(o, "energy") > 0.0195);
    CHECK(error_in(o, "max") > 0.02 && error_in(o, "max") < 0.03);
    json_decref(o);
    CHECK_INT(ss_result_make(run, false, false, 0, &r, &err), SS_OK);
    FILE *out = open_memstream(&text, &size);
    ss_result_text(&r, out);
    CHECK_INT(fclose(out), 0);
    CHECK_MSG(strstr(text, "error: 2.3e-2 of max|u*|, 2.0e-2 in the energy norm\n"), "%s", text);
    CHECK_MSG(strstr(text, "the error is at most 0.02 of u* in the energy norm\n"), "%s", text);
    free(text);
    ss_run_close(run);
    run = open_run("equation poisson2d solver jacobi n 700 cycles 1 backend cpu");
    CHECK_INT(ss_run_step(run, 1, NULL), SS_OK);
    o = json_of(run);
    CHECK(json_is_null(json_object_get(json_object_get(o, "error"), "max")) && !run->reference);
    json_decref(o);
    ss_run_close(run);
}
