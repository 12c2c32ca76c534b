/* A screen beside the user's, for pages of another shape: see events.h, state.h. Main thread only.
 */
#include <string.h>

#include "ui/view/state.h"

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
