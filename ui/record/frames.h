/*
 * Recordings: files made of scenes, frame by frame. A recorder is one constant struct for a format;
 * a medium is what its frames are drawn on, pixels or character cells. Frames come with their
 * number, never with a time: what is recorded does not depend on the clock. Every file is written
 * under a temporary name and renamed when it is whole. Called by the app; main thread only.
 */
#ifndef SS_RECORD_H
#define SS_RECORD_H

#include "ui/canvas/drawing.h"
#include "ui/cells/grid.h"
#include "ui/scene/frontend.h"

/* What is asked of a recording. Texts may be NULL, and live as long as the recording. */
typedef struct ss_record_spec {
    const char *path;
    int w, h; /* of the medium: pixels or cells; 0: the medium's own choice */
    double fps;
    bool live;                               /* recorded as it happens: haste before size */
    int loop;                                /* how often it is played; 0: for ever */
    int64_t max_size;                        /* bytes; 0: any */
    const char *caption, *command, *comment; /* for the metadata */
} ss_record_spec;

typedef struct ss_frame {
    int64_t at; /* when: frames since the first one; grows */
    const ss_theme *theme;
    const ss_pixels *pixels;
    const ss_cells *cells;
} ss_frame;

typedef struct ss_medium {
    const char *unit;
    int w, h, least_w, least_h, most_w, most_h; /* usual, smallest and largest size */
    int (*open)(void **self, int w, int h, ss_err *err);
    void (*extent)(void *self, ss_extent *out);
    bool scales; /* draws a scene of any size, from half as large to much larger */
    /* The size that a scene of so many character cells takes. */
    void (*around)(void *self, int cols, int rows, int *w, int *h);
    /* False when memory is out. */
    bool (*paint)(void *self, const ss_scene *scene, ss_frame *out);
    void (*close)(void *self);
} ss_medium;

/* May a file on it be of that size? */
int ss_medium_check(const ss_medium *m, const char *path, int w, int h, ss_err *err);

typedef struct ss_recorder {
    const ss_medium *medium;
    bool even; /* sizes must be */
    /* say: what is not as it was asked for, in a sentence; stays empty otherwise. spec->fps becomes
     * what the format can do. */
    int (*open)(void **self, ss_record_spec *spec, ss_err *say, ss_err *err);
    int (*frame)(void *self, const ss_frame *frame, ss_err *err);
    /* A parameter changed before the next frame. NULL: the format has no place for that. */
    void (*mark)(void *self, const char *text);
    /* ok: make the file whole and show it under its name, `frames` long; else leave nothing. self
     * is gone afterwards. */
    int (*close)(void *self, bool ok, int64_t frames, ss_err *say, ss_err *err);
} ss_recorder;

/* Formats by the end of a file's name; NULL-terminated. recorder NULL: not in this build. */
typedef struct ss_format {
    const char *ext, *what;
    const ss_recorder *recorder;
    const char *missing; /* what the build would need */
} ss_format;

extern const ss_format ss_formats[];
/* Of a path; NULL and a sentence if there is none. */
const ss_format *ss_format_find(const char *path, ss_err *err);

/* --- one recording ---------------------------------------------------------------------------- */

typedef struct ss_recording ss_recording;

ss_recording *ss_recording_open(const ss_record_spec *spec, ss_err *say, ss_err *err);
/* The scenes it wants. */
void ss_recording_extent(const ss_recording *r, ss_extent *out);
/* Appends the scene as frame number `at`; a number that is not above the last one is passed over.
 * After a failure only closing is left. */
int ss_recording_frame(ss_recording *r, const ss_scene *scene, int64_t at, ss_err *err);
void ss_recording_mark(ss_recording *r, const char *text);
/* Ends it and frees it; at: the number after the last frame. Without a frame, or when !ok, there is
 * no file. say: how it went, "x.mp4: 201 frames, 10.05 s, 1.2 MB". */
int ss_recording_close(ss_recording *r, bool ok, int64_t at, ss_err *say, ss_err *err);
/* For a recording of what is shown, so many cells: the medium's size. w and h are the size asked
 * for, or 0; say: why it cannot be that. */
int ss_record_size(const char *path, int cols, int rows, int *w, int *h, ss_err *say, ss_err *err);

/* --- figures: one scene, by the name's extension .svg, .pdf or .png --------------------------- */

typedef struct ss_figures {
    /* Is there such a figure, of so many pixels? 0: of the usual size. */
    int (*check)(const char *path, int w, int h, ss_err *err);
    /* The scene that w x h pixels want. */
    int (*extent)(int w, int h, ss_extent *out, ss_err *err);
    int (*save)(const ss_scene *scene, const char *path, int w, int h, const char *command,
                ss_err *err);
} ss_figures;

/* NULL and a sentence: the build has no cairo. */
const ss_figures *ss_figures_find(ss_err *err);

#endif
