/* The measured limits of machines, in the file "limits" of the user's state: `bench --limits`
 * writes them, the roofline reads them. A line per limit: KEY NAME UNIT VALUE CAPACITY PER_CORE.
 * See driver.h. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/base/file.h"
#include "src/bench/driver.h"
#include "src/core/run.h"
#include "src/core/registry.h"

enum { KEY = 400, LINE = 600, LINES = 1024 }; /* LINES: that are kept */

/* --- the key ---------------------------------------------------------------------------------- */

static void processor(char *buf, size_t size)
{
    char line[256];
    FILE *f = fopen("/proc/cpuinfo", "r");
    buf[0] = '\0';
    while (f && !*buf && fgets(line, sizeof line, f)) {
        char *colon = strncmp(line, "model name", 10) == 0 ? strchr(line, ':') : NULL;
        if (colon)
            snprintf(buf, size, "%.80s", colon + 1 + strspn(colon + 1, " "));
    }
    if (f)
        fclose(f);
    buf[strcspn(buf, "\n")] = '\0';
}

/* What the limits depend on: host, processor, and the device or the threads. One word. */
static const char *key_of(const ss_config *cfg, char buf[KEY])
{
    char host[128] = "", cpu[96], place[128];
    gethostname(host, sizeof host - 1);
    processor(cpu, sizeof cpu);
    ss_config_backend(cfg)->describe(cfg, place, sizeof place);
    snprintf(buf, KEY, "%s|%s|%s", host, cpu, place);
    for (char *c = buf; *c; c++)
        if ((unsigned char)*c <= ' ' || *c == 127)
            *c = '_';
    return buf;
}

static bool is_of(const char *line, const char *key)
{
    size_t n = strlen(key);
    return strncmp(line, key, n) == 0 && line[n] == ' ';
}

/* --- writing it ------------------------------------------------------------------------------- */

static void write_limits(const char *key, const ss_limit *limit, int n, FILE *to)
{
    for (int i = 0; i < n; i++)
        fprintf(to, "%s %s %s %.6g %.0f %d\n", key, limit[i].name, limit[i].unit, limit[i].value,
                limit[i].capacity, limit[i].per_core);
}

/* The whole lines of other keys, the newest ones. */
static int copy_others(const char *path, const char *key, FILE *to, ss_err *err)
{
    char line[LINE];
    int n = 0;
    FILE *f = ss_infile_open(path, err);
    if (!f)
        return errno == ENOENT ? SS_OK : SS_FAIL;
    bool whole =
        true; /* did the line before end within LINE? Longer ones are those of old programs */
    while (fgets(line, sizeof line, f) && n < LINES) {
        bool begins = whole;
        whole = strchr(line, '\n') != NULL;
        if (begins && whole && !is_of(line, key)) {
            fputs(line, to);
            n++;
        }
    }
    int status = ferror(f) ? ss_fail_outside(err, "cannot read %.200s", path) : SS_OK;
    fclose(f);
    return status;
}

int ss_limits_save(const ss_config *cfg, const ss_limit *limit, int n, ss_err *err)
{
    char path[1024], key[KEY];
    ss_outfile out;
    if (ss_state_path("limits", path, sizeof path, err) != SS_OK)
        return SS_FAIL;
    int lock = ss_state_lock(path), status = ss_outfile_open(&out, path, err);
    if (status == SS_OK) {
        write_limits(key_of(cfg, key), limit, n, out.stream);
        status = copy_others(path, key, out.stream, err);
        if (ss_outfile_close(&out, status == SS_OK, err) != SS_OK)
            status = SS_FAIL;
    }
    if (lock >= 0)
        close(lock);
    return status;
}

/* --- reading it ------------------------------------------------------------------------------- */

/* "triad-L2" is the bandwidth of L2; of a disturbed measurement the true part is kept: no cache is
 * slower than the next larger one. */
static void add_cache(ss_roofs *r, const char *name, double bandwidth, double bytes, bool per_core)
{
    const char *dash = strrchr(name, '-');
    name = dash ? dash + 1 : name;
    if (r->n == SS_ROOFS_MAX || strlen(name) >= SS_ROOF_NAME)
        return;
    ss_roof *roof = &r->roof[r->n++];
    *roof = (ss_roof){
        .bandwidth = fmax(bandwidth, roof[-1].bandwidth), .capacity = bytes, .per_core = per_core};
    snprintf(roof->name, sizeof roof->name, "%s", name);
}

/* The roof that a limit is; latencies are none. */
static void add_limit(ss_roofs *r, const ss_config *cfg, const char *line)
{
    char name[32], unit[16];
    double value, bytes;
    int per_core;
    bool read = sscanf(line, "%31s %15s %lf %lf %d", name, unit, &value, &bytes, &per_core) == 5;
    const char *product = ss_config_int(cfg, "precision") == SS_F32 ? "sgemm" : "dgemm";
    if (!read || !(value > 0) || !isfinite(value) || !(bytes >= 0) || !isfinite(bytes))
        return;
    if (strcmp(unit, "B/s") == 0 && bytes > 0)
        add_cache(r, name, value, bytes, per_core);
    else if (strcmp(unit, "B/s") == 0 && strncmp(name, "triad", 5) == 0)
        r->roof[0].bandwidth = fmax(r->roof[0].bandwidth, value);
    else if (strcmp(name, product) == 0)
        r->rate = value * ss_config_threads(cfg);
}

/* Several devices, or a device and the processors, have other limits than one. */
static bool is_shared(const ss_config *cfg)
{
    static const char *const names[] = {"devices", "split"}, *const alone[] = {"0", "off"};
    for (int i = 0; i < 2; i++)
        if (ss_param_find(cfg, names[i], NULL) &&
            strcmp(ss_config_text(cfg, names[i]), alone[i]) != 0)
            return true;
    return ss_config_ranks(cfg) > 0;
}

static int fail_load(const ss_config *cfg, ss_err *err)
{
    char place[128], threads[40] = "";
    const ss_backend *backend = ss_config_backend(cfg);
    backend->describe(cfg, place, sizeof place);
    if (!backend->meter || is_shared(cfg))
        return ss_fail(err, "limits are measured of one machine's processors or of its first GPU, "
                            "and this run has others");
    if (ss_config_given(cfg, "threads"))
        snprintf(threads, sizeof threads, " --threads %d", ss_config_threads(cfg));
    return ss_fail(err,
                   "The limits of %s are not known; this command measures and keeps them: "
                   "stencilscope bench --limits --backend %s%s",
                   place, backend->name, threads);
}

int ss_limits_load(const ss_config *cfg, ss_roofs *out, ss_err *err)
{
    char path[1024], line[LINE], key[KEY];
    *out = (ss_roofs){.n = 1, .roof = {{.name = "memory"}}};
    bool any = ss_config_backend(cfg)->meter && !is_shared(cfg) &&
               ss_state_path("limits", path, sizeof path, err) == SS_OK;
    FILE *f = any ? ss_infile_open(path, err) : NULL;
    key_of(cfg, key);
    while (f && fgets(line, sizeof line, f))
        if (strchr(line, '\n') && is_of(line, key))
            add_limit(out, cfg, line + strlen(key));
    if (f)
        fclose(f);
    if (out->roof[0].bandwidth > 0)
        return SS_OK;
    out->n = 0;
    return fail_load(cfg, err);
}
