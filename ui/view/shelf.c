/* The list of lessons next to the presets: choosing and opening. See state.h, src/snapshot/shelf.h.
 * Main thread only. */
#include "ui/view/state.h"

void ss_ui_lessons(ss_ui *ui, const ss_shelf *shelf)
{
    ui->shelf = shelf;
}

void ss_ui_shelf(ss_ui *ui, const ss_shelf *shelf)
{
    ui->shelf = shelf;
    ss_gallery_open(ui, SS_TAB_LESSONS, shelf->at);
}

static void shelf_move(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap)
{
    (void)snap;
    ss_gallery_move(ui, cmd->arg[1]);
}

static void shelf_take(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap)
{
    (void)cmd;
    int card = ss_gallery_chosen(ui);
    if (card < 0 || ss_gallery_tab_of(ui) != SS_TAB_LESSONS)
        return;
    ss_gallery_close(ui);
    ss_ui_send(ui, ui->shelf->item[card].command, snap);
}

/* Starts the run if it is still paused at its beginning and no lesson is open. */
static void shelf_close(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap)
{
    (void)cmd;
    ss_gallery_close(ui);
    if (!ui->page && snap->paused && !(snap->telemetry.value[SS_T_CYCLE] > 0))
        ss_ui_send(ui, "run", snap);
}

int ss_shelf_verb(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    static void (*const handlers[SS_NVERB])(ss_ui *, const ss_cmd *, const ss_snapshot *) = {
        [SS_VERB_LESSONS_MOVE] = shelf_move,
        [SS_VERB_LESSONS_TAKE] = shelf_take,
        [SS_VERB_LESSONS_CLOSE] = shelf_close};
    (void)err;
    handlers[cmd->row->id](ui, cmd, snap);
    return SS_OK;
}
