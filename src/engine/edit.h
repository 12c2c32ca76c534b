/*
 * `kernel edit`: the user changes a copy of a kernel's file in an editor of his own. Each save is
 * tried in a process of its own (trial.h) while the run goes on; a text that has passed takes the
 * place of the program's own (ss_kernel_store.edit), and the shown run is prepared again with it,
 * its field kept. One file at a time. Engine thread only; see lane.h.
 */
#ifndef SS_EDIT_H
#define SS_EDIT_H

#include "src/engine/trial.h"
#include "src/snapshot/kernels.h"

struct ss_engine;
struct ss_cmd;

enum { SS_EDIT_RUN = 1024 };

/* Zeroed: nothing is edited. */
typedef struct ss_edit {
    const ss_backend *backend; /* whose kernel is edited; NULL: none is */
    char file[SS_KERNEL_FILE]; /* of the program */
    char path[SS_KERNEL_PATH]; /* of the copy */
    const char *own, *used;    /* the program's text, and the one in use; interned */
    uint64_t hash;             /* of what the copy held when it was read last */
    int64_t size, changed;     /* bytes and time stamp of the copy then */
    double next;               /* clock: when the copy is looked at again */
    ss_trial trial;
    char trying[SS_EDIT_RUN], tried[SS_EDIT_RUN]; /* the words of the run: now, and that passed */
    ss_trial_result passed;                       /* the last one that did */
    char failed[sizeof((ss_err *)0)->text];       /* why the last one did not; "": it did */
} ss_edit;

int ss_verb_kernel(struct ss_engine *e, const struct ss_cmd *cmd, ss_err *err);
/* Once per turn: looks at the file and at its trial, a few times per second. idle: seconds until
 * other work, 0 now, < 0 unknown; returns the same with this work. */
double ss_edit_turn(struct ss_engine *e, double idle);
/* What the page of kernels says of it. */
void ss_edit_publish(const ss_edit *ed, ss_kernels *out);
/* A run was loaded from a state: warns of cycles of an edited kernel. */
void ss_edit_loaded(struct ss_engine *e, const ss_run *run);
/* Kills a trial that is in progress. */
void ss_edit_free(ss_edit *ed);

#endif
