/* The texts of an SVG figure: written as <text>, so that a reader finds and copies them; cairo
 * would draw their outlines. Each has its drawn width as textLength, so that it takes the same room
 * in another font. See parts.h. */
#include <stdlib.h>
#include <string.h>

#include <cairo.h>

#include "ui/canvas/parts.h"

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

void ss_words_add(const ss_cairo_pen *c, double x, double y, double width, const ss_font *font,
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
                t->x * points, t->y * points, t->width * points, ss_fonts_families(&t->font),
                t->font.size * points, t->font.bold ? 600 : 400, t->color);
        put_text(f, t->text);
        fputs("</text>\n", f);
    }
    fputs("</g>\n", f);
}
