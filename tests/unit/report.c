/* What the result of a run says, as JSON and as text: see src/report.h. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "src/report.h"
#include "tests/fields.h"

static ss_result result_of(ss_run *run)
{
    ss_result r;
    ss_err err = {""};
    CHECK_MSG(ss_result_make(run, false, false, ss_clock(), &r, &err) == SS_OK, "%s", err.text);
    return r;
}

static json_t *json_of(ss_run *run)
{
    char path[256];
    ss_err err = {""};
    const char *dir = getenv("TMPDIR");
    ss_result r = result_of(run);
    snprintf(path, sizeof path, "%s/ss-%ld-result.json", dir ? dir : "/tmp", (long)getpid());
    CHECK_MSG(ss_result_json(&r, path, &err) == SS_OK, "%s", err.text);
    json_t *o = json_load_file(path, 0, NULL);
    CHECK_MSG(o, "%s is no JSON", path);
    remove(path);
    return o;
}

/* The names below `key`, in the order of the tables, a blank behind each. */
static const char *names_of(const json_t *o, const char *key)
{
    static char text[512];
    const char *name;
    json_t *value;
    text[0] = '\0';
    json_object_foreach(json_object_get(o, key), name, value)
    {
        strcat(text, name);
        strcat(text, " ");
    }
    return text;
}

static const char *word_of(const json_t *o, const char *name)
{
    const char *text = json_string_value(json_object_get(json_object_get(o, "params"), name));
    return text ? text : "";
}

/* Every row that applies and is no other run's too, set or not; those of another backend are not
 * there. */
TEST(report, params_of_a_cpu_run)
{
    static const char *const table[][2] = {
        {"equation poisson2d solver jacobi backend cpu n 16", "n ny aspect problem "},
        {"equation poisson2d solver shared backend cpu n 64",
         "n ny aspect problem k block block-y overlap overlap-y fault "},
        {"equation heat1d solver swept backend cpu n 64",
         "n fo allow-unstable problem mode block latency "},
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

/* A config for the GPU, on a run that the CPU has: the rows are known without a device. */
TEST(report, params_of_a_cuda_run)
{
    static const char *const table[][2] = {
        {"equation poisson2d solver jacobi n 16", "n ny aspect problem kernel launch tpb-x tpb-y "},
        {"equation poisson2d solver shared n 64",
         "n ny aspect problem k block block-y overlap overlap-y tile launch "},
        {"equation heat1d solver swept n 64",
         "n fo allow-unstable problem mode block variant launch points "},
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

TEST(report, params_have_values)
{
    ss_run *run = open_run("equation poisson2d solver jacobi backend cpu n 16");
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
    ss_run_close(run);
}
