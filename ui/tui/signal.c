/* Signals of the terminal front end. INT, TERM, HUP, QUIT and TSTP only set a flag and wake
 * poll, so that the program ends normally; SEGV, ABRT, FPE, BUS and ILL restore the terminal
 * (write and tcsetattr are async-signal-safe) and are raised again. A terminal that takes no output
 * (ctrl-S, a broken connection) would hold the program in a write: after a signal to quit, ALRM
 * looks every second whether it does, and then lets the output go nowhere. Handlers run on any
 * thread. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "ui/tui/parts.h"

volatile sig_atomic_t ss_tui_quit, ss_tui_stop, ss_tui_resize, ss_tui_continue;

static int wake_fd = -1, tty_fd = -1;
static pthread_t screen_thread;
static struct termios saved;
static char restore[256];
static volatile sig_atomic_t restore_size;

static void wake(void)
{
    int kept = errno;
    if (wake_fd >= 0 && write(wake_fd, "s", 1) < 0)
        errno = kept; /* full: poll wakes anyway */
    errno = kept;
}

static bool takes_output(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLOUT};
    return poll(&p, 1, 0) > 0;
}

static void give_back(void)
{
    if (tty_fd < 0)
        return;
    if (takes_output(STDOUT_FILENO) && write(STDOUT_FILENO, restore, (size_t)restore_size) < 0)
        errno = 0;
    tcsetattr(tty_fd, TCSANOW, &saved);
}

static void send_nowhere(int fd)
{
    int nowhere = isatty(fd) ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
    if (nowhere < 0)
        return;
    dup2(nowhere, fd);
    close(nowhere);
}

/* If another thread crashes while the main thread is writing a frame, the rest of the frame
 * would follow the restore sequence: the main thread is asked to restore instead, and given a
 * moment. */
static void hand_over(int signo)
{
    struct timespec moment = {0, 20 * 1000 * 1000};
    if (tty_fd < 0 || pthread_equal(pthread_self(), screen_thread) ||
        pthread_kill(screen_thread, signo) != 0)
        return;
    for (int i = 0; i < 10; i++)
        nanosleep(&moment, NULL);
}

/* The third signal ends the program at once: the normal way out hangs. */
static void on_quit(int signo)
{
    static volatile sig_atomic_t times;
    ss_tui_quit = signo;
    times = times + 1;
    if (times >= 3) {
        hand_over(signo);
        give_back();
        signal(signo, SIG_DFL);
        raise(signo);
    }
    alarm(1);
    wake();
}

/* Without SA_RESTART: the write that waits returns, and curses writes the rest nowhere. */
static void on_alarm(int signo)
{
    int kept = errno;
    if (!pthread_equal(pthread_self(), screen_thread)) {
        pthread_kill(screen_thread, signo);
    } else if (tty_fd >= 0) {
        if (!takes_output(STDOUT_FILENO)) {
            tcflush(tty_fd, TCOFLUSH);
            give_back();
            send_nowhere(STDOUT_FILENO);
            send_nowhere(STDERR_FILENO);
        }
        alarm(1);
    }
    errno = kept;
}

static void on_stop(int signo)
{
    (void)signo;
    ss_tui_stop = 1;
    wake();
}

static void on_resize(int signo)
{
    (void)signo;
    ss_tui_resize = 1;
    wake();
}

static void on_continue(int signo)
{
    (void)signo;
    ss_tui_continue = 1;
    wake();
}

static void on_crash(int signo);

static const struct signal_row {
    int signo;
    void (*handler)(int);
    int flags;
} rows[] = {{SIGINT, on_quit, SA_RESTART},
            {SIGTERM, on_quit, SA_RESTART},
            {SIGHUP, on_quit, SA_RESTART},
            {SIGQUIT, on_quit, SA_RESTART},
            {SIGTSTP, on_stop, SA_RESTART},
            {SIGWINCH, on_resize, SA_RESTART},
            {SIGALRM, on_alarm, 0},
            {SIGCONT, on_continue, SA_RESTART},
            {SIGSEGV, on_crash, SA_ONSTACK | SA_NODEFER},
            {SIGABRT, on_crash, SA_NODEFER},
            {SIGFPE, on_crash, SA_NODEFER},
            {SIGBUS, on_crash, SA_NODEFER},
            {SIGILL, on_crash, SA_NODEFER}};
enum { NROW = sizeof rows / sizeof *rows };
static struct sigaction before[NROW];

/* Restores the previous handler (a sanitizer reports then), or the default action. */
static void on_crash(int signo)
{
    hand_over(signo);
    give_back();
    for (int i = 0; i < NROW; i++)
        if (rows[i].signo == signo)
            sigaction(signo, &before[i], NULL);
    raise(signo);
}

static int install(int i, ss_err *err)
{
    struct sigaction sa = {.sa_flags = rows[i].flags};
    sa.sa_handler = rows[i].handler;
    sigemptyset(&sa.sa_mask);
    if (sigaction(rows[i].signo, &sa, &before[i]) != 0)
        return ss_fail(err, "sigaction: %s", strerror(errno));
    /* Signals that the caller ignores (nohup) stay ignored. */
    if (rows[i].handler == on_quit && !(before[i].sa_flags & SA_SIGINFO) &&
        before[i].sa_handler == SIG_IGN)
        sigaction(rows[i].signo, &before[i], NULL);
    return SS_OK;
}

int ss_tui_signals_open(int fd, int wake_to, ss_err *err)
{
    if (tcgetattr(fd, &saved) != 0)
        return ss_fail(err, "the terminal does not tell its modes: %s", strerror(errno));
    ss_tui_quit = ss_tui_stop = ss_tui_resize = ss_tui_continue = 0;
    screen_thread = pthread_self();
    wake_fd = wake_to;
    tty_fd = fd;
    for (int i = 0; i < NROW; i++)
        if (install(i, err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

void ss_tui_signals_close(void)
{
    if (tty_fd < 0)
        return;
    if (tcsetattr(tty_fd, takes_output(tty_fd) ? TCSADRAIN : TCSANOW, &saved) != 0)
        tcsetattr(tty_fd, TCSANOW, &saved); /* interrupted */
    tty_fd = wake_fd = -1;
    alarm(0);
    for (int i = 0; i < NROW; i++)
        sigaction(rows[i].signo, &before[i], NULL);
}

void ss_tui_restore_text(const char *text)
{
    size_t n = strlen(text);
    n = n < sizeof restore ? n : sizeof restore;
    memcpy(restore, text, n); /* NOLINT(bugprone-not-null-terminated-result): it has a size */
    restore_size = (sig_atomic_t)n;
}

void ss_tui_suspend(void)
{
    struct sigaction stop = {.sa_handler = SIG_DFL}, ours;
    sigset_t set, old;
    struct termios here;
    int known = tcgetattr(tty_fd, &here) == 0;
    tcsetattr(tty_fd, TCSADRAIN, &saved);
    sigemptyset(&stop.sa_mask);
    sigaction(SIGTSTP, &stop, &ours);
    sigemptyset(&set);
    sigaddset(&set, SIGTSTP);
    sigprocmask(SIG_UNBLOCK, &set, &old);
    raise(SIGTSTP);
    sigprocmask(SIG_SETMASK, &old, NULL);
    sigaction(SIGTSTP, &ours, NULL);
    ss_tui_stop = 0;
    if (known)
        tcsetattr(tty_fd, TCSADRAIN, &here);
}
