/* Shared by the app's files, from the lowest: film.c (recordings in progress, and their options),
 * app.c (commands, messages, scenes, events), figure.c, film_loop.c (films, driven by the solver's
 * steps), verbs.c (commands line by line), lesson*.c (a lesson next to the run), map.c (the tuning
 * map), loop.c (the loop between a front end and the engine). A file calls only those before it;
 * the lower ones reach the higher ones through ss_app_part. Main thread. */
#ifndef SS_APP_PRIVATE_H
#define SS_APP_PRIVATE_H

#include <jansson.h>
#include <stdio.h>

#include "src/core/command.h"
#include "src/core/param.h"
#include "src/engine/engine.h"
#include "src/snapshot/race.h"
#include "src/run/reference.h"
#include "src/tune/tuner.h"
#include "ui/panels/screen.h"
#include "ui/record/record.h"
#include "ui/scene/frontend.h"
#include "ui/view/view.h"

/* --- the app ---------------------------------------------------------------------------------- */

/* The app: one front end, one engine, and the loop between them, which never makes one wait for the
 * other. Main thread. */

struct ss_frontend;
struct ss_lesson;
struct ss_session;

typedef struct ss_app_setup {
    const ss_config *cfg; /* checked */
    const struct ss_frontend *frontend;
    ss_script *script;
    const struct ss_lesson *lesson; /* shown next to the run; NULL: none */
    const ss_config *map;           /* the program shows only this map; NULL: a run */
    int *map_status;                /* receives the map's exit status; may be NULL */
    const char *load, *rhs;         /* files or NULL */
    bool limits;                    /* a limit was given: continue after the script */
    bool pick;                      /* nothing was chosen: show the presets */
    bool deterministic;
    bool film;           /* record or draw without a front end: the solver's steps are the clock */
    const char *command; /* the program's command line, for the metadata of files */
    double fps;
    double started;                 /* ss_clock at the start of the program */
    void (*warn)(const char *text); /* prints a warning on stderr at once */
} ss_app_setup;

/* Called with the finished run, or all runs of a race, before they are closed. */
typedef int ss_app_finish(ss_run *const *run, int n, bool interrupted, void *ctx, ss_err *err);

/* `map` without a screen, with figures and recordings if requested; exit status. */
bool ss_app_map_is_drawn(void);
int ss_app_map_film(const ss_config *cfg, const char *command, ss_err *err);

/* A lesson on that screen: resumed, or begun anew where a class may watch. */
void ss_app_session(const struct ss_frontend *fe, const struct ss_lesson *l,
                    struct ss_session *out);

/* *interrupted: a signal or the user ended it; *usage: a command of the script was refused. */
int ss_app_main(const ss_app_setup *setup, ss_app_finish *finish, void *ctx, bool *interrupted,
                bool *usage, ss_err *err);

/* --- film.c ----------------------------------------------------------------------------------- */

/* The open recordings of a run: their frames, and the number of the next one. Whoever films gives
 * the scenes: live, the one on the screen; otherwise one for each recording, at its own size. */

#define SS_FILM_MAX 16

/* The size of a scene, and its place in a film. */
typedef struct ss_sheet {
    ss_extent extent;
    int w, h;        /* pixels, 0: on paper */
    double mm;       /* on paper, its width */
    double seconds;  /* of film time; < 0: a figure */
    double progress; /* the part of the film that is over; 0.5: not known, or a figure */
} ss_sheet;

typedef struct ss_film_output {
    ss_recording *recording;
    char path[1024];
    int64_t first; /* number of its first frame */
    int nth;       /* in the order in which they were opened, from 0 */
    bool begun;    /* has a frame */
    int nmark;     /* marks of the run passed to the recording; cycle of the last one */
    int64_t mark_cycle;
    ss_ui *ui;              /* offline: its own screen */
    uint64_t sent, ui_view; /* the requested view: the engine's number, the screen's number */
} ss_film_output;

/* The scene of a recording at frame `number` of the film, and in f->snap what it shows. NULL: it
 * was interrupted, or there is an error in err. */
struct ss_film;
typedef const ss_scene *ss_film_source(struct ss_film *f, ss_film_output *t, int64_t number,
                                       ss_err *err);

typedef struct ss_film {
    ss_film_source *source;
    void *ctx;                 /* the source's */
    const ss_snapshot *snap;   /* of the last scene */
    const ss_scene *on_screen; /* live */
    int64_t hold;              /* frames that repeat the last state at the end of a recording */
    bool live;
    bool rehearsal; /* the first pass: the frames are built, but not drawn */
    double fps;
    int64_t per_frame; /* cycles per frame; 0 (live only): by the clock */
    int64_t frames;    /* offline: of the whole run so far */
    ss_film_output output[SS_FILM_MAX];
    int noutput, opened; /* number opened so far, to index the list of sizes */
    const char *command; /* for the metadata */
    char comment[320];
    double started; /* live: clock of the first frame */
    int64_t cycle;  /* live: clock of the last frame; offline: cycles since then */
    double due;     /* live: clock at which the shown scene is recorded; 0: it has been */
    int64_t missed; /* live, by cycles: frames whose state was overwritten before it was drawn */
    bool ending;    /* live: the run ends after the frame of the shown scene */
    double shown;   /* clock of the progress bar */
} ss_film;

void ss_film_init(ss_film *f, bool live, const char *command);
/* Opens a recording; scene: the shown one, for its size (live). */
int ss_film_start(ss_film *f, const char *path, const ss_scene *scene, ss_err *notice, ss_err *err);
/* Appends the next frame to every recording, or to those that have none yet; one that fails is
 * ended, with err. */
int ss_film_take(ss_film *f, bool only_new, ss_err *err);
/* Ends recording i after the frames that it holds; ok: keeps the file. */
int ss_film_end(ss_film *f, int i, bool ok, ss_err *notice, ss_err *err);
/* Live: appends the shown scene if a frame is due. */
int ss_film_live(ss_film *f, const ss_scene *scene, const ss_snapshot *snap, ss_err *err);
/* The row of --frame. The width of a figure on paper, in millimetres; 0: it has pixels. */
const ss_frame_row *ss_film_frame(void);
double ss_film_paper(void);
/* The next path of a comma-separated list such as that of --record; false at its end. */
bool ss_film_next_path(const char **list, char *path, size_t size);
/* True if the script or an option requests recordings or figures; figures. */
bool ss_film_is_asked(const ss_script *script);
bool ss_film_exports(const ss_script *script);
/* Checks the options of recordings and figures before a long solve. live: a front end shows the
 * run. */
int ss_film_check(bool live, bool map, ss_err *err);
/* Refuses a run file's command that would replace an existing file which no option names. */
struct app;
int ss_film_keeps_files(const struct app *a, const ss_cmd *cmd, ss_err *err);
/* The scene of a recording or of a figure: the frame, or the screen with the caption below. */
ss_scene *ss_film_scene(ss_ui *ui, const ss_snapshot *snap, const ss_sheet *at);
/* "run-20300131-235959.mp4": the default name. */
const char *ss_film_name(char *buf, size_t size);
/* Width and height number `nth` of the list --size; 0x0 if not given. */
int ss_film_size(int nth, int *w, int *h, ss_err *err);
int ss_film_sizes(void); /* entries of the list */

/* --- the parts of the app --------------------------------------------------------------------- */

/* A handler of a command. */
typedef int ss_app_verb(struct app *a, const ss_cmd *cmd, ss_err *err);

#define SS_APP_VERBS 3

/* What a part of the app adds to commands, events and scenes; NULL: nothing. The table is in
 * loop.c.
 */
typedef struct ss_app_part {
    bool (*takes)(struct app *a, const ss_cmd *cmd); /* true: it has used the command up */
    /* Fails if the command must wait, or may not be carried out. */
    int (*admits)(const struct app *a, const ss_cmd *cmd, ss_err *err);
    bool (*event)(struct app *a, const ss_event *ev); /* true: it has used the event up */
    void (*scene)(struct app *a);                     /* before each scene */
    struct {
        ss_verb_id id;
        ss_app_verb *run;
    } verb[SS_APP_VERBS]; /* its commands */
} ss_app_part;

extern const ss_app_part ss_app_films, ss_app_lines, ss_app_lessons, ss_app_maps;

/* --- app.c ----------------------------------------------------------------------------------- */

/* Frames per second while a run runs. */
typedef struct ss_frame_rate {
    double shown; /* of the last count; 0: none yet */
    double since; /* clock at which the present count began */
    int frames;   /* counted since then */
    bool counts;  /* the last frame was one of a run that runs */
} ss_frame_rate;

typedef struct app {
    const ss_app_setup *setup;
    const ss_app_part *const *parts; /* NULL-terminated */
    const ss_frontend *fe;
    void *self; /* the front end's */
    ss_engine *engine;
    ss_ui *ui;
    struct ss_scene *scene;  /* the scene on the screen, NULL: none */
    const ss_snapshot *snap; /* the newest, valid until the next take */
    uint64_t last_ticket;    /* of the script and the keys */
    uint64_t seen_message, sent_view;
    uint64_t said;        /* the message that is shown; 0: none */
    double message_until; /* clock at which it leaves */
    double last_fresh;    /* clock of the newest snapshot, or of the start */
    double next_want;     /* clock at which to request a snapshot; 0: requested already */
    double last_want;
    double next_draw, last_draw;
    double next_move; /* clock of a frame for colours that move, if no picture comes; 0: none */
    ss_frame_rate rate;
    double drawing; /* mean seconds per recent frame; a snapshot is requested this much earlier */
    bool must_draw, quit, by_signal, resumed, recording_asked;
    bool heard; /* a command came line by line; those from number `scripted` on did */
    int scripted;
    ss_err failure; /* of a script's command, or of the run */
    bool failed, refused;
    bool warned; /* about a lost device */
    ss_film film;
    char origin[4200]; /* the command line, and which kernel was edited: film.command then */
    struct {
        ss_ui *ui; /* shows the whole history of a 1D run in exported figures; NULL: none */
        uint64_t sent, ui_view;
    } export_ui;
    ss_ui *figure_ui; /* the screen of the figure that is being drawn; NULL: none */
    struct {
        ss_film_ranges *ranges[SS_FILM_MAX]; /* of the recordings, in the order of their opening */
        int64_t frames;                      /* without those of --hold-last; 0: not known */
        int64_t most; /* frames until the first pass was interrupted; 0: it was not. Then: */
        double until; /* clock at which the second pass ends with the frames that it has */
    } whole;          /* what the first pass of a film has found */
    struct {
        bool on, returns; /* returns: all frames are there, the run goes back to where it was */
        ss_film film;     /* of its own */
        char path[1024];
        int64_t from, to, step; /* cycles */
        int64_t at, back;       /* the cycle that was asked for; the one to return to at the end */
        uint64_t ticket;        /* of its last command */
        bool whole;             /* its file is to be kept */
        ss_err failure;
        bool sends; /* it passes a command on: other commands must wait */
    } again;        /* the film of a span of cycles (again.c) */
    struct {
        bool shown;   /* the roofline is on the screen */
        ss_config of; /* the run's settings then */
        ss_roofs roofs;
        ss_err why;         /* if there are none */
    } limits;               /* the kept ones of this machine */
    struct ss_tutor *tutor; /* lessons; NULL: without a screen; tutor.h */
    ss_tuner *map;          /* NULL: none */
    bool gallery;           /* it was open in the last scene */
    uint64_t map_seen;      /* the snapshot that the map was compared with */
    struct {
        char line[2048];   /* that the front end was told last */
        double drawn, due; /* clock: of the frame that it belonged to, of the next one */
    } address;
    char final_notices[2048]; /* notices, printed when the screen closes */
    char *table; /* the map's table, printed after the screen closes; owned; NULL: none */
} app;

bool ss_app_is_interactive(const app *a);
/* Passes a command to the side that handles it; 0 and err: it was refused. `self` is the app, since
 * this is the UI's ss_ui_emit. ss_app_emit takes a command line. */
uint64_t ss_app_do(void *self, const ss_cmd *cmd, ss_err *err);
uint64_t ss_app_emit(app *a, const char *line, ss_err *err);
/* Only the first failure is reported. refused: a command of the script. */
void ss_app_fail(app *a, const ss_err *err, bool refused);
/* A notice: on the screen, or on stderr without one. */
void ss_app_say(app *a, bool error, const char *text);
/* Builds the scene of the newest snapshot. */
void ss_app_scene(app *a);
/* Takes the newest snapshot; true if it is new. */
bool ss_app_take(app *a);
bool ss_app_is_carried_out(const app *a);
void ss_app_handle(app *a, const ss_event *ev);
/* True if the run continues after the script. */
bool ss_app_goes_on(const app *a);

/* --- app.c: waiting --------------------------------------------------------------------------- */

/* Waits until the engine has executed every command and shows the requested view. False: the
 * program quits or has failed. */
bool ss_app_settle(app *a);
/* The second pass of a film ends as the first one did. */
void ss_app_end_if_interrupted(app *a);
/* The scene of `ui` for the present state at that size; sent, ui_view: the view requested last, by
 * the engine's and by the screen's number. NULL: the program quits or has failed. */
const ss_scene *ss_app_settled(app *a, ss_ui *ui, const ss_sheet *at, uint64_t *sent,
                               uint64_t *ui_view);
/* A new UI that has executed the script's screen commands so far. */
ss_ui *ss_app_new_screen(app *a, ss_err *err);

/* --- figure.c --------------------------------------------------------------------------------- */

/* A 1D figure shows the whole history: a UI of its own follows the run from the start, and takes
 * each state that it shows. */
void ss_app_figure_begin(app *a);
void ss_app_figure_follow(app *a);
/* A figure drawn later shows this cycle in the colour range of all its subiterations: the engine
 * must know the picture before the cycle ends. */
void ss_app_figure_prepare(app *a);
/* Draws a scene as a figure. scene: of that size, NULL with err or if it was interrupted. */
typedef const ss_scene *ss_figure_source(void *ctx, const ss_sheet *at, ss_err *err);
int ss_app_figure_save(const char *path, ss_figure_source *scene, void *ctx, const char *command,
                       ss_err *err);
/* Draws the figures of --export. */
void ss_app_export_asked(app *a);
ss_app_verb ss_app_export_verb;

/* --- film_loop.c ------------------------------------------------------------------------------ */

/* True if a recording is asked for, so that a first pass is needed. A run without an end has none:
 * its range grows with the frames. */
bool ss_app_needs_rehearsal(const app *a);
/* The first pass of a film, with an app of its own: finds the colour ranges of all frames. */
void ss_app_rehearse(app *a, const ss_engine_setup *es);
void ss_app_forget_rehearsal(app *a);
/* Advances the script and the run, one frame at a time. */
void ss_app_film(app *a);
/* Starts the recordings of --record. */
int ss_app_record_asked(app *a, ss_err *err);
/* Ends every recording and reports it. */
void ss_app_record_end(app *a, bool ok);
/* film FROM TO: after a scene was drawn, takes its frame if it shows the cycle that was asked for;
 * ends the film, whose file is kept if it is whole. */
void ss_app_film_drawn(app *a);
void ss_app_film_stop(app *a, bool whole);

/* --- verbs.c ---------------------------------------------------------------------------------- */

/* Can more commands arrive on standard input? Then the program stays open when the run ends. */
bool ss_app_listens(const app *a);
/* Carries out a command that came as a line; a refusal is said and ends nothing. */
void ss_app_answer(app *a, const ss_cmd *cmd);

/* --- lesson.c, lesson_play.c, lesson_lines.c -------------------------------------------------- */

/* Makes the lessons available, and opens that of the setup, if any. */
int ss_app_lesson_begin(app *a, ss_err *err);
void ss_app_lesson_end(app *a);
bool ss_app_lesson_is_open(const app *a);
/* Prints the progress in the lesson. */
void ss_app_lesson_print(const app *a);
/* Once per turn of the loop: sends the lesson's commands, reads the results of the checks, builds
 * the page. */
void ss_app_lesson_turn(app *a);
/* ss_engine_setup.observe */
void ss_app_lesson_observe(const ss_engine_moment *now, void *ctx);
/* A front end of lines: the lesson speaks instead of the run; it is at work and takes no line. */
bool ss_app_lesson_speaks(const app *a);
bool ss_app_lesson_is_busy(const app *a);
/* The clock at which the next part of `do` is due; 0: none is. */
double ss_app_lesson_due(const app *a);

/* --- map.c -------------------------------------------------------------------------------- */

/* Opens the map of the subcommand, if any. */
int ss_app_map_begin(app *a, ss_err *err);
/* Takes new results of the map. */
void ss_app_map_take(app *a);
/* Exit status, as ss_tuner_stop. */
int ss_app_map_end(app *a, bool interrupted, FILE *table, ss_err *err);

/* --- report.c --------------------------------------------------------------------------------- */

/* The report of a finished run: the JSON object, the residual history as CSV, a few lines of
 * text. Main thread, after the engine has stopped. */

/* One object on one line; path "-" is stdout. */
int ss_result_json(const ss_result *r, const char *path, ss_err *err);
int ss_result_csv(const ss_result *r, const char *path, ss_err *err);
/* Both norms as an object. */
json_t *ss_errors_json(const double error[SS_NERROR]);
void ss_result_text(const ss_result *r, FILE *out);

/* --- race.c ----------------------------------------------------------------------------------- */

/* Prints the results: the table, and JSON if --json is given ("-": instead of the table). clock
 * false: without seconds and figures derived from them. interrupted: a signal or the user has ended
 * the runs that still run, not the script's last step. Returns the exit status. */
int ss_race_publish(ss_run *const *run, int n, bool clock, bool interrupted, ss_err *err);

/* --- gallery.c -------------------------------------------------------------------------------- */

/* assets/data/pictures.txt. Where a card has no picture, its entry says why. */
void ss_docs_pictures(FILE *out);

#endif
