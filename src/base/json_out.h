/* A JSON object written as one line, to an atomic output file (file.h). Any thread. */
#ifndef SS_JSON_OUT_H
#define SS_JSON_OUT_H

#include <jansson.h>

#include "src/base/common.h"

/* The command line of the program, for ss_json_about; it stays valid. Main thread, at the start. */
void ss_json_command(const char *command);
/* Adds the members `version` and `command` of every report. */
void ss_json_about(json_t *o);
/* Can this build write and read JSON? The reason if not. Any thread. */
int ss_json_check(ss_err *err);
/* Consumes the reference to `o`; NULL fails as out of memory. path "-" is stdout. */
int ss_json_write(json_t *o, const char *path, ss_err *err);

#endif
