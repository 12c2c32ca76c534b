/* Atomic output files: written under a temporary name in the target's directory, and renamed after
 * every write and the flush to disk have succeeded. The temporary file is new (no link is followed)
 * and has the mode of the file that it replaces. Any thread. */
#ifndef SS_OUTFILE_H
#define SS_OUTFILE_H

#include <stdio.h>

#include "src/base/common.h"

typedef struct ss_outfile {
    FILE *stream;
    char path[1024], temporary[1056];
} ss_outfile;

/* Called with the path of each file that is finished, from the thread that wrote it; NULL: nothing
 * is. Main thread, while nothing is written. */
void ss_outfile_watch(void (*written)(const char *path, void *ctx), void *ctx);
int ss_outfile_open(ss_outfile *f, const char *path, ss_err *err);
/* ok: renames to path, else removes. SS_FAIL with the reason if a write failed. */
int ss_outfile_close(ss_outfile *f, bool ok, ss_err *err);

#endif
