/* A race without a screen: the runs take turns, each alone on the device, and each is timed by its
 * own clock. race_print.c prints the results. See race.h. Main thread. */
#include "src/base/common.h"
#include "src/core/registry.h"
#include "src/snapshot/race.h"
#include "src/core/run.h"
#include "src/run/reference.h"

#define SLICE 50e-3 /* seconds of work per turn, as for a single run */

typedef struct entrants {
    ss_run *run[SS_RACE_MAX];
    double cycle_spent[SS_RACE_MAX];
    int n;
} entrants;

/* Runs one cycle and resets, so that thread start-up and page faults are not timed. A distance is
 * no goal of that cycle: its reference would be computed in vain. */
static int warm_up(ss_run *run, ss_err *err)
{
    double accuracy = run->until_accuracy, error = run->until_error;
    run->until_accuracy = run->until_error = 0;
    int status = ss_run_step(run, 1, err);
    run->until_accuracy = accuracy;
    run->until_error = error;
    return status == SS_OK ? ss_run_reset(run, err) : SS_FAIL;
}

/* Transient runs without a limit end at a simulated time. */
static void end_in_time(entrants *f, const ss_lineup *race)
{
    const ss_config *cfg[SS_RACE_MAX];
    for (int i = 0; i < race->n; i++)
        cfg[i] = &race->cfg[i];
    double end = ss_race_end(cfg, race->n);
    for (int i = 0; i < f->n && end > 0; i++)
        f->run[i]->max_time = end;
}

static int open_all(entrants *f, const ss_lineup *race, ss_err *err)
{
    const char *load = ss_config_text(ss_options(), "load");
    const char *rhs = ss_config_text(ss_options(), "rhs");
    for (; f->n < race->n; f->n++) {
        ss_run *run = ss_run_open(&race->cfg[f->n], load, rhs, err);
        if (!run)
            return SS_FAIL;
        f->run[f->n] = run;
        run->stop_at_tol = true;
    }
    end_in_time(f, race);
    for (int i = 0; i < f->n; i++)
        if (warm_up(f->run[i], err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

/* Advances one run by a slice, or by the rest of its --seconds; at least one cycle. The first slice
 * is one cycle; its time sets the length of the next. */
static int advance(entrants *f, int turn, ss_err *err)
{
    ss_run *run = f->run[turn];
    int64_t before = run->cycle;
    double spent = ss_run_spent(run), slice = SLICE, each = f->cycle_spent[turn];
    if (run->max_seconds > 0 && run->max_seconds - run->seconds_solve < slice)
        slice = run->max_seconds - run->seconds_solve;
    int64_t cycles = each > 0 ? (int64_t)(slice / each) : 1;
    run->chained = before > 0;
    for (int i = 0; i < f->n; i++)
        ss_reference_take(run, f->run[i]);
    if (ss_run_step(run, cycles < 1 ? 1 : cycles, err) != SS_OK)
        return SS_FAIL;
    int64_t done = run->cycle - before;
    if (done > 0)
        f->cycle_spent[turn] = (ss_run_spent(run) - spent) / (double)done;
    return SS_OK;
}

static int run_turns(entrants *f, ss_err *err)
{
    for (;;) {
        ss_stand s[SS_RACE_MAX];
        for (int i = 0; i < f->n; i++)
            s[i] = (ss_stand){.at = f->run[i]->seconds_solve,
                              .going = f->run[i]->status == SS_RUNNING};
        int turn = ss_race_turn(s, f->n);
        if (turn < 0)
            return SS_OK;
        if (advance(f, turn, err) != SS_OK)
            return SS_FAIL;
    }
}

int ss_race_bare(const ss_lineup *race, ss_err *err)
{
    entrants f = {.n = 0};
    bool clock = ss_config_int(ss_options(), "deterministic") == 0;
    ss_run_model_work(!clock);
    int status = open_all(&f, race, err);
    if (status == SS_OK)
        status = run_turns(&f, err);
    int code = status == SS_OK ? ss_race_publish(f.run, f.n, clock, false, err) : SS_EXIT_FAILED;
    for (int i = 0; i < f.n; i++)
        ss_run_close(f.run[i]);
    return code;
}
