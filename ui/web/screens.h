/*
 * The screens of views that watchers have chosen: each has a user interface of its own, whose
 * commands are refused, and is drawn when its picture comes. Main thread.
 */
#ifndef SS_WEB_SCREENS_H
#define SS_WEB_SCREENS_H

#include "ui/view/events.h"
#include "ui/web/net.h"

typedef struct ss_screens ss_screens;

/* The pilot's screen. */
typedef struct ss_pilot {
    ss_ui *ui;
    const struct ss_scene *scene;
    const ss_framer *framer;
    const ss_snapshot *snap;
} ss_pilot;

ss_screens *ss_screens_new(ss_web *net, ss_err *err); /* NULL: out of memory */
void ss_screens_free(ss_screens *s);
/* Carries out choices; opens and closes the screens of views. */
void ss_screens_turn(ss_screens *s, const ss_pilot *pilot);
/* See ss_frontend_views; views are numbered from 1. */
const ss_view *ss_screens_wants(ss_screens *s, int view);
void ss_screens_draw(ss_screens *s, int view, const ss_ui *pilot, const ss_snapshot *snap);

#endif
