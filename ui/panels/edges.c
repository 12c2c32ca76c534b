/* The user's arrangement on the screen: the layout follows it, and the mouse can take hold of
 * borders and titles. See build.h and ui/scene/gutter.h. Main thread only. */
#include "ui/panels/build.h"

/* A panel that would be empty is not maximised. */
static unsigned can_maximise(const ss_build *b)
{
    unsigned can = 0;
    for (const ss_panel_name *p = ss_panel_names; p->name; p++) {
        bool line = p->panel == SS_PANEL_RASTER && b->snap->dim != 1;
        bool nothing =
            p->panel == SS_PANEL_PROFILE && b->snap->kind == SS_STEADY && !ss_has_lower(b);
        can |= (unsigned)(!line && !nothing) << p->panel;
    }
    return can;
}

void ss_build_arrange(const ss_build *b)
{
    ss_arranging *a = &b->ui->arranging;
    ss_layout *l = &b->ui->layout;
    int dim = b->snap->dim, n = b->snap->ncontrol;
    a->can = can_maximise(b);
    if (!l->panel[SS_PANEL_HEADER].w || !ss_ui_arranges(b->ui))
        return;
    if (a->maximised && a->can >> a->maximised & 1)
        ss_layout_maximise(l, dim, n, a->maximised);
    else
        ss_layout_move_gutters(l, dim, n, &a->places);
}

/* Before the panels, whose own hits are above. Borders above titles: a drag begins at either row of
 * a border, a double click is looked up among the titles. */
void ss_build_edges(const ss_build *b)
{
    if (!ss_ui_arranges(b->ui))
        return;
    for (const ss_panel_name *p = ss_panel_names; p->name; p++) {
        ss_rect r = b->l->panel[p->panel];
        if (r.w)
            ss_scene_hit(b->s, SS_H_TITLE, (ss_rect){r.x, r.y, r.w, b->l->head}, NULL,
                         (int)p->panel);
    }
    for (int i = 0; i < SS_NGUTTER; i++) {
        ss_gutter g;
        if (ss_gutter_find(b->l, (ss_gutter_id)i, &g))
            ss_scene_hit(b->s, SS_H_GUTTER, g.rect, NULL, i);
    }
}

/* Arrows on both sides: in its middle, or at its left end, where no title is. */
void ss_build_moving_edge(const ss_build *b)
{
    const ss_arranging *a = &b->ui->arranging;
    ss_gutter g;
    if (!a->marked || !ss_ui_arranges(b->ui) || !ss_gutter_find(b->l, a->which, &g))
        return;
    int x = g.rect.x + 1, y = g.rect.y + g.rect.h / 2;
    unsigned style = SS_BOLD | SS_CENTRE;
    if (g.upright) {
        ss_scene_text(b->s, g.at - 1, y, 1, SS_C_ACCENT, style, "◂");
        ss_scene_text(b->s, g.at, y, 1, SS_C_ACCENT, style, "▸");
    } else {
        ss_scene_text(b->s, x, g.at - 1, 1, SS_C_ACCENT, style, "▴");
        ss_scene_text(b->s, x, g.at, 1, SS_C_ACCENT, style, "▾");
    }
}
