/* The life of a job: see inner.h. */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/mpi/inner.h"

#define END_SECONDS 1.5     /* for mpiexec to end by itself */
#define KILL_SECONDS 0.7    /* after SIGTERM */
#define CUT_SECONDS 4.0     /* between the first signs of a cut network */
#define SILENT_SECONDS 10.0 /* without a beat: the rank hangs */
#define CLOSE_SECONDS 1.0
#define WATCH_MS (5 * SS_JOB_POLL_MS)

/* All jobs whose thread runs, for the end of the program; and one that nobody uses at present. */
static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;
static ss_job *all, *idle;

/* --- state ------------------------------------------------------------------------------------ */

static void set_lost(ss_job *job, const ss_err *why, bool hung)
{
    pthread_mutex_lock(&job->lock);
    if (!job->lost) {
        job->why = *why;
        job->hung = hung;
    }
    job->lost = true;
    if (job->commands >= 0)
        shutdown(job->commands, SHUT_RDWR); /* the engine thread may wait for a reply */
    pthread_cond_broadcast(&job->changed);
    pthread_mutex_unlock(&job->lock);
}

/* Is there nothing to watch any more? */
static bool is_over(ss_job *job)
{
    return job->ending || job->lost;
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

/* Reads the beats of a rank. False: its connection has ended. */
static bool hear(ss_job *job, int rank, int events)
{
    char beats[64];
    if (events & ~POLLIN || recv(job->rank[rank].fd, beats, sizeof beats, MSG_DONTWAIT) <= 0)
        return false;
    pthread_mutex_lock(&job->lock);
    job->rank[rank].silent = 0;
    pthread_mutex_unlock(&job->lock);
    return true;
}

/* Waits until the connection of a rank ends. True: the network is cut. */
static bool await_loss(ss_job *job, struct pollfd *p, int milliseconds, ss_err *why)
{
    if (poll(p, (nfds_t)job->setup.ranks, milliseconds) <= 0)
        return false;
    for (int r = 0; r < job->setup.ranks; r++) {
        ss_err one;
        if (!p[r].revents || hear(job, r, p[r].revents))
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

/* Has a rank been silent for so long? Then why names the one that is so the longest. */
static bool is_silent(ss_job *job, double seconds, ss_err *why)
{
    int worst = 0;
    pthread_mutex_lock(&job->lock);
    for (int r = 1; r < job->setup.ranks; r++)
        if (job->rank[r].silent > job->rank[worst].silent)
            worst = r;
    double silent = job->rank[worst].silent;
    pthread_mutex_unlock(&job->lock);
    if (silent >= seconds)
        ss_fail_outside(why, "rank %d on %s has been silent for %.0f s: it is stopped or hangs",
                        worst, job->rank[worst].host, silent);
    return silent >= seconds;
}

/* Only the time in which this thread runs counts: neither a sleep of the machine nor one of this
 * program makes ranks silent. */
static void count_silence(ss_job *job, double since)
{
    double most = 2e-3 * WATCH_MS, seconds = ss_clock() - since;
    pthread_mutex_lock(&job->lock);
    for (int r = 0; r < job->setup.ranks; r++)
        job->rank[r].silent += seconds < most ? seconds : most;
    pthread_mutex_unlock(&job->lock);
}

/* Returns when a rank has gone or hangs, or when the job is to end. If machines are far, mpiexec
 * may end the near ranks before the connections to the others fail, which is the cause. */
static void watch(ss_job *job)
{
    struct pollfd *p = calloc((size_t)job->setup.ranks, sizeof *p);
    ss_err why = {0};
    bool hung = false;
    for (int r = 0; p && r < job->setup.ranks; r++)
        p[r] = (struct pollfd){job->rank[r].fd, POLLIN | POLLRDHUP, 0};
    while (p && !why.text[0] && !is_over(job)) {
        double since = ss_clock();
        await_loss(job, p, WATCH_MS, &why);
        count_silence(job, since);
        hung = !why.text[0] && is_silent(job, SILENT_SECONDS, &why);
    }
    double until = ss_clock() + (ss_job_is_far(job) && !hung ? CUT_SECONDS : 0);
    while (p && why.text[0] && ss_clock() < until && !is_over(job))
        if (await_loss(job, p, WATCH_MS, &why))
            break;
    free(p);
    if (why.text[0] && !job->ending)
        set_lost(job, &why, hung);
}

/* Waits for mpiexec. */
static bool await_end(ss_job *job, double seconds)
{
    double until = ss_clock() + seconds;
    while (job->pid > 0 && ss_clock() < until) {
        if (waitpid(job->pid, NULL, WNOHANG) != 0)
            job->pid = 0;
        else
            poll(NULL, 0, SS_JOB_POLL_MS);
    }
    return job->pid == 0;
}

/* Ranks end when their connections do; mpiexec ends with them, or is ended. */
static void hang_up(ss_job *job)
{
    pthread_mutex_lock(&job->lock);
    int commands = job->commands;
    bool gently = !job->lost, hung = job->hung;
    pthread_mutex_unlock(&job->lock);
    if (hung && job->pid > 0)
        ss_job_kill(job->pid);
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
        ss_job_kill(job->pid);
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
    bool started = job->pid > 0 && ss_job_await_ranks(job, &err) == SS_OK;
    if (started || job->ending) /* the sentence of a failed start names the log */
        unlink(job->log_path);
    if (started) {
        close(job->listening); /* nobody else may dial */
        job->listening = -1;
        job->ready = true;
        watch(job);
    } else {
        set_lost(job, &err, false);
    }
    hang_up(job);
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
    for (double until = ss_clock() + END_SECONDS + 2 * KILL_SECONDS; ss_clock() < until;) {
        pthread_mutex_lock(&all_lock);
        bool none = !all;
        pthread_mutex_unlock(&all_lock);
        if (none)
            break;
        poll(NULL, 0, SS_JOB_POLL_MS);
    }
}

void ss_job_let_go(void)
{
    pthread_mutex_lock(&all_lock);
    for (ss_job *job = all; job; job = job->next) {
        ss_err why;
        ss_fail_outside(&why, "the ranks did not stop when they were told to");
        is_silent(job, 2e-3 * SS_MPI_BEAT_MS, &why);
        set_lost(job, &why, true);
    }
    pthread_mutex_unlock(&all_lock);
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
    if (job->rank && ss_job_make_token(job, err) == SS_OK && ss_job_listen(job, err) == SS_OK &&
        ss_job_open_log(job, err) == SS_OK)
        return job;
    free_job(job);
    return NULL;
}

static int await_ready(ss_job *job, const atomic_bool *abandon, ss_err *err)
{
    while (!job->ready) {
        if (ss_job_lost(job, err))
            return SS_FAIL;
        if (abandon && atomic_load(abandon))
            return ss_fail(err, "the start of the ranks was interrupted");
        poll(NULL, 0, SS_JOB_POLL_MS);
    }
    return ss_job_lost(job, err) ? SS_FAIL : SS_OK;
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
        unlink(job->log_path);
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
    double until = ss_clock() + (ss_job_is_far(job) ? CUT_SECONDS + 1 : 1);
    while (!ss_job_lost(job, err) && ss_clock() < until)
        poll(NULL, 0, SS_JOB_POLL_MS);
    if (!ss_job_lost(job, err))
        ss_fail_outside(err, "rank 0 has closed its connection");
    return SS_FAIL;
}

/* Waits until the reply begins to arrive. The job's thread ends the connection of a job whose
 * ranks have gone or hang; this gives up after so many seconds. */
static bool await_reply(ss_job *job, uint64_t number, const atomic_bool *stop, double seconds)
{
    struct pollfd p = {job->commands, POLLIN, 0};
    bool told = false;
    for (double until = ss_clock() + seconds; ss_clock() < until;) {
        int n = poll(&p, 1, stop && !told ? SS_JOB_POLL_MS : 1000);
        if (n > 0)
            return true;
        if (n < 0 && errno != EINTR)
            return false;
        if (stop && !told && atomic_load_explicit(stop, memory_order_relaxed)) {
            ss_wire_write(job->rank[0].fd, &number, sizeof number);
            told = true;
        }
    }
    ss_err why;
    ss_fail_outside(&why, "the ranks have not answered for %.0f s", seconds);
    set_lost(job, &why, true);
    return false;
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
        !await_reply(job, c.number, stop, c.verb == SS_MPI_CLOSE ? CLOSE_SECONDS : HUGE_VAL) ||
        ss_wire_read(job->commands, reply, sizeof *reply) != SS_OK || reply->bytes > out_bytes ||
        ss_wire_read(job->commands, out, reply->bytes) != SS_OK)
        return fail_lost(job, err);
    if (reply->status == SS_OK)
        return SS_OK;
    return ss_fail_outside(err, "%s", reply->text);
}
