/*
 * Recordings: files made of scenes, frame by frame, by the recorders of ui/scene/recorder.h. A
 * frame has a number, not a time: recordings do not depend on the clock. Each file is written under
 * a temporary name and renamed when it is complete. Called by the app; main thread only. Live
 * recordings encode in a thread of their own (queue.c) and drop frames that come too fast.
 */
#ifndef SS_RECORD_H
#define SS_RECORD_H

#include "ui/scene/recorder.h"

/* Formats by file name extension; NULL-terminated. recorder NULL: not in this build. */
typedef struct ss_format {
    const char *ext, *what;
    const ss_recorder *recorder;
    const char *missing; /* the libraries that the build lacks */
} ss_format;

extern const ss_format ss_formats[];
/* The format of a path; NULL and a sentence if there is none. */
const ss_format *ss_format_find(const char *path, ss_err *err);

/* --- one recording ---------------------------------------------------------------------------- */

typedef struct ss_recording ss_recording;

ss_recording *ss_recording_open(const ss_record_spec *spec, ss_err *notice, ss_err *err);
/* The scene size that it wants. */
void ss_recording_extent(const ss_recording *r, ss_extent *out);
/* Appends the scene as frame number `at`; a number not above the last one is ignored. After a
 * failure only close is valid. */
int ss_recording_frame(ss_recording *r, const ss_scene *scene, int64_t at, ss_err *err);
/* Live: waits until the next frame will not be dropped. */
void ss_recording_wait(ss_recording *r);
void ss_recording_mark(ss_recording *r, const char *text);
/* Ends and frees it; at: the number after the last frame. Without a frame, or when !ok, no file
 * remains. notice: a summary, "x.mp4: 201 frames, 10.05 s, 1.2 MB". */
int ss_recording_close(ss_recording *r, bool ok, int64_t at, ss_err *notice, ss_err *err);
/* The file that a recording with this path creates first. Returns buf, or path. */
const char *ss_record_first(const char *path, char *buf, size_t size);
/* The medium's size for a recording of a screen of cols x rows cells. w and h are the requested
 * size, or 0; notice: why it was changed. */
int ss_record_size(const char *path, int cols, int rows, int *w, int *h, ss_err *notice,
                   ss_err *err);

/* --- figures ---------------------------------------------------------------------------------- */

/* NULL and a sentence: the build has no cairo. */
const ss_figures *ss_figures_find(ss_err *err);

/* --- a live recording's queue (queue.c) ------------------------------------------------------- */

/* The frames of a live recording, encoded in a thread of their own: the main thread copies a
 * frame's pixels and goes on listening. The queue is short. Its functions are for one thread; the
 * recorder's `frame` is called from the queue's thread only, until the queue has ended. Private to
 * ui/record. */
typedef struct ss_queue ss_queue;

/* For pictures of w x h pixels. NULL: no memory or no thread for it. */
ss_queue *ss_queue_new(const ss_recorder *recorder, void *self, int w, int h);
/* Is there room for a frame? wait: waits until there is. */
bool ss_queue_has_room(ss_queue *q, bool wait);
/* Appends a copy of the frame; there must be room. SS_FAIL: an earlier frame has failed. */
int ss_queue_add(ss_queue *q, const ss_frame *frame, ss_err *err);
/* Encodes the waiting frames (finish) or discards them, ends the thread, frees the queue. SS_FAIL:
 * a frame has failed. */
int ss_queue_end(ss_queue *q, bool finish, ss_err *err);

#endif
