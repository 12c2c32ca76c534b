/* Loads OpenBLAS: see blas.h. */
#include "src/blas/blas.h"

static const ss_blas_functions loops = {
    .dgemm = ss_loop_dgemm,
    .sgemm = ss_loop_sgemm,
    .dgemv = ss_loop_dgemv,
    .dtrsv = ss_loop_dtrsv,
    .dtrsm = ss_loop_dtrsm,
    .dtrmm = ss_loop_dtrmm,
    .dsyrk = ss_loop_dsyrk,
    .dpotrf = ss_loop_dpotrf,
    .dtrtri = ss_loop_dtrtri,
    .dlauum = ss_loop_dlauum,
    .dgetrf = ss_loop_dgetrf,
    .dlaswp = ss_loop_dlaswp,
    .dgtsv = ss_loop_dgtsv,
};

const ss_blas_functions *ss_blas = &loops;

#ifdef SS_WITH_PAGE

void ss_blas_settle(void)
{
}

int ss_blas_open(int callers, ss_err *err)
{
    (void)callers, (void)err;
    return SS_OK;
}

int ss_blas_threads(int threads, ss_err *err)
{
    (void)threads, (void)err;
    return SS_OK;
}

void ss_blas_alone(void)
{
}

const char *ss_blas_kernels(void)
{
    return "loops of this page";
}

bool ss_blas_found(void)
{
    return true; /* nothing is missing */
}

#else

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "src/base/system.h"

#define LIBRARY ((size_t)64 << 20) /* its code and tables, rounded up */
#define BUFFER ((size_t)128 << 20) /* what it reserves for each thread that calls it */
#define MOST_BUFFERS 48            /* every build has room for 50 */

/* OpenBLAS chooses its kernels by processor model, once, when it is loaded. For a model that it
 * does not know, it uses kernels of 2004, and matrix products take four times as long as the
 * available instructions allow. */
#define OLDEST "Prescott"
#define CHOICE "OPENBLAS_CORETYPE"

/* What the library has besides BLAS. LAPACK has the interface of Fortran: all arguments are
 * addresses, and the lengths of texts follow. */
typedef struct library {
    ss_blas_functions blas; /* of LAPACK, the functions below */
    void (*dpotrf)(const char *, const int *, double *, const int *, int *, size_t);
    void (*dtrtri)(const char *, const char *, const int *, double *, const int *, int *, size_t,
                   size_t);
    void (*dlauum)(const char *, const int *, double *, const int *, int *, size_t);
    void (*dgetrf)(const int *, const int *, double *, const int *, int *, int *);
    void (*dlaswp)(const int *, double *, const int *, const int *, const int *, const int *,
                   const int *);
    void (*dgtsv)(const int *, const int *, double *, double *, double *, double *, const int *,
                  int *);
    char *(*corename)(void);
    void (*set_threads)(int threads);
    void *(*take)(int unused); /* one buffer, from those that were given back, or a new one */
    void (*give)(void *buffer);
} library;

/* The lock is for the opening; afterwards nothing changes but the numbers of buffers and threads.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static library lib;
static void *handle;
static bool tried;
static char missing[200]; /* why it is not there */
static int buffers, started = 1;

static int loaded_dpotrf(int layout, char uplo, int n, double *a, int lda)
{
    int info = 0;
    (void)layout;
    lib.dpotrf(&uplo, &n, a, &lda, &info, 1);
    return info;
}

static int loaded_dtrtri(int layout, char uplo, char diag, int n, double *a, int lda)
{
    int info = 0;
    (void)layout;
    lib.dtrtri(&uplo, &diag, &n, a, &lda, &info, 1, 1);
    return info;
}

static int loaded_dlauum(int layout, char uplo, int n, double *a, int lda)
{
    int info = 0;
    (void)layout;
    lib.dlauum(&uplo, &n, a, &lda, &info, 1);
    return info;
}

static int loaded_dgetrf(int layout, int m, int n, double *a, int lda, int *pivot)
{
    int info = 0;
    (void)layout;
    lib.dgetrf(&m, &n, a, &lda, pivot, &info);
    return info;
}

static int loaded_dlaswp(int layout, int n, double *a, int lda, int from, int to, const int *pivot,
                         int step)
{
    (void)layout;
    lib.dlaswp(&n, a, &lda, &from, &to, pivot, &step);
    return 0;
}

static int loaded_dgtsv(int layout, int n, int nrhs, double *lower, double *diagonal, double *upper,
                        double *b, int ldb)
{
    int info = 0;
    (void)layout;
    lib.dgtsv(&n, &nrhs, lower, diagonal, upper, b, &ldb, &info);
    return info;
}

#define AT(member) offsetof(library, member)

static const struct {
    const char *name;
    size_t at;
} symbols[] = {
    {"cblas_dgemm", AT(blas.dgemm)},
    {"cblas_sgemm", AT(blas.sgemm)},
    {"cblas_dgemv", AT(blas.dgemv)},
    {"cblas_dtrsv", AT(blas.dtrsv)},
    {"cblas_dtrsm", AT(blas.dtrsm)},
    {"cblas_dtrmm", AT(blas.dtrmm)},
    {"cblas_dsyrk", AT(blas.dsyrk)},
    {"dpotrf_", AT(dpotrf)},
    {"dtrtri_", AT(dtrtri)},
    {"dlauum_", AT(dlauum)},
    {"dgetrf_", AT(dgetrf)},
    {"dlaswp_", AT(dlaswp)},
    {"dgtsv_", AT(dgtsv)},
    {"openblas_get_corename", AT(corename)},
    {"openblas_set_num_threads", AT(set_threads)},
    {"blas_memory_alloc", AT(take)},
    {"blas_memory_free", AT(give)},
};

static void *open_library(void)
{
    static const char *const names[] = {"libopenblas.so.0", "libopenblas.so", "libopenblas.0.dylib",
                                        "libopenblas.dylib"};
    void *found = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++) {
        found = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (!found && i == 0)
            snprintf(missing, sizeof missing, "%s", dlerror());
    }
    return found;
}

static bool find_symbols(library *out)
{
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *symbol = dlsym(handle, symbols[i].name);
        if (!symbol) {
            snprintf(missing, sizeof missing, "OpenBLAS has no %s", symbols[i].name);
            return false;
        }
        memcpy((char *)out + symbols[i].at, &symbol, sizeof symbol);
    }
    out->blas.dpotrf = loaded_dpotrf;
    out->blas.dtrtri = loaded_dtrtri;
    out->blas.dlauum = loaded_dlauum;
    out->blas.dgetrf = loaded_dgetrf;
    out->blas.dlaswp = loaded_dlaswp;
    out->blas.dgtsv = loaded_dgtsv;
    return true;
}

/* The best kernels for this processor's instructions; NULL: keep OpenBLAS's choice. */
static const char *best_kernels(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return "SkylakeX";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return "Haswell";
#endif
    return NULL;
}

static bool load(void)
{
    const char *kernels = getenv(CHOICE) ? NULL : best_kernels();
    handle = open_library();
    bool found = handle && find_symbols(&lib);
    if (found && kernels && strcmp(lib.corename(), OLDEST) == 0) { /* loaded again, it asks again */
        setenv(CHOICE, kernels, 1);
        dlclose(handle);
        handle = open_library();
        found = handle && find_symbols(&lib);
    }
    return found;
}

/* OpenBLAS would ask for ever. */
static int check_space(size_t bytes, ss_err *err)
{
    char need[32];
    void *space = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (space == MAP_FAILED)
        return ss_fail(err, "out of memory: OpenBLAS needs %s of address space",
                       ss_format_bytes((double)bytes, need, sizeof need));
    munmap(space, bytes);
    return SS_OK;
}

/* Buffers that were taken once are kept by the library for later calls. */
static int reserve(int callers, ss_err *err)
{
    void *taken[MOST_BUFFERS];
    if (callers > MOST_BUFFERS)
        callers = MOST_BUFFERS;
    if (!ss_blas_found() || callers <= buffers)
        return SS_OK;
    if (check_space((size_t)callers * BUFFER, err) != SS_OK)
        return SS_FAIL;
    for (int i = 0; i < callers; i++)
        taken[i] = lib.take(0);
    for (int i = 0; i < callers; i++)
        lib.give(taken[i]);
    buffers = callers;
    return SS_OK;
}

static int open_locked(int callers, ss_err *err)
{
    if (!tried && check_space(LIBRARY + BUFFER, err) != SS_OK)
        return SS_FAIL;
    if (!tried && load())
        ss_blas = &lib.blas;
    tried = true;
    return reserve(callers, err);
}

void ss_blas_settle(void)
{
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
}

int ss_blas_open(int callers, ss_err *err)
{
    pthread_mutex_lock(&lock);
    int status = open_locked(callers, err);
    pthread_mutex_unlock(&lock);
    return status;
}

int ss_blas_threads(int threads, ss_err *err)
{
    pthread_mutex_lock(&lock);
    int status = open_locked(threads, err);
    if (status == SS_OK && ss_blas_found() && threads > started)
        status = ss_threads_check(threads - started, err);
    if (status == SS_OK && ss_blas_found()) {
        started = threads > started ? threads : started;
        lib.set_threads(threads);
    }
    pthread_mutex_unlock(&lock);
    return status;
}

void ss_blas_alone(void)
{
    if (ss_blas_found())
        lib.set_threads(1);
}

bool ss_blas_found(void)
{
    return ss_blas == &lib.blas;
}

const char *ss_blas_kernels(void)
{
    return ss_blas_found() ? lib.corename() : missing;
}

#endif
