/* Shared by front ends without a screen: waiting on a self-pipe that a signal handler or another
 * thread can write to. Main thread; plain_wake: any thread, any handler. */
#ifndef SS_PLAIN_H
#define SS_PLAIN_H

#include "ui/scene/frontend.h"

int ss_plain_open(void **self, ss_err *err);
void ss_plain_extent(void *self, ss_extent *out);
int ss_plain_poll(void *self, double seconds, ss_event *ev);
/* The same, also until fd can be read. *readable: it can. fd < 0: none. */
int ss_plain_poll_input(double seconds, int fd, bool *readable, ss_event *ev);
void ss_plain_wake(void *self);
void ss_plain_close(void *self);

#endif
