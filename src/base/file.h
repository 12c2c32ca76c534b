/* Files: read whole, written atomically, kept for the user; NumPy files. Any thread, unless a
 * function says otherwise. */
#ifndef SS_FILE_H
#define SS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
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

/* Files of lines that begin with a key and a space. In the file a key is one word: other characters
 * of it become '_'. */

/* Calls take for each line of a key, without the key and the line's end. */
void ss_state_read(const char *name, const char *key, void (*take)(char *text, void *ctx),
                   void *ctx);
/* Replaces the lines of a key, which each end with a line feed here; "": removes them. The newest
 * lines come first, and very old ones are dropped. */
int ss_state_write(const char *name, const char *key, const char *lines, ss_err *err);

/* --- lines of text files ---------------------------------------------------------------------- */

/* Text files that other systems' editors saved: a byte order mark at the beginning, a carriage
 * return before each line feed. Every reader of text files takes both. Any thread. */

/* Bytes of the mark at the beginning of a text: 3, or 0. */
size_t ss_lines_mark(const char *text, size_t size);
/* Removes both from a whole text, in place; returns its new size. */
size_t ss_lines_plain(char *text, size_t size);
/* One line of a file without its end, and the first one without the mark; in place. */
char *ss_line_plain(char *line, bool first);

/* --- checksum --------------------------------------------------------------------------------- */

/* CRC-64 as xz uses it (ECMA-182, reflected): a checksum that differs after any change within 64
 * neighbouring bits, and so after any single one. */

/* The checksum of bytes whose first part has the checksum `before` (0: there is none). */
uint64_t ss_crc64(uint64_t before, const void *data, size_t bytes);

/* --- NumPy files (npy.c) ---------------------------------------------------------------------- */

/*
 * NumPy .npy files of at most three dimensions, row by row so that no second copy of a field is
 * needed. Read: real numbers of every type and byte order; an array in Fortran order is transposed,
 * which takes a copy. Written: little-endian float32 / float64, C order. Any thread, one file each.
 */

typedef struct ss_npy ss_npy;

typedef struct ss_npy_shape {
    int ndim;
    int64_t dim[3]; /* slowest dimension first */
    ss_prec prec;   /* of a file to write */
} ss_npy_shape;

/* Opens for reading; the caller checks the shape. */
ss_npy *ss_npy_open(const char *path, ss_npy_shape *shape, ss_err *err);
/* The next n values, as doubles. */
int ss_npy_read(ss_npy *f, double *out, size_t n, ss_err *err);

/* What follows the array, which NumPy ignores, ends with a checksum of all bytes before it (the
 * seal). *tail: its bytes without the seal; 0: nothing follows. SS_FAIL: the seal is missing or
 * wrong. */
int ss_npy_check_seal(ss_npy *f, int64_t *tail, ss_err *err);
/* Fails: "FILE: this state is damaged ...". */
int ss_npy_damaged(const ss_npy *f, ss_err *err);
/* `bytes` of the tail, from its byte `at` on. */
int ss_npy_read_tail(ss_npy *f, int64_t at, void *out, size_t bytes, ss_err *err);

/* Creates a temporary file in the directory of path and writes the header. */
ss_npy *ss_npy_create(const char *path, const ss_npy_shape *shape, ss_err *err);
/* The next bytes, already in the precision of the shape. */
int ss_npy_write(ss_npy *f, const void *data, size_t bytes, ss_err *err);
/* For other processes that write the array: the name of the file and where the array begins. NULL:
 * it is a pipe or a device. */
const char *ss_npy_place(ss_npy *f, int64_t *begin);
/* They have written so many bytes; the next ones follow. */
int ss_npy_skip(ss_npy *f, int64_t bytes, ss_err *err);
/* Writes the seal; nothing follows. Not into a pipe, whose bytes cannot be read again. */
int ss_npy_seal(ss_npy *f, ss_err *err);
/* Closes; if ok, renames a created file to path, else removes it. f may be NULL. */
int ss_npy_close(ss_npy *f, bool ok, ss_err *err);

/* Are they equal but for dimensions of one element? */
bool ss_npy_same_shape(const ss_npy_shape *a, const ss_npy_shape *b);
/* "(131, 203)" */
const char *ss_npy_shape_text(const ss_npy_shape *s, char *buf, size_t size);

#endif
