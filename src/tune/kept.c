/* Measured roofs, kept in the file "limits" of the user's state, one line each: "KEY BUSY RATE NAME
 * BANDWIDTH CAPACITY SHARED ...". See kit.h. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/cpu/simd/memory.h"
#include "src/base/infile.h"
#include "src/base/outfile.h"
#include "src/base/statefile.h"
#include "src/core/registry.h"
#include "src/tune/kit.h"

enum { LINE_CHARS = 1024, KEYS_MAX = 64 }; /* KEYS_MAX: lines that are kept */

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

const char *ss_kept_key(const ss_config *cfg, ss_roof_clock clock, char *buf, size_t size)
{
    static const char *const clocks[SS_NROOF_CLOCK] = {"cpu-time", "wall-clock", "device"};
    char host[128] = "", cpu[96], place[128];
    gethostname(host, sizeof host - 1);
    processor(cpu, sizeof cpu);
    ss_config_backend(cfg)->describe(cfg, place, sizeof place);
    snprintf(buf, size, "%s|%s|%.0f|%s|f%d|%s", host, cpu, (double)ss_memory_cache(), place,
             (int)(8 * ss_prec_size((ss_prec)ss_config_int(cfg, "precision"))), clocks[clock]);
    for (char *c = buf; *c; c++)
        if ((unsigned char)*c <= ' ' || *c == 127)
            *c = '_';
    return buf;
}

/* --- one line --------------------------------------------------------------------------------- */

static bool is_of(const char *line, const char *key)
{
    size_t n = strlen(key);
    return strncmp(line, key, n) == 0 && line[n] == ' ';
}

/* The next number of a line, positive; false: there is none. */
static bool next_number(char **save, double least, double *out)
{
    char *end, *word = strtok_r(NULL, " \n", save);
    *out = word ? strtod(word, &end) : -1;
    return word && !*end && isfinite(*out) && *out >= least;
}

/* A name is drawn on the screen: letters and digits only. */
static bool next_name(char **save, char *name)
{
    const char *word = strtok_r(NULL, " \n", save);
    size_t n = word ? strlen(word) : 0;
    if (n == 0 || n >= SS_ROOF_NAME || strspn(word, "abcdefghijklmnopqrstuvwxyzL0123456789") != n)
        return false;
    memcpy(name, word, n + 1);
    return true;
}

static bool read_line(char *line, ss_roofs *out)
{
    char *save = NULL;
    double shared;
    *out = (ss_roofs){.n = 0};
    if (!strtok_r(line, " \n", &save) || !next_number(&save, 0, &out->busy) ||
        !next_number(&save, 0, &out->rate))
        return false;
    for (int i = 0; i < SS_ROOFS_MAX; i++) {
        ss_roof *roof = &out->roof[i];
        if (!next_name(&save, roof->name))
            break;
        if (!next_number(&save, 1, &roof->bandwidth) || !next_number(&save, 0, &roof->capacity) ||
            !next_number(&save, 0, &shared))
            return false;
        roof->shared = shared > 0;
        out->n++;
    }
    return out->n > 0;
}

static void write_line(const char *key, const ss_roofs *r, FILE *to)
{
    fprintf(to, "%s %.4g %.6g", key, r->busy, r->rate);
    for (int i = 0; i < r->n; i++)
        fprintf(to, " %s %.6g %.0f %d", r->roof[i].name, r->roof[i].bandwidth, r->roof[i].capacity,
                r->roof[i].shared);
    fprintf(to, "\n");
}

/* --- the file --------------------------------------------------------------------------------- */

bool ss_kept_load(const char *key, ss_roofs *out)
{
    char path[1024], line[LINE_CHARS];
    ss_err ignored;
    bool found = false;
    if (ss_state_path("limits", path, sizeof path, &ignored) != SS_OK)
        return false;
    FILE *f = ss_infile_open(path, &ignored);
    while (f && !found && fgets(line, sizeof line, f))
        found = strchr(line, '\n') && is_of(line, key) && read_line(line, out);
    if (f)
        fclose(f);
    return found;
}

/* The whole lines of other keys, the newest ones. */
static int copy_others(const char *path, const char *key, FILE *to, ss_err *err)
{
    char line[LINE_CHARS];
    int n = 0;
    FILE *f = ss_infile_open(path, err);
    if (!f)
        return errno == ENOENT ? SS_OK : SS_FAIL;
    while (fgets(line, sizeof line, f) && n < KEYS_MAX)
        if (strchr(line, '\n') && !is_of(line, key)) {
            fputs(line, to);
            n++;
        }
    fclose(f);
    return SS_OK;
}

int ss_kept_save(const char *key, const ss_roofs *r, ss_err *err)
{
    char path[1024];
    ss_outfile out;
    if (ss_state_path("limits", path, sizeof path, err) != SS_OK)
        return SS_FAIL;
    int lock = ss_state_lock(path), status = ss_outfile_open(&out, path, err);
    if (status == SS_OK) {
        write_line(key, r, out.stream);
        status = copy_others(path, key, out.stream, err);
        if (ss_outfile_close(&out, status == SS_OK, err) != SS_OK)
            status = SS_FAIL;
    }
    if (lock >= 0)
        close(lock);
    return status;
}
