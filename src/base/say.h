/* Lines on stdout and stderr that contain foreign text: names of files and lessons, words of a
 * file. Any thread. */
#ifndef SS_SAY_H
#define SS_SAY_H

#include <stdio.h>

#include "src/base/common.h"

/* Prints one line, safe for a terminal (ss_text_safe), and its line feed. */
void ss_say(FILE *out, const char *fmt, ...) SS_PRINTF(2, 3);

#endif
