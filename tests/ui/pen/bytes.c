/* The pen that writes bytes and the reader of its streams (ui/pen/pen.h): every kind of item, a
 * golden list of operations (tests/ui/golden/pen-scene.txt; SS_GOLDEN=write rewrites it), texts and
 * curves, and streams that are cut, changed or random. */
#include <stdio.h>
#include <stdlib.h>

#include "src/base/common.h"
#include "tests/ui/items.h"
#include "tests/ui/pen/streams.h"
#include "tests/ui/samples.h"
#include "ui/panels/screen.h"

enum { LIST = 1 << 20 };

static const ss_scene *scene_of_item(ss_item_kind kind, int theme)
{
    static ss_scene scene;
    ss_scene_clear(&scene, 30, 14, &ss_themes[theme]);
    fill_item(ss_scene_add(&scene, kind, (ss_rect){3, 2, 24, 10}, SS_C_TEXT));
    return &scene;
}

/* What a stream draws, as text; it is read from memory that ends with it. */
static int list_stream(const uint8_t *data, size_t n, char *text)
{
    ss_err err = {0};
    uint8_t *exact = malloc(n > 0 ? n : 1);
    memcpy(exact, data, n);
    int status = ss_bytes_play(exact, n, listing_begin(text, LIST), &err);
    CHECK_MSG(status == SS_OK || err.text[0], "refused without a reason");
    CHECK_INT(listing_depth(), 0);
    free(exact);
    return status;
}

/* --- what is written -------------------------------------------------------------------------- */

/* A stream that is played to a pen that writes bytes is written again. */
TEST(pen, a_stream_played_and_written_again_is_the_same)
{
    ss_err err;
    ss_bytes_pen *again = ss_bytes_pen_new(&err);
    for (int kind = 0; kind < SS_NITEM; kind++) {
        size_t n, m;
        const uint8_t *data = stream_of(scene_of_item(kind, 0), 1.3, 400, 380, NULL, &n);
        CHECK_INT(ss_bytes_play(data, n, ss_bytes_pen_begin(again, 0, 0), &err), SS_OK);
        const uint8_t *same = ss_bytes_pen_data(again, &m);
        CHECK_MSG(n == m && memcmp(data, same, n) == 0, "kind %d: %zu bytes, %zu", kind, n, m);
    }
    ss_bytes_pen_free(again);
}

static const ss_scene *small_scene(void)
{
    static const ss_item_kind kinds[] = {SS_I_FRAME, SS_I_CHART, SS_I_IMAGE, SS_I_SLIDER, SS_I_BAR};
    static ss_scene scene;
    ss_scene_clear(&scene, 62, 40, &ss_themes[0]);
    for (int i = 0; i < 5; i++)
        fill_item(ss_scene_add(&scene, kinds[i], (ss_rect){1 + i % 2 * 30, 1 + i / 2 * 13, 28, 11},
                               SS_C_ACCENT));
    return &scene;
}

TEST(pen, the_operations_of_a_small_scene_are_golden)
{
    static char got[LIST], want[LIST];
    size_t n, length = 0;
    const uint8_t *data = stream_of(small_scene(), 1, 640, 810, NULL, &n);
    CHECK_INT(list_stream(data, n, got), SS_OK);
    const char *asked = getenv("SS_GOLDEN"), *path = "tests/ui/golden/pen-scene.txt";
    bool write = asked && strcmp(asked, "write") == 0;
    FILE *f = fopen(path, write ? "w" : "r");
    CHECK_MSG(f, "%s cannot be opened (run the tests from the top folder)", path);
    if (write)
        fputs(got, f);
    else
        length = fread(want, 1, LIST - 1, f);
    fclose(f);
    want[length] = '\0';
    CHECK_MSG(write || strcmp(got, want) == 0, "%s differs; SS_GOLDEN=write makes it anew", path);
}

TEST(pen, coordinates_are_rounded_to_an_eighth)
{
    static char text[LIST];
    ss_err err;
    size_t n;
    ss_bytes_pen *b = ss_bytes_pen_new(&err);
    ss_pen *pen = ss_bytes_pen_begin(b, 10, 20);
    ss_pen_move(pen, 0.06, -0.07);
    ss_pen_rect(pen, 0.05, 0, 1.02, 1); /* both edges: 0.05 and 1.07 */
    ss_pen_line(pen, 1e9, (double)NAN);
    ss_pen_arc(pen, 0, 0, 2, -1.5707963267948966, 0);
    ss_pen_arc(pen, 0, 0, 2, 0, 7);
    const uint8_t *data = ss_bytes_pen_data(b, &n);
    CHECK_INT(list_stream(data, n, text), SS_OK);
    CHECK_STR(text, "move 10 19.875\n"
                    "rect 10 20 1.125 1\n"
                    "line 4095 -4095\n"
                    "arc 10 20 2, 4.712 to 6.283\n"
                    "arc 10 20 2, 0 to 6.97\n");
    ss_bytes_pen_free(b);
}

/* A curve that leaves the coordinates is cut: its lines keep their slopes. */
TEST(pen, a_curve_from_far_away_keeps_its_slope)
{
    static char text[LIST];
    static const ss_xy at[] = {{-9000, -4500}, {100, 50}, {100.01, 50.01}, {200, 50}, {0, 20050}};
    static const ss_pen_box within = {0, 0, 300, 100};
    ss_err err;
    size_t n;
    ss_bytes_pen *b = ss_bytes_pen_new(&err);
    ss_pen_curve(ss_bytes_pen_begin(b, 0, 0), &within, at, 5);
    const uint8_t *data = ss_bytes_pen_data(b, &n);
    CHECK_INT(list_stream(data, n, text), SS_OK);
    CHECK_STR(text, "curve in 0 0 300 100: (-4095, -2047.5) (100, 50) (200, 50) (159.5, 4095)\n");
    ss_pen_curve(ss_bytes_pen_begin(b, 0, 0), &within, (ss_xy[]){{-9000, 0}, {-5000, 9}}, 2);
    ss_bytes_pen_data(b, &n);
    CHECK_INT((int)n, 0);
    ss_bytes_pen_free(b);
}

/* The levels of the first row rise, those of the second fall. */
static void all_levels(const void *from, int row, uint16_t *level)
{
    (void)from;
    for (int x = 0; x < 257; x++)
        level[x] = (uint16_t)(row ? 256 - x : x);
}

/* A part sets its colour and its palette, even where the part before it has set the same. The
 * fourth drawing here is no part of its own: it leaves them out. */
TEST(pen, a_part_does_not_need_the_parts_before_it)
{
    static const ss_pen_image im = {1, 2, 30, 40, 257, 2, .levels = all_levels};
    ss_err err;
    size_t at[4], n;
    ss_bytes_pen *b = ss_bytes_pen_new(&err);
    ss_pen *pen = ss_bytes_pen_begin(b, 0, 0);
    for (int i = 0; i < 4; i++) {
        ss_bytes_pen_data(b, &at[i]);
        if (i < 3)
            CHECK_INT((int)ss_bytes_pen_part(b), (int)at[i]);
        ss_pen_color(pen, 0x123456, 1);
        ss_pen_color(pen, 0x123456, 1);
        ss_pen_rect(pen, 1, 2, 3, 4);
        ss_pen_fill(pen);
        ss_pen_image_draw(pen, &im);
    }
    const uint8_t *data = ss_bytes_pen_data(b, &n);
    CHECK(memcmp(data, data + at[1], at[1]) == 0);
    CHECK_INT((int)(at[2] - at[1]), (int)at[1]);
    CHECK_INT((int)(n - at[3]), (int)at[1] - 5 - 770);
    ss_bytes_pen_free(b);
}

/* The two highest levels are one. */
TEST(pen, cells_of_a_picture_arrive_with_their_levels)
{
    static char text[LIST], want[LIST];
    static const uint8_t unseen[2] = {0, 1};
    ss_pen_image im = {1, 2, 30, 40, 257, 2, .smooth = true, .levels = all_levels};
    ss_err err;
    size_t n, used;
    im.unseen = unseen, im.hatch = 0x112233, im.hatch_row = 5;
    ss_bytes_pen *b = ss_bytes_pen_new(&err);
    ss_pen_image_draw(ss_bytes_pen_begin(b, 0, 0), &im);
    const uint8_t *data = ss_bytes_pen_data(b, &n);
    CHECK_INT(list_stream(data, n, text), SS_OK);
    used = (size_t)snprintf(want, LIST, "image 1 2 30 40, smooth, 257 x 2 cells:");
    for (int x = 0; x < 2 * 257; x++) {
        int level = x < 257 ? x : 2 * 257 - 1 - x;
        used += (size_t)snprintf(want + used, LIST - used, "%s %d", x == 257 ? " hatched" : "",
                                 level < 255 ? level : 255);
    }
    snprintf(want + used, LIST - used, "\n");
    CHECK_STR(text, want);
    ss_bytes_pen_free(b);
}

/* --- texts ------------------------------------------------------------------------------------ */

TEST(pen, texts_are_aligned_and_cut_by_the_table)
{
    static char text[LIST];
    static const ss_font mono = {10, true, false}, bold = {20, false, true};
    ss_err err;
    size_t n;
    ss_bytes_pen *b = ss_bytes_pen_new(&err);
    ss_pen *pen = ss_bytes_pen_begin(b, 0, 0);
    CHECK_NEAR(ss_pen_text_width(pen, &mono, "1e-4 \xc2\xb5s"), 42, 0); /* 7 characters of 6 */
    CHECK(ss_pen_text_width(pen, &bold, "wide") > 2 * ss_pen_text_width(pen, &mono, "w"));
    CHECK_NEAR(ss_pen_text_width(pen, &bold, ""), 0, 0);
    CHECK_NEAR(ss_pen_text_draw(pen, &(ss_pen_text){100, 9, 1, 1e4, mono, "12"}), 12, 0);
    CHECK_NEAR(ss_pen_text_draw(pen, &(ss_pen_text){100, 9, 0.5, 1e4, mono, "12"}), 12, 0);
    CHECK_NEAR(ss_pen_text_draw(pen, &(ss_pen_text){0, 9, 0, 30, mono, "1234567"}), 30, 0);
    CHECK_NEAR(ss_pen_text_draw(pen, &(ss_pen_text){0, 9, 0, 30, mono, "a\xff\nb"}), 24, 0);
    CHECK_NEAR(ss_pen_text_draw(pen, &(ss_pen_text){0, 9, 0, 2, mono, "1234567"}), 0, 0);
    const uint8_t *data = ss_bytes_pen_data(b, &n);
    CHECK_INT(list_stream(data, n, text), SS_OK);
    CHECK_STR(text, "text 88 9 10 mono: 12\n"
                    "text 94 9 10 mono: 12\n"
                    "text 0 9 10 mono: 1234\xe2\x80\xa6\n"
                    "text 0 9 10 mono: a??b\n");
    ss_bytes_pen_free(b);
}

/* A sign beside a name, such as a colour of the ranks' timeline, is drawn whole. */
TEST(pen, a_sign_is_not_cut_to_an_ellipsis)
{
    static char text[LIST];
    enum { W = 1280, H = 800 };
    sample_log log = {.ticket = 0};
    ss_ui *ui = ss_ui_new(sample_emit, &log, NULL);
    ss_snapshot *snap = sample_swept(64, 0);
    ss_extent e;
    size_t n;
    sample_ranks(snap);
    CHECK_INT(sample_command(ui, "view stage ranks", snap), SS_OK);
    ss_places_extent(1, W, H, &e);
    const uint8_t *data = stream_of(ss_ui_scene(ui, snap, &e, 60), 1, W, H, NULL, &n);
    CHECK_INT(list_stream(data, n, text), SS_OK);
    int signs = 0;
    for (const char *at = text; (at = strstr(at, ": \xe2\x96\xa0\n")); at++)
        signs++;
    CHECK_INT(signs, 4); /* work, wait, send and receive, messages travel */
    sample_free(snap);
    ss_ui_free(ui);
}

TEST(pen, a_text_of_any_length_is_cut_at_a_character)
{
    static char text[LIST], words[2 * SS_PEN_TEXT];
    static const ss_font font = {12, false, false};
    ss_err err;
    size_t n;
    ss_bytes_pen *b = ss_bytes_pen_new(&err);
    for (int length = 250; length < 262; length++) {
        memset(words, 'x', sizeof words);
        memcpy(words + length, "\xe2\x86\x92\xe2\x86\x92", 7); /* two arrows and the end */
        ss_pen *pen = ss_bytes_pen_begin(b, 0, 0);
        ss_pen_text_draw(pen, &(ss_pen_text){0, 9, 0, 1e5, font, words});
        const uint8_t *data = ss_bytes_pen_data(b, &n);
        CHECK_MSG(list_stream(data, n, text) == SS_OK, "%d characters", length);
    }
    ss_bytes_pen_free(b);
}

/* --- streams from elsewhere ------------------------------------------------------------------- */

/* The beginning of a stream is refused, or ends between two operations. */
TEST(pen, a_cut_stream_is_refused_or_a_part)
{
    static char text[LIST], whole[LIST];
    size_t n, parts = 0;
    const uint8_t *data = stream_of(small_scene(), 1, 640, 810, NULL, &n);
    CHECK_INT(list_stream(data, n, whole), SS_OK);
    for (size_t k = 0; k < n; k++) {
        bool part = list_stream(data, k, text) == SS_OK;
        parts += part;
        size_t length = strlen(text); /* restored states are added to a refused one */
        while (!part && length >= 8 && strcmp(text + length - 8, "restore\n") == 0)
            text[length -= 8] = '\0';
        CHECK_MSG(strncmp(whole, text, length) == 0, "the first %zu bytes", k);
    }
    CHECK_MSG(parts > 10 && parts < n, "%zu", parts);
}

TEST(pen, what_is_not_allowed_is_refused)
{
    static char text[LIST];
    static const struct {
        const char *why;
        uint8_t data[16];
        size_t n;
    } streams[] = {
        {"an operation that does not exist", {21}, 1},
        {"restore without save", {16}, 1},
        {"save without restore", {15}, 1},
        {"a negative width", {2, 0xff, 0xff}, 3},
        {"a join that does not exist", {4, 3}, 2},
        {"dashes of length 0", {3, 1, 0, 0}, 4},
        {"too many dashes", {3, 7, 8, 0, 8, 0, 8, 0, 8, 0, 8, 0, 8, 0, 8, 0}, 16},
        {"an ellipse without width", {9, 0, 0, 0, 0, 0, 0, 8, 0}, 9},
        {"an arc that goes back", {8, 0, 0, 0, 0, 8, 0, 9, 8}, 9},
        {"a text without characters", {18, 0, 0, 0, 0, 8, 0, 0, 0}, 9},
        {"a text that is no UTF-8", {18, 0, 0, 0, 0, 8, 0, 0, 1, 0xff}, 10},
        {"a text that ends early", {18, 0, 0, 0, 0, 8, 0, 0, 2, 'a'}, 10},
        {"a text with a line feed", {18, 0, 0, 0, 0, 8, 0, 0, 1, '\n'}, 10},
        {"an image without a palette", {20, 0, 0, 0, 0, 8, 0, 8, 0, 1, 0, 1, 0, 0, 1}, 15},
        {"a curve of one point", {17, 0, 0, 0, 0, 8, 0, 8, 0, 1, 0, 0, 0, 0, 0}, 15},
    };
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
        CHECK_MSG(list_stream(streams[i].data, streams[i].n, text) == SS_FAIL, "%s",
                  streams[i].why);
}

/* --- whole screens ---------------------------------------------------------------------------- */

TEST(pen, screens_are_written_and_played)
{
    static char text[LIST];
    static const ss_extent e = {128, 40, 10, 20, .head = 2, .side = 2, .scale = 1};
    for (uint64_t seed = 0; seed < (CHECK_SANITIZED ? 4 : 20); seed++) {
        sample_log log = {.ticket = 0};
        ss_ui *ui = ss_ui_new(sample_emit, &log, NULL);
        ss_snapshot *snap = sample_random(seed);
        size_t n;
        if (seed % 3)
            sample_command(ui, seed % 3 == 1 ? "help" : "presets", snap);
        const uint8_t *data = stream_of(ss_ui_scene(ui, snap, &e, 60), 1, 1280, 800, NULL, &n);
        CHECK_MSG(list_stream(data, n, text) == SS_OK, "seed %d", (int)seed);
        sample_free(snap);
        ss_ui_free(ui);
    }
}
