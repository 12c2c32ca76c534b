/* Files to read: only regular ones. A named pipe or a device would block the reader, or never end.
 * Any thread. */
#ifndef SS_INFILE_H
#define SS_INFILE_H

#include <stdio.h>

#include "src/base/common.h"

/* NULL with the reason; errno is ENOENT if there is no such file. */
FILE *ss_infile_open(const char *path, ss_err *err);
/* A whole text of at most `most` bytes, to be freed. NULL with the reason. */
char *ss_infile_text(const char *path, size_t most, ss_err *err);

#endif
