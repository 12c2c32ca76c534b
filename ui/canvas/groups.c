/*
 * Repaints what has changed: a scene is cut into groups of items (a panel's frame, a row of its
 * text, a picture, a chart). A group is drawn again when its content hash differs; otherwise its
 * pixels are kept. A repaint is bit-for-bit equal to a first paint. A picture or chart with nothing
 * above it is drawn directly into the target: it is large and differs in most frames. Below a veil
 * every group has pixels of its own, which are dimmed as they are copied; a panel above others is
 * blended, so that they stay visible around its round corners. See parts.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cairo.h>

#include "ui/canvas/parts.h"

enum { GROUP_MAX = 256, LINK_MAX = 3 * SS_ITEM_MAX, DAMAGE_MAX = 96 };

/* From the bottom up: a panel, the rows of its text, its pictures. A row outside of panels is a
 * band. */
typedef enum group_kind { G_BAND, G_PANEL, G_ROW, G_HEAVY } group_kind;

typedef struct group {
    group_kind kind;
    ss_item_kind what; /* G_HEAVY: its item */
    ss_rect rect;
    ss_theme_role ground;
    int parent;      /* its panel, -1: none */
    int first, last; /* into the links */
    uint64_t hash;
    bool dimmed, over;        /* below a veil; over other panels */
    cairo_surface_t *surface; /* its pixels; NULL: only in the target */
    bool there;               /* its pixels are valid */
    bool stands;              /* the target holds it at its present place */
} group;

struct ss_groups {
    group now[GROUP_MAX], before[GROUP_MAX];
    int nnow, nbefore;
    short item[LINK_MAX], next[LINK_MAX];
    int nlink;
    int veil; /* groups before this one are dimmed; 0: there is no veil */
    ss_px damage[DAMAGE_MAX];
    int ndamage;
    int w, h, cols, rows; /* the last painted scene */
    uint64_t redraw;
    const ss_theme *theme;
    bool all, veiled;
};

ss_groups *ss_groups_new(void)
{
    ss_groups *g = calloc(1, sizeof *g);
    if (g)
        g->all = true;
    return g;
}

static void drop_surfaces(group *g, int n)
{
    for (int i = 0; i < n; i++)
        if (g[i].surface)
            cairo_surface_destroy(g[i].surface);
}

void ss_groups_free(ss_groups *g)
{
    if (!g)
        return;
    drop_surfaces(g->now, g->nnow);
    free(g);
}

void ss_groups_forget(ss_groups *g)
{
    g->all = true;
}

/* --- cutting the scene ------------------------------------------------------------------------ */

static bool meets(ss_rect a, ss_rect b)
{
    return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

static bool same(ss_rect a, ss_rect b)
{
    return a.x == b.x && a.y == b.y && a.w == b.w && a.h == b.h;
}

static void add_item(ss_groups *g, group *to, int item)
{
    if (g->nlink == LINK_MAX)
        return;
    int link = g->nlink++;
    g->item[link] = (short)item;
    g->next[link] = -1;
    if (to->last >= 0)
        g->next[to->last] = (short)link;
    else
        to->first = link;
    to->last = link;
}

static group *add_group(ss_groups *g, group_kind kind, ss_rect rect, ss_theme_role ground,
                        int parent)
{
    group *to = &g->now[g->nnow < GROUP_MAX ? g->nnow++ : GROUP_MAX - 1];
    if (to->surface)
        cairo_surface_destroy(to->surface);
    *to = (group){.kind = kind, .rect = rect, .ground = ground, .parent = parent};
    to->over = parent >= 0 && g->now[parent].over;
    to->first = to->last = -1;
    return to;
}

/* The topmost panel that contains its middle, or -1; what is outside of the panel is cut off, so
 * that the outline stays whole. Nothing joins a group below the veil. */
static int panel_of(const ss_groups *g, ss_rect r)
{
    for (int i = g->nnow - 1; i >= g->veil; i--)
        if (g->now[i].kind == G_PANEL &&
            ss_rect_has(g->now[i].rect, r.x + 0.5 * r.w, r.y + 0.5 * r.h))
            return i;
    return -1;
}

/* A picture with everything below or above it in the same panel. */
static void add_heavy(ss_groups *g, const ss_scene *s, int i)
{
    const ss_item *it = &s->item[i];
    int parent = panel_of(g, it->rect);
    group *to = add_group(g, G_HEAVY, it->rect, parent < 0 ? SS_C_GROUND : SS_C_PANEL, parent);
    to->what = it->kind;
    for (int k = 0; k < g->nnow && parent >= 0; k++) {
        if (g->now[k].kind != G_ROW || g->now[k].parent != parent)
            continue;
        for (int l = g->now[k].first; l >= 0; l = g->next[l])
            if (s->item[g->item[l]].kind != SS_I_FRAME && meets(s->item[g->item[l]].rect, it->rect))
                add_item(g, to, g->item[l]);
    }
    add_item(g, to, i);
}

/* The row of a panel that an item belongs to; the frame's part of the row comes first. Rows that
 * touch are one. */
static group *row_of(ss_groups *g, int parent, ss_rect item)
{
    ss_rect r = g->now[parent].rect;
    int top = item.y > r.y ? item.y : r.y, end = item.y + item.h;
    end = end < r.y + r.h ? end : r.y + r.h;
    ss_rect want = {r.x, top, r.w, end - top};
    for (int k = parent + 1; k < g->nnow; k++) {
        group *row = &g->now[k];
        if (row->kind != G_ROW || row->parent != parent || !meets(row->rect, want))
            continue;
        int y0 = row->rect.y < want.y ? row->rect.y : want.y;
        int y1 = row->rect.y + row->rect.h > want.y + want.h ? row->rect.y + row->rect.h
                                                             : want.y + want.h;
        row->rect.y = y0, row->rect.h = y1 - y0;
        return row;
    }
    group *row = add_group(g, G_ROW, want, SS_C_GROUND, parent);
    add_item(g, row, g->item[g->now[parent].first]);
    return row;
}

static void add_light(ss_groups *g, const ss_scene *s, int i)
{
    const ss_item *it = &s->item[i];
    int parent = panel_of(g, it->rect), band = g->nnow - 1;
    for (int k = 0; k < g->nnow; k++)
        if (g->now[k].kind == G_HEAVY && g->now[k].parent == parent &&
            meets(g->now[k].rect, it->rect))
            add_item(g, &g->now[k], i);
    if (parent >= 0) {
        add_item(g, row_of(g, parent, it->rect), i);
        return;
    }
    while (band >= g->veil && (g->now[band].kind != G_BAND || g->now[band].rect.y != it->rect.y))
        band--;
    group *to =
        band >= g->veil
            ? &g->now[band]
            : add_group(g, G_BAND, (ss_rect){0, it->rect.y, s->cols, it->rect.h}, SS_C_GROUND, -1);
    add_item(g, to, i);
}

static void add_panel(ss_groups *g, const ss_scene *s, int i)
{
    group *panel = add_group(g, G_PANEL, s->item[i].rect, SS_C_GROUND, -1);
    panel->over = s->item[i].style & SS_OVER;
    add_item(g, panel, i);
}

static void add_veil(ss_groups *g)
{
    for (int i = 0; i < g->nnow; i++)
        g->now[i].dimmed = true;
    g->veil = g->nnow;
}

static void cut(ss_groups *g, const ss_scene *s)
{
    static const bool heavy[SS_NITEM] = {
        [SS_I_IMAGE] = true, [SS_I_BAR] = true, [SS_I_CHART] = true, [SS_I_STRIP] = true};
    for (int i = 0; i < s->nitem; i++) {
        const ss_item *it = &s->item[i];
        ss_rect screen = {0, 0, s->cols, s->rows};
        if (it->rect.w <= 0 || it->rect.h <= 0 || !meets(it->rect, screen) ||
            it->kind == SS_I_RULE) /* drawn last, by drawing.c */
            continue;
        bool framed = it->kind == SS_I_FILL && i + 1 < s->nitem && it[1].kind == SS_I_FRAME &&
                      same(it->rect, it[1].rect);
        if (framed)
            continue;
        if (it->kind == SS_I_VEIL)
            add_veil(g);
        else if (it->kind == SS_I_FRAME || it->kind == SS_I_LEADER)
            add_panel(g, s, i);
        else if (heavy[it->kind])
            add_heavy(g, s, i);
        else
            add_light(g, s, i);
    }
}

/* --- what a group says ------------------------------------------------------------------------ */

static uint64_t hash_group(const ss_drawing *d, const ss_scene *s, const group *g)
{
    uint64_t h = (uint64_t)g->kind << 8 | (uint64_t)g->ground;
    for (int l = g->first; l >= 0; l = d->groups->next[l])
        h = ss_draw_hash(&d->places, s, d->groups->item[l], h);
    return h;
}

/* --- drawing ---------------------------------------------------------------------------------- */

/* Drawing begins at this link: a picture hides everything below it. */
static int first_seen(const ss_groups *groups, const ss_scene *s, const group *g, bool *covered)
{
    int first = g->first;
    *covered = false;
    for (int l = g->first; l >= 0; l = groups->next[l]) {
        const ss_item *it = &s->item[groups->item[l]];
        if (it->kind == SS_I_IMAGE && same(it->rect, g->rect) && ss_draw_shows(it->image))
            first = l, *covered = true;
    }
    return first;
}

/* Pictures and charts are remembered, to draw less of them again. */
static void draw_item(const ss_painter *p, int i)
{
    static void (*const own[SS_NITEM])(const ss_painter *, const ss_item *) = {
        [SS_I_IMAGE] = ss_shades_draw, [SS_I_CHART] = ss_backdrops_draw};
    const ss_item *it = &p->scene->item[i];
    if (own[it->kind])
        own[it->kind](p, it);
    else
        ss_draw_item(p, i);
}

/* x, y: the position of the group in the pixels of cr. */
static void render(ss_drawing *d, const ss_scene *s, const group *g, cairo_t *cr, int x, int y)
{
    bool covered;
    ss_px r = ss_draw_px(&d->places, g->rect);
    ss_cairo_pen pen = ss_cairo_pen_on(cr, d);
    const ss_painter p = ss_cairo_painter(&pen, s);
    cairo_rectangle(cr, x, y, r.w, r.h);
    cairo_clip(cr);
    int l = first_seen(d->groups, s, g, &covered);
    if (g->over) { /* what is below shows through */
        cairo_set_operator(cr, CAIRO_OPERATOR_CLEAR);
        cairo_paint(cr);
        cairo_set_operator(cr, CAIRO_OPERATOR_OVER);
    } else if (!covered) {
        ss_draw_role(&p, g->ground, 1);
        cairo_paint(cr);
    }
    cairo_translate(cr, x - r.x, y - r.y);
    for (; l >= 0; l = d->groups->next[l])
        draw_item(&p, d->groups->item[l]);
}

static void render_apart(ss_drawing *d, const ss_scene *s, group *g)
{
    ss_px r = ss_draw_px(&d->places, g->rect);
    if (!g->surface)
        g->surface = cairo_image_surface_create(g->over ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24,
                                                r.w, r.h);
    cairo_t *cr = cairo_create(g->surface);
    render(d, s, g, cr, 0, 0);
    cairo_destroy(cr);
    cairo_surface_flush(g->surface);
}

static void render_in_place(ss_drawing *d, const ss_scene *s, const group *g, const ss_pixels *to)
{
    ss_px r = ss_draw_px(&d->places, g->rect);
    cairo_surface_t *target =
        cairo_image_surface_create_for_data(to->data, CAIRO_FORMAT_RGB24, to->w, to->h, to->stride);
    cairo_t *cr = cairo_create(target);
    render(d, s, g, cr, r.x + d->places.ox, r.y + d->places.oy);
    cairo_destroy(cr);
    cairo_surface_destroy(target); /* which flushes */
}

/* Draws only its changed part; false: it must be drawn as a whole. */
static bool render_again(ss_drawing *d, const ss_scene *s, const group *g, const ss_pixels *to)
{
    static bool (*const again[SS_NITEM])(const ss_painter *, const ss_item *) = {
        [SS_I_IMAGE] = ss_shades_draw_again, [SS_I_CHART] = ss_backdrops_draw_again};
    const ss_item *it = g->first < 0 ? NULL : &s->item[d->groups->item[g->first]];
    if (!it || g->first != g->last || !again[it->kind])
        return false;
    ss_px r = ss_draw_px(&d->places, g->rect);
    cairo_surface_t *target =
        cairo_image_surface_create_for_data(to->data, CAIRO_FORMAT_RGB24, to->w, to->h, to->stride);
    cairo_t *cr = cairo_create(target);
    cairo_rectangle(cr, r.x + d->places.ox, r.y + d->places.oy, r.w, r.h);
    cairo_clip(cr);
    cairo_translate(cr, d->places.ox, d->places.oy);
    ss_cairo_pen pen = ss_cairo_pen_on(cr, d);
    const ss_painter p = ss_cairo_painter(&pen, s);
    bool drawn = again[it->kind](&p, it);
    cairo_destroy(cr);
    cairo_surface_destroy(target);
    return drawn;
}

/* Takes over the pixels of the previous group if the content is equal, else its memory. */
static bool take_over(ss_groups *g, group *now)
{
    for (int i = 0; i < g->nbefore; i++) {
        group *old = &g->before[i];
        if (!old->there || old->kind != now->kind || old->what != now->what ||
            old->over != now->over || !same(old->rect, now->rect))
            continue;
        now->surface = old->surface;
        now->stands = !old->surface;
        old->surface = NULL;
        old->there = false;
        return old->hash == now->hash;
    }
    return false;
}

static ss_px overlap(ss_px a, ss_px b)
{
    int x0 = a.x > b.x ? a.x : b.x, y0 = a.y > b.y ? a.y : b.y;
    int x1 = a.x + a.w < b.x + b.w ? a.x + a.w : b.x + b.w;
    int y1 = a.y + a.h < b.y + b.h ? a.y + a.h : b.y + b.h;
    return (ss_px){x0, y0, x1 > x0 ? x1 - x0 : 0, y1 > y0 ? y1 - y0 : 0};
}

static ss_px around(ss_px a, ss_px b)
{
    if (a.w <= 0 || a.h <= 0)
        return b;
    int x0 = a.x < b.x ? a.x : b.x, y0 = a.y < b.y ? a.y : b.y;
    int x1 = a.x + a.w > b.x + b.w ? a.x + a.w : b.x + b.w;
    int y1 = a.y + a.h > b.y + b.h ? a.y + a.h : b.y + b.h;
    return (ss_px){x0, y0, x1 - x0, y1 - y0};
}

static void damage(ss_groups *g, ss_px r)
{
    if (g->ndamage < DAMAGE_MAX)
        g->damage[g->ndamage++] = r;
    else
        g->damage[DAMAGE_MAX - 1] = around(g->damage[DAMAGE_MAX - 1], r);
}

void ss_groups_damage(ss_groups *g, ss_px r)
{
    damage(g, r);
}

static ss_px on_target(const ss_drawing *d, const ss_pixels *to, ss_rect r)
{
    ss_px px = ss_draw_px(&d->places, r), all = {0, 0, to->w, to->h};
    px.x += d->places.ox, px.y += d->places.oy;
    return overlap(px, all);
}

static void fill(const ss_pixels *to, ss_px r, ss_rgb color)
{
    for (int y = r.y; y < r.y + r.h; y++) {
        uint32_t *row = (uint32_t *)(void *)((char *)to->data + (size_t)y * (size_t)to->stride);
        for (int x = r.x; x < r.x + r.w; x++)
            row[x] = color;
    }
}

static void dim(uint32_t *px, int n, ss_rgb ground)
{
    uint32_t rb = (ground & 0xff00ff) * SS_VEIL_PARTS, g = (ground & 0xff00) * SS_VEIL_PARTS;
    for (int i = 0; i < n; i++)
        px[i] = ((((px[i] & 0xff00ff) * (256 - SS_VEIL_PARTS) + rb) >> 8) & 0xff00ff) |
                ((((px[i] & 0xff00) * (256 - SS_VEIL_PARTS) + g) >> 8) & 0xff00);
}

/* Part r of the target from the group's pixels. */
static void copy(const ss_drawing *d, const ss_scene *s, const ss_pixels *to, const group *g,
                 ss_px r)
{
    const unsigned char *from = cairo_image_surface_get_data(g->surface);
    int stride = cairo_image_surface_get_stride(g->surface);
    ss_px at = ss_draw_px(&d->places, g->rect);
    if (!from)
        return;
    for (int y = r.y; y < r.y + r.h; y++) {
        char *row = (char *)to->data + (size_t)y * (size_t)to->stride + (size_t)r.x * 4;
        memcpy(row,
               from + (size_t)(y - d->places.oy - at.y) * (size_t)stride +
                   (size_t)(r.x - d->places.ox - at.x) * 4,
               (size_t)r.w * 4);
        if (g->dimmed)
            dim((uint32_t *)(void *)row, r.w, s->theme->color[SS_C_GROUND]);
    }
}

/* The same for a group that others shine through, in all damaged parts of r. Each pixel once: parts
 * may overlap. */
static void blend(const ss_drawing *d, const ss_pixels *to, const group *g, ss_px r)
{
    ss_px at = ss_draw_px(&d->places, g->rect);
    cairo_surface_t *target =
        cairo_image_surface_create_for_data(to->data, CAIRO_FORMAT_RGB24, to->w, to->h, to->stride);
    cairo_t *cr = cairo_create(target);
    for (int i = 0; i < d->groups->ndamage; i++) {
        ss_px part = overlap(r, d->groups->damage[i]);
        cairo_rectangle(cr, part.x, part.y, part.w, part.h);
    }
    cairo_clip(cr);
    cairo_set_source_surface(cr, g->surface, at.x + d->places.ox, at.y + d->places.oy);
    cairo_paint(cr);
    cairo_destroy(cr);
    cairo_surface_destroy(target);
}

/* A panel with all groups in it, then the next. */
static int order_of(const group *g, int i)
{
    int top = g[i].parent >= 0 ? g[i].parent : i;
    return (top * G_HEAVY + top + (g[i].parent >= 0 ? (int)g[i].kind : 0)) * GROUP_MAX + i;
}

static void sort_groups(const ss_groups *g, int *order)
{
    for (int i = 0; i < g->nnow; i++) {
        int j = i;
        for (; j > 0 && order_of(g->now, order[j - 1]) > order_of(g->now, i); j--)
            order[j] = order[j - 1];
        order[j] = i;
    }
}

/* From the bottom up: draws changed groups, and the parts of others that these covered. */
static void compose(ss_drawing *d, const ss_scene *s, const ss_pixels *to, group *g, bool fresh)
{
    ss_groups *all = d->groups;
    ss_px r = on_target(d, to, g->rect);
    g->there = true;
    if (!g->surface || fresh) {
        fresh = true;
        render_apart(d, s, g);
    }
    if (r.w <= 0 || r.h <= 0)
        return;
    if (g->over) {
        blend(d, to, g, r);
        return;
    }
    for (int i = 0; !fresh && i < all->ndamage; i++) {
        ss_px part = overlap(r, all->damage[i]);
        if (part.w > 0 && part.h > 0)
            copy(d, s, to, g, part);
    }
    if (fresh) {
        copy(d, s, to, g, r);
        damage(all, r);
    }
}

/* The same for a group without pixels of its own. */
static void compose_in_place(ss_drawing *d, const ss_scene *s, const ss_pixels *to, group *g,
                             bool fresh)
{
    ss_groups *all = d->groups;
    ss_px r = on_target(d, to, g->rect);
    bool covered = false;
    g->there = true;
    for (int i = 0; !covered && i < all->ndamage; i++) {
        ss_px part = overlap(r, all->damage[i]);
        covered = part.w > 0 && part.h > 0;
    }
    if ((!fresh && !covered) || r.w <= 0 || r.h <= 0)
        return;
    if (g->surface)
        cairo_surface_destroy(g->surface);
    g->surface = NULL;
    if (covered || !g->stands || !render_again(d, s, g, to))
        render_in_place(d, s, g, to);
    damage(all, r);
}

/* Large, and with nothing above it. */
static bool is_bare(const ss_groups *g, const int *order, int i)
{
    const group *it = &g->now[order[i]];
    if (it->kind != G_HEAVY || it->dimmed || it->over)
        return false;
    for (int k = i + 1; k < g->nnow; k++)
        if (meets(it->rect, g->now[order[k]].rect))
            return false;
    return true;
}

static bool has_veil(const ss_scene *s)
{
    int i = 0;
    while (i < s->nitem && s->item[i].kind != SS_I_VEIL)
        i++;
    return i < s->nitem;
}

static bool forgotten(const ss_groups *g, const ss_scene *s, const ss_pixels *to)
{
    return g->all || g->veiled != has_veil(s) || g->w != to->w || g->h != to->h ||
           g->cols != s->cols || g->rows != s->rows || g->redraw != s->redraw ||
           g->theme != s->theme;
}

int ss_drawing_parts(const ss_drawing *d, ss_rect *part, int max)
{
    const ss_groups *g = d->groups;
    int n = g->ndamage < max ? g->ndamage : max;
    for (int i = 0; i < n; i++)
        part[i] = (ss_rect){g->damage[i].x, g->damage[i].y, g->damage[i].w, g->damage[i].h};
    return n;
}

/* Areas that are no longer covered, and those below a changed group that others shine through. */
static void uncover(ss_drawing *d, const ss_scene *s, const ss_pixels *to, const bool *fresh)
{
    ss_groups *g = d->groups;
    for (int i = 0; i < g->nbefore + g->nnow; i++) {
        const group *it = i < g->nbefore ? &g->before[i] : &g->now[i - g->nbefore];
        if (i < g->nbefore ? !it->there : !it->over || !fresh[i - g->nbefore])
            continue;
        ss_px r = on_target(d, to, it->rect);
        fill(to, r, s->theme->color[SS_C_GROUND]);
        damage(g, r);
    }
}

void ss_groups_paint(ss_drawing *d, const ss_scene *s, const ss_pixels *to, ss_px *changed)
{
    ss_groups *g = d->groups;
    bool anew = forgotten(g, s, to);
    ss_rgb ground = s->theme->color[SS_C_GROUND];
    g->ndamage = g->nlink = g->veil = 0;
    memcpy(g->before, g->now, sizeof g->now);
    memset(g->now, 0, sizeof g->now);
    g->nbefore = g->nnow;
    g->nnow = 0;
    if (anew) {
        drop_surfaces(g->before, g->nbefore);
        g->nbefore = 0;
        damage(g, (ss_px){0, 0, to->w, to->h});
        fill(to, g->damage[0], ground);
    }
    ss_cairo_pen pen = ss_cairo_pen_on(NULL, d);
    const ss_painter p = ss_cairo_painter(&pen, s);
    ss_draw_flow(&p);
    cut(g, s);
    bool fresh[GROUP_MAX] = {false};
    for (int i = 0; i < g->nnow; i++) {
        g->now[i].hash = hash_group(d, s, &g->now[i]);
        fresh[i] = !take_over(g, &g->now[i]);
    }
    uncover(d, s, to, fresh);
    drop_surfaces(g->before, g->nbefore);
    g->nbefore = 0;
    int order[GROUP_MAX];
    sort_groups(g, order);
    for (int i = 0; i < g->nnow; i++)
        (is_bare(g, order, i) ? compose_in_place : compose)(d, s, to, &g->now[order[i]],
                                                            fresh[order[i]] || anew);
    *changed = (ss_px){0, 0, 0, 0};
    for (int i = 0; i < g->ndamage; i++)
        *changed = around(*changed, g->damage[i]);
    g->w = to->w, g->h = to->h, g->cols = s->cols, g->rows = s->rows;
    g->redraw = s->redraw, g->theme = s->theme, g->all = false, g->veiled = has_veil(s);
}
