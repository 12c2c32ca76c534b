/* Two pictures in one and their difference: see ui/scene/plot.h. */
#include "tests/check.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "ui/scene/plot.h"

enum { W = 11, H = 5, N = W * H };

/* Values of which no two are equal; one is nothing. */
static void fill(float *left, float *right)
{
    for (int i = 0; i < N; i++)
        left[i] = 0.1F * (float)i, right[i] = 1e3F + 0.3F * (float)i;
    left[7] = right[20] = (float)NAN;
}

TEST(wipe, the_difference_is_right_minus_left)
{
    float left[N], right[N], out[N];
    fill(left, right);
    double most = ss_wipe_difference(left, right, N, out), largest = 0;
    for (int i = 0; i < N; i++) {
        float d = (float)((double)right[i] - (double)left[i]);
        bool nothing = i == 7 || i == 20;
        CHECK(nothing ? isnan(out[i]) : memcmp(&out[i], &d, sizeof d) == 0);
        largest = !nothing && (double)fabsf(d) > largest ? (double)fabsf(d) : largest;
    }
    CHECK_NEAR(most, largest, 0);
    CHECK_NEAR(ss_wipe_difference(left, left, N, out), 0, 0);
}

/* A single deviating cell stays visible, with its sign. */
TEST(wipe, fewer_cells_keep_the_largest_difference)
{
    float cell[N], out[N];
    for (int at = 0; at < N; at++)
        for (int h = 1; h <= H; h++) {
            for (int i = 0; i < N; i++)
                cell[i] = 0.5F;
            cell[at] = -3;
            ss_wipe_reduce(cell, W, H, 4, h, out);
            int found = 0;
            for (int i = 0; i < 4 * h; i++)
                found += out[i] < -2;
            CHECK_INT(found, 1);
        }
    for (int i = 0; i < N; i++)
        cell[i] = (float)NAN;
    ss_wipe_reduce(cell, W, H, W, 1, out);
    CHECK(isnan(out[3]));
    for (int i = 0; i < N; i++)
        cell[i] = (float)i;
    ss_wipe_reduce(cell, W, H, W, H, cell); /* in place, and as many cells */
    for (int i = 0; i < N; i++)
        CHECK(cell[i] >= (float)i && cell[i] <= (float)i);
}

TEST(wipe, the_scale_grows_at_once_and_falls_late)
{
    CHECK_NEAR(ss_wipe_scale(0, 0.0666), 0.1, 1e-15);
    CHECK_NEAR(ss_wipe_scale(0, 0.2), 0.2, 1e-15);
    CHECK_NEAR(ss_wipe_scale(0, 1.01e-7), 2e-7, 1e-20);
    CHECK_NEAR(ss_wipe_scale(0.1, 0.12), 0.2, 1e-15);
    CHECK_NEAR(ss_wipe_scale(0.1, 0.011), 0.1, 0);
    CHECK_NEAR(ss_wipe_scale(0.1, 0.009), 0.01, 1e-15);
    CHECK_NEAR(ss_wipe_scale(0.1, 0), 0.1, 0);
}
