/*
 * GIF, by FFmpeg's filters palettegen and paletteuse: one palette for the whole film, so that equal
 * colours stay equal, and no dithering, so that unchanged areas cost nothing. A palette of all
 * frames needs all frames: they are first kept in a lossless temporary file, which is then read
 * once for the palette and once for the pictures. With a size limit this is repeated with fewer
 * colours, then with fewer frames, until the file fits. See stream.h.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavutil/frame.h>
#include <libavutil/opt.h>
#include <libavutil/pixfmt.h>

#include "ui/encode/stream.h"

#define TICK 0.01 /* the format counts hundredths of a second */

typedef struct gif {
    ss_record_spec spec;
    char path[1024];
    ss_encode *kept, *encode; /* the temporary file; the GIF */
    int delay;                /* ticks per frame */
    int64_t frames;
} gif;

static const ss_codec ffv1[] = {{"ffv1", AV_PIX_FMT_0RGB32, NULL, NULL, NULL}, {.name = NULL}};
static const ss_codec codecs[] = {
    {"gif", AV_PIX_FMT_PAL8, "gifflags=+offsetting+transdiff", "gifflags=+offsetting+transdiff",
     NULL},
    {.name = NULL},
};
static const ss_container kept = {"nut", NULL, NULL, 0, ffv1};
static const ss_container container = {"gif", NULL, "loop", 100, codecs};

/* --- keeping the frames ----------------------------------------------------------------------- */

static int open_gif(gif *g, ss_err *err)
{
    ss_err notice;
    int loops = g->spec.loop; /* the format counts repetitions; -1: none */
    loops = loops == 0 ? 0 : loops == 1 ? -1 : loops - 1;
    g->encode = ss_encode_open(&g->spec, &container, TICK, loops, &notice, err);
    return g->encode ? SS_OK : SS_FAIL;
}

static int open_kept(gif *g, ss_err *err)
{
    char path[512];
    const char *folder = getenv("TMPDIR");
    ss_record_spec spec = g->spec;
    ss_err notice;
    snprintf(path, sizeof path, "%s/stencilscope.%ld", folder && *folder ? folder : P_tmpdir,
             (long)getpid());
    spec.path = path;
    g->kept = ss_encode_open(&spec, &kept, TICK, 0, &notice, err);
    return g->kept ? SS_OK : SS_FAIL;
}

/* Removes what is not finished. */
static void gif_free(gif *g)
{
    ss_err ignored;
    if (g->kept)
        ss_encode_close(g->kept, false, &ignored);
    if (g->encode)
        ss_encode_close(g->encode, false, &ignored);
    free(g);
}

static int gif_open(void **self, ss_record_spec *spec, ss_err *notice, ss_err *err)
{
    gif *g = calloc(1, sizeof *g);
    if (!g)
        return ss_fail_outside(err, "out of memory: recording %.80s", spec->path);
    snprintf(g->path, sizeof g->path, "%s", spec->path);
    g->delay = (int)fmax(2, round(1 / (TICK * spec->fps)));
    if (fabs(1 / (TICK * g->delay) - spec->fps) > 1e-6)
        ss_fail(notice,
                "%.80s: %.4g frames/s instead of %.4g; GIF counts hundredths of a second, 10, 20, "
                "25 and 50 are exact",
                spec->path, 1 / (TICK * g->delay), spec->fps);
    spec->fps = 1 / (TICK * g->delay);
    g->spec = *spec;
    g->spec.path = g->path;
    if (open_gif(g, err) == SS_OK && open_kept(g, err) == SS_OK) {
        *self = g;
        return SS_OK;
    }
    gif_free(g);
    return SS_FAIL;
}

static int gif_frame(void *self, const ss_frame *frame, ss_err *err)
{
    gif *g = self;
    const ss_pixels *p = frame->pixels;
    AVFrame *to = ss_encode_picture(g->kept);
    if (!to)
        return ss_fail_outside(err, "out of memory: a frame of a recording");
    for (int y = 0; y < p->h; y++)
        memcpy(to->data[0] + (ptrdiff_t)y * to->linesize[0],
               (const char *)p->data + (ptrdiff_t)y * p->stride, 4 * (size_t)p->w);
    g->frames++;
    return ss_encode_send(g->kept, frame->at * g->delay, err);
}

/* --- the filters ------------------------------------------------------------------------------ */

static AVFilterContext *add(AVFilterGraph *graph, const char *name, const char *option,
                            const char *value)
{
    const AVFilter *filter = avfilter_get_by_name(name);
    AVFilterContext *f = filter ? avfilter_graph_alloc_filter(graph, filter, NULL) : NULL;
    bool set = f && (!option || av_opt_set(f, option, value, AV_OPT_SEARCH_CHILDREN) >= 0);
    return set && avfilter_init_str(f, NULL) >= 0 ? f : NULL;
}

/* The kept film, once through palettegen and once with its palette. Returns the graph's end. */
static AVFilterContext *connect(AVFilterGraph *graph, const char *path, int colors)
{
    char most[16], url[1100];
    snprintf(most, sizeof most, "%d", colors);
    snprintf(url, sizeof url, "file:%s", path);
    AVFilterContext *first = add(graph, "movie", "filename", url);
    AVFilterContext *second = add(graph, "movie", "filename", url);
    AVFilterContext *palette = add(graph, "palettegen", "max_colors", most);
    AVFilterContext *use = add(graph, "paletteuse", "dither", "none");
    AVFilterContext *end = add(graph, "buffersink", NULL, NULL);
    bool linked = first && second && palette && use && end &&
                  avfilter_link(first, 0, palette, 0) >= 0 &&
                  avfilter_link(second, 0, use, 0) >= 0 && avfilter_link(palette, 0, use, 1) >= 0 &&
                  avfilter_link(use, 0, end, 0) >= 0 && avfilter_graph_config(graph, NULL) >= 0;
    return linked ? end : NULL;
}

static int send(gif *g, const AVFrame *from, AVRational unit, ss_err *err)
{
    AVFrame *to = ss_encode_picture(g->encode);
    if (!to || av_frame_copy(to, from) < 0)
        return ss_fail_outside(err, "out of memory: a frame of a recording");
    return ss_encode_send(g->encode, av_rescale_q(from->pts, unit, (AVRational){1, 100}), err);
}

typedef struct measure {
    int colors, every; /* colors: with the transparent one; every: one of so many frames */
} measure;

/* Writes the GIF, up to its limit. */
static int convert(gif *g, measure m, ss_err *err)
{
    AVFilterGraph *graph = avfilter_graph_alloc();
    AVFrame *frame = av_frame_alloc();
    AVFilterContext *end =
        graph && frame ? connect(graph, ss_encode_file(g->kept), m.colors) : NULL;
    int status = SS_OK;
    int64_t n = 0, most = g->spec.max_size;
    for (; end && status == SS_OK && av_buffersink_get_frame(end, frame) >= 0; n++) {
        bool fits = most <= 0 || ss_encode_size(g->encode) <= most;
        if (fits && (n % m.every == 0 || n == g->frames - 1))
            status = send(g, frame, av_buffersink_get_time_base(end), err);
        av_frame_unref(frame);
    }
    if (status == SS_OK && n < g->frames)
        status = ss_fail_outside(err, "%.200s: FFmpeg's filters make no palette here", g->path);
    av_frame_free(&frame);
    avfilter_graph_free(&graph);
    return status;
}

/* --- making it fit ---------------------------------------------------------------------------- */

static const measure measures[] = {{128, 1}, {64, 1}, {32, 1}, {16, 1}, {16, 2}, {16, 4}, {8, 8}};
enum { NMEASURE = sizeof measures / sizeof *measures };

static void say_measure(const gif *g, measure m, bool large, ss_err *notice)
{
    char rate[80] = "";
    if (m.every > 1)
        snprintf(rate, sizeof rate, " and %.4g instead of %.4g frames/s", g->spec.fps / m.every,
                 g->spec.fps);
    ss_fail(notice, "%d instead of %d colours%s, to fit --max-size%s", m.colors, measures[0].colors,
            rate, large ? ", but there is no smaller one" : "");
}

static int write_fitting(gif *g, int64_t end, ss_err *notice, ss_err *err)
{
    int64_t most = g->spec.max_size;
    for (int i = 0; i < NMEASURE; i++) {
        ss_encode *tried = i > 0 ? g->encode : NULL;
        ss_err ignored;
        if (i == NMEASURE - 1)
            g->spec.max_size = 0; /* the smallest setting */
        if (tried) {
            g->encode = NULL;
            ss_encode_close(tried, false, &ignored);
            if (open_gif(g, err) != SS_OK)
                return SS_FAIL;
        }
        if (convert(g, measures[i], err) != SS_OK || ss_encode_finish(g->encode, end, err) != SS_OK)
            return SS_FAIL;
        bool large = most > 0 && ss_encode_size(g->encode) > most;
        if (i > 0)
            say_measure(g, measures[i], large, notice);
        if (!large)
            break;
    }
    return SS_OK;
}

static int gif_close(void *self, bool ok, int64_t frames, ss_err *notice, ss_err *err)
{
    gif *g = self;
    int status = SS_OK;
    int64_t end = frames * g->delay;
    if (ok && ((status = ss_encode_finish(g->kept, end, err)) == SS_OK) &&
        ((status = write_fitting(g, end, notice, err)) == SS_OK)) {
        status = ss_encode_close(g->encode, true, err);
        g->encode = NULL;
    }
    gif_free(g);
    return status;
}

extern const ss_recorder ss_recorder_gif;
const ss_recorder ss_recorder_gif = {
    .medium = &ss_medium_pixels,
    .open = gif_open,
    .frame = gif_frame,
    .close = gif_close,
};
