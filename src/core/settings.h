/*
 * Runs as text: the lines of assets/data that describe runs, and the words of `open`. Any thread.
 */
#ifndef SS_SETTINGS_H
#define SS_SETTINGS_H

#include "src/core/command.h"
#include "src/core/param.h"

/* --- settings --------------------------------------------------------------------------------- */

/* "solver=shared k=16": the lines of assets/data that describe runs. Values may be lists; a line
 * then stands for all combinations. */

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

/* --- open ------------------------------------------------------------------------------------- */

/* The config described by `open EQUATION [SOLVER] [NAME=VALUE ...]`. */

/* Defaults, except backend, threads and pin, which are copied from `now`. */
void ss_open_default(const ss_config *now, ss_config *out);
/* Applies the command's words to cfg, fits its grid to the solver and checks the result. */
int ss_open_words(const ss_cmd *cmd, ss_config *cfg, ss_err *err);
/* For a run beside another one: a device that can be lost is not shared with a second thread, so
 * the host computes it, on one thread. `what` begins the error: "no map beside this run". */
int ss_open_beside(ss_config *cfg, const char *what, ss_err *err);

/* --- where commands lead ---------------------------------------------------------------------- */

/* The run that commands lead to, as far as it is known without running them. Before the first one
 * cfg is that of the present run, or the default. */
typedef struct ss_goal {
    ss_config cfg;
    int runs;              /* opened and added since the last open; 0: the present run goes on */
    int64_t cycles, ticks; /* to advance, after the last restart */
    bool restarted, ends;  /* ends: it runs to its end */
    const char *layer;     /* to look at afterwards; NULL: any */
} ss_goal;

/* SS_FAIL: the command is refused, and the goal is what it was. */
int ss_goal_take(ss_goal *g, const ss_cmd *cmd, ss_err *err);

#endif
