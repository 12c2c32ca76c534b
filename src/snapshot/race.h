/*
 * A race: two to four runs of one problem, side by side. Whose turn it is, how far it may go, and
 * who came in when, by one of four measures. Pure functions, any thread; the engine (race.c)
 * and the race without a screen (race_bare.c) take the turns.
 */
#ifndef SS_RACE_H
#define SS_RACE_H

#include "src/core/history.h"
#include "src/core/param.h"

#define SS_RACE_MAX 4

/* What the runs keep step by, and are ranked by: the axes of the residual plot, in their order. */
typedef enum ss_measure {
    SS_BY_CYCLES,
    SS_BY_ITERATIONS,
    SS_BY_SECONDS,
    SS_BY_BYTES,
    SS_NMEASURE
} ss_measure;

extern const char *const ss_measure_names[SS_NMEASURE + 1];

double ss_measure_of(ss_measure by, const ss_point *p);

/* Where a run stands, by the measure of the race. */
typedef struct ss_stand {
    double at, cycle; /* how far it is; how far one more cycle takes it */
    bool going;
} ss_stand;

/* The one furthest behind of those that are going; -1: none is. */
int ss_race_turn(const ss_stand *s, int n);
/* How many cycles that one may do, 1 to `most`: so many that it is not more than `lead` ahead of
 * the next one. */
int64_t ss_race_cycles(const ss_stand *s, int n, int turn, double lead, int64_t most);
/* Who has come in: at the tolerance; if nobody has, at a limit that was asked for. */
void ss_race_finished(const ss_status *status, int n, bool *finished);
/* Places by a measure, from 1, equal ones share theirs; 0 for who has not finished. */
void ss_race_places(const double *value, const bool *finished, int n, int *place);

/* Are these the same problem, and have they the same goal? Else one sentence. */
int ss_race_alike(const ss_config *a, const ss_config *b, ss_err *err);
/* "shared k 16 overlap 4": the solver and what of it was given. */
const char *ss_race_label(const ss_config *cfg, char *buf, size_t size);
/* The same for a run among others: also what they differ in that is no solver's, "shared f32". */
const char *ss_race_label_among(const ss_config *const *all, int n, int own, char *buf,
                                size_t size);
/* The command line of a run as a command: "add poisson2d shared n=256 k=16". */
const char *ss_race_command(const ss_config *cfg, char *buf, size_t size);

/* Runs of a command line, checked: all of one problem. */
typedef struct ss_lineup {
    ss_config cfg[SS_RACE_MAX];
    int n;
} ss_lineup;

struct ss_run;

/* What became of the runs: the table, and JSON where --json says ("-": instead of it). Without a
 * clock there are no seconds, and nothing that follows from them. Returns the exit status. */
int ss_race_publish(struct ss_run *const *run, int n, bool clock, ss_err *err);
/* Without a screen: every run to its limit, then what became of them. Returns the exit status. */
int ss_race_bare(const ss_lineup *race, ss_err *err);

#endif
