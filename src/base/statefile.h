/*
 * Files of the user's state, in $XDG_STATE_HOME/stencilscope, else in ~/.local/state/stencilscope:
 * progress in lessons, the measured limits of machines, the place of the window. Any thread.
 */
#ifndef SS_STATEFILE_H
#define SS_STATEFILE_H

#include "src/base/common.h"

/* The path of the file `name`. Fails if there is no home directory. */
int ss_state_path(const char *name, char *path, size_t size, ss_err *err);
/* Makes the folders of a path, and locks the last one against other programs that save at the same
 * time; if that takes more than a second, the last one to save wins. Returns a descriptor to close,
 * or -1: an error shows when the file is opened. */
int ss_state_lock(const char *path);

#endif
