/* The layout of a tuning map: see layout_map.h. The table is as large as possible; the figures
 * of the cell under the cursor stand beside it, or below on a narrow screen. */
#include "ui/scene/layout_map.h"

#include "src/base/common.h"

enum {
    BESIDE = 100, /* columns from which the details stand at the right */
    DETAILS_W = 38,
    DETAILS_H = 5, /* lines */
    CELL_MIN = 3,
    CELL_MAX = 16,
    CELL_H_MAX = 7,
    BAR_H = 2
};

static void split(const ss_layout *l, bool details, ss_map_layout *out)
{
    ss_rect head = l->panel[SS_PANEL_HEADER], foot = l->panel[SS_PANEL_MESSAGE];
    int top = head.h + l->panel[SS_PANEL_STRIP].h;
    ss_rect body = {0, top, head.w, foot.y - top};
    int frame = l->head + 1;
    out->panel = body;
    if (!details)
        return;
    if (body.w >= BESIDE && body.h >= DETAILS_H + frame) {
        out->panel.w = body.w - ss_clamp(body.w / 4, DETAILS_W - 6, DETAILS_W);
        out->details = (ss_rect){out->panel.w, body.y, body.w - out->panel.w, body.h};
    } else if (body.h >= DETAILS_H + frame + 10) {
        out->panel.h = body.h - DETAILS_H - frame;
        out->details = (ss_rect){0, body.y + out->panel.h, body.w, DETAILS_H + frame};
    }
}

void ss_layout_map(const ss_layout *l, int nx, int ny, int names, bool details, ss_map_layout *out)
{
    *out = (ss_map_layout){.columns = 0};
    split(l, details, out);
    ss_rect in = ss_layout_inside(l, out->panel);
    out->chart = in;
    out->chart.w -= l->side == 1;
    int legend = in.h >= 9, bar = in.h >= 7 && in.w >= 30 ? BAR_H : 0;
    int room_w = in.w - names - 2, room_h = in.h - 1 - legend - bar;
    if (room_w < CELL_MIN || room_h < 1 || nx < 1 || ny < 1)
        return;
    out->columns = ss_min(nx, room_w / CELL_MIN);
    out->rows = ss_min(ny, room_h);
    out->cell_w = ss_clamp(room_w / out->columns, CELL_MIN, CELL_MAX);
    out->cell_h = ss_clamp(room_h / out->rows, 1, CELL_H_MAX);
    out->table =
        (ss_rect){in.x + names + 2, in.y + 1, out->columns * out->cell_w, out->rows * out->cell_h};
    out->names = (ss_rect){in.x + 1, out->table.y, names, out->table.h};
    out->head = (ss_rect){in.x + 1, in.y, out->table.x + out->table.w - in.x - 1, 1};
    /* The remaining room is divided between them. */
    int below = out->table.y + out->table.h, spare = in.y + in.h - below - legend - bar;
    if (bar)
        out->bar = (ss_rect){in.x + 1, below + (spare > 0), in.w - 2, BAR_H};
    if (legend)
        out->legend = (ss_rect){in.x + 1, bar ? out->bar.y + BAR_H : below, in.w - 2, 1};
}
