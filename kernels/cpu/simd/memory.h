/*
 * Memory of this machine: the amount available, the size of the last-level cache, and the
 * allocation of large arrays for first-touch placement. Any thread.
 */
#ifndef SS_CPU_MEMORY_H
#define SS_CPU_MEMORY_H

#include "src/base/common.h"

/* Bytes that this process may still allocate: the system's available memory, or the rest of the
 * container's limit if that is lower; `what` says which. */
double ss_memory_available(char *what, size_t size);
/* Bytes of the last-level cache; 32 MiB if the system does not report it. */
size_t ss_memory_cache(void);

/* A cache of the data that a core reads. */
typedef struct ss_cache {
    int level;   /* 1: the nearest */
    double size; /* bytes */
    bool shared; /* by several cores */
} ss_cache;

/* Those of the first core, the largest first; returns their number, at most max. 0: the system does
 * not report them. */
int ss_memory_caches(ss_cache *out, int max);
/* Allocates untouched memory: the system places each page on the NUMA node of the thread that
 * writes to it first. SS_ALIGN-aligned; free with free(). NULL: err holds the requested size. */
void *ss_memory_untouched(size_t bytes, const char *what, ss_err *err);

#endif
