/*
 * Memory that runs out at every point of opening and changing a run: one error with the requested
 * bytes, no leak, and the old run goes on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "src/app/tables.h"
#include "src/core/registry.h"
#include "src/core/run.h"
#include "tests/check.h"

static long address_space(void)
{
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%ld", &pages) != 1)
        pages = 0;
    if (f)
        fclose(f);
    return pages * sysconf(_SC_PAGESIZE);
}

/* Allows that many more bytes than in use now; < 0: no limit. */
static void leave_room(long bytes)
{
    struct rlimit limit;
    CHECK_INT(getrlimit(RLIMIT_AS, &limit), 0);
    limit.rlim_cur = bytes < 0 ? limit.rlim_max : (rlim_t)(address_space() + bytes);
    CHECK_INT(setrlimit(RLIMIT_AS, &limit), 0);
}

/* A checked config from pairs of names and values, NULL at the end; one thread. */
static ss_config config_of(const char *const *pairs)
{
    ss_config cfg;
    ss_err err = {0};
    ss_tables_init();
    ss_config_default(&cfg);
    for (; *pairs; pairs += 2)
        CHECK_MSG(ss_config_set(&cfg, pairs[0], pairs[1], &err) == SS_OK, "%s", err.text);
    CHECK(ss_config_set(&cfg, "threads", "1", &err) == SS_OK);
    CHECK_MSG(ss_config_check(&cfg, NULL, &err) == SS_OK, "%s", err.text);
    return cfg;
}

#define CONFIG(...) config_of((const char *const[]){__VA_ARGS__, NULL})

TEST(fault, memory_runs_out)
{
    if (CHECK_SANITIZED || address_space() == 0)
        SKIP("the address space cannot be limited here");
    ss_config small = CONFIG("solver", "shared", "n", "200", "k", "4");
    ss_config large = CONFIG("solver", "shared", "n", "1400", "k", "4");
    ss_err err = {0};
    ss_run *run = ss_run_open(&small, NULL, NULL, &err);
    CHECK_MSG(run, "%s", err.text);
    int failed = 0, opened = 0;
    for (long room = 1 << 20; room < 80L << 20; room += 3 << 20) {
        leave_room(room);
        err.text[0] = '\0';
        ss_run *other = ss_run_open(&large, NULL, NULL, &err);
        leave_room(-1);
        CHECK_MSG(other || strstr(err.text, "memory"), "'%s'", err.text);
        failed += !other;
        opened += other != NULL;
        ss_run_close(other);
    }
    CHECK(failed > 0 && opened > 0);
    CHECK(ss_run_step(run, 3, &err) == SS_OK);
    leave_room(4 << 20);
    int status = ss_run_configure(run, &large, &err);
    leave_room(-1);
    CHECK_INT(status, SS_FAIL);
    CHECK_INT(run->cycle, 3);
    CHECK_INT(run->problem.nx, 200);
    CHECK(ss_run_step(run, 1, &err) == SS_OK);
    ss_run_close(run);
}

/* The microscope of the swept rule copies the start of the cycle. */
TEST(fault, memory_runs_out_during_single_subiterations)
{
    if (CHECK_SANITIZED || address_space() == 0)
        SKIP("the address space cannot be limited here");
    ss_config cfg = CONFIG("equation", "euler1d", "n", "262144", "block", "32");
    ss_err err = {0};
    ss_run *run = ss_run_open(&cfg, NULL, NULL, &err);
    CHECK_MSG(run, "%s", err.text);
    leave_room(2 << 20);
    int status = ss_run_tick(run, &err);
    leave_room(-1);
    CHECK_INT(status, SS_FAIL);
    CHECK_MSG(strstr(err.text, "out of memory"), "'%s'", err.text);
    CHECK_INT(run->peek, 0);
    CHECK_INT(ss_run_tick(run, &err), SS_OK);
    CHECK_INT(run->peek, 1);
    CHECK_INT(ss_run_step(run, 1, &err), SS_OK);
    CHECK_INT(run->cycle, 1);
    ss_run_close(run);
}

/* Patches, inverses, orders, phases: whichever allocation fails, the old run goes on. */
TEST(fault, memory_runs_out_while_patches_are_allocated)
{
    if (CHECK_SANITIZED || address_space() == 0)
        SKIP("the address space cannot be limited here");
    ss_config small =
        CONFIG("equation", "poisson3d", "solver", "block-gs", "patch", "16", "px", "2");
    ss_config heavy = CONFIG("equation", "poisson3d", "solver", "block-gs", "patch", "16", "px",
                             "2", "bx", "12", "inverse", "dense");
    ss_config large =
        CONFIG("equation", "poisson3d", "solver", "block-gs", "patch", "64", "px", "2", "bx", "2");
    ss_err err = {0};
    ss_run *run = ss_run_open(&heavy, NULL, NULL, &err); /* OpenBLAS is loaded, once */
    CHECK_MSG(run, "%s", err.text);
    ss_run_close(run);
    run = ss_run_open(&small, NULL, NULL, &err);
    CHECK_MSG(run, "%s", err.text);
    CHECK_INT(ss_run_step(run, 2, &err), SS_OK);
    int failed = 0, opened = 0;
    for (long room = 1 << 20; room < 60L << 20; room += 2 << 20) {
        leave_room(room);
        err.text[0] = '\0';
        ss_run *other = ss_run_open(&large, NULL, NULL, &err);
        leave_room(-1);
        CHECK_MSG(other || strstr(err.text, "memory"), "'%s'", err.text);
        failed += !other;
        opened += other != NULL;
        ss_run_close(other);
    }
    CHECK(failed > 0 && opened > 0);
    leave_room(4 << 20);
    int status = ss_run_configure(run, &heavy, &err);
    leave_room(-1);
    CHECK_INT(status, SS_FAIL);
    CHECK_MSG(strstr(err.text, "the inverse of a block"), "'%s'", err.text);
    CHECK_INT(run->cycle, 2);
    CHECK_INT(ss_run_step(run, 1, &err), SS_OK);
    ss_run_close(run);
}
