/*
 * Recordings: files made of scenes, frame by frame, by the recorders of ui/scene/recorder.h. Frames
 * come with their number, never with a time: what is recorded does not depend on the clock. Every
 * file is written under a temporary name and renamed when it is whole. Called by the app; main
 * thread only.
 */
#ifndef SS_RECORD_H
#define SS_RECORD_H

#include "ui/scene/recorder.h"

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

/* --- figures ---------------------------------------------------------------------------------- */

/* NULL and a sentence: the build has no cairo. */
const ss_figures *ss_figures_find(ss_err *err);

#endif
