/* Memory and caches of this machine: see memory.h. No state. */
#include "kernels/cpu/simd/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "src/base/system.h"

#define HUGE_PAGE ((size_t)2 << 20)

/* The number at the start of a file, or -1 if it has none, e.g. "max". */
static double read_number(const char *path)
{
    char text[64] = "";
    FILE *f = fopen(path, "r");
    if (!f)
        return -1;
    char *end = text;
    double v = fgets(text, sizeof text, f) ? strtod(text, &end) : -1;
    fclose(f);
    return end == text ? -1 : v;
}

static double system_available(void)
{
    char line[128];
    double kilobytes = -1;
    FILE *f = fopen("/proc/meminfo", "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "MemAvailable:", 13) == 0)
            kilobytes = strtod(line + 13, NULL);
    if (f)
        fclose(f);
    if (kilobytes >= 0)
        return kilobytes * 1024;
    return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}

#define SHARE 0.94 /* the rest is for the program itself, and for what others need meanwhile */

double ss_memory_available(char *what, size_t size)
{
    double bytes = system_available(), container = ss_cgroup_memory(SS_CGROUP_OWN, SS_CGROUP_ROOT);
    bool limited = container >= 0 && container < bytes;
    snprintf(what, size, "%s", limited ? "memory in this container or job" : "free memory");
    return (limited ? container : bytes) * SHARE;
}

/* From sysfs if possible: sysconf's value includes the caches of other sockets. */
size_t ss_memory_cache(void)
{
    double kilobytes = -1;
    char path[80];
    for (int i = 0; i < 8; i++) {
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", i);
        double size = read_number(path);
        kilobytes = size > kilobytes ? size : kilobytes;
    }
    if (kilobytes > 0)
        return (size_t)(kilobytes * 1024);
    long bytes = -1;
#ifdef _SC_LEVEL3_CACHE_SIZE
    bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
    return bytes > 0 ? (size_t)bytes : (size_t)32 << 20;
}

static bool read_cache(int index, ss_cache *out)
{
    char path[96], text[64] = "";
    static const char folder[] = "/sys/devices/system/cpu/cpu0/cache";
    snprintf(path, sizeof path, "%s/index%d/type", folder, index);
    FILE *f = fopen(path, "r");
    bool data = f && fgets(text, sizeof text, f) && strncmp(text, "Instruction", 11) != 0;
    if (f)
        fclose(f);
    snprintf(path, sizeof path, "%s/index%d/level", folder, index);
    out->level = (int)read_number(path);
    snprintf(path, sizeof path, "%s/index%d/size", folder, index);
    out->size = 1024 * read_number(path);
    snprintf(path, sizeof path, "%s/index%d/shared_cpu_list", folder, index);
    text[0] = '\0';
    if ((f = fopen(path, "r"))) {
        out->shared = fgets(text, sizeof text, f) && strpbrk(text, ",-") != NULL;
        fclose(f);
    }
    return data && out->level > 0 && out->size > 0;
}

int ss_memory_caches(ss_cache *out, int max)
{
    int n = 0;
    for (int index = 0; index < 8 && n < max; index++) {
        ss_cache c = {.shared = false};
        if (!read_cache(index, &c))
            continue;
        int at = n++;
        for (; at > 0 && out[at - 1].size < c.size; at--)
            out[at] = out[at - 1];
        out[at] = c;
    }
    return n;
}

void *ss_memory_untouched(size_t bytes, const char *what, ss_err *err)
{
    size_t unit = bytes >= HUGE_PAGE ? HUGE_PAGE : SS_ALIGN;
    size_t rounded = (bytes + unit - 1) / unit * unit;
    void *p = rounded < bytes ? NULL : aligned_alloc(unit, rounded ? rounded : unit);
    if (!p) {
        ss_fail_memory(err, what, bytes);
        return NULL;
    }
#ifdef MADV_HUGEPAGE
    /* Each row of a large field is on a page of its own: huge pages reduce TLB misses. The rest at
     * the end has small ones: a huge page would be present as a whole. */
    if (unit == HUGE_PAGE)
        madvise(p, bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
#endif
    return p;
}
