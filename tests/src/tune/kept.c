/* Roofs that are kept from one map to the next, and how they are measured. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/app/tables.h"
#include "src/core/registry.h"
#include "src/tune/kit.h"
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

static const ss_roofs sample = {
    .n = 2,
    .roof = {{"memory", 12e9, 0, true}, {"L1", 99e9, 32768, false}},
    .rate = 5e10,
    .busy = 1.25,
};

TEST(kept, roofs_are_read_back_as_they_were_saved)
{
    ss_err err;
    ss_roofs r;
    begin();
    CHECK(!ss_kept_load("here", &r));
    CHECK_MSG(ss_kept_save("here", &sample, &err) == SS_OK, "%s", err.text);
    CHECK_MSG(ss_kept_save("there", &sample, &err) == SS_OK, "%s", err.text);
    ss_roofs other = sample;
    other.rate = 7e10;
    CHECK(ss_kept_save("there", &other, &err) == SS_OK); /* replaces the first one */
    CHECK(ss_kept_load("here", &r));
    CHECK_INT(r.n, 2);
    CHECK_STR(r.roof[1].name, "L1");
    CHECK_NEAR(r.roof[1].bandwidth, 99e9, 1);
    CHECK_NEAR(r.roof[1].capacity, 32768, 0);
    CHECK(r.roof[0].shared && !r.roof[1].shared);
    CHECK_NEAR(r.rate, 5e10, 1);
    CHECK_NEAR(r.busy, 1.25, 1e-9);
    CHECK(ss_kept_load("there", &r) && r.rate > 6e10);
    end();
}

TEST(kept, damaged_lines_are_no_roofs)
{
    static const char *const lines[] = {
        "here",
        "here 1",
        "here 1 5e10",
        "here 1 5e10 memory",
        "here 1 5e10 memory 1e10 0",
        "here nan 5e10 memory 1e10 0 1",
        "here 1 5e10 memory -1e10 0 1",
        "here 1 5e10 memory inf 0 1",
        "here 1 5e10 \033[31m 1e10 0 1",
        "here 1 5e10 muchtoolongname 1e10 0 1",
        "herethere 1 5e10 memory 1e10 0 1",
    };
    char path[128];
    ss_err err;
    ss_roofs r;
    begin();
    CHECK(ss_kept_save("other", &sample, &err) == SS_OK); /* makes the folder */
    file_path(path, sizeof path);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        FILE *f = fopen(path, "w");
        CHECK(f != NULL);
        fprintf(f, "%s\n", lines[i]);
        fclose(f);
        CHECK_MSG(!ss_kept_load("here", &r), "'%s'", lines[i]);
    }
    end();
}

/* What a measurement depends on has a key of its own. */
TEST(kept, keys_differ_by_threads_precision_and_clock)
{
    ss_err err;
    char key[4][400];
    ss_config one = config("1"), two = config("2"), single = one;
    CHECK(ss_config_set(&single, "precision", "f32", &err) == SS_OK);
    ss_kept_key(&one, SS_ROOF_THREAD, key[0], sizeof key[0]);
    ss_kept_key(&two, SS_ROOF_THREAD, key[1], sizeof key[1]);
    ss_kept_key(&single, SS_ROOF_THREAD, key[2], sizeof key[2]);
    ss_kept_key(&one, SS_ROOF_WALL, key[3], sizeof key[3]);
    for (int i = 0; i < 4; i++) {
        CHECK(!strpbrk(key[i], " \t\n"));
        for (int k = 0; k < i; k++)
            CHECK_MSG(strcmp(key[i], key[k]) != 0, "%s", key[i]);
    }
}

/* A calm measurement is used again; one of a busy machine is repeated. */
TEST(kept, only_a_calm_measurement_is_used_again)
{
    char key[400];
    ss_err err;
    ss_roofs r, calm = sample;
    begin();
    ss_config cfg = config("1");
    ss_kept_key(&cfg, SS_ROOF_THREAD, key, sizeof key);
    calm.busy = 1.1;
    CHECK(ss_kept_save(key, &calm, &err) == SS_OK);
    CHECK_MSG(ss_tune_roofs(&cfg, SS_ROOF_THREAD, NULL, &r, &err) == SS_OK, "%s", err.text);
    CHECK_NEAR(r.roof[0].bandwidth, 12e9, 1);
    cfg = config("2"); /* others: those of one thread stay with this process */
    ss_kept_key(&cfg, SS_ROOF_WALL, key, sizeof key);
    CHECK_INT(r.clock, SS_ROOF_THREAD);
    CHECK_INT(r.threads, 1);
    calm.busy = 1e9;
    CHECK(ss_kept_save(key, &calm, &err) == SS_OK);
    CHECK_MSG(ss_tune_roofs(&cfg, SS_ROOF_WALL, NULL, &r, &err) == SS_OK, "%s", err.text);
    CHECK(r.n >= 1 && r.busy < 1e9 && r.roof[0].bandwidth != 12e9);
    CHECK(r.busy > 0.9); /* a thread has no more CPU time than wall-clock time passes */
    CHECK_INT(r.clock, SS_ROOF_WALL);
    CHECK_INT(r.threads, 2);
    CHECK(ss_kept_load(key, &calm) && calm.busy < 1e9); /* and kept */
    double once = r.roof[0].bandwidth;
    CHECK(ss_tune_roofs(&cfg, SS_ROOF_WALL, NULL, &r, &err) == SS_OK); /* not measured again here */
    CHECK(r.roof[0].bandwidth == once);
    end();
}

/* Cells and roofs have one clock in every kind of map. */
TEST(kept, the_clock_is_that_of_the_cells)
{
    ss_config cfg = config("2");
    CHECK_INT(ss_tune_clock(&cfg, true), SS_ROOF_THREAD);
    CHECK_INT(ss_tune_clock(&cfg, false), SS_ROOF_WALL);
}

/* A measurement that is stopped leaves nothing behind. */
TEST(kept, a_stopped_measurement_is_not_kept)
{
    char key[400];
    ss_err err = {0};
    ss_roofs r;
    const atomic_bool stop = true;
    begin();
    ss_config cfg = config("1");
    CHECK_INT(ss_tune_roofs(&cfg, SS_ROOF_THREAD, &stop, &r, &err), SS_FAIL);
    CHECK_MSG(strstr(err.text, "stopped"), "%s", err.text);
    CHECK(!ss_kept_load(ss_kept_key(&cfg, SS_ROOF_THREAD, key, sizeof key), &r));
    end();
}
