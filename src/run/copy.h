/*
 * Copies of a run's state in host memory: to return to it, to continue elsewhere, to compare.
 * Engine thread (tests call it from their one thread).
 */
#ifndef SS_COPY_H
#define SS_COPY_H

#include "src/core/run.h"

/* --- fields ----------------------------------------------------------------------------------- */

/* The whole field, dense, in the run's precision: to the host (free the copy) and back. NULL: out
 * of memory, or the device is lost. Behind the field the copy has what else the solver's next cycle
 * needs (ss_engine_ops.memory); a run with other engine ops takes only the field. */
size_t ss_field_bytes(const ss_run *run);
/* The size of such a copy. */
size_t ss_copy_bytes(const ss_run *run);
char *ss_field_download(ss_run *run);
/* The same without what the next cycle needs. which: as in ss_backend; 2: the field that the last
 * cycle started from, while run->start_kept is set. */
char *ss_field_copy(ss_run *run, int which, ss_err *err);
int ss_field_upload(ss_run *run, const char *field, ss_err *err);
/* Have the fields of two runs of one shape and precision the same bits? False: out of memory, or a
 * device is lost. */
bool ss_fields_compare(ss_run *a, ss_run *b, bool *equal);
/* Planes [k, k + planes) of the first field, or of the right-hand side (which: as above), as dense
 * doubles. */
int ss_run_doubles(ss_run *run, int which, int k, int planes, double *out, ss_err *err);
/* Bytes of host memory, and in `what` their limit in words: see memory in ss_backend. */
double ss_host_memory(char *what, size_t size);
/* A number for the equation, the solver and the values of the solver's rows. What a cycle hands on
 * to the next one (ss_engine_ops.memory) is valid only where it is the same: the search directions
 * of one variant of CG mean nothing to another. Other rows (threads, stores, checks) do not count.
 * It is the same in every process. */
uint64_t ss_run_method(const ss_config *cfg);

/* --- states ----------------------------------------------------------------------------------- */

typedef struct ss_run_copy {
    char *field; /* NULL: there is none */
    ss_run then; /* the run at that moment: numbers and settings only, its pointers are invalid */
} ss_run_copy;

/* Replaces a copy by the present state. False: it stays, as there is no memory, or no device. */
bool ss_copy_take(ss_run *run, ss_run_copy *out);
/* The field and the counters of a copy: cycles, ledger, residuals. The run's clocks, its history
 * and its limits do not change. */
int ss_copy_put(ss_run *run, const ss_run_copy *c, ss_err *err);
/* The same, and the run goes on as it would have gone on then: its status, its reduction factors.
 */
int ss_copy_resume(ss_run *run, const ss_run_copy *c, ss_err *err);
/* Frees *c, which may be NULL, and sets it to NULL. */
void ss_copy_free(ss_run_copy **c);
/* The counters alone. */
void ss_run_return(ss_run *run, const ss_run *then);

/* The copy with which a run continues if its device is lost (checkpoint.h). */
struct ss_checkpoint {
    double last, cost; /* clock when it was opened or last taken; seconds that one takes */
    bool hopeless;     /* no other backend runs this, or no memory for a copy */
    ss_run_copy copy;
};

/* Frees it: the run starts again, and the copy is none of its states. */
void ss_checkpoint_forget(ss_run *run);

#endif
