/* The controls of the run: which one has the focus, its value, the keys that change it and a value
 * typed for it. See state.h. Main thread only. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/view/state.h"

/* --- values ------------------------------------------------------------------------------------
 */

int ss_ui_focused(const ss_ui *ui, const ss_snapshot *snap)
{
    for (int i = 0; i < snap->ncontrol; i++)
        if (strcmp(snap->control[i].row->name, ui->focus) == 0)
            return i;
    return snap->ncontrol ? 0 : -1;
}

void ss_ui_focus(ss_ui *ui, const char *name, const ss_snapshot *snap)
{
    int now = ss_ui_focused(ui, snap);
    if (now >= 0 && strcmp(snap->control[now].row->name, name) != 0)
        ui->note[0] = '\0';
    snprintf(ui->focus, sizeof ui->focus, "%s", name);
}

ss_value ss_ui_value(const ss_ui *ui, const ss_control *c, bool *is_pending)
{
    for (int i = ui->npending - 1; i >= 0; i--)
        if (ui->pending[i].row == c->row) {
            if (is_pending)
                *is_pending = true;
            return ui->pending[i].value;
        }
    return c->value;
}

static bool same_value(const ss_param *row, ss_value a, ss_value b)
{
    char x[64], y[64];
    return strcmp(ss_param_format(row, a, x, sizeof x), ss_param_format(row, b, y, sizeof y)) == 0;
}

void ss_ui_set(ss_ui *ui, const ss_control *c, ss_value value)
{
    ss_page_turns_to(ui, SS_TURN_CONTROLS);
    char text[64], line[160];
    if (same_value(c->row, value, ss_ui_value(ui, c, NULL)))
        return;
    snprintf(line, sizeof line, "set %s %s%s", c->row->name,
             ss_param_format(c->row, value, text, sizeof text), ui->dragged ? " join" : "");
    uint64_t ticket = ss_ui_send(ui, line, NULL);
    if (!ticket)
        return;
    ui->dragged = ui->dragging;
    int at = 0;
    while (at < ui->npending && ui->pending[at].row != c->row)
        at++;
    at = at == SS_PENDING_MAX ? at - 1 : at;
    ui->pending[at] = (ss_pending){c->row, value, ticket};
    ui->npending = at == ui->npending ? at + 1 : ui->npending;
}

void ss_ui_step(ss_ui *ui, const ss_control *c, int dir)
{
    ss_value v = ss_ui_value(ui, c, NULL);
    for (int tries = 0; tries < 32; tries++) {
        v = ss_param_stepped(c->row, v, dir, c->lo, c->hi);
        if (c->row->type != SS_CHOICE || (v.i >= 0 && v.i < 32 && (c->choices >> v.i & 1)))
            break;
    }
    ss_ui_set(ui, c, v);
}

/* --- change ------------------------------------------------------------------------------------
 */

/* The smallest or largest valid value of the slider. */
static void set_to_end(ss_ui *ui, const ss_control *c, bool largest)
{
    double lo = c->track.lo > c->lo ? c->track.lo : c->lo;
    double hi = c->track.hi < c->hi ? c->track.hi : c->hi;
    ss_ui_set(ui, c, ss_param_at(c->row, largest, lo, hi));
}

int ss_change_verb(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    int i = ss_ui_focused(ui, snap);
    (void)err;
    if (i < 0)
        return SS_OK;
    const ss_control *c = &snap->control[i];
    ss_ui_focus(ui, c->row->name, snap);
    if (cmd->row == cmd->verb)
        ss_ui_step(ui, c, atoi(cmd->arg[0]));
    else
        set_to_end(ui, c, cmd->row->id == SS_VERB_CHANGE_MAX);
    return SS_OK;
}

/* --- a typed value -----------------------------------------------------------------------------
 */

static void entry_open(ss_ui *ui, const ss_snapshot *snap)
{
    int i = ss_ui_focused(ui, snap);
    ui->typing = i >= 0 && snap->control[i].row->type != SS_CHOICE;
    ui->entry[0] = '\0';
}

static void entry_cancel(ss_ui *ui, const ss_snapshot *snap)
{
    (void)snap;
    ui->typing = ui->answering = false;
}

static void entry_erase(ss_ui *ui, const ss_snapshot *snap)
{
    (void)snap;
    ss_key_type("backspace", ui->entry, sizeof ui->entry);
}

/* Sends the typed number as the answer to the lesson's question. */
static void send_answer(ss_ui *ui, const ss_snapshot *snap)
{
    char line[80];
    snprintf(line, sizeof line, "lesson predict \"%s\"", ui->entry);
    ss_ui_send(ui, line, snap);
}

static void entry_apply(ss_ui *ui, const ss_snapshot *snap)
{
    int i = ss_ui_focused(ui, snap);
    bool answer = ui->answering;
    ss_value v;
    ss_err err;
    if (!*ui->entry && ui->page && ui->page->asks == SS_ASKS_NUMBER)
        ss_ui_say(ui, false, "type a number, then enter");
    entry_cancel(ui, snap);
    if (!*ui->entry || (!answer && i < 0))
        return;
    if (answer)
        send_answer(ui, snap);
    else if (ss_param_parse(snap->control[i].row, ui->entry, &v, &err) != SS_OK)
        ss_ui_say(ui, true, err.text);
    else
        ss_ui_set(ui, &snap->control[i], v);
}

int ss_entry_verb(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    static void (*const handlers[SS_NVERB])(ss_ui *, const ss_snapshot *) = {
        [SS_VERB_ENTRY_OPEN] = entry_open,
        [SS_VERB_ENTRY_APPLY] = entry_apply,
        [SS_VERB_ENTRY_CANCEL] = entry_cancel,
        [SS_VERB_ENTRY_ERASE] = entry_erase};
    (void)err;
    handlers[cmd->row->id](ui, snap);
    return SS_OK;
}
