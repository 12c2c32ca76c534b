/* A scene written as bytes and played to the pen of cairo is the scene that cairo draws directly:
 * coordinates differ by a sixteenth of a pixel at most, so that the colours at edges differ a
 * little. The widths of texts are cairo's here; the table of ui/pen is compared with them apart. */
#include "tests/check.h"

#ifdef SS_WITH_CAIRO

#include <cairo.h>

#include "tests/ui/canvas/sheet.h"
#include "tests/ui/items.h"
#include "tests/ui/pen/streams.h"
#include "ui/canvas/parts.h"

enum { W = 1280, H = 800, SLIGHT = 40 }; /* of 255, a channel of a pixel */

typedef struct board {
    cairo_surface_t *surface;
    cairo_t *cr;
    ss_cairo_pen pen;
} board;

static board new_board(ss_drawing *d)
{
    board b = {.surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, W, H)};
    b.cr = cairo_create(b.surface);
    b.pen = ss_cairo_pen_on(b.cr, d);
    return b;
}

static void free_board(board *b)
{
    CHECK_INT(cairo_status(b->cr), CAIRO_STATUS_SUCCESS);
    cairo_destroy(b->cr);
    cairo_surface_destroy(b->surface);
}

static void draw_directly(board *b, ss_drawing *d, const ss_scene *scene)
{
    ss_painter p = ss_cairo_painter(&b->pen, scene);
    ss_places_centre(&d->places, scene, W, H);
    ss_draw_role(&p, SS_C_GROUND, 1);
    cairo_paint(b->cr);
    cairo_translate(b->cr, d->places.ox, d->places.oy);
    ss_draw_scene(&p);
}

static int difference(uint32_t a, uint32_t b)
{
    int most = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        int d = abs((int)(a >> shift & 255) - (int)(b >> shift & 255));
        most = d > most ? d : most;
    }
    return most;
}

/* Pixels that differ by more than SLIGHT; how many differ at all. */
static int count_differences(const board *a, const board *b, int *any)
{
    int n = 0;
    cairo_surface_flush(a->surface), cairo_surface_flush(b->surface);
    const uint32_t *pa = (const void *)cairo_image_surface_get_data(a->surface);
    const uint32_t *pb = (const void *)cairo_image_surface_get_data(b->surface);
    *any = 0;
    for (int i = 0; i < W * H; i++) {
        int d = difference(pa[i], pb[i]);
        *any += d > 0;
        n += d > SLIGHT;
    }
    return n;
}

/* Pixels that differ by more than SLIGHT between the scene and its stream. */
static int differences(const ss_scene *scene, double scale, int *any)
{
    ss_drawing *d = new_drawing(scale);
    board direct = new_board(d), played = new_board(d);
    ss_err err = {0};
    size_t n;
    draw_directly(&direct, d, scene);
    const uint8_t *data = stream_of(scene, scale, W, H, &direct.pen.pen, &n);
    CHECK_MSG(ss_bytes_play(data, n, &played.pen.pen, &err) == SS_OK, "%s", err.text);
    int many = count_differences(&direct, &played, any);
    free_board(&direct), free_board(&played);
    ss_drawing_free(d);
    return many;
}

/* Scales at which the sizes of fonts are multiples of 1/8 pixel, but for the names of films. */
static const double scales[] = {1, 1.5, 2};

TEST(canvas, every_item_played_from_bytes_is_the_item_drawn)
{
    static ss_scene scene;
    for (int kind = 0; kind < SS_NITEM; kind++)
        for (int i = 0; i < 6; i++) {
            int any;
            ss_scene_clear(&scene, 40, 18, &ss_themes[i % 2]);
            fill_item(ss_scene_add(&scene, (ss_item_kind)kind, (ss_rect){3, 2, 33, 14}, SS_C_TEXT));
            item_image.smooth = i % 2;
            int many = differences(&scene, scales[i / 2], &any);
            CHECK_MSG(many == 0, "kind %d, scale %g: %d pixels of %d", kind, scales[i / 2], many,
                      any);
        }
}

TEST(canvas, a_screen_played_from_bytes_is_the_screen_drawn)
{
    for (int which = 0; which < 4; which++)
        for (int i = 0; i < 6; i++) {
            sample_log log = {.ticket = 0};
            ss_ui *ui = ss_ui_new(sample_emit, &log, NULL);
            ss_snapshot *snap = sample(which);
            ss_extent e;
            int any;
            ss_places_extent(scales[i / 2], W, H, &e);
            sample_command(ui, i % 2 ? "theme light" : "theme dark", snap);
            int many = differences(ss_ui_scene(ui, snap, &e, 60), scales[i / 2], &any);
            CHECK_MSG(many == 0, "screen %d, scale %g: %d pixels of %d", which, scales[i / 2], many,
                      any);
            sample_free(snap);
            ss_ui_free(ui);
        }
}

/* Bytes that were changed on their way: cairo, which stops drawing after its first error, has none.
 */
TEST(canvas, a_changed_stream_leaves_cairo_without_errors)
{
    static ss_scene scene;
    uint64_t rounds = CHECK_SANITIZED ? 20 : 200, drawn = 0;
    ss_drawing *d = new_drawing(1);
    for (int kind = 0; kind < SS_NITEM; kind++) {
        size_t n;
        ss_err err;
        ss_scene_clear(&scene, 40, 18, &ss_themes[0]);
        fill_item(ss_scene_add(&scene, (ss_item_kind)kind, (ss_rect){3, 2, 33, 14}, SS_C_TEXT));
        const uint8_t *data = stream_of(&scene, 1, W, H, NULL, &n);
        uint8_t *other = malloc(n);
        board b = new_board(d);
        for (uint64_t i = 0; i < rounds; i++) {
            memcpy(other, data, n);
            other[ss_random_below(i, 0, (uint32_t)n)] = (uint8_t)ss_random_below(i, 1, 256);
            drawn += ss_bytes_play(other, n, &b.pen.pen, &err) == SS_OK;
            CHECK_MSG(cairo_status(b.cr) == CAIRO_STATUS_SUCCESS, "kind %d, change %d: %s", kind,
                      (int)i, cairo_status_to_string(cairo_status(b.cr)));
        }
        free_board(&b);
        free(other);
    }
    CHECK(drawn > rounds);
    ss_drawing_free(d);
}

/* Are the fonts here those of the table? Their versions differ. */
static bool has_same_letters(ss_pen *fonts, ss_pen *table)
{
    for (int i = 0; i < 4 * 26; i++) {
        const ss_font font = {200, i & 1, i & 2};
        const char letter[] = {(char)('a' + i / 4), '\0'};
        if (fabs(ss_pen_text_width(fonts, &font, letter) -
                 ss_pen_text_width(table, &font, letter)) > 0)
            return false;
    }
    return true;
}

/* The layout of a page is made with the table, that of a window with the fonts. */
TEST(canvas, the_table_of_widths_is_that_of_the_fonts)
{
    static const char *const texts[] = {
        "residual",
        "cycle 412",
        "1e-4",
        "µs → × ± ·",
        "To AV Wave fi 11",
        "k: subiterations between two exchanges of the halos · 1 to 32 subiterations"};
    static const double sizes[] = {11, 12.5, 13, 16.25, 26};
    ss_err err;
    ss_drawing *d = new_drawing(1);
    ss_cairo_pen cairo = ss_cairo_pen_on(NULL, d);
    ss_bytes_pen *b = ss_bytes_pen_new(&err);
    ss_pen *bytes = ss_bytes_pen_begin(b, 0, 0);
    if (!has_same_letters(&cairo.pen, bytes))
        SKIP("Inter and JetBrains Mono are not installed, or are of another version");
    for (size_t i = 0; i < 4 * sizeof sizes / sizeof *sizes; i++)
        for (size_t j = 0; j < sizeof texts / sizeof *texts; j++) {
            const ss_font font = {sizes[i / 4], i & 1, i & 2};
            CHECK_NEAR(ss_pen_text_width(bytes, &font, texts[j]),
                       ss_pen_text_width(&cairo.pen, &font, texts[j]), 0);
        }
    ss_bytes_pen_free(b);
    ss_drawing_free(d);
}

#endif
