/* The whole screen as a scene. Called by the app and by recordings; main thread only. */
#ifndef SS_SCREEN_H
#define SS_SCREEN_H

#include "ui/view/events.h"

/* Computes the layout for the extent and fills the scene; also sets the picture size in ss_ui_view.
 * fps: frames per second drawn, for the status line. */
struct ss_scene *ss_ui_scene(ss_ui *ui, const ss_snapshot *snap, const ss_extent *extent,
                             double fps);

#endif
