/*
 * Memory that runs out at every moment of opening and changing a run: one sentence with the bytes
 * asked for, nothing left behind, and the run that was there goes on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "src/registry.h"
#include "src/run.h"
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

/* Room for so many bytes more than there are now; < 0: as much as there is. */
static void leave_room(long bytes)
{
    struct rlimit limit;
    CHECK_INT(getrlimit(RLIMIT_AS, &limit), 0);
    limit.rlim_cur = bytes < 0 ? limit.rlim_max : (rlim_t)(address_space() + bytes);
    CHECK_INT(setrlimit(RLIMIT_AS, &limit), 0);
}

static ss_config square(const char *n, const char *k)
{
    ss_config cfg;
    ss_err err = {""};
    ss_registry_init();
    ss_config_default(&cfg);
    CHECK(ss_config_set(&cfg, "solver", "shared", &err) == SS_OK);
    CHECK(ss_config_set(&cfg, "n", n, &err) == SS_OK);
    CHECK(ss_config_set(&cfg, "k", k, &err) == SS_OK);
    CHECK(ss_config_set(&cfg, "threads", "1", &err) == SS_OK);
    CHECK(ss_config_check(&cfg, NULL, &err) == SS_OK);
    return cfg;
}

TEST(fault, memory_runs_out)
{
    if (CHECK_SANITIZED || address_space() == 0)
        SKIP("the address space cannot be limited here");
    ss_config small = square("200", "4"), large = square("1400", "4");
    ss_err err = {""};
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
