/* Recordings, frame by frame: a medium to draw on and a recorder that encodes the frames; and the
 * formats of recordings in the order of their listing: only this file and the Makefile know which
 * exist. See record.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "src/base/common.h"
#include "ui/record/record.h"

/* --- formats ---------------------------------------------------------------------------------- */

#ifdef SS_WITH_CAIRO
extern const ss_recorder ss_recorder_png;
extern const ss_figures ss_figures_cairo;
#define DRAWN(name) &ss_recorder_##name, NULL
#else
#define DRAWN(name) NULL, "cairo and pango"
#endif

#if defined(SS_WITH_CAIRO) && defined(SS_WITH_FFMPEG)
extern const ss_recorder ss_recorder_mp4, ss_recorder_webm, ss_recorder_gif, ss_recorder_apng;
#define ENCODED(name) &ss_recorder_##name, NULL
#elif defined(SS_WITH_CAIRO)
#define ENCODED(name) NULL, "FFmpeg's libraries"
#else
#define ENCODED(name) NULL, "FFmpeg's libraries, cairo and pango"
#endif

extern const ss_recorder ss_recorder_cast;

const ss_format ss_formats[] = {
    {".mp4", "H.264 video", ENCODED(mp4)},
    {".webm", "VP9 video", ENCODED(webm)},
    {".gif", "animation that loops", ENCODED(gif)},
    {".apng", "animation without loss", ENCODED(apng)},
    {".png", "a file for each frame", DRAWN(png)},
    {".cast", "terminal session for asciinema", &ss_recorder_cast, NULL},
    {.ext = NULL},
};

/* All formats, or only those that can be written. */
static const char *list_formats(bool written, char *buf, size_t size)
{
    size_t n = 0;
    for (const ss_format *f = ss_formats; f->ext && n < size; f++)
        if (f->recorder || !written)
            n += (size_t)snprintf(buf + n, size - n, "%s%s", n ? " " : "", f->ext);
    return buf;
}

const ss_format *ss_format_find(const char *path, ss_err *err)
{
    char all[80];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    for (const ss_format *f = ss_formats; f->ext; f++) {
        if (!dot || dot == name || strcasecmp(dot, f->ext) != 0)
            continue;
        if (f->recorder)
            return f;
        ss_fail(err,
                "%.80s: this program was built without %s, which %s needs; " SS_REMEDY
                ", and it writes %s",
                path, f->missing, f->ext, list_formats(true, all, sizeof all));
        return NULL;
    }
    ss_fail(err, "record: '%.80s' ends in none of %s", path, list_formats(false, all, sizeof all));
    return NULL;
}

const ss_figures *ss_figures_find(ss_err *err)
{
#ifdef SS_WITH_CAIRO
    (void)err;
    return &ss_figures_cairo;
#else
    ss_fail(err, "figures need cairo and pango, without which this program was built; " SS_REMEDY);
    return NULL;
#endif
}

/* --- one recording ---------------------------------------------------------------------------- */

struct ss_recording {
    const ss_recorder *recorder;
    const ss_medium *medium;
    void *self, *canvas; /* the recorder's state, the medium's state */
    ss_queue *queue;     /* of a live recording in pixels; NULL: frames are encoded at once */
    bool whole;          /* a full queue is waited for */
    int64_t dropped;     /* frames that found the queue full */
    char path[1024];
    double fps;
    int64_t last; /* number of the last frame, -1: none */
    int64_t frames;
    bool failed, rehearsal;
};

static void settle_size(const ss_recorder *rec, ss_record_spec *s, ss_err *notice)
{
    int w = s->w > 0 ? s->w : rec->medium->w, h = s->h > 0 ? s->h : rec->medium->h;
    s->w = rec->even ? w + (w & 1) : w;
    s->h = rec->even ? h + (h & 1) : h;
    if (s->w != w || s->h != h)
        ss_fail(notice, "%.80s: %dx%d instead of %dx%d, the format takes even sizes only", s->path,
                s->w, s->h, w, h);
}

ss_recording *ss_recording_open(const ss_record_spec *spec, ss_err *notice, ss_err *err)
{
    const ss_format *format = ss_format_find(spec->path, err);
    ss_record_spec own = *spec;
    if (!format)
        return NULL;
    ss_recording *r = calloc(1, sizeof *r);
    if (!r) {
        ss_fail(err, "out of memory: recording %.80s", spec->path);
        return NULL;
    }
    r->recorder = format->recorder;
    r->medium = format->recorder->medium;
    r->last = -1;
    snprintf(r->path, sizeof r->path, "%s", spec->path);
    settle_size(r->recorder, &own, notice);
    if (ss_medium_check(r->medium, spec->path, own.w, own.h, err) != SS_OK ||
        r->medium->open(&r->canvas, own.w, own.h, err) != SS_OK)
        goto fail;
    r->rehearsal = spec->rehearsal;
    if (!r->rehearsal && r->recorder->open(&r->self, &own, notice, err) != SS_OK)
        goto fail_medium;
    r->fps = own.fps;
    r->whole = own.whole;
    if (own.live && r->medium->threads)
        r->queue = ss_queue_new(r->recorder, r->self, own.w, own.h);
    return r;
fail_medium:
    r->medium->close(r->canvas);
fail:
    free(r);
    return NULL;
}

void ss_recording_extent(const ss_recording *r, ss_extent *out)
{
    r->medium->extent(r->canvas, out);
}

int ss_recording_frame(ss_recording *r, const ss_scene *scene, int64_t at, ss_err *err)
{
    ss_frame frame = {.at = at, .theme = scene->theme};
    if (at <= r->last || r->rehearsal)
        return SS_OK;
    if (r->failed)
        return ss_fail(err, "%.80s: the recording has failed", r->path);
    if (r->queue && !ss_queue_has_room(r->queue, r->whole)) {
        r->dropped++;
        r->last = at; /* another picture of this time is not another frame */
        return SS_OK;
    }
    r->failed = true;
    if (!r->medium->paint(r->canvas, scene, &frame))
        return ss_fail(err, "%.80s: out of memory for a frame", r->path);
    if ((r->queue ? ss_queue_add(r->queue, &frame, err)
                  : r->recorder->frame(r->self, &frame, err)) != SS_OK)
        return SS_FAIL;
    r->failed = false;
    r->last = at;
    r->frames++;
    return SS_OK;
}

void ss_recording_wait(ss_recording *r)
{
    if (r->queue)
        ss_queue_has_room(r->queue, true);
}

void ss_recording_mark(ss_recording *r, const char *text)
{
    if (r->recorder->mark && !r->rehearsal)
        r->recorder->mark(r->self, text);
}

static void report(const ss_recording *r, int64_t at, const ss_err *remark, ss_err *notice)
{
    struct stat st;
    char size[32] = "";
    if (stat(r->path, &st) == 0 && S_ISREG(st.st_mode)) {
        char bytes[24];
        snprintf(size, sizeof size, ", %s",
                 ss_format_bytes((double)st.st_size, bytes, sizeof bytes));
    }
    ss_fail(notice, "recorded %.120s: %lld frame%s, %.6g s%s%s%s", r->path, (long long)r->frames,
            r->frames == 1 ? "" : "s", (double)at / r->fps, size, *remark->text ? "; " : "",
            remark->text);
    size_t n = strlen(notice->text);
    if (r->dropped > 0)
        snprintf(notice->text + n, sizeof notice->text - n,
                 "; %lld frame%s dropped, encoding is too slow for this size",
                 (long long)r->dropped, r->dropped == 1 ? " was" : "s were");
}

int ss_recording_close(ss_recording *r, bool ok, int64_t at, ss_err *notice, ss_err *err)
{
    ss_err remark = {0};
    if (r->rehearsal) {
        r->medium->close(r->canvas);
        free(r);
        return SS_OK;
    }
    at = at > r->last ? at : r->last + 1;
    bool keep = ok && !r->failed && r->frames > 0;
    int encoded = r->queue ? ss_queue_end(r->queue, keep, err) : SS_OK;
    bool lost = keep && encoded != SS_OK; /* else the failure has been reported */
    keep = keep && encoded == SS_OK;
    int status = r->recorder->close(r->self, keep, at, &remark, lost ? NULL : err);
    status = lost ? encoded : status;
    if (status == SS_OK && keep)
        report(r, at, &remark, notice);
    r->medium->close(r->canvas);
    free(r);
    return status;
}

const char *ss_record_first(const char *path, char *buf, size_t size)
{
    ss_err ignored;
    const ss_format *format = ss_format_find(path, &ignored);
    return format && format->recorder->first ? format->recorder->first(path, buf, size) : path;
}

int ss_record_size(const char *path, int cols, int rows, int *w, int *h, ss_err *notice,
                   ss_err *err)
{
    void *canvas;
    int whole_w, whole_h;
    const ss_format *format = ss_format_find(path, err);
    if (!format)
        return SS_FAIL;
    const ss_medium *m = format->recorder->medium;
    if (m->open(&canvas, m->w, m->h, err) != SS_OK)
        return SS_FAIL;
    m->around(canvas, cols, rows, &whole_w, &whole_h);
    m->close(canvas);
    bool asked = *w > 0 && *h > 0;
    if (asked && m->scales && (*w < whole_w / 2 || *h < whole_h / 2))
        return ss_fail(err, "%.80s: what is shown takes %dx%d %s at least, not %dx%d", path,
                       whole_w / 2, whole_h / 2, m->unit, *w, *h);
    if (asked && !m->scales && (*w != whole_w || *h != whole_h))
        ss_fail(notice, "%.80s: %dx%d %s, as many as are shown", path, whole_w, whole_h, m->unit);
    if (!asked || !m->scales)
        *w = whole_w, *h = whole_h;
    return SS_OK;
}
