/* Figures of a snapshot, pure functions, and the triple buffer that passes it: see snapshot.h. */
#include "src/snapshot/snapshot.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/text.h"
#include "src/core/history.h"

/* --- the energy spectrum of a line ------------------------------------------------------------ */

static double mode_power(const float *u, int n, int k)
{
    const double pi = 3.14159265358979323846, angle = 2 * pi * k / n;
    double turn_re = cos(angle), turn_im = sin(angle), re = 1, im = 0, sum_re = 0, sum_im = 0;
    for (int i = 0; i < n; i++) {
        sum_re += (double)u[i] * re;
        sum_im += (double)u[i] * im;
        double next = re * turn_re - im * turn_im;
        im = re * turn_im + im * turn_re;
        re = next;
    }
    return (sum_re * sum_re + sum_im * sum_im) / ((double)n * n);
}

void ss_spectrum(const float *u, int n, int modes, double *power)
{
    for (int k = 1; k <= modes; k++)
        power[k - 1] = mode_power(u, n, k);
}

/* --- telemetry -------------------------------------------------------------------------------- */

const ss_telemetry_row ss_telemetry_rows[SS_NTELEMETRY] = {
#define SS_X(id, label, unit, wall) {#id, label, unit, wall},
    SS_TELEMETRY(SS_X)
#undef SS_X
};

/* --- counts in a staleness cone --------------------------------------------------------------- */

float ss_cone_at(const ss_cone *c, int s, int x)
{
    return c->cell[(size_t)s * (size_t)c->n + (size_t)(x - c->first)];
}

int ss_cone_depth(const ss_cone *c, int s, int side)
{
    int depth = 0, points = c->span.hi - c->span.lo;
    while (depth < points &&
           ss_cone_at(c, s, side == 0 ? c->span.lo + depth : c->span.hi - 1 - depth) > 0)
        depth++;
    return depth;
}

int ss_cone_kept(const ss_cone *c, int s)
{
    int n = 0;
    for (int x = c->span.wlo; x < c->span.whi; x++)
        n += ss_cone_at(c, s, x) > 0;
    return n;
}

/* --- kernels in words ------------------------------------------------------------------------- */

/* "-" below 0: not known. */
static const char *number(double value, char buf[16])
{
    if (value < 0)
        return "-";
    snprintf(buf, 16, "%.0f", value);
    return buf;
}

static void resources(const ss_running_kernel *k, char *out, size_t size)
{
    char registers[16], local[16], shared[16];
    snprintf(out, size, "registers %s per thread, local %s bytes%s, shared %s bytes per block",
             number(k->registers, registers), number(k->local, local),
             k->local > 0 ? ": spilled registers or arrays" : "",
             number(k->fixed < 0 ? -1 : (double)k->fixed + k->dynamic, shared));
}

static void launch(const ss_running_kernel *k, char *out, size_t size)
{
    char blocks[16], resident[16], percent[48] = "-";
    if (k->resident >= 0 && k->most > 0)
        snprintf(percent, sizeof percent, "%.0f %% of %d threads",
                 100.0 * k->resident * k->threads / k->most, k->most);
    snprintf(out, size, "%s block%s of %d threads, %s block%s per SM: occupancy %s",
             number(k->blocks, blocks), k->blocks > 1 ? "s" : "", k->threads,
             number(k->resident, resident), k->resident == 1 ? "" : "s", percent);
}

int ss_kernel_facts_of(const ss_running_kernel *k, char out[SS_KERNEL_FACTS][SS_KERNEL_FACT])
{
    int n = 0;
    const char *text = k->text ? k->text : "";
    snprintf(out[n++], SS_KERNEL_FACT, "%s", k->entry);
    if (*ss_kernel_constants(text, k->entry, out[n], SS_KERNEL_FACT))
        n++;
    snprintf(out[n++], SS_KERNEL_FACT, "%s, line %d", k->file,
             ss_kernel_line(text, ss_kernel_begin(text, k->entry)));
    resources(k, out[n++], SS_KERNEL_FACT);
    launch(k, out[n++], SS_KERNEL_FACT);
    return n;
}

const char *ss_edited_hash(uint64_t hash, char buf[16])
{
    snprintf(buf, 16, "%012llx", (unsigned long long)(hash >> 16));
    return buf;
}

static const char *const edited_words[][2] = {
    [SS_BITS_UNKNOWN] = {"not compared with the CPU", "edited kernel"},
    [SS_BITS_SAME] = {"same bits as the CPU", "edited kernel: same bits"},
    [SS_BITS_DIFFER] = {"its field differs from the CPU's", "edited kernel: field differs"}};

const char *ss_edited_words(const ss_edited *e, char *buf, size_t size)
{
    char hash[16];
    *buf = '\0';
    if (e->hash != 0)
        snprintf(buf, size, "edited kernel %s, %s", ss_edited_hash(e->hash, hash),
                 edited_words[e->bits][0]);
    return buf;
}

const char *ss_edited_label(const ss_edited *e)
{
    return e->hash != 0 ? edited_words[e->bits][1] : "";
}

/* --- the effect of a change ------------------------------------------------------------------- */

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

/* --- the triple buffer ------------------------------------------------------------------------ */

/* The engine owns one slot (back), the app owns one (front), and the third is exchanged through
 * `middle`, whose FRESH bit marks it as new. Publishing and taking are one atomic exchange each. */

#define FRESH 4u

struct ss_mailbox {
    ss_snapshot slot[3];
    atomic_uint middle; /* slot index and FRESH bit */
    unsigned back;      /* engine's */
    unsigned front;     /* app's */
    bool any;           /* app's: a snapshot has arrived */
};

ss_mailbox *ss_mailbox_new(void)
{
    ss_mailbox *m = calloc(1, sizeof *m);
    if (m) {
        m->back = 0;
        m->front = 1;
        atomic_init(&m->middle, 2);
    }
    return m;
}

void ss_mailbox_free(ss_mailbox *m)
{
    if (!m)
        return;
    for (int i = 0; i < 3; i++) {
        free(m->slot[i].picture.cell);
        free(m->slot[i].picture.owner);
        for (int r = 0; m->slot[i].race.racer && r < SS_RACE_MAX; r++) {
            free(m->slot[i].race.racer[r].picture.cell);
            free(m->slot[i].race.racer[r].picture.owner);
        }
        free(m->slot[i].race.racer);
    }
    free(m);
}

ss_snapshot *ss_mailbox_back(ss_mailbox *m)
{
    return &m->slot[m->back];
}

void ss_mailbox_publish(ss_mailbox *m)
{
    m->back = atomic_exchange_explicit(&m->middle, m->back | FRESH, memory_order_acq_rel) & 3u;
}

const ss_snapshot *ss_mailbox_take(ss_mailbox *m, bool *fresh)
{
    *fresh = atomic_load_explicit(&m->middle, memory_order_relaxed) & FRESH;
    if (*fresh) {
        m->front = atomic_exchange_explicit(&m->middle, m->front, memory_order_acq_rel) & 3u;
        m->any = true;
    }
    return m->any ? &m->slot[m->front] : NULL;
}
