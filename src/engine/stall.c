/* A run that wanders: no smaller residual for a long time, although it has not diverged. It is said
 * once, where a caution was said before the run; a residual that rounding holds is no news. Engine
 * thread only; see lane.h. */
#include <math.h>
#include <stdio.h>

#include "src/core/run_step.h"
#include "src/engine/lane.h"

enum { ITERATIONS_MIN = 200 };

/* Begins anew after a reset, and with the present residual after a change of a parameter. */
static void begin(ss_stall *s, const ss_lane *lane)
{
    size_t count = lane->run->history.count;
    bool reset = s->began != lane->run->began;
    if (!reset && s->change == lane->pushed)
        return;
    *s = (ss_stall){.began = lane->run->began,
                    .change = lane->pushed,
                    .seen = reset || count == 0 ? 0 : count - 1,
                    .residual = HUGE_VAL};
}

/* A history that was thinned, or cut by a jump back, has fewer points than were compared. */
static void follow(ss_stall *s, const ss_history *h)
{
    s->seen = s->seen < h->count ? s->seen : h->count;
    for (; s->seen < h->count; s->seen++)
        if (h->point[s->seen].residual < s->residual) {
            s->residual = h->point[s->seen].residual;
            s->iteration = h->point[s->seen].iteration;
        }
}

/* "no smaller residual for 1943 iterations (the least, 0.31 of the first, at iteration 57)" */
static void say(ss_engine *e, const ss_stall *s, const ss_run *run)
{
    char least[80] = "the first is the least";
    const char *cause = ss_run_suspect(run);
    if (s->iteration > 0)
        snprintf(least, sizeof least, "the least, %.2g of the first, at iteration %lld",
                 s->residual / run->residual0, (long long)s->iteration);
    ss_engine_warn(e, "no smaller residual for %lld iterations (%s)%s%s",
                   (long long)(run->iteration - s->iteration), least, cause ? ", " : "",
                   cause ? cause : "");
}

/* As long without a smaller residual as it took to find the least one. */
static bool is_stalled(const ss_stall *s, const ss_run *run)
{
    int64_t unknown = (run->cycle - run->residual_cycle) * run->iterations_per_cycle;
    int64_t since = run->iteration - unknown - s->iteration; /* up to the newest norm */
    return isfinite(s->residual) && since >= ITERATIONS_MIN && since >= s->iteration;
}

void ss_stall_consider(ss_engine *e, ss_lane *lane)
{
    char before[300];
    ss_stall *s = &lane->stall;
    const ss_run *run = lane->run;
    if (run->eq->kind != SS_STEADY || run->reached || e->race.on ||
        (run->status != SS_RUNNING && run->status != SS_LIMIT))
        return;
    begin(s, lane);
    follow(s, &run->history);
    if (s->said || !is_stalled(s, run))
        return;
    s->said = true;
    ss_engine_caution_of(&run->cfg, before, sizeof before);
    if (before[0])
        say(e, s, run);
}
