/* Clocks of modelled ranks: see clock.h. */
#include "src/ranks/clock.h"

#include <math.h>
#include <string.h>

/* --- trace ------------------------------------------------------------------------------------ */

/* Adds a span; it grows the rank's last one if that is of the same kind. */
static void add_span(ss_ranks_trace *t, int rank, ss_ranks_kind kind, double from, double to)
{
    if (!t || to <= from)
        return;
    for (int i = t->nspan - 1; i >= 0; i--) {
        ss_ranks_span *s = &t->span[i];
        if (s->rank != rank)
            continue;
        if (s->kind == kind && s->to >= from) {
            s->to = to;
            return;
        }
        break;
    }
    if (t->nspan < SS_RANKS_SPANS)
        t->span[t->nspan++] = (ss_ranks_span){from, to, (uint8_t)rank, (uint8_t)kind};
}

static void add_arrow(ss_ranks_trace *t, const ss_ranks_message *m, double sent, double arrived)
{
    if (t && t->narrow < SS_RANKS_ARROWS)
        t->arrow[t->narrow++] = (ss_ranks_arrow){sent, arrived, m->from, m->to};
}

static ss_ranks_trace *begin_trace(ss_ranks_clock *c)
{
    c->trace[1] = c->trace[0];
    ss_ranks_trace *t = &c->trace[0];
    t->nspan = t->narrow = 0;
    t->from = t->to = ss_ranks_now(c);
    for (int r = 0; r < c->count; r++)
        t->from = fmin(t->from, c->now[r]);
    return t;
}

/* --- acts ------------------------------------------------------------------------------------- */

/* Moves the clock of a rank. */
static void spend(ss_ranks_clock *c, ss_ranks_trace *t, int rank, ss_ranks_kind kind, double until)
{
    add_span(t, rank, kind, c->now[rank], until);
    c->now[rank] = until;
}

static double transfer(const ss_ranks_link *link, double bytes)
{
    return link->rate > 0 ? bytes / link->rate : 0;
}

static void send(ss_ranks_clock *c, ss_ranks_trace *t, const ss_ranks_plan *p,
                 const ss_ranks_link *link, int message)
{
    const ss_ranks_message *m = &p->message[message];
    int r = m->from;
    spend(c, t, r, SS_RANKS_CALLS, c->now[r] + link->overhead);
    double leaves = fmax(c->now[r], c->link_free[r]);
    c->link_free[r] = leaves + transfer(link, m->bytes);
    c->stamp[message] = c->link_free[r] + link->latency;
    add_arrow(t, m, c->now[r], c->stamp[message]);
}

static void receive(ss_ranks_clock *c, ss_ranks_trace *t, const ss_ranks_plan *p,
                    const ss_ranks_link *link, int message)
{
    int r = p->message[message].to;
    double arrival = fmax(c->now[r], c->stamp[message]);
    c->waited += arrival - c->now[r];
    spend(c, t, r, SS_RANKS_WAITS, arrival);
    spend(c, t, r, SS_RANKS_CALLS, arrival + link->overhead);
}

/* share[r]: seconds per point update of rank r. */
static void compute(ss_ranks_clock *c, ss_ranks_trace *t, const ss_ranks_phase *phase,
                    const double *share)
{
    for (int r = 0; r < c->count; r++)
        spend(c, t, r, SS_RANKS_WORKS, c->now[r] + phase->work[r] * share[r]);
}

static void shares(const ss_ranks_plan *p, const double *seconds, double *share)
{
    for (int r = 0; r < p->count; r++) {
        double work = ss_ranks_work(p, r);
        share[r] = work > 0 ? seconds[r] / work : 0;
    }
}

/* All ranks wait for the last one and for the rounds of a sum. */
static void reduce(ss_ranks_clock *c, ss_ranks_trace *t, const ss_ranks_link *link)
{
    double until = ss_ranks_now(c) + ss_ranks_reduction(link, c->count);
    for (int r = 0; r < c->count; r++) {
        c->waited += until - c->now[r];
        spend(c, t, r, SS_RANKS_REDUCES, until);
    }
}

void ss_ranks_cycle(ss_ranks_clock *c, const ss_ranks_plan *p, const ss_ranks_link *link,
                    const double *seconds, bool record)
{
    double share[SS_RANKS_MAX];
    ss_ranks_trace *t = record ? begin_trace(c) : NULL;
    shares(p, seconds, share);
    for (int i = 0; i < p->nphase; i++) {
        const ss_ranks_phase *phase = &p->phase[i];
        int end = phase->first + phase->count;
        if (phase->act == SS_RANKS_COMPUTE)
            compute(c, t, phase, share);
        for (int m = phase->first; m < end && phase->act == SS_RANKS_SEND; m++)
            send(c, t, p, link, m);
        for (int m = phase->first; m < end && phase->act == SS_RANKS_RECEIVE; m++)
            receive(c, t, p, link, m);
        if (phase->act == SS_RANKS_REDUCTION)
            reduce(c, t, link);
    }
    if (t)
        t->to = ss_ranks_now(c);
}

double ss_ranks_reduction(const ss_ranks_link *link, int count)
{
    int rounds = 0;
    while (1 << rounds < count)
        rounds++;
    return rounds * (link->latency + 2 * link->overhead);
}

void ss_ranks_reduce(ss_ranks_clock *c, const ss_ranks_link *link, bool record)
{
    ss_ranks_trace *t = record ? &c->trace[0] : NULL;
    reduce(c, t, link);
    if (t)
        t->to = ss_ranks_now(c);
}

double ss_ranks_now(const ss_ranks_clock *c)
{
    double latest = 0;
    for (int r = 0; r < c->count; r++)
        latest = fmax(latest, c->now[r]);
    return latest;
}

void ss_ranks_follow(ss_ranks_clock *c, const ss_ranks_plan *p, const ss_ranks_link *link)
{
    bool sent[SS_RANKS_MESSAGES] = {false};
    c->count = p->count;
    for (int i = 0; i < p->nphase; i++)
        for (int m = p->phase[i].first; m < p->phase[i].first + p->phase[i].count; m++) {
            if (p->phase[i].act == SS_RANKS_RECEIVE && !sent[m])
                send(c, NULL, p, link, m);
            sent[m] = true;
        }
}

void ss_ranks_start(ss_ranks_clock *c, const ss_ranks_plan *p, const ss_ranks_link *link)
{
    memset(c->now, 0, sizeof c->now);
    memset(c->link_free, 0, sizeof c->link_free);
    c->waited = 0;
    for (int i = 0; i < 2; i++)
        c->trace[i].nspan = c->trace[i].narrow = 0;
    ss_ranks_follow(c, p, link);
}

/* --- formula ---------------------------------------------------------------------------------- */

/* The messages of a phase as one rank sees them. */
typedef struct calls {
    int sent, received;
    double arrival; /* L + bytes/rate of the last one that it receives */
} calls;

static calls calls_of(const ss_ranks_plan *p, const ss_ranks_phase *phase,
                      const ss_ranks_link *link, int rank)
{
    calls c = {0, 0, 0};
    double bytes[SS_RANKS_MAX] = {0}; /* sent so far by each rank */
    for (int m = phase->first; m < phase->first + phase->count; m++) {
        const ss_ranks_message *a = &p->message[m];
        bytes[a->from] += a->bytes;
        c.sent += a->from == rank;
        c.received += a->to == rank;
        if (a->to == rank)
            c.arrival = fmax(c.arrival, link->latency + transfer(link, bytes[a->from]));
    }
    return c;
}

/* Twice through the phases: work before the first RECEIVE may hide messages of the cycle before. */
static double formula_of(const ss_ranks_plan *p, const ss_ranks_link *link, int rank, double share)
{
    double cycle[2] = {0, 0}, while_travelling = 0;
    bool travelling = false;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < p->nphase; i++) {
            const ss_ranks_phase *phase = &p->phase[i];
            calls c = calls_of(p, phase, link, rank);
            if (phase->act == SS_RANKS_COMPUTE && travelling)
                while_travelling += phase->work[rank] * share;
            else if (phase->act == SS_RANKS_COMPUTE)
                cycle[pass] += phase->work[rank] * share;
            else if (phase->act == SS_RANKS_SEND)
                cycle[pass] += c.sent * link->overhead;
            else if (phase->act == SS_RANKS_REDUCTION)
                cycle[pass] += ss_ranks_reduction(link, p->count);
            else
                cycle[pass] += fmax(while_travelling, c.arrival) + c.received * link->overhead;
            if (phase->act != SS_RANKS_COMPUTE) {
                travelling = phase->act == SS_RANKS_SEND;
                while_travelling = 0;
            }
        }
    return cycle[1];
}

double ss_ranks_formula(const ss_ranks_plan *p, const ss_ranks_link *link, const double *seconds)
{
    double share[SS_RANKS_MAX], most = 0;
    shares(p, seconds, share);
    for (int r = 0; r < p->count; r++)
        most = fmax(most, formula_of(p, link, r, share[r]));
    return most;
}

/* --- figures ---------------------------------------------------------------------------------- */

const char *ss_ranks_clock_name(bool modelled_work)
{
    return modelled_work ? "modelled waits, modelled work" : "modelled waits, measured work";
}
