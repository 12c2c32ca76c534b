/* The seeded scheduler: see state.h. */
#include "kernels/cpu/state.h"

#include <stdlib.h>
#include <string.h>

int ss_schedule_make(ss_schedule *s, int nx, int ny, bool plane, int turns, ss_err *err)
{
    double all = (double)nx * ny * turns;
    *s = (ss_schedule){.nx = nx, .ny = ny, .plane = plane, .turns = turns};
    if (all >= (double)UINT32_MAX)
        return ss_fail(err, "block: %.0f tiles are too many to shuffle: choose larger tiles",
                       (double)nx * ny);
    s->tiles = (uint32_t)nx * (uint32_t)ny;
    size_t n = (size_t)s->tiles * (size_t)turns;
    uint32_t *memory = ss_alloc((4 * n + 2 + 2 * (size_t)s->tiles) * sizeof *memory,
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

void ss_schedule_free(ss_schedule *s)
{
    free(s->turn);
    s->turn = NULL;
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
static uint32_t latest_neighbour(const ss_schedule *s, const uint32_t *last, uint32_t tile)
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
static uint32_t find_levels(ss_schedule *s, uint32_t count)
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

static void sort_by_level(ss_schedule *s, uint32_t count)
{
    memset(s->start, 0, ((size_t)s->levels + 2) * sizeof *s->start);
    for (uint32_t i = 0; i < count; i++)
        s->start[s->level[i] + 1]++;
    for (uint32_t l = 2; l < s->levels + 2; l++)
        s->start[l] += s->start[l - 1];
    for (uint32_t i = 0; i < count; i++)
        s->by_level[s->start[s->level[i]]++] = s->turn[i];
}

static void sort_turns(ss_schedule *s, uint32_t count)
{
    s->levels = find_levels(s, count);
    sort_by_level(s, count);
}

void ss_schedule_draw(ss_schedule *s, uint64_t stream, uint32_t count)
{
    uint32_t n = s->tiles * (uint32_t)s->turns;
    for (uint32_t i = 0; i < n; i++)
        s->turn[i] = i / (uint32_t)s->turns;
    shuffle(s->turn, n, stream);
    sort_turns(s, count);
}

/* A recorded sweep gives two turns: the write, and directly after it the read for the next sweep.
 * A tile's first sweep is preceded by the read at the start: three turns in all. */
void ss_schedule_replay(ss_schedule *s, const uint32_t *order, uint32_t count)
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
