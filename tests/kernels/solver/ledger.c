/* The ledger against counts by hand, given in the comments: what a cycle, a call of step and the
 * steps at the end of a run cost. */
#include "tests/fields.h"

typedef struct bill {
    const char *settings;
    double launches, global_bytes, shared_bytes, barriers, updates, redundant, operations;
} bill;

static void check_bill(const ss_ledger *l, const bill *want)
{
    CHECK_NEAR(l->launches, want->launches, 0);
    CHECK_NEAR(l->global_bytes, want->global_bytes, 0);
    CHECK_NEAR(l->shared_bytes, want->shared_bytes, 0);
    CHECK_NEAR(l->barriers, want->barriers, 0);
    CHECK_NEAR(l->updates, want->updates, 0);
    CHECK_NEAR(l->redundant_updates, want->redundant, 0);
    CHECK_NEAR(l->operations, want->operations, 0);
}

static void check_cycles(const bill *want, int n, int64_t cycles)
{
    for (int i = 0; i < n; i++) {
        ss_run *run = open_run(want[i].settings);
        step_run(run, cycles);
        check_bill(&run->total, &want[i]);
        ss_run_close(run);
    }
}

/* Bytes are 8 per value: u with its halo and g are read, u' is written. An update reads 3 (1D) or 5
 * (2D) values and writes one, in the tile.
 *   1D: (1024 - 4)/(32 - 4), rounded up: 37 blocks; 36 of 32 points and one of 16 are 1168.
 *       27472 = 8 (2*1168 + 2*37 + 1024); 598016 = 8 * 16*1168 * 4; barriers 37 * (16 + 1);
 *       updates 16*1168, of them 16*(1168 - 1024) redundant; 3 operations each.
 *   2D: 16 blocks. 106496 = 8 (2*4096 + 16*64 + 4096); 1572864 = 8 * 8*4096 * 6; 6 operations.
 * Asynchronous, alpha 8: 9 sweeps, and 8 exchanges between them. 3 seams of 64 points in each
 * direction are read from both sides: 768 values, each written and read in an exchange;
 * 204800 = 106496 + 8 * 8 * 2*768. Barriers of a block: 8*3 + 1, 8 + 1, and one. */
TEST(ledger, tiled_solvers)
{
    static const bill want[] = {
        {"equation poisson1d solver shared n 1024 block 32 k 16 overlap 4 backend cpu", 1, 27472,
         598016, 629, 18688, 2304, 56064},
        {"equation poisson2d solver shared n 64 block 16 k 8 backend cpu", 1, 106496, 1572864, 144,
         32768, 0, 196608},
        {"equation poisson2d solver async variant 0 n 64 block 16 alpha 8 backend cpu", 1, 204800,
         1769472, 400, 36864, 0, 221184},
        {"equation poisson2d solver async variant 1 n 64 block 16 alpha 8 backend cpu", 1, 204800,
         1769472, 144, 36864, 0, 221184},
        {"equation poisson2d solver async variant 3 n 64 block 16 alpha 8 backend cpu", 1, 204800,
         1769472, 16, 36864, 0, 221184},
    };
    check_cycles(want, sizeof want / sizeof *want, 1);
}

/* A single tile has no neighbour, and copies of a line are not neighbours. Two tiles of a line read
 * one value each; alpha 1 with variant 3 is two sweeps, one exchange. */
TEST(ledger, walls_are_not_exchanged)
{
    static const char *const settings[] = {
        "equation poisson2d solver async variant %d n 16 block 16 alpha 1 backend cpu",
        "equation poisson1d solver async variant %d n 32 block 32 copies 4 alpha 1 backend cpu",
        "equation poisson1d solver async variant %d n 64 block 32 copies 4 alpha 1 backend cpu",
    };
    static const double exchanged[] = {0, 0, 4 * 2 * 2 * 8};
    for (int i = 0; i < 3; i++) {
        char text[128];
        double bytes[2];
        for (int v = 0; v < 2; v++) { /* without an exchange, then with one */
            snprintf(text, sizeof text, settings[i], 2 + v);
            ss_run *run = open_run(text);
            bytes[v] = run->per_cycle.global_bytes;
            ss_run_close(run);
        }
        CHECK_NEAR(bytes[1] - bytes[0], exchanged[i], 0);
    }
}

/* Kuramoto-Sivashinsky: a step is two levels of 256 points; each is read and written, and the
 * second also reads the start: 5 * 2048 bytes; 11 operations per update. */
TEST(ledger, classic_steps)
{
    static const bill want = {
        "equation ks1d solver stepper n 256 backend cpu", 20, 10 * 10240, 0, 0, 5120, 0, 56320};
    check_cycles(&want, 1, 10);
}

/* Heat, 256 points, blocks of 32: 8 nodes of height 16, a cycle is 32 steps. t = 0.004 is 1041
 * steps: 32 cycles in one chain, 2*32 + 1 launches; then 17 classic steps, a launch each, with
 * 2*256 values of traffic. 593920 = 32 * 8 * 8*256 + 17*4096; barriers 32 * 2*31 * 8; 266496 =
 * 1041*256; 4 operations each. Slices of one call are one chain. */
TEST(ledger, swept_until_a_time)
{
    static const bill want = {
        "equation heat1d solver swept n 256 block 32 until-time 0.004 backend cpu",
        82,
        593920,
        4194304,
        15872,
        266496,
        0,
        1065984};
    for (int slice = 1; slice <= 1000; slice *= 10) {
        ss_run *run = open_run(want.settings);
        while (run->status == SS_RUNNING) {
            run->chained = run->cycle > 0;
            CHECK_INT(ss_run_step(run, slice, NULL), SS_OK);
        }
        CHECK_INT(run->step, 1041);
        check_bill(&run->total, &want);
        ss_run_close(run);
    }
}

/* A call of c cycles waits 2c + 1 times. */
RUN_TEST(ledger, every_call_opens_with_a_triangle,
         "equation euler1d solver swept n 256 block 64 backend cpu")
{
    step_run(run, 1);
    CHECK_NEAR(run->total.launches, 3, 0);
    CHECK_NEAR(run->total.global_bytes, 49152, 0); /* 8 * 256 * 24 */
    step_run(run, 1);
    CHECK_NEAR(run->total.launches, 6, 0);
    step_run(run, 5);
    CHECK_NEAR(run->total.launches, 6 + 11, 0);
}

/* Patches: 122880 = 8 (3*4096 + 2 * 6*256). Per cell a residual is written and a correction read;
 * between them the inverse: with blocks of 64 cells, stored, 2*64 values are read and one is
 * written, 2*64 operations; separable, 11 values, 6*4 + 1 operations. The residual has 9.
 * A patch of 5^3 in blocks of 4 has blocks of 64 (1), 16 (3), 4 (3) and 1 (1) cells: the sum of
 * 2 m^2 is 9826. */
TEST(ledger, block_smoothers)
{
    static const bill want[] = {
        {"equation poisson3d solver block-jacobi patch 16 bx 4 inverse dense backend cpu", 1,
         122880, 8 * 4096 * 131, 0, 4096, 0, 4096 * 137},
        {"equation poisson3d solver block-jacobi patch 16 bx 4 inverse separable backend cpu", 1,
         122880, 8 * 4096 * 13, 0, 4096, 0, 4096 * 34},
        {"equation poisson3d solver block-gs patch 5 bx 4 inverse dense backend cpu", 1,
         8 * (3 * 125 + 2 * 150), 8 * (3 * 125 + 9826), 0, 125, 0, 9 * 125 + 9826},
    };
    check_cycles(want, sizeof want / sizeof *want, 1);
}
