/* The life of a job: see job.h. Fields of ss_job below `lock` are guarded by it. */
#include "kernels/mpi/job.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/build.h"

#define START_SECONDS 60.0 /* for all ranks to dial */
#define HELLO_SECONDS 2    /* for a caller to end a line that it has begun */
#define STRANGERS 32       /* callers at a time, besides the ranks */
#define END_SECONDS 2.0    /* for mpiexec to end by itself */
#define KILL_SECONDS 1.0   /* after SIGTERM */
#define CUT_SECONDS 4.0    /* between the first signs of a cut network */
#define POLL_MS 20

typedef struct rank_link {
    int fd; /* the silent connection; -1: not dialled yet */
    char host[64];
} rank_link;

struct ss_job {
    ss_job_setup setup;
    char dir[96], where[512], token[33];
    int listening, log, pid; /* the job's thread; pid 0: not started, or waited for */
    rank_link *rank;         /* setup.ranks */
    int arrived;             /* connections */
    uint64_t number;         /* of the last step; engine thread */

    pthread_mutex_t lock;
    pthread_cond_t changed;
    int commands; /* rank 0's connection; -1: none yet */
    bool ready;   /* all ranks have dialled */
    bool lost;    /* failed for good: why */
    bool ending;  /* the engine thread does not use it any more */
    bool done;    /* its thread has ended */
    ss_err why;
    struct ss_job *next; /* in the list of all jobs, guarded by all_lock */
};

/* All jobs whose thread runs, for the end of the program; and one that nobody uses at present. */
static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;
static ss_job *all, *idle;

/* May ranks be on other machines? */
static bool is_far(const ss_job *job)
{
    return job->setup.hosts || job->setup.launch;
}

/* --- the address ------------------------------------------------------------------------------ */

static int listen_at(const struct sockaddr *a, socklen_t size, int domain)
{
    int fd = socket(domain, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && bind(fd, a, size) == 0 && listen(fd, 64) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static int listen_unix(ss_job *job, ss_err *err)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    snprintf(a.sun_path, sizeof a.sun_path, "%s/socket", job->dir);
    snprintf(job->where, sizeof job->where, "unix %s/socket", job->dir);
    job->listening = listen_at((const struct sockaddr *)&a, sizeof a, AF_UNIX);
    return job->listening >= 0 ? SS_OK
                               : ss_fail(err, "a socket for the ranks: %s", strerror(errno));
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

static int listen_tcp(ss_job *job, ss_err *err)
{
    struct sockaddr_in a = {.sin_family = AF_INET};
    socklen_t size = sizeof a;
    job->listening = listen_at((const struct sockaddr *)&a, sizeof a, AF_INET);
    if (job->listening < 0 || getsockname(job->listening, (struct sockaddr *)&a, &size) != 0)
        return ss_fail(err, "a port for the ranks: %s", strerror(errno));
    snprintf(job->where, sizeof job->where, "tcp %d", ntohs(a.sin_port));
    add_addresses(job, false);
    add_addresses(job, true);
    return SS_OK;
}

static int make_token(ss_job *job, ss_err *err)
{
    unsigned char secret[16];
    if (getrandom(secret, sizeof secret, 0) != (ssize_t)sizeof secret)
        return ss_fail(err, "no random numbers for a token: %s", strerror(errno));
    for (size_t i = 0; i < sizeof secret; i++)
        snprintf(job->token + 2 * i, 3, "%02x", secret[i]);
    return SS_OK;
}

/* A folder that nobody else can read, for the socket and the log. */
static int make_place(ss_job *job, ss_err *err)
{
    const char *tmp = getenv("TMPDIR");
    char path[160];
    snprintf(job->dir, sizeof job->dir, "%s/stencilscope-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(job->dir))
        return ss_fail(err, "a folder for the ranks' log: %s: %s", job->dir, strerror(errno));
    snprintf(path, sizeof path, "%s/ranks.log", job->dir);
    job->log = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (job->log < 0)
        return ss_fail(err, "%s: %s", path, strerror(errno));
    return (is_far(job) ? listen_tcp : listen_unix)(job, err);
}

static void remove_place(const ss_job *job, bool log)
{
    char path[160];
    snprintf(path, sizeof path, "%s/socket", job->dir);
    unlink(path);
    snprintf(path, sizeof path, "%s/ranks.log", job->dir);
    if (log)
        unlink(path);
    rmdir(job->dir);
}

/* The last line of the log that has words. */
static void last_words(const ss_job *job, char *buf, size_t size)
{
    char text[2048];
    off_t end = lseek(job->log, 0, SEEK_END), from = end > 2000 ? end - 2000 : 0;
    ssize_t n = pread(job->log, text, 2000, from);
    text[n > 0 ? n : 0] = '\0';
    *buf = '\0';
    char *rest = text;
    for (char *line; (line = strtok_r(rest, "\n", &rest)) != NULL;)
        if (strspn(line, "- ") != strlen(line))
            snprintf(buf, size, "%s", line);
    ss_text_safe(buf);
}

/* --- state ------------------------------------------------------------------------------------ */

static void set_lost(ss_job *job, const ss_err *why)
{
    pthread_mutex_lock(&job->lock);
    if (!job->lost)
        job->why = *why;
    job->lost = true;
    if (job->commands >= 0)
        shutdown(job->commands, SHUT_RDWR); /* the engine thread may wait for a reply */
    pthread_cond_broadcast(&job->changed);
    pthread_mutex_unlock(&job->lock);
}

static bool is_ending(ss_job *job)
{
    pthread_mutex_lock(&job->lock);
    bool ending = job->ending;
    pthread_mutex_unlock(&job->lock);
    return ending;
}

/* Has mpiexec ended? Then why says so. */
static bool has_ended(ss_job *job, ss_err *why)
{
    int status = 0;
    char words[160];
    if (job->pid <= 0 || waitpid(job->pid, &status, WNOHANG) != job->pid)
        return false;
    job->pid = 0;
    last_words(job, words, sizeof words);
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    ss_fail_outside(why, "the ranks have ended with status %d%s%.120s (%s/ranks.log)", code,
                    *words ? ": " : "", words, job->dir);
    return true;
}

/* --- the ranks dial --------------------------------------------------------------------------- */

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
    rank_link *r = &job->rank[h->rank];
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
        ss_wire_keep_alive(fd);
}

/* Waits a moment for callers and for what they say. */
static int attend(ss_job *job, callers *c, ss_err *err)
{
    if (poll(c->p, (nfds_t)c->n, POLL_MS) <= 0)
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
        if (is_ending(job))
            return ss_fail(err, "interrupted");
        if (attend(job, c, err) != SS_OK)
            return SS_FAIL;
        if (has_ended(job, err))
            return SS_FAIL;
        if (ss_clock() > until)
            return ss_fail_outside(err,
                                   "after %.0f s only %d of %d ranks have answered (%s/ranks.log)",
                                   START_SECONDS, job->arrived, job->setup.ranks, job->dir);
    }
    return SS_OK;
}

/* A rank that ends before it has spoken is seen here as the end of mpiexec. */
static int await_ranks(ss_job *job, ss_err *err)
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

/* --- the job's thread ------------------------------------------------------------------------- */

/* The end of a connection: the process has ended, or (true) the network is cut. */
static bool explain_end(const ss_job *job, int rank, ss_err *why)
{
    int error = 0;
    socklen_t size = sizeof error;
    char byte;
    getsockopt(job->rank[rank].fd, SOL_SOCKET, SO_ERROR, &error, &size);
    if (error == 0 && recv(job->rank[rank].fd, &byte, 1, MSG_DONTWAIT) < 0)
        error = errno;
    bool cut = error == ETIMEDOUT || error == EHOSTUNREACH || error == ENETUNREACH;
    ss_fail_outside(why,
                    cut ? "rank %d on %s does not answer: the network is cut or the machine is down"
                        : "rank %d on %s has ended",
                    rank, job->rank[rank].host);
    return cut;
}

/* Waits until the connection of a rank ends. True: the network is cut. */
static bool await_loss(const ss_job *job, struct pollfd *p, int milliseconds, ss_err *why)
{
    if (poll(p, (nfds_t)job->setup.ranks, milliseconds) <= 0)
        return false;
    for (int r = 0; r < job->setup.ranks; r++) {
        ss_err one;
        if (!p[r].revents)
            continue;
        p[r].fd = -1; /* poll ignores it */
        bool cut = explain_end(job, r, &one);
        if (cut || !why->text[0])
            *why = one;
        if (cut)
            return true;
    }
    return false;
}

/* Returns when a rank has gone, or when the job is to end. If machines are far, mpiexec may end the
 * near ranks before the connections to the others fail, which is the cause. */
static void watch(ss_job *job)
{
    struct pollfd *p = calloc((size_t)job->setup.ranks, sizeof *p);
    ss_err why = {0};
    for (int r = 0; p && r < job->setup.ranks; r++)
        p[r] = (struct pollfd){job->rank[r].fd, POLLIN | POLLRDHUP, 0};
    while (p && !why.text[0] && !is_ending(job))
        await_loss(job, p, 5 * POLL_MS, &why);
    double until = ss_clock() + (is_far(job) ? CUT_SECONDS : 0);
    while (p && why.text[0] && ss_clock() < until && !is_ending(job))
        if (await_loss(job, p, 5 * POLL_MS, &why))
            break;
    free(p);
    if (why.text[0] && !is_ending(job))
        set_lost(job, &why);
}

/* Waits for mpiexec. */
static bool await_end(ss_job *job, double seconds)
{
    double until = ss_clock() + seconds;
    while (job->pid > 0 && ss_clock() < until) {
        if (waitpid(job->pid, NULL, WNOHANG) != 0)
            job->pid = 0;
        else
            poll(NULL, 0, POLL_MS);
    }
    return job->pid == 0;
}

/* Ranks end when their connections do; mpiexec ends with them, or is ended. */
static void hang_up(ss_job *job, bool gently)
{
    pthread_mutex_lock(&job->lock);
    int commands = job->commands;
    pthread_mutex_unlock(&job->lock);
    if (commands >= 0)
        shutdown(commands, SHUT_RDWR);
    if (!gently || !await_end(job, END_SECONDS))
        for (int r = 0; r < job->setup.ranks; r++)
            if (job->rank[r].fd >= 0)
                shutdown(job->rank[r].fd, SHUT_RDWR);
    if (job->pid > 0 && !await_end(job, gently ? 0.2 : END_SECONDS)) {
        kill(-job->pid, SIGTERM);
        kill(job->pid, SIGTERM); /* the session is not there yet */
    }
    if (!await_end(job, KILL_SECONDS)) {
        kill(-job->pid, SIGKILL);
        await_end(job, KILL_SECONDS);
    }
}

static void free_job(ss_job *job)
{
    for (int r = 0; job->rank && r < job->setup.ranks; r++)
        if (job->rank[r].fd >= 0)
            close(job->rank[r].fd);
    if (job->commands >= 0)
        close(job->commands);
    if (job->listening >= 0)
        close(job->listening);
    if (job->log >= 0)
        close(job->log);
    pthread_mutex_destroy(&job->lock);
    pthread_cond_destroy(&job->changed);
    free(job->rank);
    free(job);
}

static void leave_list(ss_job *job)
{
    pthread_mutex_lock(&all_lock);
    for (ss_job **at = &all; *at; at = &(*at)->next)
        if (*at == job) {
            *at = job->next;
            break;
        }
    pthread_mutex_unlock(&all_lock);
}

/* The engine thread has let go of it. */
static void await_release(ss_job *job)
{
    pthread_mutex_lock(&job->lock);
    while (!job->ending)
        pthread_cond_wait(&job->changed, &job->lock);
    pthread_mutex_unlock(&job->lock);
}

static void *job_main(void *arg)
{
    ss_job *job = arg;
    ss_err err = {0};
    job->pid = ss_job_launch(&job->setup, job->where, job->token, job->log, &err);
    bool started = job->pid > 0 && await_ranks(job, &err) == SS_OK;
    if (started) {
        close(job->listening); /* nobody else may dial */
        job->listening = -1;
        pthread_mutex_lock(&job->lock);
        job->ready = true;
        pthread_cond_broadcast(&job->changed);
        pthread_mutex_unlock(&job->lock);
        watch(job);
    } else {
        set_lost(job, &err);
    }
    pthread_mutex_lock(&job->lock);
    bool gently = !job->lost;
    pthread_mutex_unlock(&job->lock);
    hang_up(job, gently);
    remove_place(job, started); /* the sentence of a failed start names the log */
    await_release(job);
    leave_list(job);
    free_job(job);
    return NULL;
}

/* At the end of the program: the threads of the jobs do now what they would do later. */
static void end_all(void)
{
    pthread_mutex_lock(&all_lock);
    for (ss_job *job = all; job; job = job->next)
        ss_job_end(job);
    pthread_mutex_unlock(&all_lock);
    for (double until = ss_clock() + END_SECONDS + KILL_SECONDS; ss_clock() < until;) {
        pthread_mutex_lock(&all_lock);
        bool none = !all;
        pthread_mutex_unlock(&all_lock);
        if (none)
            break;
        poll(NULL, 0, POLL_MS);
    }
}

static void end_with_program(void)
{
    atexit(end_all);
}

/* --- the engine thread ------------------------------------------------------------------------ */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* The job that was kept, if it has this setup and its ranks live. */
static ss_job *take_idle(const ss_job_setup *setup)
{
    pthread_mutex_lock(&all_lock);
    ss_job *job = idle;
    bool fits = job && job->setup.ranks == setup->ranks &&
                same_text(job->setup.hosts, setup->hosts) &&
                same_text(job->setup.launch, setup->launch);
    if (fits)
        idle = NULL;
    pthread_mutex_unlock(&all_lock);
    if (fits && ss_job_lost(job, NULL)) {
        ss_job_end(job);
        return NULL;
    }
    return fits ? job : NULL;
}

static ss_job *make_job(const ss_job_setup *setup, ss_err *err)
{
    ss_job *job = ss_alloc(sizeof *job, "a job", err);
    if (!job)
        return NULL;
    *job = (ss_job){.setup = *setup, .listening = -1, .log = -1, .commands = -1};
    pthread_mutex_init(&job->lock, NULL);
    pthread_cond_init(&job->changed, NULL);
    job->rank = ss_alloc((size_t)setup->ranks * sizeof *job->rank, "ranks", err);
    for (int r = 0; job->rank && r < setup->ranks; r++)
        job->rank[r].fd = -1;
    if (job->rank && make_token(job, err) == SS_OK) {
        if (make_place(job, err) == SS_OK)
            return job;
        remove_place(job, true);
    }
    free_job(job);
    return NULL;
}

static int await_ready(ss_job *job, const atomic_bool *abandon, ss_err *err)
{
    for (;;) {
        pthread_mutex_lock(&job->lock);
        bool ready = job->ready, lost = job->lost;
        if (lost && err)
            *err = job->why;
        pthread_mutex_unlock(&job->lock);
        if (ready || lost)
            return lost ? SS_FAIL : SS_OK;
        if (abandon && atomic_load(abandon))
            return ss_fail(err, "the start of the ranks was interrupted");
        poll(NULL, 0, POLL_MS);
    }
}

ss_job *ss_job_start(const ss_job_setup *setup, const atomic_bool *abandon, ss_err *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_t thread;
    ss_job *job = take_idle(setup);
    if (job)
        return job;
    pthread_once(&once, end_with_program);
    job = make_job(setup, err);
    if (!job)
        return NULL;
    pthread_mutex_lock(&all_lock);
    job->next = all;
    all = job;
    pthread_mutex_unlock(&all_lock);
    if (pthread_create(&thread, NULL, job_main, job) != 0) {
        ss_fail(err, "no thread can be started");
        leave_list(job);
        remove_place(job, true);
        free_job(job);
        return NULL;
    }
    pthread_detach(thread);
    if (await_ready(job, abandon, err) == SS_OK)
        return job;
    ss_job_end(job);
    return NULL;
}

void ss_job_end(ss_job *job)
{
    if (!job)
        return;
    pthread_mutex_lock(&job->lock);
    job->ending = true;
    pthread_cond_broadcast(&job->changed);
    pthread_mutex_unlock(&job->lock);
}

void ss_job_keep(ss_job *job)
{
    ss_job *before;
    if (ss_job_lost(job, NULL)) {
        ss_job_end(job);
        return;
    }
    pthread_mutex_lock(&all_lock);
    before = idle;
    idle = job;
    pthread_mutex_unlock(&all_lock);
    ss_job_end(before);
}

bool ss_job_lost(ss_job *job, ss_err *why)
{
    pthread_mutex_lock(&job->lock);
    bool lost = job->lost;
    if (lost && why)
        *why = job->why;
    pthread_mutex_unlock(&job->lock);
    return lost;
}

/* The connection has ended: its reason may need a moment. */
static int fail_lost(ss_job *job, ss_err *err)
{
    double until = ss_clock() + (is_far(job) ? CUT_SECONDS + 1 : 1);
    while (!ss_job_lost(job, err) && ss_clock() < until)
        poll(NULL, 0, POLL_MS);
    if (!ss_job_lost(job, err))
        ss_fail_outside(err, "rank 0 has closed its connection");
    return SS_FAIL;
}

/* Waits until the reply begins to arrive. */
static bool await_reply(ss_job *job, uint64_t number, const atomic_bool *stop)
{
    struct pollfd p = {job->commands, POLLIN, 0};
    bool told = false;
    for (;;) {
        int n = poll(&p, 1, stop && !told ? POLL_MS : 1000);
        if (n > 0)
            return true;
        if (n < 0 && errno != EINTR)
            return false;
        if (stop && !told && atomic_load_explicit(stop, memory_order_relaxed)) {
            ss_wire_write(job->rank[0].fd, &number, sizeof number);
            told = true;
        }
    }
}

int ss_job_call(ss_job *job, const ss_mpi_command *command, const void *payload,
                ss_mpi_reply *reply, void *out, size_t out_bytes, const atomic_bool *stop,
                ss_err *err)
{
    ss_mpi_command c = *command;
    c.number = ++job->number;
    if (ss_job_lost(job, err))
        return SS_FAIL;
    if (ss_wire_write(job->commands, &c, sizeof c) != SS_OK ||
        ss_wire_write(job->commands, payload, c.bytes) != SS_OK ||
        !await_reply(job, c.number, stop) ||
        ss_wire_read(job->commands, reply, sizeof *reply) != SS_OK || reply->bytes > out_bytes ||
        ss_wire_read(job->commands, out, reply->bytes) != SS_OK)
        return fail_lost(job, err);
    if (reply->status == SS_OK)
        return SS_OK;
    return ss_fail_outside(err, "%s", reply->text);
}
