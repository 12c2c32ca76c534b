/*
 * The end of a batch: norms, the flag and the time limit, gathered from all ranks, so that all
 * decide alike. See inner.h.
 */
#include <math.h>
#include <stdlib.h>

#include "kernels/part/inner.h"
#include "src/core/run.h"

#define LOOK_SECONDS 0.02 /* between gathers that only have the flag and the clock */

/* The numbers of a gather. */
enum { SUM, STOP, LATE, SECONDS, NUMBERS };

bool ss_look_norm_due(const ss_part_batch *batch, int64_t c)
{
    int64_t cycle = batch->cycle + c;
    return batch->check_every > 0 && cycle % batch->check_every == 0 &&
           cycle != batch->residual_cycle;
}

bool ss_look_due(const ss_look *look, const ss_part_batch *batch, int64_t c)
{
    return !look->open && (c >= look->next || ss_look_norm_due(batch, c));
}

int ss_look_begin(ss_part_run *part, ss_look *look, const ss_part_batch *batch, int64_t c,
                  bool norm, double sum, int kept, ss_err *err)
{
    double spent = ss_clock() - look->began, v[NUMBERS];
    v[SUM] = sum;
    v[STOP] = batch->stop && atomic_load_explicit(batch->stop, memory_order_relaxed);
    v[LATE] = batch->seconds > 0 && spent >= batch->seconds;
    v[SECONDS] = spent;
    look->open = true;
    look->norm = norm;
    look->cycle = c;
    look->kept = kept;
    return part->comm->ops->gather(part->comm, v, NUMBERS, err);
}

/* The sum of number i over the ranks, or its maximum. */
static double total(const double *all, int ranks, int i, bool max)
{
    double sum = all[i];
    for (int r = 1; r < ranks; r++) {
        double v = all[r * NUMBERS + i];
        sum = !max ? sum + v : v > sum ? v : sum;
    }
    return sum;
}

static ss_verdict judge_norm(const ss_part_run *part, const ss_look *look,
                             const ss_part_batch *batch, double sum, ss_part_done *done)
{
    double norm = fabs(part->run->coef.residual) * sqrt(sum);
    done->norm[done->norms++] = (ss_part_norm){batch->cycle + look->cycle, norm};
    bool first = batch->residual_cycle < 0;
    double norm0 = first ? done->norm[0].norm : batch->residual0;
    bool grown = batch->growth > 0 && norm0 > 0 && norm > batch->growth * norm0;
    done->reached = !isfinite(norm) || grown || (batch->tol > 0 && norm <= batch->tol * norm0);
    if (done->reached)
        return SS_BACK;
    /* The gather of one more norm may have begun. */
    return done->norms >= SS_PART_NORMS_MAX - 1 ? SS_ENOUGH : SS_GO_ON;
}

int ss_look_end(ss_part_run *part, ss_look *look, const ss_part_batch *batch, int64_t c,
                ss_part_done *done, ss_verdict *out, ss_err *err)
{
    int ranks = part->comm->size;
    double began = ss_clock();
    double *all = malloc((size_t)ranks * NUMBERS * sizeof *all);
    if (!all)
        return ss_fail_memory(err, "numbers of the ranks", (size_t)ranks * NUMBERS * sizeof *all);
    int status = part->comm->ops->gathered(part->comm, all, err);
    part->wait += ss_clock() - began;
    look->open = false;
    if (status == SS_OK) {
        *out = look->norm ? judge_norm(part, look, batch, total(all, ranks, SUM, false), done)
                          : SS_GO_ON;
        if (*out != SS_BACK && total(all, ranks, STOP, true) > 0) {
            done->stopped = true;
            *out = SS_DROP;
        } else if (*out == SS_GO_ON && total(all, ranks, LATE, true) > 0) {
            *out = SS_ENOUGH;
        }
        /* Every rank computes the same: seconds are those of the slowest one. */
        double each = total(all, ranks, SECONDS, true) / (double)(look->cycle + 1);
        double more = each > 0 ? LOOK_SECONDS / each : 1;
        int64_t most = c + 1; /* at most twice as far */
        look->next = c + 1 + (more < (double)most ? (int64_t)more : most);
    }
    free(all);
    return status;
}
