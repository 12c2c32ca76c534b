/* Functions of Linux that emscripten's C library lacks. */
#include <stddef.h>
#include <sys/random.h>
#include <unistd.h>

ssize_t getrandom(void *buf, size_t size, unsigned flags)
{
    (void)flags;
    return getentropy(buf, size) == 0 ? (ssize_t)size : -1;
}
