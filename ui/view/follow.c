/* The state that persists from snapshot to snapshot: messages, pending values, the last good
 * picture, the space-time raster. No clock: equal snapshots give equal scenes. See
 * state.h. Main thread only. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/view/state.h"

static void follow_message(ss_ui *ui, const ss_snapshot *snap)
{
    if (snap->message_seq <= ui->message_seq)
        return;
    ui->message_seq = snap->message_seq;
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

/* Resets the view and the raster for another problem or layer. */
static void follow_problem(ss_ui *ui, const ss_snapshot *snap)
{
    char problem[64];
    snprintf(problem, sizeof problem, "%s %d %d %d", snap->equation_name ? snap->equation_name : "",
             snap->nx, snap->ny, snap->run);
    bool other = strcmp(problem, ui->followed) != 0;
    if (other && *ui->followed) {
        ui->view.x0 = ui->view.x1 = ui->view.y0 = ui->view.y1 = 0;
        ui->view.probe_x = ui->view.probe_y = ui->view.tile_x = ui->view.tile_y = -1;
        ui->probing = false;
        ss_brush_forget(ui);
        ui->view.field = 0;
        ui->view.seq++;
    }
    if (other || snap->view.layer != ui->followed_layer || snap->view.field != ui->followed_field) {
        memcpy(ui->followed, problem, sizeof problem);
        ui->followed_layer = snap->view.layer;
        ui->followed_field = snap->view.field;
        ui->raster.count = ui->raster.next = 0, ui->raster.apart = 1;
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

/* Drops every other row. */
static void thin(ss_raster *r)
{
    for (int i = 1; 2 * i < r->count; i++)
        r->row[i] = r->row[2 * i];
    r->next = r->count = (r->count + 1) / 2;
    r->apart *= 2;
}

static void add_row(ss_raster *r, const ss_snapshot *snap)
{
    const ss_picture *p = &snap->picture;
    ss_raster_row *row = &r->row[r->next];
    ss_box2 window = ss_ui_window(&snap->view, snap);
    row->w = p->w < SS_RASTER_COLS ? p->w : SS_RASTER_COLS;
    for (int x = 0; x < row->w; x++)
        row->cell[x] = p->cell[(int64_t)x * p->w / row->w];
    row->x0 = window.x0, row->x1 = window.x1;
    row->cycle = (int64_t)snap->telemetry.value[SS_T_CYCLE];
    row->time = snap->telemetry.value[SS_T_TIME];
    row->serial = ++r->serial;
    r->next = (r->next + 1) % SS_RASTER_ROWS;
    r->count += r->count < SS_RASTER_ROWS;
}

/* When the view changes, the newest row is resampled; older rows stay as they were. */
static void follow_raster(ss_ui *ui, const ss_snapshot *snap)
{
    ss_raster *r = &ui->raster;
    int64_t cycle = (int64_t)snap->telemetry.value[SS_T_CYCLE];
    int last = (r->next + SS_RASTER_ROWS - 1) % SS_RASTER_ROWS;
    bool unordered = snap->race.n > 0 && snap->deterministic && !ui->in_order;
    if ((r->count && cycle < r->row[last].cycle) || unordered) /* rows depend on the clock */
        r->count = r->next = 0, r->apart = 1;
    if (r->count && r->row[last].cycle == cycle)
        r->next = last, r->count--;
    else if (r->count && r->whole && cycle - r->row[last].cycle < r->apart)
        return;
    if (r->whole && r->count == SS_RASTER_ROWS)
        thin(r);
    add_row(r, snap);
}

void ss_ui_whole_run(ss_ui *ui)
{
    ss_ui_in_order(ui);
    ui->raster.whole = true;
    ui->raster.apart = 1;
}

int64_t ss_ui_apart(const ss_ui *ui)
{
    return ui->raster.apart;
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
    follow_problem(ui, snap);
    if (snap->picture.w <= 0 || snap->picture.h <= 0 || !snap->picture.cell)
        return;
    follow_picture(ui, snap);
    if (snap->dim == 1 && snap->status != SS_DIVERGED) /* a diverged run shows an old picture */
        follow_raster(ui, snap);
}
