/*
 * A layer between the program and the C library whose allocations fail, for tests: loaded with
 * LD_PRELOAD. Of the allocations that the program's own code makes from main on, those from number
 * SS_TEST_FAIL_AT on fail, so many as SS_TEST_FAIL_COUNT says; libraries and what runs before main
 * always get memory. At the end the number of all is written to the file SS_TEST_FAIL_LOG.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);

typedef int main_function(int, char **, char **);
typedef int start_function(main_function *, int, char **, void (*)(void), void (*)(void),
                           void (*)(void), void *);

static atomic_long allocations;
static long at, count;
static uintptr_t first, end; /* the program's code */
static atomic_bool counts;

/* The program is the first object. */
static int find_program(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
            first = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            end = first + info->dlpi_phdr[i].p_memsz;
        }
    return 1;
}

static int fails(void *caller)
{
    uintptr_t from = (uintptr_t)caller;
    if (!atomic_load(&counts) || from < first || from >= end)
        return 0;
    long number = atomic_fetch_add(&allocations, 1) + 1;
    if (number < at || number >= at + count)
        return 0;
    errno = ENOMEM;
    return 1;
}

#define FAILS fails(__builtin_return_address(0))

void *malloc(size_t size)
{
    return FAILS ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return FAILS ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    return FAILS ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return FAILS ? NULL : __libc_memalign(alignment, size);
}

char *strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = FAILS ? NULL : __libc_malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

static long number_of(const char *name)
{
    const char *text = getenv(name);
    return text ? atol(text) : 0;
}

static main_function *real_main;

static int counted_main(int argc, char **argv, char **env)
{
    at = number_of("SS_TEST_FAIL_AT");
    count = number_of("SS_TEST_FAIL_COUNT");
    dl_iterate_phdr(find_program, NULL);
    atomic_store(&counts, 1);
    return real_main(argc, argv, env);
}

int __libc_start_main(main_function *program, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*ld_fini)(void), void *stack)
{
    start_function *real = (start_function *)(uintptr_t)dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = program;
    return real(counted_main, argc, argv, init, fini, ld_fini, stack);
}

/* The program ends here, before the destructors of libraries. */
void _exit(int status)
{
    const char *path = getenv("SS_TEST_FAIL_LOG");
    char text[32];
    int n = snprintf(text, sizeof text, "%ld\n", atomic_load(&allocations));
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    if (fd >= 0 && write(fd, text, (size_t)n) != n)
        status = 99;
    syscall(SYS_exit_group, status);
    __builtin_unreachable();
}
