/* The frames of a live recording, encoded in a thread of their own: the main thread copies a
 * frame's pixels and goes on listening. The queue is short. Its functions are for one thread; the
 * recorder's `frame` is called from the queue's thread only, until the queue has ended. */
#ifndef SS_QUEUE_H
#define SS_QUEUE_H

#include "ui/scene/recorder.h"

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
