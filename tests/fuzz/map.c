/*
 * Fuzz target: axes of a map, and the files that it resumes from. Input is lines `name value`; the
 * texts of an accepted axis parse back to their values and differ from each other. The same bytes,
 * after a valid head, are then read as results.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/app/tables.h"
#include "src/tune/kit.h"
#include "src/core/registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_axis(const ss_tune_axis *a)
{
    ss_value v;
    ss_err err;
    char text[64];
    if (a->n < 1 || a->n > SS_AXIS_MAX)
        abort();
    for (int i = 0; i < a->n; i++) {
        if (ss_param_parse(a->row, a->text[i], &v, &err) != SS_OK ||
            strcmp(ss_param_format(a->row, v, text, sizeof text), a->text[i]) != 0)
            abort();
        for (int j = 0; j < i; j++)
            if (strcmp(a->text[i], a->text[j]) == 0)
                abort();
    }
}

static void as_axes(const ss_config *cfg, char *text)
{
    static ss_tune_axes axes;
    char *save = NULL;
    ss_err err;
    axes.n = 0;
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        bool taken, applies;
        char *value = strchr(line, ' ');
        if (value)
            *value++ = '\0';
        /* Most inputs name no parameter: they are values of k. */
        const ss_param *row = value ? ss_param_find(cfg, line, &applies) : NULL;
        row = row ? row : ss_param_find(cfg, "k", NULL);
        ss_tune_axes_take(&axes, row, value ? value : line, &taken, &err);
    }
    for (int i = 0; i < axes.n; i++)
        check_axis(&axes.at[i]);
}

static void as_file(const ss_config *cfg, const uint8_t *data, size_t size)
{
    static ss_tune_axes axes;
    static const char list[] = "4,8";
    char path[] = "/tmp/ss-fuzz-XXXXXX";
    ss_err err;
    bool taken;
    ss_tune_file f;
    ss_tune_map m = {.base = *cfg, .axes = &axes, .quantity = ss_tune_quantities};
    int fd = mkstemp(path);
    if (fd < 0)
        return;
    close(fd);
    axes.n = 0;
    ss_tune_axes_take(&axes, ss_param_find(cfg, "k", NULL), list, &taken, &err);
    if (ss_tune_make(&m, &err) == SS_OK && ss_tune_file_open(&f, path, &m, &err) == SS_OK) {
        fwrite(data, 1, size, f.stream);
        ss_tune_file_close(&f, &err);
        if (ss_tune_file_open(&f, path, &m, &err) == SS_OK) {
            ss_tune_file_add(&f, &m, 0, &err);
            ss_tune_file_close(&f, &err);
        }
    }
    unlink(path);
    free(m.cell);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ss_config cfg;
    ss_err err;
    ss_tables_init();
    ss_config_default(&cfg);
    ss_config_set(&cfg, "solver", "shared", &err);
    ss_config_set(&cfg, "backend", "cpu", &err);
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    as_axes(&cfg, text);
    as_file(&cfg, data, size);
    free(text);
    return 0;
}
