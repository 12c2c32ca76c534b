/*
 * Going on after the device of a run is lost. A sticky error takes the fields on a GPU with it;
 * what is left is the start of the run, which can be computed again, and a copy of the field that
 * is taken now and then at a bounded cost. From the later of the two the run goes on on another
 * backend. Engine thread (tests call it from their one thread).
 */
#ifndef SS_CHECKPOINT_H
#define SS_CHECKPOINT_H

#include "src/core/run.h"

/* Between two steps: copies the field to the host if that is due, for backends that can be lost.
 * It costs at most a hundredth of the time and is never done more often than every few seconds. */
void ss_checkpoint_consider(ss_run *run);
/* Copies it now; false if there is no memory for it, or the device has gone. */
bool ss_checkpoint_take(ss_run *run);
/* The run starts again: an earlier copy is none of its states. */
void ss_checkpoint_forget(ss_run *run);

/* The whole field on the host, dense, in the run's precision: a copy (free it), and back. NULL: no
 * memory for it, or the device has gone. */
size_t ss_field_bytes(const ss_run *run);
char *ss_field_download(ss_run *run);
int ss_field_upload(ss_run *run, const char *field, ss_err *err);
/* Bytes of memory on the host, and what bounds them: see ss_backend. */
double ss_host_memory(char *what, size_t size);
/* The numbers of a run are again those of a copy of it, made before: cycles, ledger, residuals. Its
 * clocks, its history and its limits stay as they are. */
void ss_run_return(ss_run *run, const ss_run *then);

/* What `cfg` becomes on the first other backend in the order of the table that is there and runs
 * it, with the solver that does the same there if its own does not. On SS_FAIL there is none. */
int ss_refuge(const ss_config *cfg, const ss_backend *lost, const ss_engine_ops *ops,
              ss_config *out, ss_err *err);
/* Opens what could not be opened because its device has gone; NULL, and err as it was, if it is
 * something else, or there is nowhere to go. */
ss_run *ss_refuge_open(const ss_config *cfg, const char *load, const char *rhs, ss_err *err);
/* Opens the run again there, from the last copy or the start, keeping its history up to that cycle,
 * its clocks and u*. Its sentence, "WHY: going on on ... from cycle N", is in run->rescued. On
 * failure the run is as before. */
int ss_run_rescue(ss_run *run, const ss_err *why, ss_err *err);

#endif
