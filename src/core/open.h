/* What `open EQUATION [SOLVER] [NAME=VALUE ...]` means as a config. Any thread. */
#ifndef SS_OPEN_H
#define SS_OPEN_H

#include "src/core/command.h"
#include "src/core/param.h"

/* Defaults, but for what belongs to the machine: those rows are kept from `now`. */
void ss_open_default(const ss_config *now, ss_config *out);
/* The command's words into cfg, and the check of all of it. */
int ss_open_words(const ss_cmd *cmd, ss_config *cfg, ss_err *err);

#endif
