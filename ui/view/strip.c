/* The timeline: whether it is shown, its axis, and the mouse on it. See state.h. Main thread only.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/view/state.h"

/* Rows of a window and of a terminal from which it is shown unless it was chosen: below that the
 * lines about a probed point need the room. */
enum { IN_WINDOW = 36, IN_TERMINAL = 50 };

bool ss_strip_is_shown(const ss_ui *ui, const ss_snapshot *snap, const ss_extent *extent)
{
    bool tall = extent->rows >= (extent->head > 1 ? IN_WINDOW : IN_TERMINAL);
    bool fits =
        ui->strip.choice == SS_STRIP_AUTO ? tall && !ui->page : ui->strip.choice == SS_STRIP_ON;
    return fits && !ui->in_order && !ui->map.open && snap->race.n == 0;
}

void ss_strip_axis(const ss_snapshot *snap, ss_plot_axis *x)
{
    double end = snap->telemetry.value[SS_T_CYCLE];
    if (snap->ncurve > 0)
        end = fmax(end, (double)snap->curve[snap->ncurve - 1].cycle);
    if (snap->past.back)
        end = fmax(end, (double)snap->past.end);
    ss_axis_make(x, 0, end > 0 ? end : 1, false, true, 12);
}

int ss_view_timeline(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    static const char *const names[] = {"auto", "on", "off"};
    int i = ui->strip.shown ? SS_STRIP_OFF : SS_STRIP_ON;
    (void)snap;
    if (cmd->argc > 1 &&
        ss_ui_pick("timeline", cmd->arg[1], names, 3, (int)ui->strip.choice, &i, err) != SS_OK)
        return SS_FAIL;
    ui->strip.choice = (ss_strip_choice)i;
    return SS_OK;
}

/* --- the mouse -------------------------------------------------------------------------------- */

/* The cycle at column x of the timeline, not beyond the farthest one that the run has reached. */
static double cycle_at(const ss_ui *ui, const ss_snapshot *snap, double x)
{
    ss_plot_axis a;
    ss_strip_axis(snap, &a);
    double f = (x - ui->strip.rect.x) / ui->strip.rect.w;
    double end = snap->past.back ? (double)snap->past.end : snap->telemetry.value[SS_T_CYCLE];
    return fmin(fmax(round(a.lo + f * (a.hi - a.lo)), 0), end);
}

/* The kept state next to a cycle, or the end of the run if that is nearer. */
static double nearest_kept(const ss_snapshot *snap, double cycle)
{
    double best = snap->past.back ? (double)snap->past.end : snap->telemetry.value[SS_T_CYCLE];
    for (int i = 0; i < snap->past.nkept; i++) {
        double kept = (double)snap->past.kept[i].cycle;
        if (fabs(kept - cycle) < fabs(best - cycle))
            best = kept;
    }
    return best;
}

static void return_to(ss_ui *ui, const ss_snapshot *snap, double to)
{
    char line[64];
    if (to == ui->strip.asked)
        return;
    ui->strip.asked = to;
    snprintf(line, sizeof line, "rewind %.0f", to);
    ss_ui_send(ui, line, snap);
}

void ss_strip_press(ss_ui *ui, const ss_hit *h, const ss_event *ev, const ss_snapshot *snap)
{
    ui->strip.rect = h->rect;
    ui->strip.held = true;
    ui->strip.x = ev->x;
    ui->strip.spans = ev->shift || ev->button == 2;
    ui->strip.asked = snap->telemetry.value[SS_T_CYCLE];
    if (ui->strip.spans)
        ui->strip.span[0] = ui->strip.span[1] = cycle_at(ui, snap, ev->x);
    else
        return_to(ui, snap, nearest_kept(snap, cycle_at(ui, snap, ev->x)));
}

bool ss_strip_drag_to(ss_ui *ui, const ss_event *ev, const ss_snapshot *snap)
{
    if (!ui->strip.held)
        return false;
    ui->strip.x = ev->x;
    if (ui->strip.spans)
        ui->strip.span[1] = cycle_at(ui, snap, ev->x);
    else
        return_to(ui, snap, nearest_kept(snap, cycle_at(ui, snap, ev->x)));
    return true;
}

/* Kept states are shown while the mouse moves: they cost no time. Where it is released the cycle
 * itself is wanted, unless a kept state is less than a column away. */
static void settle(ss_ui *ui, const ss_snapshot *snap)
{
    ss_plot_axis a;
    double cycle = cycle_at(ui, snap, ui->strip.x), kept = nearest_kept(snap, cycle);
    ss_strip_axis(snap, &a);
    double column = (a.hi - a.lo) / ui->strip.rect.w;
    return_to(ui, snap, fabs(kept - cycle) <= column ? kept : cycle);
}

bool ss_strip_release(ss_ui *ui, const ss_snapshot *snap)
{
    char line[80];
    double from = fmin(ui->strip.span[0], ui->strip.span[1]);
    double to = fmax(ui->strip.span[0], ui->strip.span[1]);
    bool was = ui->strip.held, spans = ui->strip.spans;
    ui->strip.held = ui->strip.spans = false;
    if (was && !spans)
        settle(ui, snap);
    if (!was || !spans || to <= from)
        return was;
    snprintf(line, sizeof line, "film %.0f %.0f", from, to);
    ss_ui_send(ui, line, snap);
    return true;
}
