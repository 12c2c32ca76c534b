/*
 * What the app's files share: loop.c (the loop between a front end and the engine), film_loop.c
 * (the loop that makes recordings, driven by the solver's steps), verbs.c (record, export),
 * lesson.c (a lesson beside the run). Main
 * thread.
 */
#ifndef SS_APP_PRIVATE_H
#define SS_APP_PRIVATE_H

#include "src/app/loop.h"
#include "src/engine/thread.h"
#include "src/app/film.h"
#include "src/tune/tuner.h"
#include "ui/scene/frontend.h"
#include "ui/view/events.h"

typedef struct app {
    const ss_app_setup *setup;
    const ss_frontend *fe;
    void *self; /* the front end's */
    ss_engine *engine;
    ss_ui *ui;
    struct ss_scene *scene;  /* what is on the screen, NULL: nothing */
    const ss_snapshot *snap; /* the freshest, valid until the next take */
    uint64_t last_ticket;    /* of the script and the keys */
    uint64_t seen_message, sent_view;
    double next_want; /* clock at which to ask for a snapshot; 0: it has been asked for */
    double last_want;
    double next_draw, last_draw, fps;
    double drawing; /* seconds a frame takes to draw, of late: asked for so much ahead */
    bool must_draw, quit, by_signal, resumed, recording_asked;
    ss_err failure; /* of a script's command, or of the run */
    bool failed, refused;
    bool warned; /* that a device was lost */
    ss_film film;
    struct {
        ss_ui *ui; /* sees a line's whole way for the figures to come; NULL: nobody does */
        uint64_t sent, ui_view;
    } witness;
    struct ss_tutor *tutor; /* the lesson, NULL: there is none; lesson.c */
    ss_tuner *map;         /* NULL: none */
    uint64_t map_seen;      /* the snapshot that it was compared with */
    char last_words[2048];  /* notices that come when the screen goes */
    char *table;            /* of the map, for then; free it. NULL: none */
} app;

bool ss_app_is_interactive(const app *a);
/* Carries a command out, or posts it to the engine; 0 and a sentence if it was refused. */
uint64_t ss_app_do(app *a, const ss_cmd *cmd, ss_err *err);
uint64_t ss_app_emit(void *ctx, const char *line, ss_err *err);
/* The first failure is the one that is told. refused: a command of the script. */
void ss_app_fail(app *a, const ss_err *err, bool refused);
/* A notice: on the screen, or at once on stderr. */
void ss_app_say(app *a, bool error, const char *sentence);
/* What is to be shown of the freshest snapshot. */
void ss_app_scene(app *a);
/* The freshest snapshot; true if there is a new one. */
bool ss_app_take(app *a);
bool ss_app_is_carried_out(const app *a);
void ss_app_handle(app *a, const ss_event *ev);
/* Does the run go on when the script has ended? */
bool ss_app_goes_on(const app *a);

/* --- verbs.c ------------------------------------------------------------------------------ */

/* The app's own verbs; NULL: it is none of them. */
typedef int ss_app_verb(app *a, const ss_cmd *cmd, ss_err *err);
ss_app_verb *ss_app_verb_find(const ss_cmd *cmd);
/* Starts what --record asks for. */
int ss_app_record_asked(app *a, ss_err *err);
/* Draws what --export asks for; will there be figures? */
void ss_app_export_asked(app *a);
bool ss_app_exports(const app *a);
/* Ends every recording, and says how it went. */
void ss_app_record_end(app *a, bool ok);

/* --- lesson.c ----------------------------------------------------------------------------- */

int ss_app_lesson_open(app *a, ss_err *err);
void ss_app_lesson_close(app *a);
/* Says how far it was done. */
void ss_app_lesson_leave(const app *a);
/* Once a turn of the loop: carries out what the lesson has to, looks at the checks, makes the page.
 */
void ss_app_lesson_turn(app *a);
/* ss_engine_setup.look */
void ss_app_lesson_look(struct ss_run *run, bool still, void *ctx);
/* May a command be carried out now? Not what solves, before the prediction. */
int ss_app_lesson_admits(const app *a, const ss_cmd *cmd, ss_err *err);
ss_app_verb ss_app_lesson_verb;

/* --- map.c -------------------------------------------------------------------------------- */

/* The map that the program was started for, if it was. */
int ss_app_map_begin(app *a, ss_err *err);
/* What the map has that is new. */
void ss_app_map_take(app *a);
/* Exit status, as ss_tuner_stop. */
int ss_app_map_end(app *a, bool interrupted, FILE *table, ss_err *err);
ss_app_verb ss_app_verb_map;

/* --- film_loop.c -------------------------------------------------------------------------------
 */

/* Plays the script and the run, a frame at a time. */
void ss_app_film(app *a);
/* The first frame of recordings that have none yet. Where it fails the recording is over, and that
 * is told. */
void ss_app_film_begin(app *a);
/* Ends recording i, after the frames of --hold-last. */
int ss_app_film_end(app *a, int i, bool ok, ss_err *say, ss_err *err);
/* Draws what there is now as a figure. */
int ss_app_figure(app *a, const char *path, ss_err *err);

#endif
