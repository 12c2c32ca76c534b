/* Text in proportional fonts: words in Inter, numbers and keys in JetBrains Mono, DejaVu if they
 * are missing. Layouts are cached by content. The texts of an SVG figure: written as <text>, so
 * that a reader finds and copies them; cairo would draw their outlines. Each has its drawn width as
 * textLength, so that it takes the same room in another font. See parts.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cairo.h>
#include <pango/pangocairo.h>

#include "ui/canvas/parts.h"

enum { KEPT = 1024, FACES = 16, FIRST = ' ', ASCII = '~' - ' ' + 1 };

/* Non-ASCII characters of figures. */
static const char *const symbols[] = {"·", "±", "µ", "×", "↑", "→", "−"};
enum { GLYPHS = ASCII + sizeof symbols / sizeof *symbols };

typedef struct kept {
    uint64_t key;
    PangoLayout *layout;
    int width; /* pixels */
} kept;

/* The glyphs of numbers and short words in one font: figures change in every frame and need no
 * shaping. */
typedef struct face {
    double size; /* pixels; 0: unused */
    bool bold;
    cairo_scaled_font_t *font; /* NULL: not searched yet, or no single font covers ASCII */
    unsigned long glyph[GLYPHS];
    double advance[GLYPHS]; /* < 0: not in this font */
    bool tried;
} face;

struct ss_fonts {
    PangoContext *context;
    face face[FACES];
    kept kept[KEPT]; /* open addressing */
    int nkept;
};

static const char *const families[] = {"Inter,DejaVu Sans,sans-serif",
                                       "JetBrains Mono,DejaVu Sans Mono,monospace"};

/* Generic names like Sans are always listed, with or without a font behind them. */
static bool has_font(PangoFontMap *map)
{
    PangoContext *context = map ? pango_font_map_create_context(map) : NULL;
    PangoFontDescription *words = pango_font_description_from_string(families[0]);
    PangoFont *font = context ? pango_font_map_load_font(map, context, words) : NULL;
    pango_font_description_free(words);
    if (context)
        g_object_unref(context);
    if (font)
        g_object_unref(font);
    return font != NULL;
}

ss_fonts *ss_fonts_new(ss_err *err)
{
    PangoFontMap *map = pango_cairo_font_map_get_default();
    if (!has_font(map)) {
        ss_fail(err, "there is no font: install Inter and JetBrains Mono, or DejaVu");
        return NULL;
    }
    ss_fonts *f = calloc(1, sizeof *f);
    if (!f) {
        ss_fail(err, "out of memory: fonts");
        return NULL;
    }
    f->context = pango_font_map_create_context(map);
    pango_cairo_context_set_resolution(f->context, 96);
    cairo_font_options_t *o = cairo_font_options_create();
    cairo_font_options_set_antialias(o, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(o, CAIRO_HINT_STYLE_SLIGHT);
    cairo_font_options_set_hint_metrics(o, CAIRO_HINT_METRICS_OFF);
    pango_cairo_context_set_font_options(f->context, o);
    cairo_font_options_destroy(o);
    return f;
}

static void forget_texts(ss_fonts *f)
{
    for (int i = 0; i < KEPT; i++)
        if (f->kept[i].layout)
            g_object_unref(f->kept[i].layout);
    memset(f->kept, 0, sizeof f->kept);
    f->nkept = 0;
}

void ss_fonts_free(ss_fonts *f)
{
    if (!f)
        return;
    forget_texts(f);
    for (int i = 0; i < FACES; i++)
        if (f->face[i].font)
            cairo_scaled_font_destroy(f->face[i].font);
    g_object_unref(f->context);
    free(f);
}

static const char *fonts_families(const ss_font *font)
{
    return families[font->mono];
}

/* A character has one width, whatever stands beside it: texts are as wide in a browser, whose
 * layout is made without fonts (ui/pen/bytes.c). */
static PangoAttrList *plain_shapes(void)
{
    PangoAttrList *list = pango_attr_list_new();
    pango_attr_list_insert(list, pango_attr_font_features_new("kern=0, liga=0, calt=0"));
    return list;
}

static PangoLayout *lay_out(const ss_fonts *f, const ss_font *font, int room, const char *text)
{
    PangoLayout *layout = pango_layout_new(f->context);
    PangoFontDescription *words = pango_font_description_from_string(families[font->mono]);
    pango_font_description_set_absolute_size(words, font->size * PANGO_SCALE);
    pango_font_description_set_weight(words,
                                      font->bold ? PANGO_WEIGHT_SEMIBOLD : PANGO_WEIGHT_NORMAL);
    pango_layout_set_font_description(layout, words);
    pango_font_description_free(words);
    PangoAttrList *shapes = plain_shapes();
    pango_layout_set_attributes(layout, shapes);
    pango_attr_list_unref(shapes);
    pango_layout_set_single_paragraph_mode(layout, TRUE);
    if (room > 0) {
        pango_layout_set_width(layout, room * PANGO_SCALE);
        pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END);
    }
    char *valid = g_utf8_make_valid(text, -1);
    pango_layout_set_text(layout, valid, -1);
    g_free(valid);
    return layout;
}

static uint64_t key_of(const ss_font *font, int room, const char *text)
{
    uint64_t h = 1469598103934665603u ^ (uint64_t)room << 20 ^ (uint64_t)(font->size * 64) << 2 ^
                 (uint64_t)font->bold << 1 ^ (uint64_t)font->mono;
    for (h *= 1099511628211u; *text; text++)
        h = (h ^ (unsigned char)*text) * 1099511628211u;
    return h ? h : 1;
}

/* room 0: unlimited. */
static const kept *find_text(ss_fonts *f, const ss_font *font, int room, const char *text)
{
    uint64_t key = key_of(font, room, text);
    size_t i = key % KEPT;
    for (; f->kept[i].key; i = (i + 1) % KEPT)
        if (f->kept[i].key == key)
            return &f->kept[i];
    if (f->nkept >= KEPT * 3 / 4) {
        forget_texts(f);
        i = key % KEPT;
    }
    kept *k = &f->kept[i];
    k->key = key;
    k->layout = lay_out(f, font, room, text);
    pango_layout_get_pixel_size(k->layout, &k->width, NULL);
    f->nkept++;
    return k;
}

/* --- figures ---------------------------------------------------------------------------------- */

/* Looks a glyph up; false: it comes from another font than the previous ones. */
static bool find_glyph(face *to, const ss_fonts *f, const ss_font *of, int i)
{
    const char ascii[] = {(char)(FIRST + i), '\0'};
    PangoLayout *layout = lay_out(f, of, 0, i < ASCII ? ascii : symbols[i - ASCII]);
    PangoLayoutLine *line = pango_layout_get_line_readonly(layout, 0);
    const PangoGlyphItem *run = line && line->runs ? line->runs->data : NULL;
    cairo_scaled_font_t *font = NULL;
    if (run && run->glyphs->num_glyphs == 1) {
        font = pango_cairo_font_get_scaled_font((PangoCairoFont *)run->item->analysis.font);
        to->glyph[i] = run->glyphs->glyphs[0].glyph;
        to->advance[i] = (double)run->glyphs->glyphs[0].geometry.width / PANGO_SCALE;
    }
    if (font && !to->font)
        to->font = cairo_scaled_font_reference(font);
    bool there = font && font == to->font && !(to->glyph[i] & PANGO_GLYPH_UNKNOWN_FLAG);
    to->advance[i] = there ? to->advance[i] : -1;
    g_object_unref(layout);
    return there;
}

/* NULL: there are too many. */
static face *place_of(ss_fonts *f, const ss_font *font)
{
    int i = 0;
    while (i < FACES && f->face[i].size > 0 &&
           (fabs(f->face[i].size - font->size) > 0 || f->face[i].bold != font->bold))
        i++;
    return i < FACES ? &f->face[i] : NULL;
}

static const face *face_of(ss_fonts *f, const ss_font *font)
{
    face *to = place_of(f, font);
    bool whole = true;
    for (int i = 0; to && i < GLYPHS && !to->tried; i++)
        whole = (find_glyph(to, f, font, i) || i >= ASCII) && whole;
    if (!to)
        return NULL;
    if (!whole && to->font) {
        cairo_scaled_font_destroy(to->font);
        to->font = NULL;
    }
    to->size = font->size, to->bold = font->bold, to->tried = true;
    return to->font ? to : NULL;
}

/* The glyph of a face for the first character, -1: none; and the bytes of that character. */
static int first_glyph(const char *text, int *bytes)
{
    int ascii = (unsigned char)*text - FIRST;
    *bytes = 1;
    if (ascii >= 0 && ascii < ASCII)
        return ascii;
    for (int i = ASCII; i < (int)GLYPHS; i++) {
        *bytes = (int)strlen(symbols[i - ASCII]);
        if (strncmp(text, symbols[i - ASCII], (size_t)*bytes) == 0)
            return i;
    }
    return -1;
}

/* The glyphs of a figure, or 0: it is not one, or too long. */
static int set_figure(ss_fonts *f, const ss_font *font, const char *text, const face **with,
                      cairo_glyph_t glyph[SS_PEN_TEXT], double *width)
{
    int n = 0;
    double x = 0;
    *with = font->mono ? face_of(f, font) : NULL;
    for (int bytes; *with && *text; n++, text += bytes) {
        int i = first_glyph(text, &bytes);
        if (n == SS_PEN_TEXT || i < 0 || (*with)->advance[i] < 0)
            return 0;
        glyph[n] = (cairo_glyph_t){(*with)->glyph[i], x, 0};
        x += (*with)->advance[i];
    }
    *width = floor(x + 0.5);
    return n;
}

/* A scaled font belongs to one pixel size. */
static bool is_plain(cairo_t *cr)
{
    cairo_matrix_t m;
    double sx, sy;
    cairo_get_matrix(cr, &m);
    cairo_surface_get_device_scale(cairo_get_target(cr), &sx, &sy);
    bool one =
        !(m.xx < 1) && !(m.xx > 1) && !(m.yy < 1) && !(m.yy > 1) && sx + sy >= 2 && sx + sy <= 2;
    return one && cairo_surface_get_type(cairo_get_target(cr)) == CAIRO_SURFACE_TYPE_IMAGE;
}

/* --- the texts of an SVG figure --------------------------------------------------------------- */

typedef struct word {
    double x, y, width;
    ss_font font;
    ss_rgb color;
    char *text;
} word;

struct ss_words {
    word *word;
    size_t n, room;
};

ss_words *ss_words_new(void)
{
    return calloc(1, sizeof(ss_words));
}

void ss_words_free(ss_words *w)
{
    if (!w)
        return;
    for (size_t i = 0; i < w->n; i++)
        free(w->word[i].text);
    free(w->word);
    free(w);
}

static bool grow(ss_words *w)
{
    size_t room = w->room ? 2 * w->room : 64;
    word *more = w->n < w->room ? w->word : realloc(w->word, room * sizeof *more);
    if (!more)
        return false;
    w->room = w->n < w->room ? w->room : room;
    w->word = more;
    return true;
}

/* A text with its left end at x on the baseline y, in the pen's present colour. */
static void words_add(const ss_cairo_pen *c, double x, double y, double width, const ss_font *font,
                      const char *text)
{
    ss_words *w = c->d->words;
    char *own = strdup(text);
    if (!own || !grow(w)) {
        free(own);
        return;
    }
    cairo_user_to_device(c->cr, &x, &y);
    w->word[w->n++] = (word){x, y, width, *font, ss_cairo_color(c->cr), own};
}

static void put_text(FILE *f, const char *text)
{
    for (; *text; text++) {
        const char *name = *text == '&' ? "&amp;" : *text == '<' ? "&lt;" : NULL;
        if (name)
            fputs(name, f);
        else
            putc(*text, f);
    }
}

void ss_words_write(const ss_words *w, double points, FILE *f)
{
    fputs("<g xml:space=\"preserve\">\n", f);
    for (size_t i = 0; i < w->n; i++) {
        const word *t = &w->word[i];
        fprintf(f,
                "<text x=\"%.3f\" y=\"%.3f\" textLength=\"%.3f\" lengthAdjust=\"spacingAndGlyphs\" "
                "font-family=\"%s\" font-size=\"%.3f\" font-weight=\"%d\" fill=\"#%06x\">",
                t->x * points, t->y * points, t->width * points, fonts_families(&t->font),
                t->font.size * points, t->font.bold ? 600 : 400, t->color);
        put_text(f, t->text);
        fputs("</text>\n", f);
    }
    fputs("</g>\n", f);
}

/* --- text ------------------------------------------------------------------------------------- */

double ss_cairo_text_width(ss_pen *pen, const ss_font *font, const char *text)
{
    ss_fonts *f = ((ss_cairo_pen *)(void *)pen)->d->fonts;
    cairo_glyph_t glyph[SS_PEN_TEXT];
    const face *with;
    double width;
    if (set_figure(f, font, text, &with, glyph, &width) > 0)
        return width;
    return find_text(f, font, 0, text)->width;
}

/* Whole pixels: text stays crisp and looks the same at every position. */
double ss_cairo_text(ss_pen *pen, const ss_pen_text *t)
{
    const ss_cairo_pen *c = (const ss_cairo_pen *)(const void *)pen;
    ss_fonts *f = c->d->fonts;
    cairo_glyph_t glyph[SS_PEN_TEXT];
    const face *with;
    const char *text = t->text;
    double width = 0, most = t->room + 0.5;
    char shorter[SS_PEN_TEXT];
    if (c->d->words && ss_cairo_text_width(pen, &t->font, text) > most)
        text = ss_pen_cut(pen, &t->font, t->room, text, shorter);
    int n = set_figure(f, &t->font, text, &with, glyph, &width);
    const kept *k = NULL;
    if (n == 0 || width > most || !is_plain(c->cr)) {
        k = find_text(f, &t->font, 0, text);
        width = k->width;
    }
    if (width > most) {
        k = find_text(f, &t->font, (int)t->room, text);
        width = k->width;
    }
    double x = floor(t->x - t->align * width + 0.5);
    if (c->d->words) {
        words_add(c, x, t->y, width, &t->font, text);
    } else if (k) {
        cairo_move_to(c->cr, x, t->y);
        pango_cairo_show_layout_line(c->cr, pango_layout_get_line_readonly(k->layout, 0));
    } else {
        for (int i = 0; i < n; i++)
            glyph[i].x += x, glyph[i].y = t->y;
        cairo_set_scaled_font(c->cr, with->font);
        cairo_show_glyphs(c->cr, glyph, n);
    }
    cairo_new_path(c->cr);
    return width;
}
