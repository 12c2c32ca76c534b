/*
 * Fuzz target: parameters. Input is lines `name value`; each is set on a config, and a config that
 * passes the check must have every value in its range, with a text that parses back.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/app/tables.h"
#include "src/core/registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_row(const ss_param *row, const ss_config *cfg)
{
    char text[1100], again[1100];
    double lo, hi;
    ss_err err;
    ss_value v = ss_config_value(cfg, row), back;
    if (row->type == SS_STRING || row->type == SS_FILE)
        return;
    ss_config_range(cfg, row, &lo, &hi, NULL);
    double x = ss_param_number(row, v);
    if (x < lo || x > hi)
        abort();
    ss_param_format(row, v, text, sizeof text);
    if (!cfg->v[row->slot].set)
        return;
    if (ss_param_parse(row, text, &back, &err) != SS_OK)
        abort();
    if (strcmp(text, ss_param_format(row, back, again, sizeof again)) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static ss_config cfg;
    const ss_param *row;
    ss_err err;
    ss_tables_init();
    ss_config_default(&cfg);
    char *text = malloc(size + 1), *save = NULL;
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char *value = strchr(line, ' ');
        if (value)
            *value++ = '\0';
        ss_config_set(&cfg, line, value ? value : "", &err);
    }
    if (ss_config_check(&cfg, NULL, &err) == SS_OK)
        for (ss_param_walk w = {.cfg = &cfg}; (row = ss_param_next(&w)) != NULL;)
            check_row(row, &cfg);
    free(text);
    return 0;
}
