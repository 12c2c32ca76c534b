/*
 * Compiled kernels on disk, one file each, in $XDG_CACHE_HOME/stencilscope/kernels or below
 * ~/.cache: written under a temporary name and renamed, checked when read. A file that is damaged,
 * or of a folder that is not the user's alone, counts as absent. The oldest go when the folder
 * exceeds its limit. What another version of NVRTC made than the one that is open counts as absent
 * too; where none is, every version serves. No call fails: without a folder every kernel is
 * compiled. Any thread, any process.
 */
#ifndef SS_CUDA_CACHE_H
#define SS_CUDA_CACHE_H

#include "kernels/cuda/device/compiler.h"
#include "src/core/backend.h"

/* The text that tells a kernel apart from all others: its file and entry, a hash of all texts, the
 * options, the target. */
typedef struct ss_cuda_key {
    char text[1024];
} ss_cuda_key;

int ss_cuda_key_make(ss_cuda_key *out, const ss_cuda_source *source, ss_cuda_target target,
                     ss_err *err);
bool ss_cuda_cache_read(const ss_cuda_key *key, ss_cuda_image *out);
void ss_cuda_cache_write(const ss_cuda_key *key, const ss_cuda_image *image);
/* Claims a kernel for this process, which then compiles it; others that need it wait for it or go
 * on without it. The claim ends when it is released, or with the process. Returns a number for
 * release, or -1 where another process has the claim: at once, or with `wait` after 30 seconds or
 * when ss_run_unwanted says so. */
int ss_cuda_cache_claim(const ss_cuda_key *key, bool wait);
void ss_cuda_cache_release(const ss_cuda_key *key, int claim);
/* Calls visit for every kernel that is whole. */
void ss_cuda_cache_each(void (*visit)(const ss_kernel_facts *k, void *ctx), void *ctx);
/* Is there a folder to write to? */
bool ss_cuda_cache_keeps(void);
/* Is there any kernel? */
bool ss_cuda_cache_any(void);
/* Removes those of the user's folder; returns how many. */
int ss_cuda_cache_clear(void);

#endif
