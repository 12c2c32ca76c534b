/* The message line: messages, what is said about a steady run that holds, and about an engine whose
 * next snapshot takes long. See view.h, state.h. Main thread only. */
#include <stdio.h>
#include <string.h>

#include "ui/scene/text.h"
#include "ui/view/state.h"

void ss_ui_say(ss_ui *ui, bool error, const char *text)
{
    ui->message_is_error = error;
    snprintf(ui->message, sizeof ui->message, "%s", text);
    ui->said++;
}

uint64_t ss_ui_said(const ss_ui *ui, bool *error)
{
    *error = ui->message_is_error;
    return *ui->message ? ui->said : 0;
}

void ss_hold_state(const ss_snapshot *snap, char *buf, size_t size)
{
    static const char *const states[] = {[SS_HOLD_ZERO] = "residual 0",
                                         [SS_HOLD_ROUNDOFF] = "at round-off",
                                         [SS_HOLD_STAGNATED] = "stagnated"};
    const char *n = ss_count_text((double)snap->reached_cycle);
    if (snap->hold > SS_HOLD_TOLERANCE)
        snprintf(buf, size, "%s", states[snap->hold]);
    else
        snprintf(buf, size, "converged %s", n);
}

void ss_hold_banner(const ss_ui *ui, const ss_snapshot *snap, char *buf, size_t size)
{
    static const char *const reached[] = {
        [SS_HOLD_TOLERANCE] = "converged at ",
        [SS_HOLD_ZERO] = "nothing left to do: the residual is 0",
        [SS_HOLD_ROUNDOFF] = "nothing left to do: the residual no longer falls",
        [SS_HOLD_STAGNATED] = "stagnated: the residual no longer falls"};
    *buf = '\0';
    if (snap->hold == SS_HOLD_NONE)
        return;
    bool tolerance = snap->hold == SS_HOLD_TOLERANCE;
    const char *n = ss_count_text((double)snap->reached_cycle);
    snprintf(buf, size, "%s%s · %s", reached[snap->hold], tolerance ? n : "",
             !ss_hold_goes_on(ui, snap) ? "r starts again"
             : tolerance                ? "space goes on to round-off"
                                        : "space goes on");
}

bool ss_hold_goes_on(const ss_ui *ui, const ss_snapshot *snap)
{
    bool passes = snap->hold == SS_HOLD_TOLERANCE || snap->hold == SS_HOLD_STAGNATED;
    return snap->hold == SS_HOLD_NONE || (passes && !ui->page);
}

bool ss_ui_waits(ss_ui *ui, int seconds, const char *what)
{
    bool changed = ui->waits != seconds || (what && strcmp(what, ui->waits_for) != 0);
    ui->waits = seconds;
    if (what)
        snprintf(ui->waits_for, sizeof ui->waits_for, "%s", what);
    return changed;
}

bool ss_waits_text(const ss_ui *ui, const ss_snapshot *snap, char *buf, size_t size)
{
    if (ui->waits == 0)
        return false;
    if (snap->ticket < ui->opening)
        snprintf(buf, size, "preparing the new run, %d s", ui->waits);
    else
        snprintf(buf, size, "in cycle %s, %d s",
                 ss_count_text(snap->telemetry.value[SS_T_CYCLE] + 1), ui->waits);
    return true;
}

void ss_hold_follow(ss_ui *ui, const ss_snapshot *snap)
{
    if (snap->hold == ui->hold && snap->hold_cycle == ui->hold_cycle)
        return;
    ui->hold = snap->hold;
    ui->hold_cycle = snap->hold_cycle;
    char text[160];
    ss_hold_banner(ui, snap, text, sizeof text);
    if (snap->hold != SS_HOLD_NONE && ui->layout.panel[SS_PANEL_PLOT].w)
        *strstr(text, " · ") = '\0'; /* the edge of the plot says the rest */
    if (snap->hold != SS_HOLD_NONE && !*ui->message)
        ss_ui_say(ui, false, text);
}
