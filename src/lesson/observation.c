/* See observation.h. */
#include "src/lesson/observation.h"

#include <math.h>
#include <stdlib.h>

#include "src/run/checkpoint.h"

static uint32_t bit_of(const ss_quantity_ref *q, bool baseline)
{
    return q->row && q->baseline == baseline ? UINT32_C(1) << (q->row - ss_lesson_quantities) : 0;
}

ss_wanted ss_wanted_by(const ss_check *check, int n, bool baseline)
{
    ss_wanted w = {0, false};
    for (int i = 0; i < n; i++) {
        w.quantities |= bit_of(&check[i].left, baseline);
        if (check[i].against == SS_RIGHT_QUANTITY)
            w.quantities |= bit_of(&check[i].right, baseline);
        w.field = w.field || (check[i].form == SS_CHECK_SAME_AS && !baseline);
    }
    return w;
}

static bool has_end(const ss_run *run)
{
    bool settles = run->eq->kind == SS_STEADY && (run->tol > 0 || ss_run_seeks(run));
    return settles || run->max_cycles >= 0 || run->max_time > 0;
}

static double measure(ss_run *run, int row, bool still)
{
    const ss_lesson_quantity *q = &ss_lesson_quantities[row];
    return run->status == SS_DIVERGED || (q->slow && !still) ? (double)NAN : q->of(run);
}

int ss_observation_take(ss_run *run, ss_wanted wanted, bool still, ss_observation *out, ss_err *err)
{
    *out = (ss_observation){.cfg = run->cfg,
                            .status = run->status,
                            .kind = run->eq->kind,
                            .begun = run->cycle > 0 || run->step > 0 || run->status == SS_DIVERGED,
                            .reached = ss_run_met_goal(run),
                            .painted = run->painted,
                            .has_end = has_end(run),
                            .still = still,
                            .cycle = run->cycle,
                            .iteration = run->iteration,
                            .step = run->step,
                            .iterations_per_cycle = run->iterations_per_cycle,
                            .time = run->time,
                            .reduction = run->residual / run->residual0};
    for (int i = 0; i < SS_QUANTITIES_MAX; i++)
        out->value[i] =
            out->begun && (wanted.quantities >> i & 1) ? measure(run, i, still) : (double)NAN;
    if (!wanted.field || !still || !out->begun)
        return SS_OK;
    out->bytes = ss_field_bytes(run);
    out->field = ss_field_download(run);
    return out->field ? SS_OK : ss_fail_memory(err, "a copy of the field", out->bytes);
}

void ss_observation_drop(ss_observation *x)
{
    free(x->field);
    x->field = NULL;
}
