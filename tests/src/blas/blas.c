/* Loading OpenBLAS where memory is short. */
#include "src/blas/blas.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/check.h"

/* Of this process, in bytes. */
static rlim_t address_space(void)
{
    unsigned long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    CHECK(f && fscanf(f, "%lu", &pages) == 1);
    fclose(f);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

TEST(blas, is_refused_where_the_address_space_is_short)
{
    struct rlimit before, few;
    ss_err err = {0};
    CHECK_INT(getrlimit(RLIMIT_AS, &before), 0);
    few = before;
    few.rlim_cur = address_space() + ((rlim_t)1 << 30);
    CHECK_INT(setrlimit(RLIMIT_AS, &few), 0);
    int status = ss_blas_open(40, &err);
    CHECK_INT(setrlimit(RLIMIT_AS, &before), 0);
    CHECK_INT(status, SS_FAIL);
    CHECK_MSG(strcmp(err.text, "out of memory: OpenBLAS needs 5.37 GB of address space") == 0, "%s",
              err.text);
    CHECK_INT(ss_blas_open(2, &err), SS_OK);
}

TEST(blas, reserved_memory_is_there_when_the_address_space_is_used_up)
{
    enum { N = 700 };
    static double a[N * N], b[N * N], c[N * N];
    struct rlimit before, none;
    ss_err err = {0};
    for (int i = 0; i < N; i++)
        a[i * N + i] = 2, b[i * N + i] = 3;
    CHECK_MSG(ss_blas_open(1, &err) == SS_OK, "%s", err.text);
    CHECK_INT(getrlimit(RLIMIT_AS, &before), 0);
    none = before;
    none.rlim_cur = address_space();
    CHECK_INT(setrlimit(RLIMIT_AS, &none), 0);
    ss_blas_alone();
    ss_blas->dgemm(SS_ROW_MAJOR, SS_NO_TRANS, SS_NO_TRANS, N, N, N, 1, a, N, b, N, 0, c, N);
    CHECK_INT(setrlimit(RLIMIT_AS, &before), 0);
    CHECK_NEAR(c[N * N - 1], 6, 0);
}
