/* The screen of a watcher beside that of the pilot: see events.h, state.h. Main thread only. */
#include <string.h>

#include "ui/view/state.h"

void ss_ui_look(ss_ui *ui, const ss_view *view)
{
    ss_view *v = &ui->view;
    v->layer = view->layer;
    v->x0 = view->x0, v->x1 = view->x1;
    v->y0 = view->y0, v->y1 = view->y1;
    v->seq++;
}

/* What is looked at besides layer and window. */
static void follow_slice(ss_view *v, const ss_view *of)
{
    if (v->field == of->field && v->axis == of->axis && v->slice == of->slice)
        return;
    v->field = of->field;
    v->axis = of->axis;
    v->slice = of->slice;
    v->seq++;
}

static void follow_message(ss_ui *ui, const ss_ui *of)
{
    memcpy(ui->message, of->message, sizeof ui->message);
    memcpy(ui->note, of->note, sizeof ui->note);
    ui->message_is_error = of->message_is_error;
    ui->message_seq = of->message_seq;
    ui->said = of->said, ui->said_by_engine = of->said_by_engine;
    ui->hold = of->hold, ui->hold_cycle = of->hold_cycle;
    ui->waits = of->waits;
}

void ss_ui_beside(ss_ui *ui, const ss_ui *of)
{
    follow_slice(&ui->view, &of->view);
    follow_message(ui, of);
    ui->theme = of->theme;
    ui->over = of->over, ui->race_by = of->race_by;
    ui->stage = of->stage;
    ui->grid = of->grid, ui->smooth = of->smooth;
    memcpy(ui->focus, of->focus, sizeof ui->focus);
    ui->strip.choice = of->strip.choice;
    ui->page = of->page;
    ui->page_folded = of->page_folded;
    ui->page_shows_field = of->page_shows_field;
    ui->page_scroll = of->page_scroll, ui->page_turn = of->page_turn;
}
