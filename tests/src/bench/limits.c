/* The limits that `bench --limits` keeps, and the roofs that they become. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/app/tables.h"
#include "src/bench/driver.h"
#include "src/core/registry.h"
#include "tests/check.h"

static char home[64];

static void begin(void)
{
    snprintf(home, sizeof home, "/tmp/stencilscope-kept-XXXXXX");
    CHECK(mkdtemp(home) != NULL);
    setenv("XDG_STATE_HOME", home, 1);
}

static void file_path(char *path, size_t size)
{
    snprintf(path, size, "%s/stencilscope/limits", home);
}

static void end(void)
{
    char path[128];
    file_path(path, sizeof path);
    remove(path);
    *strrchr(path, '/') = '\0';
    rmdir(path);
    rmdir(home);
}

static ss_config config(const char *threads)
{
    ss_config cfg;
    ss_err err;
    ss_tables_init();
    ss_config_default(&cfg);
    CHECK(ss_config_set(&cfg, "equation", "poisson1d", &err) == SS_OK);
    CHECK(ss_config_set(&cfg, "solver", "shared", &err) == SS_OK);
    CHECK(ss_config_set(&cfg, "backend", "cpu", &err) == SS_OK);
    CHECK(ss_config_set(&cfg, "threads", threads, &err) == SS_OK);
    CHECK(ss_config_check(&cfg, NULL, &err) == SS_OK);
    return cfg;
}

/* A memory, a device's cache, two processor caches, products and a latency. */
static const ss_limit sample[] = {
    {.name = "triad", .unit = "B/s", .value = 10e9},
    {.name = "triad-streaming", .unit = "B/s", .value = 12e9},
    {.name = "dgemm", .unit = "flop/s", .value = 5e10},
    {.name = "sgemm", .unit = "flop/s", .value = 11e10},
    {.name = "launch-stream", .unit = "s", .value = 2e-6},
    {.name = "triad-L2", .unit = "B/s", .value = 9e9, .capacity = 1e6},
    {.name = "triad-L1", .unit = "B/s", .value = 99e9, .capacity = 32768, .per_core = true},
};
enum { SAMPLE = sizeof sample / sizeof *sample };

static void save(const ss_config *cfg, const ss_limit *limit, int n)
{
    ss_err err;
    CHECK_MSG(ss_limits_save(cfg, limit, n, &err) == SS_OK, "%s", err.text);
}

TEST(limits, kept_limits_are_the_roofs_of_a_run)
{
    ss_err err;
    ss_roofs r;
    begin();
    ss_config cfg = config("2"), single = cfg;
    save(&cfg, sample, SAMPLE);
    CHECK_MSG(ss_limits_load(&cfg, &r, &err) == SS_OK, "%s", err.text);
    CHECK_INT(r.n, 3);
    CHECK_STR(r.roof[0].name, "memory");
    CHECK_NEAR(r.roof[0].bandwidth, 12e9, 1); /* the fastest pass */
    CHECK_STR(r.roof[1].name, "L2");
    CHECK_NEAR(r.roof[1].bandwidth, 12e9, 1); /* not slower than memory */
    CHECK_STR(r.roof[2].name, "L1");
    CHECK_NEAR(r.roof[2].bandwidth, 99e9, 1);
    CHECK_NEAR(r.roof[2].capacity, 32768, 0);
    CHECK(r.roof[2].per_core && !r.roof[1].per_core);
    CHECK_NEAR(r.rate, 2 * 5e10, 1); /* of two threads */
    CHECK(ss_config_set(&single, "precision", "f32", &err) == SS_OK);
    CHECK(ss_limits_load(&single, &r, &err) == SS_OK);
    CHECK_NEAR(r.rate, 2 * 11e10, 1);
    end();
}

TEST(limits, each_number_of_threads_has_its_own)
{
    ss_err err;
    ss_roofs r;
    begin();
    ss_config one = config("1"), two = config("2");
    ss_limit faster = {.name = "triad", .unit = "B/s", .value = 20e9};
    save(&one, sample, SAMPLE);
    save(&two, &faster, 1);
    CHECK(ss_limits_load(&one, &r, &err) == SS_OK);
    CHECK_NEAR(r.roof[0].bandwidth, 12e9, 1);
    save(&one, &faster, 1); /* replaces all of the first ones */
    CHECK(ss_limits_load(&one, &r, &err) == SS_OK);
    CHECK_INT(r.n, 1);
    CHECK_NEAR(r.roof[0].bandwidth, 20e9, 1);
    CHECK_NEAR(r.rate, 0, 0);
    CHECK(ss_limits_load(&two, &r, &err) == SS_OK);
    end();
}

TEST(limits, without_a_file_the_command_that_measures_is_named)
{
    ss_err err;
    ss_roofs r;
    begin();
    ss_config cfg = config("2");
    CHECK(ss_limits_load(&cfg, &r, &err) == SS_FAIL);
    CHECK_INT(r.n, 0);
    CHECK_MSG(strstr(err.text, "CPU, 2 threads") &&
                  strstr(err.text, "stencilscope bench --limits --backend cpu --threads 2"),
              "%s", err.text);
    end();
}

/* Ranks have virtual clocks. */
TEST(limits, a_run_on_other_hardware_has_no_roofs)
{
    ss_err err;
    ss_roofs r;
    begin();
    ss_config cfg = config("1");
    save(&cfg, sample, SAMPLE);
    CHECK(ss_config_set(&cfg, "ranks-model", "4", &err) == SS_OK);
    CHECK(ss_limits_load(&cfg, &r, &err) == SS_FAIL);
    CHECK_MSG(strstr(err.text, "this run has others"), "%s", err.text);
    end();
}

TEST(limits, damaged_lines_are_skipped)
{
    static const char *const lines[] = {
        "",
        " triad",
        " triad B/s",
        " triad B/s 1e10",
        " triad B/s 1e10 0",
        " triad B/s nan 0 0",
        " triad B/s -1e10 0 0",
        " triad B/s inf 0 0",
        " triad B/s 1e10 -1 0",
        "x triad B/s 1e10 0 0",
    };
    char path[128], line[600];
    ss_err err;
    ss_roofs r;
    begin();
    ss_config cfg = config("1");
    save(&cfg, sample, 1); /* makes the folder, and shows the key */
    file_path(path, sizeof path);
    FILE *f = fopen(path, "r");
    CHECK(f && fgets(line, sizeof line, f));
    fclose(f);
    *strchr(line, ' ') = '\0';
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        f = fopen(path, "w");
        CHECK(f != NULL);
        fprintf(f, "%s%s\n", line, lines[i]);
        fclose(f);
        CHECK_MSG(ss_limits_load(&cfg, &r, &err) == SS_FAIL, "'%s'", lines[i]);
    }
    end();
}

/* Bandwidths of this machine: a private cache is measured for all threads together. */
SLOW_TEST(limits, the_processors_caches_are_measured_beside_memory)
{
    ss_err err;
    void *state;
    ss_limit rows[SS_LIMITS_MAX] = {{0}};
    ss_config cfg = config("1");
    const ss_meter *meter = ss_config_backend(&cfg)->meter;
    CHECK_MSG(meter->open(&cfg, &state, &err) == SS_OK, "%s", err.text);
    int n = meter->measure(state, rows, &err);
    meter->close(state);
    CHECK(n >= 5);
    CHECK_STR(rows[0].name, "triad");
    for (int i = 0; i < n; i++) {
        bool cache = strncmp(rows[i].name, "triad-L", 7) == 0;
        CHECK_MSG(rows[i].value > 1e7, "%s: %g", rows[i].name, rows[i].value);
        CHECK_INT(rows[i].capacity > 0, cache);
    }
}
