/*
 * Settings as text, "solver=shared k=16": the lines of assets/data that describe runs. Values may
 * be lists; a line then stands for all combinations. Any thread.
 */
#ifndef SS_SETTINGS_H
#define SS_SETTINGS_H

#include "src/core/param.h"

#define SS_SETTINGS_MAX 14

/* name=value. A ~ before the name makes it optional: set only if the parameter applies. */
typedef struct ss_setting {
    char name[24], value[80];
    bool optional;
} ss_setting;

typedef struct ss_settings {
    ss_setting at[SS_SETTINGS_MAX];
    int n;
} ss_settings;

/* Reads settings from [text, end). */
int ss_settings_parse(const char *text, const char *end, ss_settings *out, ss_err *err);
/* Combination `index` of all lists ("k=4,8,16"); the last name varies fastest. False: index is too
 * large. */
bool ss_settings_pick(const ss_settings *lists, int index, ss_settings *out);
int ss_settings_apply(const ss_settings *s, ss_config *cfg, ss_err *err);
/* "shared k=16 block=256": the first value without its name. */
void ss_settings_label(const ss_settings *s, char *buf, size_t size);
/* The value of a name, or NULL. */
const char *ss_settings_value(const ss_settings *s, const char *name);

#endif
