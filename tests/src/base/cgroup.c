/* Limits of control groups, in made-up trees. */
#include "src/base/system.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/check.h"

typedef struct tree {
    char folder[CHECK_FOLDER], own[CHECK_FOLDER + 16];
} tree;

/* Writes a file below the tree's folder, and the folders on the way. */
static void put(const tree *t, const char *name, const char *text)
{
    char path[CHECK_FOLDER + 128];
    snprintf(path, sizeof path, "%s/%s", t->folder, name);
    for (char *p = path + strlen(t->folder) + 1; (p = strchr(p, '/')); *p++ = '/') {
        *p = '\0';
        mkdir(path, 0777);
    }
    FILE *f = fopen(path, "w");
    CHECK(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

static tree plant(const char *own)
{
    tree t;
    check_folder(t.folder);
    snprintf(t.own, sizeof t.own, "%s/own", t.folder);
    put(&t, "own", own);
    return t;
}

TEST(cgroup, the_smallest_limit_counts_from_the_own_group_up)
{
    tree t = plant("0::/slurm/job_7/step_0\n");
    put(&t, "memory.current", "900");
    put(&t, "slurm/memory.max", "max\n");
    put(&t, "slurm/job_7/memory.max", "1500\n");
    put(&t, "slurm/job_7/memory.current", "500\n");
    put(&t, "slurm/job_7/step_0/memory.max", "4000\n");
    put(&t, "slurm/job_7/step_0/memory.current", "500\n");
    CHECK_NEAR(ss_cgroup_memory(t.own, t.folder), 1000, 0);
    put(&t, "slurm/job_7/memory.stat", "anon 300\ninactive_file 200\nactive_file 0\n");
    CHECK_NEAR(ss_cgroup_memory(t.own, t.folder), 1200, 0);
    put(&t, "slurm/job_7/step_0/memory.high", "1100\n");
    CHECK_NEAR(ss_cgroup_memory(t.own, t.folder), 600, 0);
}

TEST(cgroup, version_1_has_a_path_for_each_controller)
{
    tree t = plant("9:cpu,cpuacct:/cpus\n5:memory:/slurm/job\n1:name=systemd:/memory\n0::/x\n");
    put(&t, "memory/memory.limit_in_bytes", "9223372036854771712\n");
    put(&t, "memory/memory.usage_in_bytes", "1\n");
    put(&t, "memory/slurm/job/memory.limit_in_bytes", "3000\n");
    put(&t, "memory/slurm/job/memory.usage_in_bytes", "1000\n");
    put(&t, "memory/slurm/job/memory.stat", "total_inactive_file 400\n");
    put(&t, "cpu/cpus/cpu.cfs_quota_us", "250000\n");
    put(&t, "cpu/cpus/cpu.cfs_period_us", "100000\n");
    put(&t, "cpu/cpu.cfs_quota_us", "-1\n");
    put(&t, "cpu/cpu.cfs_period_us", "100000\n");
    CHECK_NEAR(ss_cgroup_memory(t.own, t.folder), 2400, 0);
    CHECK_NEAR(ss_cgroup_cores(t.own, t.folder), 2.5, 0);
}

TEST(cgroup, a_container_may_see_its_own_group_as_the_root)
{
    tree t = plant("0::/docker/0123abcd\n");
    put(&t, "memory.max", "800");
    put(&t, "memory.current", "900");
    put(&t, "cpu.max", "150000 100000\n");
    CHECK_NEAR(ss_cgroup_memory(t.own, t.folder), 0, 0);
    CHECK_NEAR(ss_cgroup_cores(t.own, t.folder), 1.5, 0);
    put(&t, "own", "0::/../../system.slice/job\n");
    CHECK_NEAR(ss_cgroup_memory(t.own, t.folder), 0, 0);
}

TEST(cgroup, without_a_limit_there_is_none)
{
    tree t = plant("0::/\n");
    put(&t, "memory.max", "max\n");
    put(&t, "memory.current", "900\n");
    put(&t, "cpu.max", "max 100000\n");
    CHECK_NEAR(ss_cgroup_memory(t.own, t.folder), -1, 0);
    CHECK_NEAR(ss_cgroup_cores(t.own, t.folder), -1, 0);
    CHECK_NEAR(ss_cgroup_memory("/dev/null/none", "/dev/null/none"), -1, 0);
}
