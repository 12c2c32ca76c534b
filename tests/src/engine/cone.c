/* The staleness cone: its depth grows by one point per subiteration, whatever k, the overlap and
 * the blocks are. See src/snapshot/snapshot.h. */
#include <stdio.h>
#include <string.h>

#include "tests/engines.h"

static void look_at(ss_engine *e, int w, int tile_x, int tile_y)
{
    static uint64_t seq;
    ss_view v = {.seq = ++seq, .layer = SS_STALENESS, .w = w, .h = 48, .slice = -1};
    v.probe_x = v.probe_y = -1;
    v.tile_x = tile_x, v.tile_y = tile_y;
    ss_engine_view(e, &v);
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* After s subiterations exactly the s - 1 points beside each frozen halo are stale. up, down: the
 * distances of the row from the halos above and below, 1 beside them. */
static void check_rows(const ss_cone *c, int up, int down)
{
    for (int s = 0; s <= c->k; s++)
        for (int x = c->span.lo; x < c->span.hi; x++) {
            int left = c->frozen[0] ? x - c->span.lo + 1 : c->k;
            int right = c->frozen[1] ? c->span.hi - x : c->k;
            int depth = smaller(smaller(left, right), smaller(up, down));
            CHECK_MSG((ss_cone_at(c, s, x) > 0) == (depth < s), "k %d overlap %d row %d x %d: %g",
                      c->k, c->overlap, s, x - c->span.lo, (double)ss_cone_at(c, s, x));
        }
}

/* The neighbours' points beside the block: the same wedge from the other side of each edge. */
static void check_rims(const ss_cone *c, int up, int down)
{
    for (int s = 0; s <= c->k; s++)
        for (int x = c->first; x < c->first + c->n; x++) {
            bool left = x < c->span.lo;
            if (!left && x < c->span.hi)
                continue;
            int far = left ? c->span.lo + c->overlap - x : x - (c->span.hi - c->overlap) + 1;
            int depth = smaller(far, smaller(up, down));
            if (depth >= s) /* staleness of the block's other edge may reach it as well */
                CHECK_MSG(!(ss_cone_at(c, s, x) > 0) || c->block - far < s, "rim %d of row %d", x,
                          s);
            else
                CHECK(ss_cone_at(c, s, x) > 0);
        }
}

/* Random field and right-hand side, so that no two values are equal by chance. */
static ss_engine *random_run(const char *equation, int n, int ny, int k, int block, int block_y,
                             int overlap)
{
    char text[6][16];
    const int value[6] = {n, ny, k, block, block_y, overlap};
    for (int i = 0; i < 6; i++)
        snprintf(text[i], sizeof text[i], "%d", value[i]);
    bool flat = strcmp(equation, "poisson1d") == 0;
    ss_config cfg = config(equation, "shared",
                           PAIRS("problem", "random", "n", text[0], "k", text[2], "block", text[3],
                                 "overlap", text[5], flat ? NULL : "ny", text[1], "block-y",
                                 text[4], "overlap-y", text[5]));
    return engine_for(&cfg);
}

static void check_cone(const char *equation, int k, int block, int block_y, int overlap)
{
    bool flat = strcmp(equation, "poisson1d") == 0;
    ss_engine *e = random_run(equation, 203, 131, k, block, block_y, overlap);
    look_at(e, 48, 2, flat ? 0 : 1);
    const ss_snapshot *s = send_lines(e, LINES("step 2", "tick"));
    const ss_cone *c = &s->cone;
    CHECK_MSG(c->there, "%s: %s", equation, c->why ? c->why : "no reason");
    CHECK_INT(c->k, k);
    CHECK_INT(c->now, 1);
    CHECK_INT(c->tile_x, 2);
    ss_span y = ss_cut_span(s->tiling.y, 1);
    int up = flat ? k : y.hi - c->y, down = flat ? k : c->y - y.lo + 1;
    check_rows(c, up, down);
    check_rims(c, up, down);
    int half = (c->span.hi - c->span.lo) / 2;
    if (k - 1 < half && k - 1 < smaller(up, down))
        for (int side = 0; side < 2; side++)
            CHECK_INT(ss_cone_depth(c, k, side), k - 1);
    if (overlap >= 2 * (k - 1) && k - 1 < smaller(up, down))
        CHECK_INT(ss_cone_kept(c, k), 0);
    if (overlap < 2 * (k - 1))
        CHECK(ss_cone_kept(c, k) > 0);
    ss_engine_free(e);
}

TEST(cone, is_k_minus_1_deep_in_1d)
{
    for (int i = 0; i < 3; i++) {
        static const int k[] = {4, 12, 16};
        check_cone("poisson1d", k[i], 40, 1, 0);
        check_cone("poisson1d", k[i], 40, 1, 12);
        check_cone("poisson1d", k[i], 40, 1, 2 * (k[i] - 1));
    }
}

TEST(cone, is_k_minus_1_deep_in_2d_and_blocks_need_not_be_square)
{
    for (int i = 0; i < 3; i++) {
        static const int k[] = {4, 12, 16};
        check_cone("poisson2d", k[i], 40, 34, 0);
        check_cone("poisson2d", k[i], 40, 34, 12);
        check_cone("poisson2d", k[i], 34, 40, 2 * (k[i] - 1));
    }
}

/* A block that is lower than 2 (k - 1) is stale everywhere in the end. */
TEST(cone, counts_the_halos_above_and_below)
{
    check_cone("poisson2d", 12, 40, 14, 0);
}

/* What the block keeps has the values of the picture: the run's own, bit for bit. */
TEST(cone, has_the_values_of_the_picture)
{
    ss_engine *e = random_run("poisson1d", 203, 1, 6, 32, 1, 4);
    look_at(e, 203, 3, 0);
    for (int tick = 1; tick <= 6; tick++) {
        const ss_snapshot *s = send_lines(e, LINES("tick"));
        const ss_cone *c = &s->cone;
        CHECK(c->there);
        CHECK_INT(c->now, tick);
        CHECK_INT(s->picture.w, 203);
        for (int x = c->span.wlo; x < c->span.whi; x++)
            CHECK_MSG(memcmp(&c->cell[c->now * c->n + x - c->first], &s->picture.cell[x],
                             sizeof(float)) == 0,
                      "tick %d, point %d", tick, x);
    }
    const ss_snapshot *s = send_lines(e, LINES("step"));
    CHECK(!s->cone.there);
    ss_engine_free(e);
}

/* The cone follows the block that is selected in mid-cycle, and f32 runs have one. */
ENGINE_TEST(cone, follows_the_selection, "poisson2d", "shared", "problem", "random", "n", "100",
            "k", "5", "block", "20", "precision", "f32")
{
    look_at(e, 48, -1, -1);
    const ss_snapshot *s = send_lines(e, LINES("tick 2"));
    CHECK(s->cone.there);
    CHECK_INT(s->cone.tile_x, 2);
    look_at(e, 48, 0, -1);
    s = send_lines(e, LINES("tick"));
    CHECK_INT(s->cone.tile_x, 0);
    CHECK_INT(s->cone.now, 3);
    CHECK(!s->cone.frozen[0] && s->cone.frozen[1]);
    CHECK_INT(s->cone.first, 0);
    check_rows(&s->cone, 10, 11);
}

/* The strip of the overlap moves while its control does; the microscope stays where it is. */
TEST(cone, follows_a_change_in_mid_cycle)
{
    ss_engine *e = random_run("poisson1d", 203, 1, 6, 40, 1, 0);
    look_at(e, 48, 2, 0);
    const ss_snapshot *s = send_lines(e, LINES("step 2", "tick 3"));
    CHECK(s->cone.there);
    CHECK_INT(s->cone.now, 3);
    for (int overlap = 2; overlap <= 10; overlap += 4) {
        char line[32];
        snprintf(line, sizeof line, "set overlap %d", overlap);
        s = send_lines(e, LINES(line));
        CHECK(s->cone.there);
        CHECK_INT(s->cone.overlap, overlap);
        CHECK_INT(s->cone.now, 3);
        check_rows(&s->cone, 6, 6);
        CHECK_INT(ss_cone_kept(&s->cone, 6), 2 * (5 - overlap / 2));
    }
    s = send_lines(e, LINES("tick"));
    CHECK(s->cone.there);
    CHECK_INT(s->cone.now, 4);
    s = send_lines(e, LINES("step"));
    CHECK(!s->cone.there);
    ss_engine_free(e);
}

/* Runs without one say why. */
ENGINE_TEST(cone, has_a_reason_to_be_missing, "poisson1d", "shared", "n", "2048", "k", "5", "block",
            "1024")
{
    const ss_snapshot *s = send_lines(e, LINES("tick"));
    CHECK(!s->cone.there && s->cone.why);
}

/* Without frozen halos the subiterations are those of the run: at each tick the row has the values
 * of the picture, and the field is not changed by looking at all of them. */
TEST(cone, of_an_asynchronous_run_is_sampled)
{
    ss_config cfg = config("poisson2d", "async",
                           PAIRS("problem", "random", "n", "100", "alpha", "6", "block", "20"));
    ss_engine *e = engine_for(&cfg), *plain = engine_for(&cfg);
    look_at(e, 100, 2, 2);
    look_at(plain, 100, 2, 2);
    const ss_snapshot *s = send_lines(e, LINES("step 2", "tick"));
    ss_view v = {.seq = 1u << 30, .layer = SS_STALENESS, .w = 100, .h = 100, .slice = -1};
    v.probe_x = v.probe_y = -1;
    v.tile_x = v.tile_y = 2;
    ss_engine_view(e, &v);
    for (int tick = 2; tick < s->per_cycle; tick++) {
        s = send_lines(e, LINES("tick"));
        const ss_cone *c = &s->cone;
        CHECK_MSG(c->there && !c->wedge, "%s", c->why ? c->why : "");
        CHECK_INT(c->now, tick);
        const float *row = s->picture.cell + (ptrdiff_t)(99 - c->y) * 100;
        for (int x = c->span.wlo; x < c->span.whi; x++)
            CHECK_MSG(memcmp(&c->cell[tick * c->n + x - c->first], &row[x], sizeof *row) == 0,
                      "tick %d point %d", tick, x);
    }
    s = send_lines(e, LINES("tick", "step"));
    double r = s->telemetry.value[SS_T_RESIDUAL];
    s = send_lines(plain, LINES("step 4"));
    CHECK_NEAR(r, s->telemetry.value[SS_T_RESIDUAL], 0);
    ss_engine_free(e);
    ss_engine_free(plain);
}

/* A mistake on purpose: the cone of correct blocks would not be that of this run. */
ENGINE_TEST(cone, is_not_shown_for_a_faulty_run, "poisson2d", "shared", "problem", "random", "n",
            "100", "k", "5", "block", "20")
{
    const ss_snapshot *s = send_lines(e, LINES("set fault a", "tick 3"));
    CHECK(!s->cone.there && s->cone.why);
}

/* For a film: between two cycles the next one's, so that it grows from its first row. */
TEST(cone, of_the_next_cycle_is_there_for_a_film)
{
    ss_config cfg = config("poisson2d", "shared",
                           PAIRS("problem", "random", "n", "100", "k", "5", "block", "20"));
    ss_engine_setup setup = {.cfg = &cfg, .deterministic = true, .paused = true, .cones = true};
    ss_engine *e = engine_start(&setup);
    const ss_snapshot *s = send_lines(e, LINES("pause"));
    CHECK(s->cone.there);
    CHECK_INT(s->cone.now, 0);
    double first = s->cone.hi;
    s = send_lines(e, LINES("step 2"));
    CHECK(s->cone.there);
    CHECK_INT(s->cone.now, 0);
    CHECK(s->cone.hi < first || s->cone.hi > first); /* of another cycle */
    s = send_lines(e, LINES("tick 5"));
    CHECK_INT(s->cone.now, 5); /* all of the cycle that has ended */
    ss_engine_free(e);
}
