/* Text items: fonts and sizes by style, texts that follow each other, buttons. Words are set in a
 * proportional font, numbers and keys in one of equal widths. See draw.h. */
#include "ui/draw/draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Huge text has 22 pixels at the scale of a film of 800x600, 1.2. */
static const double body = 13, figure = 12.5, small = 11, large = 15, huge = 22 / 1.2;

static double font_size(unsigned style)
{
    return style & SS_HUGE     ? huge
           : style & SS_LARGE  ? large
           : style & SS_SMALL  ? small
           : style & SS_FIGURE ? figure
                               : body;
}

/* In 1/8 pixel: the same in streams of operations, so that all pens have one layout. */
static ss_font font_of(const ss_painter *p, unsigned style)
{
    return (ss_font){.size = floor(font_size(style) * p->d->scale * 8 + 0.5) / 8,
                     .mono = style & SS_FIGURE,
                     .bold = style & SS_BOLD};
}

double ss_draw_width(const ss_painter *p, unsigned style, const char *text)
{
    const ss_font font = font_of(p, style);
    return ss_pen_text_width(p->pen, &font, text);
}

double ss_draw_text(const ss_painter *p, double x, double y, double room, unsigned style,
                    const char *text)
{
    if (!*text || room < 1)
        return 0;
    /* Capitals of both fonts are 0.73 of the size high. */
    double baseline = floor(y + 0.36 * font_size(style) * p->d->scale + 0.5);
    double align = style & SS_RIGHT ? 1 : style & SS_CENTRE ? 0.5 : 0;
    const ss_pen_text t = {x, baseline, align, room, font_of(p, style), text};
    return ss_pen_text_draw(p->pen, &t);
}

/* --- items ------------------------------------------------------------------------------------ */

/* Without surrounding blanks, and without the brackets that mark a tab in cells. */
static const char *bare(const ss_item *item, char *buf)
{
    const char *a = item->text, *b = a + strlen(a);
    while (*a == ' ')
        a++;
    while (b > a && b[-1] == ' ')
        b--;
    if (item->style & SS_TAB && b - a > 2 && *a == '[' && b[-1] == ']')
        a++, b--;
    snprintf(buf, SS_PEN_TEXT, "%.*s", (int)(b - a), a);
    return buf;
}

static unsigned set_style(const ss_item *item)
{
    unsigned style = item->style;
    if (item->role == SS_C_FAINT && !(style & (SS_TAB | SS_LARGE | SS_HUGE)))
        style |= SS_SMALL;
    return style;
}

static double gap_px(const ss_places *d, const ss_item *item, int columns)
{
    double tab = item->style & SS_TAB ? 10 : 0;
    return d->scale * (12.0 * (columns > 0 ? columns : 0) - (columns > 0 ? 6 : 0) + tab);
}

/* Spans of one row are in order of addition: from left to right, or from the right end to the
 * left. */
void ss_draw_flow(const ss_painter *p)
{
    ss_places *d = p->d;
    const ss_item *before = NULL;
    double edge = 0;
    char text[SS_PEN_TEXT];
    d->nspan = 0;
    for (int i = 0; i < p->scene->nitem; i++) {
        const ss_item *it = &p->scene->item[i];
        if (it->kind == SS_I_FRAME) /* another panel */
            before = NULL;
        if (it->kind != SS_I_TEXT || !(it->style & SS_FLOW))
            continue;
        ss_px r = ss_draw_px(d, it->rect);
        bool right = it->style & SS_RIGHT;
        if (before && it->roll > 0 && before->rect.x == it->rect.x &&
            before->rect.y == it->rect.y) { /* takes the place of the one before */
            double own = ss_draw_width(p, set_style(it), bare(it, text)),
                   was = edge - d->flow_x[i - 1];
            d->flow_x[i] = d->flow_x[i - 1];
            edge = d->flow_x[i] + own + it->roll * (was - own);
            before = it;
            continue;
        }
        bool follows = before && before->rect.y == it->rect.y &&
                       (before->style & SS_RIGHT) == (it->style & SS_RIGHT);
        double w = ss_draw_width(p, set_style(it), bare(it, text));
        int columns = !follows ? 0
                      : right  ? before->rect.x - it->rect.x - it->rect.w
                               : it->rect.x - before->rect.x - before->rect.w;
        follows = follows && columns >= 0 && columns < 6;
        double start = right ? r.x + r.w : r.x;
        if (follows)
            start = edge + (right ? -1 : 1) * gap_px(d, it, columns);
        d->flow_x[i] = right ? start - w : start;
        edge = right ? start - w : start + w;
        d->span[d->nspan++] =
            (ss_stretch){d->flow_x[i], d->flow_x[i] + w,       it->rect.x, it->rect.x + it->rect.w,
                         it->rect.y,   it->rect.y + it->rect.h};
        before = it;
    }
}

/* As wide as the text, which may not be as wide as its cells. */
static void draw_button(const ss_painter *p, double x, double y, unsigned style, const char *text)
{
    double s = p->d->scale, w = ss_draw_width(p, style, text);
    ss_draw_role(p, SS_C_SHADE, 1);
    ss_draw_rounded(p, floor(x - 7 * s), floor(y - 10 * s), ceil(w + 14 * s), floor(20 * s), 4 * s);
    ss_pen_fill(p->pen);
}

/* A text on its way into its rows, or out of them; it is not as high as they are. */
static void draw_rolling(const ss_painter *p, const ss_item *it, double x, double y, double room,
                         unsigned style, const char *text)
{
    ss_px r = ss_draw_px(p->d, it->rect);
    ss_pen_save(p->pen);
    ss_pen_rect(p->pen, 0, r.y, p->scene->cols * p->d->cw, r.h);
    ss_pen_clip(p->pen);
    ss_draw_text(p, x, y + floor(0.7 * it->roll * r.h), room, style, text);
    ss_pen_restore(p->pen);
}

void ss_draw_text_item(const ss_painter *p, const ss_item *it)
{
    char buf[SS_PEN_TEXT];
    const char *text = bare(it, buf);
    ss_px r = ss_draw_px(p->d, it->rect);
    unsigned style = set_style(it);
    double y = ss_draw_middle(p->d, r.y, it->rect.h), x = r.x, room = r.w, s = p->d->scale;
    if (style & SS_FLOW) {
        x = p->d->flow_x[it - p->scene->item];
        room = 4096;
        style &= ~(unsigned)(SS_RIGHT | SS_CENTRE);
    } else if (style & SS_RIGHT) {
        x = r.x + r.w;
    } else if (style & SS_CENTRE) {
        x = r.x + 0.5 * r.w;
    }
    bool on = style & SS_TAB && style & SS_BOLD, raised = style & SS_RAISED;
    y -= raised ? 5 * s : 0;
    if (style & SS_BUTTON)
        draw_button(p, x, y, style, text);
    ss_draw_role(p, on ? SS_C_TEXT : it->role, 1);
    if (it->roll < 0 || it->roll > 0) {
        draw_rolling(p, it, x, y, room, style, text);
        return;
    }
    double w = ss_draw_text(p, x, y, room, style, text);
    if (on || style & SS_UNDERLINE) {
        ss_draw_role(p, SS_C_ACCENT, 1);
        ss_draw_box(p, floor(x + 0.5), floor(y + (on && !raised ? 10 : 8) * s), w,
                    ss_draw_thin(p->d, 2));
    }
}
