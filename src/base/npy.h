/*
 * NumPy .npy files of at most three dimensions, row by row so that no second copy of a field is
 * needed. Read: real numbers of every type and byte order; an array in Fortran order is transposed,
 * which takes a copy. Written: little-endian float32 / float64, C order. Any thread, one file each.
 */
#ifndef SS_NPY_H
#define SS_NPY_H

#include "src/base/common.h"

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
