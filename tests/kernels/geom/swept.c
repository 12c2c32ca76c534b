/* Properties of the swept rule's geometry over many sizes: one node computes every point of every
 * level once; ss_swept_diamond and ss_swept_node agree on which; and two arrays are enough, in any
 * order of the nodes of a diamond. */
#include <stdlib.h>

#include "kernels/geom/tiles.h"
#include "kernels/geom/swept.h"
#include "tests/check.h"

/* The levels that the two arrays hold, point by point. */
typedef struct arrays {
    int64_t *level[2];
    ss_swept s;
    ss_bc bc;
    int64_t computed; /* points of levels */
} arrays;

static int wrapped(int i, int n)
{
    return i < 0 ? i + n : i >= n ? i - n : i;
}

/* True if the arrays hold what a point needs: its neighbours one level down and, for a second
 * stage, its own value two levels down. */
static void compute(arrays *a, int64_t level, int i)
{
    const int64_t *in = a->level[(level - 1) & 1];
    int64_t *out = a->level[level & 1];
    for (int k = -a->s.radius; k <= a->s.radius; k++) {
        int from = ss_end_source(a->bc, a->s.n, i + k);
        CHECK_MSG(in[from] == level - 1, "n %d block %d radius %d: level %lld of point %d finds %d",
                  a->s.n, a->s.block, a->s.radius, (long long)level, i, (int)in[from]);
    }
    CHECK(level == 1 || out[i] == level - 2);
    out[i] = level;
    a->computed++;
}

static void advance_node(arrays *a, int64_t d, int node, int64_t last)
{
    ss_swept s = a->s;
    for (int l = ss_swept_first(s, d); l < ss_swept_end(s, d, last); l++)
        for (int i = ss_swept_lo(s, l); i < ss_swept_hi(s, l); i++) {
            int point = wrapped(ss_swept_origin(s, d, node) + i, s.n);
            int64_t level = ss_swept_level(s, d, l);
            CHECK_INT(ss_swept_diamond(s, level, point), d);
            CHECK_INT(ss_swept_node(s, d, point), node);
            compute(a, level, point);
        }
}

/* Nodes from the left, from the right, and the odd ones last. */
static int order(int way, int j, int count)
{
    int half = (count + 1) / 2;
    if (way == 2)
        return j < half ? 2 * j : 2 * (j - half) + 1;
    return way == 1 ? count - 1 - j : j;
}

static void check_chain(ss_swept s, ss_bc bc, int way, int cycles)
{
    arrays a = {.s = s, .bc = bc};
    for (int k = 0; k < 2; k++)
        a.level[k] = calloc((size_t)s.n, sizeof *a.level[k]);
    for (int64_t d = 0; d <= 2 * cycles; d++)
        for (int j = 0; j < s.count; j++)
            advance_node(&a, d, order(way, j, s.count), 2 * cycles);
    CHECK_INT(a.computed, (int64_t)2 * cycles * s.height * s.n);
    for (int i = 0; i < s.n; i++)
        CHECK_INT(a.level[0][i], 2 * cycles * s.height);
    free(a.level[0]);
    free(a.level[1]);
}

static void check_sizes(int radius, ss_bc bc)
{
    for (int block = 2 * radius; block <= 40; block += 2 * radius)
        for (int count = 1; count <= 5; count++)
            for (int way = 0; way < 3; way++)
                for (int cycles = 1; cycles <= 3; cycles++)
                    check_chain(ss_swept_make(count * block, block, radius), bc, way, cycles);
}

TEST_CALL(swept_geometry, holds_for_insulated_ends, check_sizes(1, SS_BC_MIRROR))
TEST_CALL(swept_geometry, holds_for_a_periodic_line, check_sizes(2, SS_BC_PERIODIC))
TEST_CALL(swept_geometry, holds_for_fixed_ends, check_sizes(2, SS_BC_FIXED))

TEST(swept_geometry, sizes_of_a_node)
{
    ss_swept s = ss_swept_make(1024, 32, 1);
    CHECK_INT(s.count, 32);
    CHECK_INT(s.height, 16); /* a cycle of two diamonds: n sub-steps at first order */
    CHECK_INT(ss_swept_make(1024, 32, 2).height, 8); /* n/2 at second */
    for (int l = 1; l < 2 * s.height; l++) {
        int across = ss_swept_hi(s, l) - ss_swept_lo(s, l);
        CHECK_INT(across, l <= s.height ? 2 * l : 2 * (2 * s.height - l));
    }
}
