/* What the files of a job share: job.c (its life), place.c (its folder, address and log), dial.c
 * (the ranks' first words). Fields of ss_job below `lock` are guarded by it. */
#ifndef SS_MPI_JOB_INNER_H
#define SS_MPI_JOB_INNER_H

#include <pthread.h>

#include "kernels/mpi/job.h"

#define SS_JOB_POLL_MS 20

typedef struct ss_rank_link {
    int fd; /* the watched connection; -1: not dialled yet */
    char host[64];
    double silent; /* seconds since its last beat; guarded by the job's lock */
} ss_rank_link;

struct ss_job {
    ss_job_setup setup;
    char dir[96], where[512], token[33];
    int folder;              /* dir, locked as long as this program uses it */
    int listening, log, pid; /* the job's thread; pid 0: not started, or waited for */
    ss_rank_link *rank;      /* setup.ranks */
    int arrived;             /* connections */
    uint64_t number;         /* of the last step; engine thread */

    pthread_mutex_t lock;
    pthread_cond_t changed;
    int commands; /* rank 0's connection; -1: none yet */
    bool ready;   /* all ranks have dialled */
    bool lost;    /* failed for good: why */
    bool hung;    /* lost, and its processes may not end by themselves */
    bool ending;  /* the engine thread does not use it any more */
    bool done;    /* its thread has ended */
    ss_err why;
    struct ss_job *next; /* in the list of all jobs, guarded by all_lock */
};

/* --- place.c: the job's thread, and the engine thread before it begins
 * ---------------------------- */

/* May ranks be on other machines? */
bool ss_job_is_far(const ss_job *job);
int ss_job_make_token(ss_job *job, ss_err *err);
/* A folder that nobody else can read, with the log, and a socket that listens. Removes folders that
 * programs have left behind which were killed, or whose ranks did not start. */
int ss_job_make_place(ss_job *job, ss_err *err);
void ss_job_remove_place(const ss_job *job, bool log);
/* The first words of the log that say something. */
void ss_job_words(const ss_job *job, char *buf, size_t size);
/* The same of a text, which it changes. */
void ss_job_first_words(char *text, char *buf, size_t size);

/* --- job.c: the job's thread
 * ---------------------------------------------------------------------- */

bool ss_job_is_ending(ss_job *job);
/* Has mpiexec ended? Then why says so. */
bool ss_job_has_ended(ss_job *job, ss_err *why);

/* --- dial.c: the job's thread
 * --------------------------------------------------------------------- */

/* Until every rank has dialled and said who it is. */
int ss_job_await_ranks(ss_job *job, ss_err *err);

#endif
