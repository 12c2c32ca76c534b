/* A race of two to six runs of one problem: whose turn it is, how far that run may advance, and
 * the ranking, by one of seven measures. Pure functions, any thread; the engine (race.c) and the
 * race without a front end (src/app/race.c) advance the runs. */
#ifndef SS_RACE_H
#define SS_RACE_H

#include "src/core/history.h"
#include "src/core/param.h"

#define SS_RACE_MAX 6
#define SS_RACE_PICTURES 4 /* shown at once; the other runs are curves */

/* The measure by which the runs are kept level; the first ones also rank them and are axes of the
 * residual plot. */
typedef enum ss_measure {
    SS_BY_CYCLES,
    SS_BY_ITERATIONS,
    SS_BY_SWEEPS, /* of the finest grid: ss_point.work */
    SS_BY_SECONDS,
    SS_BY_BYTES,
    SS_BY_REDUCTIONS,
    SS_BY_TIME, /* simulated: transient equations */
    SS_NMEASURE,
    SS_NRANKED = SS_BY_TIME
} ss_measure;

extern const char *const ss_measure_names[SS_NMEASURE + 1];

double ss_measure_of(ss_measure by, const ss_point *p);
/* The measure of a race until another one is chosen. */
ss_measure ss_race_usual(ss_kind kind);
/* The simulated time at which a race of transient runs without another limit ends: whole cycles of
 * the run with the longest ones. 0: it has a limit, or is steady. */
double ss_race_end(const ss_config *const *cfg, int n);

/* The position of a run by the measure of the race. */
typedef struct ss_stand {
    double at, cycle; /* its position; the advance by one more cycle */
    bool going;
} ss_stand;

/* The running one with the smallest position; -1: none is running. */
int ss_race_turn(const ss_stand *s, int n);
/* The number of cycles that run `turn` may do, 1 to `most`, so that it leads the next run by at
 * most `lead`. */
int64_t ss_race_cycles(const ss_stand *s, int n, int turn, double lead, int64_t most);
/* Which runs have finished: at the tolerance, or, if no run has reached it, at a given limit. */
void ss_race_finished(const ss_status *status, int n, bool *finished);
/* Do all runs stand at one simulated time? Costs of transient runs can be compared only then. */
bool ss_race_level(const double *time, int n);
/* Places by a measure, from 1; equal runs share a place; 0: not finished. */
void ss_race_places(const double *value, const bool *finished, int n, int *place);

/* The number of pictures of a race of n runs. */
int ss_race_pictures(int n);
/* The run that has the picture at `place`, from 0: the first runs in order. A later run has the
 * last place while it is selected. */
int ss_race_pictured(int place, int selected);
/* Has a run a picture while `selected` is the selected one? Lines of 1D runs share one chart, where
 * all of them have room. */
bool ss_race_has_picture(int run, int selected, int dim);

/* Do the configs describe the same problem and the same goal? If not, err has a sentence. */
int ss_race_alike(const ss_config *a, const ss_config *b, ss_err *err);
/* "shared k 16 overlap 4": the solver and its given parameters. */
const char *ss_race_label(const ss_config *cfg, char *buf, size_t size);
/* The same, with the common settings in which the runs differ: "shared f32". Runs that are equal in
 * everything are numbered: "shared (1)", "shared (2)". */
const char *ss_race_label_among(const ss_config *const *all, int n, int own, char *buf,
                                size_t size);
/* The run as a command: "add poisson2d shared n=256 k=16". */
const char *ss_race_command(const ss_config *cfg, char *buf, size_t size);

/* The runs of a command line, checked and all of one problem. */
typedef struct ss_lineup {
    ss_config cfg[SS_RACE_MAX];
    int n;
} ss_lineup;

#endif
