/* What lanes and messages are at a moment: see lane.h. Engine thread only. */
#include "src/engine/lane.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "src/base/system.h"
#include "src/core/registry.h"

/* --- messages --------------------------------------------------------------------------------- */

static void set_message(ss_engine *e, const char *fmt, va_list ap)
{
    vsnprintf(e->message, sizeof e->message, fmt, ap);
    ss_text_safe(ss_utf8_trim(e->message));
    e->message_is_error = e->message_warns = e->message_refuses = false;
    e->message_seq++;
    e->dirty = e->changed = true;
}

void ss_engine_say(ss_engine *e, bool error, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    set_message(e, fmt, ap);
    va_end(ap);
    e->message_is_error = error;
}

void ss_engine_unsay(ss_engine *e, const char *begins)
{
    if (strncmp(e->message, begins, strlen(begins)) == 0)
        ss_engine_say(e, false, "%s", "");
}

void ss_engine_warn(ss_engine *e, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    set_message(e, fmt, ap);
    va_end(ap);
    e->message_warns = true;
}

/* --- cautions --------------------------------------------------------------------------------- */

/* The sentence of the solver, else that of the equation, or an empty string. */
static void caution_of(const ss_config *cfg, char *buf, size_t size)
{
    const ss_equation *eq = ss_config_equation(cfg);
    const ss_solver *solver = ss_config_solver(cfg);
    buf[0] = '\0';
    ss_problem p = ss_config_problem(cfg);
    if (solver->caution)
        solver->caution(cfg, &p, buf, size);
    if (!buf[0] && eq->caution && !solver->krylov)
        eq->caution(&p, buf, size);
}

void ss_engine_caution(ss_engine *e, const ss_config *before, const ss_config *cfg)
{
    char then[300] = "", now[300];
    if (before)
        caution_of(before, then, sizeof then);
    caution_of(cfg, now, sizeof now);
    if (now[0] && strcmp(then, now) != 0)
        ss_engine_warn(e, "%s", now);
}

/* --- limits and pace -------------------------------------------------------------------------- */

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

double ss_lane_stride(const ss_lane *lane)
{
    const ss_run *run = lane->run;
    if (lane->pace <= 0)
        return lane->stride;
    return run->problem.dt * run->iterations_per_cycle / run->eq->nstage / lane->pace;
}

/* The time model of src/base/system.h. */
double ss_run_modelled(const ss_run *run, const ss_point *p)
{
    return run->ranks ? p->seconds : ss_modelled_seconds(p->launches, p->bytes);
}

/* --- states ----------------------------------------------------------------------------------- */

bool ss_lane_is_lost(const ss_lane *lane)
{
    const ss_run *run = lane->run;
    if (!run->backend->lost || lane->given_up)
        return false;
    return run->status == SS_FAILED || run->backend->lost(run, NULL);
}

bool ss_lane_is_endless(const ss_lane *lane)
{
    return lane->steps == 0 && lane->ticks == 0;
}

ss_hold ss_hold_of(const ss_lane *lane)
{
    const ss_run *run = lane->run;
    bool same = lane->held.cycle == run->cycle && lane->held.began == run->began;
    bool ended = run->reached || lane->held.kind == SS_HOLD_STAGNATED;
    return same && run->peek == 0 && ended && ss_lane_is_endless(lane) ? lane->held.kind
                                                                       : SS_HOLD_NONE;
}
