/* The reader of streams of operations (ui/pen/pen.h), which draws them with another pen, as a
 * page does (assets/web/player.js). It has no state. */
#ifndef SS_PLAY_H
#define SS_PLAY_H

#include "ui/pen/pen.h"

/* A stream may come from anywhere: SS_FAIL, with the reason, at the first operation that is
 * incomplete or not allowed. Saved states are restored. */
int ss_bytes_play(const uint8_t *data, size_t n, ss_pen *to, ss_err *err);

#endif
