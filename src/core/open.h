/* The config described by `open EQUATION [SOLVER] [NAME=VALUE ...]`. Any thread. */
#ifndef SS_OPEN_H
#define SS_OPEN_H

#include "src/core/command.h"
#include "src/core/param.h"

/* Defaults, except backend, threads and pin, which are copied from `now`. */
void ss_open_default(const ss_config *now, ss_config *out);
/* Applies the command's words to cfg, fits its grid to the solver and checks the result. */
int ss_open_words(const ss_cmd *cmd, ss_config *cfg, ss_err *err);
/* For a run beside another one: a device that can be lost is not shared with a second thread, so
 * the host computes it, on one thread. `what` begins the error: "no map beside this run". */
int ss_open_beside(ss_config *cfg, const char *what, ss_err *err);

#endif
