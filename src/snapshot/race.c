/* The rules of a race: see race.h. */
#include "src/snapshot/race.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/core/registry.h"

const char *const ss_measure_names[SS_NMEASURE + 1] = {"cycles", "iterations", "sweeps", "seconds",
                                                       "bytes",  "reductions", "time",   NULL};

double ss_measure_of(ss_measure by, const ss_point *p)
{
    const double v[SS_NMEASURE] = {(double)p->cycle, (double)p->iteration, p->work, p->seconds,
                                   p->bytes,         p->reductions,        p->time};
    return v[by];
}

ss_measure ss_race_usual(ss_kind kind)
{
    static const ss_measure usual[SS_NKIND] = {
        [SS_STEADY] = SS_BY_CYCLES, [SS_TRANSIENT] = SS_BY_TIME};
    return usual[kind];
}

/* --- the end of a race in simulated time ------------------------------------------------------ */

#define DISPLAYED 10.0      /* seconds of display at the equation's pace */
#define STEPS_MOST 262144.0 /* a race of small steps ends before that */

/* Simulated time per cycle. */
static double cycle_time(const ss_config *cfg)
{
    const ss_equation *eq = ss_config_equation(cfg);
    const ss_solver *solver = ss_config_solver(cfg);
    ss_problem p = ss_config_problem(cfg);
    int levels = solver->iterations_per_cycle ? solver->iterations_per_cycle(cfg, &p) : 1;
    return p.dt * levels / eq->nstage;
}

static bool has_limit(const ss_config *cfg)
{
    return ss_config_real(cfg, "until-time") > 0 || ss_config_real(cfg, "seconds") > 0 ||
           ss_config_given(cfg, "cycles");
}

double ss_race_end(const ss_config *const *cfg, int n)
{
    const ss_equation *eq = ss_config_equation(cfg[0]);
    double longest = 0;
    ss_problem p;
    if (eq->kind != SS_TRANSIENT || has_limit(cfg[0]))
        return 0;
    p = ss_config_problem(cfg[0]);
    for (int i = 0; i < n; i++)
        longest = fmax(longest, cycle_time(cfg[i]));
    double end = fmin(DISPLAYED * eq->pace, STEPS_MOST * p.dt);
    return longest * fmax(1, floor(end / longest));
}

/* --- turns ------------------------------------------------------------------------------------ */

int ss_race_turn(const ss_stand *s, int n)
{
    int turn = -1;
    for (int i = 0; i < n; i++)
        if (s[i].going && (turn < 0 || s[i].at < s[turn].at))
            turn = i;
    return turn;
}

int64_t ss_race_cycles(const ss_stand *s, int n, int turn, double lead, int64_t most)
{
    double next = (double)INFINITY;
    for (int i = 0; i < n; i++)
        if (s[i].going && i != turn && s[i].at < next)
            next = s[i].at;
    double cycles = (next + lead - s[turn].at) / s[turn].cycle;
    if (!(s[turn].cycle > 0) || !(cycles < (double)most))
        return most;
    return cycles < 1 ? 1 : (int64_t)cycles;
}

void ss_race_finished(const ss_status *status, int n, bool *finished)
{
    bool any = false;
    for (int i = 0; i < n; i++)
        any = any || status[i] == SS_CONVERGED;
    for (int i = 0; i < n; i++)
        finished[i] = status[i] == SS_CONVERGED || (!any && status[i] == SS_LIMIT);
}

bool ss_race_level(const double *time, int n)
{
    for (int i = 1; i < n; i++)
        if (time[i] < time[0] || time[i] > time[0])
            return false;
    return true;
}

void ss_race_places(const double *value, const bool *finished, int n, int *place)
{
    for (int i = 0; i < n; i++) {
        place[i] = finished[i];
        for (int j = 0; j < n; j++)
            place[i] += finished[i] && finished[j] && value[j] < value[i];
    }
}

/* --- pictures --------------------------------------------------------------------------------- */

int ss_race_pictures(int n)
{
    return n < SS_RACE_PICTURES ? n : SS_RACE_PICTURES;
}

int ss_race_pictured(int place, int selected)
{
    return place == SS_RACE_PICTURES - 1 && selected > place ? selected : place;
}

bool ss_race_has_picture(int run, int selected, int dim)
{
    int place = run < SS_RACE_PICTURES ? run : SS_RACE_PICTURES - 1;
    return dim == 1 || ss_race_pictured(place, selected) == run;
}

/* --- same problem, same goal ------------------------------------------------------------------ */

static const char *size_text(const ss_problem *p, char *buf, size_t size)
{
    if (p->nz > 1)
        snprintf(buf, size, "%d\xc3\x97%d\xc3\x97%d", p->nx, p->ny, p->nz);
    else
        snprintf(buf, size, p->ny > 1 ? "%d\xc3\x97%d" : "%d", p->nx, p->ny);
    return buf;
}

/* Limits that all runs must share: a run that stops earlier would win by any measure. */
static const char *const goals[] = {"until",  "until-accuracy", "until-error", "error-norm",
                                    "cycles", "until-time",     "seconds",     NULL};

static int alike_row(const ss_config *a, const ss_config *b, const ss_param *row, const char *what,
                     ss_err *err)
{
    char x[64], y[64];
    ss_param_format(row, ss_config_value(a, row), x, sizeof x);
    ss_param_format(row, ss_config_value(b, row), y, sizeof y);
    if (strcmp(x, y) == 0)
        return SS_OK;
    return ss_fail(err, "the runs of a race share one %s: %s is %s in one run and %s in another",
                   what, row->name, x, y);
}

int ss_race_alike(const ss_config *a, const ss_config *b, ss_err *err)
{
    const ss_equation *eq = ss_config_equation(a);
    char x[48], y[48];
    ss_problem p, q;
    if (eq != ss_config_equation(b))
        return ss_fail(err, "the runs of a race share one problem: one has %s and another %s",
                       eq->name, ss_config_equation(b)->name);
    p = ss_config_problem(a);
    q = ss_config_problem(b);
    if (p.nx != q.nx || p.ny != q.ny || p.nz != q.nz)
        return ss_fail(err,
                       "the runs of a race share one problem: one has %s points and another %s",
                       size_text(&p, x, sizeof x), size_text(&q, y, sizeof y));
    for (int i = 0; i < eq->nparam; i++)
        if (alike_row(a, b, &eq->params[i], "problem", err) != SS_OK)
            return SS_FAIL;
    if (alike_row(a, b, ss_param_find(a, "seed", NULL), "problem", err) != SS_OK)
        return SS_FAIL;
    for (int i = 0; goals[i]; i++)
        if (alike_row(a, b, ss_param_find(a, goals[i], NULL), "goal", err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

/* --- labels and commands ---------------------------------------------------------------------- */

const char *ss_race_label(const ss_config *cfg, char *buf, size_t size)
{
    const ss_solver *solver = ss_config_solver(cfg);
    size_t n = (size_t)snprintf(buf, size, "%s", solver->name);
    for (int i = 0; i < solver->nparam && n < size; i++) {
        const ss_param *row = &solver->params[i];
        char text[64];
        if (cfg->v[row->slot].set)
            n += (size_t)snprintf(
                buf + n, size - n, " %s %s", row->symbol ? row->symbol : row->name,
                ss_param_format(row, ss_config_value(cfg, row), text, sizeof text));
    }
    return buf;
}

/* Common rows that may distinguish two runs of one solver. */
static const char *const machine[] = {"precision", "backend", "threads", NULL};

static bool differs(const ss_config *const *all, int n, const ss_param *row, const char *own)
{
    char text[64];
    bool any = false;
    for (int i = 0; i < n; i++)
        any = any || strcmp(own, ss_param_format(row, ss_config_value(all[i], row), text,
                                                 sizeof text)) != 0;
    return any;
}

/* The label, and where the runs are computed if that differs. */
static void label_on(const ss_config *const *all, int n, int own, char *buf, size_t size)
{
    ss_race_label(all[own], buf, size);
    for (int i = 0; machine[i]; i++) {
        char text[64];
        size_t used = strlen(buf);
        const ss_param *row = ss_param_find(all[own], machine[i], NULL);
        ss_param_format(row, ss_config_value(all[own], row), text, sizeof text);
        if (differs(all, n, row, text))
            snprintf(buf + used, size - used, " %s%s%s", row->type == SS_CHOICE ? "" : row->name,
                     row->type == SS_CHOICE ? "" : " ", text);
    }
}

const char *ss_race_label_among(const ss_config *const *all, int n, int own, char *buf, size_t size)
{
    int equal = 0, before = 0; /* other runs with the same label */
    char other[128];
    label_on(all, n, own, buf, size);
    for (int i = 0; i < n; i++) {
        if (i == own)
            continue;
        label_on(all, n, i, other, size < sizeof other ? size : sizeof other);
        bool same = strcmp(other, buf) == 0;
        equal += same;
        before += same && i < own;
    }
    size_t used = strlen(buf);
    if (equal > 0)
        snprintf(buf + used, size - used, " (%d)", before + 1);
    return buf;
}

/* Skips equation and solver, which are the leading words, and the options of the program. */
const char *ss_race_command(const ss_config *cfg, char *buf, size_t size)
{
    char text[256];
    const ss_param *row;
    size_t n = (size_t)snprintf(buf, size, "add %s %s", ss_config_equation(cfg)->name,
                                ss_config_solver(cfg)->name);
    for (ss_param_walk w = {.cfg = cfg}; (row = ss_param_next(&w)) && n < size;)
        if (cfg->v[row->slot].set && !(row->flags & SS_P_APP) &&
            row != ss_param_find(cfg, "equation", NULL) &&
            row != ss_param_find(cfg, "solver", NULL))
            n += (size_t)snprintf(
                buf + n, size - n, " \"%s=%s\"", row->name,
                ss_param_format(row, ss_config_value(cfg, row), text, sizeof text));
    return buf;
}
