/* The interfaces of recordings and figures: a recorder is one constant struct per format; a
 * medium is the surface of its frames, pixels or character cells; a figure is a single scene.
 * ui/canvas, ui/encode and ui/record provide them, ui/record calls them. Main thread only, except a
 * recorder's `frame`: a live recording in pixels calls it from another thread. */
#ifndef SS_RECORDER_H
#define SS_RECORDER_H

#include "ui/scene/frontend.h"
#include "ui/scene/items.h"

struct ss_pixels;
struct ss_term_cells;

/* The specification of a recording. Texts may be NULL and live as long as the recording. */
typedef struct ss_record_spec {
    const char *path;
    int w, h; /* of the medium: pixels or cells; 0: the medium's default */
    double fps;
    bool live;                               /* recorded in real time: speed before size */
    bool whole;                              /* live: waits for the encoder, drops no frame */
    int loop;                                /* number of repetitions; 0: endless */
    int64_t max_size;                        /* limit in bytes; 0: none */
    const char *caption, *command, *comment; /* for the metadata */
    bool rehearsal; /* only the scenes matter: nothing is drawn or written */
} ss_record_spec;

typedef struct ss_frame {
    int64_t at; /* time in frames since the first one; increases */
    const ss_theme *theme;
    const struct ss_pixels *pixels;    /* of ui/canvas/canvas.h */
    const struct ss_term_cells *cells; /* of ui/cells/cells.h */
} ss_frame;

typedef struct ss_medium {
    const char *unit;
    int w, h, least_w, least_h, most_w, most_h; /* usual, smallest and largest size */
    int (*open)(void **self, int w, int h, ss_err *err);
    void (*extent)(void *self, ss_extent *out);
    bool threads; /* frames are pixels, which another thread can encode */
    bool scales;  /* draws scenes of any size, from half to several times its own */
    /* The size in its units of a scene of cols x rows character cells. */
    void (*around)(void *self, int cols, int rows, int *w, int *h);
    /* False: out of memory. */
    bool (*paint)(void *self, const ss_scene *scene, ss_frame *out);
    void (*close)(void *self);
} ss_medium;

/* Is this size valid for a file on this medium? */
int ss_medium_check(const ss_medium *m, const char *path, int w, int h, ss_err *err);

typedef struct ss_recorder {
    const ss_medium *medium;
    bool even; /* sizes must be even */
    /* notice: a sentence about a deviation from the specification, else empty. spec->fps becomes a
     * rate that the format supports. */
    int (*open)(void **self, ss_record_spec *spec, ss_err *notice, ss_err *err);
    int (*frame)(void *self, const ss_frame *frame, ss_err *err);
    /* A parameter changed before the next frame. NULL: the format has no markers. */
    void (*mark)(void *self, const char *text);
    /* ok: completes the file, `frames` long, and renames it to its name; else removes it. Frees
     * self. */
    int (*close)(void *self, bool ok, int64_t frames, ss_err *notice, ss_err *err);
    /* The first file of a recording of many. NULL: there is one file, the path. */
    const char *(*first)(const char *path, char *buf, size_t size);
} ss_recorder;

/* --- figures: one scene, by the name's extension .svg, .pdf or .png --------------------------- */

typedef struct ss_figures {
    /* Does the figure format exist, and is the size valid? 0: the default size. */
    int (*check)(const char *path, int w, int h, ss_err *err);
    /* The scene size for w x h pixels. */
    int (*extent)(int w, int h, ss_extent *out, ss_err *err);
    int (*save)(const ss_scene *scene, const char *path, int w, int h, const char *command,
                ss_err *err);
    /* On paper: the cells across `mm` millimetres, with type of 9 points; and the figure, as high
     * as the scene. */
    int (*paper)(double mm, ss_extent *out, ss_err *err);
    int (*print)(const ss_scene *scene, const char *path, double mm, const char *command,
                 ss_err *err);
} ss_figures;

#endif
