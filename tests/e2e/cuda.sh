#!/bin/sh
# The CUDA backend where something is missing: a driver of this test's own, which answers what the case
# needs, stands in for NVIDIA's.  One sentence each, and the CPU goes on.
. tests/e2e/cli.inc

cat >driver.c <<'END'
#include <stdlib.h>
#include <string.h>
static int of(const char *name, int otherwise) { const char *v = getenv(name); return v ? atoi(v) : otherwise; }
int cuDriverGetVersion(int *out) { *out = of("FAKE_DRIVER", 13000); return 0; }
static int init(unsigned flags) { (void)flags; return of("FAKE_INIT", 0); }
static int count(int *out) { *out = of("FAKE_COUNT", 1); return 0; }
static int attribute(int *out, int which, int device)
{
    (void)device;
    *out = which == 75 ? of("FAKE_MAJOR", 9) : which == 76 ? 0 : 1000;
    return 0;
}
static int words(int code, const char **out) { (void)code; *out = "a reason of the driver"; return 0; }
static int other(void) { return of("FAKE_CODE", 0); }
int cuGetProcAddress_v2(const char *name, void **out, int version, unsigned long long flags, int *status)
{
    (void)version, (void)flags, (void)status;
    *out = !strcmp(name, "cuInit") ? (void *)init : !strcmp(name, "cuDeviceGetCount") ? (void *)count
         : !strcmp(name, "cuDeviceGetAttribute") ? (void *)attribute
         : !strcmp(name, "cuGetErrorString") ? (void *)words
         : !strcmp(name, "cuDriverGetVersion") ? (void *)cuDriverGetVersion : (void *)other;
    const char *lacks = getenv("FAKE_LACKS");
    return lacks && !strcmp(name, lacks) ? 500 : 0;
}
END
if ! ${CC:-cc} -shared -fPIC -o libcuda.so.1 driver.c 2>err; then
    skip 'CUDA where something is missing' "no compiler: $(head -n 1 err)"
    exit 0
fi

# refuses SENTENCE NAME=VALUE...: --backend cuda ends with it, without it the CPU computes
refuses() {
    sentence=$1
    shift
    status=0
    env LD_LIBRARY_PATH="$PWD" XDG_CACHE_HOME="$PWD/cache" "$@" "$program" poisson2d jacobi --n 16 --cycles 2 \
        --until 0 --ui none --backend cuda >out 2>err || status=$?
    why=
    grep -qF "$sentence" err || why="said: $(cat out err)"
    [ "$(wc -l <err)" -le 2 ] || why="$why; more than one sentence"
    [ $status != 0 ] || why="$why; status 0"
    env LD_LIBRARY_PATH="$PWD" XDG_CACHE_HOME="$PWD/cache" "$@" "$program" poisson2d jacobi --n 16 --cycles 2 \
        --until 0 --ui none >out 2>err || why="$why; without --backend: status $?: $(cat err)"
    [ -z "$why" ] && pass "cuda: $sentence" || fail "cuda: $sentence" "$why"
}

refuses 'the CUDA driver is too old: it is for CUDA 11.8, 12.0 is needed' FAKE_DRIVER=11080
refuses 'no CUDA device' FAKE_COUNT=0
refuses 'no CUDA device' FAKE_INIT=100
refuses 'no CUDA: a reason of the driver' FAKE_INIT=999
refuses 'the CUDA driver has no function cuLaunchKernelEx' FAKE_LACKS=cuLaunchKernelEx
refuses 'compute capability 6.0: the kernels need 7.5 or newer' FAKE_MAJOR=6
exit $failed
