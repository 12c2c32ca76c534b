/* The formats of recordings in the order of their listing. Only this file and the Makefile know
 * which exist. See frames.h. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "src/base/common.h"
#include "ui/record/frames.h"

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
