/* Runs whose kernels are compiled ahead: each is given to one child, as the words of a command. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/run/ahead.h"
#include "tests/fields.h"

static bool is_here = true;

static bool target(char *text, size_t size)
{
    snprintf(text, size, "90-ptx");
    return is_here;
}

static const ss_kernel_store store = {.target = target};

/* Run i of a bench: k = i + 1; every third one is not valid. */
static bool config(void *ctx, int i, ss_config *out)
{
    char settings[100];
    snprintf(settings, sizeof settings, "equation poisson2d solver shared backend cpu k %d", i + 1);
    set_config(out, settings);
    (void)ctx;
    return i % 3 != 2;
}

/* A program that writes its words to a file, one line per child, and takes `seconds`. */
static void make_program(char *path, const char *seconds)
{
    strcpy(path, "/tmp/ss-ahead-XXXXXX");
    int fd = mkstemp(path);
    FILE *f = fdopen(fd, "w");
    CHECK(f != NULL);
    fprintf(f, "#!/bin/sh\nsleep %s\nprintf '%%s|' \"$@\" >>$0.out\necho >>$0.out\n", seconds);
    fclose(f);
    CHECK_INT(chmod(path, 0700), 0);
    ss_ahead_program = path;
}

/* What the children wrote; removes both files. */
static void end_program(const char *path, char *text, size_t size)
{
    char out[100];
    snprintf(out, sizeof out, "%s.out", path);
    FILE *f = fopen(out, "r");
    size_t n = f ? fread(text, 1, size - 1, f) : 0;
    text[n] = '\0';
    if (f)
        fclose(f);
    remove(out);
    remove(path);
    ss_ahead_program = NULL;
}

static ss_backend backend_with(const ss_backend *cpu)
{
    ss_backend b = *cpu;
    b.kernels = &store;
    return b;
}

TEST(ahead, every_valid_run_is_given_to_one_child)
{
    char path[64], text[20000], run[64];
    ss_config cfg;
    set_config(&cfg, "equation poisson2d solver shared backend cpu");
    ss_backend backend = backend_with(ss_config_backend(&cfg));
    ss_ahead a = {.backend = &backend, .n = 30, .config = config};
    make_program(path, "0");
    ss_ahead_compile(&a);
    end_program(path, text, sizeof text);
    CHECK(strncmp(text, "kernels|fill|90-ptx|poisson2d shared", 36) == 0);
    for (int i = 0; i < 30; i++) {
        snprintf(run, sizeof run, "|poisson2d shared --k=%d|", i + 1);
        const char *at = strstr(text, run);
        CHECK_MSG((at != NULL) == (i % 3 != 2), "%s in %s", run, text);
        CHECK_MSG(!at || !strstr(at + 1, run), "twice: %s", run);
    }
}

static bool stop(void *ctx, double done)
{
    CHECK(done >= 0 && done <= 1);
    return ++*(int *)ctx < 3;
}

TEST(ahead, children_end_when_nobody_waits_for_them)
{
    char path[64], text[2000];
    int calls = 0;
    ss_config cfg;
    set_config(&cfg, "equation poisson2d solver shared backend cpu");
    ss_backend backend = backend_with(ss_config_backend(&cfg));
    ss_ahead a = {.backend = &backend, .n = 3, .config = config, .go_on = stop, .ctx = &calls};
    double began = ss_clock();
    make_program(path, "60");
    ss_ahead_compile(&a);
    end_program(path, text, sizeof text);
    CHECK(ss_clock() - began < 30);
    CHECK_STR(text, "");
}

TEST(ahead, nothing_is_started_without_a_device_or_a_program)
{
    char path[64], text[2000];
    ss_config cfg;
    set_config(&cfg, "equation poisson2d solver shared backend cpu");
    ss_backend backend = backend_with(ss_config_backend(&cfg));
    ss_ahead a = {.backend = &backend, .n = 3, .config = config};
    ss_ahead_compile(&a);
    make_program(path, "0");
    is_here = false;
    ss_ahead_compile(&a);
    is_here = true;
    end_program(path, text, sizeof text);
    CHECK_STR(text, "");
}
