/* Opens the CUDA driver and finds its functions: see driver.h. */
#include "kernels/cuda/device/driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#define NEEDED 12000 /* 12.0: the meaning of each function, and the oldest driver that has it */

static ss_cu_table table; /* constant after look */
_Thread_local const ss_cu_table *ss_cu = &table;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static ss_err why; /* empty: the table is complete */

/* By the names of driver.def, in its order. */
#define SS_CU(name, symbol, arguments) {offsetof(ss_cu_table, name), #symbol},
static const struct {
    size_t at;
    const char *symbol;
} symbols[] = {
#include "kernels/cuda/device/driver.def"
};
#undef SS_CU

/* cuGetProcAddress_v2: the function of that name as of a version of CUDA. */
typedef int find_function(const char *symbol, void **out, int version, unsigned long long flags,
                          int *status);

/* A pointer to a function from one to an object, which dlsym and the driver return. */
static void set(void *function, void *found)
{
    memcpy(function, &found, sizeof found);
}

static void look(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    find_function *find = NULL;
    int (*version)(int *out) = NULL, has = 0;
    if (!library) {
        ss_fail(&why, "no CUDA driver (libcuda.so.1)");
        return;
    }
    set(&version, dlsym(library, "cuDriverGetVersion"));
    set(&find, dlsym(library, "cuGetProcAddress_v2"));
    if (version)
        version(&has);
    if (!find || has < NEEDED) {
        ss_fail(&why, "the CUDA driver is too old: it is for CUDA %d.%d, 12.0 is needed",
                has / 1000, has % 1000 / 10);
        return;
    }
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *found = NULL;
        if (find(symbols[i].symbol, &found, NEEDED, 0, NULL) != 0 || !found) {
            ss_fail(&why, "the CUDA driver has no function %s", symbols[i].symbol);
            return;
        }
        set((char *)&table + symbols[i].at, found);
    }
}

int ss_cu_driver_open(ss_err *err)
{
    pthread_once(&once, look);
    if (why.text[0])
        return ss_fail(err, "%s", why.text);
    ss_cu = &table;
    return SS_OK;
}

const char *ss_cu_words(int code)
{
    const char *words = NULL;
    if (!ss_cu || ss_cu->error_string(code, &words) != 0 || !words)
        return "an unknown error";
    return words;
}
