/* A JSON object written as one line, to a file that appears whole or not at all. Any thread. */
#ifndef SS_JSON_OUT_H
#define SS_JSON_OUT_H

#include <jansson.h>

#include "src/base/common.h"

/* Takes the reference to `o` (NULL: there was no memory for it). path "-" is stdout. */
int ss_json_write(json_t *o, const char *path, ss_err *err);

#endif
