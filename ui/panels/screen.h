/*
 * The scene of the whole screen, and of a frame. The app calls them, for the screen, recordings and
 * figures. Main thread only.
 *
 * Frames are what a film or figure shows instead of the whole screen. A frame is a row of a table:
 * its name and its parts (pictures and curves, frame_parts.c); ss_frame_scene lays them out with a
 * title above, one line of parameters and one of words below.
 */
#ifndef SS_PANELS_SCREEN_H
#define SS_PANELS_SCREEN_H

#include "ui/scene/layout.h"
#include "ui/view/view.h"

/* --- the screen ------------------------------------------------------------------------------- */

/* Computes the layout for the extent and fills the scene; also sets the picture size in ss_ui_view.
 * fps: frames per second drawn, for the status line. */
struct ss_scene *ss_ui_scene(ss_ui *ui, const ss_snapshot *snap, const ss_extent *extent,
                             double fps);

/* --- frames ----------------------------------------------------------------------------------- */

struct ss_frame_part;

typedef struct ss_frame_row {
    const char *name; /* also a choice of --frame, in the same order (src/core/registry.c) */
    bool lettered;    /* its parts have letters, (a) (b) ...; those that a run lacks are left out */
    const struct ss_frame_part
        *part[SS_FRAME_PARTS]; /* NULL: no more; the first NULL: the screen */
    bool cones, rewinds;       /* what it needs of the engine: ss_engine_setup */
} ss_frame_row;

extern const ss_frame_row ss_frames[]; /* the first is the whole screen; NULL-name-terminated */

/* Can this run show the frame? Else a sentence. */
int ss_frame_check(const ss_frame_row *f, const ss_snapshot *snap, ss_err *err);

typedef struct ss_frame_spec {
    const ss_frame_row *frame;   /* not the whole screen */
    const char *title, *caption; /* NULL: none */
    bool paper;     /* a figure at the size of print: small type, as high as it needs */
    double seconds; /* of film time; < 0: a figure */
    double
        progress; /* the part of the film that is over, 0 ... 1; 0.5 where its end is not known */
} ss_frame_spec;

/* Fills the UI's scene, and sets the picture size in ss_ui_view. The scene may have fewer rows than
 * the extent, on paper any number. */
struct ss_scene *ss_frame_scene(ss_ui *ui, const ss_snapshot *snap, const ss_extent *extent,
                                const ss_frame_spec *spec);

#endif
