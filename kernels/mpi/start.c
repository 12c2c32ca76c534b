/*
 * The start of a job (inner.h): its log, the address at which it waits for the
 * ranks, the command line of mpiexec and its environment, and the ranks' first words.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/mpi/inner.h"
#include "src/base/common.h"
#include "src/base/system.h"

/* --- address and log ------------------------------------------------------------------ */

/* May ranks be on other machines? */
bool ss_job_is_far(const ss_job *job)
{
    return job->setup.hosts || job->setup.launch;
}

/* All addresses of this machine, the loopback last: the ranks try them in turn. */
static void add_addresses(ss_job *job, bool loopback)
{
    struct ifaddrs *list = NULL;
    if (getifaddrs(&list) != 0)
        return;
    for (const struct ifaddrs *i = list; i; i = i->ifa_next) {
        bool here = (i->ifa_flags & IFF_LOOPBACK) != 0;
        size_t n = strlen(job->where);
        char text[INET_ADDRSTRLEN];
        if (!i->ifa_addr || i->ifa_addr->sa_family != AF_INET || here != loopback ||
            !(i->ifa_flags & IFF_UP))
            continue;
        const struct sockaddr_in *in = (const struct sockaddr_in *)(const void *)i->ifa_addr;
        inet_ntop(AF_INET, &in->sin_addr, text, sizeof text);
        snprintf(job->where + n, sizeof job->where - n, " %s", text);
    }
    freeifaddrs(list);
}

/* Ranks of this machine need the loopback only. */
int ss_job_listen(ss_job *job, ss_err *err)
{
    bool far = ss_job_is_far(job);
    struct sockaddr_in a = {.sin_family = AF_INET};
    socklen_t size = sizeof a;
    a.sin_addr.s_addr = htonl(far ? INADDR_ANY : INADDR_LOOPBACK);
    job->listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (job->listening < 0 || bind(job->listening, (const struct sockaddr *)&a, sizeof a) != 0 ||
        listen(job->listening, 64) != 0 ||
        getsockname(job->listening, (struct sockaddr *)&a, &size) != 0)
        return ss_fail(err, "a port for the ranks: %s", strerror(errno));
    snprintf(job->where, sizeof job->where, "%d", ntohs(a.sin_port));
    if (far)
        add_addresses(job, false);
    add_addresses(job, true);
    return SS_OK;
}

int ss_job_make_token(ss_job *job, ss_err *err)
{
    unsigned char secret[16];
    if (getrandom(secret, sizeof secret, 0) != (ssize_t)sizeof secret)
        return ss_fail(err, "no random numbers for a token: %s", strerror(errno));
    for (size_t i = 0; i < sizeof secret; i++)
        snprintf(job->token + 2 * i, 3, "%02x", secret[i]);
    return SS_OK;
}

int ss_job_open_log(ss_job *job, ss_err *err)
{
    const char *tmp = getenv("TMPDIR");
    snprintf(job->log_path, sizeof job->log_path, "%s/stencilscope-ranks-XXXXXX",
             tmp && *tmp ? tmp : "/tmp");
    job->log = mkostemp(job->log_path, O_APPEND | O_CLOEXEC);
    return job->log >= 0 ? SS_OK
                         : ss_fail_outside(err, "a file for the ranks' log: %s: %s", job->log_path,
                                           strerror(errno));
}

/* --- what mpiexec and the ranks say ----------------------------------------------------------- */

/* Lines of dashes are frames; "[host:123] file.c: ..." are notes of Open MPI for its authors. */
static bool says_something(const char *line)
{
    return strspn(line, "- \t\r") != strlen(line) && *line != '[' &&
           strncmp(line, "Warning:", 8) != 0 && strncmp(line, "WARNING:", 8) != 0;
}

/* A rank's own sentence, or the first paragraph: Open MPI wraps its sentences, says the cause first
 * and then what one may do. */
void ss_job_first_words(char *text, char *buf, size_t size)
{
    static const char own[] = "stencilscope-rank: ";
    size_t n = 0;
    char *sentence = strstr(text, own);
    text = sentence ? sentence + strlen(own) : text;
    *buf = '\0';
    for (char *next; *text; text = next) {
        next = text + strcspn(text, "\n");
        next += *next == '\n';
        text[strcspn(text, "\r\n")] = '\0';
        bool says = says_something(text);
        if (n > 0 && (!says || sentence))
            break;
        text += strspn(text, " \t");
        if (says && n < size)
            n += (size_t)snprintf(buf + n, size - n, "%s%s", n > 0 ? " " : "", text);
    }
    ss_text_safe(ss_utf8_trim(buf));
}

/* The first words of the log that say something. */
static void log_words(const ss_job *job, char *buf, size_t size)
{
    char text[8192];
    ssize_t n = pread(job->log, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    ss_job_first_words(text, buf, size);
}

/* --- mpiexec ---------------------------------------------------------------------------------- */

#define WORDS 64
#define TEXT 4096

/* A list of words in one block of text. */
typedef struct words {
    char *word[WORDS + 1];
    char text[TEXT];
    int n;
    size_t used;
    bool full;
} words;

static void add(words *w, const char *word, size_t length)
{
    if (w->n == WORDS || w->used + length + 1 > TEXT) {
        w->full = true;
        return;
    }
    w->word[w->n++] = memcpy(w->text + w->used, word, length);
    w->text[w->used + length] = '\0';
    w->used += length + 1;
}

static void add_all(words *w, const char *text)
{
    for (size_t n; *text; text += n) {
        text += strspn(text, " ");
        n = strcspn(text, " ");
        if (n > 0)
            add(w, text, n);
    }
}

int ss_job_program(char *path, size_t size, ss_err *err)
{
    /* Beside the program; beside the folder of the tests. */
    static const char *const places[] = {"stencilscope-rank", "../stencilscope-rank"};
    char self[1024];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(self, '/');
    for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
        snprintf(path, size, "%.*s/%s", (int)(slash - self), self, places[i]);
        if (access(path, X_OK) == 0)
            return SS_OK;
    }
    return ss_fail_outside(
        err, "the program stencilscope-rank is missing: it is built where Open MPI is "
             "installed (make config)");
}

/* Only Open MPI needs to be told which variables the ranks inherit. */
static bool is_open_mpi(const char *word)
{
    static const char *const names[] = {"mpiexec", "mpirun", "orterun"};
    const char *slash = strrchr(word, '/'), *name = slash ? slash + 1 : word;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* "a,b" becomes "a:2,b:2": consecutive ranks are neighbours and share a host. */
static void add_hosts(words *w, const ss_job_setup *setup)
{
    char list[1024] = "";
    int hosts = 1;
    size_t n = 0;
    for (const char *c = setup->hosts; *c; c++)
        hosts += *c == ',';
    int each = (setup->ranks + hosts - 1) / hosts;
    for (const char *h = setup->hosts; *h; h += strcspn(h, ","), h += *h == ',') {
        int length = (int)strcspn(h, ",");
        const char *separator = n > 0 ? "," : "";
        bool counted = memchr(h, ':', (size_t)length) != NULL;
        n += (size_t)snprintf(list + n, sizeof list - n, counted ? "%s%.*s" : "%s%.*s:%d",
                              separator, length, h, each);
        w->full |= n >= sizeof list;
        n = n < sizeof list ? n : sizeof list - 1;
    }
    add_all(w, "--host");
    add(w, list, strlen(list));
}

static void make_command(words *w, const ss_job_setup *setup, const char *program)
{
    static const char mpiexec[] = "mpiexec --oversubscribe --bind-to none";
    const char *launch = setup->launch ? setup->launch : mpiexec;
    char count[32];
    launch += strspn(launch, " ");
    size_t first = strcspn(launch, " ");
    add(w, launch, first);
    if (w->n > 0 && is_open_mpi(w->word[0]))
        add_all(w, "-x " SS_MPI_WHERE " -x " SS_MPI_TOKEN);
    add_all(w, launch + first);
    if (!setup->launch) {
        snprintf(count, sizeof count, "-n %d", setup->ranks);
        add_all(w, count);
    }
    if (!setup->launch && setup->hosts)
        add_hosts(w, setup);
    add(w, program, strlen(program));
}

/* If the network is cut, Open MPI's own processes end before the ranks do (ss_wire_open). One
 * that reported the end of its ranks first would wait many minutes for an answer. */
static const char *const usual[] = {"OMPI_MCA_oob_tcp_keepalive_time=4",
                                    "OMPI_MCA_oob_tcp_keepalive_intvl=2",
                                    "OMPI_MCA_oob_tcp_keepalive_probes=3"};

/* This process's variables and some more; free the list. Open MPI refuses to run as root without
 * the first two. */
static char **make_environment(words *more, const char *where, const char *token)
{
    static const char *const root[] = {"OMPI_ALLOW_RUN_AS_ROOT=1",
                                       "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"};
    char text[TEXT / 2];
    size_t n = 0;
    for (int i = 0; i < 2 && geteuid() == 0; i++)
        add(more, root[i], strlen(root[i]));
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        add(more, usual[i], strlen(usual[i]));
    if (!getenv("OMP_WAIT_POLICY"))
        add_all(more, "OMP_WAIT_POLICY=passive");
    snprintf(text, sizeof text, "%s=%s", SS_MPI_WHERE, where);
    add(more, text, strlen(text));
    snprintf(text, sizeof text, "%s=%s", SS_MPI_TOKEN, token);
    add(more, text, strlen(text));
    while (environ[n])
        n++;
    char **list = malloc((n + (size_t)more->n + 1) * sizeof *list);
    if (!list)
        return NULL;
    memcpy(list, more->word, (size_t)more->n * sizeof *list); /* the first of a name counts */
    memcpy(list + more->n, environ, (n + 1) * sizeof *list);
    return list;
}

/* The session of a process, or -1. */
static int session_of(const char *pid)
{
    char path[300], text[512];
    int session = -1;
    snprintf(path, sizeof path, "/proc/%s/stat", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    const char *name_end = strrchr(text, ')'); /* then state, parent, group, session */
    if (name_end)
        sscanf(name_end, ") %*c %*d %*d %d", &session);
    return session;
}

void ss_job_kill(int session)
{
    DIR *all = opendir("/proc");
    for (struct dirent *e; all && (e = readdir(all)) != NULL;)
        if (isdigit((unsigned char)e->d_name[0]) && session_of(e->d_name) == session)
            kill(atoi(e->d_name), SIGKILL);
    if (all)
        closedir(all);
    kill(session, SIGKILL); /* it may not have begun its session yet */
}

int ss_job_launch(const ss_job_setup *setup, const char *where, const char *token, int log,
                  ss_err *err)
{
    words command = {.n = 0}, more = {.n = 0};
    char program[1100];
    if (ss_job_program(program, sizeof program, err) != SS_OK)
        return -1;
    make_command(&command, setup, program);
    char **env = make_environment(&more, where, token);
    if (!env || command.full || more.full) {
        free(env);
        ss_fail(err, "launcher: the command that starts the ranks is too long");
        return -1;
    }
    int pid = ss_child_start(command.word, env, log, SIGTERM);
    free(env);
    if (pid < 0)
        ss_fail(err, "mpiexec cannot be started: %s", strerror(errno));
    return pid;
}

/* Has mpiexec ended? Then why says so. */
static bool has_ended(ss_job *job, ss_err *why)
{
    int status = 0;
    char said[200];
    if (job->pid <= 0 || waitpid(job->pid, &status, WNOHANG) != job->pid)
        return false;
    job->pid = 0;
    log_words(job, said, sizeof said);
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    ss_fail_outside(why, "the ranks have ended with status %d%s%.180s (%s)", code,
                    *said ? ": " : "", said, job->log_path);
    return true;
}

/* --- the ranks dial --------------------------------------------------------------------------- */

#define START_SECONDS 60.0 /* for all ranks to dial */
#define HELLO_SECONDS 2    /* for a caller to end a line that it has begun */
#define STRANGERS 32       /* callers at a time, besides the ranks */

/* Takes as long for a wrong token as for the right one. */
static bool same_token(const char *a, const char *b)
{
    unsigned differs = strlen(a) != strlen(b);
    for (size_t i = 0; a[i] && b[i]; i++)
        differs |= (unsigned)(a[i] ^ b[i]);
    return differs == 0;
}

typedef struct hello {
    char name[32], version[32], build[80], token[64], host[64];
    int connection, rank, ranks;
} hello;

/* SS_FAIL without a sentence: a stranger. */
static int check_hello(const ss_job *job, const hello *h, ss_err *err)
{
    err->text[0] = '\0';
    if (strcmp(h->name, SS_MPI_HELLO) != 0 || !same_token(h->token, job->token))
        return SS_FAIL;
    if (strcmp(h->version, SS_VERSION) != 0 || strcmp(h->build, ss_build_id()) != 0)
        return ss_fail_outside(err,
                               "stencilscope-rank on %s is another build (%s %s) than this program "
                               "(%s %s): build and install both together",
                               h->host, h->version, h->build, SS_VERSION, ss_build_id());
    if (h->ranks != job->setup.ranks)
        return ss_fail_outside(err,
                               "%d ranks were started and %d are wanted: launcher and ranks "
                               "must agree",
                               h->ranks, job->setup.ranks);
    return h->rank >= 0 && h->rank < h->ranks ? SS_OK : SS_FAIL;
}

static int welcome(ss_job *job, int fd, const hello *h)
{
    ss_rank_link *r = &job->rank[h->rank];
    bool known = h->connection == SS_MPI_WATCH ? r->fd >= 0 : job->commands >= 0;
    if (known)
        return SS_FAIL;
    if (h->connection == SS_MPI_WATCH) {
        r->fd = fd;
        snprintf(r->host, sizeof r->host, "%s", h->host);
    } else {
        pthread_mutex_lock(&job->lock);
        job->commands = fd;
        pthread_mutex_unlock(&job->lock);
    }
    job->arrived++;
    return SS_OK;
}

/* Reads what a caller says. SS_FAIL: the start has failed. A stranger is hung up on. */
static int hear(ss_job *job, int fd, ss_err *err)
{
    struct timeval limit = {.tv_sec = HELLO_SECONDS}, none = {0};
    char line[SS_MPI_LINE] = "";
    hello h = {.rank = -1};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    bool said = ss_wire_read(fd, line, sizeof line) == SS_OK;
    line[sizeof line - 1] = '\0';
    said = said && sscanf(line, "%31s %31s %79s %63s %d %d %d %63s", h.name, h.version, h.build,
                          h.token, &h.connection, &h.rank, &h.ranks, h.host) == 8;
    int status = said ? check_hello(job, &h, err) : SS_FAIL;
    bool failed = said && status != SS_OK && err->text[0];
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &none, sizeof none);
    if (status != SS_OK || welcome(job, fd, &h) != SS_OK)
        close(fd);
    return failed ? SS_FAIL : SS_OK;
}

/* Callers that have not said who they are; the first entry is the listening socket. A rank dials
 * before it initialises MPI and speaks afterwards. */
typedef struct callers {
    struct pollfd *p;
    int n, most;
} callers;

static void take_caller(const ss_job *job, callers *c)
{
    int fd = accept4(job->listening, NULL, NULL, SOCK_CLOEXEC);
    if (fd >= 0 && c->n < c->most)
        c->p[c->n++] = (struct pollfd){fd, POLLIN, 0};
    else if (fd >= 0)
        close(fd);
    if (fd >= 0)
        ss_wire_open(fd, ss_job_is_far(job));
}

/* Waits a moment for callers and for what they say. */
static int attend(ss_job *job, callers *c, ss_err *err)
{
    if (poll(c->p, (nfds_t)c->n, SS_JOB_POLL_MS) <= 0)
        return SS_OK;
    for (int i = c->n - 1; i > 0; i--) {
        int fd = c->p[i].fd;
        if (!c->p[i].revents)
            continue;
        c->p[i] = c->p[--c->n];
        if (hear(job, fd, err) != SS_OK)
            return SS_FAIL;
    }
    if (c->p[0].revents)
        take_caller(job, c);
    return SS_OK;
}

static int await_callers(ss_job *job, callers *c, ss_err *err)
{
    double until = ss_clock() + START_SECONDS;
    while (job->arrived < job->setup.ranks + 1) {
        if (job->ending)
            return ss_fail(err, "interrupted");
        if (attend(job, c, err) != SS_OK)
            return SS_FAIL;
        if (has_ended(job, err))
            return SS_FAIL;
        if (ss_clock() > until)
            return ss_fail_outside(err, "after %.0f s only %d of %d ranks have answered (%s)",
                                   START_SECONDS, job->arrived, job->setup.ranks, job->log_path);
    }
    return SS_OK;
}

/* A rank that ends before it has spoken is seen here as the end of mpiexec. */
int ss_job_await_ranks(ss_job *job, ss_err *err)
{
    callers c = {.n = 1, .most = job->setup.ranks + STRANGERS};
    c.p = ss_alloc((size_t)c.most * sizeof *c.p, "callers", err);
    if (!c.p)
        return SS_FAIL;
    c.p[0] = (struct pollfd){job->listening, POLLIN, 0};
    int status = await_callers(job, &c, err);
    for (int i = 1; i < c.n; i++)
        close(c.p[i].fd);
    free(c.p);
    return status;
}
