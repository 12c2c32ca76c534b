/*
 * Clocks of P modelled ranks (the LogGP model). A rank's clock advances by its work and by the
 * overhead `o` of each message that it sends or receives. A message leaves when its sender's link
 * is free, occupies the link for bytes/rate, and arrives `latency` later; a receive raises the
 * receiver's clock to the arrival. Nothing sleeps. Source: Alexandrov, Ionescu, Schauser, Scheiman,
 * LogGP; the stamps on messages follow Lamport. Pure data and functions; no thread of its own.
 */
#ifndef SS_RANKS_CLOCK_H
#define SS_RANKS_CLOCK_H

#include "src/ranks/plan.h"

typedef struct ss_ranks_link {
    double latency;  /* L, seconds */
    double overhead; /* o, seconds of the processor per message sent or received */
    double rate;     /* bytes per second; 0: no limit */
    bool hide;       /* computation overlaps communication */
} ss_ranks_link;

/* --- the trace of the last cycle -------------------------------------------------------------- */

typedef enum ss_ranks_kind {
    SS_RANKS_WORKS,
    SS_RANKS_CALLS, /* sends or receives: the overhead o */
    SS_RANKS_WAITS,
    SS_RANKS_REDUCES, /* a residual check: a reduction over all ranks */
    SS_NRANKS_KIND
} ss_ranks_kind;

typedef struct ss_ranks_span {
    double from, to; /* seconds of virtual time */
    uint8_t rank, kind;
} ss_ranks_span;

typedef struct ss_ranks_arrow {
    double sent, arrived;
    uint8_t from, to;
} ss_ranks_arrow;

enum { SS_RANKS_SPANS = 1536, SS_RANKS_ARROWS = SS_RANKS_MESSAGES };

typedef struct ss_ranks_trace {
    double from, to; /* the cycle, from the first rank's start to the last one's end */
    int nspan, narrow;
    ss_ranks_span span[SS_RANKS_SPANS];
    ss_ranks_arrow arrow[SS_RANKS_ARROWS];
} ss_ranks_trace;

/* --- the clocks ------------------------------------------------------------------------------- */

typedef struct ss_ranks_clock {
    int count;
    double now[SS_RANKS_MAX];        /* virtual seconds */
    double link_free[SS_RANKS_MAX];  /* its link has sent the last message */
    double stamp[SS_RANKS_MESSAGES]; /* arrival of each message of the plan */
    double waited;                   /* seconds, summed over the ranks; reductions included */
    ss_ranks_trace trace[2];         /* of the last two cycles; [0] is the later one */
} ss_ranks_clock;

/* All clocks at 0. Messages that the plan receives before it sends them leave now. */
void ss_ranks_start(ss_ranks_clock *c, const ss_ranks_plan *p, const ss_ranks_link *link);
/* A plan follows another one on the same clocks, between two cycles. */
void ss_ranks_follow(ss_ranks_clock *c, const ss_ranks_plan *p, const ss_ranks_link *link);
/* One cycle. seconds: the work of each rank in it. record: keep its trace. */
void ss_ranks_cycle(ss_ranks_clock *c, const ss_ranks_plan *p, const ss_ranks_link *link,
                    const double *seconds, bool record);
/* A reduction over all ranks, of which all wait for the result: ceil(log2 P) (L + 2 o) after the
 * last one has come. */
void ss_ranks_reduce(ss_ranks_clock *c, const ss_ranks_link *link, bool record);
double ss_ranks_reduction(const ss_ranks_link *link, int count);
/* The latest of the clocks. */
double ss_ranks_now(const ss_ranks_clock *c);

/* The model's formula: seconds per cycle of the rank that takes longest if all ranks kept pace with
 * it. For each exchange max(work while its messages travel, L + bytes/rate), the other work, and o
 * for each message. seconds: as above. */
double ss_ranks_formula(const ss_ranks_plan *p, const ss_ranks_link *link, const double *seconds);

/* --- figures ---------------------------------------------------------------------------------- */

/* What the clocks have shown, for reports and panels. Plain data. */

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
