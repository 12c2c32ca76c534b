/* Plans of communication: see plan.h. */
#include "src/ranks/plan.h"

#include <assert.h>
#include <string.h>

bool ss_ranks_grid(int count, double nx, double ny, int most_x, int most_y, int *columns, int *rows)
{
    double least = 0;
    bool found = false;
    for (int x = count; x >= 1; x--) {
        int y = count / x;
        double halo = (x - 1) * ny + (y - 1) * nx;
        if (x * y != count || x > most_x || y > most_y || (found && halo >= least))
            continue;
        found = true;
        least = halo;
        *columns = x;
        *rows = y;
    }
    return found;
}

static ss_ranks_phase *add_phase(ss_ranks_plan *p, ss_ranks_act act)
{
    assert(p->nphase < SS_RANKS_PHASES);
    ss_ranks_phase *phase = &p->phase[p->nphase++];
    memset(phase, 0, sizeof *phase);
    phase->act = act;
    return phase;
}

double *ss_ranks_compute(ss_ranks_plan *p)
{
    return add_phase(p, SS_RANKS_COMPUTE)->work;
}

void ss_ranks_send(ss_ranks_plan *p, int first, int count)
{
    ss_ranks_phase *phase = add_phase(p, SS_RANKS_SEND);
    phase->first = first;
    phase->count = count;
}

void ss_ranks_reduction_add(ss_ranks_plan *p)
{
    add_phase(p, SS_RANKS_REDUCTION);
}

void ss_ranks_receive(ss_ranks_plan *p, int first, int count)
{
    ss_ranks_phase *phase = add_phase(p, SS_RANKS_RECEIVE);
    phase->first = first;
    phase->count = count;
}

int ss_ranks_message_add(ss_ranks_plan *p, int from, int to, double bytes)
{
    assert(p->nmessage < SS_RANKS_MESSAGES);
    p->message[p->nmessage] =
        (ss_ranks_message){.from = (uint8_t)from, .to = (uint8_t)to, .bytes = bytes};
    return p->nmessage++;
}

void ss_ranks_exchange(ss_ranks_plan *p, int first, int count, bool hide, const double *inner,
                       const double *outer)
{
    size_t bytes = (size_t)p->count * sizeof *inner;
    ss_ranks_send(p, first, count);
    if (hide)
        memcpy(ss_ranks_compute(p), inner, bytes);
    ss_ranks_receive(p, first, count);
    double *last = ss_ranks_compute(p);
    for (int r = 0; r < p->count; r++)
        last[r] = outer[r] + (hide ? 0 : inner[r]);
}

double ss_ranks_work(const ss_ranks_plan *p, int rank)
{
    double sum = 0;
    for (int i = 0; i < p->nphase; i++)
        sum += p->phase[i].act == SS_RANKS_COMPUTE ? p->phase[i].work[rank] : 0;
    return sum;
}

double ss_ranks_work_all(const ss_ranks_plan *p)
{
    double sum = 0;
    for (int r = 0; r < p->count; r++)
        sum += ss_ranks_work(p, r);
    return sum;
}

double ss_ranks_bytes(const ss_ranks_plan *p)
{
    double sum = 0;
    for (int i = 0; i < p->nmessage; i++)
        sum += p->message[i].bytes;
    return sum;
}

int ss_ranks_calls(const ss_ranks_plan *p)
{
    int most = 0;
    for (int i = 0; i < p->nphase; i++) {
        int calls[SS_RANKS_MAX] = {0};
        const ss_ranks_phase *phase = &p->phase[i];
        for (int m = phase->first; m < phase->first + phase->count; m++) {
            calls[p->message[m].from]++;
            calls[p->message[m].to]++;
        }
        for (int r = 0; r < p->count && phase->act == SS_RANKS_SEND; r++)
            most = calls[r] > most ? calls[r] : most;
    }
    return most;
}
