/* The state that persists from snapshot to snapshot: messages, pending values, the last good
 * picture, the space-time raster. No clock: equal snapshots give equal scenes. The rows of the
 * space-time diagram: a state per slot of equal width in time; slot s is at s times its width. A
 * screen beside the user's, for pages of another shape. See view.h, state.h. Main thread only. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/view/state.h"

/* --- the rows of the space-time diagram ------------------------------------------------------- */

enum {
    RECENT = 9,     /* rows whose distances choose the width of a live diagram */
    MOST_APART = 2, /* slots between two of them */
    MANY = 32       /* states that replaced each other in one slot */
};

ss_raster_row *ss_raster_at(ss_raster *r, int i)
{
    return &r->row[r->order[i]];
}

int64_t ss_raster_slot(const ss_raster *r, double time)
{
    double s = floor(time / r->width + 0.5 - 1e-6);
    return s > -1e15 && s < 1e15 ? (int64_t)s : 0;
}

static void forget(ss_raster *r)
{
    r->count = r->replaced = 0;
    r->width = 0;
    for (int i = 0; i < SS_RASTER_ROWS; i++)
        r->order[i] = (uint8_t)i;
}

/* Removes row i; its storage comes after the used ones. */
static void drop(ss_raster *r, int i)
{
    uint8_t spare = r->order[i];
    memmove(&r->order[i], &r->order[i + 1], (size_t)(r->count - 1 - i) * sizeof *r->order);
    r->order[--r->count] = spare;
}

/* How far a row is from the time of its slot. */
static double off(ss_raster *r, int i)
{
    double time = ss_raster_at(r, i)->time;
    return fabs(time - (double)ss_raster_slot(r, time) * r->width);
}

/* If rows i and i + 1 are in one slot, the nearer to its time remains. */
static bool settle(ss_raster *r, int i)
{
    if (i < 0 || ss_raster_slot(r, ss_raster_at(r, i)->time) !=
                     ss_raster_slot(r, ss_raster_at(r, i + 1)->time))
        return false;
    drop(r, off(r, i) < off(r, i + 1) ? i + 1 : i);
    return true;
}

/* Another width. The newest row stays, whatever its slot has. */
static void set_width(ss_raster *r, double width)
{
    r->width = width;
    r->replaced = 0;
    for (int i = r->count - 3; i >= 0; i--)
        settle(r, i);
}

static int64_t slots(ss_raster *r)
{
    return ss_raster_slot(r, ss_raster_at(r, r->count - 1)->time) -
           ss_raster_slot(r, ss_raster_at(r, 0)->time) + 1;
}

/* The median distance of the newest rows; 0: too few. */
static double usual_distance(ss_raster *r)
{
    double apart[RECENT - 1];
    int n = r->count < RECENT ? r->count : RECENT;
    for (int i = 1; i < n; i++)
        apart[i - 1] =
            ss_raster_at(r, r->count - i)->time - ss_raster_at(r, r->count - i - 1)->time;
    if (n < 4)
        return 0;
    qsort(apart, (size_t)(n - 1), sizeof *apart, ss_ascending);
    return apart[(n - 1) / 2];
}

/* All rows of a whole run fit; a slot is at least as wide as a cycle. */
static void fit_whole(ss_raster *r)
{
    while (slots(r) > SS_RASTER_ROWS)
        set_width(r, 2 * r->width);
    while (r->width >= 2 * r->cycle && 4 * slots(r) <= SS_RASTER_ROWS)
        set_width(r, r->width / 2);
}

/* A live diagram: about one state per slot. */
static void fit_live(ss_raster *r)
{
    while (usual_distance(r) > (MOST_APART + 1e-6) * r->width)
        set_width(r, 2 * r->width);
    if (r->replaced >= MANY && r->width >= 2 * r->cycle)
        set_width(r, r->width / 2);
}

/* Simulated time, or cycles where there is none. */
static double time_of(const ss_snapshot *snap)
{
    return snap->telemetry.value[snap->kind == SS_TRANSIENT ? SS_T_TIME : SS_T_CYCLE];
}

static double cycle_width(const ss_snapshot *snap)
{
    double width = snap->telemetry.value[SS_T_DT] * snap->steps;
    return snap->kind == SS_TRANSIENT && width > 0 && isfinite(width) ? width : 1;
}

static void fill_row(ss_raster *r, ss_raster_row *row, const ss_snapshot *snap)
{
    const ss_picture *p = &snap->picture;
    ss_box2 window = ss_ui_window(&snap->view, snap);
    row->w = p->w < SS_RASTER_COLS ? p->w : SS_RASTER_COLS;
    for (int x = 0; x < row->w; x++)
        row->cell[x] = p->cell[(int64_t)x * p->w / row->w];
    row->x0 = window.x0, row->x1 = window.x1;
    row->width = r->width;
    row->serial = ++r->serial;
}

/* A new row, or the newest one anew if it is that state again. Only the newest row may share its
 * slot with another. */
static void add_row(ss_raster *r, const ss_snapshot *snap, int64_t cycle, double time, bool again)
{
    if (r->whole && r->count == SS_RASTER_ROWS && !again)
        set_width(r, 2 * r->width);
    if (again)
        r->count--;
    else
        r->replaced = settle(r, r->count - 2) ? r->replaced + 1 : 0;
    if (r->count == SS_RASTER_ROWS)
        drop(r, 0);
    ss_raster_row *row = ss_raster_at(r, r->count++);
    fill_row(r, row, snap);
    row->cycle = cycle;
    row->time = time;
    (r->whole ? fit_whole : fit_live)(r);
}

/* Takes the snapshot's picture as a row. When the view changes, the newest row is resampled; older
 * rows stay as they were. */
static void raster_follow(ss_ui *ui, const ss_snapshot *snap)
{
    ss_raster *r = &ui->raster;
    int64_t cycle = (int64_t)snap->telemetry.value[SS_T_CYCLE];
    double time = time_of(snap);
    const ss_raster_row *last = r->count ? ss_raster_at(r, r->count - 1) : NULL;
    bool unordered = snap->race.n > 0 && snap->deterministic && !ui->in_order;
    if (!isfinite(time))
        return;
    if (!last || cycle < last->cycle || time < last->time || unordered) { /* by the clock */
        forget(r);
        last = NULL;
    }
    r->cycle = cycle_width(snap);
    r->width = r->width > 0 ? r->width : r->cycle;
    bool again = last && last->cycle == cycle && !(last->time < time);
    add_row(r, snap, cycle, time, again);
}

static void raster_forget(ss_ui *ui)
{
    forget(&ui->raster);
}

void ss_ui_whole_run(ss_ui *ui)
{
    ss_ui_in_order(ui);
    ui->raster.whole = true;
}

/* To the state nearest to the next slot. */
int64_t ss_ui_apart(const ss_ui *ui)
{
    const ss_raster *r = &ui->raster;
    if (r->count == 0 || r->width < 2 * r->cycle)
        return 1;
    double last = r->row[r->order[r->count - 1]].time;
    double next = (floor(last / r->width + 1e-6) + 1) * r->width;
    int64_t cycles = (int64_t)floor((next - last) / r->cycle + 0.5);
    return cycles > 1 ? cycles : 1;
}

/* --- from snapshot to snapshot ---------------------------------------------------------------- */

void ss_ui_select_tile(ss_ui *ui, const ss_snapshot *snap)
{
    ui->view.tile_x = ui->view.tile_y = -1;
    if (!snap->tiled || ui->view.probe_x < 0)
        return;
    int began = ui->view.probe_x - snap->theatre.shift; /* swept nodes shift during a cycle */
    ui->view.tile_x = ss_cut_owner(snap->tiling.x, began < 0 ? began + snap->nx : began);
    ui->view.tile_y = ss_cut_owner(snap->tiling.y, ui->view.probe_y);
}

static void follow_message(ss_ui *ui, const ss_snapshot *snap)
{
    if (snap->message_seq <= ui->message_seq)
        return;
    ui->message_seq = snap->message_seq;
    if (ui->filming >= 0 && !snap->message_is_error)
        return; /* that the run has returned to a cycle */
    if (!*snap->message && ui->said != ui->said_by_engine)
        return; /* it takes back its own message only */
    ss_ui_say(ui, snap->message_is_error, snap->message);
    ui->said_by_engine = ui->said;
}

static void follow_pending(ss_ui *ui, const ss_snapshot *snap)
{
    int n = 0;
    for (int i = 0; i < ui->npending; i++)
        if (ui->pending[i].ticket > snap->ticket)
            ui->pending[n++] = ui->pending[i];
    ui->npending = n;
}

/* The whole field, and nothing pointed at. */
static void forget_place(ss_ui *ui)
{
    ui->view.x0 = ui->view.x1 = ui->view.y0 = ui->view.y1 = 0;
    ui->view.probe_x = ui->view.probe_y = ui->view.tile_x = ui->view.tile_y = -1;
    ui->probing = false;
    ss_brush_forget(ui);
    ss_charts_forget(ui);
    ui->view.field = 0;
    ui->view.seq++;
}

void ss_ui_view_anew(ss_ui *ui)
{
    forget_place(ui);
    ui->view.layer = SS_VALUE;
    ui->view.axis = 2, ui->view.slice = -1;
    ui->over = SS_CYCLES;
    ui->stage = SS_DIAMONDS;
    ui->cone = SS_CONE_AUTO;
    ui->brush.on = ui->wipe.on = ui->wipe.focus = false;
    ss_range_forget(ui);
}

/* Resets the view and the raster for another problem or layer. */
static void follow_problem(ss_ui *ui, const ss_snapshot *snap)
{
    char problem[64];
    snprintf(problem, sizeof problem, "%s %d %d %d", snap->equation_name ? snap->equation_name : "",
             snap->nx, snap->ny, snap->run);
    bool other = strcmp(problem, ui->followed) != 0;
    if (other && *ui->followed)
        forget_place(ui);
    if (other || snap->view.layer != ui->followed_layer || snap->view.field != ui->followed_field) {
        memcpy(ui->followed, problem, sizeof problem);
        ui->followed_layer = snap->view.layer;
        ui->followed_field = snap->view.field;
        raster_forget(ui);
        ui->wipe.scale = 0;
        ui->picture_w = 0;
    }
}

static void follow_picture(ss_ui *ui, const ss_snapshot *snap)
{
    const ss_picture *p = &snap->picture;
    size_t need = (size_t)p->w * (size_t)p->h;
    if (need > ui->picture_room) {
        float *room = realloc(ui->picture, need * sizeof *room);
        if (!room)
            return;
        ui->picture = room;
        ui->picture_room = need;
    }
    memcpy(ui->picture, p->cell, need * sizeof *p->cell);
    ui->picture_w = p->w, ui->picture_h = p->h;
    ui->picture_version++;
    ss_range_follow(ui, snap);
}

static int owner_of_centre(ss_cut was, ss_cut now, int tile)
{
    ss_span s = ss_cut_span(was, tile < was.count ? tile : was.count - 1);
    int centre = (s.wlo + s.whi) / 2;
    return ss_cut_owner(now, centre < now.n ? centre : now.n - 1);
}

/* Other subdomains, also after a solver without any: the selected one is that of the probed point,
 * or else of the centre of the one before. */
static void follow_tile(ss_ui *ui, const ss_snapshot *snap)
{
    ss_tiling was = ui->tiling, now = snap->tiling;
    bool pointed = ui->view.probe_x >= 0, chosen = ui->view.tile_x >= 0;
    if (!snap->tiled || !now.x.block)
        return;
    ui->tiling = now;
    bool same = memcmp(&was, &now, sizeof now) == 0;
    if ((same && (chosen || !pointed)) || (!pointed && (!chosen || !was.x.block)))
        return;
    if (pointed) {
        ss_ui_select_tile(ui, snap);
    } else {
        ui->view.tile_x = owner_of_centre(was.x, now.x, ui->view.tile_x);
        ui->view.tile_y = owner_of_centre(was.y, now.y, ui->view.tile_y);
    }
    ui->view.seq++;
}

/* The plot uses the race's measure until another axis is chosen. */
static void follow_race(ss_ui *ui, const ss_snapshot *snap)
{
    int by = snap->race.n > 0 ? (int)snap->race.by + 1 : 0;
    if (by > 0 && by != ui->race_by)
        ui->over = snap->race.by < SS_NRANKED ? (ss_over)snap->race.by : SS_SECONDS;
    ui->race_by = by;
}

void ss_ui_follow(ss_ui *ui, const ss_snapshot *snap)
{
    follow_pending(ui, snap);
    ss_range_glide(ui);
    if (snap->seq == ui->seen && snap->seq)
        return;
    ui->seen = snap->seq;
    if (ui->diverged && snap->status != SS_DIVERGED)
        ui->view.seq++; /* requests pictures again */
    ui->diverged = snap->status == SS_DIVERGED;
    ss_hold_follow(ui, snap);
    follow_message(ui, snap);
    follow_race(ui, snap);
    ss_wipe_follow(ui, snap);
    follow_problem(ui, snap);
    follow_tile(ui, snap);
    if (snap->picture.w <= 0 || snap->picture.h <= 0 || !snap->picture.cell)
        return;
    follow_picture(ui, snap);
    if (snap->dim == 1 && snap->status != SS_DIVERGED) /* a diverged run shows an old picture */
        raster_follow(ui, snap);
}

/* --- a screen beside the user's --------------------------------------------------------------- */

static void copy_message(ss_ui *ui, const ss_ui *of)
{
    memcpy(ui->message, of->message, sizeof ui->message);
    memcpy(ui->note, of->note, sizeof ui->note);
    ui->message_is_error = of->message_is_error;
    ui->message_seq = of->message_seq;
    ui->said = of->said, ui->said_by_engine = of->said_by_engine;
    ui->hold = of->hold, ui->hold_cycle = of->hold_cycle;
    ui->waits = of->waits, ui->opening = of->opening;
    ui->recording = of->recording;
    ui->filming = of->filming, ui->film_end = of->film_end;
}

static void copy_charts(ss_ui *ui, const ss_ui *of)
{
    ui->over = of->over, ui->race_by = of->race_by;
    ui->stage = of->stage, ui->cone = of->cone;
    ui->charts = of->charts;
    ui->cost = of->cost;
    ui->strip.choice = of->strip.choice;
    ui->arranging.maximised = of->arranging.maximised;
}

static void copy_field(ss_ui *ui, const ss_ui *of)
{
    ui->view = of->view;
    ui->ranging = of->ranging;
    ui->grid = of->grid, ui->smooth = of->smooth;
    ui->probing = of->probing;
    ui->brush = of->brush;
    ui->wipe.on = of->wipe.on, ui->wipe.at = of->wipe.at, ui->wipe.scale = of->wipe.scale;
}

static void copy_input(ss_ui *ui, const ss_ui *of)
{
    memcpy(ui->focus, of->focus, sizeof ui->focus);
    memcpy(ui->pending, of->pending, sizeof ui->pending);
    ui->npending = of->npending;
    ui->typing = of->typing, ui->answering = of->answering;
    memcpy(ui->entry, of->entry, sizeof ui->entry);
    ui->prompt = of->prompt;
    ui->page = of->page;
    ui->page_folded = of->page_folded;
    ui->page_shows_field = of->page_shows_field;
}

static void copy_overlay(ss_ui *ui, const ss_ui *of)
{
    ui->overlay = of->overlay;
    ui->scroll = of->scroll, ui->picked = of->picked, ui->kernel = of->kernel;
    ui->shelf = of->shelf, ui->shelved = of->shelved;
    ui->cards = of->cards;
    ui->finding = of->finding;
    memcpy(ui->find, of->find, sizeof ui->find);
    ui->copy = of->copy;
    ui->copy.data = NULL; /* it has one owner */
    ui->map = of->map;
}

void ss_ui_beside(ss_ui *ui, const ss_ui *of, const ss_snapshot *snap)
{
    ui->now = of->now;
    ss_ui_follow(ui, snap);                      /* pictures are its own, the rest is copied */
    if (of->raster.count > ui->raster.count + 1) /* it was opened later */
        ui->raster = of->raster;
    ui->theme = of->theme;
    copy_message(ui, of);
    copy_charts(ui, of);
    copy_field(ui, of);
    copy_input(ui, of);
    copy_overlay(ui, of);
}

void ss_ui_spectrum_beside(ss_ui *ui, bool shown)
{
    ui->spectrum_beside = shown;
    ui->view.seq += shown && !ui->view.spectrum;
    ui->view.spectrum = ui->view.spectrum || shown;
}
