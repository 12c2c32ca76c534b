/* Films by FFmpeg's libraries: one stream of pictures into one file, under a temporary name
 * until it is complete. Shared by the recorders of ui/encode; only these files include the
 * libraries. Single-threaded and bit-exact: equal frames give equal bytes. Main thread. */
#ifndef SS_ENCODE_H
#define SS_ENCODE_H

#include "ui/canvas/canvas.h"

struct AVFrame;

/* One codec to try: a row of a table, the best first. */
typedef struct ss_codec {
    const char *name;
    int pixels;           /* AVPixelFormat */
    const char *options;  /* "preset=medium:crf=18" */
    const char *in_haste; /* replaces options when recording live */
    const char *remark;   /* a remark reported when this codec is used, or NULL */
} ss_codec;

typedef struct ss_container {
    const char *name; /* of the muxer */
    const char *options;
    const char *loops;      /* name of the loop option, or NULL */
    int final_delay;        /* units per second of the option final_delay; 0: there is none */
    const ss_codec *codecs; /* NULL-name-terminated */
} ss_container;

typedef struct ss_encode ss_encode;

/* tick: seconds per unit of time. */
ss_encode *ss_encode_open(const ss_record_spec *spec, const ss_container *as, double tick,
                          int loops, ss_err *notice, ss_err *err);
/* The picture to fill for the next frame, in the codec's pixel format; NULL: out of memory. */
struct AVFrame *ss_encode_picture(ss_encode *e);
/* Sends it with the time stamp `at` in ticks. */
int ss_encode_send(ss_encode *e, int64_t at, ss_err *err);
/* Ends and frees; ok: renames into place. end: in ticks. */
int ss_encode_close(ss_encode *e, bool ok, int64_t end, ss_err *err);
/* Bytes written so far. */
int64_t ss_encode_size(const ss_encode *e);

#endif
