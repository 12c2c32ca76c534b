/*
 * Private to kernels/mpi: the backend's state. Engine thread.
 */
#ifndef SS_MPI_STATE_H
#define SS_MPI_STATE_H

#include "kernels/mpi/job.h"

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

/* The points of a box of a field, dense with nx values per row, from the ranks or to them (PUT), in
 * pieces. */
int ss_mpi_get(ss_run *run, int which, int field, const ss_part_box *box, void *data, ss_err *err);

#endif
