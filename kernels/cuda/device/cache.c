/* Compiled kernels on disk: see compiler.h. */
#include "kernels/cuda/device/compiler.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/file.h"
#include "src/core/run.h"

#define LIMIT ((int64_t)256 << 20) /* bytes of all files */
#define MOST ((size_t)16 << 20)    /* bytes of one */
#define PATIENCE 30                /* seconds for a kernel that another process compiles */
#define MAGIC "stencilscope kernel 1"

/* --- keys ----------------------------------------------------------------------------------------
 */

int ss_cuda_key_make(ss_cuda_key *out, const ss_cuda_source *source, ss_cuda_target target,
                     ss_err *err)
{
    uint64_t hash[2];
    if (ss_cuda_text_hash(source->file, hash, err) != SS_OK)
        return SS_FAIL;
    int length = snprintf(out->text, sizeof out->text,
                          MAGIC "\nfile %s\nentry %s\ntexts %016" PRIx64 "%016" PRIx64
                                "\noptions %s\ntarget %s_%d\n",
                          source->file, source->entry, hash[0], hash[1], ss_cuda_options,
                          target.ptx ? "compute" : "sm", target.capability);
    return length < (int)sizeof out->text
               ? SS_OK
               : ss_fail(err, "the name of a kernel is too long: %.60s", source->entry);
}

/* --- the folder ----------------------------------------------------------------------------------
 */

static void make_folders(char *path)
{
    for (char *at = path + 1; (at = strchr(at, '/')); at++) {
        *at = '\0';
        mkdir(path, 0700);
        *at = '/';
    }
    mkdir(path, 0700);
}

/* Is it a folder of this user's or of root's, which nobody else writes to? */
static bool is_safe(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode) && (s.st_uid == geteuid() || s.st_uid == 0) &&
           !(s.st_mode & (S_IWGRP | S_IWOTH));
}

/* The user's, which is made. */
static bool own_folder(char *path, size_t size)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = (int)size;
    if (base && *base == '/')
        length = snprintf(path, size, "%s/stencilscope/kernels", base);
    else if (home && *home == '/')
        length = snprintf(path, size, "%s/.cache/stencilscope/kernels", home);
    if (length >= (int)size)
        return false;
    make_folders(path);
    return is_safe(path);
}

/* That of a bundle, which is only read. */
static bool carried_folder(char *path, size_t size)
{
    const char *folder = getenv("STENCILSCOPE_CACHE");
    return folder && *folder == '/' && snprintf(path, size, "%s", folder) < (int)size &&
           is_safe(path);
}

/* The folders, in the order in which a kernel is looked for. */
static bool (*const folders[])(char *path, size_t size) = {own_folder, carried_folder};
enum { NFOLDER = sizeof folders / sizeof *folders };

static bool path_in(const char *in, const ss_cuda_key *key, char *path, size_t size)
{
    uint64_t name = ss_crc64(0, key->text, strlen(key->text));
    return snprintf(path, size, "%s/%016" PRIx64 ".kernel", in, name) < (int)size;
}

/* --- reading ---------------------------------------------------------------------------------- */

/* A file is the key, a checksum of all that follows, these lines, an empty line, and the code. */
static const char sum_format[] = "checksum %016" PRIx64 "\n";
enum { SUM_LENGTH = 26 };
static const char head_format[] =
    "name %s\nregisters %d local %d shared %d\nseconds %.3f\nversion %d\nbytes %zu\n\n";

static char *read_file(const char *path, size_t *bytes)
{
    struct stat s;
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    if (f && fstat(fileno(f), &s) == 0 && s.st_size > 0 && (size_t)s.st_size <= MOST)
        text = malloc((size_t)s.st_size + 1);
    *bytes = text ? fread(text, 1, (size_t)s.st_size, f) : 0;
    if (text)
        text[*bytes] = '\0';
    if (f)
        fclose(f);
    return text;
}

static bool parse(const ss_cuda_key *key, const char *file, size_t size, ss_cuda_image *out)
{
    size_t length = strlen(key->text);
    char name[512], sum[SUM_LENGTH + 1];
    if (size < length + SUM_LENGTH || memcmp(file, key->text, length) != 0)
        return false;
    const char *head = file + length + SUM_LENGTH, *end = file + size, *code = strstr(head, "\n\n");
    snprintf(sum, sizeof sum, sum_format, ss_crc64(0, head, (size_t)(end - head)));
    if (memcmp(sum, file + length, SUM_LENGTH) != 0 || !code ||
        sscanf(head, "name %511s registers %d local %d shared %d seconds %lf version %d bytes %zu",
               name, &out->registers, &out->local, &out->shared, &out->seconds, &out->version,
               &out->bytes) != 7 ||
        out->bytes != (size_t)(end - code - 2))
        return false;
    out->name = strdup(name);
    out->code = malloc(out->bytes + 1);
    if (!out->name || !out->code) {
        free(out->name);
        free(out->code);
        return false;
    }
    memcpy(out->code, code + 2, out->bytes);
    out->code[out->bytes] = '\0';
    return true;
}

/* Code of another compiler than the one that is here is not used. */
static bool is_current(const ss_cuda_image *image)
{
    int version = ss_cuda_compiler_version();
    return version == 0 || image->version == version;
}

static void free_image(ss_cuda_image *image)
{
    free(image->name);
    free(image->code);
    *image = (ss_cuda_image){0};
}

static bool read_in(const char *in, const ss_cuda_key *key, ss_cuda_image *out)
{
    char path[1024];
    size_t bytes = 0;
    if (!path_in(in, key, path, sizeof path))
        return false;
    char *file = read_file(path, &bytes);
    bool whole = file && parse(key, file, bytes, out), good = whole && is_current(out);
    free(file);
    if (good)
        utimensat(AT_FDCWD, path, NULL, 0); /* it was used now */
    else if (whole)
        free_image(out);
    return good;
}

bool ss_cuda_cache_read(const ss_cuda_key *key, ss_cuda_image *out)
{
    char in[900];
    *out = (ss_cuda_image){0};
    for (int i = 0; i < NFOLDER; i++)
        if (folders[i](in, sizeof in) && read_in(in, key, out))
            return true;
    return false;
}

/* --- all -----------------------------------------------------------------------------------------
 */

/* Calls each(path, ctx) for every file of a folder. */
static void walk(int folder, void (*each)(const char *path, void *ctx), void *ctx)
{
    char in[900], path[1200];
    DIR *d = folders[folder](in, sizeof in) ? opendir(in) : NULL;
    for (struct dirent *e; d && (e = readdir(d));) {
        snprintf(path, sizeof path, "%s/%.255s", in, e->d_name);
        const char *end = strrchr(e->d_name, '.');
        if (end && strcmp(end, ".kernel") == 0)
            each(path, ctx);
    }
    if (d)
        closedir(d);
}

typedef struct visitor {
    void (*visit)(const ss_kernel_facts *k, void *ctx);
    void *ctx;
} visitor;

/* The key is the text before the checksum. */
static bool take_key(const char *file, ss_cuda_key *key)
{
    const char *end = strstr(file, "\nchecksum ");
    if (!end || (size_t)(end + 1 - file) >= sizeof key->text)
        return false;
    snprintf(key->text, sizeof key->text, "%.*s", (int)(end + 1 - file), file);
    return true;
}

static void visit_file(const char *path, void *ctx)
{
    const visitor *v = ctx;
    size_t bytes;
    char *file = read_file(path, &bytes), source[128], entry[400];
    ss_cuda_key key;
    ss_cuda_image image;
    ss_kernel_facts k = {.file = source, .entry = entry, .bytes = bytes};
    if (file && take_key(file, &key) && parse(&key, file, bytes, &image)) {
        if (sscanf(key.text, MAGIC "\nfile %127s\nentry %399[^\n]\n", source, entry) == 2 &&
            sscanf(strstr(key.text, "\ntarget "), "\ntarget %15s", k.target) == 1) {
            k.registers = image.registers;
            k.local = image.local;
            k.shared = image.shared;
            k.seconds = image.seconds;
            v->visit(&k, v->ctx);
        }
        free_image(&image);
    }
    free(file);
}

void ss_cuda_cache_each(void (*visit)(const ss_kernel_facts *k, void *ctx), void *ctx)
{
    visitor v = {visit, ctx};
    for (int i = 0; i < NFOLDER; i++)
        walk(i, visit_file, &v);
}

static void remove_file(const char *path, void *ctx)
{
    *(int *)ctx += unlink(path) == 0;
}

static void count_file(const char *path, void *ctx)
{
    (void)path;
    ++*(int *)ctx;
}

bool ss_cuda_cache_keeps(void)
{
    char in[900];
    return own_folder(in, sizeof in) && access(in, W_OK) == 0;
}

bool ss_cuda_cache_any(void)
{
    int count = 0;
    for (int i = 0; i < NFOLDER; i++)
        walk(i, count_file, &count);
    return count > 0;
}

int ss_cuda_cache_clear(void)
{
    int count = 0;
    walk(0, remove_file, &count);
    return count;
}

/* --- claims ----------------------------------------------------------------------------------- */

/* A locked file beside the kernel's. The lock ends with the process. */
static bool claim_path(const ss_cuda_key *key, char *path, size_t size)
{
    char in[900], kernel[1000];
    return own_folder(in, sizeof in) && path_in(in, key, kernel, sizeof kernel) &&
           snprintf(path, size, "%s.claim", kernel) < (int)size;
}

int ss_cuda_cache_claim(const ss_cuda_key *key, bool wait)
{
    char path[1024];
    int fd =
        claim_path(key, path, sizeof path) ? open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600) : 0;
    double until = ss_clock() + (wait ? PATIENCE : 0);
    while (fd > 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if (ss_clock() >= until || ss_run_unwanted()) {
            close(fd);
            return -1;
        }
        usleep(10000);
    }
    return fd > 0 ? fd : 0; /* 0: there is no folder, and every process compiles for itself */
}

void ss_cuda_cache_release(const ss_cuda_key *key, int claim)
{
    char path[1024];
    if (claim <= 0)
        return;
    if (claim_path(key, path, sizeof path))
        unlink(path);
    close(claim);
}

/* --- writing ---------------------------------------------------------------------------------- */

/* Removes the files that were not used for longest until the rest is within the limit. */
static void shrink(const char *in)
{
    char path[1200], oldest[1200];
    int64_t all;
    do {
        struct timespec age = {0};
        DIR *d = opendir(in);
        all = 0;
        oldest[0] = '\0';
        for (struct dirent *e; d && (e = readdir(d));) {
            struct stat s;
            snprintf(path, sizeof path, "%.900s/%.255s", in, e->d_name);
            if (stat(path, &s) != 0 || !S_ISREG(s.st_mode))
                continue;
            all += s.st_size;
            if (!oldest[0] || s.st_mtim.tv_sec < age.tv_sec ||
                (s.st_mtim.tv_sec == age.tv_sec && s.st_mtim.tv_nsec < age.tv_nsec)) {
                age = s.st_mtim;
                strcpy(oldest, path);
            }
        }
        if (d)
            closedir(d);
    } while (all > LIMIT && oldest[0] && unlink(oldest) == 0);
}

static bool write_all(int fd, const char *data, size_t bytes)
{
    while (bytes > 0) {
        ssize_t n = write(fd, data, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        data += n;
        bytes -= (size_t)n;
    }
    return true;
}

void ss_cuda_cache_write(const ss_cuda_key *key, const ss_cuda_image *image)
{
    char path[1024], temporary[1040], in[900], head[800], sum[SUM_LENGTH + 1];
    int length =
        snprintf(head, sizeof head, head_format, image->name, image->registers, image->local,
                 image->shared, image->seconds, image->version, image->bytes);
    if (length >= (int)sizeof head || !own_folder(in, sizeof in) ||
        !path_in(in, key, path, sizeof path))
        return;
    uint64_t crc = ss_crc64(ss_crc64(0, head, (size_t)length), image->code, image->bytes);
    snprintf(sum, sizeof sum, sum_format, crc);
    snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
    int fd = mkstemp(temporary);
    if (fd < 0)
        return;
    bool written = write_all(fd, key->text, strlen(key->text)) && write_all(fd, sum, SUM_LENGTH) &&
                   write_all(fd, head, (size_t)length) && write_all(fd, image->code, image->bytes);
    written = close(fd) == 0 && written;
    if (!written || rename(temporary, path) != 0)
        unlink(temporary);
    shrink(in);
}
