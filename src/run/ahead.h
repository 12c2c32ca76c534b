/*
 * Compiles the kernels of many runs before the first of them is measured, several at once: in
 * child processes, since a compiler of kernels works on one at a time in a process. Called by what
 * measures (bench, map), from any thread; every run gets its kernels without it too, later.
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

#endif
