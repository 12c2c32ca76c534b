/* The pen that writes bytes, and what all pens share: texts that are too wide. See pen.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/pen/pen.h"
#include "ui/pen/advances.h"
#include "ui/pen/ops.h"

/* --- texts that are too wide ------------------------------------------------------------------ */

static bool is_inside_character(char c)
{
    return (c & 0xc0) == 0x80;
}

const char *ss_pen_cut(ss_pen *pen, const ss_font *font, double room, const char *text,
                       char buf[SS_PEN_TEXT])
{
    size_t n = strlen(text);
    for (n = n < SS_PEN_TEXT - 4 ? n : SS_PEN_TEXT - 4; n > 0; n--) {
        if (is_inside_character(text[n]))
            continue;
        snprintf(buf, SS_PEN_TEXT, "%.*s\xe2\x80\xa6", (int)n, text);
        if (ss_pen_text_width(pen, font, buf) <= room + 0.5)
            return buf;
    }
    return "";
}

struct ss_bytes_pen {
    ss_pen pen; /* is cast to this struct */
    double x, y;
    uint8_t *data;
    size_t used, room;
    bool failed;      /* out of memory */
    bool known;       /* the colour below is the player's, too */
    uint8_t color[4]; /* and alpha */
    uint32_t palette[SS_TOP_LEVEL + 1];
    bool has_palette; /* the player has it */
    size_t points;    /* where the number of points of a curve is; 0: no curve is open */
    int npoint;
    ss_xy last;      /* point of the curve */
    uint16_t *level; /* of a row of cells */
    int levels;
    size_t cells; /* where the levels of the part's last image begin */
    int cols, rows;
};

static ss_bytes_pen *of(ss_pen *pen)
{
    return (ss_bytes_pen *)(void *)pen;
}

ss_bytes_pen *ss_bytes_pen_new(ss_err *err)
{
    ss_bytes_pen *b = calloc(1, sizeof *b);
    if (!b)
        ss_fail_outside(err, "out of memory: a stream of drawing operations");
    return b;
}

void ss_bytes_pen_free(ss_bytes_pen *b)
{
    if (!b)
        return;
    free(b->data);
    free(b->level);
    free(b);
}

const uint8_t *ss_bytes_pen_data(const ss_bytes_pen *b, size_t *n)
{
    *n = b->failed ? 0 : b->used;
    return b->failed ? NULL : b->data;
}

/* --- bytes ------------------------------------------------------------------------------------ */

/* Room for n more bytes; NULL: out of memory. */
static uint8_t *more(ss_bytes_pen *b, size_t n)
{
    if (!b->data || b->used + n > b->room) {
        size_t room = 2 * (b->used + n) + 4096;
        uint8_t *data = realloc(b->data, room);
        b->failed = b->failed || !data;
        if (!data)
            return NULL;
        b->data = data, b->room = room;
    }
    b->used += n;
    return b->data + b->used - n;
}

static void put_byte(ss_bytes_pen *b, int v)
{
    uint8_t *to = more(b, 1);
    if (to)
        *to = (uint8_t)v;
}

static void put_number(ss_bytes_pen *b, int v)
{
    uint16_t two = (uint16_t)v;
    put_byte(b, two & 255);
    put_byte(b, two >> 8);
}

static void put_color(ss_bytes_pen *b, uint32_t rgb)
{
    put_byte(b, (int)(rgb >> 16 & 255));
    put_byte(b, (int)(rgb >> 8 & 255));
    put_byte(b, (int)(rgb & 255));
}

/* In 1/8 pixel; what is too far away, or nowhere, is put at an edge. */
static int units(double pixels)
{
    double v = pixels > -SS_FAR ? pixels : -SS_FAR;
    return (int)lround((v < SS_FAR ? v : SS_FAR) * SS_UNIT);
}

static void put_point(ss_bytes_pen *b, double x, double y)
{
    put_number(b, units(x + b->x));
    put_number(b, units(y + b->y));
}

static void put_length(ss_bytes_pen *b, double pixels)
{
    put_number(b, units(pixels > 0 ? pixels : 0));
}

static void put_between(ss_bytes_pen *b, double from, double to)
{
    int v = units(to) - units(from);
    put_number(b, v > INT16_MIN ? v < INT16_MAX ? v : INT16_MAX : INT16_MIN);
}

/* Its four edges are rounded. */
static void put_area(ss_bytes_pen *b, double x, double y, double w, double h)
{
    put_point(b, x, y);
    put_between(b, x + b->x, x + b->x + w);
    put_between(b, y + b->y, y + b->y + h);
}

/* --- how to draw ------------------------------------------------------------------------------ */

static void set_color(ss_pen *pen, uint32_t rgb, double alpha)
{
    ss_bytes_pen *b = of(pen);
    const uint8_t color[4] = {(uint8_t)(rgb >> 16), (uint8_t)(rgb >> 8), (uint8_t)rgb,
                              (uint8_t)lround(255 * alpha)};
    if (b->known && memcmp(color, b->color, sizeof color) == 0)
        return;
    put_byte(b, SS_OP_COLOR);
    put_color(b, rgb);
    put_byte(b, color[3]);
    memcpy(b->color, color, sizeof color);
    b->known = true;
}

static void set_ramp(ss_pen *pen, ss_xy from, ss_xy to, const uint32_t *rgb, int n)
{
    ss_bytes_pen *b = of(pen);
    put_byte(b, SS_OP_RAMP);
    put_point(b, from.x, from.y);
    put_point(b, to.x, to.y);
    put_byte(b, n);
    for (int i = 0; i < n; i++)
        put_color(b, rgb[i]);
    b->known = false;
}

static void set_width(ss_pen *pen, double pixels)
{
    put_byte(of(pen), SS_OP_WIDTH);
    put_length(of(pen), pixels);
}

static void set_dash(ss_pen *pen, const double *length, int n)
{
    put_byte(of(pen), SS_OP_DASH);
    put_byte(of(pen), n);
    for (int i = 0; i < n; i++)
        put_length(of(pen), length[i]);
}

static void set_join(ss_pen *pen, ss_join join)
{
    put_byte(of(pen), SS_OP_JOIN);
    put_byte(of(pen), (int)join);
}

static void save(ss_pen *pen)
{
    put_byte(of(pen), SS_OP_SAVE);
}

static void restore(ss_pen *pen)
{
    put_byte(of(pen), SS_OP_RESTORE);
    of(pen)->known = false;
}

/* --- the path --------------------------------------------------------------------------------- */

static void add_move(ss_pen *pen, double x, double y)
{
    put_byte(of(pen), SS_OP_MOVE);
    put_point(of(pen), x, y);
}

static void add_line(ss_pen *pen, double x, double y)
{
    put_byte(of(pen), SS_OP_LINE);
    put_point(of(pen), x, y);
}

static void add_rect(ss_pen *pen, double x, double y, double w, double h)
{
    put_byte(of(pen), SS_OP_RECT);
    put_area(of(pen), x, y, w, h);
}

/* From the right on, in parts of a turn; at most three turns. */
static int turn_of(double radians)
{
    static const double turn = 6.283185307179586;
    double parts = radians / turn * SS_TURN;
    while (parts < 0)
        parts += SS_TURN;
    return (int)lround(parts < 3 * SS_TURN ? parts : 3 * SS_TURN);
}

static void add_arc(ss_pen *pen, double x, double y, double radius, double from, double to)
{
    ss_bytes_pen *b = of(pen);
    int first = turn_of(from), last = first + turn_of(to - from);
    put_byte(b, SS_OP_ARC);
    put_point(b, x, y);
    put_length(b, radius);
    put_byte(b, first);
    put_byte(b, last < 256 ? last : 255);
}

static void add_ellipse(ss_pen *pen, double x, double y, double rx, double ry)
{
    put_byte(of(pen), SS_OP_ELLIPSE);
    put_point(of(pen), x, y);
    put_length(of(pen), fmax(rx, 1 / SS_UNIT));
    put_length(of(pen), fmax(ry, 1 / SS_UNIT));
}

static void close_path(ss_pen *pen)
{
    put_byte(of(pen), SS_OP_CLOSE);
}

static void fill(ss_pen *pen, bool keep)
{
    put_byte(of(pen), keep ? SS_OP_FILL_KEEP : SS_OP_FILL);
}

static void stroke(ss_pen *pen)
{
    put_byte(of(pen), SS_OP_STROKE);
}

static void clip(ss_pen *pen)
{
    put_byte(of(pen), SS_OP_CLIP);
}

/* --- curves ----------------------------------------------------------------------------------- */

/* The part [t[0], t[1]] of a segment where lo <= a + t d <= hi. */
static void cut_between(double a, double d, double lo, double hi, double t[2])
{
    double enter = (d > 0 ? lo - a : hi - a) / d, leave = (d > 0 ? hi - a : lo - a) / d;
    bool inside = a >= lo && a <= hi;
    if (!(fabs(d) > 0))
        enter = inside ? 0 : 1, leave = inside ? 1 : 0;
    t[0] = fmax(t[0], enter), t[1] = fmin(t[1], leave);
}

/* Cuts a segment to the coordinates that can be written: a line keeps its slope. False: nothing is
 * left. */
static bool cut_segment(const ss_bytes_pen *b, ss_xy *p, ss_xy *q)
{
    ss_xy a = *p, d = {q->x - p->x, q->y - p->y};
    double t[2] = {0, 1};
    cut_between(a.x, d.x, -SS_FAR - b->x, SS_FAR - b->x, t);
    cut_between(a.y, d.y, -SS_FAR - b->y, SS_FAR - b->y, t);
    if (t[1] < 1)
        *q = (ss_xy){a.x + t[1] * d.x, a.y + t[1] * d.y};
    if (t[0] > 0)
        *p = (ss_xy){a.x + t[0] * d.x, a.y + t[0] * d.y};
    return t[0] <= t[1];
}

static bool same_place(ss_xy a, ss_xy b)
{
    return units(a.x) == units(b.x) && units(a.y) == units(b.y);
}

/* Writes the number of points where it was left out. */
static void end_curve(ss_bytes_pen *b)
{
    if (b->points && !b->failed) {
        b->data[b->points] = (uint8_t)(b->npoint & 255);
        b->data[b->points + 1] = (uint8_t)(b->npoint >> 8);
    }
    b->points = 0;
}

static void begin_curve(ss_bytes_pen *b, const ss_pen_box *within, ss_xy at)
{
    end_curve(b);
    put_byte(b, SS_OP_CURVE);
    put_area(b, within->x, within->y, within->w, within->h);
    b->points = b->used;
    put_number(b, 0);
    put_point(b, at.x, at.y);
    b->npoint = 1, b->last = at;
}

static void add_point(ss_bytes_pen *b, ss_xy at)
{
    if (b->npoint > 1 && same_place(b->last, at))
        return;
    put_point(b, at.x, at.y);
    b->npoint++, b->last = at;
}

static void add_curve(ss_pen *pen, const ss_pen_box *within, const ss_xy *at, int n)
{
    ss_bytes_pen *b = of(pen);
    for (int i = 0; i + 1 < n; i++) {
        ss_xy p = at[i], q = at[i + 1];
        if (!cut_segment(b, &p, &q))
            continue;
        bool goes_on = b->points && b->npoint < UINT16_MAX && same_place(b->last, p);
        if (!goes_on)
            begin_curve(b, within, p);
        add_point(b, q);
    }
    end_curve(b);
}

/* --- texts ------------------------------------------------------------------------------------ */

enum { NADVANCE = sizeof advances / sizeof *advances, ASCII = 95 };

static const struct advance *advance_of(uint32_t code)
{
    int lo = 0, hi = NADVANCE - 1;
    if (code >= ' ' && code < ' ' + ASCII)
        return &advances[code - ' '];
    while (lo <= hi) {
        int mid = (lo + hi) / 2;
        if (advances[mid].code == code)
            return &advances[mid];
        if (advances[mid].code < code)
            lo = mid + 1;
        else
            hi = mid - 1;
    }
    return NULL;
}

/* A character of valid UTF-8, and its bytes. */
static uint32_t character(const char *text, int *bytes)
{
    const unsigned char *t = (const unsigned char *)text;
    *bytes = ss_utf8_length(text, strlen(text));
    uint32_t code = *bytes == 1 ? t[0] : *bytes > 1 ? t[0] & (0x7fU >> *bytes) : '?';
    for (int i = 1; i < *bytes; i++)
        code = code << 6 | (t[i] & 0x3fU);
    *bytes = *bytes > 0 ? *bytes : 1;
    return code;
}

/* Each advance is whole pixels, as in a window (ui/canvas/text.c), so that both have one layout. A
 * half is rounded up: the table's last digit must not decide. */
static double text_width(ss_pen *pen, const ss_font *font, const char *text)
{
    enum { OTHER = 6200 }; /* about the widest of the fonts that a browser falls back to */
    int face = font->bold + 2 * font->mono, bytes;
    double sum = 0;
    (void)pen;
    for (; *text; text += bytes) {
        const struct advance *a = advance_of(character(text, &bytes));
        double em = a && a->em[face] ? a->em[face] : OTHER;
        sum += floor((em + 0.5) * font->size / 10000 + 0.5);
    }
    return sum;
}

static double add_text(ss_pen *pen, const ss_pen_text *t)
{
    ss_bytes_pen *b = of(pen);
    char text[SS_PEN_TEXT], shorter[SS_PEN_TEXT];
    const char *shown =
        ss_text_safe(ss_utf8_trim((snprintf(text, sizeof text, "%s", t->text), text)));
    double width = ss_pen_text_width(pen, &t->font, shown);
    if (width > t->room + 0.5) {
        shown = ss_pen_cut(pen, &t->font, t->room, shown, shorter);
        width = ss_pen_text_width(pen, &t->font, shown);
    }
    size_t n = strlen(shown);
    if (n == 0)
        return 0;
    put_byte(b, SS_OP_TEXT);
    put_point(b, floor(t->x - t->align * width + 0.5), t->y);
    put_length(b, fmax(t->font.size, 1 / SS_UNIT));
    put_length(b, width);
    put_byte(b, (t->font.mono ? SS_TEXT_MONO : 0) | (t->font.bold ? SS_TEXT_BOLD : 0));
    put_byte(b, (int)n);
    for (size_t i = 0; i < n; i++)
        put_byte(b, (unsigned char)shown[i]);
    return width;
}

/* --- images ----------------------------------------------------------------------------------- */

/* The two highest levels are one byte, with the colour of the highest: values beyond the range have
 * it. */
static void put_palette(ss_bytes_pen *b, const ss_pen_image *im)
{
    uint32_t palette[SS_TOP_LEVEL + 1];
    memcpy(palette, im->palette, sizeof palette);
    palette[SS_TOP_LEVEL] = im->palette[SS_TOP_LEVEL + 1];
    if (b->has_palette && memcmp(palette, b->palette, sizeof palette) == 0)
        return;
    put_byte(b, SS_OP_PALETTE);
    put_byte(b, SS_TOP_LEVEL);
    for (int i = 0; i <= SS_TOP_LEVEL; i++)
        put_color(b, palette[i]);
    memcpy(b->palette, palette, sizeof palette);
    b->has_palette = true;
}

static void put_hatch(ss_bytes_pen *b, const ss_pen_image *im)
{
    put_color(b, im->hatch);
    put_byte(b, im->hatch_row);
    for (int y = 0; y < im->rows; y++)
        put_byte(b, im->unseen[y] != 0);
}

static void narrow(const uint16_t *restrict level, int n, uint8_t *restrict to)
{
    for (int i = 0; i < n; i++)
        to[i] = (uint8_t)(level[i] < SS_TOP_LEVEL ? level[i] : SS_TOP_LEVEL);
}

static void put_cells(ss_bytes_pen *b, const ss_pen_image *im)
{
    for (int y = 0; y < im->rows; y++) {
        uint8_t *to = more(b, (size_t)im->cols);
        if (!to)
            return;
        im->levels(im->cells, y, b->level);
        narrow(b->level, im->cols, to);
    }
}

static bool has_row(ss_bytes_pen *b, int cells)
{
    if (b->levels >= cells)
        return true;
    uint16_t *level = realloc(b->level, (size_t)cells * sizeof *level);
    b->failed = b->failed || !level;
    if (level)
        b->level = level, b->levels = cells;
    return level != NULL;
}

static void add_image(ss_pen *pen, const ss_pen_image *im)
{
    ss_bytes_pen *b = of(pen);
    if (im->cols > UINT16_MAX || im->rows > UINT16_MAX || !has_row(b, im->cols))
        return;
    put_palette(b, im);
    put_byte(b, SS_OP_IMAGE);
    put_area(b, im->x, im->y, im->w, im->h);
    put_number(b, im->cols);
    put_number(b, im->rows);
    put_byte(b, (im->smooth ? SS_IMAGE_SMOOTH : 0) | (im->unseen ? SS_IMAGE_HATCH : 0));
    if (im->unseen)
        put_hatch(b, im);
    b->cells = b->used, b->cols = im->cols, b->rows = im->rows;
    put_cells(b, im);
}

static const ss_pen_ops ops = {
    .color = set_color,
    .ramp = set_ramp,
    .width = set_width,
    .dash = set_dash,
    .join = set_join,
    .move = add_move,
    .line = add_line,
    .rect = add_rect,
    .arc = add_arc,
    .ellipse = add_ellipse,
    .close = close_path,
    .fill = fill,
    .stroke = stroke,
    .clip = clip,
    .save = save,
    .restore = restore,
    .curve = add_curve,
    .text_width = text_width,
    .text = add_text,
    .image = add_image,
};

ss_pen *ss_bytes_pen_begin(ss_bytes_pen *b, double x, double y)
{
    b->pen.ops = &ops;
    b->x = x, b->y = y;
    b->used = b->points = 0;
    b->failed = b->known = b->has_palette = false;
    b->cols = b->rows = 0;
    more(b, 0);
    return &b->pen;
}

/* The player may not have the colour and the palette that were written last. */
size_t ss_bytes_pen_part(ss_bytes_pen *b)
{
    b->known = b->has_palette = false;
    b->cols = b->rows = 0;
    return b->used;
}

bool ss_bytes_pen_levels(const ss_bytes_pen *b, size_t *at, int *cols, int *rows)
{
    *at = b->cells, *cols = b->cols, *rows = b->rows;
    return b->cols > 0 && b->rows > 0;
}
