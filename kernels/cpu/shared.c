/*
 * Hierarchical Jacobi (temporal blocking) on the CPU: a thread does k subiterations of a tile in
 * private memory, with a frozen halo, and writes back the points that the tile owns. The first
 * subiteration reads the field, each of them reads the right-hand side where it lies.
 * kernels/geom/tiles.h defines the points; kernels/solver/tiled.c counts the cost.
 *
 * The k subiterations run as a wave over the rows (time skewing): as soon as a few rows have been
 * updated once, the rows below them are updated a second time, and so on. Private memory holds the
 * rows of the wave and a few more, so that they stay in the cache, whatever the height of the tile;
 * where it can, a subiteration overwrites the values that it reads (struct tile).
 * A point on which no stored point depends is not updated. Every other update has the same operands
 * as in k whole sweeps. Engine thread; each cycle is an OpenMP region.
 */
#include <math.h>
#include <omp.h>
#include <string.h>

#include "kernels/cpu/simd/machine.h"
#include "kernels/cpu/simd/norm.h"
#include "kernels/cpu/state.h"
#include "kernels/solver/schedules.h"

/* The memory that one subiteration touches before the next one follows: most of an L1 cache. Its
 * rows are a multiple of those that box.h updates at once. */
#define WAVE_BYTES 28672
#define WAVE_ROWS 4
/* The rows of a buffer, in those that the wave needs at a time: the more, the more rarely they are
 * moved. */
#define WINDOWS 4

/* Typical mistakes of such programs, to be found by their pictures (lessons/15-break-it.md). The
 * parameter `fault` selects a row. */
typedef struct mistake {
    bool halo_is_lost; /* the halo is not copied: private memory has zeros there */
    bool too_early;    /* no barrier before the store: half a tile lags by one subiteration */
    int short_by;      /* off by one: no tile owns the last columns of a tile */
} mistake;

static const char *const names_of_mistakes[] = {"none", "a", "b", "c", NULL};
static const mistake mistakes[] = {
    {false, false, 0}, {.halo_is_lost = true}, {.too_early = true}, {.short_by = 1}};

// clang-format off
static ss_param params[] = {
    {SS_ROW_CHOICE("fault", "Method", names_of_mistakes, NULL), .flags = SS_P_LIVE,
     .help = "a deliberate mistake, to be found by its picture (lesson 15)"},
    SS_RANKS_ROWS,
};
// clang-format on

/* The layout of a private tile, in elements; the same for all tiles. */
typedef struct tile_shape {
    int nx, ny;      /* points of the largest tile */
    int rows;        /* that a buffer holds at a time, without the halo */
    ptrdiff_t sy;    /* row stride */
    ptrdiff_t shift; /* in place: a level lies so far before the level that it is computed from */
    int buffers;     /* 1: in place; 2: levels alternate, shift is 0 */
    size_t first;    /* index of point (0, 0) of level 0 */
    size_t count;    /* size of a buffer */
    int wave;        /* rows per subiteration before the next one follows */
} tile_shape;

/*
 * The tile being computed. Level s is its state after s subiterations; level 0 is the old field
 * itself. In place, row j of level s lies where row j - 1 of level s - 1 did, and one cache line
 * before it. An update may go through one row, or through several rows side by side, with vectors
 * of a line at most, if it takes the rows and the points in ascending order: what it overwrites, no
 * later update of this level reads. With two buffers, level s lies in u[s & 1].
 */
typedef struct tile {
    const ss_run *run;
    const ss_cpu_state *st;
    const struct scratch *scratch;
    const tile_shape *shape;
    ss_span x, y;
    int nx, ny, k;
    int base;        /* the tile's row that is row 0 of the buffers */
    size_t size;     /* bytes of a value */
    char *u[2];      /* private; in place, u[0] is u[1] */
    double *row_sum; /* one per row; NULL: no norm requested */
} tile;

typedef struct scratch {
    ss_tiling tiling;
    tile_shape shape;
    int k, team;
    const mistake *mistake;
    size_t bytes; /* private memory per thread */
    char *memory; /* team * bytes */
    double *sum;  /* squared changes, per tile */
} scratch;

/* --- memory ----------------------------------------------------------------------------------- */

/* The rows of which WAVE_BYTES hold so many arrays. */
static int wave_rows(ptrdiff_t row_bytes, int arrays)
{
    int rows = (int)(WAVE_BYTES / (arrays * row_bytes));
    return rows > WAVE_ROWS ? rows / WAVE_ROWS * WAVE_ROWS : WAVE_ROWS;
}

/* A store that comes too early reads a level that is overwritten in place. The rows of a line,
 * which has no halo above it, would overwrite themselves. A tile of one wave is in the L1 cache
 * anyway, and with two buffers each has its halo for all levels. */
static bool in_place(const ss_run *run, const scratch *s, int ny, ptrdiff_t row_bytes)
{
    const ss_cpu_state *st = run->state;
    return !s->mistake->too_early && st->box.hy > 0 && ny > wave_rows(row_bytes, 3);
}

static tile_shape shape_of(const ss_run *run, const scratch *own)
{
    const ss_cpu_state *st = run->state;
    const ss_tiling *tiling = &own->tiling;
    ptrdiff_t size = (ptrdiff_t)ss_prec_size(run->prec), line = SS_ALIGN / size;
    int hx = st->box.hx, hy = st->box.hy, k = run->ticks_per_cycle;
    tile_shape s;
    s.nx = tiling->x.block < st->box.nx ? tiling->x.block : st->box.nx;
    s.ny = tiling->y.block < st->box.ny ? tiling->y.block : st->box.ny;
    s.sy = ((line + s.nx + 2 * hx + line - 1) / line | 1) * line;
    s.buffers = in_place(run, own, s.ny, s.sy * size) ? 1 : 2;
    s.shift = s.buffers == 1 ? hy * s.sy + line : 0;
    s.first = (size_t)(line + hy * s.sy + k * s.shift);
    s.wave = wave_rows(s.sy * size, s.buffers + 1);
    s.rows = WINDOWS * ((k + 1) * hy + s.wave);
    s.rows = s.rows < s.ny ? s.rows : s.ny;
    s.count = s.first + (size_t)((s.rows + hy) * s.sy + line);
    return s;
}

/* The memory of thread t: the buffers, and one sum per row. */
static void tile_memory(const scratch *s, int t, size_t size, tile *out)
{
    char *p = s->memory + (size_t)t * s->bytes;
    size_t buffer = s->shape.count * size;
    out->u[0] = p + s->shape.first * size;
    out->u[1] = out->u[0] + (size_t)(s->shape.buffers - 1) * buffer;
    out->row_sum = (double *)(void *)(p + (size_t)s->shape.buffers * buffer);
}

static int allocate(ss_run *run, scratch *s, ss_err *err)
{
    size_t size = ss_prec_size(run->prec);
    size_t bytes = (size_t)s->shape.buffers * s->shape.count * size;
    size_t tiles = (size_t)s->tiling.x.count * (size_t)s->tiling.y.count;
    bytes += (size_t)s->shape.ny * sizeof(double);
    s->bytes = (bytes + SS_ALIGN - 1) / SS_ALIGN * SS_ALIGN;
    s->memory =
        ss_cpu_own(run, ss_memory_untouched((size_t)s->team * s->bytes, "the threads' tiles", err));
    s->sum = ss_cpu_alloc(run, tiles * sizeof *s->sum, "sums of the tiles", err);
    if (!s->memory || !s->sum)
        return SS_FAIL;
#pragma omp parallel num_threads(s->team)
    memset(s->memory + (size_t)omp_get_thread_num() * s->bytes, 0, s->bytes);
    return SS_OK;
}

static int prepare(ss_run *run, ss_err *err)
{
    const ss_cpu_state *st = run->state;
    scratch *s = run->scratch;
    s->tiling = run->solver->tiling(&run->cfg, &run->problem);
    s->mistake = &mistakes[ss_config_int(&run->cfg, "fault")];
    s->shape = shape_of(run, s);
    s->k = run->ticks_per_cycle;
    double tiles = (double)s->tiling.x.count * s->tiling.y.count;
    s->team = ss_team_size(run, (double)st->box.nx * st->box.ny * s->k);
    if (s->team > tiles)
        s->team = (int)tiles;
    return allocate(run, s, err);
}

/* --- one tile --------------------------------------------------------------------------------- */

/* Row j of level s in private memory. */
static char *level_row(const tile *t, int s, int j)
{
    return t->u[s & 1] + ((j - t->base) * t->shape->sy - s * t->shape->shift) * (ptrdiff_t)t->size;
}

/* Row j of the tile in a field, at the tile's first column. */
static char *field_row(const tile *t, void *field, int j)
{
    return (char *)field + ss_cpu_at(t->st, t->x.lo, t->y.lo + j, 0) * t->size;
}

/* Row j of level s - 1, from which level s is computed: level 0 is read from the field. *sy: values
 * from row to row. */
static const char *row_before(const tile *t, int s, int j, ptrdiff_t *sy)
{
    *sy = s == 1 ? t->st->box.sy : t->shape->sy;
    return s == 1 ? field_row(t, t->st->u[t->st->cur], j) : level_row(t, s - 1, j);
}

/* Subiteration s of points [x0, x1) of rows [j0, j1). sum: NULL, or one per row, to which the
 * squared changes are added. */
static void update(const tile *t, int s, int x0, int x1, int j0, int j1, double *sum)
{
    if (x1 <= x0)
        return;
    ptrdiff_t from_sy, at = x0 * (ptrdiff_t)t->size;
    const char *in = row_before(t, s, j0, &from_sy);
    ss_sweep part = {
        .nx = x1 - x0,
        .ny = j1 - j0,
        .nz = 1,
        .in_sy = from_sy,
        .rhs_sy = t->st->box.sy,
        .out_sy = t->shape->sy,
        .sum = sum,
    };
    t->run->eq->apply[t->run->prec](&t->run->coef, 0, in + at, field_row(t, t->st->rhs, j0) + at,
                                    level_row(t, s, j0) + at, &part);
}

/* Stores points [x0, x1) of row j, of level s, to a field. */
static void store_part(const tile *t, void *field, int x0, int x1, int j, int s)
{
    size_t skip = (size_t)x0 * t->size, bytes = (size_t)(x1 - x0) * t->size;
    char *to = field_row(t, field, j) + skip;
    const char *from = level_row(t, s, j) + skip;
    if (t->st->stream)
        ss_stream_copy(to, from, bytes);
    else
        memcpy(to, from, bytes);
}

/* Stores the points of row j that the tile owns, of the last level, to the new field. */
static void store_row(const tile *t, int j)
{
    int x0 = t->x.wlo - t->x.lo, x1 = t->x.whi - t->x.lo;
    void *field = t->st->u[1 - t->st->cur];
    bool last = t->x.whi == t->st->box.nx;
    x1 -= last ? 0 : t->scratch->mistake->short_by;
    bool lags = t->scratch->mistake->too_early && t->k > 1;
    int split = lags ? (x0 + x1) / 2 : x0; /* points before it lag */
    if (split > x0)
        store_part(t, field, x0, split, j, t->k - 1);
    store_part(t, field, split, x1, j, t->k);
}

/* The points of level s that the stored ones depend on: one halo more on each side for each
 * subiteration that is still to come. The others need no update. */
static ss_span needed(const tile *t, ss_span d, int halo, int s)
{
    int reach = (t->k - s) * halo;
    d.lo = d.wlo - reach > d.lo ? d.wlo - reach : d.lo;
    d.hi = d.whi + reach < d.hi ? d.whi + reach : d.hi;
    return d;
}

/* Level 1 with row sums of the squared changes of the points that the tile owns only:
 * each point of the field counts once. */
static void update_sum(const tile *t, int x0, int x1, int j0, int j1)
{
    int own0 = t->x.wlo - t->x.lo, own1 = t->x.whi - t->x.lo;
    update(t, 1, x0, own0, j0, j1, NULL);
    update(t, 1, own0, own1, j0, j1, t->row_sum + j0);
    update(t, 1, own1, x1, j0, j1, NULL);
    for (int j = j0; j < j1; j++)
        if (t->y.lo + j < t->y.wlo || t->y.lo + j >= t->y.whi)
            t->row_sum[j] = 0;
}

/* Subiteration s of rows [j0, j1): the points needed, in whole cache lines. */
static void update_rows(const tile *t, int s, int j0, int j1)
{
    int line = SS_ALIGN / (int)t->size;
    ss_span x = needed(t, t->x, t->st->box.hx, s);
    int x0 = (x.lo - t->x.lo) / line * line, x1 = (x.hi - t->x.lo + line - 1) / line * line;
    x1 = x1 < t->nx ? x1 : t->nx;
    if (s == 1 && t->row_sum)
        update_sum(t, x0, x1, j0, j1);
    else
        update(t, s, x0, x1, j0, j1, NULL);
}

/* A halo of one point, as most are, is copied without a call. */
static inline void copy_points(char *to, const char *from, size_t bytes)
{
    if (bytes == sizeof(double))
        memcpy(to, from, sizeof(double));
    else if (bytes == sizeof(float))
        memcpy(to, from, sizeof(float));
    else
        memcpy(to, from, bytes);
}

/* Points [x0, x1) of rows [j0, j1) of level s lie in the halo: they keep the field's values. */
static void freeze(const tile *t, int s, int x0, int x1, int j0, int j1)
{
    ptrdiff_t size = (ptrdiff_t)t->size, at = x0 * size;
    size_t bytes = (size_t)((x1 - x0) * size);
    char *to = level_row(t, s, j0) + at;
    const char *from = field_row(t, t->st->u[t->st->cur], j0) + at;
    for (int j = j0; j < j1; j++, to += t->shape->sy * size, from += t->st->box.sy * size)
        if (t->scratch->mistake->halo_is_lost)
            memset(to, 0, bytes);
        else
            copy_points(to, from, bytes);
}

/* The halo beside rows [j0, j1) of level s, as far as level s + 1 reads it. Of two buffers each has
 * it after two levels. */
static void freeze_halo(const tile *t, int s, int j0, int j1)
{
    int hx = t->st->box.hx, hy = t->st->box.hy;
    ss_span x = needed(t, t->x, hx, s + 1), y = needed(t, t->y, hy, s + 1);
    if (s == t->k || (t->shape->buffers == 2 && s > 2))
        return;
    if (x.lo == t->x.lo)
        freeze(t, s, -hx, 0, j0, j1);
    if (x.hi == t->x.hi)
        freeze(t, s, t->nx, t->nx + hx, j0, j1);
    if (y.lo == t->y.lo && j0 == 0)
        freeze(t, s, 0, t->nx, -hy, 0);
    if (y.hi == t->y.hi && j1 == t->ny)
        freeze(t, s, 0, t->nx, t->ny, t->ny + hy);
}

/* Subiteration s of the next `wave` rows. It lags behind subiteration s - 1 by the width of the
 * halo, because it reads the rows above its own. */
static void update_wave(const tile *t, int s, int front)
{
    ss_span y = needed(t, t->y, t->st->box.hy, s);
    int j0 = front - (s - 1) * t->st->box.hy, j1 = j0 + t->shape->wave;
    j0 = j0 > y.lo - t->y.lo ? j0 : y.lo - t->y.lo;
    j1 = j1 < y.hi - t->y.lo ? j1 : y.hi - t->y.lo;
    if (j0 >= j1)
        return;
    update_rows(t, s, j0, j1);
    freeze_halo(t, s, j0, j1);
    for (int j = j0; s == t->k && j < j1; j++)
        store_row(t, j);
}

/* Makes room in the buffers for the rows up to `last`: what levels 1 to k - 1 still need, from
 * their row `first` on, moves to the start. */
static void move_rows(tile *t, int first, int loaded, int last)
{
    int hy = t->st->box.hy, s = t->k - 1;
    size_t halo = (size_t)t->st->box.hx * t->size;
    size_t bytes = (size_t)((loaded - first) * t->shape->sy + s * t->shape->shift) * t->size;
    if (last - hy < t->base + t->shape->rows)
        return;
    for (int i = 0; i < t->shape->buffers; i++)
        memmove(level_row(t, s - i, t->base - hy) - halo, level_row(t, s - i, first) - halo, bytes);
    t->base = first + hy;
}

/* Prefetches the rows of the next wave while this one is computed: after each subiteration a k-th
 * part of their cache lines. The processor does not do it by itself, because each row of a tile is
 * in another page. Inlined: GCC removes calls of a function that only prefetches. */
__attribute__((always_inline)) static inline void fetch_next(const tile *t, int s, int front)
{
    int wave = t->shape->wave, from = front + wave;
    ptrdiff_t bytes = t->nx * (ptrdiff_t)t->size;
    for (int j = from; j < from + wave && j < t->ny; j++) {
        const char *in = field_row(t, t->st->u[t->st->cur], j + t->st->box.hy);
        const char *rhs = field_row(t, t->st->rhs, j);
        for (ptrdiff_t at = (s - 1) * SS_ALIGN; at < bytes; at += t->k * SS_ALIGN) {
            __builtin_prefetch(in + at, 0, 2);
            __builtin_prefetch(rhs + at, 0, 2);
        }
    }
}

static void run_tile(tile *t)
{
    int hy = t->st->box.hy, loaded = 0, wave = t->shape->wave;
    for (int front = 0; front < t->ny + (t->k - 1) * hy; front += wave) {
        int end = front + wave < t->ny ? front + wave : t->ny;
        if (loaded < end)
            move_rows(t, front - t->k * hy, loaded, end + hy - 1);
        loaded = end;
        for (int s = 1; s <= t->k; s++) {
            update_wave(t, s, front);
            if (t->st->stream)
                fetch_next(t, s, front);
        }
    }
}

/* --- one cycle -------------------------------------------------------------------------------- */

static void compute_tile(const ss_run *run, int64_t index, int thread, int k, bool check)
{
    const scratch *s = run->scratch;
    int tx = (int)(index % s->tiling.x.count), ty = (int)(index / s->tiling.x.count);
    tile t = {.run = run, .st = run->state, .scratch = s, .shape = &s->shape, .k = k};
    t.size = ss_prec_size(run->prec);
    t.x = ss_cut_span(s->tiling.x, tx);
    t.y = ss_cut_span(s->tiling.y, ty);
    t.nx = t.x.hi - t.x.lo;
    t.ny = t.y.hi - t.y.lo;
    tile_memory(s, thread, t.size, &t);
    if (check)
        memset(t.row_sum, 0, (size_t)t.ny * sizeof *t.row_sum);
    else
        t.row_sum = NULL;
    run_tile(&t);
    if (check)
        s->sum[index] = ss_tree_sum(t.row_sum, (size_t)t.ny);
}

/* The dynamic schedule balances processors of different speed; the result does not depend on it. */
static bool pass(const ss_run *run, int k, bool check)
{
    const scratch *s = run->scratch;
    int64_t tiles = (int64_t)s->tiling.x.count * s->tiling.y.count;
    int dropped = 0;
#pragma omp parallel num_threads(s->team) reduction(| : dropped)
    {
#pragma omp for schedule(dynamic)
        for (int64_t i = 0; i < tiles; i++) {
            dropped = dropped || (i > 0 && ss_run_abandoned(run));
            if (!dropped)
                compute_tile(run, i, omp_get_thread_num(), k, check);
        }
        ss_stream_done();
    }
    return !dropped;
}

static double norm(const ss_run *run)
{
    const scratch *s = run->scratch;
    size_t tiles = (size_t)s->tiling.x.count * (size_t)s->tiling.y.count;
    return run->coef.residual * sqrt(ss_tree_sum(s->sum, tiles));
}

static bool cycle(ss_run *run, bool check)
{
    const scratch *s = run->scratch;
    return pass(run, s->k, check);
}

/* The state of a cycle after some subiterations is the result of a cycle with k = ticks. */
static bool peek(ss_run *run, int ticks)
{
    pass(run, ticks, false);
    return true;
}

static const ss_cpu_schedule schedule = {
    .scratch = sizeof(scratch), .prepare = prepare, .cycle = cycle, .norm = norm, .peek = peek};

const ss_engine_ops ss_cpu_shared = {
    SS_CPU_TICKS("shared", &schedule),
    .caps = SS_CAP_EXACT | SS_CAP_TICK | SS_CAP_TILES,
    SS_PARAMS(params),
};
