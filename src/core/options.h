/*
 * Rows that belong to no equation and no solver: the common rows of every run, and the program's
 * own options (files, front end). main fills one config with the options' values before any thread
 * starts; afterwards only the main thread reads and changes it.
 */
#ifndef SS_OPTIONS_H
#define SS_OPTIONS_H

#include "src/core/param.h"

extern ss_param ss_common_rows[];
extern const int ss_ncommon;
extern ss_param ss_option_rows[];
extern const int ss_noption;

/* Values of the program's own options: ss_config_text(ss_options(), "theme"). */
ss_config *ss_options(void);

#endif
