/* The film of a card: see film.h. */
#include "src/gallery/film.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/engine/layers.h"
#include "src/run/reference.h"

#define UPDATES_MOST 4e6 /* of points between two states, so that a card costs little */

/* --- pictures --------------------------------------------------------------------------------- */

static int least(int a, int b)
{
    return a < b ? a : b;
}

static void name_grid(const ss_problem *p, char *buf, size_t size)
{
    int n = snprintf(buf, size, "%d", p->nx);
    if (p->dim > 1)
        n += snprintf(buf + n, size - (size_t)n, "×%d", p->ny);
    if (p->dim > 2)
        n += snprintf(buf + n, size - (size_t)n, "×%d", p->nz);
    snprintf(buf + n, size - (size_t)n, " points");
}

static void shape(ss_card_film *f, int w, int h)
{
    const ss_problem *p = &f->run->problem;
    ss_thumb *t = &f->thumb;
    w = least(w < 1 ? 1 : w, SS_THUMB_SIDE), h = least(h < 1 ? 1 : h, SS_THUMB_ROWS);
    t->dim = p->dim;
    t->layer = f->layer;
    t->aspect = p->dim == 1 ? 0 : (double)p->nx / p->ny;
    t->w = least(p->nx, p->dim == 1 ? w : (int)fmin(w, ceil(h * t->aspect)));
    t->h = p->dim == 1 ? f->plan.states : least(p->ny, (int)fmin(h, ceil(w / t->aspect)));
    t->sweeps = f->run->iterations_per_cycle;
    name_grid(p, t->words, sizeof t->words);
}

static void range_of(ss_thumb *t)
{
    t->lo = INFINITY, t->hi = -INFINITY;
    for (int i = 0; i < t->w * t->h; i++) {
        double v = (double)t->cell[i];
        if (isfinite(v))
            t->lo = fmin(t->lo, v), t->hi = fmax(t->hi, v);
    }
}

/* A line's state is a new row on top of the others. */
static float *room_for_state(ss_thumb *t)
{
    if (t->dim > 1)
        return t->cell;
    memmove(t->cell + t->w, t->cell, sizeof *t->cell * (size_t)(t->w * (t->h - 1)));
    return t->cell;
}

static int draw(ss_card_film *f, ss_err *err)
{
    ss_thumb *t = &f->thumb;
    int rows = t->dim == 1 ? 1 : t->h;
    ss_view view = {.layer = f->layer,
                    .axis = 2,
                    .slice = -1,
                    .w = t->w,
                    .h = rows,
                    .probe_x = -1,
                    .probe_y = -1,
                    .tile_x = -1,
                    .tile_y = -1,
                    .exact = true};
    ss_picture p = {.cell = room_for_state(t), .owner = f->owner, .w = t->w, .h = rows};
    if (f->run->backend->sample(f->run, &view, &p, err) != SS_OK)
        return SS_FAIL;
    range_of(t);
    t->version++;
    t->state = SS_THUMB_SHOWN;
    return SS_OK;
}

/* --- states ----------------------------------------------------------------------------------- */

static void clear(ss_card_film *f)
{
    f->state = 0;
    for (int i = 0; i < f->thumb.w * f->thumb.h; i++)
        f->thumb.cell[i] = NAN;
}

static int needs_reference(ss_card_film *f, ss_err *err)
{
    char notice[200];
    bool needed = f->layer == SS_ERROR || f->layer == SS_EXACT;
    if (!needed || f->run->eq->kind == SS_TRANSIENT || f->run->reference)
        return SS_OK;
    f->run->reference = ss_reference_start(f->run, false, notice, sizeof notice, err);
    return f->run->reference ? SS_OK : SS_FAIL;
}

int ss_card_film_open(ss_card_film *f, const char *commands, ss_layer layer,
                      const ss_config *machine, int w, int h, ss_err *err)
{
    f->run = NULL;
    f->layer = layer;
    if (ss_card_plan_make(commands, machine, least(h, SS_THUMB_ROWS), &f->plan, err) != SS_OK)
        return SS_FAIL;
    f->run = ss_run_open(&f->plan.cfg, NULL, NULL, err);
    if (!f->run)
        return SS_FAIL;
    const char *why = ss_no_layer(f->run, layer);
    shape(f, w, h);
    clear(f);
    int status = why ? ss_fail(err, "%s", why) : needs_reference(f, err);
    if (status == SS_OK)
        status = draw(f, err);
    if (status != SS_OK)
        ss_card_film_close(f);
    return status;
}

/* Cycles to the next state: a transient run's states lie at equal steps of time. */
static int advance(ss_card_film *f, ss_err *err)
{
    ss_run *run = f->run;
    double cost = f->plan.points * fmax(run->iterations_per_cycle, 1), spent = 0;
    double goal = f->plan.until * (f->state + 1) / fmax(f->plan.states - 1, 1);
    bool moves = f->plan.until > 0;
    if (!moves)
        return ss_run_step(run, f->plan.cycles, err);
    while (run->status == SS_RUNNING && run->time < goal * (1 - 1e-9) && spent < UPDATES_MOST) {
        if (ss_run_step(run, 1, err) != SS_OK)
            return SS_FAIL;
        spent += cost;
    }
    return SS_OK;
}

int ss_card_film_next(ss_card_film *f, bool *more, ss_err *err)
{
    *more = false;
    if (f->state + 1 >= f->plan.states || f->run->status == SS_DIVERGED)
        return SS_OK;
    if (advance(f, err) != SS_OK)
        return SS_FAIL;
    if (f->run->status == SS_DIVERGED) /* its last picture is empty */
        return SS_OK;
    f->state++;
    *more = f->state + 1 < f->plan.states && f->run->status == SS_RUNNING;
    return draw(f, err);
}

int ss_card_film_restart(ss_card_film *f, ss_err *err)
{
    clear(f);
    return ss_run_reset(f->run, err) == SS_OK ? draw(f, err) : SS_FAIL;
}

void ss_card_film_trim(ss_card_film *f)
{
    if (f->thumb.dim == 1 && f->state + 1 < f->thumb.h)
        f->thumb.h = f->state + 1;
}

void ss_card_film_close(ss_card_film *f)
{
    ss_run_close(f->run);
    f->run = NULL;
}
