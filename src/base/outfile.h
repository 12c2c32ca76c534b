/* Files that appear whole or not at all: written under a temporary name beside the target, and
 * renamed when every write, the flush to disk included, has succeeded. Any thread. */
#ifndef SS_OUTFILE_H
#define SS_OUTFILE_H

#include <stdio.h>

#include "src/base/common.h"

typedef struct ss_outfile {
    FILE *stream;
    char path[1024], temporary[1056];
} ss_outfile;

int ss_outfile_open(ss_outfile *f, const char *path, ss_err *err);
/* ok: rename into place, else remove. Returns SS_FAIL with the reason if the disk refused. */
int ss_outfile_close(ss_outfile *f, bool ok, ss_err *err);

#endif
