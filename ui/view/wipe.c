/* The wipe: its line and the keys and the mouse that move it. A race is started if there is none.
 * See state.h. Main thread only. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/view/state.h"

#define STEP 0.02 /* of an arrow key */

bool ss_wipe_shown(const ss_ui *ui, const ss_snapshot *snap)
{
    return ui->wipe.on && snap->race.n > 1 && snap->view.layer != SS_OWNER;
}

bool ss_wipe_has_keys(const ss_ui *ui, const ss_snapshot *snap)
{
    return ui->wipe.focus && snap && ss_wipe_shown(ui, snap);
}

/* The runs of a race: of several ones, or of the shown one and its classic solver. */
static int race(ss_ui *ui, const ss_snapshot *snap)
{
    if (!snap || snap->race.n > 1)
        return SS_OK;
    ui->wipe.ticket = ss_ui_send(ui, snap->nrun > 1 ? "race" : "split classic", snap);
    return ui->wipe.ticket ? SS_OK : SS_FAIL;
}

static int turn_on(ss_ui *ui, const ss_snapshot *snap, ss_err *err)
{
    ui->wipe.ticket = ui->opening;
    if (race(ui, snap) != SS_OK)
        return ss_fail(err, "%s", ui->message);
    if (snap && snap->view.layer == SS_OWNER)
        ss_ui_say(ui, false, "owners are names, which have no difference: l shows another layer");
    ui->wipe.at = ui->wipe.on ? ui->wipe.at : 0.5;
    ui->wipe.on = ui->wipe.focus = true;
    return SS_OK;
}

static void turn_off(ss_ui *ui)
{
    ui->wipe.on = ui->wipe.focus = ui->wipe.held = false;
}

/* toggle: on, then the arrows again if esc has taken them away, then off. */
static int word(ss_ui *ui, const char *name, const ss_snapshot *snap, ss_err *err)
{
    enum { OFF, ON, TOGGLE, KEYS_OFF, NWORD };
    static const char *const names[NWORD] = {"off", "on", "toggle", "keys-off"};
    int i;
    if (ss_ui_pick("wipe", name, names, NWORD, 0, &i, err) != SS_OK)
        return SS_FAIL;
    if (i == KEYS_OFF)
        ui->wipe.focus = false;
    else if (i == OFF || (i == TOGGLE && ui->wipe.on && ui->wipe.focus))
        turn_off(ui);
    else
        return turn_on(ui, snap, err);
    return SS_OK;
}

static void move_to(ss_ui *ui, double at)
{
    ui->wipe.at = at < 0 ? 0 : at > 1 ? 1 : at;
}

/* view wipe [on|off|toggle|left|right|X] */
int ss_view_wipe(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    const char *text = cmd->argc > 1 ? cmd->arg[1] : "toggle";
    char *end;
    double at = strtod(text, &end);
    int x, y;
    if (ss_ui_direction(text, &x, &y) && x != 0) {
        move_to(ui, round((ui->wipe.at + x * STEP) / STEP) * STEP);
        return SS_OK;
    }
    if (end == text || *end)
        return word(ui, text, snap, err);
    if (!(at >= 0 && at <= 1))
        return ss_fail(err,
                       "view wipe: %.40s is out of range 0\xe2\x80\xa6"
                       "1, a part of the width",
                       text);
    if (!ui->wipe.on && turn_on(ui, snap, err) != SS_OK)
        return SS_FAIL;
    move_to(ui, at);
    return SS_OK;
}

void ss_wipe_follow(ss_ui *ui, const ss_snapshot *snap)
{
    if (snap->race.n < 2 && snap->ticket >= ui->wipe.ticket)
        turn_off(ui);
}

void ss_wipe_press(ss_ui *ui)
{
    ui->wipe.held = ui->wipe.focus = true;
}

bool ss_wipe_drag(ss_ui *ui, const ss_event *ev, const struct ss_scene *scene)
{
    for (int i = 0; i < scene->nhit && ui->wipe.held; i++) {
        const ss_hit *h = &scene->hit[i];
        if (h->kind != SS_H_FIELD || h->rect.w < 1)
            continue;
        move_to(ui, (ev->x - h->rect.x) / h->rect.w);
        return true;
    }
    return false;
}

bool ss_wipe_release(ss_ui *ui)
{
    bool held = ui->wipe.held;
    ui->wipe.held = false;
    return held;
}

/* Both pictures have the same size. */
bool ss_wipe_room(ss_ui *ui, int w, int h)
{
    size_t need = (size_t)w * (size_t)h;
    if (need > ui->wipe.room) {
        float *cell = realloc(ui->wipe.cell, need * sizeof *cell);
        ui->wipe.cell = cell ? cell : ui->wipe.cell;
        float *difference = realloc(ui->wipe.difference, need * sizeof *difference);
        ui->wipe.difference = difference ? difference : ui->wipe.difference;
        if (!cell || !difference)
            return false;
        ui->wipe.room = need;
    }
    return need > 0;
}
