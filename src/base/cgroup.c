/* Control groups, versions 1 and 2: see cgroup.h. */
#include "src/base/cgroup.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 1024 };

/* Reads what one group may still take; -1: it has no limit of this kind. */
typedef double read_fn(const char *folder);

/* Up to two numbers of a file; returns how many it has: "max" is none. */
static int read_numbers(const char *folder, const char *name, double *a, double *b)
{
    char path[2 * PATH + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "r");
    int n = f ? fscanf(f, "%lf %lf", a, b) : 0;
    if (f)
        fclose(f);
    return n > 0 ? n : 0;
}

static double read_number(const char *folder, const char *name)
{
    double v, unused;
    return read_numbers(folder, name, &v, &unused) > 0 ? v : -1;
}

/* Pages of files that the system gives back when memory is needed. */
static double read_cache(const char *folder, const char *key)
{
    char path[2 * PATH + 64], name[64];
    double v, found = 0;
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    FILE *f = fopen(path, "r");
    while (f && fscanf(f, "%63s %lf", name, &v) == 2)
        if (strcmp(name, key) == 0)
            found = v;
    if (f)
        fclose(f);
    return found;
}

static double rest(const char *folder, double limit, const char *used, const char *cache)
{
    double in_use = read_number(folder, used);
    if (limit < 0 || in_use < 0)
        return -1;
    in_use -= read_cache(folder, cache);
    return limit > in_use ? limit - in_use : 0;
}

/* -1 is no limit. */
static double smaller(double a, double b)
{
    return b >= 0 && (a < 0 || b < a) ? b : a;
}

static double memory_2(const char *folder)
{
    double limit = smaller(read_number(folder, "memory.max"), read_number(folder, "memory.high"));
    return rest(folder, limit, "memory.current", "inactive_file");
}

static double memory_1(const char *folder)
{
    return rest(folder, read_number(folder, "memory.limit_in_bytes"), "memory.usage_in_bytes",
                "total_inactive_file");
}

static double cores_2(const char *folder)
{
    double quota, period;
    return read_numbers(folder, "cpu.max", &quota, &period) == 2 && period > 0 ? quota / period
                                                                               : -1;
}

static double cores_1(const char *folder)
{
    double quota = read_number(folder, "cpu.cfs_quota_us");
    double period = read_number(folder, "cpu.cfs_period_us");
    return quota > 0 && period > 0 ? quota / period : -1;
}

static bool has_word(const char *list, const char *word)
{
    size_t n = strlen(word);
    for (; *list; list += strcspn(list, ","), list += *list == ',')
        if (strncmp(list, word, n) == 0 && (list[n] == ',' || !list[n]))
            return true;
    return false;
}

/* The group of this process among those of a controller, "/slurm/job_7"; "" if it is unknown, or
 * the root. Version 2 has one line, whose list of controllers is empty. */
static void find_group(const char *own, const char *controller, char *group)
{
    char line[PATH];
    FILE *f = fopen(own, "r");
    *group = '\0';
    while (f && fgets(line, sizeof line, f)) {
        char *list = strchr(line, ':'), *path = list ? strchr(list + 1, ':') : NULL;
        if (!path)
            continue;
        *path++ = '\0';
        path[strcspn(path, "\n")] = '\0';
        if (*controller ? has_word(list + 1, controller) : !list[1])
            snprintf(group, PATH, "%s", strcmp(path, "/") == 0 ? "" : path);
    }
    if (f)
        fclose(f);
    char *outside = strstr(group, "/.."); /* above the part that is visible here */
    if (outside)
        *outside = '\0';
}

/* The smallest limit from the own group up. A container may see its own group as the root, and not
 * the path to it. */
static double smallest(const char *own, const char *root, const char *controller, read_fn *read)
{
    char group[PATH], folder[2 * PATH];
    double limit = -1;
    find_group(own, controller, group);
    for (char *end = group; end;) {
        snprintf(folder, sizeof folder, "%s%s%s%s", root, *controller ? "/" : "", controller,
                 group);
        limit = smaller(limit, read(folder));
        end = strrchr(group, '/');
        if (end)
            *end = '\0';
    }
    return limit;
}

double ss_cgroup_memory(const char *own, const char *root)
{
    return smaller(smallest(own, root, "", memory_2), smallest(own, root, "memory", memory_1));
}

double ss_cgroup_cores(const char *own, const char *root)
{
    return smaller(smallest(own, root, "", cores_2), smallest(own, root, "cpu", cores_1));
}
