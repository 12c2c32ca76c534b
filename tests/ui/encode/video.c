/* Recorders with a test pattern: a decoder reads back the same frames, sizes and colours; closing
 * without success leaves no file. */
#include "tests/check.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ui/canvas/canvas.h"
#include "ui/record/record.h"

#ifdef SS_WITH_FFMPEG
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>

enum { W = 320, H = 160, BARS = 8, FRAMES = 7 };

/* Colours of the program: ground, text, accent, ends of a map ... */
static const ss_rgb bar[BARS] = {0x0e1117, 0xdfe5ee, 0xf5b133, 0x440154,
                                 0xfde725, 0x21918c, 0xff0000, 0x0000ff};

static void draw(uint32_t *dot, int frame)
{
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            dot[y * W + x] = y < H - 20 ? bar[x * BARS / W] : x / 20 == frame ? 0xffffff : 0;
}

static void record(const char *path, int frames, bool ok)
{
    static uint32_t dot[W * H];
    ss_pixels pixels = {dot, W, H, 4 * W};
    ss_err notice = {0}, err = {0};
    void *self;
    ss_record_spec spec = {.path = path, .w = W, .h = H, .fps = 20, .caption = "bars"};
    const ss_format *format = ss_format_find(path, &err);
    CHECK_MSG(format, "%s", err.text);
    const ss_recorder *r = format->recorder;
    CHECK_MSG(r->open(&self, &spec, &notice, &err) == SS_OK, "%s", err.text);
    for (int i = 0; i < frames; i++) {
        draw(dot, i);
        ss_frame frame = {.at = i, .theme = &ss_themes[0], .pixels = &pixels};
        CHECK_MSG(r->frame(self, &frame, &err) == SS_OK, "%s", err.text);
    }
    CHECK_MSG(r->close(self, ok, frames, &notice, &err) == SS_OK, "%s", err.text);
}

typedef struct film {
    AVFormatContext *file;
    AVCodecContext *codec;
    AVFrame *frame;
    AVPacket *packet;
    int frames;
    uint8_t rgb[W * H * 3]; /* the last one */
} film;

static void to_rgb(film *f)
{
    uint8_t *to[4] = {f->rgb};
    int stride[4] = {3 * W};
    struct SwsContext *s =
        sws_getContext(f->frame->width, f->frame->height, f->frame->format, W, H, AV_PIX_FMT_RGB24,
                       SWS_BICUBIC | SWS_ACCURATE_RND, NULL, NULL, NULL);
    const int *of = sws_getCoefficients(f->frame->colorspace);
    sws_setColorspaceDetails(s, of, f->frame->color_range == AVCOL_RANGE_JPEG, of, 1, 0, 1 << 16,
                             1 << 16);
    sws_scale(s, (const uint8_t *const *)f->frame->data, f->frame->linesize, 0, f->frame->height,
              to, stride);
    sws_freeContext(s);
}

static void receive(film *f)
{
    while (avcodec_receive_frame(f->codec, f->frame) >= 0) {
        CHECK_INT(f->frame->width, W);
        CHECK_INT(f->frame->height, H);
        to_rgb(f);
        f->frames++;
    }
}

static void decode(const char *path, film *f)
{
    memset(f, 0, sizeof *f);
    CHECK(avformat_open_input(&f->file, path, NULL, NULL) == 0);
    CHECK(avformat_find_stream_info(f->file, NULL) >= 0);
    AVCodecParameters *p = f->file->streams[0]->codecpar;
    const AVCodec *codec = avcodec_find_decoder(p->codec_id);
    f->codec = avcodec_alloc_context3(codec);
    avcodec_parameters_to_context(f->codec, p);
    CHECK(avcodec_open2(f->codec, codec, NULL) == 0);
    f->frame = av_frame_alloc();
    f->packet = av_packet_alloc();
    while (av_read_frame(f->file, f->packet) >= 0) {
        CHECK(avcodec_send_packet(f->codec, f->packet) >= 0);
        receive(f);
        av_packet_unref(f->packet);
    }
    avcodec_send_packet(f->codec, NULL);
    receive(f);
    av_frame_free(&f->frame);
    av_packet_free(&f->packet);
    avcodec_free_context(&f->codec);
    avformat_close_input(&f->file);
}

static void check_colour(const film *f, const char *name, int x, int y, ss_rgb want, int slack)
{
    const uint8_t *p = &f->rgb[3 * (y * W + x)];
    for (int c = 0; c < 3; c++) {
        int should = (int)(want >> (16 - 8 * c) & 255);
        CHECK_MSG(abs(p[c] - should) <= slack, "%s: %d,%d is %02x%02x%02x, not %06x", name, x, y,
                  p[0], p[1], p[2], want);
    }
}

static void round_trip(const char *name, int slack, bool any_colour)
{
    static film f;
    char folder[] = "/tmp/encode.XXXXXX", path[64];
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    record(path, FRAMES, true);
    decode(path, &f);
    CHECK_INT(f.frames, FRAMES);
    for (int i = 0; i < (any_colour ? BARS : BARS - 2); i++)
        check_colour(&f, name, i * W / BARS + W / BARS / 2, H / 2, bar[i], slack);
    if (any_colour)
        check_colour(&f, name, 20 * (FRAMES - 1) + 10, H - 10, 0xffffff, slack);
    remove(path);
    CHECK_MSG(rmdir(folder) == 0, "%s: something is left behind", name);
}

TEST_CALL(encode, mp4, round_trip("a.mp4", 4, true))
TEST_CALL(encode, webm, round_trip("a.webm", 6, true))
TEST_CALL(encode, apng, round_trip("a.apng", 0, true))

/* The palette has the colours of the program. */
TEST_CALL(encode, gif, round_trip("a.gif", 5, false))

TEST(encode, a_failed_encoding_leaves_no_file)
{
    static const char *const names[] = {"a.mp4", "a.webm", "a.apng", "a.gif"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char folder[] = "/tmp/encode.XXXXXX", path[64];
        CHECK(mkdtemp(folder) != NULL);
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        record(path, 3, false);
        CHECK_MSG(rmdir(folder) == 0, "%s: something is left behind", names[i]);
    }
}
#else
TEST(encode, mp4)
{
    ss_err err = {0};
    CHECK(!ss_format_find("a.mp4", &err));
    CHECK_MSG(strstr(err.text, "FFmpeg") != NULL, "%s", err.text);
    SKIP("this build has no FFmpeg");
}
#endif
