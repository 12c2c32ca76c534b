/* Streams of operations for tests: see streams.h. */
#include "tests/ui/pen/streams.h"

#include <stdio.h>

/* --- scenes as bytes -------------------------------------------------------------------------- */

static ss_pen *measuring;

static double other_width(ss_pen *pen, const ss_font *font, const char *text)
{
    (void)pen;
    return ss_pen_text_width(measuring, font, text);
}

const uint8_t *stream_of(const ss_scene *scene, double scale, int w, int h, ss_pen *measure,
                         size_t *n)
{
    static ss_bytes_pen *bytes;
    static ss_log_tables *logs;
    static ss_places places;
    static ss_pen_ops with_measure;
    ss_err err;
    if (!bytes)
        bytes = ss_bytes_pen_new(&err), logs = ss_log_tables_new();
    CHECK(bytes && logs);
    ss_places_make(&places, scale);
    ss_places_centre(&places, scene, w, h);
    ss_pen *pen = ss_bytes_pen_begin(bytes, places.ox, places.oy);
    if (measure) {
        with_measure = *pen->ops;
        with_measure.text_width = other_width;
        pen->ops = &with_measure;
        measuring = measure;
    }
    const ss_painter p = {pen, &places, logs, scene};
    ss_draw_role(&p, SS_C_GROUND, 1);
    ss_draw_box(&p, -places.ox, -places.oy, w, h);
    ss_draw_scene(&p);
    const uint8_t *data = ss_bytes_pen_data(bytes, n);
    CHECK(data && *n > 0);
    return data;
}

/* --- bytes as text ---------------------------------------------------------------------------- */

static struct listing {
    ss_pen pen;
    char *text;
    size_t used, room;
    int depth;
} listing;

/* n: what snprintf wanted to write. */
static void keep_text(int n)
{
    size_t left = listing.room - listing.used;
    listing.used += n > 0 && (size_t)n < left ? (size_t)n : 0;
    listing.text[listing.used] = '\0';
}

#define say(...)                                                                                   \
    keep_text(snprintf(listing.text + listing.used, listing.room - listing.used, __VA_ARGS__))

static void color(ss_pen *pen, uint32_t rgb, double alpha)
{
    (void)pen;
    say("color %06x %.3g\n", rgb, alpha);
}

static void ramp(ss_pen *pen, ss_xy from, ss_xy to, const uint32_t *rgb, int n)
{
    (void)pen;
    say("ramp %g %g to %g %g, %d from %06x to %06x\n", from.x, from.y, to.x, to.y, n, rgb[0],
        rgb[n - 1]);
}

static void width(ss_pen *pen, double pixels)
{
    (void)pen;
    say("width %g\n", pixels);
}

static void dash(ss_pen *pen, const double *length, int n)
{
    (void)pen;
    say("dash");
    for (int i = 0; i < n; i++)
        say(" %g", length[i]);
    say("\n");
}

static void join(ss_pen *pen, ss_join how)
{
    (void)pen;
    say("join %d\n", (int)how);
}

static void move(ss_pen *pen, double x, double y)
{
    (void)pen;
    say("move %g %g\n", x, y);
}

static void line(ss_pen *pen, double x, double y)
{
    (void)pen;
    say("line %g %g\n", x, y);
}

static void rect(ss_pen *pen, double x, double y, double w, double h)
{
    (void)pen;
    say("rect %g %g %g %g\n", x, y, w, h);
}

static void arc(ss_pen *pen, double x, double y, double radius, double from, double to)
{
    (void)pen;
    say("arc %g %g %g, %.4g to %.4g\n", x, y, radius, from, to);
}

static void ellipse(ss_pen *pen, double x, double y, double rx, double ry)
{
    (void)pen;
    say("ellipse %g %g %g %g\n", x, y, rx, ry);
}

static void close_path(ss_pen *pen)
{
    (void)pen;
    say("close\n");
}

static void fill(ss_pen *pen, bool keep)
{
    (void)pen;
    say(keep ? "fill, keep\n" : "fill\n");
}

static void stroke(ss_pen *pen)
{
    (void)pen;
    say("stroke\n");
}

static void clip(ss_pen *pen)
{
    (void)pen;
    say("clip\n");
}

static void save(ss_pen *pen)
{
    (void)pen;
    listing.depth++;
    say("save\n");
}

static void restore(ss_pen *pen)
{
    (void)pen;
    listing.depth--;
    say("restore\n");
}

static void curve(ss_pen *pen, const ss_pen_box *within, const ss_xy *at, int n)
{
    (void)pen;
    say("curve in %g %g %g %g:", within->x, within->y, within->w, within->h);
    for (int i = 0; i < n; i++)
        say(" (%g, %g)", at[i].x, at[i].y);
    say("\n");
}

static double text_width(ss_pen *pen, const ss_font *font, const char *text)
{
    (void)pen;
    return 0.6 * font->size * (double)strlen(text);
}

static double text(ss_pen *pen, const ss_pen_text *t)
{
    say("text %g %g %g%s%s: %s\n", t->x, t->y, t->font.size, t->font.mono ? " mono" : "",
        t->font.bold ? " bold" : "", t->text);
    return text_width(pen, &t->font, t->text);
}

static void image(ss_pen *pen, const ss_pen_image *im)
{
    static uint16_t level[1 << 16];
    (void)pen;
    say("image %d %d %d %d%s, %d x %d cells:", im->x, im->y, im->w, im->h,
        im->smooth ? ", smooth" : "", im->cols, im->rows);
    for (int y = 0; y < im->rows; y++) {
        im->levels(im->cells, y, level);
        say(im->unseen && im->unseen[y] ? " hatched" : "");
        for (int x = 0; x < im->cols; x++)
            say(" %d", level[x]);
    }
    say("\n");
}

ss_pen *listing_begin(char *to, size_t room)
{
    static const ss_pen_ops ops = {
        .color = color,
        .ramp = ramp,
        .width = width,
        .dash = dash,
        .join = join,
        .move = move,
        .line = line,
        .rect = rect,
        .arc = arc,
        .ellipse = ellipse,
        .close = close_path,
        .fill = fill,
        .stroke = stroke,
        .clip = clip,
        .save = save,
        .restore = restore,
        .curve = curve,
        .text_width = text_width,
        .text = text,
        .image = image,
    };
    listing = (struct listing){.pen = {&ops}, .text = to, .room = room};
    *to = '\0';
    return &listing.pen;
}

int listing_depth(void)
{
    return listing.depth;
}
