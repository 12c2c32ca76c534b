/* What the clocks of modelled ranks have shown, for reports and panels. Plain data. */
#ifndef SS_RANKS_FIGURES_H
#define SS_RANKS_FIGURES_H

#include "src/ranks/clock.h"

typedef struct ss_ranks_figures {
    int count, columns, rows; /* count 0: the run has no modelled ranks */
    ss_ranks_link link;
    bool modelled; /* the work is modelled too: the ledger's time */
    /* Seconds per iteration or time step, means since the last change: of virtual time, of the
     * formula with the measured work; and of the busiest rank's work. */
    double measured, formula, work;
    double waiting;            /* share of the ranks' time, 0..1 */
    double messages, bytes;    /* per iteration or time step, of all ranks */
    double checks;             /* reductions for residual checks per iteration */
    char words[96], where[96]; /* the formula, and its symbols */
    double levels; /* of work between two exchanges; from `enough` on, they hide the messages */
    double enough;
    int block; /* the smallest block of the swept rule that hides them; 0: none, or no swept rule */
} ss_ranks_figures;

/* "modelled waits, measured work" */
const char *ss_ranks_clock_name(bool modelled_work);

#endif
