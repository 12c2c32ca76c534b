/* u* of a race: lanes whose right-hand sides have the same bits share one, so that each of them can
 * show its error. */
#include <math.h>
#include <string.h>

#include "src/engine/lane.h"
#include "tests/engines.h"

#define N "n", "31", "backend", "cpu"

/* Waits until u* is computed. */
static const ss_snapshot *error_of(ss_engine *e, const char *const *lines)
{
    static const ss_view view = {.seq = 1,
                                 .layer = SS_ERROR,
                                 .w = 31,
                                 .h = 31,
                                 .probe_x = -1,
                                 .probe_y = -1,
                                 .tile_x = -1,
                                 .tile_y = -1};
    ss_engine_view(e, &view);
    const ss_snapshot *s = send_lines(e, lines);
    for (int i = 0; i < 1000 && (s->busy_reference || s->view_seq != view.seq); i++) {
        usleep(10000);
        s = send_lines(e, LINES("pause"));
    }
    return s;
}

/* The largest error of a run by itself after as many cycles. */
static double alone(const char *solver, const char *step)
{
    ss_config cfg = config("poisson2d", solver, PAIRS(N));
    ss_engine *e = engine_for(&cfg);
    double hi = error_of(e, LINES(step))->picture.hi;
    ss_engine_free(e);
    return hi;
}

static double largest(const ss_picture *p)
{
    double hi = 0;
    for (int i = 0; i < p->w * p->h; i++)
        hi = fmax(hi, (double)p->cell[i]);
    return hi;
}

ENGINE_TEST(race_reference, each_run_shows_the_error_of_a_run_of_its_own, "poisson2d", "jacobi", N)
{
    const ss_snapshot *s =
        error_of(e, LINES("add poisson2d sor n=31", "select 1", "race cycles", "step 9"));
    CHECK_INT(s->race.n, 2);
    CHECK_MSG(s->race.racer[1].no_layer == NULL, "%s", s->race.racer[1].no_layer);
    CHECK_INT(s->race.racer[1].picture.w, 31);
    CHECK_NEAR(largest(&s->race.racer[1].picture), (double)(float)alone("sor", "step 9"), 0);
    CHECK_NEAR(s->picture.hi, alone("jacobi", "step 9"), 0);
    ss_engine_stop(e);
    CHECK(e->lane[0].run->reference != NULL);
    CHECK(e->lane[0].run->reference == e->lane[1].run->reference); /* computed once */
}

/* Each owner frees it; the last one frees the memory (the sanitizers watch). */
ENGINE_TEST(race_reference, outlives_the_run_that_has_computed_it, "poisson2d", "jacobi", N)
{
    error_of(e, LINES("add poisson2d sor n=31", "select 1", "race cycles", "step 3"));
    const ss_snapshot *s = error_of(e, LINES("race off", "drop", "step 1"));
    CHECK_INT(s->nrun, 1);
    CHECK_MSG(strstr(s->solver, "SOR"), "%s", s->solver);
    CHECK_NEAR(s->picture.hi, alone("sor", "step 4"), 0);
}

/* A right-hand side that was rounded to other bits has another solution. */
ENGINE_TEST(race_reference, another_precision_has_a_reason_instead, "poisson2d", "jacobi", N)
{
    const ss_snapshot *s = error_of(
        e, LINES("add poisson2d sor n=31 precision=f32", "select 1", "race cycles", "step 3"));
    const char *why = s->race.racer[1].no_layer;
    CHECK_INT(s->race.n, 2);
    CHECK_MSG(why && strstr(why, "another precision"), "%s", why ? why : "no reason");
}
