/* The spectrum of a steady run's error in a snapshot: see lane.h. */
#include "src/engine/lane.h"

#define SHARE 60 /* least time between transforms, in units of a transform's time */

/* Why a run has no spectrum, a sentence; NULL: it has one. */
static const char *no_bands(const ss_run *run)
{
    if (run->eq->kind != SS_STEADY)
        return "a time-dependent run has no error by frequency";
    if (!run->eq->exact)
        return "the exact discrete solution of this problem is unknown";
    if (!ss_bands_fit(&run->problem))
        return "error by frequency: up to 2048 points, 1024² or 128³ only";
    return NULL;
}

bool ss_publish_wants_exact(const ss_run *run, const ss_view *view)
{
    return view->spectrum && !no_bands(run);
}

/* Is the last spectrum recent enough? While the solver runs, the clock decides; idle and
 * deterministic runs need that of the current cycle. */
static bool is_fresh(const ss_snapshot *s, const ss_lane *lane)
{
    const ss_error_bands *last = &lane->spectrum;
    bool same = last->cycle == lane->run->cycle && last->peek == lane->run->peek;
    if (last->began != lane->run->began)
        return false;
    bool idle = s->paused || lane->run->status != SS_RUNNING || s->deterministic;
    return last->now.n > 0 && (same || (!idle && ss_clock() < last->next));
}

static void measure(ss_snapshot *s, ss_lane *lane, const double *exact)
{
    ss_error_bands *last = &lane->spectrum;
    ss_run *run = lane->run;
    double began = ss_clock();
    if (is_fresh(s, lane))
        return;
    if (run->began != last->began) /* the run has started again */
        last->start.n = 0;
    last->began = run->began;
    last->cycle = run->cycle;
    last->peek = run->peek;
    if (last->start.n == 0 && !run->load)
        ss_bands_measure(run, exact, true, &last->start, NULL);
    ss_bands_measure(run, exact, false, &last->now, NULL);
    last->next = ss_clock() + SHARE * (ss_clock() - began);
}

void ss_publish_racer_bands(ss_snapshot *s, ss_lane *lane, ss_lane *shown, ss_bands *out)
{
    const double *exact = ss_run_reference(shown->run);
    *out = (ss_bands){.n = 0};
    if (s->bands.n == 0 || !exact || lane->run->status == SS_DIVERGED)
        return;
    measure(s, lane, exact);
    *out = lane->spectrum.now;
}

void ss_publish_bands(ss_snapshot *s, ss_lane *lane)
{
    const ss_run *run = lane->run;
    const double *exact = ss_run_reference(run);
    s->bands = s->bands_start = (ss_bands){.n = 0};
    s->bands_why = no_bands(run);
    if (!ss_publish_wants_exact(run, &s->view) || !exact || run->status == SS_DIVERGED)
        return;
    measure(s, lane, exact);
    s->bands = lane->spectrum.now;
    s->bands_cycle = lane->spectrum.cycle;
    s->bands_start = lane->spectrum.start;
}
