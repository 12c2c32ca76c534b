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
        ss_raster_forget(ui);
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
        ss_raster_follow(ui, snap);
}
