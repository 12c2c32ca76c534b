/*
 * Instruction set, memory, traffic and threads of this machine: see machine.h. Binding works on
 * Linux only; elsewhere the system places the threads.
 */
#include "kernels/cpu/simd/machine.h"

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif
#ifdef __linux__
#include <sched.h>
#include <sys/mman.h>
#endif

#include "src/base/system.h"

/* --- instruction set -------------------------------------------------------------------------- */

enum { UNREAD = -1 };
static atomic_int limit = UNREAD;

/* The widest level that STENCILSCOPE_SIMD allows; without a word of these the widest of all. */
static int limit_of_environment(void)
{
    static const char *const words[SS_NISA] = {"plain", "avx2", "avx512"};
    const char *want = getenv("STENCILSCOPE_SIMD");
    for (int i = 0; want && i < SS_NISA; i++)
        if (strcmp(want, words[i]) == 0)
            return i;
    return SS_NISA - 1;
}

static ss_isa detect(void)
{
#if SS_ISA_CLONES
    if (__builtin_cpu_supports("avx512f"))
        return SS_ISA_AVX512;
    if (__builtin_cpu_supports("avx2"))
        return SS_ISA_AVX2;
#endif
    return SS_ISA_PLAIN;
}

ss_isa ss_isa_level(void)
{
    ss_isa supported = detect();
    int most = atomic_load_explicit(&limit, memory_order_relaxed);
    if (most == UNREAD) {
        most = limit_of_environment();
        atomic_store_explicit(&limit, most, memory_order_relaxed);
    }
    return (int)supported < most ? supported : (ss_isa)most;
}

void ss_isa_limit(ss_isa most)
{
    atomic_store_explicit(&limit, (int)most, memory_order_relaxed);
}

const char *ss_isa_name(ss_isa isa)
{
    static const char *const names[SS_NISA] = {"plain", "AVX2", "AVX-512"};
    return names[isa];
}

/* --- memory ----------------------------------------------------------------------------------- */

#define HUGE_PAGE ((size_t)2 << 20)

/* The first line of a file; empty: there is none. */
static const char *read_line(const char *path, char *line, int size)
{
    FILE *f = fopen(path, "r");
    if (!f || !fgets(line, size, f))
        *line = '\0';
    if (f)
        fclose(f);
    return line;
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

/* Entry `name` of a cache of the first core. */
static const char *cache_entry(int index, const char *name, char *line, int size)
{
    char path[96];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, name);
    return read_line(path, line, size);
}

static bool read_cache(int index, ss_cache *out)
{
    char line[64];
    cache_entry(index, "type", line, sizeof line);
    bool data = *line && strncmp(line, "Instruction", 11) != 0;
    out->level = atoi(cache_entry(index, "level", line, sizeof line));
    out->size = 1024 * strtod(cache_entry(index, "size", line, sizeof line), NULL);
    cache_entry(index, "shared_cpu_list", line, sizeof line);
    out->shared = strpbrk(line, ",-") != NULL;
    return data && out->level > 0 && out->size > 0;
}

int ss_memory_caches(ss_cache *out, int max)
{
    enum { LEVELS = 8 };
    ss_cache all[LEVELS];
    int n = 0;
    for (int index = 0; index < LEVELS; index++) {
        ss_cache c = {.shared = false};
        if (!read_cache(index, &c))
            continue;
        int at = n++;
        for (; at > 0 && all[at - 1].size < c.size; at--)
            all[at] = all[at - 1];
        all[at] = c;
    }
    n = n < max ? n : max;
    memcpy(out, all, (size_t)n * sizeof *out);
    return n;
}

/* From sysfs if possible: sysconf's value includes the caches of other sockets. */
size_t ss_memory_cache(void)
{
    ss_cache largest;
    long bytes = -1;
    if (ss_memory_caches(&largest, 1) > 0)
        return (size_t)largest.size;
#ifdef _SC_LEVEL3_CACHE_SIZE
    bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
    return bytes > 0 ? (size_t)bytes : (size_t)32 << 20;
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

/* --- traffic ---------------------------------------------------------------------------------- */

#ifdef __SSE2__

#define LINE 64

void ss_stream_copy(void *to, const void *from, size_t bytes)
{
    char *t = to;
    const char *f = from;
    size_t head = (LINE - (uintptr_t)t % LINE) % LINE;
    head = head < bytes ? head : bytes;
    memcpy(t, f, head);
    /* Whole cache lines only: a partial line would have to be read first. */
    size_t i = head;
    for (; i + LINE <= bytes; i += LINE)
        for (size_t k = i; k < i + LINE; k += 16)
            _mm_stream_si128((__m128i *)(void *)(t + k),
                             _mm_loadu_si128((const __m128i *)(const void *)(f + k)));
    memcpy(t + i, f + i, bytes - i);
}

void ss_stream_done(void)
{
    _mm_sfence();
}

#else

void ss_stream_copy(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

void ss_stream_done(void)
{
}

#endif

/* --- threads ---------------------------------------------------------------------------------- */

/* The fewest point updates per thread that pay for waking it. */
#define UPDATES_PER_THREAD 65536.0

int ss_team_size(const ss_run *run, double updates)
{
    int most = ss_run_threads(run);
    double useful = updates / UPDATES_PER_THREAD;
    return useful < 2 ? 1 : useful < most ? (int)useful : most;
}

#ifdef __linux__

static cpu_set_t allowed; /* the process's affinity mask before any thread is bound */
static pthread_once_t allowed_once = PTHREAD_ONCE_INIT;

static void query_allowed(void)
{
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        CPU_ZERO(&allowed);
}

/* The mask of allowed processor t modulo their number. */
static cpu_set_t mask_of(int t)
{
    cpu_set_t one;
    int n = CPU_COUNT(&allowed), skip = n > 0 ? t % n : 0;
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &allowed) && skip-- == 0) {
            CPU_SET(cpu, &one);
            break;
        }
    return one;
}

int ss_team_bind(const ss_run *run, ss_err *err)
{
    int failed = 0;
    pthread_once(&allowed_once, query_allowed);
#pragma omp parallel num_threads(ss_run_threads(run)) reduction(+ : failed)
    {
        int t = omp_get_thread_num();
        cpu_set_t set = run->pin ? mask_of(t) : allowed;
        if (t > 0 && sched_setaffinity(0, sizeof set, &set) != 0)
            failed++;
    }
    if (failed && run->pin)
        return ss_fail(err, "pin: the system refuses to bind %d threads to processors", failed);
    return SS_OK;
}

void ss_team_enter(const ss_run *run)
{
    if (run->pin) {
        cpu_set_t set = mask_of(0);
        sched_setaffinity(0, sizeof set, &set);
    }
}

void ss_team_leave(const ss_run *run)
{
    if (run->pin)
        sched_setaffinity(0, sizeof allowed, &allowed);
}

#else

int ss_team_bind(const ss_run *run, ss_err *err)
{
    if (run->pin)
        return ss_fail(err, "pin: threads can be bound to processors on Linux only");
    return SS_OK;
}

void ss_team_enter(const ss_run *run)
{
    (void)run;
}

void ss_team_leave(const ss_run *run)
{
    (void)run;
}

#endif
