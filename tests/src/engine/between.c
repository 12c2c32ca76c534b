/* The states inside a swept cycle: those of classic stepping, bit for bit, as far as a picture
 * shows them; and only while the space-time diagram is on the screen. */
#include "tests/engines.h"
#include "tests/pictures.h"

enum { N = 64 };

static void look(ss_engine *e, ss_layer layer, bool raster)
{
    static uint64_t seq;
    ss_view v = view_of(layer);
    v.seq = ++seq, v.w = N, v.h = 1, v.raster = raster;
    ss_engine_view(e, &v);
}

static ss_engine *open_swept(void)
{
    ss_config cfg = config("euler1d", "swept", PAIRS("n", "64", "block", "16", "dtdx", "0.2"));
    return engine_for(&cfg);
}

/* The picture of classic stepping after that many steps. */
static void check_state(const float *cell, int64_t steps, double time)
{
    ss_run *run = open_run("equation euler1d solver stepper n 64 dtdx 0.2");
    ss_view view = view_of(SS_VALUE);
    ss_picture p = new_picture(N, 1);
    step_run(run, steps);
    take(run, &view, &p);
    CHECK(memcmp(p.cell, cell, N * sizeof *cell) == 0);
    CHECK_NEAR(time, run->time, 1e-12);
    free_picture(&p);
    ss_run_close(run);
}

TEST(between, the_states_inside_a_swept_cycle_are_those_of_classic_steps)
{
    ss_engine *e = open_swept();
    look(e, SS_VALUE, true);
    const ss_snapshot *s = send_lines(e, LINES("step 1"));
    int64_t each = s->steps, first = (int64_t)s->telemetry.value[SS_T_STEP];
    CHECK(each > 2 && first == each);
    s = send_lines(e, LINES("step 2"));
    CHECK_INT(s->between.n, 2 * each - 1);
    for (int i = 0; i < s->between.n; i++)
        check_state(s->between.cell[i], first + i + 1, s->between.time[i]);
    check_state(s->picture.cell, 3 * each, s->telemetry.value[SS_T_TIME]);
    s = send_lines(e, LINES("set dtdx 0.1", "step 1"));
    CHECK(s->between.each == s->telemetry.value[SS_T_DT]);
    s = send_lines(e, LINES("step 1"));
    CHECK_INT(s->between.n, each - 1);
    ss_engine_stop(e);
    ss_engine_free(e);
}

TEST(between, nothing_is_computed_that_is_not_shown)
{
    static const struct {
        ss_layer layer;
        bool raster;
    } cases[] = {{SS_VALUE, false}, {SS_ERROR, true}};
    for (int i = 0; i < 2; i++) {
        ss_engine *e = open_swept();
        look(e, cases[i].layer, cases[i].raster);
        send_lines(e, LINES("step 1"));
        const ss_snapshot *s = send_lines(e, LINES("step 1"));
        CHECK(s->between.n == 0 && !(s->between.each > 0));
        ss_engine_stop(e);
        ss_engine_free(e);
    }
}
