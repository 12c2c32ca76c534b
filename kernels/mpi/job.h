/*
 * A job: the ranks of one run, their mpiexec and the connections to them. A thread of its own
 * starts mpiexec, in a session of its own and with its words in a log file, accepts the ranks, and
 * then waits for the end of any of them. It ends the job with the program, and the ranks end
 * themselves if it cannot. Functions: engine thread.
 */
#ifndef SS_MPI_JOB_H
#define SS_MPI_JOB_H

#include <stdatomic.h>

#include "kernels/mpi/wire.h"

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

/* --- launch.c --------------------------------------------------------------------------------- */

/* Starts mpiexec, or what `launch` says. where, token: for the ranks. log: a file for its words.
 * Returns its process group; -1: err. The process ends with the calling thread. */
int ss_job_launch(const ss_job_setup *setup, const char *where, const char *token, int log,
                  ss_err *err);
/* Kills all processes of this machine in the session that ss_job_launch has begun, stopped ones
 * too. Ranks have process groups of their own. */
void ss_job_kill(int session);

#endif
