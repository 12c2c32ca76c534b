/* MP4, WebM and APNG: formats of any colour. One recorder over a table; see stream.h. */
#include <stdlib.h>
#include <string.h>

#include <libavutil/frame.h>
#include <libavutil/pixfmt.h>
#include <libswscale/swscale.h>

#include "ui/encode/stream.h"

#define YUV AV_PIX_FMT_YUV420P

static const ss_codec h264[] = {
    {"libx264", YUV, "preset=medium:crf=18", "preset=veryfast:tune=zerolatency:crf=20", NULL},
    {"libopenh264", YUV, "b=6M", "b=6M", NULL},
    {"mpeg4", YUV, "b=8M:qmin=2", "b=8M:qmin=2",
     "MPEG-4 instead of H.264, which FFmpeg's libraries cannot encode here"},
    {.name = NULL},
};

static const ss_codec vpx[] = {
    {"libvpx-vp9", YUV, "deadline=good:cpu-used=5:crf=28:b=0",
     "deadline=realtime:cpu-used=8:lag-in-frames=0:crf=32:b=0", NULL},
    {"libvpx", YUV, "deadline=good:cpu-used=4:crf=8:b=6M",
     "deadline=realtime:cpu-used=8:lag-in-frames=0:crf=10:b=6M",
     "VP8 instead of VP9, which FFmpeg's libraries cannot encode here"},
    {.name = NULL},
};

static const ss_codec apng_codec[] = {
    {"apng", AV_PIX_FMT_RGB24, "pred=paeth", "pred=none", NULL},
    {.name = NULL},
};

static const ss_container mp4 = {"mp4", "movflags=+faststart", NULL, 0, h264};
static const ss_container webm = {"webm", NULL, NULL, 0, vpx};
static const ss_container apng = {"apng", NULL, "plays", 1, apng_codec};

typedef struct video {
    ss_encode *encode;
    struct SwsContext *scale;
    int64_t last;
} video;

/* Interface colours are full-range RGB; films are BT.709 in limited range and are tagged so. */
static struct SwsContext *open_scale(int w, int h, int pixels)
{
    struct SwsContext *s = sws_getContext(
        w, h, AV_PIX_FMT_0RGB32, w, h, pixels,
        SWS_BICUBIC | SWS_ACCURATE_RND | SWS_BITEXACT | SWS_FULL_CHR_H_INP, NULL, NULL, NULL);
    const int *bt709 = sws_getCoefficients(SWS_CS_ITU709);
    if (s && pixels == YUV)
        sws_setColorspaceDetails(s, bt709, 1, bt709, 0, 0, 1 << 16, 1 << 16);
    return s;
}

static int open_as(void **self, ss_record_spec *spec, const ss_container *as, ss_err *notice,
                   ss_err *err)
{
    ss_err ignored;
    video *v = calloc(1, sizeof *v);
    if (!v)
        return ss_fail(err, "out of memory: recording %.80s", spec->path);
    v->last = -1;
    v->encode = ss_encode_open(spec, as, 1 / spec->fps, spec->loop, notice, err);
    if (!v->encode)
        goto fail;
    v->scale = open_scale(spec->w, spec->h, ss_encode_pixels(v->encode));
    if (v->scale) {
        *self = v;
        return SS_OK;
    }
    ss_fail(err, "out of memory: recording %.80s", spec->path);
    ss_encode_close(v->encode, false, 0, &ignored);
fail:
    free(v);
    return SS_FAIL;
}

static int video_frame(void *self, const ss_frame *frame, ss_err *err)
{
    video *v = self;
    const ss_pixels *p = frame->pixels;
    const uint8_t *from[4] = {p->data};
    const int stride[4] = {p->stride};
    AVFrame *to = ss_encode_picture(v->encode);
    if (!to)
        return ss_fail(err, "out of memory: a frame of a recording");
    sws_scale(v->scale, from, stride, 0, p->h, to->data, to->linesize);
    v->last = frame->at;
    return ss_encode_send(v->encode, frame->at, err);
}

/* The last picture is sent once more to fix its duration. */
static int video_close(void *self, bool ok, int64_t frames, ss_err *notice, ss_err *err)
{
    video *v = self;
    int status = SS_OK;
    (void)notice;
    if (ok && v->last >= 0 && frames - 1 > v->last)
        status = ss_encode_send(v->encode, frames - 1, err);
    int closed =
        ss_encode_close(v->encode, ok && status == SS_OK, frames, status == SS_OK ? err : NULL);
    sws_freeContext(v->scale);
    free(v);
    return status == SS_OK ? closed : status;
}

static int mp4_open(void **self, ss_record_spec *spec, ss_err *notice, ss_err *err)
{
    return open_as(self, spec, &mp4, notice, err);
}

static int webm_open(void **self, ss_record_spec *spec, ss_err *notice, ss_err *err)
{
    return open_as(self, spec, &webm, notice, err);
}

static int apng_open(void **self, ss_record_spec *spec, ss_err *notice, ss_err *err)
{
    return open_as(self, spec, &apng, notice, err);
}

#define RECORDER(name, sizes)                                                                      \
    extern const ss_recorder ss_recorder_##name;                                                   \
    const ss_recorder ss_recorder_##name = {.medium = &ss_medium_pixels,                           \
                                            .even = (sizes),                                       \
                                            .open = name##_open,                                   \
                                            .frame = video_frame,                                  \
                                            .close = video_close}

RECORDER(mp4, true);
RECORDER(webm, true);
RECORDER(apng, false);
