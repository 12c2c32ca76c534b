/* The effect of a change: see effect.h. */
#include "src/snapshot/effect.h"

#include <math.h>
#include <string.h>

#include "src/core/factors.h"

#define SAME 0.02 /* relative change of the logarithm of a factor that may have any cause */

/* A part of the curve, between two changes. */
typedef struct part {
    int from, to; /* its first and last point */
} part;

/* The classic residual after so many iterations; NAN: unknown. */
static double classic_at(const ss_beside *s, int64_t iteration)
{
    int i = 0;
    while (i < s->n && s->curve[i].iteration < iteration)
        i++;
    if (i == s->n || (i == 0 && s->curve[0].iteration > iteration))
        return (double)NAN;
    if (s->curve[i].iteration == iteration)
        return s->curve[i].residual;
    const ss_point *a = &s->curve[i - 1], *b = &s->curve[i];
    double t = (double)(iteration - a->iteration) / (double)(b->iteration - a->iteration);
    return a->residual * pow(b->residual / a->residual, t);
}

/* At the end of a part. False: it has not settled, or the classic solver's is unknown. */
static bool pace_of(const ss_snapshot *p, part r, ss_pace *out)
{
    enum { NEAR = 12 }; /* points: over fewer iterations other causes matter less */
    ss_factors f = {.n = 0};
    bool settled;
    for (int i = r.from; i <= r.to; i++)
        ss_factors_add(&f, p->curve[i].cycle, p->curve[i].residual);
    ss_factors_measured(&f, &settled);
    const ss_point *b = &p->curve[r.to];
    const ss_point *a = &p->curve[r.to - NEAR > r.from ? r.to - NEAR : r.from];
    double cycles = (double)(b->cycle - a->cycle);
    out->own = pow(b->residual / a->residual, 1 / cycles);
    out->classic = pow(classic_at(&p->beside, b->iteration) / classic_at(&p->beside, a->iteration),
                       1 / cycles);
    return settled && out->own > 0 && out->classic > 0 && isfinite(out->own) &&
           isfinite(out->classic);
}

static int point_at(const ss_snapshot *p, int64_t cycle)
{
    int i = 0;
    while (i < p->ncurve - 1 && p->curve[i].cycle < cycle)
        i++;
    return i;
}

bool ss_effect_of_change(const ss_snapshot *p, ss_effect *out)
{
    int last = p->nmark - 1;
    while (last >= 0 && !strstr(p->mark[last].text, "→")) /* the mark of something else */
        last--;
    if (last < 0 || p->ncurve < 2)
        return false;
    int at = point_at(p, p->mark[last].at.cycle);
    int from = last > 0 ? point_at(p, p->mark[last - 1].at.cycle) : 0;
    *out = (ss_effect){.text = p->mark[last].text, .at = &p->curve[at]};
    if (!pace_of(p, (part){from, at}, &out->before) ||
        !pace_of(p, (part){at, p->ncurve - 1}, &out->after))
        return false;
    double was = log(out->before.own) / log(out->before.classic);
    double is = log(out->after.own) / log(out->after.classic);
    return fabs(is - was) > SAME * fabs(was);
}
