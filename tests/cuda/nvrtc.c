/*
 * An NVRTC for tests (libnvrtc.so.13): each kernel takes FAKE_SECONDS, and an entry that contains
 * FAKE_ERROR does not compile. What it makes runs on the driver of these tests only.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct program {
    char entry[512];
} program;

int nvrtcVersion(int *major, int *minor)
{
    *major = 13;
    *minor = 0;
    return 0;
}

int nvrtcGetNumSupportedArchs(int *count)
{
    *count = 2;
    return 0;
}

int nvrtcGetSupportedArchs(int *arch)
{
    arch[0] = 75;
    arch[1] = 90;
    return 0;
}

int nvrtcCreateProgram(program **out, const char *text, const char *name, int n,
                       const char *const *headers, const char *const *names)
{
    (void)text, (void)name, (void)n, (void)headers, (void)names;
    *out = calloc(1, sizeof **out);
    return 0;
}

int nvrtcDestroyProgram(program **p)
{
    free(*p);
    *p = NULL;
    return 0;
}

int nvrtcAddNameExpression(program *p, const char *name)
{
    snprintf(p->entry, sizeof p->entry, "%s", name);
    return 0;
}

int nvrtcCompileProgram(program *p, int n, const char *const *options)
{
    const char *seconds = getenv("FAKE_SECONDS"), *error = getenv("FAKE_ERROR");
    double s = seconds ? atof(seconds) : 0;
    struct timespec t = {(time_t)s, (long)(1e9 * (s - (double)(time_t)s))};
    (void)n, (void)options;
    nanosleep(&t, NULL);
    return error && strstr(p->entry, error) ? 6 : 0;
}

static const char log_text[] = "kernels/cuda/some.cuh(12): error: a planted error\n";

int nvrtcGetProgramLogSize(program *p, size_t *size)
{
    (void)p;
    *size = sizeof log_text;
    return 0;
}

int nvrtcGetProgramLog(program *p, char *out)
{
    (void)p;
    memcpy(out, log_text, sizeof log_text);
    return 0;
}

int nvrtcGetLoweredName(program *p, const char *name, const char **out)
{
    (void)name;
    (void)p;
    *out = "kernel";
    return 0;
}

static const char code[] = "code of the tests";

int nvrtcGetCUBINSize(program *p, size_t *size)
{
    (void)p;
    *size = sizeof code;
    return 0;
}

int nvrtcGetCUBIN(program *p, char *out)
{
    (void)p;
    memcpy(out, code, sizeof code);
    return 0;
}

int nvrtcGetPTXSize(program *p, size_t *size)
{
    return nvrtcGetCUBINSize(p, size);
}

int nvrtcGetPTX(program *p, char *out)
{
    return nvrtcGetCUBIN(p, out);
}

const char *nvrtcGetErrorString(int code_of)
{
    return code_of == 6 ? "NVRTC_ERROR_COMPILATION" : "no error";
}
