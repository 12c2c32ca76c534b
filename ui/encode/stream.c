/* One stream of pictures into one file; and the formats of any colour, MP4, WebM and APNG: one
 * recorder over a table. See stream.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avstring.h>
#include <libavutil/frame.h>
#include <libavutil/opt.h>
#include <libavutil/pixfmt.h>
#include <libswscale/swscale.h>

#include "src/base/file.h"
#include "ui/encode/stream.h"

enum { IO_BUFFER = 1 << 16 };

struct ss_encode {
    const ss_container *as;
    ss_outfile file;
    AVIOContext *io;
    AVFormatContext *mux;
    AVCodecContext *codec;
    AVStream *stream;
    AVFrame *picture;
    AVPacket *packet;
    int64_t last; /* time of the last picture */
    int why;      /* errno of the first failed write, or 0 */
    bool begun;   /* the header is written */
};

static int fail(const ss_encode *e, const char *what, int code, ss_err *err)
{
    char text[AV_ERROR_MAX_STRING_SIZE] = "";
    if (e->why)
        return ss_fail_outside(err, "cannot write %.160s: %s", e->file.path, strerror(e->why));
    av_strerror(code, text, sizeof text);
    return ss_fail_outside(err, "%.160s: %s: %s", e->file.path, what, text);
}

/* --- the file --------------------------------------------------------------------------------- */

/* Since FFmpeg 7 what is to be written is const; before, this was another type. */
#if LIBAVFORMAT_VERSION_MAJOR >= 61
typedef const uint8_t written;
#else
typedef uint8_t written;
#endif

static int write_bytes(void *opaque, written *data, int n)
{
    ss_encode *e = opaque;
    if (fwrite(data, 1, (size_t)n, e->file.stream) == (size_t)n)
        return n;
    e->why = e->why ? e->why : errno;
    return AVERROR(e->why ? e->why : EIO);
}

static int64_t seek_bytes(void *opaque, int64_t offset, int whence)
{
    ss_encode *e = opaque;
    if (whence & AVSEEK_SIZE)
        return -1;
    return fseeko(e->file.stream, offset, whence) == 0 ? ftello(e->file.stream) : AVERROR(errno);
}

/* The muxer may move the header to the front of the file, for which it opens the file by its
 * name. */
static int open_file(ss_encode *e, const ss_record_spec *spec, ss_err *err)
{
    if (ss_outfile_open(&e->file, spec->path, err) != SS_OK)
        return SS_FAIL;
    setvbuf(e->file.stream, NULL, _IONBF, 0);
    uint8_t *buffer = av_malloc(IO_BUFFER);
    if (buffer)
        e->io = avio_alloc_context(buffer, IO_BUFFER, 1, e, NULL, write_bytes, seek_bytes);
    if (!e->io) {
        av_free(buffer);
        return ss_fail_outside(err, "out of memory: recording %.80s", spec->path);
    }
    e->mux->pb = e->io;
    e->mux->url = av_asprintf("file:%s", e->file.temporary);
    return SS_OK;
}

/* --- opening ---------------------------------------------------------------------------------- */

static int open_muxer(ss_encode *e, const ss_record_spec *spec, ss_err *err)
{
    char both[1400];
    int code = avformat_alloc_output_context2(&e->mux, NULL, e->as->name, NULL);
    if (code < 0)
        return fail(e, "FFmpeg's libraries do not write this format", code, err);
    e->mux->flags |= AVFMT_FLAG_BITEXACT; /* no date, no random numbers */
    snprintf(both, sizeof both, "%s%s%s", spec->command ? spec->command : "",
             spec->comment ? "; " : "", spec->comment ? spec->comment : "");
    av_dict_set(&e->mux->metadata, "comment", both, 0);
    if (spec->caption)
        av_dict_set(&e->mux->metadata, "title", spec->caption, 0);
    return SS_OK;
}

static bool is_yuv(int pixels)
{
    return pixels == AV_PIX_FMT_YUV420P;
}

static int try_codec(ss_encode *e, const ss_codec *row, const ss_record_spec *spec, double tick)
{
    AVDictionary *options = NULL;
    const AVCodec *codec = avcodec_find_encoder_by_name(row->name);
    AVCodecContext *c = codec ? avcodec_alloc_context3(codec) : NULL;
    if (!c)
        return AVERROR_ENCODER_NOT_FOUND;
    c->width = spec->w;
    c->height = spec->h;
    c->pix_fmt = row->pixels;
    c->time_base = av_d2q(tick, 1000000);
    c->framerate = av_d2q(spec->fps, 1000000);
    c->sample_aspect_ratio = (AVRational){1, 1};
    c->gop_size = (int)(5 * spec->fps) + 1;
    c->thread_count = 1;
    c->flags |= AV_CODEC_FLAG_BITEXACT;
    if (e->mux->oformat->flags & AVFMT_GLOBALHEADER)
        c->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    if (is_yuv(row->pixels)) {
        c->colorspace = AVCOL_SPC_BT709;
        c->color_primaries = AVCOL_PRI_BT709;
        c->color_trc = AVCOL_TRC_BT709;
        c->color_range = AVCOL_RANGE_MPEG;
        c->chroma_sample_location = AVCHROMA_LOC_LEFT;
    }
    av_dict_parse_string(&options, spec->live ? row->in_haste : row->options, "=", ":", 0);
    int code = avcodec_open2(c, codec, &options);
    av_dict_free(&options);
    if (code < 0)
        avcodec_free_context(&c);
    e->codec = c;
    return code;
}

static int open_codec(ss_encode *e, const ss_record_spec *spec, double tick, ss_err *notice,
                      ss_err *err)
{
    int code = AVERROR_ENCODER_NOT_FOUND;
    const ss_codec *row = e->as->codecs;
    for (; row->name; row++)
        if ((code = try_codec(e, row, spec, tick)) >= 0)
            break;
    if (!row->name)
        return fail(e, "FFmpeg's libraries have no encoder for this format", code, err);
    if (row->remark)
        ss_fail(notice, "%.80s: %s", spec->path, row->remark);
    return SS_OK;
}

static int begin(ss_encode *e, int loops, ss_err *err)
{
    AVDictionary *options = NULL;
    e->stream = avformat_new_stream(e->mux, NULL);
    if (!e->stream)
        return fail(e, "a stream", AVERROR(ENOMEM), err);
    e->stream->time_base = e->codec->time_base;
    e->stream->avg_frame_rate = e->codec->framerate;
    int code = avcodec_parameters_from_context(e->stream->codecpar, e->codec);
    if (e->as->options)
        av_dict_parse_string(&options, e->as->options, "=", ":", 0);
    if (e->as->loops)
        av_dict_set_int(&options, e->as->loops, loops, 0);
    code = code < 0 ? code : avformat_write_header(e->mux, &options);
    av_dict_free(&options);
    if (code < 0)
        return fail(e, "the head of the file", code, err);
    e->begun = true;
    return SS_OK;
}

static int make_picture(ss_encode *e, ss_err *err)
{
    e->picture = av_frame_alloc();
    e->packet = av_packet_alloc();
    if (!e->picture || !e->packet)
        return fail(e, "a picture", AVERROR(ENOMEM), err);
    e->picture->format = e->codec->pix_fmt;
    e->picture->width = e->codec->width;
    e->picture->height = e->codec->height;
    e->picture->color_range = e->codec->color_range;
    e->picture->colorspace = e->codec->colorspace;
    int code = av_frame_get_buffer(e->picture, 0);
    return code < 0 ? fail(e, "a picture", code, err) : SS_OK;
}

ss_encode *ss_encode_open(const ss_record_spec *spec, const ss_container *as, double tick,
                          int loops, ss_err *notice, ss_err *err)
{
    ss_err ignored;
    ss_encode *e = calloc(1, sizeof *e);
    if (!e) {
        ss_fail_outside(err, "out of memory: recording %.80s", spec->path);
        return NULL;
    }
    e->as = as;
    e->last = -1;
    av_log_set_level(AV_LOG_QUIET); /* errors are reported by our own sentences */
    snprintf(e->file.path, sizeof e->file.path, "%s", spec->path);
    if (open_muxer(e, spec, err) == SS_OK && open_codec(e, spec, tick, notice, err) == SS_OK &&
        open_file(e, spec, err) == SS_OK && begin(e, loops, err) == SS_OK &&
        make_picture(e, err) == SS_OK)
        return e;
    ss_encode_close(e, false, 0, &ignored);
    return NULL;
}

/* --- frames ----------------------------------------------------------------------------------- */

struct AVFrame *ss_encode_picture(ss_encode *e)
{
    return av_frame_make_writable(e->picture) < 0 ? NULL : e->picture;
}

static int encode_pixels(const ss_encode *e)
{
    return e->codec->pix_fmt;
}

int64_t ss_encode_size(const ss_encode *e)
{
    return avio_tell(e->io);
}

/* Writes the packets that the encoder has ready. */
static int write_ready(ss_encode *e, ss_err *err)
{
    int code;
    while ((code = avcodec_receive_packet(e->codec, e->packet)) >= 0) {
        e->packet->stream_index = e->stream->index;
        e->packet->duration = e->packet->duration > 0 ? e->packet->duration : 1;
        av_packet_rescale_ts(e->packet, e->codec->time_base, e->stream->time_base);
        code = av_write_frame(e->mux, e->packet);
        av_packet_unref(e->packet);
        if (code < 0 || e->io->error < 0)
            return fail(e, "writing", code < 0 ? code : e->io->error, err);
    }
    return code == AVERROR(EAGAIN) || code == AVERROR_EOF ? SS_OK : fail(e, "encoding", code, err);
}

int ss_encode_send(ss_encode *e, int64_t at, ss_err *err)
{
    e->picture->pts = e->last = at;
    int code = avcodec_send_frame(e->codec, e->picture);
    if (code < 0)
        return fail(e, "encoding", code, err);
    return write_ready(e, err);
}

/* Some formats derive the duration of the last picture from a packet after it. */
static void set_final_delay(ss_encode *e, int64_t end)
{
    int units = e->as->final_delay;
    double ticks = (double)(end > e->last ? end - e->last : 1);
    if (units > 0)
        av_opt_set_q(e->mux->priv_data, "final_delay",
                     av_d2q(ticks * av_q2d(e->codec->time_base) * units, 1000000), 0);
}

static int finish(ss_encode *e, int64_t end, ss_err *err)
{
    int code = avcodec_send_frame(e->codec, NULL);
    if (code < 0)
        return fail(e, "encoding", code, err);
    if (write_ready(e, err) != SS_OK)
        return SS_FAIL;
    set_final_delay(e, end);
    code = av_write_trailer(e->mux);
    avio_flush(e->io);
    e->begun = false;
    if (code < 0 || e->io->error < 0)
        return fail(e, "the end of the file", code < 0 ? code : e->io->error, err);
    return SS_OK;
}

int ss_encode_close(ss_encode *e, bool ok, int64_t end, ss_err *err)
{
    int status = ok ? finish(e, end, err) : SS_OK;
    if (e->begun && e->as->final_delay > 0)
        av_write_trailer(e->mux); /* such a muxer writes its last packet only here */
    avcodec_free_context(&e->codec);
    av_frame_free(&e->picture);
    av_packet_free(&e->packet);
    if (e->mux) {
        e->mux->pb = NULL;
        avformat_free_context(e->mux);
    }
    if (e->io) {
        av_freep(&e->io->buffer);
        avio_context_free(&e->io);
    }
    if (status != SS_OK)
        ss_outfile_close(&e->file, false, NULL);
    else
        status = ss_outfile_close(&e->file, ok, err);
    free(e);
    return status;
}

/* --- MP4, WebM and APNG ----------------------------------------------------------------------- */

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
    v->scale = open_scale(spec->w, spec->h, encode_pixels(v->encode));
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
