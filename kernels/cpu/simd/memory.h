/*
 * What this machine has: memory that may be used, the size of the last-level cache, and large
 * arrays that nobody has touched yet. Any thread.
 */
#ifndef SS_CPU_MEMORY_H
#define SS_CPU_MEMORY_H

#include "src/base/common.h"

/* Bytes a process may still use: what the system calls available, or a container's limit if that
 * is lower; `what` says which. */
double ss_memory_available(char *what, size_t size);
/* Bytes of the last-level cache; a guess of 32 MB if the system does not say. */
size_t ss_memory_cache(void);
/* Untouched memory: the thread that writes to a page first gets it near to its processor.
 * SS_ALIGN-aligned, free with free(); NULL with the bytes asked for in err. */
void *ss_memory_untouched(size_t bytes, const char *what, ss_err *err);

#endif
