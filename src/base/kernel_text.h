/*
 * A kernel in the text of its file: where it begins, and the constants of a run, which are the
 * arguments of its template. For the page that shows the kernels of a run. Pure; any thread.
 */
#ifndef SS_KERNEL_TEXT_H
#define SS_KERNEL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Is the kernel `entry` defined in the text? */
bool ss_kernel_is_in(const char *text, const char *entry);
/* The first byte of the kernel `entry` in its file's text: that of its `template` line, of its
 * `__global__` if it has none, or of the file if it is not found. entry: as
 * "march_tiles<fma_plane<double>, 2, 8, false, 12>". */
size_t ss_kernel_begin(const char *text, const char *entry);

/* The template's parameters with the entry's arguments, as "E fma_plane<double>, COLUMNS 2, K 8";
 * parameters that have no argument are left out; "": there are none. Returns buf. */
const char *ss_kernel_constants(const char *text, const char *entry, char *buf, size_t size);

/* The byte after the kernel that begins at `begin`. */
size_t ss_kernel_end(const char *text, size_t begin);
/* The line that has byte `at` of the text, from 1. */
int ss_kernel_line(const char *text, size_t at);

#endif
