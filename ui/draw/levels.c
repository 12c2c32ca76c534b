/* The levels of a picture's cells, places on its palette: by a table of the leading bits of a float
 * (log scales) or by a multiplication. See draw.h. */
#include "ui/draw/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE = 1 << 16, SHIFT = 16, TABLES = 2 }; /* sign, 8 bits of exponent, 7 of mantissa */

/* Levels of floats by their first 16 bits. */
typedef struct table {
    double lo, hi;
    uint16_t at[TABLE];
} table;

struct ss_log_tables {
    table table[TABLES];
    int next;
};

ss_log_tables *ss_log_tables_new(void)
{
    return calloc(1, sizeof(ss_log_tables));
}

void ss_log_tables_free(ss_log_tables *t)
{
    free(t);
}

/* The logarithms of the middles of the intervals above 0, computed once: a range that moves needs a
 * new table in every frame. */
static const double *middle_logs(void)
{
    static double at[TABLE / 2];
    static bool ready;
    for (uint32_t i = 0; i < TABLE / 2 && !ready; i++) {
        uint32_t half = i << SHIFT | 1U << (SHIFT - 1);
        float v;
        memcpy(&v, &half, sizeof v);
        at[i] = isnan(v) ? (double)INFINITY : log((double)v);
    }
    ready = true;
    return at;
}

static const uint16_t *log_table(ss_log_tables *s, double lo, double hi)
{
    for (int i = 0; i < TABLES; i++)
        if (s->table[i].hi > 0 && s->table[i].lo == lo && s->table[i].hi == hi)
            return s->table[i].at;
    table *t = &s->table[s->next++ % TABLES];
    const double *middle = middle_logs();
    double scale = hi > lo ? 255 / log(hi / lo) : 0, first = log(lo);
    t->lo = lo, t->hi = hi;
    for (uint32_t i = 0; i < TABLE; i++) {
        uint32_t bits = i << SHIFT;
        float from;
        memcpy(&from, &bits, sizeof from);
        double at = i < TABLE / 2 ? (middle[i] - first) * scale : 0;
        at = !(at > 0) ? 0 : at > 255 ? 255 : at;
        t->at[i] = (uint16_t)(from >= 0 ? 1 + (int)(at + 0.5) : 0);
    }
    return t->at;
}

/* --- rows of cells ---------------------------------------------------------------------------- */

static void levels_by_table(const void *cells, int row, uint16_t *level)
{
    const ss_levels_of *of = cells;
    const float *cell = of->image->cell + (size_t)row * (size_t)of->image->w;
    for (int x = 0; x < of->image->w; x++) {
        uint32_t bits;
        memcpy(&bits, &cell[x], sizeof bits);
        level[x] = of->log[bits >> SHIFT];
    }
}

static void levels_linear(const void *cells, int row, uint16_t *level)
{
    const ss_levels_of *of = cells;
    const float *cell = of->image->cell + (size_t)row * (size_t)of->image->w;
    for (int x = 0; x < of->image->w; x++) {
        float t = of->scale > 0 ? cell[x] * of->scale + of->shift : cell[x] - cell[x] + of->shift;
        level[x] = (uint16_t)(t != t ? 0 : t <= 0 ? 1 : t >= 255 ? 256 : (int)(t + 1.5F));
    }
}

static void levels_of_owners(const void *cells, int row, uint16_t *level)
{
    const ss_levels_of *of = cells;
    const uint8_t *owner = of->image->owner + (size_t)row * (size_t)of->image->w;
    for (int x = 0; x < of->image->w; x++)
        level[x] = (uint16_t)(owner[x] + 1);
}

/* --- the picture ------------------------------------------------------------------------------ */

static ss_rgb color_at(const ss_image *im, int i, ss_rgb nothing)
{
    bool nobody = im->owner && !im->palette && i == UINT8_MAX;
    return nobody        ? nothing
           : im->palette ? im->palette[i]
           : im->owner   ? ss_owner_color(i)
           : im->map     ? im->map->color[i]
                         : nothing;
}

void ss_draw_picture(const ss_painter *p, const ss_item *item, ss_levels_of *of, ss_pen_image *out)
{
    const ss_image *im = item->image;
    const ss_range *r = &im->range;
    const ss_rgb *theme = p->scene->theme->color;
    ss_px px = ss_draw_px(p->d, item->rect);
    double width = r->hi - r->lo;
    *of = (ss_levels_of){.image = im,
                         .scale = (float)(width > 0 ? 255 / width : 0),
                         .shift = (float)(width > 0 ? -r->lo * 255 / width : 127.5)};
    if (im->log && !im->owner && r->lo > 0)
        of->log = log_table(p->logs, r->lo, r->hi);
    *out = (ss_pen_image){.x = px.x,
                          .y = px.y,
                          .w = px.w,
                          .h = px.h,
                          .cols = im->w,
                          .rows = im->h,
                          .smooth = im->smooth && !im->owner,
                          .levels = im->owner ? levels_of_owners
                                    : of->log ? levels_by_table
                                              : levels_linear,
                          .cells = of,
                          .unseen = im->unseen,
                          .hatch = theme[SS_C_LINE],
                          .hatch_row = (int)(im->row0 % SS_PEN_HATCH)};
    out->palette[0] = theme[SS_C_PANEL];
    for (int i = 0; i < SS_MAP_SIZE; i++)
        out->palette[i + 1] = color_at(im, i, theme[SS_C_PANEL]);
}
