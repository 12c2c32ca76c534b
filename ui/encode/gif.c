/*
 * GIF from a palette that is known in advance: the levels of the colour maps, the theme's colours
 * and blends of text and background. No dithering: unchanged areas cost nothing. See stream.h.
 */
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
    ss_encode *encode;
    int delay; /* hundredths of a second */
    ss_rgb color[256];
    int ncolor, first_other; /* the levels come first */
    uint8_t *nearest;        /* palette index by colour; CLEAR: not searched yet */
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

/* --- the file --------------------------------------------------------------------------------- */

static ss_encode *open_file(const ss_record_spec *spec, ss_err *err)
{
    ss_err notice;
    int plays = spec->loop; /* the format counts repetitions; -1: none */
    return ss_encode_open(spec, &container, 0.01, plays == 1 ? -1 : plays - (plays > 0), &notice,
                          err);
}

static int gif_open(void **self, ss_record_spec *spec, ss_err *notice, ss_err *err)
{
    gif *g = calloc(1, sizeof *g);
    if (!g || !(g->nearest = malloc(1 << 24))) {
        free(g);
        return ss_fail_outside(err, "out of memory: recording %.80s", spec->path);
    }
    memset(g->nearest, CLEAR, 1 << 24);
    g->delay = (int)fmax(2, round(100 / spec->fps));
    if (fabs(100.0 / g->delay - spec->fps) > 1e-6)
        ss_fail(notice,
                "%.80s: %.4g frames/s instead of %.4g; GIF counts hundredths of a second, 10, 20, "
                "25 and 50 are exact",
                spec->path, 100.0 / g->delay, spec->fps);
    spec->fps = 100.0 / g->delay;
    *self = g;
    if ((g->encode = open_file(spec, err)))
        return SS_OK;
    free(g->nearest);
    free(g);
    return SS_FAIL;
}

static void draw_row(gif *g, const uint32_t *from, int w, uint8_t *to)
{
    for (int x = 0; x < w; x++) {
        uint8_t *slot = &g->nearest[from[x] & 0xffffff];
        if (*slot == CLEAR)
            *slot = find_nearest(g, from[x] & 0xffffff);
        to[x] = *slot;
    }
}

static int gif_frame(void *self, const ss_frame *frame, ss_err *err)
{
    gif *g = self;
    const ss_pixels *p = frame->pixels;
    AVFrame *to = ss_encode_picture(g->encode);
    if (!to)
        return ss_fail_outside(err, "out of memory: a frame of a recording");
    if (g->ncolor == 0)
        choose_colors(g, frame->theme);
    for (int y = 0; y < p->h; y++)
        draw_row(g,
                 (const uint32_t *)(const void *)((const char *)p->data + (ptrdiff_t)y * p->stride),
                 p->w, to->data[0] + (ptrdiff_t)y * to->linesize[0]);
    uint32_t *palette = (uint32_t *)(void *)to->data[1];
    for (int i = 0; i < 256; i++)
        palette[i] = i == CLEAR ? 0 : 0xff000000 | (i < g->ncolor ? g->color[i] : 0);
    return ss_encode_send(g->encode, frame->at * g->delay, err);
}

static int gif_close(void *self, bool ok, int64_t frames, ss_err *notice, ss_err *err)
{
    gif *g = self;
    (void)notice;
    int status = ss_encode_close(g->encode, ok, frames * g->delay, err);
    free(g->nearest);
    free(g);
    return status;
}

extern const ss_recorder ss_recorder_gif;
const ss_recorder ss_recorder_gif = {
    .medium = &ss_medium_pixels,
    .open = gif_open,
    .frame = gif_frame,
    .close = gif_close,
};
