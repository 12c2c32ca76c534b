/*
 * NVRTC, NVIDIA's compiler as a library: opened when a kernel has to be compiled, from where its
 * packages put it. And the texts that it compiles: the files below kernels/ that are compiled into
 * this program, or those of the folder STENCILSCOPE_KERNELS, and instead of one of them that which
 * a user has edited. Any thread; NVRTC compiles one kernel at a time.
 */
#ifndef SS_CUDA_COMPILER_H
#define SS_CUDA_COMPILER_H

#include "src/base/common.h"
#include "src/core/backend.h"

/* What code is made for: machine code of a compute capability, or PTX, which the driver compiles
 * for any GPU that is as new. */
typedef struct ss_cuda_target {
    int capability; /* 90 for 9.0 */
    bool ptx;
} ss_cuda_target;

/* A kernel: `entry` is its name as C++ writes it, with template arguments, in `file`. */
typedef struct ss_cuda_source {
    const char *file;  /* "kernels/cuda/jacobi/ladder.cuh" */
    const char *entry; /* "jacobi1_naive<poisson_plane<double>>" */
} ss_cuda_source;

/* Compiled code. Free both with free(). */
typedef struct ss_cuda_image {
    char *name; /* of the entry, as the code has it */
    char *code;
    size_t bytes;
    int registers, local, shared; /* of a thread; bytes of local memory of a thread, and of static
                                     shared memory of a block. -1: PTX, they are not known yet */
    double seconds;               /* that the compiler took */
    int version;                  /* NVRTC's version: 13000 for 13.0 */
} ss_cuda_image;

/* The version of NVRTC, 13000 for 13.0. Fails with one sentence, which names the packages, where
 * there is none that the driver (version as cuDriverGetVersion gives it; 0: any) can use. */
int ss_cuda_compiler_open(int driver, int *version, ss_err *err);
/* That of the one that is open; 0: none is. */
int ss_cuda_compiler_version(void);
/* The newest compute capability that NVRTC knows and that is not above `capability`; 0: none. */
int ss_cuda_compiler_knows(int capability);

/* Compiles a kernel. Fails with the compiler's first error, which has file and line; *log (may be
 * NULL) gets all that it said, to be freed. */
int ss_cuda_compile(const ss_cuda_source *source, ss_cuda_target target, ss_cuda_image *out,
                    char **log, ss_err *err);

/* 128 bits that differ when `file`, or a file that it includes, has another text. Fails where one
 * is missing. */
int ss_cuda_text_hash(const char *file, uint64_t out[2], ss_err *err);

/* The file that defines a kernel, the given one or one that it includes, and its text. Interned. */
typedef struct ss_cuda_definition {
    const char *file, *text; /* NULL: the kernel is in none of them */
    uint64_t edited;         /* the hash of the edited text among all of them; 0: none is */
} ss_cuda_definition;
ss_cuda_definition ss_cuda_defined(const ss_cuda_source *source);

/* From now on `text` stands for that of `file`, as ss_kernel_store.edit. */
int ss_cuda_edit(const char *file, const char *text, ss_err *err);
/* Another number after each such call: kernels that were compiled before may have other texts. */
unsigned ss_cuda_text_version(void);

/* The options that every kernel is compiled with, for the key of the cache. */
extern const char ss_cuda_options[];

/* --- compiled kernels on disk (cache.c) ------------------------------------------------------- */

/*
 * Compiled kernels on disk, one file each, in $XDG_CACHE_HOME/stencilscope/kernels or below
 * ~/.cache: written under a temporary name and renamed, checked when read. A file that is damaged,
 * or of a folder that is not the user's alone, counts as absent. The oldest go when the folder
 * exceeds its limit. What another version of NVRTC made than the one that is open counts as absent
 * too; where none is, every version serves. No call fails: without a folder every kernel is
 * compiled. Any thread, any process.
 */

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
