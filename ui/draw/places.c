/* Places of cells, texts and data in pixels, and the strokes of all painters: see draw.h. */
#include "ui/draw/draw.h"

#include <math.h>
#include <string.h>

/* --- scales ----------------------------------------------------------------------------------- */

static double between(double v, double lo, double hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

/* Whole pixels across a cell. */
static int cell_of(double scale)
{
    return (int)lround(SS_CELL_W * (scale > 0 ? between(scale, 0.5, 8) : 1));
}

double ss_places_scale(double w, double h)
{
    return floor(between(fmin(w / 1280, h / 800), 1, 2.5) * 4) / 4;
}

double ss_places_fitted(const ss_scene *scene, int w, int h)
{
    int cols = scene->cols > 0 ? scene->cols : 1, rows = scene->rows > 0 ? scene->rows : 1;
    int across = w / cols, down = h / (2 * rows);
    return between(across < down ? across : down, SS_CELL_W / 2.0, 8 * SS_CELL_W) / SS_CELL_W;
}

void ss_places_extent(double scale, int w, int h, ss_extent *out)
{
    int cw = cell_of(scale), ch = 2 * cw;
    *out = (ss_extent){.cols = w / cw,
                       .rows = h / ch,
                       .dots_x = cw,
                       .dots_y = ch,
                       .head = 2,
                       .side = 2,
                       .scale = cw / (double)SS_CELL_W};
}

void ss_places_page(int w, int h, ss_extent *out)
{
    ss_places_extent(ss_places_scale(w, h), w, h, out);
    out->page = true;
}

void ss_places_make(ss_places *d, double scale)
{
    memset(d, 0, sizeof *d);
    d->cw = cell_of(scale);
    d->ch = 2 * d->cw;
    d->scale = d->cw / (double)SS_CELL_W;
}

void ss_places_centre(ss_places *d, const ss_scene *scene, int w, int h)
{
    int ox = (w - scene->cols * d->cw) / 2, oy = (h - scene->rows * d->ch) / 2;
    d->ox = ox > 0 ? ox : 0, d->oy = oy > 0 ? oy : 0;
}

/* --- from pixels to cells --------------------------------------------------------------------- */

/* The data and the legend of a chart. */
static bool in_spot(const ss_places *d, double px, double py, double *x, double *y)
{
    for (int i = 0; i < d->nspot; i++) {
        const ss_spot *s = &d->spot[i];
        if (px < s->x || px > s->x + s->w || py < s->y || py > s->y + s->h)
            continue;
        *x = s->cells.x + fmin((px - s->x) / s->w, 0.9999) * s->cells.w;
        *y = s->cells.y + fmin((py - s->y) / s->h, 0.9999) * s->cells.h;
        return true;
    }
    return false;
}

/* Text drawn narrower than its cells: hits follow the drawn text; its blank cells have none. */
void ss_places_cell(const ss_places *d, double px, double py, double *x, double *y)
{
    px -= d->ox, py -= d->oy;
    *x = px / d->cw, *y = py / d->ch;
    if (in_spot(d, px, py, x, y))
        return;
    bool blank = false;
    for (int i = 0; i < d->nspan; i++) {
        const ss_stretch *s = &d->span[i];
        double slack = 4 * d->scale;
        if (*y < s->y0 || *y >= s->y1)
            continue;
        if (px >= s->px0 - slack && px < s->px1 + slack) {
            double f = (px - s->px0) / (s->px1 - s->px0);
            *x = s->x0 + (f < 0 ? 0 : f > 0.99 ? 0.99 : f) * (s->x1 - s->x0);
            return;
        }
        blank = blank || (px / d->cw >= s->x0 && px / d->cw < s->x1);
    }
    if (blank)
        *y = -1;
}

/* --- from cells to pixels --------------------------------------------------------------------- */

ss_px ss_draw_px(const ss_places *d, ss_rect r)
{
    return (ss_px){r.x * d->cw, r.y * d->ch, r.w * d->cw, r.h * d->ch};
}

double ss_draw_middle(const ss_places *d, int y, int rows)
{
    return y + 0.5 * rows * d->ch + (rows > 1 ? 4 * d->scale : 0);
}

double ss_draw_thin(const ss_places *d, int n)
{
    return d->scale * n < 1 ? 1 : floor(d->scale * n);
}

/* --- strokes ---------------------------------------------------------------------------------- */

void ss_draw_color(const ss_painter *p, ss_rgb color, double alpha)
{
    ss_pen_color(p->pen, color, alpha);
}

void ss_draw_role(const ss_painter *p, ss_theme_role role, double alpha)
{
    ss_draw_color(p, p->scene->theme->color[role], alpha);
}

void ss_draw_box(const ss_painter *p, double x, double y, double w, double h)
{
    ss_pen_rect(p->pen, x, y, w, h);
    ss_pen_fill(p->pen);
}

void ss_draw_rounded(const ss_painter *p, double x, double y, double w, double h, double r)
{
    static const double quarter = 1.57079632679489661923;
    ss_pen *pen = p->pen;
    ss_pen_arc(pen, x + w - r, y + r, r, -quarter, 0);
    ss_pen_arc(pen, x + w - r, y + h - r, r, 0, quarter);
    ss_pen_arc(pen, x + r, y + h - r, r, quarter, 2 * quarter);
    ss_pen_arc(pen, x + r, y + r, r, 2 * quarter, 3 * quarter);
    ss_pen_close(pen);
}
