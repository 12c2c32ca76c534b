/* Self-pipe and signals of the front ends without a screen: see wait.h. */
#include "ui/plain/wait.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "src/base/system.h"

static volatile sig_atomic_t asked_to_quit;
static ss_quit_signals before;

/* --- the bell: any thread rings, the main thread waits -----------------------------------------
 */

#ifdef SS_WITH_PAGE /* poll of emscripten does not wait; there are no signals */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t rings = PTHREAD_COND_INITIALIZER;
static bool rung; /* under the lock */

static int open_bell(ss_err *err)
{
    (void)err;
    return SS_OK;
}

static void close_bell(void)
{
}

static void ring(void)
{
    pthread_mutex_lock(&lock);
    rung = true;
    pthread_cond_signal(&rings);
    pthread_mutex_unlock(&lock);
}

/* seconds < 0: until it rings. A page has no input. */
static bool await_bell(double seconds, int fd)
{
    (void)fd;
    struct timespec until = ss_deadline_in(CLOCK_REALTIME, seconds);
    pthread_mutex_lock(&lock);
    for (int late = 0; !rung && !late;)
        late = seconds < 0 ? pthread_cond_wait(&rings, &lock)
                           : pthread_cond_timedwait(&rings, &lock, &until);
    rung = false;
    pthread_mutex_unlock(&lock);
    return false;
}

#else

static int pipe_fd[2] = {-1, -1};

static int open_bell(ss_err *err)
{
    if (pipe(pipe_fd) != 0)
        return ss_fail(err, "cannot make a pipe: %s", strerror(errno));
    for (int i = 0; i < 2; i++) {
        fcntl(pipe_fd[i], F_SETFL, O_NONBLOCK);
        fcntl(pipe_fd[i], F_SETFD, FD_CLOEXEC);
    }
    return SS_OK;
}

static void close_bell(void)
{
    for (int i = 0; i < 2; i++)
        close(pipe_fd[i]);
}

static void ring(void)
{
    ssize_t ignored = write(pipe_fd[1], "", 1);
    (void)ignored;
}

/* seconds < 0: until it rings or fd can be read. Returns whether it can. */
static bool await_bell(double seconds, int fd)
{
    struct pollfd p[2] = {{.fd = pipe_fd[0], .events = POLLIN}, {.fd = fd, .events = POLLIN}};
    char buf[64];
    if (poll(p, 2, seconds < 0 ? -1 : (int)(seconds * 1e3 + 0.999)) <= 0)
        return false;
    while (p[0].revents && read(pipe_fd[0], buf, sizeof buf) > 0)
        ;
    return p[1].revents != 0;
}

#endif

/* --- the functions of front ends ---------------------------------------------------------------
 */

static void on_signal(int signal_number)
{
    int saved = errno;
    asked_to_quit = signal_number;
    ss_plain_wake(NULL);
    errno = saved;
}

int ss_plain_open(void **self, ss_err *err)
{
    *self = NULL;
    if (open_bell(err) != SS_OK)
        return SS_FAIL;
    ss_quit_signals_catch(&before, on_signal);
    return SS_OK;
}

void ss_plain_extent(void *self, ss_extent *out)
{
    (void)self;
    *out = (ss_extent){.cols = 80, .rows = 24, .dots_x = 1, .dots_y = 1};
}

int ss_plain_poll(void *self, double seconds, ss_event *ev)
{
    bool readable;
    (void)self;
    return ss_plain_poll_input(seconds, -1, &readable, ev);
}

int ss_plain_poll_input(double seconds, int fd, bool *readable, ss_event *ev)
{
    memset(ev, 0, sizeof *ev);
    *readable = !asked_to_quit && await_bell(seconds, fd);
    if (!asked_to_quit)
        return 0;
    ev->kind = SS_EV_QUIT;
    ev->button = asked_to_quit;
    asked_to_quit = 0; /* it is told once */
    return 1;
}

void ss_plain_wake(void *self)
{
    (void)self;
    ring();
}

void ss_plain_close(void *self)
{
    (void)self;
    ss_quit_signals_release(&before);
    close_bell();
}
