/*
 * The space-time diagram: one node computes every point of every level once, after its inputs; idle
 * lanes match the ledger. And the spectrum of single modes.
 */
#include <math.h>

#include "src/snapshot/snapshot.h"
#include "tests/check.h"

static int block;

static ss_swept nodes(const ss_config *cfg, const ss_problem *p)
{
    (void)cfg;
    return ss_swept_make(p->nx, block, p->radius);
}

static const ss_solver swept = {.name = "swept", .kind = SS_TRANSIENT, .nodes = nodes};
static const ss_solver classic = {.name = "stepper", .kind = SS_TRANSIENT};
static const ss_solver steady = {.name = "jacobi", .kind = SS_STEADY};

static ss_theatre *make(const ss_solver *solver, int n, int radius, int nodes_of, int selected,
                        int tick)
{
    static ss_theatre t;
    const ss_problem p = {.nx = n, .radius = radius};
    block = nodes_of;
    ss_theatre_fill(&t, solver, NULL, &p, selected, tick);
    return &t;
}

/* All four nodes of the line are shown, so that every input is, too. */
static void check_order(const ss_theatre *t)
{
    const ss_stage *s = &t->diamonds;
    for (int r = 1; r < s->rows; r++)
        for (int c = 0; c < s->cols; c++) {
            const ss_stage_cell *cell = &s->cell[r][c];
            CHECK(cell->tick >= 1 && cell->tick <= t->ticks);
            CHECK(cell->phase >= SS_PHASE_TRIANGLE && cell->phase <= SS_PHASE_CLOSING);
            for (int side = -t->reach; side <= t->reach; side++) {
                const ss_stage_cell *from = &s->cell[r - 1][(c + side + s->cols) % s->cols];
                CHECK_MSG(from->tick < cell->tick, "level %d, point %d", r, c);
                CHECK(from->owner == cell->owner || from->passed);
            }
        }
}

TEST(theatre, no_value_precedes_the_values_it_depends_on)
{
    check_order(make(&swept, 128, 1, 32, -1, 0));
    check_order(make(&swept, 128, 2, 32, -1, 0));
    check_order(make(&swept, 64, 2, 16, -1, 0));
    check_order(make(&swept, 16, 1, 4, -1, 0));
}

/* The share of idle lanes is 1 - height / (2 height - 1), by either count. */
TEST(theatre, idle_lanes_agree_with_the_ledger)
{
    const ss_theatre *t = make(&swept, 128, 2, 32, -1, 0);
    int idle = 0;
    CHECK_INT(t->lanes.rows, t->ticks);
    for (int r = 0; r < t->lanes.rows; r++)
        for (int c = 0; c < t->lanes.cols; c++)
            idle += t->lanes.cell[r][c].phase == SS_PHASE_IDLE;
    int work = t->lanes.rows * t->lanes.cols - idle;
    CHECK_INT(work, 128 * t->levels);
}

TEST(theatre, phases_follow_the_ticks)
{
    CHECK_INT(make(&swept, 128, 2, 32, -1, 0)->phase, SS_PHASE_START);
    CHECK_INT(make(&swept, 128, 2, 32, -1, 7)->phase, SS_PHASE_TRIANGLE);
    CHECK_INT(make(&swept, 128, 2, 32, -1, 8)->phase, SS_PHASE_DIAMOND);
    CHECK_INT(make(&swept, 128, 2, 32, -1, 8)->shift, 16);
    CHECK_INT(make(&swept, 128, 2, 32, -1, 22)->phase, SS_PHASE_DIAMOND);
    CHECK_INT(make(&swept, 128, 2, 32, -1, 23)->phase, SS_PHASE_CLOSING);
    CHECK_INT(make(&swept, 128, 2, 32, -1, 23)->shift, 0);
}

TEST(theatre, the_selected_node_is_among_those_shown)
{
    for (int selected = -1; selected < 64; selected++) {
        const ss_theatre *t = make(&swept, 2048, 1, 32, selected, 0);
        CHECK_INT(t->nodes, SS_STAGE_NODES);
        CHECK(t->first >= 0 && t->first + t->nodes <= 64);
        CHECK(selected < 0 || (selected >= t->first && selected < t->first + t->nodes));
    }
}

TEST(theatre, diagrams_of_every_block_size_fit)
{
    static const int blocks[] = {4, 8, 12, 60, 256, 4096, 1 << 20};
    for (int i = 0; i < 7; i++)
        for (int radius = 1; radius <= 2; radius++) {
            const ss_theatre *t = make(&swept, 3 * blocks[i], radius, blocks[i], 1, 0);
            CHECK(t->diamonds.cols >= 1 && t->diamonds.cols <= SS_STAGE_COLS);
            CHECK(t->diamonds.rows >= 2 && t->diamonds.rows <= SS_STAGE_ROWS);
            CHECK(t->lanes.rows >= 2 && t->lanes.rows <= SS_STAGE_ROWS);
            CHECK_INT(t->nodes, 3);
        }
}

TEST(theatre, classic_stepping_sends_one_message_per_level)
{
    const ss_theatre *t = make(&classic, 1024, 1, 0, -1, 0);
    CHECK(t->there && !t->swept);
    for (int r = 0; r + 1 < t->classic.rows; r++)
        CHECK(t->classic.cell[r][31].passed && !t->classic.cell[r][16].passed);
    CHECK(make(&classic, 7, 1, 0, -1, 0)->classic.cols == 7);
    CHECK(!make(&steady, 64, 1, 0, -1, 0)->there);
}

TEST(spectrum, a_wave_is_one_mode)
{
    enum { N = 200 };
    float u[N];
    double power[N / 2];
    for (int i = 0; i < N; i++)
        u[i] = (float)(3 + 2 * cos(2 * 3.14159265358979 * 7 * i / N));
    ss_spectrum(u, N, N / 2, power);
    for (int k = 1; k <= N / 2; k++)
        CHECK_MSG(fabs(power[k - 1] - (k == 7)) < 1e-6, "mode %d: %g", k, power[k - 1]);
}
