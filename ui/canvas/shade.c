/* Values to colours, cells to pixels: by a table of the leading bits of a float (log scales) or
 * by a multiplication. See parts.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cairo.h>

#include "ui/canvas/parts.h"

enum { TABLE = 1 << 16, SHIFT = 16, TABLES = 2 }; /* sign, 8 bits of exponent, 7 of mantissa */
enum { SERIALS = 512 };

/* Position on the map plus one, 1 to 256, of a float by its first 16 bits; 0: undefined. */
typedef struct table {
    double lo, hi;
    uint16_t at[TABLE];
} table;

/* The rows of cells of the picture that was last drawn here. */
typedef struct standing {
    ss_px rect;
    uint64_t look;
    int w, h; /* h 0: none */
    uint64_t serial[SERIALS];
} standing;

struct ss_shades {
    table table[TABLES];
    int next;
    standing standing;
    cairo_surface_t *surface; /* as large as the largest image so far */
    int *column;              /* pixels per cell, or the first pixel of each cell */
    ss_rgb *line;             /* of a row of cells */
    int room, line_room;
    float *position; /* positions on the map of cells and of an interpolated row; weights of its
                        pixels */
    size_t positions;
};

ss_shades *ss_shades_new(void)
{
    return calloc(1, sizeof(ss_shades));
}

void ss_shades_free(ss_shades *s)
{
    if (!s)
        return;
    if (s->surface)
        cairo_surface_destroy(s->surface);
    free(s->column);
    free(s->line);
    free(s->position);
    free(s);
}

cairo_surface_t *ss_shades_surface(ss_shades *s, int w, int h)
{
    if (s->surface && cairo_image_surface_get_width(s->surface) >= w &&
        cairo_image_surface_get_height(s->surface) >= h)
        return s->surface;
    if (s->surface)
        cairo_surface_destroy(s->surface);
    s->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, w, h);
    if (cairo_surface_status(s->surface) == CAIRO_STATUS_SUCCESS)
        return s->surface;
    cairo_surface_destroy(s->surface);
    s->surface = NULL;
    return NULL;
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

static const table *log_table(ss_shades *s, double lo, double hi)
{
    for (int i = 0; i < TABLES; i++)
        if (s->table[i].hi > 0 && s->table[i].lo == lo && s->table[i].hi == hi)
            return &s->table[i];
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
    return t;
}

/* --- values to colours ------------------------------------------------------------------------ */

typedef struct shader {
    const ss_image *image;
    const table *log;
    float scale, shift;
    ss_rgb color[SS_MAP_SIZE], nothing, line;
    ss_rgb at[SS_MAP_SIZE + 1]; /* undefined, then the colour of each position */
} shader;

static void shader_make(shader *s, const ss_pen *p, const ss_image *im)
{
    const ss_range *r = &im->range;
    double width = r->hi - r->lo;
    s->image = im;
    s->log = im->log && !im->owner && r->lo > 0 ? log_table(p->d->shades, r->lo, r->hi) : NULL;
    s->scale = (float)(width > 0 ? 255 / width : 0);
    s->shift = (float)(width > 0 ? -r->lo * 255 / width : 127.5);
    s->nothing = p->scene->theme->color[SS_C_PANEL];
    s->line = p->scene->theme->color[SS_C_LINE];
    for (int i = 0; i < SS_MAP_SIZE; i++)
        s->color[i] = im->palette ? im->palette[i]
                      : im->owner ? ss_owner_color(i)
                      : im->map   ? im->map->color[i]
                                  : s->nothing;
    if (im->owner && !im->palette)
        s->color[UINT8_MAX] = s->nothing;
    s->at[0] = s->nothing;
    memcpy(s->at + 1, s->color, sizeof s->color);
}

static int level_by_table(const table *t, float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return t->at[bits >> SHIFT];
}

/* Position on the map plus one, 1 to 256, or 0: undefined. */
static int level_of(const shader *s, float v)
{
    if (s->log)
        return level_by_table(s->log, v);
    float t = s->scale > 0 ? v * s->scale + s->shift : v - v + s->shift;
    return t != t ? 0 : t <= 0 ? 1 : t >= 255 ? 256 : (int)(t + 1.5F);
}

/* The colours of the cells of row y. */
static void color_row(const shader *s, int y, ss_rgb *to)
{
    const ss_image *im = s->image;
    const table *log = s->log;
    int w = im->w;
    size_t first = (size_t)y * (size_t)w;
    const uint8_t *owner = im->owner ? im->owner + first : NULL;
    const float *cell = im->owner ? NULL : im->cell + first;
    for (int x = 0; owner && x < w; x++)
        to[x] = s->color[owner[x]];
    for (int x = 0; cell && log && x < w; x++)
        to[x] = s->at[level_by_table(log, cell[x])];
    for (int x = 0; cell && !log && x < w; x++)
        to[x] = s->at[level_of(s, cell[x])];
}

/* --- into pixels ------------------------------------------------------------------------------ */

/* For w pixels, one end marker, and as many cells per row. */
static bool make_room(ss_shades *s, int w, int cells)
{
    if (s->room < w + 1) {
        int *column = realloc(s->column, (size_t)(w + 1) * sizeof *column);
        if (!column)
            return false;
        s->column = column, s->room = w + 1;
    }
    if (s->line_room < cells) {
        ss_rgb *line = realloc(s->line, (size_t)cells * sizeof *line);
        if (!line)
            return false;
        s->line = line, s->line_room = cells;
    }
    return true;
}

static bool is_unseen(const ss_image *im, int y)
{
    return im->unseen && im->unseen[y];
}

/* The destination: rows [from, to) of all h. */
typedef struct sheet {
    unsigned char *row0;
    int stride, w, h, from, to;
} sheet;

static uint32_t *row_at(const sheet *t, int y)
{
    return (uint32_t *)(void *)(t->row0 + (ptrdiff_t)y * t->stride);
}

/* Diagonal lines that move with their row of cells. */
static void hatch(const shader *s, const sheet *t, int y)
{
    enum { PITCH = 8, THICK = 2 };
    uint64_t high = (uint64_t)(t->h / s->image->h), from = PITCH * (uint64_t)t->h;
    uint64_t first = from + (uint64_t)y - s->image->row0 % PITCH * high;
    uint32_t *row = row_at(t, y);
    for (int x = 0; x < t->w; x++)
        row[x] = (first + (uint64_t)x) % PITCH < THICK ? s->line : s->nothing;
}

/* Cells of one to four pixels; begin: the first pixel of each, and the end. Four pixels are
 * written at once; the next cell overwrites the excess. */
static void spread(const ss_rgb *cell, const int *begin, int cells, uint32_t *row)
{
    int i = 0;
    for (; i < cells - 4; i++) {
        uint32_t four[4] = {cell[i], cell[i], cell[i], cell[i]};
        memcpy(row + begin[i], four, sizeof four);
    }
    for (; i < cells; i++)
        for (int x = begin[i]; x < begin[i + 1]; x++)
            row[x] = cell[i];
}

/* Each cell in its full size; a row equal to the one above is copied. */
static void nearest(const shader *s, ss_shades *room, const sheet *t)
{
    const ss_image *im = s->image;
    int *column = room->column;
    bool wide = im->w <= t->w && t->w <= 4 * im->w;
    for (int x = 0; x < t->w && !wide; x++)
        column[x] = (int)((int64_t)x * im->w / t->w);
    for (int i = 0; i <= im->w && wide; i++)
        column[i] = (int)(((int64_t)i * t->w + im->w - 1) / im->w);
    for (int y = t->from, last = -1; y < t->to; y++) {
        int from = (int)((int64_t)y * im->h / t->h);
        uint32_t *row = row_at(t, y);
        if (is_unseen(im, from)) {
            hatch(s, t, y);
            last = -1;
            continue;
        }
        if (from == last) {
            memcpy(row, row_at(t, y - 1), (size_t)t->w * sizeof *row);
            continue;
        }
        last = from;
        color_row(s, from, room->line);
        if (wide)
            spread(room->line, column, im->w, row);
        for (int x = 0; x < t->w && !wide; x++)
            row[x] = room->line[column[x]];
    }
}

/* Interpolates between two positions; -1, undefined, is no neighbour. */
static float between(float a, float b, float weight)
{
    float v = a + weight * (b - a);
    return ((a < 0) | (b < 0)) ? a : v;
}

static bool smooth_room(ss_shades *s, const ss_image *im, int w)
{
    size_t n = (size_t)im->w + 3 * (size_t)w;
    if (n <= s->positions)
        return true;
    float *more = realloc(s->position, n * sizeof *more);
    if (!more)
        return false;
    s->position = more, s->positions = n;
    return true;
}

/* A row of cells stretched to its width in pixels; weight: of the right one of the two cells of
 * a pixel. */
static void widen(const shader *s, const ss_shades *room, const float *weight, int y, float *out,
                  int w)
{
    const ss_image *im = s->image;
    float *cell = room->position;
    int right = im->w > 1;
    for (int x = 0; x < im->w; x++)
        cell[x] = (float)level_of(s, im->cell[(size_t)y * (size_t)im->w + (size_t)x]) - 1;
    for (int x = 0; x < w; x++)
        out[x] = between(cell[room->column[x]], cell[room->column[x] + right], weight[x]);
}

/* The upper of the two rows of cells around row y of pixels, and the distance below it:
 * bit-for-bit equal for rows of pixels that are a whole number of cells apart. */
static int upper_of(const sheet *t, int cells, int y, float *down)
{
    int64_t at = (2 * (int64_t)y + 1) * cells - t->h, whole = 2 * (int64_t)t->h;
    at = at > 0 ? at : 0;
    *down = (float)((double)(at % whole) / (double)whole);
    return (int)(at / whole);
}

/* Rows of cells are stretched one after the other; rows of pixels interpolate between two of
 * them. Bilinear, on the map. */
static bool smooth(const shader *s, ss_shades *room, const sheet *t)
{
    const ss_image *im = s->image;
    int w = t->w;
    if (!smooth_room(room, im, w))
        return false;
    float *weight = room->position + im->w, *upper = weight + w, *lower = upper + w;
    for (int x = 0; x < w; x++) {
        double fx = fmax((x + 0.5) * im->w / w - 0.5, 0);
        room->column[x] = (int)fx < im->w - 2 ? (int)fx : im->w > 1 ? im->w - 2 : 0;
        weight[x] = (float)fmin(fx - room->column[x], 1);
    }
    for (int y = t->from, have = -1; y < t->to; y++) {
        float down;
        int y0 = upper_of(t, im->h, y, &down), y1 = y0 + 1 < im->h ? y0 + 1 : y0;
        uint32_t *px = row_at(t, y);
        if (y0 != have) {
            float *spare = upper;
            upper = lower, lower = spare;
            if (have < 0 || y0 != have + 1)
                widen(s, room, weight, y0, upper, w);
            widen(s, room, weight, y1, lower, w);
            have = y0;
        }
        int own = (int)((int64_t)y * im->h / t->h);
        if (is_unseen(im, own)) {
            hatch(s, t, y);
            continue;
        }
        if (is_unseen(im, y0) || is_unseen(im, y1)) /* no neighbour there */
            down = own == y0 ? 0 : 1;
        for (int x = 0; x < w; x++)
            px[x] = (uint32_t)(int)(between(upper[x], lower[x], down) + 1.5F);
        for (int x = 0; x < w; x++)
            px[x] = s->at[px[x]];
    }
    return true;
}

/* False: out of memory. */
static bool shade_rows(const ss_pen *p, const ss_image *im, const sheet *t)
{
    ss_shades *room = p->d->shades;
    shader s;
    if (!make_room(room, t->w, im->w))
        return false;
    shader_make(&s, p, im);
    bool between = im->smooth && !im->owner && (im->w < t->w || im->h < t->h);
    if (!between || !smooth(&s, room, t))
        nearest(&s, room, t);
    return true;
}

/* --- rows that move --------------------------------------------------------------------------- */

/* Nothing is drawn over its cells. */
static bool is_bare(const ss_image *im)
{
    return !im->ngrid_x && !im->ngrid_y && !im->npatch_x && !im->npatch_y && !im->blocks &&
           !im->has_block && !im->has_probe && !im->has_wipe;
}

/* Marks the image as drawn, or not. */
static void remember(ss_shades *s, const ss_image *im, ss_px r, bool drawn)
{
    standing *at = &s->standing;
    *at = (standing){.rect = r, .look = ss_draw_hash_look(im), .w = im->w};
    if (!drawn || !im->serial || im->h > SERIALS || im->owner || im->palette || !is_bare(im))
        return;
    at->h = im->h;
    memcpy(at->serial, im->serial, (size_t)im->h * sizeof *im->serial);
}

/* The number of rows that have come in at the top, -1: the pictures are unrelated. */
static int rows_moved(const standing *at, const ss_image *im, ss_px r)
{
    int moved = 0;
    if (!im->serial || !is_bare(im) || !at->h || at->h != im->h || at->w != im->w || r.h % im->h ||
        memcmp(&at->rect, &r, sizeof r) != 0 || at->look != ss_draw_hash_look(im))
        return -1;
    while (moved < im->h && im->serial[moved] != at->serial[0])
        moved++;
    for (int y = moved; y < im->h; y++)
        if (!im->serial[y] || im->serial[y] != at->serial[y - moved])
            return -1;
    return moved;
}

bool ss_shade(const ss_pen *p, const ss_image *im, ss_px r, unsigned char *to, int stride)
{
    sheet t = {to, stride, r.w, r.h, 0, r.h};
    bool drawn = shade_rows(p, im, &t);
    remember(p->d->shades, im, r, drawn);
    return drawn;
}

bool ss_shade_moved(const ss_pen *p, const ss_image *im, ss_px r, unsigned char *to, int stride)
{
    sheet t = {to, stride, r.w, r.h, 0, r.h};
    int moved = rows_moved(&p->d->shades->standing, im, r), cell = r.h / (im->h > 0 ? im->h : 1);
    int down = moved * cell;
    if (moved < 0 || down + 2 * cell > r.h)
        return false;
    for (int y = r.h - 1; y >= down && down > 0; y--)
        memcpy(row_at(&t, y), row_at(&t, y - down), (size_t)r.w * sizeof(uint32_t));
    t.to = down + cell; /* the former edge has a neighbour now */
    bool drawn = shade_rows(p, im, &t);
    t.from = r.h - cell, t.to = r.h;
    drawn = drawn && shade_rows(p, im, &t);
    remember(p->d->shades, im, r, drawn);
    return drawn;
}
