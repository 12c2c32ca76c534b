/* The machine and its system: see system.h. */
#include "src/base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* --- time ------------------------------------------------------------------------------------- */

/* --- processor time --------------------------------------------------------------------------- */

double ss_cpu_thread(void)
{
    struct timespec t = {0, 0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Threads of the whole machine that run or want to, besides the calling one; < 0: unknown. */
static int running_besides(void)
{
    int running = 0;
    FILE *f = fopen("/proc/loadavg", "r");
    int n = f ? fscanf(f, "%*f %*f %*f %d/", &running) : 0;
    if (f)
        fclose(f);
    return n == 1 ? running - 1 : -1;
}

/* The least of some looks, since a thread may run for a moment only. The load averages would count
 * this program's runs of the last minute. */
int ss_cpu_idle(int processors)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    int others = running_besides(), all = (int)sysconf(_SC_NPROCESSORS_ONLN);
    for (int i = 0; i < 3 && others > 0; i++) {
        nanosleep(&moment, NULL);
        int again = running_besides();
        others = again < others ? again : others;
    }
    int left = others > 0 ? all - others : processors;
    return left < 1 ? 1 : left < processors ? left : processors;
}

/* --- deadlines -------------------------------------------------------------------------------- */

struct timespec ss_deadline_in(clockid_t clock, double seconds)
{
    struct timespec t;
    clock_gettime(clock, &t);
    int64_t ns = t.tv_nsec + (int64_t)(fmin(fmax(seconds, 0), 1e9) * 1e9);
    t.tv_sec += (time_t)(ns / 1000000000);
    t.tv_nsec = (long)(ns % 1000000000);
    return t;
}

/* --- limits ----------------------------------------------------------------------------------- */

/* Control groups, versions 1 and 2. */

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

/* --- processes, threads and signals ----------------------------------------------------------- */

/* --- children --------------------------------------------------------------------------------- */

#ifdef __linux__
#include <sys/prctl.h>
#endif

/* In the child: only calls that are safe after a fork of a program with threads. */
static _Noreturn void become(char *const *argv, char *const *env, int log, int signal)
{
    sigset_t none;
    int null = open("/dev/null", O_RDONLY);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid();
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, signal);
#else
    (void)signal;
#endif
    dup2(null, 0);
    dup2(log, 1);
    dup2(log, 2);
    for (int fd = 3; fd < 1024; fd++)
        close(fd);
    execvpe(argv[0], argv, env);
    dprintf(2, "cannot start %s: %s\n", argv[0], strerror(errno));
    _exit(127);
}

int ss_child_start(char *const *argv, char *const *env, int log, int signal)
{
    int pid = fork();
    if (pid == 0)
        become(argv, env, log, signal);
    return pid;
}

/* --- threads ---------------------------------------------------------------------------------- */

static void *wait_at(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

int ss_threads_check(int count, ss_err *err)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    int made = 0, status = 0;
    if (count < 1)
        return SS_OK;
    pthread_t *thread = ss_alloc((size_t)count * sizeof *thread, "threads", err);
    if (!thread)
        return SS_FAIL;
    pthread_mutex_lock(&gate); /* all are there at the same time */
    while (made < count && status == 0) {
        status = pthread_create(&thread[made], NULL, wait_at, &gate);
        made += status == 0;
    }
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < made; i++)
        pthread_join(thread[i], NULL);
    free(thread);
    return status ? ss_fail_outside(err, "cannot start %d threads: %s", count + 1, strerror(status))
                  : SS_OK;
}

/* --- signals that end the program ------------------------------------------------------------- */

static const int numbers[SS_QUIT_SIGNALS] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

void ss_quit_signals_catch(ss_quit_signals *s, void (*handler)(int))
{
    struct sigaction act = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&act.sa_mask);
    for (int i = 0; i < SS_QUIT_SIGNALS; i++) {
        sigaction(numbers[i], NULL, &s->before[i]);
        if (numbers[i] != SIGHUP || s->before[i].sa_handler != SIG_IGN)
            sigaction(numbers[i], &act, NULL);
    }
    s->caught = true;
}

void ss_quit_signals_release(ss_quit_signals *s)
{
    for (int i = 0; s->caught && i < SS_QUIT_SIGNALS; i++)
        sigaction(numbers[i], &s->before[i], NULL);
    s->caught = false;
}
