/* The program on a pseudo-terminal: processes, bytes and waiting. See term.h; screen.c interprets
 * the bytes. */
#include "tests/e2e/term_private.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/check.h"

double term_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* --- the words of the command line ---------------------------------------------------------------
 */

/* Cuts text at blanks outside '…', in place. */
static int split(char *text, char **word, int max)
{
    int n = 0;
    for (char *p = text; *p && n < max; n++) {
        while (*p == ' ')
            p++;
        if (!*p)
            break;
        bool quoted = *p == '\'';
        word[n] = p += quoted;
        while (*p && *p != (quoted ? '\'' : ' '))
            p++;
        if (*p)
            *p++ = '\0';
    }
    return n;
}

static void set_environment(const char *env)
{
    static const char *const unset[] = {"LC_ALL",  "LC_CTYPE",        "NO_COLOR", "COLORTERM",
                                        "COLUMNS", "XDG_CONFIG_HOME", "LINES",    "ESCDELAY"};
    char text[512], *word[16];
    for (size_t i = 0; i < sizeof unset / sizeof *unset; i++)
        unsetenv(unset[i]);
    setenv("HOME", "/dev/null", 1); /* nothing can be saved below it, whoever runs the tests */
    setenv("TERM", "xterm-256color", 1);
    setenv("LANG", "C.UTF-8", 1);
    snprintf(text, sizeof text, "%s", env ? env : "");
    for (int i = 0, n = split(text, word, 16); i < n; i++) {
        char *value = strchr(word[i], '=');
        if (value)
            *value++ = '\0';
        if (value)
            setenv(word[i], value, 1);
        else
            unsetenv(word[i]);
    }
}

/* --- the small shell -----------------------------------------------------------------------------
 */

static const char *program(void)
{
    const char *path = getenv("STENCILSCOPE");
    return path && *path ? path : "build/release/stencilscope";
}

_Noreturn static void become_program(int slave, int started, const char *env, const char *args)
{
    char text[2048], *word[64] = {NULL};
    struct rlimit none = {0, 0};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &none);
    setpgid(0, 0);
    tcsetpgrp(slave, getpid());
    signal(SIGTTOU, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    for (int fd = 0; fd < 3; fd++)
        dup2(slave, fd);
    for (int fd = 3; fd < 64; fd++)
        if (fd != started)
            close(fd);
    fcntl(started, F_SETFD, FD_CLOEXEC); /* closed by exec */
    set_environment(env);
    snprintf(text, sizeof text, "%s", args);
    word[0] = (char *)program();
    split(text, word + 1, 62);
    execv(word[0], word);
    fprintf(stderr, "cannot start %s: %s\n", word[0], strerror(errno));
    _exit(127);
}

/* Runs the program as a foreground job and writes each change of its state to the pipe. */
_Noreturn static void be_shell(int slave, int status_pipe, const char *env, const char *args)
{
    sigset_t all;
    int status, started[2];
    sigemptyset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    for (int s = 1; s < 32; s++)
        signal(s, SIG_DFL);
    signal(SIGTTOU, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setsid();
    ioctl(slave, TIOCSCTTY, 0);
    if (pipe(started) != 0)
        _exit(127);
    pid_t pid = fork();
    if (pid == 0)
        become_program(slave, started[1], env, args);
    setpgid(pid, pid);
    tcsetpgrp(slave, pid);
    close(started[1]);
    while (read(started[0], &status, sizeof status) > 0)
        ;
    status = (int)pid;
    while (write(status_pipe, &status, sizeof status) == (ssize_t)sizeof status) {
        while (waitpid(pid, &status, WUNTRACED | WCONTINUED) < 0 && errno == EINTR)
            ;
        if (WIFEXITED(status) || WIFSIGNALED(status))
            break;
    }
    ssize_t ignored = write(status_pipe, &status, sizeof status);
    (void)ignored;
    for (;;)
        pause(); /* the session exists until the test has read the terminal */
}

/* --- life ----------------------------------------------------------------------------------------
 */

term *term_open(int cols, int rows, const char *env, const char *args)
{
    term *t = calloc(1, sizeof *t);
    int status_pipe[2], pid = 0;
    CHECK_MSG(t != NULL, "out of memory");
    t->cols = cols;
    t->rows = rows;
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
    CHECK_MSG(openpty(&t->master, &t->slave, NULL, NULL, &size) == 0, "openpty: %s",
              strerror(errno));
    CHECK_MSG(pipe(status_pipe) == 0, "pipe: %s", strerror(errno));
    tcgetattr(t->slave, &t->before);
    term_screen_open(t);
    t->shell = fork();
    if (t->shell == 0)
        be_shell(t->slave, status_pipe[1], env, args);
    close(status_pipe[1]);
    t->status_in = status_pipe[0];
    CHECK_MSG(read(t->status_in, &pid, sizeof pid) == (ssize_t)sizeof pid, "the shell is gone");
    t->pid = pid;
    t->status = -1;
    fcntl(t->status_in, F_SETFL, O_NONBLOCK);
    fcntl(t->master, F_SETFL, O_NONBLOCK);
    return t;
}

void term_close(term *t)
{
    if (t->status < 0)
        kill(t->pid, SIGKILL);
    kill(t->shell, SIGKILL);
    waitpid(t->shell, NULL, 0);
    close(t->master);
    close(t->slave);
    close(t->status_in);
    term_screen_close(t);
    free(t->output);
    free(t);
}

/* --- doing ---------------------------------------------------------------------------------------
 */

static void send_bytes(term *t, const char *bytes, size_t n)
{
    double limit = term_clock() + TERM_PATIENCE;
    while (n > 0 && term_clock() < limit) {
        ssize_t w = write(t->master, bytes, n);
        if (w > 0) {
            bytes += w;
            n -= (size_t)w;
        } else {
            term_pump(t, 0.01);
        }
    }
}

void term_keys(term *t, const char *bytes)
{
    send_bytes(t, bytes, strlen(bytes));
}

void term_mouse(term *t, int button, int x, int y, bool release)
{
    char text[40];
    int n =
        snprintf(text, sizeof text, "\033[<%d;%d;%d%c", button, x + 1, y + 1, release ? 'm' : 'M');
    send_bytes(t, text, (size_t)n);
}

void term_resize(term *t, int cols, int rows)
{
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
    t->cols = cols;
    t->rows = rows;
    term_screen_resize(t);
    ioctl(t->master, TIOCSWINSZ, &size); /* and SIGWINCH to the foreground job */
}

void term_signal(term *t, int signal_number)
{
    if (t->status < 0)
        kill(t->pid, signal_number);
}

/* --- waiting -------------------------------------------------------------------------------------
 */

static void append_output(term *t, const char *bytes, size_t n)
{
    if (t->size + n > t->room) {
        t->room = 2 * (t->size + n) + 65536;
        t->output = realloc(t->output, t->room);
        CHECK_MSG(t->output != NULL, "out of memory");
    }
    memcpy(t->output + t->size, bytes, n);
    t->size += n;
    term_screen_feed(t, bytes, n);
}

static void hear(term *t)
{
    int status;
    while (read(t->status_in, &status, sizeof status) == (ssize_t)sizeof status) {
        t->stopped = WIFSTOPPED(status);
        if (WIFEXITED(status))
            t->status = WEXITSTATUS(status);
        else if (WIFSIGNALED(status))
            t->status = 128 + WTERMSIG(status);
    }
}

/* Reads all pending output, waiting at most `seconds` for the first byte. True if there was any. */
static bool take(term *t, double seconds)
{
    char bytes[65536];
    struct pollfd p[2] = {{.fd = t->master, .events = POLLIN},
                          {.fd = t->status_in, .events = POLLIN}};
    bool any = false;
    poll(p, t->status < 0 ? 2 : 1, seconds > 0 ? (int)(1e3 * seconds + 0.999) : 0);
    hear(t);
    for (int i = 0; i < 16; i++) { /* bounded: much output must not delay the caller */
        ssize_t n = read(t->master, bytes, sizeof bytes);
        if (n <= 0)
            break;
        append_output(t, bytes, (size_t)n);
        any = true;
    }
    return any;
}

void term_pump(term *t, double seconds)
{
    double end = term_clock() + seconds;
    do {
        double left = end - term_clock();
        take(t, left < 0.05 ? left : 0.05);
    } while (term_clock() < end);
}

static bool wait_for(term *t, const char *text, bool there, double seconds)
{
    double end = term_clock() + seconds;
    bool fresh = true;
    for (;;) {
        if (fresh && (strstr(term_screen(t), text) != NULL) == there)
            return true;
        if (term_clock() >= end || (t->status >= 0 && !fresh))
            return false;
        fresh = take(t, 0.02);
    }
}

bool term_wait(term *t, const char *text, double seconds)
{
    return wait_for(t, text, true, seconds);
}

bool term_wait_gone(term *t, const char *text, double seconds)
{
    return wait_for(t, text, false, seconds);
}

bool term_settle(term *t, double quiet, double seconds)
{
    double now = term_clock(), end = now + seconds, last = now;
    while (now < end && now - last < quiet) {
        if (take(t, 0.02))
            last = term_clock();
        now = term_clock();
    }
    return now - last >= quiet;
}

void term_hold(term *t)
{
    tcflow(t->slave, TCOOFF);
}

int term_exit(term *t, double seconds)
{
    double end = term_clock() + seconds;
    while (t->status < 0 && term_clock() < end)
        take(t, 0.02);
    while (take(t, 0))
        ;
    return t->status;
}

bool term_wait_stop(term *t, double seconds)
{
    double end = term_clock() + seconds;
    while (!t->stopped && t->status < 0 && term_clock() < end)
        take(t, 0.02);
    while (take(t, 0))
        ;
    return t->stopped;
}

/* --- other measurements ----------------------------------------------------------------------- */

const char *term_output(const term *t, size_t *size)
{
    *size = t->size;
    return t->output;
}

const char *term_damage(term *t)
{
    struct termios now;
    if (tcgetattr(t->slave, &now) != 0)
        return "the terminal is gone";
    if (now.c_iflag != t->before.c_iflag || now.c_oflag != t->before.c_oflag ||
        now.c_cflag != t->before.c_cflag || now.c_lflag != t->before.c_lflag ||
        memcmp(now.c_cc, t->before.c_cc, sizeof now.c_cc) != 0)
        return "the modes of the terminal (termios) are not as before";
    return term_screen_damage(t);
}

static bool read_line(const char *path, char *buf, size_t size)
{
    FILE *f = fopen(path, "r");
    bool ok = f && fgets(buf, (int)size, f);
    if (f)
        fclose(f);
    return ok;
}

/* Nanoseconds from the scheduler if it counts them, else clock ticks. */
static double thread_cpu(int pid, const char *task)
{
    char path[80], line[512];
    unsigned long long ns, user, system;
    snprintf(path, sizeof path, "/proc/%d/task/%.16s/schedstat", pid, task);
    if (read_line(path, line, sizeof line) && sscanf(line, "%llu", &ns) == 1 && ns > 0)
        return 1e-9 * (double)ns;
    snprintf(path, sizeof path, "/proc/%d/task/%.16s/stat", pid, task);
    const char *rest = read_line(path, line, sizeof line) ? strrchr(line, ')') : NULL;
    if (!rest || sscanf(rest, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &user,
                        &system) != 2)
        return NAN;
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

double term_cpu(const term *t, bool drawing)
{
    char path[80], task[16];
    double sum = 0;
    snprintf(task, sizeof task, "%d", (int)t->pid);
    if (drawing)
        return thread_cpu(t->pid, task);
    snprintf(path, sizeof path, "/proc/%d/task", (int)t->pid);
    DIR *dir = opendir(path);
    for (struct dirent *e; dir && (e = readdir(dir));)
        if (e->d_name[0] != '.')
            sum += thread_cpu(t->pid, e->d_name);
    if (dir)
        closedir(dir);
    return dir ? sum : (double)NAN;
}
