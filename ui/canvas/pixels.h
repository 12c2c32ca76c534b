/* The pixel medium of recordings; for ui/encode/. */
#ifndef SS_CANVAS_RECORD_H
#define SS_CANVAS_RECORD_H

#include "ui/canvas/drawing.h"
#include "ui/scene/recorder.h"

extern const ss_medium ss_medium_pixels;

#endif
