/* Properties of the ownership geometry over many sizes, blocks and overlaps: subdomains cover what
 * they write, the written ranges are a partition, owner and depth agree with the ranges. */
#include "kernels/geom/tiles.h"
#include "tests/check.h"

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static void check_cut(int n, int block, int overlap)
{
    ss_cut c = ss_cut_make(n, block, overlap);
    int next = 0;
    CHECK(c.count >= 1);
    for (int j = 0; j < c.count; j++) {
        ss_span s = ss_cut_span(c, j);
        CHECK(0 <= s.lo && s.lo <= s.wlo && s.wlo < s.whi && s.whi <= s.hi && s.hi <= n);
        CHECK(s.hi - s.lo <= block);
        CHECK(s.hi - s.lo == block || j == c.count - 1); /* only the last one is cut short */
        CHECK_INT(s.wlo, next);
        next = s.whi;
        for (int i = s.wlo; i < s.whi; i++)
            CHECK_INT(ss_cut_owner(c, i), j);
    }
    CHECK_INT(next, n);
}

/* The distance of point i from the nearest frozen halo of span s: 1 next to the halo. The ends of
 * the domain do not count, because they are exact. After m subiterations a point is stale if its
 * depth is less than m. */
static int span_depth(ss_cut c, ss_span s, int i)
{
    int left = s.lo > 0 ? i - s.lo + 1 : c.n + 1;
    int right = s.hi < c.n ? s.hi - i : c.n + 1;
    return left < right ? left : right;
}

TEST(tiles, written_ranges_are_a_partition)
{
    for (int n = 1; n <= 70; n++)
        for (int block = 1; block <= 34; block++)
            for (int overlap = 0; overlap < block; overlap += 2)
                check_cut(n, block, overlap);
    check_cut(1000003, 256, 30);
    check_cut(1024, 1000, 998);
}

TEST(tiles, tile_counts_match_the_papers)
{
    CHECK_INT(ss_cut_make(1024, 32, 0).count, 32);
    CHECK_INT(ss_cut_make(1024, 32, 4).count, 37);
    CHECK_INT(ss_cut_make(32, 32, 4).count, 1);
    CHECK_INT(ss_cut_make(33, 32, 30).count, 2);
}

/* Depth is the number of exact subiterations, found by propagating staleness from the halo. */
TEST(tiles, depth_is_how_long_a_point_stays_exact)
{
    for (int n = 5; n <= 60; n += 11)
        for (int block = 3; block <= 24; block += 7)
            for (int overlap = 0; overlap < block; overlap += 2) {
                ss_cut c = ss_cut_make(n, block, overlap);
                for (int j = 0; j < c.count; j++) {
                    ss_span s = ss_cut_span(c, j);
                    bool stale[80] = {false}, before[80];
                    for (int sub = 1; sub <= smaller(n, 12); sub++) {
                        memcpy(before, stale, sizeof stale);
                        /* a frozen halo is one sweep old after the first subiteration */
                        for (int i = s.lo; i < s.hi; i++) {
                            bool west = i > s.lo ? before[i - 1] : s.lo > 0 && sub > 1;
                            bool east = i < s.hi - 1 ? before[i + 1] : s.hi < n && sub > 1;
                            stale[i] = west || east;
                        }
                        for (int i = s.lo; i < s.hi; i++)
                            CHECK(!stale[i] || span_depth(c, s, i) < sub);
                    }
                    for (int i = s.lo; i < s.hi; i++)
                        CHECK(span_depth(c, s, i) >= 1);
                }
            }
}

/* With overlap 2(k-1) no written point is stale after k subiterations; with one pair less, some
 * are. */
TEST(tiles, enough_overlap_leaves_nothing_stale)
{
    for (int k = 2; k <= 16; k++)
        for (int less = 0; less <= 1; less++) {
            ss_cut c = ss_cut_make(300, 32, 2 * (k - 1) - 2 * less);
            int stale = 0;
            for (int j = 0; j < c.count; j++) {
                ss_span s = ss_cut_span(c, j);
                for (int i = s.wlo; i < s.whi; i++)
                    stale += span_depth(c, s, i) < k;
            }
            CHECK((stale > 0) == (less == 1));
        }
}

/* 132 SMs with 12 tiles each, as found by hand: four waves of 17 rows of tiles, or one of 10. */
TEST(tiles, heights_fill_whole_waves)
{
    static const struct {
        int n, block, overlap, height;
        double waves;
    } want[] = {{16384, 64, 20, 983, 4}, {16384, 128, 24, 1660, 1}, {10240, 64, 20, 531, 3}};
    for (int i = 0; i < 3; i++) {
        int across = ss_cut_make(want[i].n, want[i].block, want[i].overlap).count;
        int height = ss_cut_full_waves(want[i].n, across, 12 * 132, want[i].overlap);
        int up = ss_cut_make(want[i].n, height, want[i].overlap).count;
        CHECK_INT(height, want[i].height);
        CHECK_NEAR((double)across * up / (12 * 132), want[i].waves, 0.06);
    }
}

TEST(tiles, heights_are_valid_for_any_grid)
{
    for (int n = 1; n < 90; n++)
        for (int overlap = 0; overlap < 30; overlap += 2)
            for (int across = 1; across < 40; across += 13) {
                int height = ss_cut_full_waves(n, across, 10, overlap);
                CHECK(height > overlap);
                CHECK(height <= n || height == overlap + 1); /* one subdomain has all points */
            }
}
