/* A window's item under the mouse: it stands out, and the pointer shows what a press does. See
 * build.h. Main thread only. */
#include "ui/panels/build.h"

/* One step up; what is brightest already is emphasised. */
static const ss_theme_role brighter[SS_THEME_NROLE] = {[SS_C_LINE] = SS_C_DIM,
                                                       [SS_C_FAINT] = SS_C_DIM,
                                                       [SS_C_DIM] = SS_C_TEXT,
                                                       [SS_C_TEXT] = SS_C_ACCENT};

static const struct {
    bool stands_out;
    ss_pointer shape;
} kinds[SS_NHIT] = {
    [SS_H_COMMAND] = {true, SS_POINT_HAND},   [SS_H_FIELD] = {false, SS_POINT_CROSS},
    [SS_H_SLIDER] = {true, SS_POINT_ACROSS},  [SS_H_CONTROL] = {true, SS_POINT_HAND},
    [SS_H_GUTTER] = {false, SS_POINT_ACROSS}, [SS_H_STRIP] = {false, SS_POINT_ACROSS},
    [SS_H_WIPE] = {false, SS_POINT_ACROSS},   [SS_H_PICK] = {true, SS_POINT_HAND},
    [SS_H_BAR] = {false, SS_POINT_ACROSS},    [SS_H_SHELF] = {true, SS_POINT_HAND},
    [SS_H_TABLE] = {false, SS_POINT_HAND},    [SS_H_PAGE] = {false, SS_POINT_ARROW},
    [SS_H_WORDS] = {false, SS_POINT_ARROW},   [SS_H_CHART] = {false, SS_POINT_CROSS}};

static bool is_in(ss_rect in, ss_rect r)
{
    return ss_rect_has(in, r.x + 0.5 * r.w, r.y + 0.5 * r.h);
}

static void stand_out(const ss_build *b, const ss_hit *h)
{
    for (int i = 0; i < b->s->nitem; i++) {
        ss_item *it = &b->s->item[i];
        bool lights = it->kind == SS_I_TEXT || it->kind == SS_I_SLIDER;
        if (!lights || !is_in(h->rect, it->rect) || !brighter[it->role])
            continue;
        if (it->role == SS_C_FAINT) /* pixels draw faint text small: it keeps its size */
            it->style |= SS_SMALL;
        it->role = brighter[it->role];
    }
}

/* The end of a colour bar that a drag would take. */
static void mark_end(const ss_build *b, const ss_hit *h)
{
    double x = (b->ui->mouse_x - h->rect.x) / h->rect.w;
    double y = 1 - (b->ui->mouse_y - h->rect.y) / h->rect.h;
    for (int i = 0, n = b->s->nitem; i < n; i++) {
        const ss_item *it = &b->s->item[i];
        ss_rule *r = it->kind == SS_I_BAR && ss_rect_has(it->rect, h->rect.x, h->rect.y)
                         ? ss_scene_rule(b->s, i)
                         : NULL;
        if (r)
            r->x = (h->index ? y : x) < 0.5 ? 0 : 1;
    }
}

void ss_build_pointed(const ss_build *b)
{
    const ss_ui *ui = b->ui;
    const ss_hit *h = ui->mouse_x >= 0 ? ss_scene_at(b->s, ui->mouse_x, ui->mouse_y) : NULL;
    if (!h || !ss_scene_fine(b->s))
        return;
    bool upright = (h->kind == SS_H_BAR && h->index) ||
                   (h->kind == SS_H_GUTTER && h->index >= SS_GUTTER_UNDER_FIELD);
    b->s->pointer = upright ? SS_POINT_UP : kinds[h->kind].shape;
    if (ui->dragging)
        b->s->pointer = SS_POINT_ACROSS;
    if (kinds[h->kind].stands_out)
        stand_out(b, h);
    if (h->kind == SS_H_BAR)
        mark_end(b, h);
}
