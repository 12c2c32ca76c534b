/*
 * Asynchronous Jacobi on the CPU: a deterministic simulation of kernels/cuda/jacobi/async.cuh. Each
 * tile has private memory for a whole launch, and the scheduler  draws the order of the
 * tiles' turns. A sweep is two turns: the first loads the tile or reads the neighbours' halo
 * strips; the second updates the tile and writes its own halo strips. The asynchrony is the turns
 * of other tiles in between.
 *
 * Halo strips are exchanged through memory that a launch initialises from the old field. The old
 * field itself does not change: it is the start of the cycle. A turn is atomic, so barriers inside
 * a tile have no effect here: variants 0 and 1 give the same numbers. Engine thread; each level of
 * a launch is an OpenMP region.
 */
#include <math.h>
#include <omp.h>
#include <string.h>

#include "kernels/cpu/state.h"
#include "kernels/cpu/simd/machine.h"
#include "kernels/cpu/simd/norm.h"
#include "kernels/solver/schedules.h"

/* --- the seeded scheduler --------------------------------------------------------------------- */

/*
 * The seeded scheduler: the order in which the tiles of an asynchronous launch take their turns. It
 * makes a data race repeatable. Every tile has the same number of turns, taken in order. The turns
 * of different tiles are shuffled, uniformly over all orders, by splitmix64 from a seed and the
 * number of the launch. Even turns read the neighbours' halo strips; odd turns update the tile and
 * write its own strip.
 *
 * Turns without a data dependence run concurrently, level by level. The level of a turn is one more
 * than the highest level of the earlier turns that it depends on: those of its own tile, the writes
 * that it may read, and the reads of the strip that it overwrites. The result equals sequential
 * execution for any number of threads. Engine thread.
 */

typedef struct schedule_t {
    int nx, ny;         /* tiles; neighbours share a side */
    bool plane;         /* 2D; else rows of tiles are independent */
    int turns;          /* per tile */
    uint32_t tiles;     /* nx * ny */
    uint32_t *turn;     /* the tile of each turn in the order drawn: tiles * turns entries */
    uint32_t *by_level; /* the same, sorted by level (stable) */
    uint32_t *start;    /* level l: by_level[start[l]] to by_level[start[l + 1] - 1] */
    uint32_t levels;
    /* Scratch while an order is made: the level of each turn; the levels of each tile's last write
     * and last read. */
    uint32_t *level, *written, *read;
} schedule_t;

static int make_schedule(ss_run *run, schedule_t *s, int nx, int ny, bool plane, int turns,
                         ss_err *err)
{
    double all = (double)nx * ny * turns;
    *s = (schedule_t){.nx = nx, .ny = ny, .plane = plane, .turns = turns};
    if (all >= (double)UINT32_MAX)
        return ss_fail(err, "block: %.0f tiles are too many to shuffle: choose larger tiles",
                       (double)nx * ny);
    s->tiles = (uint32_t)nx * (uint32_t)ny;
    size_t n = (size_t)s->tiles * (size_t)turns;
    uint32_t *memory = ss_cpu_alloc(run, (4 * n + 2 + 2 * (size_t)s->tiles) * sizeof *memory,
                                    "the order of the tiles", err);
    if (!memory)
        return SS_FAIL;
    s->turn = memory;
    s->by_level = s->turn + n;
    s->level = s->by_level + n;
    s->start = s->level + n;
    s->written = s->start + n + 2;
    s->read = s->written + s->tiles;
    return SS_OK;
}

uint64_t ss_schedule_stream(uint64_t seed, int64_t launch)
{
    return ss_random_u64(ss_random_u64(seed, 0), (uint64_t)launch);
}

/* Fisher-Yates shuffle. */
static void shuffle(uint32_t *a, uint32_t n, uint64_t stream)
{
    for (uint32_t i = n; i > 1; i--) {
        uint32_t j = ss_random_below(stream, i, i);
        uint32_t swap = a[i - 1];
        a[i - 1] = a[j];
        a[j] = swap;
    }
}

static uint32_t max_u32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* The highest value of last[] among a tile's neighbours. */
static uint32_t latest_neighbour(const schedule_t *s, const uint32_t *last, uint32_t tile)
{
    uint32_t nx = (uint32_t)s->nx, x = tile % nx, most = 0;
    if (x > 0)
        most = max_u32(most, last[tile - 1]);
    if (x + 1 < nx)
        most = max_u32(most, last[tile + 1]);
    if (s->plane && tile >= nx)
        most = max_u32(most, last[tile - nx]);
    if (s->plane && tile + nx < s->tiles)
        most = max_u32(most, last[tile + nx]);
    return most;
}

/* Levels count from 1 here. A tile writes after its neighbours have read its previous strip, and
 * reads after they have written theirs. Its own turns alternate between reads and writes. */
static uint32_t find_levels(schedule_t *s, uint32_t count)
{
    uint32_t most = 0;
    memset(s->written, 0, 2 * (size_t)s->tiles * sizeof *s->written);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t tile = s->turn[i];
        bool reads = s->written[tile] >= s->read[tile];
        uint32_t own = max_u32(s->written[tile], s->read[tile]);
        uint32_t others = latest_neighbour(s, reads ? s->written : s->read, tile);
        s->level[i] = max_u32(own, others) + 1;
        (reads ? s->read : s->written)[tile] = s->level[i];
        most = max_u32(most, s->level[i]);
    }
    return most;
}

static void sort_by_level(schedule_t *s, uint32_t count)
{
    memset(s->start, 0, ((size_t)s->levels + 2) * sizeof *s->start);
    for (uint32_t i = 0; i < count; i++)
        s->start[s->level[i] + 1]++;
    for (uint32_t l = 2; l < s->levels + 2; l++)
        s->start[l] += s->start[l - 1];
    for (uint32_t i = 0; i < count; i++)
        s->by_level[s->start[s->level[i]]++] = s->turn[i];
}

static void sort_turns(schedule_t *s, uint32_t count)
{
    s->levels = find_levels(s, count);
    sort_by_level(s, count);
}

/* Set the order of a launch's turns and sort the first `count` into levels: a random order. */
static void draw(schedule_t *s, uint64_t stream, uint32_t count)
{
    uint32_t n = s->tiles * (uint32_t)s->turns;
    for (uint32_t i = 0; i < n; i++)
        s->turn[i] = i / (uint32_t)s->turns;
    shuffle(s->turn, n, stream);
    sort_turns(s, count);
}

/* The same for the order recorded from a run on another device: the tile of every sweep in order of
 * completion. A recorded sweep gives two turns: the write, and directly after it the read for the
 * next sweep. A tile's first sweep is preceded by the read at the start: three turns in all. */
static void replay(schedule_t *s, const uint32_t *order, uint32_t count)
{
    uint32_t *taken = s->read, n = 0; /* find_levels clears it again */
    memset(taken, 0, s->tiles * sizeof *taken);
    for (uint32_t i = 0; i < s->tiles * (uint32_t)s->turns / 2; i++) {
        uint32_t tile = order[i];
        uint32_t more = taken[tile] == 0 ? 3 : 2, remaining = (uint32_t)s->turns - taken[tile];
        more = more < remaining ? more : remaining;
        taken[tile] += more;
        while (more-- > 0)
            s->turn[n++] = tile;
    }
    sort_turns(s, count);
}

/* --- the tiles -------------------------------------------------------------------------------- */

/* The cells of an in-place sweep that are all read before one is written: a warp. */
#define GROUP 32

/* A tile's halo strips: its south and north row, its west and east column. */
enum { SOUTH, NORTH, WEST, EAST, NSIDE };

typedef struct scratch {
    schedule_t schedule;
    ss_tiling tiling;
    const ss_async_variant *variant;
    int sweeps;         /* per tile and launch */
    size_t size;        /* bytes of a value */
    int width, height;  /* of the largest tile, points */
    size_t copy, tile;  /* bytes of one copy of a tile with its halo; of all copies of a tile */
    char *copies;       /* all tiles; the halo outside the domain is always zero */
    size_t side[NSIDE]; /* byte offsets of the halo strips of a tile */
    size_t strip_bytes; /* all four strips of a tile */
    char *strips;       /* all tiles */
    int *turn;          /* the next turn of each tile */
    uint64_t stream;    /* the random-number stream of this launch */
    int team;           /* the most threads */
    size_t row, groups; /* per thread: bytes of new values, of a row or a group; groups of a tile */
    char *rows;         /* `row` bytes per thread */
    int *order;         /* `groups` numbers per thread */
    double *sum;        /* squared changes, per row of the field */
} scratch;

/* The tile that takes its turn. */
typedef struct tile {
    const ss_run *run;
    const ss_cpu_state *st;
    scratch *s;
    uint32_t index;
    int tx, ty, nx, ny;
    ss_span x, y;
    ptrdiff_t sy; /* row stride of a copy, elements */
} tile;

/* --- memory ----------------------------------------------------------------------------------- */

static void plan_tiles(const ss_run *run, scratch *s)
{
    const ss_cpu_state *st = run->state;
    size_t points;
    s->tiling = run->solver->tiling(&run->cfg, &run->problem);
    s->variant = ss_async_variant_of(&run->cfg);
    s->sweeps = run->iterations_per_cycle;
    s->size = ss_prec_size(run->prec);
    s->width = ss_min(s->tiling.x.block, st->box.nx);
    s->height = ss_min(s->tiling.y.block, st->box.ny);
    points = (size_t)(s->width + 2 * st->box.hx) * (size_t)(s->height + 2 * st->box.hy);
    s->copy = points * s->size;
    s->tile = (s->variant->in_place ? 1 : 2) * s->copy;
    s->side[SOUTH] = 0;
    s->side[NORTH] = (size_t)s->width * s->size;
    s->side[WEST] = 2 * (size_t)s->width * s->size;
    s->side[EAST] = s->side[WEST] + (size_t)s->height * s->size;
    s->strip_bytes = s->side[EAST] + (size_t)s->height * s->size;
    s->row =
        ((size_t)(st->box.nx > GROUP ? st->box.nx : GROUP) * s->size / SS_ALIGN + 2) * SS_ALIGN;
    s->groups = ((size_t)s->width * (size_t)s->height + GROUP - 1) / GROUP;
    s->team = ss_team_size(run, (double)st->box.nx * st->box.ny * s->sweeps);
}

static int allocate(ss_run *run, scratch *s, ss_err *err)
{
    const ss_cpu_state *st = run->state;
    size_t tiles = s->schedule.tiles, team = (size_t)s->team;
    s->copies = ss_cpu_alloc(run, tiles * s->tile, "the tiles", err);
    s->strips = ss_cpu_alloc(run, tiles * s->strip_bytes, "the halo strips", err);
    s->turn = ss_cpu_alloc(run, tiles * sizeof *s->turn, "the tiles' turns", err);
    s->rows = ss_cpu_alloc(run, team * s->row, "rows", err);
    s->order = ss_cpu_alloc(run, team * s->groups * sizeof *s->order, "groups", err);
    s->sum = ss_cpu_alloc(run, (size_t)st->box.ny * sizeof *s->sum, "row sums", err);
    return s->copies && s->strips && s->turn && s->rows && s->order && s->sum ? SS_OK : SS_FAIL;
}

static int prepare(ss_run *run, ss_err *err)
{
    scratch *s = run->scratch;
    plan_tiles(run, s);
    if (make_schedule(run, &s->schedule, s->tiling.x.count, s->tiling.y.count, run->eq->dim > 1,
                      2 * s->sweeps, err) != SS_OK ||
        ss_cpu_prepare_ages(run, err) != SS_OK)
        return SS_FAIL;
    return allocate(run, s, err);
}

/* --- addresses -------------------------------------------------------------------------------- */

static tile tile_at(const ss_run *run, uint32_t index)
{
    scratch *s = run->scratch;
    tile t = {.run = run, .st = run->state, .s = s, .index = index};
    t.tx = (int)(index % (uint32_t)s->tiling.x.count);
    t.ty = (int)(index / (uint32_t)s->tiling.x.count);
    t.x = ss_cut_span(s->tiling.x, t.tx);
    t.y = ss_cut_span(s->tiling.y, t.ty);
    t.nx = t.x.hi - t.x.lo;
    t.ny = t.y.hi - t.y.lo;
    t.sy = s->width + 2 * t.st->box.hx;
    return t;
}

/* The copy that holds the tile after this many sweeps. */
static char *copy_of(const tile *t, int sweeps)
{
    const scratch *s = t->s;
    int which = s->variant->in_place ? 0 : sweeps & 1;
    return s->copies + t->index * s->tile + (size_t)which * s->copy;
}

/* Point (i, j) of a copy. */
static char *point(const tile *t, char *copy, int i, int j)
{
    const ss_box *b = &t->st->box;
    return copy + ((j + b->hy) * t->sy + i + b->hx) * (ptrdiff_t)t->s->size;
}

/* The same point of a field. */
static char *field_point(const tile *t, void *field, int i, int j)
{
    return (char *)field + ss_cpu_at(t->st, t->x.lo + i, t->y.lo + j, 0) * t->s->size;
}

/* --- halo strips ------------------------------------------------------------------------------ */

/* Copies n values with strides of to_step and from_step bytes. */
static void copy_strided(char *to, ptrdiff_t to_step, const char *from, ptrdiff_t from_step, int n,
                         size_t size)
{
    if (to_step == (ptrdiff_t)size && from_step == (ptrdiff_t)size)
        memcpy(to, from, (size_t)n * size);
    else
        for (int i = 0; i < n; i++)
            memcpy(to + i * to_step, from + i * from_step, size);
}

/* A halo strip of the tile (neighbour 0), or of the tile whose index is larger by `neighbour`. */
static char *strip_of(const tile *t, ptrdiff_t neighbour, int side)
{
    return t->s->strips + (size_t)(t->index + neighbour) * t->s->strip_bytes + t->s->side[side];
}

/* Writes the outermost points of the tile to those of its halo strips that a neighbour reads.
 * `corner` is the address of the tile's first point, `stride` its row stride in bytes. */
static void write_strips(const tile *t, const char *corner, ptrdiff_t stride)
{
    ptrdiff_t size = (ptrdiff_t)t->s->size;
    const ss_tiling *tiles = &t->s->tiling;
    if (t->st->box.hy > 0 && t->ty > 0)
        copy_strided(strip_of(t, 0, SOUTH), size, corner, size, t->nx, t->s->size);
    if (t->st->box.hy > 0 && t->ty + 1 < tiles->y.count)
        copy_strided(strip_of(t, 0, NORTH), size, corner + (t->ny - 1) * stride, size, t->nx,
                     t->s->size);
    if (t->tx > 0)
        copy_strided(strip_of(t, 0, WEST), size, corner, stride, t->ny, t->s->size);
    if (t->tx + 1 < tiles->x.count)
        copy_strided(strip_of(t, 0, EAST), size, corner + (t->nx - 1) * size, stride, t->ny,
                     t->s->size);
}

/* Reads the neighbours' halo strips into the halo of a copy. */
static void read_halo(const tile *t, char *copy)
{
    ptrdiff_t size = (ptrdiff_t)t->s->size, stride = t->sy * size;
    int count = t->s->tiling.x.count;
    if (t->st->box.hy > 0 && t->ty > 0)
        copy_strided(point(t, copy, 0, -1), size, strip_of(t, -count, NORTH), size, t->nx,
                     t->s->size);
    if (t->st->box.hy > 0 && t->ty + 1 < t->s->tiling.y.count)
        copy_strided(point(t, copy, 0, t->ny), size, strip_of(t, count, SOUTH), size, t->nx,
                     t->s->size);
    if (t->tx > 0)
        copy_strided(point(t, copy, -1, 0), stride, strip_of(t, -1, EAST), size, t->ny, t->s->size);
    if (t->tx + 1 < count)
        copy_strided(point(t, copy, t->nx, 0), stride, strip_of(t, 1, WEST), size, t->ny,
                     t->s->size);
}

/* --- a turn ----------------------------------------------------------------------------------- */

/* Updates n points from (i, j) on in each of `rows` rows: from a copy to `out`. */
static void update(const tile *t, char *copy, int i, int j, int n, int rows, char *out,
                   ptrdiff_t out_sy)
{
    ss_sweep part = {.nx = n, .ny = rows, .nz = 1};
    part.in_sy = t->sy;
    part.rhs_sy = t->st->box.sy;
    part.out_sy = out_sy;
    t->run->eq->apply[t->run->prec](&t->run->coef, 0, point(t, copy, i, j),
                                    field_point(t, t->st->rhs, i, j), out, &part);
}

/* Updates cells [from, to) of the tile, numbered row by row. All are read before one is written. */
static void update_group(const tile *t, char *copy, int from, int to, char *values)
{
    for (int pass = 0; pass < 2; pass++)
        for (int c = from, n; c < to; c += n) {
            int i = c % t->nx, j = c / t->nx;
            char *here = values + (size_t)(c - from) * t->s->size;
            n = ss_min(t->nx - i, to - c);
            if (pass == 0)
                update(t, copy, i, j, n, 1, here, 0);
            else
                memcpy(point(t, copy, i, j), here, (size_t)n * t->s->size);
        }
}

/* One sweep in place, group by group, in a random order. */
static void update_in_place(const tile *t, char *copy, int sweep)
{
    scratch *s = t->s;
    size_t thread = (size_t)omp_get_thread_num();
    uint64_t index = t->index * (uint64_t)s->sweeps + (uint64_t)sweep;
    /* The complement keeps these indices apart from those of the scheduler's shuffle. */
    uint64_t stream = ss_random_u64(s->stream, ~index);
    int *order = s->order + thread * s->groups, cells = t->nx * t->ny;
    int groups = (cells + GROUP - 1) / GROUP;
    for (int g = 0; g < groups; g++) { /* Fisher-Yates, inside-out variant */
        uint32_t j = ss_random_below(stream, (uint64_t)g, (uint32_t)g + 1);
        order[g] = order[j];
        order[j] = g;
    }
    for (int g = 0; g < groups; g++)
        update_group(t, copy, order[g] * GROUP, ss_min((order[g] + 1) * GROUP, cells),
                     s->rows + thread * s->row);
}

static void copy_rows(const tile *t, char *to, ptrdiff_t to_sy, const char *from, ptrdiff_t from_sy)
{
    for (int j = 0; j < t->ny; j++)
        memcpy(to + j * to_sy * (ptrdiff_t)t->s->size, from + j * from_sy * (ptrdiff_t)t->s->size,
               (size_t)t->nx * t->s->size);
}

/* The turn before sweep `sweep`, from 0. The first loads the tile and the halo of each copy; later
 * ones the halo of the copy that is read next. */
static void read_turn(const tile *t, int sweep)
{
    char *copy = copy_of(t, sweep);
    if (sweep == 0) {
        copy_rows(t, point(t, copy, 0, 0), t->sy, field_point(t, t->st->u[t->st->cur], 0, 0),
                  t->st->box.sy);
        read_halo(t, copy_of(t, 1));
    }
    if (sweep == 0 || t->s->variant->exchange)
        read_halo(t, copy);
}

/* The turn of sweep `sweep`. The last one writes to the new field; its halo strips are not read. */
static void sweep_turn(const tile *t, int sweep)
{
    char *copy = copy_of(t, sweep), *next = copy_of(t, sweep + 1);
    if (sweep + 1 == t->s->sweeps) {
        char *out = field_point(t, t->st->u[1 - t->st->cur], 0, 0);
        update(t, copy, 0, 0, t->nx, t->ny, out, t->st->box.sy);
        return;
    }
    if (t->s->variant->in_place)
        update_in_place(t, copy, sweep);
    else
        update(t, copy, 0, 0, t->nx, t->ny, point(t, next, 0, 0), t->sy);
    if (t->s->variant->exchange)
        write_strips(t, point(t, next, 0, 0), t->sy * (ptrdiff_t)t->s->size);
}

static void take_turn(const ss_run *run, uint32_t index)
{
    tile t = tile_at(run, index);
    int turn = t.s->turn[index]++;
    (turn % 2 ? sweep_turn : read_turn)(&t, turn / 2);
}

/* --- a launch --------------------------------------------------------------------------------- */

/* Initialises a launch: no turns taken, the halo strips of the old field. */
static void begin_launch(const ss_run *run)
{
    scratch *s = run->scratch;
    const ss_cpu_state *st = run->state;
    memset(s->turn, 0, s->schedule.tiles * sizeof *s->turn);
#pragma omp parallel for num_threads(ss_team_size(run, (double)st->box.nx * st->box.ny))
    for (int64_t i = 0; i < (int64_t)s->schedule.tiles; i++) {
        tile t = tile_at(run, (uint32_t)i);
        write_strips(&t, field_point(&t, st->u[st->cur], 0, 0), st->box.sy * (ptrdiff_t)s->size);
    }
    s->stream = ss_schedule_stream(run->problem.seed, run->cycle);
}

/* The number of threads for this many turns; every second turn is a sweep. */
static int team_for(const ss_run *run, int64_t turns)
{
    const scratch *s = run->scratch;
    return ss_min(ss_team_size(run, (double)turns * s->width * s->height / 2), s->team);
}

/* Takes the first `count` turns. Returns false if the app interrupted it. */
static bool take_turns(const ss_run *run, uint32_t count, bool may_stop)
{
    scratch *s = run->scratch;
    const ss_cpu_state *st = run->state;
    const schedule_t *c = &s->schedule;
    begin_launch(run);
    if (st->orders == s->schedule.tiles * (size_t)s->sweeps)
        replay(&s->schedule, st->order, count);
    else
        draw(&s->schedule, s->stream, count);
    for (uint32_t l = 0; l < c->levels; l++) {
        int64_t from = c->start[l], to = c->start[l + 1];
        if (may_stop && ss_run_abandoned(run))
            return false;
#pragma omp parallel for num_threads(team_for(run, to - from)) schedule(static)
        for (int64_t i = from; i < to; i++)
            take_turn(run, c->by_level[i]);
    }
    return true;
}

/* Records the sweeps that each tile had done after the first `count` turns: the layer AGE. */
static void record_ages(const ss_run *run, uint32_t count)
{
    const scratch *s = run->scratch;
    const ss_cpu_state *st = run->state;
    memset(st->age, 0, s->schedule.tiles * sizeof *st->age);
    for (uint32_t i = 0; i < count; i++)
        st->age[s->schedule.turn[i]]++;
    for (uint32_t i = 0; i < s->schedule.tiles; i++)
        st->age[i] /= 2;
}

static double norm(const ss_run *run)
{
    const scratch *s = run->scratch;
    return ss_cpu_rows_norm(run, s->sum);
}

static uint32_t all_turns(const ss_run *run)
{
    const scratch *s = run->scratch;
    return s->schedule.tiles * (uint32_t)s->schedule.turns;
}

/* The norm is a separate sweep, because the tiles' first sweeps use halos of different ages. At the
 * end of a launch all tiles have done equally many sweeps. Pictures show the ages in the middle of
 * it. */
static bool cycle(ss_run *run, bool check)
{
    const scratch *s = run->scratch;
    const ss_cpu_state *st = run->state;
    if (check)
        ss_cpu_sum_rows(run, st->u[st->cur], s->sum, s->rows, s->row);
    if (!take_turns(run, all_turns(run), true))
        return false;
    record_ages(run, all_turns(run) / 2);
    return true;
}

/* Copies the tile's present values to the new field. */
static void store_tile(const tile *t)
{
    const ss_cpu_state *st = t->st;
    int turn = t->s->turn[t->index];
    char *out = field_point(t, st->u[1 - st->cur], 0, 0);
    if (turn == 0)
        copy_rows(t, out, st->box.sy, field_point(t, st->u[st->cur], 0, 0), st->box.sy);
    else if (turn < t->s->schedule.turns)
        copy_rows(t, out, st->box.sy, point(t, copy_of(t, turn / 2), 0, 0), t->sy);
}

/* The next launch, stopped after the number of turns of `ticks` sweeps. Some tiles have then done
 * more sweeps than others; each shows its present values. */
static bool peek(ss_run *run, int ticks)
{
    const scratch *s = run->scratch;
    uint32_t count = s->schedule.tiles * 2 * (uint32_t)ticks;
    take_turns(run, count, false);
    record_ages(run, count);
    for (uint32_t i = 0; i < s->schedule.tiles; i++) {
        tile t = tile_at(run, i);
        store_tile(&t);
    }
    return true;
}

static const ss_cpu_schedule schedule = {
    .scratch = sizeof(scratch), .prepare = prepare, .cycle = cycle, .norm = norm, .peek = peek};

const ss_engine_ops ss_cpu_async = {
    SS_CPU_TICKS("async", &schedule),
    .caps = SS_CAP_EXACT | SS_CAP_TICK | SS_CAP_TILES | SS_CAP_AGE,
};
