/* Compiled kernels on disk: never a wrong one, and a sentence or silence where there is no place.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/cuda/device/compiler.h"
#include "tests/check.h"

/* A folder of its own for this test, which XDG_CACHE_HOME names. */
static char *begin(char *folder)
{
    strcpy(folder, "/tmp/ss-cache-XXXXXX");
    CHECK(mkdtemp(folder) != NULL);
    setenv("XDG_CACHE_HOME", folder, 1);
    return folder;
}

static void end(const char *folder)
{
    char command[200];
    unsetenv("XDG_CACHE_HOME");
    snprintf(command, sizeof command, "chmod -R u+rwx %s; rm -rf %s", folder, folder);
    CHECK_INT(system(command), 0);
}

static ss_cuda_key key_of(const char *entry, int capability)
{
    ss_cuda_key key;
    ss_cuda_source source = {"kernels/cuda/device/sums.cuh", entry};
    CHECK_INT(ss_cuda_key_make(&key, &source, (ss_cuda_target){capability, false}, NULL), SS_OK);
    return key;
}

static const ss_cuda_image some = {"_Z8add_sums", "machine\0code", 13, 40, 8, 256, 0.25, 0};

/* As a compiler of that version makes it; 0: as the one that is open does. */
static void keep(const ss_cuda_key *key, int version)
{
    ss_cuda_image image = some;
    image.version = version ? version : ss_cuda_compiler_version();
    ss_cuda_cache_write(key, &image);
}

static void free_image(ss_cuda_image *image)
{
    free(image->name);
    free(image->code);
}

static bool reads_back(const ss_cuda_key *key)
{
    ss_cuda_image got;
    if (!ss_cuda_cache_read(key, &got))
        return false;
    bool same = strcmp(got.name, some.name) == 0 && got.bytes == some.bytes &&
                memcmp(got.code, some.code, some.bytes) == 0 && got.registers == 40 &&
                got.local == 8 && got.shared == 256;
    CHECK_MSG(same, "another kernel");
    free_image(&got);
    return same;
}

/* The path of the one file in the cache. */
static void only_file(const char *folder, char *path, size_t size)
{
    char in[200];
    snprintf(in, sizeof in, "%s/stencilscope/kernels", folder);
    DIR *d = opendir(in);
    CHECK(d != NULL);
    *path = '\0';
    for (struct dirent *e; d && (e = readdir(d));)
        if (e->d_name[0] != '.') {
            CHECK_MSG(!*path, "two files: %s", e->d_name);
            snprintf(path, size, "%s/%.255s", in, e->d_name);
        }
    closedir(d);
}

TEST(kernel_cache, keeps_a_kernel_and_tells_it_from_others)
{
    char folder[64];
    begin(folder);
    ss_cuda_key key = key_of("add_sums", 90), other = key_of("decide_norm", 90),
                older = key_of("add_sums", 80);
    CHECK(!reads_back(&key));
    keep(&key, 0);
    CHECK(reads_back(&key));
    CHECK(!reads_back(&other));
    CHECK(!reads_back(&older));
    end(folder);
}

/* Every byte changed, and every length cut. */
TEST(kernel_cache, refuses_a_damaged_file)
{
    char folder[64], path[600], bytes[2000];
    begin(folder);
    ss_cuda_key key = key_of("add_sums", 90);
    keep(&key, 0);
    only_file(folder, path, sizeof path);
    FILE *f = fopen(path, "rb");
    size_t size = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    for (size_t i = 0; i < size; i++) {
        bytes[i] ^= 4;
        f = fopen(path, "wb");
        fwrite(bytes, 1, size, f);
        fclose(f);
        bytes[i] ^= 4;
        CHECK_MSG(!reads_back(&key), "byte %zu", i);
    }
    for (size_t length = 0; length < size; length++) {
        f = fopen(path, "wb");
        fwrite(bytes, 1, length, f);
        fclose(f);
        CHECK_MSG(!reads_back(&key), "%zu of %zu bytes", length, size);
    }
    keep(&key, 0);
    CHECK(reads_back(&key));
    end(folder);
}

/* Where NVRTC is not open, that of every version is read; where it is, that of its own. */
TEST(kernel_cache, another_compiler_compiles_again)
{
    char folder[64];
    int version;
    begin(folder);
    ss_cuda_key key = key_of("add_sums", 90);
    keep(&key, 11080);
    CHECK(reads_back(&key) == (ss_cuda_compiler_version() == 0));
    if (ss_cuda_compiler_open(0, &version, NULL) == SS_OK) {
        CHECK(!reads_back(&key));
        keep(&key, version);
        CHECK(reads_back(&key));
    }
    end(folder);
}

TEST(kernel_cache, a_folder_that_others_may_write_to_is_not_used)
{
    char folder[64], in[200];
    begin(folder);
    ss_cuda_key key = key_of("add_sums", 90);
    keep(&key, 0);
    snprintf(in, sizeof in, "%s/stencilscope/kernels", folder);
    CHECK_INT(chmod(in, 0777), 0);
    CHECK(!reads_back(&key));
    CHECK_INT(chmod(in, 0700), 0);
    CHECK(reads_back(&key));
    end(folder);
}

/* No home, a folder without the right to write, a file in its place: silence. */
TEST(kernel_cache, without_a_place_nothing_is_kept)
{
    char folder[64], in[200], *home = getenv("HOME") ? strdup(getenv("HOME")) : NULL;
    begin(folder);
    ss_cuda_key key = key_of("add_sums", 90);
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    keep(&key, 0);
    CHECK(!reads_back(&key));
    if (home)
        setenv("HOME", home, 1);
    free(home);
    setenv("XDG_CACHE_HOME", folder, 1);
    snprintf(in, sizeof in, "%s/stencilscope", folder);
    FILE *f = fopen(in, "w");
    CHECK(f != NULL);
    fclose(f);
    keep(&key, 0);
    CHECK(!reads_back(&key));
    end(folder);
}

/* The oldest go. */
SLOW_TEST(kernel_cache, has_a_limit)
{
    char folder[64], entry[32];
    enum { FILES = 20 };
    ss_cuda_image large = some;
    large.bytes = (size_t)15 << 20;
    large.code = calloc(1, large.bytes);
    large.version = ss_cuda_compiler_version();
    begin(folder);
    for (int i = 0; i < FILES; i++) {
        snprintf(entry, sizeof entry, "kernel%d", i);
        ss_cuda_key key = key_of(entry, 90);
        ss_cuda_cache_write(&key, &large);
        usleep(10000);
    }
    int kept = 0;
    for (int i = 0; i < FILES; i++) {
        ss_cuda_image got;
        snprintf(entry, sizeof entry, "kernel%d", i);
        ss_cuda_key key = key_of(entry, 90);
        if (!ss_cuda_cache_read(&key, &got)) {
            CHECK_MSG(kept == 0, "kernel %d is gone, an older one is not", i);
            continue;
        }
        kept++;
        free_image(&got);
    }
    CHECK_MSG(kept == 17, "%d of 15 MB are within 256 MB", kept);
    free(large.code);
    end(folder);
}
