/* Opens and closes lanes, with a message before long operations. Engine thread only; see lane.h. */
#include <stdlib.h>
#include <string.h>

#include "src/run/ahead.h"
#include "src/run/checkpoint.h"
#include "src/engine/lane.h"
#include "src/run/ahead.h"
#include "src/core/registry.h"
#include "src/run/repeat.h"

void ss_lane_clear(ss_lane *lane)
{
    ss_run_close(lane->run);
    free(lane->journal.text);
    ss_undo_clear(lane);
    ss_repeat_free(lane->held.repeat);
    ss_rewind_free(lane);
    free(lane->good.cell);
    free(lane->good.owner);
    ss_scale_free(&lane->scale);
    memset(lane, 0, sizeof *lane);
}

void ss_engine_caution_of(const ss_config *cfg, char *buf, size_t size)
{
    ss_problem p;
    const ss_equation *eq = ss_config_equation(cfg);
    const ss_solver *solver = ss_config_solver(cfg);
    buf[0] = '\0';
    ss_config_problem(cfg, &p);
    if (solver->caution)
        solver->caution(cfg, &p, buf, size);
    if (!buf[0] && eq->caution && !solver->krylov)
        eq->caution(&p, buf, size);
}

void ss_engine_caution(ss_engine *e, const ss_config *before, const ss_config *cfg)
{
    char then[300] = "", now[300];
    if (before)
        ss_engine_caution_of(before, then, sizeof then);
    ss_engine_caution_of(cfg, now, sizeof now);
    if (now[0] && strcmp(then, now) != 0)
        ss_engine_warn(e, "%s", now);
}

bool ss_engine_announce(ss_engine *e, const ss_config *cfg)
{
    char what[100];
    ss_problem p;
    const ss_solver *solver = ss_config_solver(cfg);
    ss_config_problem(cfg, &p);
    if (e->nlane == 0 || e->setup.deterministic || !solver->setup_cost ||
        !solver->setup_cost(cfg, ss_config_equation(cfg), &p, what, sizeof what))
        return false;
    ss_engine_say(e, false, "%s: this takes a while", what);
    ss_engine_publish(e);
    return true;
}

void ss_engine_announce_end(ss_engine *e, const ss_run *run)
{
    ss_engine_say(e, false, "the blocks are inverted (%.1f s)", run->seconds_inverses);
}

int ss_engine_admits_bytes(const ss_engine *e, const ss_config *cfg, ss_err *err)
{
    char need[32], most[32];
    double bytes = ss_config_bytes(cfg), limit = e->setup.bytes_max;
    if (limit <= 0 || bytes <= limit)
        return SS_OK;
    return ss_fail(err, "the fields need %s; the limit is %s",
                   ss_format_bytes(bytes, need, sizeof need),
                   ss_format_bytes(limit, most, sizeof most));
}

double ss_engine_usual_pace(const ss_engine *e, const ss_run *run)
{
    return e->setup.interactive && !e->setup.deterministic ? run->eq->pace : 0;
}

int ss_engine_open(ss_engine *e, int index, const ss_config *cfg, const char *load, const char *rhs,
                   ss_err *err)
{
    if (ss_engine_admits_bytes(e, cfg, err) != SS_OK)
        return SS_FAIL;
    bool long_setup = ss_engine_announce(e, cfg);
    if (!long_setup && ss_config_backend(cfg)->kernels)
        ss_ahead_load(cfg, NULL); /* what fails, fails again below */
    ss_run *run = ss_run_open(cfg, load, rhs, err);
    if (!run)
        ss_ahead_name_kept(cfg, err);
    if (!run && !(run = ss_fallback_open(cfg, load, rhs, err)))
        return SS_FAIL;
    run->stop_at_tol = !e->setup.interactive;
    ss_lane *lane = &e->lane[index];
    if (index < e->nlane)
        ss_lane_clear(lane);
    else
        e->nlane = index + 1;
    lane->run = run;
    lane->pace = ss_engine_usual_pace(e, run);
    ss_journal_open(lane, cfg, load);
    if (long_setup)
        ss_engine_announce_end(e, run);
    ss_engine_caution(e, NULL, cfg);
    if (run->rescued[0])
        ss_engine_say(e, e->setup.interactive, "%s", run->rescued);
    ss_edit_loaded(e, run);
    e->shown = index;
    e->finished = false;
    return SS_OK;
}
