/*
 * Private to kernels/mpi, and for its tests: a job, what its two files share, and the backend's
 * state and functions.
 */
#ifndef SS_MPI_INNER_H
#define SS_MPI_INNER_H

#include <pthread.h>
#include <stdatomic.h>

#include "kernels/mpi/wire.h"

/* --- a job ------------------------------------------------------------------------------------ */

/*
 * The ranks of one run, their mpiexec and the connections to them. A thread of its own starts
 * mpiexec, in a session of its own and with its words in a log file, accepts the ranks, and then
 * waits for the end of any of them. It ends the job with the program, and the ranks end themselves
 * if it cannot. Functions: engine thread.
 */
typedef struct ss_job ss_job;

typedef struct ss_job_setup {
    int ranks;
    const char *hosts, *launch; /* interned, or NULL */
} ss_job_setup;

/* The rank program beside this one. SS_FAIL: there is none, err says why. */
int ss_job_program(char *path, size_t size, ss_err *err);
/* Starts the ranks and waits until all have dialled, or takes an idle job with this setup. NULL:
 * err says why. abandon: gives up when it is set; may be NULL. */
ss_job *ss_job_start(const ss_job_setup *setup, const atomic_bool *abandon, ss_err *err);
/* Ends the job in the background. */
void ss_job_end(ss_job *job);
/* Keeps the job for the next ss_job_start with its setup; ends the job kept before. */
void ss_job_keep(ss_job *job);
/* Has it failed for good? */
bool ss_job_lost(ss_job *job, ss_err *why);
/* All jobs are lost from now on: calls in progress return. Any thread. */
void ss_job_let_go(void);

/* Sends a command and waits for its reply, as long as the ranks live; 1 s for that to CLOSE.
 * payload: command->bytes. out: the reply's payload, which
 * must have out_bytes, or at most out_bytes if `most`. stop: while the ranks compute, tells them
 * when it is set; may be NULL. */
int ss_job_call(ss_job *job, const ss_mpi_command *command, const void *payload,
                ss_mpi_reply *reply, void *out, size_t out_bytes, const atomic_bool *stop,
                ss_err *err);

/* --- what job.c and start.c share ------------------------------------------------------------- */

/* Fields of ss_job below `lock` are guarded by it; atomic ones are read without it. */

#define SS_JOB_POLL_MS 20

typedef struct ss_rank_link {
    int fd; /* the watched connection; -1: not dialled yet */
    char host[64];
    double silent; /* seconds since its last beat; guarded by the job's lock */
} ss_rank_link;

struct ss_job {
    ss_job_setup setup;
    char log_path[160], where[512], token[33];
    int listening, log, pid; /* the job's thread; pid 0: not started, or waited for */
    ss_rank_link *rank;      /* setup.ranks */
    int arrived;             /* connections */
    uint64_t number;         /* of the last step; engine thread */

    pthread_mutex_t lock;
    pthread_cond_t changed;
    int commands;       /* rank 0's connection; -1: none yet */
    atomic_bool ready;  /* all ranks have dialled */
    atomic_bool lost;   /* failed for good: why */
    bool hung;          /* lost, and its processes may not end by themselves */
    atomic_bool ending; /* the engine thread does not use it any more */
    ss_err why;
    struct ss_job *next; /* in the list of all jobs, guarded by all_lock */
};

/* --- start.c: the job's thread, and the engine thread before it begins ------------------------ */

/* May ranks be on other machines? */
bool ss_job_is_far(const ss_job *job);
int ss_job_make_token(ss_job *job, ss_err *err);
/* A socket that listens: `where` says at which addresses. */
int ss_job_listen(ss_job *job, ss_err *err);
/* A file that nobody else can read. It loses its name once all ranks have dialled, and is kept if
 * they do not. */
int ss_job_open_log(ss_job *job, ss_err *err);
/* The first words of a text that say something; changes the text. */
void ss_job_first_words(char *text, char *buf, size_t size);

/* Until every rank has dialled and said who it is. */
int ss_job_await_ranks(ss_job *job, ss_err *err);

/* Starts mpiexec, or what `launch` says. where, token: for the ranks. log: a file for its words.
 * Returns its process group; -1: err. The process ends with the calling thread. */
int ss_job_launch(const ss_job_setup *setup, const char *where, const char *token, int log,
                  ss_err *err);
/* Kills all processes of this machine in the session that ss_job_launch has begun, stopped ones
 * too. Ranks have process groups of their own. */
void ss_job_kill(int session);

/* --- the backend: engine thread --------------------------------------------------------------- */

typedef struct ss_mpi_state {
    ss_job *job;
    ss_box box;   /* the field's extent */
    char *config; /* as text, as the ranks know it */
    char *areas;  /* fetched for a picture; NULL: none */
} ss_mpi_state;

static inline ss_mpi_state *ss_mpi_of(const ss_run *run)
{
    return run->state;
}

int ss_mpi_probe(ss_err *err);
int ss_mpi_check(ss_config *cfg, ss_err *err);
bool ss_mpi_lost(const ss_run *run, ss_err *why);
void ss_mpi_describe(const ss_config *cfg, char *buf, size_t size);
int ss_mpi_open(ss_run *run, ss_err *err);
void ss_mpi_close(ss_run *run);
int ss_mpi_reset(ss_run *run, ss_err *err);
int ss_mpi_upload(ss_run *run, int which, int field, int k, int j0, int j1, const void *rows,
                  ss_err *err);
int ss_mpi_download(ss_run *run, int which, int field, int k, int j0, int j1, void *rows,
                    ss_err *err);
int ss_mpi_write(ss_run *run, const char *path, int64_t at, ss_err *err);
int ss_mpi_sample(ss_run *run, const ss_view *view, ss_picture *out, ss_err *err);
int ss_mpi_reduce(ss_run *run, double *residual, const double *ref, double *max_error, ss_err *err);

int ss_mpi_prepare(ss_run *run, ss_err *err);
void ss_mpi_release(ss_run *run);
int ss_mpi_step(ss_run *run, int64_t cycles, ss_err *err);
int ss_mpi_finish(ss_run *run, int64_t steps, ss_err *err);

#endif
