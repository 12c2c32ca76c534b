/* A race against the classic solver: see ss_verb_split. */
#include <string.h>

#include "tests/engines.h"

/* Both are level by iterations, and the run that was shown still is. */
ENGINE_TEST(split, races_the_classic_solver, "poisson2d", "shared", "n", "40", "k", "5", "block",
            "16")
{
    const ss_snapshot *s = send_lines(e, LINES("split classic", "step 3"));
    CHECK_INT(s->race.n, 2);
    CHECK_INT(s->race.by, SS_BY_ITERATIONS);
    CHECK_INT(s->run, 0);
    CHECK_MSG(strcmp(s->solver_name, "shared") == 0, "%s", s->solver_name);
    CHECK_MSG(strstr(s->race.racer[1].label, "jacobi"), "%s", s->race.racer[1].label);
    CHECK_INT(s->race.racer[0].at.iteration, 15);
    CHECK_INT(s->race.racer[1].at.iteration, 15);
}

/* With enough overlap there is no difference: the wipe says "0 everywhere". */
ENGINE_TEST(split, the_classic_solver_is_met_bit_for_bit, "poisson2d", "shared", "n", "40", "k",
            "5", "block", "16", "overlap", "8")
{
    const ss_snapshot *s = send_lines(e, LINES("split classic", "step 3"));
    CHECK(s->race.racer[1].bits.known && s->race.racer[1].bits.equal);
}

ENGINE_TEST(split, a_classic_solver_has_none, "poisson2d", "jacobi", "n", "40")
{
    const ss_snapshot *s = send_lines(e, LINES("split classic"));
    CHECK_INT(s->race.n, 0);
    CHECK_MSG(s->message_is_error && strstr(s->message, "no classic solver"), "%s", s->message);
}

/* After counted cycles a race goes on at the first toggle. */
ENGINE_TEST(split, a_race_goes_on_after_a_step, "poisson2d", "shared", "n", "40", "k", "5", "block",
            "16")
{
    const ss_snapshot *s = send_lines(e, LINES("split", "step 1"));
    CHECK(s->paused);
    s = send_lines(e, LINES("toggle"));
    CHECK(!s->paused);
    s = send_lines(e, LINES("toggle"));
    CHECK(s->paused);
}

/* Transient runs are level by simulated time. */
ENGINE_TEST(split, in_time, "heat1d", "swept", "n", "64", "block", "16")
{
    const ss_snapshot *s = send_lines(e, LINES("split classic", "step 2"));
    CHECK_INT(s->race.by, SS_BY_TIME);
    CHECK(!(s->race.racer[0].at.time < s->race.racer[1].at.time) &&
          !(s->race.racer[0].at.time > s->race.racer[1].at.time));
}
