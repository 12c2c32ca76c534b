/* The run of a shared link: `--link TEXT`, where TEXT is a command line that `copy` has written. It
 * may come from anybody, so it may only do what a run does by itself: the parameters of a run, and
 * commands of the engine that write no file and read none, and what is shown. Main thread. */
#ifndef SS_LINK_H
#define SS_LINK_H

#include "src/base/common.h"

/* Replaces --link and its text by the words of the text, if they are allowed; these stay valid.
 * SS_FAIL: they are not, with the reason. Unchanged without --link. */
int ss_link_expand(int *argc, char ***argv, ss_err *err);

#endif
