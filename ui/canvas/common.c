/* What the files of the folder share: the target's pixels, and the content hash of a display-list
 * item: text, numbers and pixels. See parts.h. */
#include <math.h>
#include <string.h>

#include <cairo.h>

#include "ui/canvas/parts.h"

/* --- the target ------------------------------------------------------------------------------- */

ss_rgb ss_cairo_color(cairo_t *cr)
{
    double part[3] = {0, 0, 0}, a;
    cairo_pattern_get_rgba(cairo_get_source(cr), &part[0], &part[1], &part[2], &a);
    ss_rgb color = 0;
    for (int i = 0; i < 3; i++)
        color = color << 8 | (ss_rgb)lround(255 * part[i]);
    return color;
}

unsigned char *ss_cairo_pixels(cairo_t *cr, ss_px r, int *stride)
{
    cairo_surface_t *to = cairo_get_target(cr);
    cairo_matrix_t m;
    cairo_get_matrix(cr, &m);
    int x = r.x + (int)m.x0, y = r.y + (int)m.y0;
    if (cairo_surface_get_type(to) != CAIRO_SURFACE_TYPE_IMAGE ||
        cairo_image_surface_get_format(to) != CAIRO_FORMAT_RGB24 || m.xx < 1 || m.xx > 1 ||
        m.x0 > (int)m.x0 || m.y0 > (int)m.y0 || x < 0 || y < 0 ||
        x + r.w > cairo_image_surface_get_width(to) || y + r.h > cairo_image_surface_get_height(to))
        return NULL;
    cairo_surface_flush(to);
    *stride = cairo_image_surface_get_stride(to);
    return cairo_image_surface_get_data(to) + (ptrdiff_t)y * *stride + (ptrdiff_t)x * 4;
}

void ss_cairo_drawn(cairo_t *cr)
{
    cairo_surface_mark_dirty(cairo_get_target(cr));
}

/* --- content hashes --------------------------------------------------------------------------- */

static uint64_t mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

static uint64_t mix_bytes(uint64_t h, const void *data, size_t n)
{
    const unsigned char *p = data;
    uint64_t v, a = h, b = h ^ 0x5851f42d4c957f2du;
    for (; n >= 16; n -= 16, p += 16) {
        memcpy(&v, p, 8);
        a = mix(a, v);
        memcpy(&v, p + 8, 8);
        b = mix(b, v);
    }
    for (; n > 0; n--, p++)
        a = mix(a, *p);
    return mix(a, b * 0x9fb21c651e98df25u); /* of no bytes: h unchanged */
}

static uint64_t mix_real(uint64_t h, double v)
{
    return mix_bytes(h, &v, sizeof v);
}

static uint64_t mix_text(uint64_t h, const char *text)
{
    return mix_bytes(h, text ? text : "", text ? strlen(text) + 1 : 1);
}

static uint64_t mix_axis(uint64_t h, const ss_plot_axis *a)
{
    h = mix(mix_real(mix_real(h, a->lo), a->hi), a->log);
    for (int i = 0; i < a->ntick; i++)
        h = mix_text(mix_real(h, a->tick[i].at), a->tick[i].label);
    return h;
}

static uint64_t mix_look(uint64_t h, const ss_image *im)
{
    h = mix(mix(h, (uintptr_t)im->map), (uint64_t)im->frame);
    h = mix(h, (uint64_t)(im->log | im->blocks << 1 | im->smooth << 2 | im->steps << 3));
    h = mix_real(mix_real(h, im->range.lo), im->range.hi);
    return mix(h, (uint64_t)im->w << 32 | (uint64_t)im->h);
}

uint64_t ss_draw_hash_look(const ss_image *im)
{
    return mix_look(1, im);
}

static uint64_t mix_image(uint64_t h, const ss_image *im)
{
    size_t n = (size_t)im->w * (size_t)im->h;
    h = mix_look(h, im);
    if (im->unseen)
        h = mix(mix_bytes(h, im->unseen, (size_t)im->h), im->row0);
    if (im->owner)
        h = mix_bytes(h, im->owner, n);
    else if (im->version)
        h = mix(h, im->version);
    else if (im->cell)
        h = mix_bytes(h, im->cell, n * sizeof *im->cell);
    if (im->palette)
        h = mix_bytes(h, im->palette, 256 * sizeof *im->palette);
    h = mix_bytes(mix(h, 1), im->grid_x, (size_t)im->ngrid_x * sizeof *im->grid_x);
    h = mix_bytes(mix(h, 2), im->grid_y, (size_t)im->ngrid_y * sizeof *im->grid_y);
    h = mix_bytes(mix(h, 3), im->patch_x, (size_t)im->npatch_x * sizeof *im->patch_x);
    h = mix_bytes(mix(h, 4), im->patch_y, (size_t)im->npatch_y * sizeof *im->patch_y);
    if (im->has_block)
        h = mix_bytes(mix_bytes(h, &im->block, sizeof im->block), &im->kept, sizeof im->kept);
    if (im->has_probe)
        h = mix_real(mix_real(h, im->probe_x), im->probe_y);
    if (im->has_wipe)
        h = mix_real(mix(h, 8), im->wipe);
    if (im->has_brush)
        h = mix_real(mix_real(mix(h, 5), im->brush_rx), im->brush_ry);
    return h;
}

uint64_t ss_draw_hash_rest(const ss_chart *c)
{
    uint64_t h = mix((uint64_t)c->gutter, (uint64_t)c->nseries);
    h = mix_text(mix_text(mix_axis(mix_axis(h, &c->x), &c->y), c->x_label), c->y_label);
    for (int i = 0; i < c->nseries; i++) {
        const ss_series *s = &c->series[i];
        uint64_t kind = (uint64_t)(s->bars | s->dots << 1 | s->points << 2 | s->dash << 5);
        h = mix_text(mix(h, (uint64_t)s->hidden << 16 | (uint64_t)s->role << 8 | kind),
                     c->legend[i]);
    }
    for (int i = 0; i < c->nmark; i++)
        h = mix_text(mix_real(h, c->mark[i].x), c->mark[i].text);
    for (int i = 0; i < c->nnote; i++)
        h = mix_text(mix_real(mix_real(h, c->note[i].at.x), c->note[i].at.y), c->note[i].text);
    h = mix_bytes(mix(h, 5), c->edge, (size_t)c->nedge * sizeof *c->edge);
    h = mix_bytes(mix(h, 6), c->zone, (size_t)c->nzone * sizeof *c->zone);
    h = mix_text(h, c->nzone ? c->zone_label : NULL);
    h = mix_bytes(mix(h, 7), c->under, (size_t)c->nunder * sizeof *c->under);
    h = mix(h, c->nunder ? (uint64_t)c->here : 0);
    return c->has_level ? mix_text(mix_real(h, c->level), c->level_text) : h;
}

static uint64_t mix_chart(uint64_t h, const ss_chart *c)
{
    h = mix(h, ss_draw_hash_rest(c));
    for (int i = 0; i < c->nseries; i++)
        h = mix_bytes(mix(h, (uint64_t)c->series[i].n), c->series[i].at,
                      (size_t)c->series[i].n * sizeof *c->series[i].at);
    return h;
}

static uint64_t mix_bar(uint64_t h, const ss_item *it)
{
    return mix_axis(mix_look(mix(h, it->bar.vertical), it->bar.image), it->bar.axis);
}

static uint64_t mix_edge(uint64_t h, const ss_edge_axis *e)
{
    h = mix_text(mix(mix_axis(h, &e->axis), e->up), e->title);
    return mix_bytes(h, e->mark, (size_t)e->nmark * sizeof *e->mark);
}

static uint64_t mix_strip(uint64_t h, const ss_timeline *s)
{
    for (int i = 0; i < s->ncurve; i++)
        h = mix_bytes(mix(h, (uint64_t)s->curve[i].role << 8 | (uint64_t)s->curve[i].dash),
                      s->curve[i].at, (size_t)s->curve[i].n * sizeof *s->curve[i].at);
    h = mix_bytes(mix(h, 8), s->kept, (size_t)s->nkept * sizeof *s->kept);
    for (int i = 0; i < s->nflag; i++)
        h = mix_text(mix_real(h, s->flag[i].x), s->flag[i].text);
    return mix_bytes(mix_real(h, s->here), s->span, sizeof s->span);
}

uint64_t ss_draw_hash(const ss_places *d, const ss_scene *s, int i, uint64_t h)
{
    const ss_item *it = &s->item[i];
    h = mix(h, (uint64_t)it->kind << 40 | (uint64_t)it->role << 32 | it->style);
    h = mix_bytes(h, &it->rect, sizeof it->rect);
    switch (it->kind) {
    case SS_I_TEXT:
        h = it->style & SS_FLOW ? mix_real(h, d->flow_x[i]) : h;
        return mix_text(mix_real(h, it->roll), it->text);
    case SS_I_FRAME:
        return mix_text(h, it->text);
    case SS_I_IMAGE:
        return mix_image(h, it->image);
    case SS_I_BAR:
        return mix_bar(h, it);
    case SS_I_CHART:
        return mix_chart(h, it->chart);
    case SS_I_EDGE:
        return mix_edge(h, it->edge);
    case SS_I_LEADER:
        return mix_bytes(h, &it->leader, sizeof it->leader);
    case SS_I_STRIP:
        return mix_strip(h, it->strip);
    case SS_I_SAMPLE:
        return mix(h, (uint64_t)it->dash);
    case SS_I_SLIDER:
        return mix_real(mix_real(mix_real(h, it->slider.at), it->slider.mark), it->slider.limit);
    case SS_I_FILL:
    case SS_I_VEIL:
    case SS_I_RULE:
    case SS_NITEM:
        break;
    }
    return h;
}
