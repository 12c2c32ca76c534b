/*
 * What recordings and figures are made with, as interfaces: a recorder is one constant struct for a
 * format; a medium is what its frames are drawn on, pixels or character cells; figures are single
 * scenes. ui/canvas, ui/encode and ui/record provide them, ui/record calls them. Main thread only.
 */
#ifndef SS_RECORDER_H
#define SS_RECORDER_H

#include "ui/scene/frontend.h"
#include "ui/scene/items.h"

struct ss_pixels;
struct ss_term_cells;

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
    const struct ss_pixels *pixels;    /* of ui/canvas/drawing.h */
    const struct ss_term_cells *cells; /* of ui/cells/grid.h */
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

/* --- figures: one scene, by the name's extension .svg, .pdf or .png --------------------------- */

typedef struct ss_figures {
    /* Is there such a figure, of so many pixels? 0: of the usual size. */
    int (*check)(const char *path, int w, int h, ss_err *err);
    /* The scene that w x h pixels want. */
    int (*extent)(int w, int h, ss_extent *out, ss_err *err);
    int (*save)(const ss_scene *scene, const char *path, int w, int h, const char *command,
                ss_err *err);
} ss_figures;

#endif
