/* Charts whose axes and labels are unchanged. The pixels below the curves are kept; a repaint
 * restores what the old curves have covered, and the rows of items above the curves. Equal,
 * pixel for pixel, to a chart drawn from scratch: tests/ui/canvas/drawing.c. See parts.h. */
#include <stdlib.h>
#include <string.h>

#include "ui/canvas/parts.h"
#include "ui/draw/draw.h"

enum { CHARTS = 6, BANDS = SS_MARKS_MAX + 4 };

typedef struct rows {
    int from, to;
} rows;

struct ss_backdrop {
    ss_px rect;
    uint64_t rest; /* hash of the chart without its curves, when it was last drawn */
    bool kept;     /* the pixels are valid */
    uint32_t *pixel;
    rows *covered; /* rows covered by curves, per column; from the upper edge */
    size_t room;   /* pixels */
    rows band[BANDS];
    int nband;
};

struct ss_backdrops {
    ss_backdrop chart[CHARTS];
    int next;
};

ss_backdrops *ss_backdrops_new(void)
{
    return calloc(1, sizeof(ss_backdrops));
}

void ss_backdrops_free(ss_backdrops *b)
{
    for (int i = 0; b && i < CHARTS; i++) {
        free(b->chart[i].pixel);
        free(b->chart[i].covered);
    }
    free(b);
}

static bool same(ss_px a, ss_px b)
{
    return a.x == b.x && a.y == b.y && a.w == b.w && a.h == b.h;
}

static ss_backdrop *find(ss_backdrops *all, ss_px rect)
{
    for (int i = 0; i < CHARTS; i++)
        if (same(all->chart[i].rect, rect))
            return &all->chart[i];
    return NULL;
}

static void forget_curves(ss_backdrop *b)
{
    for (int x = 0; x < b->rect.w; x++)
        b->covered[x] = (rows){b->rect.h, 0};
    b->nband = 0;
}

static bool make_room(ss_backdrop *b)
{
    size_t need = (size_t)b->rect.w * (size_t)b->rect.h;
    free(b->covered);
    b->covered = calloc((size_t)b->rect.w, sizeof *b->covered);
    if (need > b->room) {
        free(b->pixel);
        b->pixel = malloc(need * sizeof *b->pixel);
        b->room = b->pixel ? need : 0;
    }
    return b->covered && b->pixel;
}

static uint32_t *row_of(unsigned char *pixels, int stride, int y)
{
    return (uint32_t *)(void *)(pixels + (ptrdiff_t)y * stride);
}

/* Keeps the pixels drawn so far in rect, of a chart whose content without curves has the hash
 * `rest`. NULL: not kept. */
static ss_backdrop *keep(const ss_cairo_pen *c, ss_px rect, uint64_t rest)
{
    ss_backdrops *all = c->d->backdrops;
    ss_backdrop *b = find(all, rect);
    bool again = b && b->rest == rest;
    int stride;
    unsigned char *from = ss_cairo_pixels(c->cr, rect, &stride);
    if (!b) {
        b = &all->chart[all->next++ % CHARTS];
        b->rect = rect;
    }
    b->rest = rest;
    b->kept = again && from &&
              make_room(b); /* kept from the second time on: other charts change as a whole */
    if (!b->kept)
        return NULL;
    for (int y = 0; y < rect.h; y++)
        memcpy(b->pixel + (size_t)y * (size_t)rect.w, row_of(from, stride, y),
               (size_t)rect.w * sizeof *b->pixel);
    forget_curves(b);
    return b;
}

/* Restores those that have been covered since. NULL: they are not kept. */
static ss_backdrop *restore(const ss_cairo_pen *c, ss_px rect, uint64_t rest)
{
    ss_backdrop *b = find(c->d->backdrops, rect);
    int stride, w = rect.w;
    unsigned char *to =
        b && b->kept && b->rest == rest ? ss_cairo_pixels(c->cr, rect, &stride) : NULL;
    if (!to)
        return NULL;
    for (int x = 0; x < w; x++)
        for (int y = b->covered[x].from; y < b->covered[x].to; y++)
            row_of(to, stride, y)[x] = b->pixel[(size_t)y * (size_t)w + (size_t)x];
    for (int i = 0; i < b->nband; i++)
        for (int y = b->band[i].from; y < b->band[i].to; y++)
            memcpy(row_of(to, stride, y), b->pixel + (size_t)y * (size_t)w,
                   (size_t)w * sizeof *b->pixel);
    ss_cairo_drawn(c->cr);
    forget_curves(b);
    return b;
}

void ss_backdrop_cover(ss_backdrop *b, int x, int from, int to)
{
    if (!b)
        return;
    rows *covered = &b->covered[x - b->rect.x];
    from -= b->rect.y, to -= b->rect.y;
    covered->from = from < covered->from ? from : covered->from;
    covered->to = to > covered->to ? to : covered->to;
}

void ss_backdrop_over(ss_backdrop *b, int from, int to)
{
    if (!b)
        return;
    from -= b->rect.y, to -= b->rect.y;
    rows r = {from > 0 ? from : 0, to < b->rect.h ? to : b->rect.h};
    for (int i = 0; i < b->nband; i++)
        if (b->band[i].from <= r.from && b->band[i].to >= r.to)
            return;
    if (b->nband < BANDS)
        b->band[b->nband++] = r;
    else
        b->kept = false;
}

void ss_backdrop_spoil(ss_backdrop *b)
{
    if (b)
        b->kept = false;
}

/* --- charts ----------------------------------------------------------------------------------- */

static void draw_data(ss_cairo_pen *c, const ss_plot *f, ss_backdrop *under)
{
    c->under = under;
    ss_plot_data(f);
    c->under = NULL;
}

void ss_backdrops_draw(const ss_painter *p, const ss_item *item)
{
    ss_cairo_pen *c = (ss_cairo_pen *)(void *)p->pen;
    ss_px rect = ss_draw_px(p->d, item->rect);
    ss_plot f;
    ss_backdrop_spoil(find(c->d->backdrops, rect)); /* of another chart at its place */
    if (!ss_plot_make(&f, p, item))
        return;
    ss_plot_ground(&f);
    draw_data(c, &f, ss_plot_is_solid(&f) ? keep(c, rect, ss_draw_hash_rest(item->chart)) : NULL);
}

bool ss_backdrops_draw_again(const ss_painter *p, const ss_item *item)
{
    ss_cairo_pen *c = (ss_cairo_pen *)(void *)p->pen;
    ss_plot f;
    if (!ss_plot_make(&f, p, item))
        return false;
    ss_backdrop *under = restore(c, ss_draw_px(p->d, item->rect), ss_draw_hash_rest(item->chart));
    if (under)
        draw_data(c, &f, under);
    return under != NULL;
}
