/* Fuzz target: NumPy files, as --load and `load` read them: the header, then the values into a run
 * in two dimensions and one of three fields. What is loaded must be solved for a cycle. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "src/app/tables.h"
#include "src/base/file.h"
#include "src/core/registry.h"
#include "src/core/run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { VALUES = 16 };

static ss_run *open_run(const char *const (*settings)[2])
{
    ss_config cfg;
    ss_err err = {0};
    ss_config_default(&cfg);
    for (; (*settings)[0]; settings++)
        if (ss_config_set(&cfg, (*settings)[0], (*settings)[1], &err) != SS_OK)
            abort();
    ss_run *run =
        ss_config_check(&cfg, NULL, &err) == SS_OK ? ss_run_open(&cfg, NULL, NULL, &err) : NULL;
    if (!run)
        abort();
    return run;
}

static const char *in_memory(const uint8_t *data, size_t size)
{
    static int fd = -1;
    static char path[64];
    if (fd < 0)
        fd = memfd_create("array", 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    bool whole = ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size;
    return whole ? path : NULL;
}

static void read_alone(const char *path)
{
    ss_err err = {0};
    ss_npy_shape shape;
    char text[80];
    double *values = malloc(VALUES * sizeof *values);
    ss_npy *f = ss_npy_open(path, &shape, &err);
    if (!f && !err.text[0])
        abort();
    for (int i = 0; f && i < shape.ndim; i++)
        if (shape.ndim > 3 || shape.dim[i] < 1)
            abort();
    if (f && values) {
        ss_npy_shape_text(&shape, text, sizeof text);
        ss_npy_read(f, values, VALUES, &err);
    }
    ss_npy_close(f, false, NULL);
    free(values);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const plane[][2] = {
        {"equation", "poisson2d"}, {"solver", "jacobi"}, {"backend", "cpu"},
        {"threads", "1"},          {"n", "4"},           {NULL, NULL}};
    static const char *const tube[][2] = {{"equation", "euler1d"},
                                          {"solver", "stepper"},
                                          {"backend", "cpu"},
                                          {"threads", "1"},
                                          {"n", "8"},
                                          {NULL, NULL}};
    static ss_run *run[2];
    if (!run[0]) {
        ss_tables_init();
        run[0] = open_run(plane), run[1] = open_run(tube);
    }
    const char *path = in_memory(data, size);
    if (!path)
        return 0;
    read_alone(path);
    for (int i = 0; i < 2; i++) {
        ss_err err = {0};
        if (ss_run_load(run[i], path, &err) == SS_OK)
            ss_run_step(run[i], 1, &err);
        else if (!err.text[0])
            abort();
    }
    return 0;
}
