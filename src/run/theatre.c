/* Space-time diagram of a cycle: see src/snapshot/snapshot.h. Engine thread. */
#include "src/snapshot/snapshot.h"

#include "src/base/common.h"

/* A classic run has no nodes: the diagram cuts its line into blocks of this size, one per owner. */
enum { CLASSIC_BLOCK = 32, CLASSIC_LEVELS = 16 };

/* Index, of `count` samples, of the one that cell i of `cells` shows: the sample at its middle. */
static int spread(int i, int cells, int count)
{
    return cells == count ? i : (int)(((int64_t)i * 2 + 1) * count / (2 * (int64_t)cells));
}

/* The same, but the first and the last cell show the first and the last sample. */
static int spread_to_ends(int i, int cells, int count)
{
    return cells < 2 ? 0 : (int)((int64_t)i * (count - 1) / (cells - 1));
}

/* What point p of the shown nodes does at a level or tick. */
typedef ss_stage_cell cell_fn(const ss_theatre *t, ss_swept s, int p, int at);

/* `first` to `last`: the levels or ticks of the rows. */
static void fill(const ss_theatre *t, ss_swept s, cell_fn *cell, int first, int last, ss_stage *out)
{
    int points = t->nodes * t->block, rows = last - first + 1;
    out->cols = ss_min(points, SS_STAGE_COLS);
    out->rows = ss_min(rows, SS_STAGE_ROWS);
    for (int r = 0; r < out->rows; r++)
        for (int c = 0; c < out->cols; c++)
            out->cell[r][c] = cell(t, s, spread(c, out->cols, points),
                                   first + spread_to_ends(r, out->rows, rows));
}

static uint8_t owner_of(const ss_theatre *t, int p)
{
    return (uint8_t)((t->first + p / t->block) % SS_STAGE_NODES);
}

/* --- the swept rule --------------------------------------------------------------------------- */

/* Ticks before level 0 of diamond d = 0, 1, 2. Only the upper half of diamond 0 is computed. */
static int ticks_before(ss_swept s, int64_t d)
{
    const int ticks[] = {-s.height, s.height - 1, 3 * s.height - 2};
    return ticks[d];
}

/* The node that computes point x of level >= 1. */
static int node_of(ss_swept s, int x, int level)
{
    return ss_swept_node(s, ss_swept_diamond(s, level, x), x);
}

static ss_stage_cell swept_cell(ss_swept s, int x, int level)
{
    int64_t d = ss_swept_diamond(s, level, x);
    int l = level - (int)ss_swept_level(s, d, 0);
    return (ss_stage_cell){.tick = ticks_before(s, d) + l,
                           .owner = (uint8_t)(ss_swept_node(s, d, x) % SS_STAGE_NODES),
                           .phase = (uint8_t)(SS_PHASE_TRIANGLE + d)};
}

/* Does another node need the point for its next level? Half of a diamond's initial points belong to
 * its own node, so each node sends to one side only. */
static bool is_sent(ss_swept s, int x, int level)
{
    int own = level > 0 ? node_of(s, x, level) : x / s.block;
    for (int side = -s.radius; side <= s.radius && level < 2 * s.height; side++)
        if (node_of(s, (x + side + s.n) % s.n, level + 1) != own)
            return true;
    return false;
}

static ss_stage_cell diamond_cell(const ss_theatre *t, ss_swept s, int p, int level)
{
    int x = (t->first * t->block + p) % s.n;
    ss_stage_cell cell = {.owner = (uint8_t)(x / s.block % SS_STAGE_NODES)};
    if (level > 0)
        cell = swept_cell(s, x, level);
    cell.passed = is_sent(s, x, level);
    return cell;
}

/* Each lane belongs to one node; all nodes have the same active lanes. */
static ss_stage_cell lane_cell(const ss_theatre *t, ss_swept s, int p, int tick)
{
    int d = 2, lane = p % s.block;
    while (d > 0 && tick <= ticks_before(s, d))
        d--;
    int l = tick - ticks_before(s, d);
    bool active = lane >= ss_swept_lo(s, l) && lane < ss_swept_hi(s, l);
    return (ss_stage_cell){.tick = tick,
                           .owner = owner_of(t, p),
                           .phase = (uint8_t)(active ? SS_PHASE_TRIANGLE + d : SS_PHASE_IDLE)};
}

static ss_phase phase_after(ss_swept s, int tick)
{
    return tick == 0                    ? SS_PHASE_START
           : tick <= ticks_before(s, 1) ? SS_PHASE_TRIANGLE
           : tick <= ticks_before(s, 2) ? SS_PHASE_DIAMOND
                                        : SS_PHASE_CLOSING;
}

/* --- classic stepping ------------------------------------------------------------------------- */

static ss_stage_cell classic_cell(const ss_theatre *t, ss_swept s, int p, int level)
{
    int at = p % t->block;
    bool end = at < t->reach || at >= t->block - t->reach;
    (void)s;
    return (ss_stage_cell){.tick = level,
                           .owner = owner_of(t, p),
                           .phase = level > 0 ? SS_PHASE_TRIANGLE : SS_PHASE_START,
                           .passed = end && level < t->levels};
}

/* --- both ------------------------------------------------------------------------------------- */

static int first_shown(int selected, int nodes, int count)
{
    int first = selected - nodes / 2;
    return first < 0 ? 0 : first > count - nodes ? count - nodes : first;
}

static void choose_nodes(ss_theatre *t, int block, int count, int selected)
{
    t->block = block;
    t->nodes = ss_min(count, SS_STAGE_NODES);
    t->first = first_shown(selected, t->nodes, count);
}

/* Do the cells belong to another geometry? Stores the hash of the present one. */
static bool has_changed(ss_theatre *t, int n)
{
    const int geometry[] = {t->swept, n, t->block, t->nodes, t->first, t->levels, t->reach};
    uint64_t key = 14695981039346656037U; /* FNV-1a */
    for (size_t i = 0; i < sizeof geometry / sizeof *geometry; i++)
        key = (key ^ (uint64_t)geometry[i]) * 1099511628211U;
    bool changed = t->key != key;
    t->key = key;
    return changed;
}

static void show_swept(ss_theatre *t, ss_swept s, int selected, int tick)
{
    choose_nodes(t, s.block, s.count, selected);
    t->levels = 2 * s.height;
    t->ticks = 4 * s.height - 2;
    t->phase = phase_after(s, tick);
    t->shift = t->phase == SS_PHASE_DIAMOND ? s.block / 2 : 0;
    if (!has_changed(t, s.n))
        return;
    fill(t, s, classic_cell, 0, t->levels, &t->classic);
    fill(t, s, diamond_cell, 0, t->levels, &t->diamonds);
    fill(t, s, lane_cell, 1, t->ticks, &t->lanes);
}

static void show_classic(ss_theatre *t, int n)
{
    int block = ss_min(CLASSIC_BLOCK, n);
    choose_nodes(t, block, n / block, -1);
    t->levels = t->ticks = CLASSIC_LEVELS;
    t->phase = SS_PHASE_START;
    t->shift = 0;
    if (!has_changed(t, n))
        return;
    fill(t, (ss_swept){.n = n}, classic_cell, 0, t->levels, &t->classic);
    t->diamonds.rows = t->lanes.rows = 0;
}

void ss_theatre_fill(ss_theatre *t, const ss_solver *solver, const ss_config *cfg,
                     const ss_problem *p, int selected, int tick)
{
    t->there = solver->kind == SS_TRANSIENT;
    t->swept = t->there && solver->nodes;
    t->shift = 0;
    t->reach = p->radius;
    if (t->swept)
        show_swept(t, solver->nodes(cfg, p), selected, tick);
    else if (t->there)
        show_classic(t, p->nx);
}
