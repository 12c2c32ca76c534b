/* Saved states: a run that continues from one is the run that was never interrupted, bit for bit.
 */
#include <unistd.h>

#include "src/run/checkpoint.h"
#include "tests/fields.h"

static const char *const settings[] = {
    "equation poisson2d solver jacobi n 61 ny 40 problem random seed 3",
    "equation poisson2d solver shared n 61 ny 40 k 5 overlap 4 precision f32",
    "equation poisson1d solver async n 90 block 16 alpha 3 problem random",
    "equation poisson3d solver block-gs patch 8 px 2 bx 4",
    "equation heat1d solver swept n 128 block 32",
    "equation ks1d solver stepper n 64",
    "equation euler1d solver swept n 64 block 16 precision f32",
};

static ss_run *open_from(const char *text, const char *path)
{
    ss_config cfg;
    ss_err err = {0};
    set_config(&cfg, text);
    ss_run *run = ss_run_open(&cfg, path, NULL, &err);
    CHECK_MSG(run, "%s: %s", text, err.text);
    return run;
}

static void save(ss_run *run, const char *path)
{
    ss_err err = {0};
    CHECK_MSG(ss_run_save(run, path, &err) == SS_OK, "%s", err.text);
}

/* Its cycle, its clock, its residuals and the sums of its ledger. */
static void check_same(const ss_run *a, const ss_run *b, const char *text)
{
    CHECK_MSG(a->exact_since == b->exact_since, "%s: exact", text);
    CHECK_MSG(a->cycle == b->cycle && a->iteration == b->iteration && a->step == b->step, "%s",
              text);
    CHECK_MSG(memcmp(&a->time, &b->time, sizeof a->time) == 0, "%s: time", text);
    CHECK_MSG(memcmp(&a->residual0, &b->residual0, sizeof a->residual0) == 0, "%s: r0", text);
    CHECK_MSG(memcmp(&a->residual, &b->residual, sizeof a->residual) == 0, "%s: r", text);
    CHECK_MSG(memcmp(&a->total.global_bytes, &b->total.global_bytes, sizeof(double)) == 0,
              "%s: bytes", text);
    CHECK_MSG(memcmp(a->watch.first, b->watch.first, sizeof a->watch.first) == 0, "%s: monitors",
              text);
    char *u = ss_field_download((ss_run *)a), *v = ss_field_download((ss_run *)b);
    CHECK_MSG(u && v && memcmp(u, v, ss_field_bytes(a)) == 0, "%s: another field", text);
    free(u);
    free(v);
}

TEST(state, a_continued_run_is_the_uninterrupted_one)
{
    char path[] = "/tmp/ss-stateXXXXXX.ckpt";
    int fd = mkstemps(path, 5);
    CHECK(fd >= 0 && close(fd) == 0);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        ss_run *first = open_run(settings[i]), *whole = open_run(settings[i]);
        step_run(first, 7);
        save(first, path);
        ss_run *second = open_from(settings[i], path);
        CHECK_INT(second->cycle, 7);
        step_run(second, 5);
        step_run(whole, 12);
        check_same(second, whole, settings[i]);
        ss_err err = {0};
        CHECK_INT(ss_run_reset(second, &err), SS_OK); /* back to the saved state */
        CHECK_INT(second->cycle, 7);
        ss_run_close(first);
        ss_run_close(second);
        ss_run_close(whole);
    }
    remove(path);
}

TEST(state, a_state_of_another_problem_is_refused)
{
    char path[] = "/tmp/ss-stateXXXXXX.ckpt";
    int fd = mkstemps(path, 5);
    CHECK(fd >= 0 && close(fd) == 0);
    ss_run *run = open_run(settings[0]);
    ss_config cfg;
    ss_err err = {0};
    step_run(run, 2);
    save(run, path);
    ss_run_close(run);
    set_config(&cfg, "equation poisson2d solver jacobi n 61 ny 40 problem random seed 4");
    CHECK(!ss_run_open(&cfg, path, NULL, &err));
    CHECK_MSG(strstr(err.text, "another problem") && strstr(err.text, "seed=3"), "%s", err.text);
    remove(path);
}

/* The array alone starts a new run: cycle 0, its own first residual. */
TEST(state, an_array_without_progress_begins_at_cycle_0)
{
    char path[] = "/tmp/ss-stateXXXXXX.npy";
    int fd = mkstemps(path, 4);
    CHECK(fd >= 0 && close(fd) == 0);
    ss_run *run = open_run(settings[0]);
    step_run(run, 7);
    save(run, path);
    ss_run *again = open_from(settings[0], path);
    CHECK_INT(again->cycle, 0);
    step_run(again, 1);
    CHECK(again->residual0 < run->residual0);
    ss_run_close(run);
    ss_run_close(again);
    remove(path);
}

TEST(state, a_damaged_line_is_refused)
{
    static const char *const tails[] = {
        "{", "{}", "{\"problem\":3}",
        "{\"stencilscope\":\"state\",\"problem\":\"equation=poisson2d precision=f64 seed=3 n=61 "
        "ny=40 aspect=1 problem=random\",\"cycle\":-1}"};
    char path[] = "/tmp/ss-stateXXXXXX.npy";
    int fd = mkstemps(path, 4);
    CHECK(fd >= 0 && close(fd) == 0);
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        ss_config cfg;
        ss_err err = {0};
        ss_run *run = open_run(settings[0]);
        save(run, path);
        ss_run_close(run);
        FILE *f = fopen(path, "ab");
        CHECK(f && fputs(tails[i], f) >= 0 && fclose(f) == 0);
        set_config(&cfg, settings[0]);
        CHECK_MSG(!ss_run_open(&cfg, path, NULL, &err), "%s", tails[i]);
        CHECK_MSG(strstr(err.text, "damaged"), "%s", err.text);
    }
    remove(path);
}
