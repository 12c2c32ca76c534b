/* The timeline as cells: its curve in eighths of a cell, above it the kept states and changes. See
 * grid.h. */
#include <math.h>

#include "ui/cells/grid.h"

enum { KEPT = 0x2575, FLAG = 0x25be, HERE = 0x25bc };

static int column_of(ss_rect r, double at)
{
    int x = (int)floor(at * r.w);
    return r.x + (x < r.w ? x : r.w - 1);
}

/* The curve as columns; a column without a point of its own continues the last height. */
static void paint_curve(const ss_canvas *c, ss_rect r, const ss_series *s)
{
    int eighths = 8 * (r.h - 1), at = 0;
    double high = 0;
    if (s->n < 1)
        return;
    for (int x = column_of(r, s->at[0].x); x <= column_of(r, s->at[s->n - 1].x); x++) {
        for (; at < s->n && column_of(r, s->at[at].x) <= x; at++)
            high = s->at[at].y;
        int left = 1 + (int)(high * (eighths - 1) + 0.5);
        for (int y = r.y + r.h - 1; y > r.y && left > 0; y--, left -= 8)
            ss_canvas_put(c, x, y, c->how->glyphs->bar[left < 8 ? left : 8], s->role);
    }
}

/* Does the marker of the present position stand in [x, x + w)? */
static bool is_crossed(ss_rect r, const ss_timeline *s, int x, int w)
{
    int here = s->here >= 0 ? column_of(r, s->here) : -1;
    return here >= x && here < x + w;
}

/* A triangle, and the text right of it, up to the next one, or left of it, from column `from` on,
 * if the marker of the present position would cross it on the right. Returns the column after the
 * text. */
static int paint_flag(const ss_canvas *c, ss_rect r, const ss_timeline *s, int i, int from)
{
    int x = column_of(r, s->flag[i].x), w = ss_text_width(s->flag[i].text);
    int end = i + 1 < s->nflag ? column_of(r, s->flag[i + 1].x) : r.x + r.w;
    bool right = w < end - x - 1 && !is_crossed(r, s, x + 1, w);
    bool left = x - w > from && !is_crossed(r, s, x - w, w);
    ss_canvas_put(c, x, r.y, c->how->glyphs->ascii ? 'v' : FLAG, SS_C_SERIES2);
    if (!right && !left)
        return x + 1;
    ss_canvas_text(c, right ? x + 1 : x - w, r.y, w, SS_C_DIM, 0, s->flag[i].text);
    return right ? x + 1 + w : x + 1;
}

static void paint_flags(const ss_canvas *c, ss_rect r, const ss_timeline *s)
{
    int from = r.x;
    for (int i = 0; i < s->nflag; i++)
        from = paint_flag(c, r, s, i, from);
}

static void paint_span(const ss_canvas *c, ss_rect r, const ss_timeline *s)
{
    if (!(s->span[0] >= 0 && s->span[1] >= 0))
        return;
    int x0 = column_of(r, fmin(s->span[0], s->span[1])),
        x1 = column_of(r, fmax(s->span[0], s->span[1]));
    for (int y = r.y; y < r.y + r.h; y++)
        for (int x = x0; x <= x1; x++)
            ss_canvas_cell(c, x, y)->attr |= SS_REVERSE;
}

void ss_paint_strip(const ss_canvas *c, const ss_item *item)
{
    const ss_timeline *s = item->strip;
    ss_rect r = item->rect;
    bool ascii = c->how->glyphs->ascii;
    for (int i = 0; i < s->ncurve; i++)
        paint_curve(c, r, &s->curve[i]);
    for (int i = 0; i < s->nkept; i++)
        if (s->kept[i] >= 0)
            ss_canvas_put(c, column_of(r, s->kept[i]), r.y, ascii ? '\'' : KEPT, SS_C_FAINT);
    paint_flags(c, r, s);
    if (s->here >= 0)
        ss_canvas_put(c, column_of(r, s->here), r.y, ascii ? 'V' : HERE, item->role);
    paint_span(c, r, s);
}
