/* Files: read whole, written atomically, kept for the user. Any thread, unless a function says
 * otherwise. */
#ifndef SS_FILE_H
#define SS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "src/base/common.h"

/* --- files to read ---------------------------------------------------------------------------- */

/* Files to read: only regular ones. A named pipe or a device would block the reader, or never end.
 * Any thread. */

/* NULL with the reason; errno is ENOENT if there is no such file. */
FILE *ss_infile_open(const char *path, ss_err *err);
/* A whole text of at most `most` bytes, to be freed. NULL with the reason. */
char *ss_infile_text(const char *path, size_t most, ss_err *err);

/* --- files to write --------------------------------------------------------------------------- */

/* Atomic output files: written under a temporary name in the target's directory, and renamed after
 * every write and the flush to disk have succeeded. The temporary file is new (no link is followed)
 * and has the mode of the file that it replaces. Any thread. */

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

/* --- the user's state ------------------------------------------------------------------------- */

/* Files of the user's state, in $XDG_STATE_HOME/stencilscope, else in ~/.local/state/stencilscope:
 * progress in lessons, the measured limits of machines, the place of the window. Any thread. */

/* The path of the file `name`. Fails if there is no home directory. */
int ss_state_path(const char *name, char *path, size_t size, ss_err *err);
/* Makes the folders of a path, and locks the last one against other programs that save at the same
 * time; if that takes more than a second, the last one to save wins. Returns a descriptor to close,
 * or -1: an error shows when the file is opened. */
int ss_state_lock(const char *path);

/* --- lines of text files ---------------------------------------------------------------------- */

/* Text files that other systems' editors saved: a byte order mark at the beginning, a carriage
 * return before each line feed. Every reader of text files takes both. Any thread. */

/* Bytes of the mark at the beginning of a text: 3, or 0. */
size_t ss_lines_mark(const char *text, size_t size);
/* Removes both from a whole text, in place; returns its new size. */
size_t ss_lines_plain(char *text, size_t size);
/* One line of a file without its end, and the first one without the mark; in place. */
char *ss_line_plain(char *line, bool first);

#endif
