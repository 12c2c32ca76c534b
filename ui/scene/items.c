/* Builds and searches a display list: see items.h. */
#include "ui/scene/items.h"

#include <math.h>
#include <string.h>

void ss_scene_clear(ss_scene *s, int cols, int rows, const ss_theme *theme)
{
    s->cols = cols, s->rows = rows, s->theme = theme;
    s->head = s->side = 1;
    s->nitem = s->nhit = s->point_used = s->nrule = s->nsaid = 0;
    s->pointer = SS_POINT_ARROW;
    s->tells = false;
    s->text_used = 0;
    s->unrecorded = 0;
}

ss_item *ss_scene_add(ss_scene *s, ss_item_kind kind, ss_rect rect, ss_theme_role role)
{
    int i = s->nitem < SS_ITEM_MAX ? s->nitem++ : SS_ITEM_MAX - 1;
    s->item[i] = (ss_item){.kind = kind, .rect = rect, .role = role};
    return &s->item[i];
}

const char *ss_scene_keep(ss_scene *s, const char *text)
{
    size_t n = strlen(text) + 1;
    if (n > SS_TEXT_MAX - s->text_used)
        return "";
    char *kept = memcpy(s->text + s->text_used, text, n);
    s->text_used += n;
    return ss_text_safe(kept);
}

int ss_text_width(const char *utf8)
{
    return ss_utf8_width(utf8);
}

int ss_scene_text(ss_scene *s, int x, int y, int w, ss_theme_role role, unsigned style,
                  const char *text)
{
    int width = ss_text_width(text);
    if (w <= 0 || width == 0)
        return 0;
    if (width > w)
        width = w;
    ss_item *item = ss_scene_add(s, SS_I_TEXT, (ss_rect){x, y, width, 1}, role);
    item->style = style;
    item->text = ss_scene_keep(s, text);
    return width;
}

int ss_scene_text_right(ss_scene *s, int x1, int y, int w, ss_theme_role role, unsigned style,
                        const char *text)
{
    int width = ss_text_width(text);
    if (width > w)
        width = w;
    return ss_scene_text(s, x1 - width, y, width, role, style | SS_RIGHT, text);
}

ss_xy *ss_scene_points(ss_scene *s, int n)
{
    if (n <= 0 || n > SS_POINT_MAX - s->point_used)
        return NULL;
    s->point_used += n;
    return s->point + s->point_used - n;
}

ss_rule *ss_scene_rule(ss_scene *s, int on)
{
    if (s->nrule == SS_RULE_MAX)
        return NULL;
    ss_rule *r = &s->rule[s->nrule++];
    *r = (ss_rule){.on = on, .x = (double)NAN, .y = (double)NAN};
    ss_scene_add(s, SS_I_RULE, s->item[on].rect, SS_C_TEXT)->rule = r;
    return r;
}

void ss_scene_hit(ss_scene *s, ss_hit_kind kind, ss_rect rect, const char *command, int index)
{
    if (s->nhit < SS_HIT_MAX)
        s->hit[s->nhit++] = (ss_hit){kind, rect, command, index};
}

const ss_hit *ss_scene_at(const ss_scene *s, double x, double y)
{
    for (int i = s->nhit - 1; i >= 0; i--)
        if (ss_rect_has(s->hit[i].rect, x, y))
            return &s->hit[i];
    return NULL;
}

/* Of a row or column of a rectangle from a place; 0: inside. */
static double away(double v, double from, double size)
{
    return v < from ? from - v : v > from + size ? v - from - size : 0;
}

const ss_hit *ss_scene_near(const ss_scene *s, double x, double y)
{
    const ss_hit *best = ss_scene_at(s, x, y);
    double least = SS_FINGER;
    if (best && best->kind != SS_H_WORDS && best->kind != SS_H_TITLE && best->kind != SS_H_GUTTER)
        return best;
    for (int i = s->nhit - 1; i >= 0; i--) {
        const ss_hit *h = &s->hit[i];
        bool small = h->kind == SS_H_COMMAND || h->kind == SS_H_SLIDER || h->kind == SS_H_CONTROL ||
                     h->kind == SS_H_PICK;
        double d = fmax(away(x, h->rect.x, h->rect.w), 2 * away(y, h->rect.y, h->rect.h));
        if (small && d < least)
            best = h, least = d;
    }
    return best;
}

void ss_scene_recorded(ss_scene *s)
{
    if (s->unrecorded)
        s->item[s->unrecorded].rect.w = 0;
}
