/*
 * Kernels of runs that are not open, compiled several at once: in child processes, since a compiler
 * of kernels works on one at a time in a process. Any thread; every run gets its kernels without it
 * too, later.
 */
#ifndef SS_AHEAD_H
#define SS_AHEAD_H

#include "src/core/backend.h"

typedef struct ss_ahead {
    const ss_backend *backend;
    int n;
    /* The config of run i; false: it is not valid. */
    bool (*config)(void *ctx, int i, ss_config *out);
    /* Called some times per second, done 0 to 1; false: the children are ended. NULL: not called.
     */
    bool (*go_on)(void *ctx, double done);
    void *ctx;
} ss_ahead;

/* This program, whose command `kernels fill` is the child; NULL: nothing is compiled ahead. */
extern const char *ss_ahead_program;

/* Returns when all children have ended. What does not compile is said when the run is prepared. */
void ss_ahead_compile(const ss_ahead *a);
/* Compiles and loads the kernels of one run, beside runs that go on, on this thread and in children
 * if there are kernels to compile. Fails where one does not compile, and where the run could not be
 * opened. cfg is checked; its backend has kernels. */
int ss_ahead_load(const ss_config *cfg, ss_err *err);
/* Does a thread wait for kernels now? Any thread. */
bool ss_ahead_is_compiling(void);

/* A run could not be prepared. Where kernels are those on disk, as there is no compiler, adds the
 * nearest setting to the sentence that has all of its kernels. */
void ss_ahead_name_kept(const ss_config *cfg, ss_err *err);

#endif
