/* The scale of a cycle under the microscope: see src/engine/publish.c. */
#include <math.h>
#include <string.h>

#include "tests/engines.h"

static void look_at(ss_engine *e, ss_layer layer)
{
    static uint64_t seq;
    ss_view v = {.seq = ++seq, .layer = layer, .w = 48, .h = 48};
    v.probe_x = v.probe_y = v.tile_x = v.tile_y = -1;
    ss_engine_view(e, &v);
}

/* Ticks through a cycle. Every subiteration has the same scale, which is exactly that of all their
 * pictures; the field is not changed by it. */
static void check_cycle(const char *equation, const char *solver, const char *const *pairs,
                        ss_layer layer)
{
    ss_config cfg = config(equation, solver, pairs);
    ss_engine *e = engine_for(&cfg), *plain = engine_for(&cfg);
    look_at(e, layer);
    look_at(plain, layer);
    const ss_snapshot *s = send_lines(e, LINES("step 3"));
    CHECK(!s->scale.valid);
    double lo = INFINITY, hi = -INFINITY, first[2] = {0, 0};
    int ticks = s->per_cycle;
    CHECK(ticks > 1);
    for (int i = 1; i <= ticks; i++) {
        s = send_lines(e, LINES("tick"));
        CHECK_INT(s->peek, i % ticks);
        CHECK_MSG(s->scale.valid, "%s %s: no scale at %d", equation, solver, i);
        if (i == 1)
            first[0] = s->scale.lo, first[1] = s->scale.hi;
        CHECK_NEAR(s->scale.lo, first[0], 0);
        CHECK_NEAR(s->scale.hi, first[1], 0);
        lo = fmin(lo, s->picture.lo), hi = fmax(hi, s->picture.hi);
    }
    CHECK_NEAR(lo, first[0], 0);
    CHECK_NEAR(hi, first[1], 0);
    const ss_snapshot *other = send_lines(plain, LINES("step 4"));
    CHECK_INT(other->picture.w, s->picture.w);
    CHECK(memcmp(other->picture.cell, s->picture.cell,
                 (size_t)(s->picture.w * s->picture.h) * sizeof *s->picture.cell) == 0);
    s = send_lines(e, LINES("step 1"));
    CHECK(!s->scale.valid);
    ss_engine_free(e);
    ss_engine_free(plain);
}

TEST(scale, is_that_of_all_subiterations_of_the_cycle)
{
    const char *const *shared = PAIRS("n", "61", "k", "7", "block", "16");
    check_cycle("poisson2d", "shared", shared, SS_STALENESS);
    check_cycle("poisson2d", "shared", shared, SS_RESIDUAL);
    check_cycle("poisson1d", "shared", PAIRS("n", "90", "k", "5", "block", "16"), SS_VALUE);
    check_cycle("poisson2d", "async", PAIRS("n", "64", "alpha", "5", "block", "16"), SS_VALUE);
    check_cycle("heat1d", "swept", PAIRS("n", "64", "block", "16"), SS_VALUE);
}

/* Another layer, or another k, has a scale of its own. */
ENGINE_TEST(scale, belongs_to_a_layer_and_to_the_parameters, "poisson2d", "shared", "n", "61", "k",
            "7", "block", "16")
{
    look_at(e, SS_STALENESS);
    const ss_snapshot *s = send_lines(e, LINES("step 3", "tick 2"));
    double before = s->scale.hi;
    CHECK(s->scale.valid);
    look_at(e, SS_RESIDUAL);
    s = send_lines(e, LINES("tick"));
    CHECK(s->scale.valid && (s->scale.hi < before || s->scale.hi > before));
    look_at(e, SS_STALENESS);
    s = send_lines(e, LINES("set k 14", "tick"));
    CHECK(s->scale.valid && s->scale.hi > before);
}
