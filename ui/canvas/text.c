/* Text in proportional fonts: words in Inter, numbers and keys in JetBrains Mono, DejaVu if they
 * are missing. Layouts are cached by content. See parts.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pango/pangocairo.h>

#include "ui/canvas/parts.h"

enum { KEPT = 1024, TEXT_CUT = 256, FACES = 16, FIRST = ' ', ASCII = '~' - ' ' + 1 };

/* Non-ASCII characters of figures. */
static const char *const symbols[] = {"·", "±", "µ", "×", "↑", "→", "−"};
enum { GLYPHS = ASCII + sizeof symbols / sizeof *symbols };

typedef struct kept {
    uint64_t key;
    PangoLayout *layout;
    int width; /* pixels */
} kept;

/* The glyphs of numbers and short words in one size: figures change in every frame and need no
 * shaping. */
typedef struct face {
    cairo_scaled_font_t *font; /* NULL: not searched yet, or no single font covers ASCII */
    unsigned long glyph[GLYPHS];
    double advance[GLYPHS]; /* < 0: not in this font */
    bool tried;
} face;

struct ss_fonts {
    double scale;
    PangoContext *context;
    face face[FACES]; /* by style */
    kept kept[KEPT];  /* open addressing */
    int nkept;
};

static const char *const families[] = {"Inter,DejaVu Sans,sans-serif",
                                       "JetBrains Mono,DejaVu Sans Mono,monospace"};
/* Huge text has 22 pixels at the scale of a film of 800x600, 1.2. */
static const double body = 13, figure = 12.5, small = 11, large = 15, huge = 22 / 1.2;

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

ss_fonts *ss_fonts_new(double scale, ss_err *err)
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
    f->scale = scale;
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

const char *ss_draw_families(unsigned style)
{
    return families[(style & SS_FIGURE) != 0];
}

static double font_size(unsigned style)
{
    return style & SS_HUGE     ? huge
           : style & SS_LARGE  ? large
           : style & SS_SMALL  ? small
           : style & SS_FIGURE ? figure
                               : body;
}

static PangoLayout *lay_out(const ss_fonts *f, unsigned style, int room, const char *text)
{
    PangoLayout *layout = pango_layout_new(f->context);
    PangoFontDescription *font =
        pango_font_description_from_string(families[(style & SS_FIGURE) != 0]);
    pango_font_description_set_absolute_size(font, font_size(style) * f->scale * PANGO_SCALE);
    pango_font_description_set_weight(font, style & SS_BOLD ? PANGO_WEIGHT_SEMIBOLD
                                                            : PANGO_WEIGHT_NORMAL);
    pango_layout_set_font_description(layout, font);
    pango_font_description_free(font);
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

static uint64_t key_of(unsigned style, int room, const char *text)
{
    uint64_t h = 1469598103934665603u ^ style ^ (uint64_t)room << 20;
    for (h *= 1099511628211u; *text; text++)
        h = (h ^ (unsigned char)*text) * 1099511628211u;
    return h ? h : 1;
}

/* room 0: unlimited. */
static const kept *find_text(ss_fonts *f, unsigned style, int room, const char *text)
{
    style &= SS_BOLD | SS_FIGURE | SS_LARGE | SS_SMALL | SS_HUGE;
    uint64_t key = key_of(style, room, text);
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
    k->layout = lay_out(f, style, room, text);
    pango_layout_get_pixel_size(k->layout, &k->width, NULL);
    f->nkept++;
    return k;
}

/* --- figures ---------------------------------------------------------------------------------- */

/* Looks a glyph up; false: it comes from another font than the previous ones. */
static bool find_glyph(face *to, const ss_fonts *f, unsigned style, int i)
{
    const char ascii[] = {(char)(FIRST + i), '\0'};
    PangoLayout *layout = lay_out(f, style, 0, i < ASCII ? ascii : symbols[i - ASCII]);
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

static const face *face_of(ss_fonts *f, unsigned style)
{
    face *to = &f->face[!!(style & SS_BOLD) + 2 * !!(style & SS_LARGE) + 4 * !!(style & SS_SMALL) +
                        8 * !!(style & SS_HUGE)];
    bool whole = true;
    for (int i = 0; i < GLYPHS && !to->tried; i++)
        whole = (find_glyph(to, f, style, i) || i >= ASCII) && whole;
    if (!whole && to->font) {
        cairo_scaled_font_destroy(to->font);
        to->font = NULL;
    }
    to->tried = true;
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
static int set_figure(ss_fonts *f, unsigned style, const char *text, const face **with,
                      cairo_glyph_t glyph[TEXT_CUT], double *width)
{
    int n = 0;
    double x = 0;
    *with = style & SS_FIGURE ? face_of(f, style) : NULL;
    for (int bytes; *with && *text; n++, text += bytes) {
        int i = first_glyph(text, &bytes);
        if (n == TEXT_CUT || i < 0 || (*with)->advance[i] < 0)
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

/* --- text ------------------------------------------------------------------------------------- */

double ss_draw_width(const ss_pen *p, unsigned style, const char *text)
{
    cairo_glyph_t glyph[TEXT_CUT];
    const face *with;
    double width;
    if (set_figure(p->d->fonts, style, text, &with, glyph, &width) > 0)
        return width;
    return find_text(p->d->fonts, style, 0, text)->width;
}

double ss_draw_type(const ss_pen *p, unsigned style)
{
    return font_size(style) * p->d->scale;
}

/* Cuts a text to the room, as pango does; buf has TEXT_CUT bytes. */
static const char *cut_to(const ss_pen *p, unsigned style, double room, const char *text, char *buf)
{
    size_t n = strlen(text);
    for (n = n < TEXT_CUT - 4 ? n : TEXT_CUT - 4; n > 0; n--) {
        if ((text[n] & 0xc0) == 0x80)
            continue;
        snprintf(buf, TEXT_CUT, "%.*s\xe2\x80\xa6", (int)n, text);
        if (ss_draw_width(p, style, buf) <= room + 0.5)
            return buf;
    }
    return "";
}

/* Whole pixels: text stays crisp and looks the same at every position. */
double ss_draw_text(const ss_pen *p, double x, double y, double room, unsigned style,
                    const char *text)
{
    ss_fonts *f = p->d->fonts;
    cairo_glyph_t glyph[TEXT_CUT];
    const face *with;
    double width = 0;
    char shorter[TEXT_CUT];
    if (!*text || room < 1)
        return 0;
    if (p->d->words && ss_draw_width(p, style, text) > room + 0.5)
        text = cut_to(p, style, room, text, shorter);
    int n = set_figure(f, style, text, &with, glyph, &width);
    const kept *k = NULL;
    if (n == 0 || width > room + 0.5 || !is_plain(p->cr)) {
        k = find_text(f, style, 0, text);
        width = k->width;
    }
    if (width > room + 0.5) {
        k = find_text(f, style, (int)room, text);
        width = k->width;
    }
    double left = style & SS_RIGHT ? x - width : style & SS_CENTRE ? x - 0.5 * width : x;
    /* Capitals of both fonts are 0.73 of the size high. */
    double x0 = floor(left + 0.5), y0 = floor(y + 0.36 * font_size(style) * f->scale + 0.5);
    if (p->d->words) {
        ss_words_add(p, x0, y0, width, style, text);
    } else if (k) {
        cairo_move_to(p->cr, x0, y0);
        pango_cairo_show_layout_line(p->cr, pango_layout_get_line_readonly(k->layout, 0));
    } else {
        for (int i = 0; i < n; i++)
            glyph[i].x += x0, glyph[i].y = y0;
        cairo_set_scaled_font(p->cr, with->font);
        cairo_show_glyphs(p->cr, glyph, n);
    }
    cairo_new_path(p->cr);
    return width;
}

/* --- items ------------------------------------------------------------------------------------ */

/* Without surrounding blanks, and without the brackets that mark a tab in cells. */
static const char *bare(const ss_item *item, char *buf)
{
    const char *a = item->text, *b = a + strlen(a);
    while (*a == ' ')
        a++;
    while (b > a && b[-1] == ' ')
        b--;
    if (item->style & SS_TAB && b - a > 2 && *a == '[' && b[-1] == ']')
        a++, b--;
    snprintf(buf, TEXT_CUT, "%.*s", (int)(b - a), a);
    return buf;
}

static unsigned set_style(const ss_item *item)
{
    unsigned style = item->style;
    if (item->role == SS_C_FAINT && !(style & (SS_TAB | SS_LARGE | SS_HUGE)))
        style |= SS_SMALL;
    return style;
}

static double gap_px(const ss_drawing *d, const ss_item *item, int columns)
{
    double tab = item->style & SS_TAB ? 10 : 0;
    return d->scale * (12.0 * (columns > 0 ? columns : 0) - (columns > 0 ? 6 : 0) + tab);
}

/* Spans of one row are in order of addition: from left to right, or from the right end to the
 * left. */
void ss_draw_flow(const ss_pen *p)
{
    ss_drawing *d = p->d;
    const ss_item *before = NULL;
    double edge = 0;
    char text[TEXT_CUT];
    d->nspan = 0;
    for (int i = 0; i < p->scene->nitem; i++) {
        const ss_item *it = &p->scene->item[i];
        if (it->kind == SS_I_FRAME) /* another panel */
            before = NULL;
        if (it->kind != SS_I_TEXT || !(it->style & SS_FLOW))
            continue;
        ss_px r = ss_draw_px(d, it->rect);
        bool right = it->style & SS_RIGHT;
        if (before && it->roll > 0 && before->rect.x == it->rect.x &&
            before->rect.y == it->rect.y) { /* takes the place of the one before */
            double own = ss_draw_width(p, set_style(it), bare(it, text)),
                   was = edge - d->flow_x[i - 1];
            d->flow_x[i] = d->flow_x[i - 1];
            edge = d->flow_x[i] + own + it->roll * (was - own);
            before = it;
            continue;
        }
        bool follows = before && before->rect.y == it->rect.y &&
                       (before->style & SS_RIGHT) == (it->style & SS_RIGHT);
        double w = ss_draw_width(p, set_style(it), bare(it, text));
        int columns = !follows ? 0
                      : right  ? before->rect.x - it->rect.x - it->rect.w
                               : it->rect.x - before->rect.x - before->rect.w;
        follows = follows && columns >= 0 && columns < 6;
        double start = right ? r.x + r.w : r.x;
        if (follows)
            start = edge + (right ? -1 : 1) * gap_px(d, it, columns);
        d->flow_x[i] = right ? start - w : start;
        edge = right ? start - w : start + w;
        d->span[d->nspan++] =
            (ss_stretch){d->flow_x[i], d->flow_x[i] + w,       it->rect.x, it->rect.x + it->rect.w,
                         it->rect.y,   it->rect.y + it->rect.h};
        before = it;
    }
}

/* As wide as the text, which may not be as wide as its cells. */
static void draw_button(const ss_pen *p, double x, double y, unsigned style, const char *text)
{
    double s = p->d->scale, w = ss_draw_width(p, style, text);
    ss_draw_role(p, SS_C_SHADE, 1);
    ss_draw_rounded(p, floor(x - 7 * s), floor(y - 10 * s), ceil(w + 14 * s), floor(20 * s), 4 * s);
    cairo_fill(p->cr);
}

/* A text on its way into its rows, or out of them; it is not as high as they are. */
static void draw_rolling(const ss_pen *p, const ss_item *it, double x, double y, double room,
                         unsigned style, const char *text)
{
    ss_px r = ss_draw_px(p->d, it->rect);
    cairo_save(p->cr);
    cairo_rectangle(p->cr, 0, r.y, p->scene->cols * p->d->cw, r.h);
    cairo_clip(p->cr);
    ss_draw_text(p, x, y + floor(0.7 * it->roll * r.h), room, style, text);
    cairo_restore(p->cr);
}

void ss_draw_text_item(const ss_pen *p, int i)
{
    const ss_item *it = &p->scene->item[i];
    char buf[TEXT_CUT];
    const char *text = bare(it, buf);
    ss_px r = ss_draw_px(p->d, it->rect);
    unsigned style = set_style(it);
    double y = ss_draw_middle(p->d, r.y, it->rect.h), x = r.x, room = r.w, s = p->d->scale;
    if (style & SS_FLOW) {
        x = p->d->flow_x[i];
        room = 4096;
        style &= ~(unsigned)(SS_RIGHT | SS_CENTRE);
    } else if (style & SS_RIGHT) {
        x = r.x + r.w;
    } else if (style & SS_CENTRE) {
        x = r.x + 0.5 * r.w;
    }
    bool on = style & SS_TAB && style & SS_BOLD, raised = style & SS_RAISED;
    y -= raised ? 5 * s : 0;
    if (style & SS_BUTTON)
        draw_button(p, x, y, style, text);
    ss_draw_role(p, on ? SS_C_TEXT : it->role, 1);
    if (it->roll < 0 || it->roll > 0) {
        draw_rolling(p, it, x, y, room, style, text);
        return;
    }
    double w = ss_draw_text(p, x, y, room, style, text);
    if (on || style & SS_UNDERLINE) {
        ss_draw_role(p, SS_C_ACCENT, 1);
        ss_draw_box(p, floor(x + 0.5), floor(y + (on && !raised ? 10 : 8) * s), w,
                    ss_draw_thin(p->d, 2));
    }
}
