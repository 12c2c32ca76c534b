/* The model of a hybrid run and its calibration: see split.h. */
#include "src/core/split.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the model -------------------------------------------------------------------------------- */

double ss_split_cpu(const ss_split_cost *m, double x)
{
    if (!(m->far > 0) || x <= m->share)
        return m->cpu;
    return m->cpu + (m->far - m->cpu) * fmin(x / m->share - 1, 1);
}

double ss_split_time(const ss_split_cost *m, int k, double x)
{
    if (x <= 0)
        return m->gpu;
    if (x >= 1)
        return ss_split_cpu(m, 1);
    return fmax(x * ss_split_cpu(m, x), (1 - x) * m->gpu) + m->exchange / k;
}

double ss_split_best(const ss_split_cost *m)
{
    return m->gpu / (m->cpu + m->gpu);
}

double ss_split_saving(const ss_split_cost *m)
{
    return m->gpu * ss_split_best(m);
}

double ss_split_gain(const ss_split_cost *m, int k)
{
    return 1 - ss_split_time(m, k, ss_split_best(m)) / m->gpu;
}

void ss_split_explain(const ss_split_cost *m, int k, char *buf, size_t size)
{
    char saves[32], costs[32];
    double saving = ss_split_saving(m), exchange = m->exchange / k;
    ss_format_si(saving, "s", saves, sizeof saves);
    ss_format_si(exchange, "s", costs, sizeof costs);
    if (exchange < saving)
        snprintf(buf, size,
                 "the CPU would save %s per iteration and the exchange costs %s, less than %g %% "
                 "remains: GPU alone",
                 saves, costs, 100 * SS_SPLIT_GAIN);
    else
        snprintf(buf, size,
                 "the CPU would save %s per iteration and the exchange costs %s: GPU alone", saves,
                 costs);
}

/* --- calibration ------------------------------------------------------------------------------ */

#define WEIGHT 0.4 /* of a batch in the moving average */
#define PATIENCE 3 /* batches without a promise before the CPU is given up */
#define NEAR 512   /* settled within this part of the rows of x* */
#define LONGEST 16 /* batches until rows are chosen in any case */
#define PROBES 2   /* batches with twice the rows; the first one decides nothing */
#define FIRST 64   /* `auto` begins with this part of the rows */

static void average(double *mean, double batch, double weight)
{
    *mean += weight * (batch - *mean);
}

/* Where rows move, the latest batches count most. Where they are given, the first hundred count
 * alike: what else the machine does must not decide. */
static double weight_of(const ss_split_tuner *t)
{
    return t->given ? fmax(1.0 / (t->batches - SS_SPLIT_WARM), 0.01) : WEIGHT;
}

void ss_split_measured(ss_split_tuner *t, const ss_split_cost *batch)
{
    if (t->chosen && !t->settled) {
        t->mean.far = batch->cpu;
        t->batches++;
        return;
    }
    if (t->batches++ <= SS_SPLIT_WARM) {
        t->mean = *batch;
        return;
    }
    double weight = weight_of(t);
    average(&t->mean.cpu, batch->cpu, weight);
    average(&t->mean.gpu, batch->gpu, weight);
    average(&t->mean.exchange, batch->exchange, weight);
}

static int clamp(int rows, int least, int most)
{
    return rows < least ? least : rows > most ? most : rows;
}

int ss_split_guess(int all, int least)
{
    return clamp(all / FIRST, least, all - least);
}

/* Whether the CPU is given up: the model has promised no gain for some batches. */
static bool gives_up(ss_split_tuner *t, int k)
{
    bool promises = ss_split_gain(&t->mean, k) > SS_SPLIT_GAIN;
    t->losing = promises ? 0 : t->losing + 1;
    return t->losing >= PATIENCE || (!promises && !t->chosen && t->batches >= LONGEST);
}

/* Rows are chosen: from now on twice as many, for PROBES batches. */
static int choose(ss_split_tuner *t, int rows, int all, int least)
{
    t->chosen = rows;
    t->mean.share = (double)rows / all;
    return clamp(2 * rows, least, all - least);
}

static int probe(ss_split_tuner *t, int rows)
{
    t->settled = ++t->probes == PROBES;
    return t->settled ? t->chosen : rows;
}

static int approach(ss_split_tuner *t, int rows, int all, int least)
{
    int near = all / NEAR > 1 ? all / NEAR : 1;
    int target = clamp((int)lround(ss_split_best(&t->mean) * all), least, all - least);
    int left = target - rows;
    if (abs(left) <= near || t->batches >= LONGEST)
        return choose(t, target, all, least);
    return rows + (left + (left > 0 ? 1 : -1)) / 2;
}

int ss_split_move(ss_split_tuner *t, int k, int rows, int all, int least)
{
    if (t->batches <= SS_SPLIT_WARM)
        return rows;
    if (t->chosen && !t->settled)
        return probe(t, rows);
    if (gives_up(t, k)) {
        t->refused = true;
        return 0;
    }
    return t->settled || t->losing > 0 ? rows : approach(t, rows, all, least);
}

/* --- the parameter ---------------------------------------------------------------------------- */

int ss_split_parse(const char *text, int all, int least, ss_split_choice *out, ss_err *err)
{
    char *end;
    *out = (ss_split_choice){false, false, 0};
    if (!text || strcmp(text, "off") == 0)
        return SS_OK;
    if (all < 2 * least)
        return ss_fail(err,
                       "split: %d rows are too few for two parts, which exchange %d rows: choose "
                       "split off, or a larger grid",
                       all, least);
    out->on = true;
    if (strcmp(text, "auto") == 0) {
        out->automatic = true;
        return SS_OK;
    }
    bool digit = *text >= '0' && *text <= '9';
    long rows = digit ? strtol(text, &end, 10) : 0;
    if (!digit || *end)
        return ss_fail(err, "split: '%.40s' is neither off, auto nor a number of rows", text);
    if (rows == 0)
        out->on = false;
    else if (rows < least || rows > all - least)
        return ss_fail(err,
                       "split: %ld is out of range %d\xe2\x80\xa6%d, the rows of the CPU: each "
                       "part of the %d rows has at least %d",
                       rows, least, all - least, all, least);
    out->rows = (int)rows;
    return SS_OK;
}
