/* The visible window of the field: zooming and panning. See state.h. Main thread only. */
#include <stdlib.h>
#include <string.h>

#include "ui/view/state.h"

ss_box2 ss_ui_window(const ss_view *v, const ss_snapshot *snap)
{
    if (v->x1 > v->x0 && v->y1 > v->y0)
        return (ss_box2){v->x0, v->y0, v->x1, v->y1};
    return (ss_box2){0, 0, snap->nx > 0 ? snap->nx : 1, snap->ny > 0 ? snap->ny : 1};
}

static double bounded(double v, double lo, double hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

/* Factor below 1: closer. The point at (at_x, at_y) of the picture stays where it is. */
void ss_ui_zoom(ss_ui *ui, const ss_snapshot *snap, double factor, double at_x, double at_y)
{
    ss_box2 w = ss_ui_window(&ui->view, snap);
    double nx = snap->nx, ny = snap->ny, k = factor;
    double dx = bounded((w.x1 - w.x0) * k, nx < 8 ? nx : 8, nx);
    double dy = bounded((w.y1 - w.y0) * k, ny < 8 ? ny : 8, ny);
    double px = w.x0 + at_x * (w.x1 - w.x0), py = w.y1 - at_y * (w.y1 - w.y0);
    ss_view *v = &ui->view;
    v->x0 = bounded(px - at_x * dx, 0, nx - dx), v->x1 = v->x0 + dx;
    v->y0 = bounded(py - (1 - at_y) * dy, 0, ny - dy), v->y1 = v->y0 + dy;
    if (dx >= nx && dy >= ny)
        v->x0 = v->x1 = v->y0 = v->y1 = 0;
    v->seq++;
}

void ss_ui_pan(ss_ui *ui, const ss_snapshot *snap, int x, int y)
{
    ss_view *v = &ui->view;
    double w = v->x1 - v->x0, h = v->y1 - v->y0;
    if (w <= 0)
        return;
    v->x0 = bounded(v->x0 + x * w / 8, 0, snap->nx - w), v->x1 = v->x0 + w;
    v->y0 = bounded(v->y0 + y * h / 8, 0, snap->ny - h), v->y1 = v->y0 + h;
}

int ss_view_window(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    double at[4];
    for (int i = 0; i < 4; i++) {
        char *end;
        double most = !snap ? 1e9 : i % 2 ? snap->ny : snap->nx;
        at[i] = strtod(cmd->arg[i + 1], &end);
        if (end == cmd->arg[i + 1] || *end || !(at[i] >= 0 && at[i] <= most))
            return ss_fail(err, "view window: '%.40s' is out of range 0\xe2\x80\xa6%g",
                           cmd->arg[i + 1], most);
    }
    if (!(at[2] > at[0] && at[3] > at[1]))
        return ss_fail(err, "view window takes X0 Y0 X1 Y1, the lower left corner first");
    ui->view.x0 = at[0], ui->view.y0 = at[1];
    ui->view.x1 = at[2], ui->view.y1 = at[3];
    return SS_OK;
}

void ss_ui_drag(ss_ui *ui, const ss_snapshot *snap, const struct ss_scene *scene, double x,
                double y)
{
    ss_view *v = &ui->view;
    double w = v->x1 - v->x0, h = v->y1 - v->y0;
    for (int i = 0; i < scene->nhit && w > 0; i++) {
        const ss_hit *f = &scene->hit[i];
        if (f->kind != SS_H_FIELD)
            continue;
        v->x0 = bounded(v->x0 - (x - ui->pan_x) / f->rect.w * w, 0, snap->nx - w);
        v->y0 = bounded(v->y0 + (y - ui->pan_y) / f->rect.h * h, 0, snap->ny - h);
        v->x1 = v->x0 + w, v->y1 = v->y0 + h;
        v->seq++;
        break;
    }
    ui->pan_x = x, ui->pan_y = y;
}
