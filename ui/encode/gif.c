/*
 * GIF from a palette that is known in advance: the levels of the colour maps, the theme's colours
 * and blends of text and background. No dithering: unchanged areas cost nothing. With a size limit
 * the pictures are kept, run-length coded, and encoded again with fewer levels, then with fewer
 * frames, until the file fits. See stream.h.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libavutil/frame.h>
#include <libavutil/pixfmt.h>

#include "ui/encode/stream.h"

/* CLEAR: transparent, the previous picture shows through. LINES: map levels that also have a
 * variant under a thin line. */
enum { LEVELS = 48, LINES = 17, MAPS = 3, CLEAR = 255 };
static const double line_ink = 0.3;

typedef struct gif {
    ss_record_spec spec;
    char path[1024];
    ss_encode *encode; /* NULL: already too large; frames are only spooled */
    int delay;         /* hundredths of a second */
    ss_rgb color[256];
    int ncolor, first_other; /* the levels come first */
    uint8_t *nearest;        /* palette index by colour; CLEAR: not searched yet */
    uint8_t *dots;           /* the previous picture */
    int w, h;
    int64_t frames;
    int64_t size, largest; /* bytes so far, of one picture */
    FILE *spool;
} gif;

static const ss_codec codecs[] = {
    {"gif", AV_PIX_FMT_PAL8, "gifflags=+offsetting+transdiff", "gifflags=+offsetting+transdiff",
     NULL},
    {.name = NULL},
};
static const ss_container container = {"gif", NULL, "loop", 100, codecs};

/* --- colours ---------------------------------------------------------------------------------- */

static void add_color(gif *g, ss_rgb c)
{
    for (int i = g->first_other; i < g->ncolor; i++)
        if (g->color[i] == c)
            return;
    if (g->ncolor < CLEAR)
        g->color[g->ncolor++] = c;
}

static ss_rgb level_of(const char *map, int i, int levels)
{
    return ss_colormap_find(map)->color[i * (SS_MAP_SIZE - 1) / (levels - 1)];
}

static void choose_colors(gif *g, const ss_theme *theme)
{
    static const char *const maps[MAPS] = {"value", "heat", "signed"};
    static const ss_theme_role inks[] = {SS_C_TEXT,    SS_C_DIM,     SS_C_ACCENT,  SS_C_FAINT,
                                         SS_C_LINE,    SS_C_SERIES1, SS_C_SERIES2, SS_C_SERIES3,
                                         SS_C_SERIES5, SS_C_SERIES6, SS_C_ERROR};
    for (int m = 0; m < MAPS; m++)
        for (int i = 0; i < LEVELS; i++)
            g->color[g->ncolor++] = level_of(maps[m], i, LEVELS);
    g->first_other = g->ncolor;
    for (int i = 0; i < SS_THEME_NROLE; i++)
        add_color(g, theme->color[i]);
    for (int i = 0; i < 8; i++)
        add_color(g, ss_owner_color(i));
    for (int m = 0; m < MAPS; m++)
        for (int i = 0; i < LINES; i++)
            add_color(g,
                      ss_rgb_mix(level_of(maps[m], i, LINES), theme->color[SS_C_GROUND], line_ink));
    for (size_t i = 0; i < sizeof inks / sizeof *inks; i++)
        for (int part = 1; part < 4; part++)
            add_color(g, ss_rgb_mix(theme->color[SS_C_PANEL], theme->color[inks[i]], part / 4.0));
    for (int part = 1; part < 4; part++)
        add_color(g, ss_rgb_mix(theme->color[SS_C_GROUND], theme->color[SS_C_TEXT], part / 4.0));
}

static uint8_t find_nearest(const gif *g, ss_rgb c)
{
    int best = 0, least = 1 << 30;
    for (int i = 0; i < g->ncolor; i++) {
        int r = (int)(c >> 16 & 255) - (int)(g->color[i] >> 16 & 255);
        int v = (int)(c >> 8 & 255) - (int)(g->color[i] >> 8 & 255);
        int b = (int)(c & 255) - (int)(g->color[i] & 255);
        int d = 3 * r * r + 6 * v * v + b * b; /* weighted by luminance */
        if (d < least)
            least = d, best = i;
    }
    return (uint8_t)best;
}

/* The representative of level i when only so many levels are used. */
static uint8_t coarser(const gif *g, int i, int levels)
{
    if (i >= g->first_other || levels == LEVELS)
        return (uint8_t)i;
    int map = i / LEVELS, step = i % LEVELS * levels / LEVELS;
    int at = levels > 1 ? (int)lround(step * (LEVELS - 1.0) / (levels - 1)) : 0;
    return (uint8_t)(map * LEVELS + at);
}

/* --- spooled pictures ---------------------------------------------------------------------------
 * The time, then (unchanged dots, changed dots, their values) ... up to the whole picture. */

static void spool_picture(gif *g, const uint8_t *now, int64_t at)
{
    size_t n = (size_t)g->w * (size_t)g->h, i = 0;
    fwrite(&at, sizeof at, 1, g->spool);
    while (i < n) {
        uint32_t span[2];
        size_t from = i;
        while (i < n && now[i] == g->dots[i])
            i++;
        span[0] = (uint32_t)(i - from);
        from = i;
        /* Joining spans across a few equal dots is cheaper than a new span. */
        for (size_t same = 0; i < n && same < 2 * sizeof span; i++)
            same = now[i] == g->dots[i] ? same + 1 : 0;
        span[1] = (uint32_t)(i - from);
        fwrite(span, sizeof span, 1, g->spool);
        fwrite(now + from, 1, i - from, g->spool);
    }
}

static bool read_spooled(gif *g, int64_t *at)
{
    size_t n = (size_t)g->w * (size_t)g->h, i = 0;
    if (fread(at, sizeof *at, 1, g->spool) != 1)
        return false;
    while (i < n) {
        uint32_t span[2];
        if (fread(span, sizeof span, 1, g->spool) != 1 || span[0] > n - i ||
            span[1] > n - i - span[0])
            return false;
        i += span[0];
        if (fread(g->dots + i, 1, span[1], g->spool) != span[1])
            return false;
        i += span[1];
    }
    return true;
}

/* --- the file --------------------------------------------------------------------------------- */

static ss_encode *open_file(gif *g, ss_err *err)
{
    ss_err notice;
    int plays = g->spec.loop; /* the format counts repetitions; -1: none */
    return ss_encode_open(&g->spec, &container, 0.01,
                          plays == 0   ? 0
                          : plays == 1 ? -1
                                       : plays - 1,
                          &notice, err);
}

static int send(gif *g, int levels, int64_t at, ss_err *err)
{
    uint8_t to_level[256];
    AVFrame *to = ss_encode_picture(g->encode);
    if (!to)
        return ss_fail_outside(err, "out of memory: a frame of a recording");
    for (int i = 0; i < 256; i++)
        to_level[i] = coarser(g, i, levels);
    for (int y = 0; y < g->h; y++) {
        uint8_t *row = to->data[0] + (ptrdiff_t)y * to->linesize[0];
        const uint8_t *dots = g->dots + (size_t)y * (size_t)g->w;
        for (int x = 0; x < g->w; x++)
            row[x] = to_level[dots[x]];
    }
    uint32_t *palette = (uint32_t *)(void *)to->data[1];
    for (int i = 0; i < 256; i++)
        palette[i] = i == CLEAR ? 0 : 0xff000000 | (i < g->ncolor ? g->color[i] : 0);
    return ss_encode_send(g->encode, at * g->delay, err);
}

static void gif_free(gif *g)
{
    if (g->spool)
        fclose(g->spool);
    free(g->nearest);
    free(g->dots);
    free(g);
}

static int make_room(gif *g, ss_err *err)
{
    g->nearest = malloc(1 << 24);
    g->dots = calloc((size_t)g->w, (size_t)g->h);
    if (!g->nearest || !g->dots)
        return ss_fail_outside(err, "out of memory: recording %.80s", g->path);
    memset(g->nearest, CLEAR, 1 << 24);
    if (g->spec.max_size > 0 && !(g->spool = tmpfile()))
        return ss_fail_outside(err, "a temporary file for %.80s: %s", g->path, strerror(errno));
    return SS_OK;
}

static int gif_open(void **self, ss_record_spec *spec, ss_err *notice, ss_err *err)
{
    gif *g = calloc(1, sizeof *g);
    if (!g)
        return ss_fail_outside(err, "out of memory: recording %.80s", spec->path);
    snprintf(g->path, sizeof g->path, "%s", spec->path);
    g->w = spec->w;
    g->h = spec->h;
    g->delay = (int)fmax(2, round(100 / spec->fps));
    if (fabs(100.0 / g->delay - spec->fps) > 1e-6)
        ss_fail(notice,
                "%.80s: %.4g frames/s instead of %.4g; GIF counts hundredths of a second, 10, 20, "
                "25 and 50 are exact",
                spec->path, 100.0 / g->delay, spec->fps);
    spec->fps = 100.0 / g->delay;
    g->spec = *spec;
    g->spec.path = g->path;
    if (make_room(g, err) == SS_OK && (g->encode = open_file(g, err)) != NULL) {
        *self = g;
        return SS_OK;
    }
    gif_free(g);
    return SS_FAIL;
}

static void read_dots(gif *g, const ss_pixels *p, uint8_t *dots)
{
    for (int y = 0; y < g->h; y++) {
        const uint32_t *row =
            (const uint32_t *)(const void *)((const char *)p->data + (ptrdiff_t)y * p->stride);
        for (int x = 0; x < g->w; x++) {
            uint8_t *slot = &g->nearest[row[x] & 0xffffff];
            if (*slot == CLEAR)
                *slot = find_nearest(g, row[x] & 0xffffff);
            *dots++ = *slot;
        }
    }
}

/* Above the limit: the file will be encoded again, so this pass can stop. */
static int give_up_if_large(gif *g)
{
    ss_err ignored;
    if (!g->spool || !g->encode)
        return SS_OK;
    int64_t size = ss_encode_size(g->encode);
    g->largest = size - g->size > g->largest ? size - g->size : g->largest;
    g->size = size;
    if (g->spec.max_size <= 0 ||
        size + g->largest < g->spec.max_size) /* the last picture is not encoded yet */
        return SS_OK;
    ss_encode *e = g->encode;
    g->encode = NULL;
    return ss_encode_close(e, false, 0, &ignored);
}

static int gif_frame(void *self, const ss_frame *frame, ss_err *err)
{
    gif *g = self;
    uint8_t *now = calloc((size_t)g->w, (size_t)g->h);
    if (!now)
        return ss_fail_outside(err, "out of memory: a frame of a recording");
    if (g->ncolor == 0)
        choose_colors(g, frame->theme);
    read_dots(g, frame->pixels, now);
    if (g->spool)
        spool_picture(g, now, frame->at);
    free(g->dots);
    g->dots = now;
    g->frames++;
    if (g->spool && ferror(g->spool))
        return ss_fail_outside(err, "the temporary file for %.80s: %s", g->path, strerror(errno));
    if (g->encode && send(g, LEVELS, frame->at, err) != SS_OK)
        return SS_FAIL;
    return give_up_if_large(g);
}

/* --- making it fit ---------------------------------------------------------------------------- */

typedef struct measure {
    int levels, every; /* one of so many frames */
} measure;

/* Encodes the spooled pictures again; leaves g->encode NULL if the result is still too large. */
static int write_again(gif *g, measure m, ss_err *err)
{
    int64_t at, n = 0;
    memset(g->dots, 0, (size_t)g->w * (size_t)g->h);
    rewind(g->spool);
    g->size = g->largest = 0;
    g->encode = open_file(g, err);
    if (!g->encode)
        return SS_FAIL;
    for (; g->encode && n < g->frames && read_spooled(g, &at); n++)
        if ((n % m.every == 0 || n == g->frames - 1) &&
            (send(g, m.levels, at, err) != SS_OK || give_up_if_large(g)))
            return SS_FAIL;
    if (g->encode && n < g->frames)
        return ss_fail_outside(err, "cannot read the temporary file of frames for %.200s",
                               g->spec.path);
    return SS_OK;
}

static int fit(gif *g, ss_err *notice, ss_err *err)
{
    static const measure measures[] = {{24, 1}, {16, 1}, {8, 1}, {8, 2}, {8, 4}, {4, 8}};
    size_t n = sizeof measures / sizeof *measures;
    int64_t most = g->spec.max_size;
    for (size_t i = 0; i < n && !g->encode; i++) {
        measure m = measures[i];
        char rate[80] = "";
        if (i == n - 1)
            g->spec.max_size = 0; /* the smallest setting */
        if (write_again(g, m, err) != SS_OK)
            return SS_FAIL;
        if (m.every > 1)
            snprintf(rate, sizeof rate, " and %.4g instead of %.4g frames/s", g->spec.fps / m.every,
                     g->spec.fps);
        bool large = g->encode && g->size + g->largest >= most;
        ss_fail(notice, "%d instead of %d levels of colour%s, to fit --max-size%s", m.levels,
                LEVELS, rate, large ? ", but there is no smaller one" : "");
    }
    return SS_OK;
}

static int gif_close(void *self, bool ok, int64_t frames, ss_err *notice, ss_err *err)
{
    gif *g = self;
    int status = SS_OK, closed = SS_OK;
    if (ok && !g->encode)
        status = fit(g, notice, err);
    if (g->encode)
        closed = ss_encode_close(g->encode, ok && status == SS_OK, frames * g->delay,
                                 status == SS_OK ? err : NULL);
    gif_free(g);
    return status == SS_OK ? closed : status;
}

extern const ss_recorder ss_recorder_gif;
const ss_recorder ss_recorder_gif = {
    .medium = &ss_medium_pixels,
    .open = gif_open,
    .frame = gif_frame,
    .close = gif_close,
};
