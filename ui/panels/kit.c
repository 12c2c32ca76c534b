/* The kit of all panels: frames, tabs, corners, wrapped text, rooms and points of charts. See
 * build.h. Main thread only. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/panels/build.h"

/* --- frames and the text in their edges ------------------------------------------------------- */

static void keep(char *to, size_t size, const char *text)
{
    snprintf(to, size, "%s", text);
    ss_text_safe(to);
}

void ss_build_frame(const ss_build *b, ss_rect r, const char *title)
{
    if (b->edges) {
        keep(b->edges->title, sizeof b->edges->title, title);
        return;
    }
    ss_scene_add(b->s, SS_I_FILL, r, SS_C_PANEL);
    ss_scene_add(b->s, SS_I_FRAME, r, SS_C_LINE)->text = ss_scene_keep(b->s, title);
}

void ss_build_popup(const ss_build *b, ss_rect r, const char *title)
{
    ss_build_frame(b, r, title);
    b->s->item[b->s->nitem - 1].style = SS_OVER;
}

void ss_build_veil(const ss_build *b)
{
    ss_rect all = {0, 0, b->s->cols, b->s->rows};
    ss_scene_add(b->s, SS_I_VEIL, all, SS_C_GROUND);
    ss_scene_hit(b->s, SS_H_WORDS, all, "", 0);
}

/* At the right end of row y of a frame, from column `from` on, inside the frame. */
static void put_at_end(const ss_build *b, ss_rect r, int y, int from, unsigned style,
                       const char *text)
{
    char padded[160];
    snprintf(padded, sizeof padded, " %s ", text);
    if (b->edges)
        return;
    bool roomy = b->l->head > 1;
    int room = r.x + r.w - 2 - from, w = ss_text_width(padded), most = r.w - 2 * b->l->side;
    /* Proportional letters are narrower than cells, small ones even more. */
    int spared = roomy ? (from - r.x) * 3 / 10 + w * (style & SS_FIGURE ? 3 : 4) / 10 : 0;
    if (w > room + spared || !*text)
        return;
    ss_item *item = ss_scene_add(b->s, SS_I_TEXT, (ss_rect){0, y, w, 1}, SS_C_FAINT);
    item->style = style | SS_RIGHT;
    item->text = ss_scene_keep(b->s, padded);
    if (roomy && w > most)
        item->rect.w = most;
    item->rect.x = r.x + r.w - 2 - item->rect.w;
}

static void add_corner(const ss_build *b, ss_rect r, int from, unsigned style, const char *text)
{
    int first = b->s->nitem;
    if (b->edges)
        keep(b->edges->unit, sizeof b->edges->unit, text);
    put_at_end(b, r, r.y, from, style, text);
    ss_build_tall(b, r.y, first, b->s->nhit);
}

void ss_build_corner(const ss_build *b, ss_rect r, int from, const char *text)
{
    add_corner(b, r, from, 0, text);
}

void ss_build_corner_figures(const ss_build *b, ss_rect r, int from, const char *text)
{
    add_corner(b, r, from, SS_FIGURE, text);
}

void ss_build_foot(const ss_build *b, ss_rect r, int from, const char *text)
{
    put_at_end(b, r, r.y + r.h - 1, from, SS_RAISED, text);
}

void ss_build_unit(const ss_build *b, ss_rect r, int from, const char *text)
{
    int before = b->s->nitem;
    if (b->l->head > 1 || b->edges)
        ss_build_corner(b, r, from, text);
    if (b->s->nitem == before)
        ss_build_foot(b, r, r.x + 2, text);
}

/* Items in the upper edge of a frame are as high as that edge. */
void ss_build_tall(const ss_build *b, int y, int item, int hit)
{
    int h = y == 0 ? b->l->head : 1, x = item < b->s->nitem ? b->s->item[item].rect.x : 0;
    for (int i = 0; i < b->s->nitem; i++) {
        const ss_item *frame = &b->s->item[i];
        if (frame->kind == SS_I_FRAME && frame->rect.y == y && ss_rect_has(frame->rect, x, y))
            h = b->l->head;
    }
    for (; item < b->s->nitem; item++)
        b->s->item[item].rect.h = h;
    for (; hit < b->s->nhit; hit++)
        b->s->hit[hit].rect.h = h;
}

enum { TABS_MAX = 16 };

/* The names of a row that are drawn. more: an ellipsis stands for the others. */
typedef struct tab_set {
    bool has[TABS_MAX], more;
    int count;
} tab_set;

/* Columns of a set: one space before, two brackets, a space between names. */
static int tabs_width(const tab_set *set, const char *const *names, int n)
{
    int total = 2 + (set->more ? 2 : 0);
    for (int i = 0; i < n; i++)
        total += set->has[i] ? ss_text_width(names[i]) + 1 : 0;
    return total;
}

static bool add_tab(tab_set *set, const char *const *names, int n, int i, int room)
{
    if (i < 0 || i >= n || set->has[i])
        return false;
    set->has[i] = true;
    if (tabs_width(set, names, n) <= room)
        return true;
    set->has[i] = false;
    return false;
}

/* All names if there is room for them; else the available ones; else the current one and as many
 * beside it as fit, and an ellipsis, but for `keep` columns. */
static tab_set choose_tabs(const char *const *names, int n, int on, const bool *enabled, int room,
                           int keep)
{
    tab_set set = {.more = false};
    for (int all = 1; all >= 0; all--) {
        for (int i = 0; i < n; i++)
            set.has[i] = all || i == on || (enabled && enabled[i]);
        if (tabs_width(&set, names, n) <= room)
            return set;
    }
    set = (tab_set){.more = true, .count = 1};
    set.has[on] = true;
    bool open[2] = {true, true}; /* to the right, to the left */
    for (int away = 1; away < n; away++)
        for (int left = 0; left < 2; left++) {
            int i = left ? on - away : on + away;
            bool there = i >= 0 && i < n && (!enabled || enabled[i]);
            if (open[left] && there)
                set.count += open[left] = add_tab(&set, names, n, i, room - keep);
        }
    return set;
}

/* A row of names, as choose_tabs chooses them; in a very narrow panel the current one alone, which
 * then leads to the next. */
static int tab_line(const ss_build *b, ss_rect r, const char *const *shown,
                    const char *const *names, int n, int on, const bool *enabled,
                    const char *command, unsigned style, int keep)
{
    int x = r.x + 2, end = r.x + r.w - 1;
    char text[64], line[96];
    if (b->edges)
        return x;
    tab_set set = choose_tabs(shown, n, on, enabled, r.w - 2, keep);
    bool narrow = set.more && set.count == 1;
    int first = -1, first_hit = b->s->nhit;
    if (!narrow)
        x += ss_scene_text(b->s, x - 1, r.y, 1, SS_C_LINE, 0, " ") - 1;
    first = b->s->nitem;
    for (int i = 0; i <= n; i++) {
        bool more = i == n; /* the ellipsis */
        if (more ? !set.more || narrow : !set.has[i])
            continue;
        snprintf(text, sizeof text,
                 narrow    ? " [%s] "
                 : i == on ? "[%s]"
                           : "%s",
                 more ? "…" : shown[i]);
        bool off = !more && enabled && !enabled[i];
        int w = ss_scene_text(b->s, x, r.y, end - x,
                              i == on ? SS_C_ACCENT
                              : off   ? SS_C_FAINT
                                      : SS_C_DIM,
                              style | SS_TAB | SS_FLOW | (i == on ? SS_BOLD : 0), text);
        snprintf(line, sizeof line, command, narrow || more ? "next" : names[i]);
        ss_scene_hit(b->s, SS_H_COMMAND, (ss_rect){x, r.y, w, 1}, ss_scene_keep(b->s, line), i);
        x += w;
        if (x < end)
            x += ss_scene_text(b->s, x, r.y, 1, SS_C_LINE, 0, " ");
    }
    ss_build_tall(b, r.y, first, first_hit);
    return x;
}

int ss_build_tabs(const ss_build *b, ss_rect r, const char *const *names, int n, int on,
                  const bool *enabled, const char *command, int keep)
{
    ss_build_frame(b, r, "");
    return tab_line(b, r, names, names, n, on, enabled, command, 0, keep);
}

int ss_build_edge_tabs(const ss_build *b, ss_rect r, int from, const char *const *shown,
                       const char *const *names, int n, int on, const char *command)
{
    ss_rect edge = {from - 2, r.y, r.x + r.w - from + 2, r.h};
    return tab_line(b, edge, shown, names, n, on, NULL, command, 0, 0);
}

int ss_build_choices(const ss_build *b, ss_rect r, const char *const *shown,
                     const char *const *names, int n, int on, const char *command)
{
    r.y += r.h - 1;
    return tab_line(b, r, shown, names, n, on, NULL, command, SS_RAISED, 0);
}

ss_rect ss_build_centred(const ss_build *b, int w, int h)
{
    int top = b->l->head, room = b->s->rows - 2 - top;
    w = w > b->s->cols - 2 ? b->s->cols - 2 : w;
    h = h > room ? room : h;
    return (ss_rect){(b->s->cols - w) / 2, top + (room - h) / 2, w, h};
}

/* A sign of equality stays between its sides. */
static bool may_cut(const char *text, int i)
{
    return text[i] == ' ' && text[i + 1] != '=' && (i == 0 || text[i - 1] != '=');
}

int ss_build_cut(const char *text, int w)
{
    int columns = 0, i = 0, space = -1;
    for (; text[i]; i++) {
        if ((text[i] & 0xc0) != 0x80 && ++columns > w)
            break;
        if (may_cut(text, i))
            space = i;
    }
    return text[i] && space > 0 ? space : i;
}

int ss_build_wrap(const ss_build *b, ss_rect r, ss_theme_role role, const char *text)
{
    int lines = 0;
    while (*text && lines < r.h) {
        char line[256];
        int cut = ss_build_cut(text, r.w < 250 ? r.w : 250);
        snprintf(line, sizeof line, "%.*s", cut, text);
        ss_scene_text(b->s, r.x, r.y + lines++, r.w, role, 0, line);
        text += cut;
        while (*text == ' ')
            text++;
    }
    return lines;
}

int ss_build_letters(const ss_build *b, int w)
{
    return b->extent.dots_x > 2 ? w * 7 / 5 : w;
}

void ss_build_drop_parts(char *text, int room)
{
    static const char seam[] = " · ";
    while (ss_text_width(text) > room) {
        char *last = NULL;
        for (char *at = text; (at = strstr(at, seam)) != NULL; at += sizeof seam - 1)
            last = at;
        if (!last)
            return;
        *last = '\0';
    }
}

/* --- charts ----------------------------------------------------------------------------------- */

ss_rect ss_build_chart_room(const ss_build *b, ss_rect frame)
{
    ss_rect in = ss_layout_inside(b->l, frame);
    in.w -= b->l->side == 1;
    return in;
}

void ss_build_x_axis(const ss_build *b, ss_plot_axis *a, double x0, double x1, int max)
{
    ss_build_axis_of(a, b->snap->spacing, b->snap->origin, x0, x1, max);
}

void ss_build_axis_of(ss_plot_axis *a, double step, double origin, double x0, double x1, int max)
{
    double first = origin - 0.5;
    step = step > 0 ? step : 1;
    /* the ends of the domain may lie half a spacing outside */
    ss_axis_make(a, (x0 + first - 0.5) * step, (x1 + first + 0.5) * step, false, false, max);
    for (int i = 0; i < a->ntick; i++)
        a->tick[i].at = a->tick[i].at / step - first;
    a->lo = x0, a->hi = x1;
}

int ss_build_dots(const ss_build *b, int columns)
{
    int dots = columns * (b->extent.dots_x > 2 ? b->extent.dots_x : 2);
    return dots < SS_LINE_MAX ? dots : SS_LINE_MAX;
}

/* The abscissa of cell i of n: the middle of the points that it averages or shows
 * (kernels/sample/plan.c). */
static double middle_of(ss_box2 w, int n, int i)
{
    double step = (w.x1 - w.x0) / n;
    if (step <= 1)
        return floor(w.x0 + (i + 0.5) * step) + 0.5;
    return 0.5 * (floor(w.x0 + i * step) + floor(w.x0 + (i + 1) * step));
}

int ss_build_points(ss_box2 w, const float *cell, int n, ss_xy *to)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        double x = middle_of(w, n, i);
        if (count == 0 || x > to[count - 1].x)
            to[count++] = (ss_xy){x, (double)cell[i]};
    }
    return count;
}

void ss_build_nothing(const ss_build *b, ss_rect r, const char *text)
{
    char reason[240];
    ss_page_reason(b->ui, text, reason, sizeof reason);
    ss_build_wrap(b, (ss_rect){r.x + 3, r.y + r.h / 2, r.w - 6, 3}, SS_C_DIM, reason);
}
