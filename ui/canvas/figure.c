/* Figures: a scene as SVG, PDF or PNG, drawn by the code of the window. The command that made a
 * figure is in its metadata: PDF keywords, the <desc> of SVG, a tEXt chunk of PNG. See
 * canvas.h. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cairo-pdf.h>
#include <cairo-svg.h>

#include "src/base/file.h"
#include "ui/canvas/parts.h"
#include "ui/canvas/canvas.h"

typedef struct bytes {
    unsigned char *data;
    size_t used, room;
} bytes;

static cairo_status_t keep_bytes(void *self, const unsigned char *data, unsigned n)
{
    bytes *b = self;
    if (b->used + n > b->room) {
        size_t room = 2 * (b->used + n) + 65536;
        unsigned char *more = realloc(b->data, room);
        if (!more)
            return CAIRO_STATUS_NO_MEMORY;
        b->data = more;
        b->room = room;
    }
    memcpy(b->data + b->used, data, n);
    b->used += n;
    return CAIRO_STATUS_SUCCESS;
}

/* --- the three formats ------------------------------------------------------------------------ */

/* The size of a figure: pixels, and for paper typographic points, which are 1/72 inch. */
typedef struct page {
    int w, h;      /* pixels of the drawing */
    double points; /* per pixel */
} page;

/* A pixel is 1/96 inch. */
#define POINTS 0.75

static cairo_surface_t *svg_open(bytes *b, const page *p, const char *command)
{
    cairo_surface_t *s =
        cairo_svg_surface_create_for_stream(keep_bytes, b, p->w * p->points, p->h * p->points);
    (void)command;
    cairo_surface_set_device_scale(s, p->points, p->points);
    return s;
}

static cairo_surface_t *pdf_open(bytes *b, const page *p, const char *command)
{
    cairo_surface_t *s =
        cairo_pdf_surface_create_for_stream(keep_bytes, b, p->w * p->points, p->h * p->points);
    cairo_pdf_surface_set_metadata(s, CAIRO_PDF_METADATA_CREATE_DATE, "");
    cairo_pdf_surface_set_metadata(s, CAIRO_PDF_METADATA_CREATOR, "stencilscope " SS_VERSION);
    cairo_pdf_surface_set_metadata(s, CAIRO_PDF_METADATA_SUBJECT, command);
    cairo_surface_set_device_scale(s, p->points, p->points);
    return s;
}

static cairo_surface_t *png_open(bytes *b, const page *p, const char *command)
{
    (void)b, (void)command;
    return cairo_image_surface_create(CAIRO_FORMAT_RGB24, p->w, p->h);
}

/* What a file has beside the drawing. */
typedef struct extras {
    const char *command;
    const ss_words *words; /* NULL: none */
    double points;
} extras;

static void put_xml(FILE *f, const char *text)
{
    for (; *text; text++) {
        const char *name = *text == '&' ? "amp" : *text == '<' ? "lt" : *text == '>' ? "gt" : NULL;
        if (name)
            fprintf(f, "&%s;", name);
        else
            putc((unsigned char)*text < 0x20 ? ' ' : *text, f);
    }
}

/* Where the last </svg> begins. */
static size_t end_of_svg(const bytes *b)
{
    static const char end[] = "</svg>";
    for (size_t n = b->used; n >= sizeof end - 1; n--)
        if (memcmp(b->data + n - (sizeof end - 1), end, sizeof end - 1) == 0)
            return n - (sizeof end - 1);
    return b->used;
}

/* Inserts <desc> directly after <svg ...>, and the texts at the end: nothing lies over them. */
static void svg_write(FILE *f, const bytes *b, const extras *x)
{
    const char *text = (const char *)b->data;
    const char *root = memmem(text, b->used, "<svg", 4);
    const char *end = root ? memchr(root, '>', b->used - (size_t)(root - text)) : NULL;
    size_t head = end ? (size_t)(end + 1 - text) : 0;
    fwrite(text, 1, head, f);
    if (head) {
        fputs("\n<desc>", f);
        put_xml(f, x->command);
        fputs("</desc>", f);
    }
    size_t last = x->words ? end_of_svg(b) : b->used;
    fwrite(text + head, 1, last - head, f);
    if (x->words)
        ss_words_write(x->words, x->points, f);
    fwrite(text + last, 1, b->used - last, f);
}

static void pdf_write(FILE *f, const bytes *b, const extras *x)
{
    (void)x;
    fwrite(b->data, 1, b->used, f);
}

/* The checksum of PNG's chunks. */
static uint32_t crc_of(const unsigned char *data, size_t n)
{
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < n; i++) {
        crc ^= data[i];
        for (int k = 0; k < 8; k++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
    }
    return ~crc;
}

static void put_number(FILE *f, uint32_t n)
{
    const unsigned char be[4] = {(unsigned char)(n >> 24), (unsigned char)(n >> 16),
                                 (unsigned char)(n >> 8), (unsigned char)n};
    fwrite(be, 1, 4, f);
}

/* Inserts a tEXt chunk after the header: 8 bytes of signature and a chunk of 25. */
static void png_write(FILE *f, const bytes *b, const extras *x)
{
    enum { HEAD = 33 };
    char chunk[4200];
    static const char key[] = "tEXtComment";
    size_t n = sizeof key; /* the terminating NUL is part of it */
    memcpy(chunk, key, n);
    n += (size_t)snprintf(chunk + n, sizeof chunk - n, "%.4000s", x->command);
    fwrite(b->data, 1, HEAD, f);
    put_number(f, (uint32_t)(n - 4));
    fwrite(chunk, 1, n, f);
    put_number(f, crc_of((const unsigned char *)chunk, n));
    fwrite(b->data + HEAD, 1, b->used - HEAD, f);
}

static const struct kind {
    const char *ext;
    bool pixels; /* written into a file when the drawing is complete */
    bool words;  /* texts are written apart: the surface would draw their outlines */
    cairo_surface_t *(*open)(bytes *b, const page *p, const char *command);
    void (*write)(FILE *f, const bytes *b, const extras *x);
} kinds[] = {
    {".svg", false, true, svg_open, svg_write},
    {".pdf", false, false, pdf_open, pdf_write},
    {".png", true, false, png_open, png_write},
};

static const struct kind *find_kind(const char *path, ss_err *err)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && dot > name && i < sizeof kinds / sizeof *kinds; i++)
        if (strcasecmp(dot, kinds[i].ext) == 0)
            return &kinds[i];
    ss_fail(err, "export: '%.80s' ends in none of .svg .pdf .png", path);
    return NULL;
}

/* --- one figure ------------------------------------------------------------------------------- */

/* The drawing of the last figure serves the next one of the same scale: finding fonts again takes
 * time and, in fontconfig, memory that is never given back. */
static ss_drawing *drawing_at(double scale, ss_err *err)
{
    static ss_drawing *kept;
    static double kept_scale;
    if (kept && fabs(scale - kept_scale) < 1e-9)
        return kept;
    ss_drawing_free(kept);
    kept = ss_drawing_new(scale, err);
    kept_scale = scale;
    return kept;
}

/* A veil dims the texts below it too: then all of them are outlines. */
static bool has_veil(const ss_scene *scene)
{
    for (int i = 0; i < scene->nitem; i++)
        if (scene->item[i].kind == SS_I_VEIL)
            return true;
    return false;
}

static int draw(const struct kind *kind, const ss_scene *scene, const page *size, bytes *b,
                const extras *x, ss_words *words, ss_err *err)
{
    int w = size->w, h = size->h;
    ss_drawing *d = drawing_at(ss_places_fitted(scene, w, h), err);
    if (!d)
        return SS_FAIL;
    cairo_surface_t *surface = kind->open(b, size, x->command);
    d->words = words;
    cairo_t *cr = cairo_create(surface);
    ss_cairo_pen pen = ss_cairo_pen_on(cr, d);
    const ss_painter p = ss_cairo_painter(&pen, scene);
    ss_places_centre(&d->places, scene, w, h);
    ss_draw_role(&p, SS_C_GROUND, 1);
    cairo_paint(cr);
    cairo_translate(cr, d->places.ox, d->places.oy);
    ss_draw_scene(&p);
    d->words = NULL;
    cairo_status_t status = cairo_status(cr);
    cairo_destroy(cr);
    if (status == CAIRO_STATUS_SUCCESS && kind->pixels)
        status = cairo_surface_write_to_png_stream(surface, keep_bytes, b);
    cairo_surface_finish(surface);
    status = status ? status : cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    return status == CAIRO_STATUS_SUCCESS
               ? SS_OK
               : ss_fail(err, "a figure of %dx%d pixels: %s", w, h, cairo_status_to_string(status));
}

static int export_page(const ss_scene *scene, const char *path, const page *size,
                       const char *command, ss_err *err)
{
    const struct kind *kind = find_kind(path, err);
    bytes b = {NULL, 0, 0};
    ss_outfile file;
    int status = SS_FAIL;
    if (!kind)
        return SS_FAIL;
    ss_words *words = kind->words && !has_veil(scene) ? ss_words_new() : NULL;
    const extras x = {command ? command : "", words, size->points};
    if (draw(kind, scene, size, &b, &x, words, err) == SS_OK &&
        ss_outfile_open(&file, path, err) == SS_OK) {
        kind->write(file.stream, &b, &x);
        status = ss_outfile_close(&file, true, err);
    }
    ss_words_free(words);
    free(b.data);
    return status;
}

/* A figure, by its extension: .png, .svg, .pdf; w x h at scale 1. The command that made it goes
 * into the file's metadata. */
static int drawing_export(const ss_scene *scene, const char *path, int w, int h,
                          const char *command, ss_err *err)
{
    const page size = {w, h, POINTS};
    return export_page(scene, path, &size, command, err);
}

/* --- on paper --------------------------------------------------------------------------------- */

/* Words have 13 pixels at scale 1 and 9 points on paper. The drawing is three times as large, so
 * that its pictures have about 300 dots per inch. */
enum { PAPER_SCALE = 3, DOTS_PER_INCH = 300 };
#define PAPER_POINTS (9.0 / 13 / PAPER_SCALE)
#define MM_PER_INCH 25.4

static int paper_extent(double mm, ss_extent *out, ss_err *err)
{
    (void)err;
    int w = (int)floor(mm / MM_PER_INCH * 72 / PAPER_POINTS);
    ss_places_extent(PAPER_SCALE, w, w, out);
    return SS_OK;
}

/* The scene is in the middle of the width, which is no whole number of cells. */
static int print(const ss_scene *scene, const char *path, double mm, const char *command,
                 ss_err *err)
{
    const struct kind *kind = find_kind(path, err);
    if (!kind)
        return SS_FAIL;
    page size = {.points = PAPER_POINTS};
    double inches = mm / MM_PER_INCH;
    size.w = (int)floor(kind->pixels ? inches * DOTS_PER_INCH : inches * 72 / PAPER_POINTS);
    size.h = size.w / (scene->cols > 0 ? scene->cols : 1) * 2 * scene->rows;
    size.points = kind->pixels ? POINTS : inches * 72 / size.w;
    return export_page(scene, path, &size, command, err);
}

static int figure_check(const char *path, int w, int h, ss_err *err)
{
    if (!find_kind(path, err))
        return SS_FAIL;
    return w > 0 ? ss_medium_check(&ss_medium_pixels, path, w, h, err) : SS_OK;
}

static int figure_extent(int w, int h, ss_extent *out, ss_err *err)
{
    (void)err;
    ss_places_extent(ss_places_scale(w, h), w, h, out);
    return SS_OK;
}

extern const ss_figures ss_figures_cairo;
const ss_figures ss_figures_cairo = {figure_check, figure_extent, drawing_export, paper_extent,
                                     print};
