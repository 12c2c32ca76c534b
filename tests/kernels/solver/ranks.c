/* Plans of modelled ranks: messages, bytes and work against counts by hand, in the comments. */
#include "src/core/run.h"

#include "tests/fields.h"

static ss_ranks_plan *plan_of(const char *settings)
{
    ss_run *run = open_run(settings);
    ss_ranks_plan *p = calloc(1, sizeof *p);
    ss_err err = {0};
    CHECK(p != NULL);
    CHECK_MSG(run->solver->ranks(&run->cfg, run->eq, &run->problem, p, &err) == SS_OK, "%s",
              err.text);
    ss_run_close(run);
    return p;
}

typedef struct expected {
    const char *settings;
    int columns, rows, messages;
    double bytes; /* of all messages of a cycle */
} expected;

/* 256^2 on 2 x 2: each rank sends one row and one column of 128 values. On 3 x 3 ranks there are 12
 * common edges of 256/3 points on average, crossed both ways: 4 * 256 * 2 values, and no corners.
 * k = 32 with overlap 62: blocks of 159 at 0 and 97 meet at 128; each needs 31 + 1 rows of 128
 * values from two sides, and a corner of 32^2. Without overlap: one row, and no corner.
 * Lines: a value to each neighbour and level; copies do not talk. Swept: the last two levels of
 * half a node and of R points beyond, once per diamond, to one side. */
static const expected table[] = {
    {"equation poisson2d solver jacobi backend cpu n 256 ranks-model 4", 2, 2, 8, 8 * 128 * 8},
    {"equation poisson2d solver jacobi backend cpu n 256 ranks-model 9", 3, 3, 24, 2 * 4 * 256 * 8},
    {"equation poisson2d solver shared backend cpu n 256 block 159 overlap 62 k 32 ranks-model 4",
     2, 2, 12, 8 * (8 * 32 * 128 + 4 * 32 * 32)},
    {"equation poisson2d solver shared backend cpu n 256 block 128 k 32 ranks-model 4", 2, 2, 8,
     8 * 8 * 128},
    {"equation poisson2d solver shared backend cpu n 256 block 32 k 8 ranks-model 4", 2, 2, 8,
     8 * 8 * 128},
    {"equation poisson1d solver jacobi backend cpu n 1024 copies 3 ranks-model 4", 4, 1, 6,
     6 * 3 * 8},
    {"equation heat1d solver stepper backend cpu n 1024 ranks-model 4", 4, 1, 6, 6 * 8},
    {"equation heat1d solver stepper backend cpu n 1024 precision f32 ranks-model 4", 4, 1, 6,
     6 * 4},
    {"equation heat1d solver swept backend cpu n 512 block 64 ranks-model 4", 4, 1, 6,
     6 * 2 * (32 + 1) * 8},
    {"equation ks1d solver stepper backend cpu n 1024 ranks-model 4", 4, 1, 16, 16 * 2 * 8},
    {"equation ks1d solver swept backend cpu n 1024 block 64 ranks-model 4", 4, 1, 8,
     8 * 2 * (32 + 2) * 8},
};

TEST(ranks_plan, messages_and_bytes)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const expected *want = &table[i];
        ss_ranks_plan *p = plan_of(want->settings);
        CHECK_MSG(p->columns == want->columns && p->rows == want->rows, "%s: %d x %d",
                  want->settings, p->columns, p->rows);
        CHECK_MSG(p->nmessage == want->messages, "%s: %d messages", want->settings, p->nmessage);
        CHECK_MSG(fabs(ss_ranks_bytes(p) - want->bytes) < 1e-9, "%s: %g bytes, not %g",
                  want->settings, ss_ranks_bytes(p), want->bytes);
        free(p);
    }
}

/* The ranks do the updates that the ledger counts, all of them and no others. */
TEST(ranks_plan, work_is_that_of_the_ledger)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        ss_ranks_plan *p = plan_of(table[i].settings);
        ss_run *run = open_run(table[i].settings);
        CHECK_NEAR(ss_ranks_work_all(p), run->per_cycle.updates, 1e-6);
        ss_run_close(run);
        free(p);
    }
}

/* Every message that is received is sent, once per cycle, and goes to a neighbour. */
TEST(ranks_plan, messages_are_sent_and_received_once)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        int sent[SS_RANKS_MESSAGES] = {0}, received[SS_RANKS_MESSAGES] = {0};
        ss_ranks_plan *p = plan_of(table[i].settings);
        for (int f = 0; f < p->nphase; f++)
            for (int m = p->phase[f].first; m < p->phase[f].first + p->phase[f].count; m++) {
                sent[m] += p->phase[f].act == SS_RANKS_SEND;
                received[m] += p->phase[f].act == SS_RANKS_RECEIVE;
            }
        for (int m = 0; m < p->nmessage; m++) {
            CHECK_INT(sent[m], 1);
            CHECK_INT(received[m], 1);
            CHECK(p->message[m].from != p->message[m].to && p->message[m].to < p->count);
        }
        free(p);
    }
}

/* Work before the first RECEIVE after a SEND: what needs no halo. 2 x 2 ranks of 128^2 points have
 * neighbours on two sides. k = 2: 127^2 and 126^2 of 2 * 128^2. */
TEST(ranks_plan, inner_points_need_no_halo)
{
    ss_ranks_plan *p = plan_of("equation poisson2d solver jacobi backend cpu n 256 ranks-model 4");
    CHECK_NEAR(p->phase[1].work[0], 127 * 127, 1e-9);
    CHECK_NEAR(p->phase[3].work[0], 128 * 128 - 127 * 127, 1e-9);
    free(p);
    p = plan_of("equation poisson2d solver shared backend cpu n 256 block 128 k 2 ranks-model 4");
    CHECK_NEAR(p->phase[1].work[3], 127 * 127 + 126 * 126, 1e-9);
    CHECK_NEAR(p->phase[3].work[3], 2 * 128 * 128 - 127 * 127 - 126 * 126, 1e-9);
    free(p);
}

/* Classic and swept send the same bytes per step and rank, but for the R points at the waist. */
TEST(ranks_plan, classic_and_swept_send_the_same_bytes)
{
    ss_ranks_plan *a = plan_of("equation heat1d solver stepper backend cpu n 1024 ranks-model 4");
    ss_ranks_plan *b =
        plan_of("equation heat1d solver swept backend cpu n 1024 block 128 ranks-model 4");
    CHECK_INT(b->steps, 128);
    CHECK_NEAR(ss_ranks_bytes(b) / b->steps / ss_ranks_bytes(a), (64.0 + 1) / 64, 1e-12);
    CHECK_NEAR((double)b->nmessage / b->steps / a->nmessage, 1.0 / 128, 1e-12);
    free(a);
    free(b);
}

static void is_refused(const char *settings, const char *sentence)
{
    ss_config cfg;
    ss_err err = {0};
    char text[256], *rest = text;
    ss_tables_init();
    ss_config_default(&cfg);
    snprintf(text, sizeof text, "%s", settings);
    for (char *name; (name = strtok_r(rest, " ", &rest)) != NULL;)
        CHECK_INT(ss_config_set(&cfg, name, strtok_r(rest, " ", &rest), &err), SS_OK);
    CHECK_INT(ss_config_check(&cfg, NULL, &err), SS_FAIL);
    CHECK_MSG(strstr(err.text, sentence) != NULL, "%s: %s", settings, err.text);
}

TEST(ranks_plan, refuses_what_ranks_cannot_divide)
{
    is_refused("equation heat1d solver swept backend cpu n 512 block 128 ranks-model 5",
               "at least one of 4 nodes");
    is_refused("equation poisson2d solver shared backend cpu n 256 block 64 ranks-model 7",
               "7 ranks cannot divide");
    is_refused("equation poisson2d solver shared backend cpu n 128 block 32 overlap 30 ranks-model "
               "64 k 16",
               "a rank needs");
}
