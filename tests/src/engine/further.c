/* Pictures of further views: those of the snapshot, made beside it without a change of the run. */
#include <stdlib.h>
#include <string.h>

#include "tests/engines.h"

static ss_view view_of(ss_layer layer, double x0, double x1)
{
    ss_view v = {.layer = layer, .w = 48, .h = 32, .exact = true};
    v.probe_x = v.probe_y = v.tile_x = v.tile_y = -1;
    v.x0 = x0, v.x1 = x1, v.y0 = 10 * (x1 > x0), v.y1 = 30 * (x1 > x0);
    return v;
}

static void await_further(ss_engine *e, int i, ss_further *out)
{
    for (int k = 0; k < 20000; k++) {
        if (ss_engine_further(e, i, out))
            return;
        usleep(1000);
    }
    CHECK_MSG(false, "picture %d did not come", i);
}

/* The snapshot's picture in that view. */
static const ss_picture *shown(ss_engine *e, ss_view v)
{
    static uint64_t seq;
    v.seq = ++seq;
    ss_engine_view(e, &v);
    for (int k = 0; k < 20000; k++) {
        const ss_snapshot *s = engine_wait(e, 0);
        if (s->view_seq == v.seq)
            return &s->picture;
        usleep(1000);
    }
    CHECK_MSG(false, "the view was not shown");
    return NULL;
}

static void drop(ss_further *f)
{
    free(f->picture.cell);
    free(f->picture.owner);
}

TEST(engine, a_further_picture_is_that_of_its_view)
{
    static const ss_layer layers[] = {SS_VALUE, SS_RESIDUAL, SS_STALENESS, SS_OWNER};
    ss_config cfg = config("poisson2d", "shared", PAIRS("n", "64", "k", "6", "block", "16"));
    ss_engine *e = engine_for(&cfg);
    ss_further got = {.room = 0};
    send_lines(e, LINES("step 5"));
    for (size_t i = 0; i < 2 * sizeof layers / sizeof *layers; i++) {
        ss_view v = view_of(layers[i / 2], 0, i % 2 ? 40 : 0);
        ss_engine_ask(e, (int)i, &v);
        await_further(e, (int)i, &got);
        const ss_picture *p = shown(e, v);
        CHECK_INT(got.picture.w, 48);
        CHECK_INT(got.nx, 64);
        CHECK_INT((int)got.view.layer, (int)layers[i / 2]);
        CHECK_MSG(memcmp(p->cell, got.picture.cell, 48 * 32 * sizeof *p->cell) == 0, "case %zu", i);
        CHECK(memcmp(p->owner, got.picture.owner, 48 * 32) == 0);
    }
    CHECK_INT((int)engine_wait(e, 0)->telemetry.value[SS_T_CYCLE], 5);
    drop(&got);
    ss_engine_free(e);
}

/* All of them come while the run goes on; the one that was asked for again is the later one. */
TEST(engine, all_further_pictures_come_from_a_run_that_advances)
{
    ss_config cfg = config("poisson2d", "shared", PAIRS("n", "128", "until", "0"));
    ss_engine_setup setup = {.cfg = &cfg, .interactive = true};
    ss_engine *e = engine_start(&setup);
    static ss_further got[SS_FURTHER_MAX];
    ss_view whole = view_of(SS_VALUE, 0, 0), part = view_of(SS_RESIDUAL, 0, 40);
    for (int i = 0; i < SS_FURTHER_MAX; i++)
        ss_engine_ask(e, i, &whole);
    ss_engine_ask(e, 3, &part);
    for (int i = 0; i < SS_FURTHER_MAX; i++) {
        await_further(e, i, &got[i]);
        CHECK_INT((int)got[i].view.layer, (int)(i == 3 ? SS_RESIDUAL : SS_VALUE));
        CHECK(!ss_engine_further(e, i, &got[i]));
        drop(&got[i]);
    }
    ss_engine_free(e);
}
