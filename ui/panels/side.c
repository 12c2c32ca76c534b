/* The controls: sliders and choices. See build.h. Main thread only. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/panels/build.h"

/* --- controls --------------------------------------------------------------------------------- */

static const char *when_short(const ss_param *row, bool compiling)
{
    return compiling                  ? "compiling"
           : row->flags & SS_P_REOPEN ? "new problem"
           : row->flags & SS_P_RESET  ? "restarts"
                                      : "next cycle";
}

/* "1k" for an end of a slider, or the row's words for zero. */
static const char *end_text(const ss_param *row, double v)
{
    if (v == 0 && row->zero)
        return row->zero;
    if (row->type == SS_DURATION)
        return ss_si_text(v, row->unit);
    if (v == floor(v) && fabs(v) < 1e5)
        return ss_text("%.0f", v);
    return ss_tick_text(strtod(ss_text("%.3g", v), NULL), false);
}

/* Columns of the longest value of the slider: the unit is there for all values or for none. */
static int longest_value(const ss_control *c, int now)
{
    ss_value end = {.i = (int64_t)c->track.hi, .set = true};
    int w = c->row->type == SS_INT ? ss_text_width(ss_value_text(c->row, end)) : 0;
    return w > now ? w : now;
}

static const char *number_text(const ss_control *c, ss_value v)
{
    bool duration = c->row->type == SS_DURATION && v.d > 0;
    return duration ? ss_si_text(v.d, c->row->unit) : ss_value_text(c->row, v);
}

/* The unit of this value, or "" if it does not fit `room` columns beside it; the message line
 * always shows it. */
static const char *unit_of(const ss_control *c, ss_value v, const char *text, int room)
{
    bool duration = c->row->type == SS_DURATION && v.d > 0;
    bool number = !duration && (text[0] == '-' || (text[0] >= '0' && text[0] <= '9'));
    int columns = longest_value(c, ss_text_width(text));
    return number && columns + 1 + ss_text_width(c->row->unit) <= room ? c->row->unit : "";
}

static bool has_slider(const ss_control *c)
{
    return c->row->type != SS_CHOICE && c->row->type != SS_BOOL && c->row->type != SS_STRING &&
           c->row->type != SS_FILE && c->track.hi > c->track.lo;
}

/* The place of a number on the track; NaN stays NaN. */
static double place_on(const ss_control *c, double number)
{
    bool real = c->row->type == SS_REAL_T || c->row->type == SS_DURATION;
    if (isnan(number))
        return number;
    ss_value v = {.i = real ? 0 : (int64_t)number};
    if (real)
        v.d = number;
    return ss_track_fraction(c->row, &c->track, v);
}

/* The marks give an answer away while a lesson waits for one. */
static void put_slider(const ss_build *b, const ss_control *c, int index, ss_rect bar, bool focus)
{
    ss_item *item = ss_scene_add(b->s, SS_I_SLIDER, bar, focus ? SS_C_ACCENT : SS_C_SERIES1);
    bool marks = !ss_page_awaits(b->ui);
    item->slider.at = ss_track_fraction(c->row, &c->track, ss_ui_value(b->ui, c, NULL));
    item->slider.mark = marks ? place_on(c, c->track.mark) : (double)NAN;
    item->slider.limit = marks ? place_on(c, c->track.limit) : (double)NAN;
    ss_scene_hit(b->s, SS_H_SLIDER, bar, NULL, index);
}

/* lo ━━━●──── hi */
static void slider_line(const ss_build *b, const ss_control *c, int index, ss_rect r, bool focus)
{
    const char *lo = end_text(c->row, c->track.lo), *hi = end_text(c->row, c->track.hi);
    int wl = ss_text_width(lo), wh = ss_text_width(hi);
    wl = wl < 4 ? 4 : wl, wh = wh < 5 ? 5 : wh;
    ss_rect bar = {r.x + wl + 1, r.y, r.w - wl - wh - 2, 1};
    if (bar.w < 4)
        return;
    ss_scene_text_right(b->s, r.x + wl, r.y, wl, SS_C_FAINT, 0, lo);
    ss_scene_text(b->s, bar.x + bar.w + 1, r.y, wh, SS_C_FAINT, 0, hi);
    put_slider(b, c, index, bar, focus);
}

/* The next available choice after i (before it with step -1); -1: none, or the row has no choices.
 */
static int next_choice(const ss_control *c, int i, int step)
{
    if (c->row->type != SS_CHOICE)
        return -1;
    for (i += step; i >= 0 && i < 32 && c->row->choices[i]; i += step)
        if (c->choices >> i & 1)
            return i;
    return -1;
}

/* Columns that a choice takes: small letters of a proportional font are narrower than cells. */
static int choice_width(const ss_build *b, const char *text)
{
    int w = ss_text_width(text);
    return b->l->head > 1 ? (3 * w + 4) / 5 : w;
}

static void put_choice(const ss_build *b, const ss_control *c, int i, ss_rect at, bool on)
{
    unsigned flow = b->l->head > 1 ? SS_FLOW : 0;
    const char *choice = c->row->choices[i];
    ss_put_in(b, at, on ? SS_C_TEXT : SS_C_FAINT, flow | (on ? SS_UNDERLINE : 0), choice);
    ss_press(b, at, ss_text("set %s %s", c->row->name, choice), i);
}

enum { MORE = 2 }; /* columns of an ellipsis after a choice */

/* The available choices: "jacobi  shared …". If they do not fit r, the list begins as early as it
 * can with the current choice still visible. Returns the number of lines. */
static int choice_lines(const ss_build *b, const ss_control *c, ss_rect r)
{
    if (c->row->type != SS_CHOICE)
        return 0;
    int on = (int)ss_ui_value(b->ui, c, NULL).i, first = on, x = r.x, y = r.y;
    int used = choice_width(b, c->row->choices[on]);
    int all = r.h * r.w - (r.h - 1) * r.w / 2; /* the end of a line may be too short for a name */
    all -= next_choice(c, on, 1) >= 0 ? MORE : 0;
    for (int i = next_choice(c, on, -1); i >= 0; i = next_choice(c, i, -1)) {
        used += choice_width(b, c->row->choices[i]) + 2;
        if (used > all - (next_choice(c, i, -1) >= 0 ? 2 : 0))
            break;
        first = i;
    }
    if (next_choice(c, first, -1) >= 0)
        x += ss_scene_text(b->s, x, y, 1, SS_C_FAINT, 0, "…") + 1;
    for (int i = first; i >= 0; i = next_choice(c, i, 1)) {
        int w = choice_width(b, c->row->choices[i]);
        bool last = y + 1 == r.y + r.h;
        int more = last && next_choice(c, i, 1) >= 0 ? MORE : 0; /* kept for the ellipsis */
        if (x + w > r.x + r.w && x > r.x && !last)
            x = r.x, y++;
        if (x + w + more > r.x + r.w && i != on) {
            ss_scene_text(b->s, x > r.x ? x - 1 : x, y, 1, SS_C_FAINT, 0, "…");
            break;
        }
        put_choice(b, c, i, (ss_rect){x, y, w, 1}, i == on);
        x += w + 2;
    }
    return y - r.y + 1;
}

enum { INDENT = 5 }; /* of what is below a control's name, in a terminal */

/* One line of choices below the name, indented as far as all of them still fit. */
static void indented_choices(const ss_build *b, const ss_control *c, ss_rect r)
{
    int all = -2;
    for (int i = next_choice(c, -1, 1); i >= 0; i = next_choice(c, i, 1))
        all += choice_width(b, c->row->choices[i]) + 2;
    int indent = r.w - all < INDENT && r.w >= all ? r.w - all : INDENT;
    choice_lines(b, c, (ss_rect){r.x + indent, r.y, r.w - indent, r.h});
}

/* "exact from overlap 22" */
static const char *remark_of(const ss_build *b, const ss_control *c)
{
    return ss_page_awaits(b->ui) ? "" : c->note;
}

/* Without room for "exact from overlap 22": "exact from 22", since the name is in the same row or
 * the row above. */
static const char *fit_note(const ss_control *c, const char *note, int room)
{
    const char *name = ss_text(" %s ", c->row->name);
    const char *at = ss_text_width(note) > room ? strstr(note, name) : NULL;
    return at ? ss_text("%.*s %s", (int)(at - note), note, at + strlen(name)) : note;
}

/* The value that is being typed; NULL: none is. */
static const char *typed(const ss_build *b, bool focus)
{
    return focus && b->ui->typing && !b->ui->answering ? b->ui->entry : NULL;
}

/* Name, remark and value on the first line, the slider on the second. */
static void one_control(const ss_build *b, int index, ss_rect r, bool focus)
{
    const ss_control *c = &b->snap->control[index];
    const char *remark = remark_of(b, c);
    bool pending = false;
    ss_value v = ss_ui_value(b->ui, c, &pending);
    ss_scene_hit(b->s, SS_H_CONTROL, r, NULL, index);

    int room = r.w - 1 - ss_text_width(c->row->name);
    const char *text = number_text(c, v), *unit = unit_of(c, v, text, room - (focus ? 4 : 2));
    bool tight = focus && !*unit && *unit_of(c, v, text, room - 2); /* without the blanks */
    if (tight)
        unit = c->row->unit;
    const char *value = typed(b, focus) ? ss_text("[%s▏]", typed(b, focus))
                                        : ss_text(tight   ? "◂%s%s%s▸"
                                                  : focus ? "◂ %s%s%s ▸"
                                                          : "%s%s%s",
                                                  text, *unit ? " " : "", unit);
    /* Values stand in one column, with or without the arrows of the focus, where there is room. */
    int after = !focus ? 2 : tight && ss_text_width(value) < room ? 1 : 0;
    int end = r.x + r.w - after;
    int wv = after + ss_scene_text_right(b->s, end, r.y, room < 4 ? 4 : room,
                                         focus ? SS_C_ACCENT : SS_C_TEXT, SS_BOLD, value);
    int wn = ss_scene_text(b->s, r.x - 1, r.y, r.w - wv, focus ? SS_C_TEXT : SS_C_DIM,
                           focus ? SS_BOLD : 0, ss_text(focus ? "▸%s" : " %s", c->row->name));
    bool below = r.h >= 3; /* room for a remark */
    const char *note = fit_note(
        c, pending || !*remark ? when_short(c->row, pending && b->snap->compiling) : remark,
        below ? r.w : r.w - wn - wv - 2);
    if (below) {
        int indent = r.w - ss_text_width(note) < INDENT ? 0 : INDENT;
        ss_scene_text(b->s, r.x + indent, r.y + 2, r.w - indent, pending ? SS_C_ACCENT : SS_C_FAINT,
                      0, *remark || pending || focus ? note : "");
    } else if (r.w - wn - wv - 2 >= ss_text_width(note) && (*remark || pending)) {
        ss_scene_text_right(b->s, r.x + r.w - wv - 2, r.y, r.w, pending ? SS_C_ACCENT : SS_C_FAINT,
                            0, note);
    }
    if (r.h >= 2 && has_slider(c))
        slider_line(b, c, index, (ss_rect){r.x, r.y + 1, r.w, 1}, focus);
    else if (r.h >= 2)
        indented_choices(b, c, (ss_rect){r.x, r.y + 1, r.w, 1});
}

/* At the right end; the unit in a quieter colour. Returns the columns used. */
static int roomy_value(const ss_build *b, const ss_control *c, ss_value v, ss_rect r, bool focus)
{
    int room = r.w - 1 - ss_text_width(c->row->name), end = r.x + r.w;
    const char *text = number_text(c, v), *unit = unit_of(c, v, text, room);
    if (typed(b, focus))
        text = ss_text("%s▏", typed(b, focus));
    if (*unit)
        end -= 1 + ss_scene_text_right(b->s, end, r.y, room, SS_C_DIM,
                                       SS_FIGURE | SS_FLOW | SS_RIGHT, unit);
    end -= ss_scene_text_right(b->s, end, r.y, room < 4 ? 4 : room, focus ? SS_C_ACCENT : SS_C_TEXT,
                               SS_FIGURE | SS_BOLD | SS_FLOW | SS_RIGHT | (focus ? SS_LARGE : 0),
                               text);
    return r.x + r.w - end;
}

/* The characters of small letters that are as wide as these columns. */
static int in_small(int columns)
{
    return 5 * columns / 3;
}

/* The ends of a slider and the remark between them, closer to it than to the next control. */
static void roomy_remark(const ss_build *b, const ss_control *c, ss_rect r, ss_theme_role role,
                         const char *note)
{
    const char *lo = has_slider(c) ? end_text(c->row, c->track.lo) : "";
    const char *hi = has_slider(c) ? end_text(c->row, c->track.hi) : "";
    unsigned style = SS_SMALL | SS_RAISED;
    int wl = ss_scene_text(b->s, r.x, r.y, 8, SS_C_FAINT, SS_FIGURE | style, lo);
    int wh = ss_scene_text_right(b->s, r.x + r.w, r.y, 8, SS_C_FAINT, SS_FIGURE | style, hi);
    if (*note)
        ss_put_in(b, (ss_rect){r.x + wl, r.y, r.w - wl - wh, 1}, role, SS_CENTRE | style,
                  fit_note(c, note, in_small(r.w - wl - wh)));
}

/* Without a row below the slider, the remark follows the name, if there is room for it. */
static void remark_beside(const ss_build *b, const ss_control *c, ss_rect r, ss_theme_role role,
                          const char *note, int value_columns)
{
    int name = ss_text_width(c->row->name);
    int from = r.x + (4 * name + 4) / 5 + 1, end = r.x + r.w - value_columns - 1;
    note = fit_note(c, note, in_small(end - from));
    if (*note && ss_text_width(note) <= in_small(end - from))
        ss_put_in(b, (ss_rect){from, r.y, end - from, 1}, role, SS_SMALL | SS_CENTRE, note);
}

/* Window layout: name and value, a slider as wide as both, then its ends and the remark. */
static void roomy_control(const ss_build *b, int index, ss_rect r, bool focus)
{
    const ss_control *c = &b->snap->control[index];
    bool pending = false;
    ss_value v = ss_ui_value(b->ui, c, &pending);
    const char *remark = remark_of(b, c);
    const char *note = pending   ? when_short(c->row, b->snap->compiling)
                       : *remark ? remark
                       : focus   ? when_short(c->row, false)
                                 : "";
    ss_theme_role role = pending ? SS_C_ACCENT : SS_C_FAINT;
    int used = 1, spare = r.h - 1 - (*note && r.h > 2);
    ss_scene_hit(b->s, SS_H_CONTROL, r, NULL, index);
    ss_scene_text(b->s, r.x, r.y, r.w, focus ? SS_C_TEXT : SS_C_DIM, focus ? SS_BOLD : 0,
                  c->row->name);
    int value = roomy_value(b, c, v, r, focus);
    if (r.h < 2)
        return;
    if (has_slider(c))
        put_slider(b, c, index, (ss_rect){r.x, r.y + 1, r.w, 1}, focus);
    else
        used = choice_lines(b, c, (ss_rect){r.x, r.y + 1, r.w, spare});
    ss_rect below = {r.x, r.y + 1 + used, r.w, 1};
    if (below.y < r.y + r.h)
        roomy_remark(b, c, below, role, note);
    else
        remark_beside(b, c, r, role, note, value);
}

/* The lines that all choices of a control need. */
static int lines_needed(const ss_build *b, const ss_control *c, int width)
{
    int lines = 1, x = 0;
    for (int i = next_choice(c, -1, 1); i >= 0; i = next_choice(c, i, 1)) {
        int w = choice_width(b, c->row->choices[i]);
        if (x > 0 && x + w > width)
            x = 0, lines++;
        x += w + 2;
    }
    return lines;
}

/* The heights of controls [first, first + n) in `rows` rows: two each, then a third row for those
 * that have a remark, then for the others, a fourth for all, and what a list of choices needs. They
 * depend on what a control is, not on its state, so that nothing moves while values change. */
static void share_rows(const ss_build *b, int first, int n, int rows, int *height)
{
    int least = b->l->control_rows < 2 ? b->l->control_rows : 2, spare = rows - n * least;
    for (int i = 0; i < n; i++)
        height[i] = least;
    for (int pass = 0; pass < 2 && least == 2; pass++)
        for (int i = 0; i < n && spare > 0; i++)
            if ((b->snap->control[first + i].row->note != NULL) == (pass == 0))
                height[i]++, spare--;
    bool fourth = spare >= n;
    for (int i = 0; i < n && fourth && height[i] == 3; i++)
        height[i]++, spare--;
    for (int i = 0; i < n && b->l->head > 1; i++) {
        const ss_control *c = &b->snap->control[first + i];
        int width = ss_layout_inner(b->l, SS_PANEL_CONTROLS).w;
        int more = c->row->type == SS_CHOICE ? lines_needed(b, c, width) + 1 - height[i] : 0;
        more = more < spare ? more : spare;
        height[i] += more > 0 ? more : 0;
        spare -= more > 0 ? more : 0;
    }
}

void ss_build_controls(const ss_build *b)
{
    ss_rect r = b->l->panel[SS_PANEL_CONTROLS];
    int n = b->snap->ncontrol, focus = ss_ui_focused(b->ui, b->snap), show = b->l->controls;
    if (!r.w)
        return;
    ss_build_frame(b, r, "Turn while it runs");
    int first = b->ui->first_control;
    if (focus >= 0)
        first = focus < first ? focus : focus >= first + show ? focus - show + 1 : first;
    first = first > n - show ? n - show : first;
    b->ui->first_control = first = first < 0 ? 0 : first;
    if (show < n)
        ss_build_corner(b, r, r.x + 20, ss_text("%d-%d of %d", first + 1, first + show, n));
    int height[SS_CONTROL_MAX], y = r.y + b->l->head;
    n = n - first < show ? n - first : show;
    share_rows(b, first, n, r.h - b->l->head - 1, height);
    for (int i = 0; i < n; y += height[i++])
        (b->l->head > 1 ? roomy_control : one_control)(
            b, first + i, (ss_rect){r.x + 2, y, r.w - 4, height[i]}, first + i == focus);
}
