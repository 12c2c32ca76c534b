/* A change is the cause of another rate only if the rate has settled and classic has not changed,
 * too: see src/snapshot/snapshot.h. */
#include "src/snapshot/snapshot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/check.h"

/* Two halves of a run of 2 * `half` cycles of 4 iterations, with these factors per cycle. */
static ss_snapshot *run_of(int half, const double *own, const double *classic)
{
    ss_snapshot *s = calloc(1, sizeof *s);
    CHECK(s != NULL);
    double r = 1, c = 1;
    for (int i = 0; i <= 2 * half; i++) {
        s->curve[i] = (ss_point){.cycle = i, .iteration = 4 * i, .residual = r};
        s->beside.curve[i] = (ss_point){.cycle = 4 * i, .iteration = 4 * i, .residual = c};
        r *= own[i >= half], c *= classic[i >= half];
    }
    s->ncurve = s->beside.n = 2 * half + 1;
    s->mark[0] = (ss_mark){.at = s->curve[half], .text = "overlap 0→4"};
    s->mark[1] = (ss_mark){.at = s->curve[2 * half], .text = "converged"};
    s->nmark = 2;
    return s;
}

TEST(effect, of_a_change_that_alters_the_rate_beside_classic)
{
    ss_effect e;
    ss_snapshot *s = run_of(60, (double[]){0.99, 0.96}, (double[]){0.96, 0.96});
    CHECK(ss_effect_of_change(s, &e));
    CHECK_STR(e.text, "overlap 0→4");
    CHECK_INT(e.at->cycle, 60);
    CHECK_NEAR(e.before.own, 0.99, 1e-12);
    CHECK_NEAR(e.after.own, 0.96, 1e-12);
    CHECK_NEAR(e.before.classic, 0.96, 1e-12);
    CHECK_NEAR(e.after.classic, 0.96, 1e-12);
    free(s);
}

TEST(effect, none_where_the_cause_is_another_or_nothing_is_known)
{
    const double slower[] = {0.95, 0.99}, even[] = {0.96, 0.96}, other[] = {0.99, 0.96};
    ss_effect e;
    ss_snapshot *s = run_of(60, slower, slower); /* it slows down by itself */
    CHECK(!ss_effect_of_change(s, &e));
    free(s);
    s = run_of(4, other, even); /* too early */
    CHECK(!ss_effect_of_change(s, &e));
    free(s);
    s = run_of(60, other, even);
    s->beside.n = 70; /* classic has not come so far */
    CHECK(!ss_effect_of_change(s, &e));
    s->beside.n = 121;
    CHECK(ss_effect_of_change(s, &e));
    s->mark[0] = s->mark[1]; /* no change at all */
    CHECK(!ss_effect_of_change(s, &e));
    free(s);
}
