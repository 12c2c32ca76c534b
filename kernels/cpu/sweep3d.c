/*
 * Classic Jacobi on patches of cells: a sweep from the old array into the new one, then a halo
 * exchange. The work is divided into chunks of planes and strips of rows so narrow that the three
 * planes that a cell needs fit the cache. Engine thread; each sweep is an OpenMP region.
 */
#include "src/base/common.h"
#include "kernels/block/smooth.h"
#include "kernels/cpu/state.h"
#include "kernels/cpu/simd/machine.h"

#define STRIP_BYTES 262144 /* per strip and plane; four of them fit an L2 cache */
#define CHUNKS 8           /* the fewest per thread, if there are enough planes */

/* Rows [y0, y1) of planes [z0, z1) of a patch. `row` is the index of the patch's first row sum. */
typedef struct chunk {
    int patch, y0, y1, z0, z1;
    size_t row;
} chunk;

typedef struct scratch {
    chunk *chunk;
    size_t chunks;
    double *sum; /* squared residuals, per row */
    int team;
} scratch;

static int strip_rows(const ss_run *run, const ss_box *b)
{
    double rows = STRIP_BYTES / ((double)b->sy * (double)ss_prec_size(run->prec));
    return rows < 8 ? 8 : rows < b->ny ? (int)rows : b->ny;
}

/* The planes per chunk: so few that each thread has several chunks, but at least 4. */
static int chunk_planes(const ss_cpu_state *st, const ss_box *b, int team)
{
    int wanted = (CHUNKS * team + st->patches - 1) / st->patches;
    int planes = (b->nz + wanted - 1) / wanted;
    return planes < 4 ? 4 : planes;
}

/* Divides the patches into chunks and returns their number; out may be NULL. */
static size_t divide(const ss_run *run, int team, chunk *out)
{
    const ss_cpu_state *st = run->state;
    size_t n = 0, row = 0;
    for (int q = 0; q < st->patches; q++) {
        const ss_box *b = &st->patch[q].box;
        int rows = strip_rows(run, b), planes = chunk_planes(st, b, team);
        for (int z = 0; z < b->nz; z += planes)
            for (int y = 0; y < b->ny; y += rows, n++)
                if (out)
                    out[n] =
                        (chunk){q, y, ss_min(y + rows, b->ny), z, ss_min(z + planes, b->nz), row};
        row += (size_t)b->ny * (size_t)b->nz;
    }
    return n;
}

static int prepare(ss_run *run, ss_err *err)
{
    const ss_cpu_state *st = run->state;
    scratch *s = run->scratch;
    s->team = ss_team_size(run, (double)st->box.nx * st->box.ny * st->box.nz);
    s->chunks = divide(run, s->team, NULL);
    s->chunk = ss_cpu_alloc(run, s->chunks * sizeof *s->chunk, "chunks of patches", err);
    s->sum = ss_cpu_alloc(run, ss_cpu_rows(run) * sizeof *s->sum, "sums of the rows", err);
    if (!s->chunk || !s->sum)
        return SS_FAIL;
    divide(run, s->team, s->chunk);
    return SS_OK;
}

static void sweep_chunk(const ss_run *run, const chunk *c, bool check)
{
    const ss_cpu_state *st = run->state;
    const scratch *s = run->scratch;
    const ss_box *b = &st->patch[c->patch].box;
    for (int z = c->z0; z < c->z1; z++)
        ss_smooth_sweep(b, run->prec, st->u[st->cur], st->rhs, st->u[1 - st->cur],
                        z * b->ny + c->y0, z * b->ny + c->y1, check ? s->sum + c->row : NULL);
}

/* Returns false if the app interrupted it. */
static bool cycle(ss_run *run, bool check)
{
    const ss_cpu_state *st = run->state;
    const scratch *s = run->scratch;
    int dropped = 0;
#pragma omp parallel for num_threads(s->team) schedule(static) reduction(| : dropped)
    for (size_t i = 0; i < s->chunks; i++) {
        dropped |= ss_run_abandoned(run);
        if (!dropped)
            sweep_chunk(run, &s->chunk[i], check);
    }
    double start = ss_clock();
    if (!dropped)
        ss_cpu_exchange(run, st->u[1 - st->cur]);
    run->seconds_ghosts += ss_clock() - start;
    return !dropped;
}

static double norm(const ss_run *run)
{
    const scratch *s = run->scratch;
    return ss_cpu_rows_norm(run, s->sum);
}

static const ss_cpu_schedule schedule = {
    .scratch = sizeof(scratch), .prepare = prepare, .cycle = cycle, .norm = norm};

const ss_engine_ops ss_cpu_sweep3d = {SS_CPU_CYCLES("jacobi", &schedule), .caps = SS_CAP_EXACT};
