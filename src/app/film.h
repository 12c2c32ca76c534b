/* The open recordings of a run: their frames, and the time of the next one. The app passes scenes:
 * live, those on the screen; otherwise one for each recording, at its own size. Main thread. */
#ifndef SS_FILM_H
#define SS_FILM_H

#include "ui/panels/screen.h"
#include "ui/record/frames.h"
#include "ui/view/events.h"

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

typedef struct ss_film {
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
/* Ends recording i, `length` frames long; ok: keeps the file. */
int ss_film_end(ss_film *f, int i, int64_t length, bool ok, ss_err *notice, ss_err *err);
/* Live: the present length of recording i. */
int64_t ss_film_length(const ss_film *f, int i);
/* Live: appends the shown scene if a frame is due; a recording that fails is ended, with err. */
int ss_film_live(ss_film *f, const ss_scene *scene, const ss_snapshot *snap, ss_err *err);
/* Passes new marks of the run on to a recording. */
void ss_film_marks(ss_film_output *t, const ss_snapshot *snap);
/* The row of --frame. The width of a figure on paper, in millimetres; 0: it has pixels. */
const ss_frame_row *ss_film_frame(void);
double ss_film_paper(void);
/* Checks --frame and --width; live: a front end shows the run. */
int ss_film_check_frame(bool live, bool map, ss_err *err);
/* The scene of a recording or of a figure: the frame, or the screen with the caption below. */
ss_scene *ss_film_scene(ss_ui *ui, const ss_snapshot *snap, const ss_sheet *at);
/* "run-20300131-235959.mp4": the default name. */
const char *ss_film_name(char *buf, size_t size);
/* Width and height number `nth` of the list --size; 0x0 if not given. */
int ss_film_size(int nth, int *w, int *h, ss_err *err);
int ss_film_sizes(void); /* entries of the list */
/* The next path of a comma-separated list such as that of --record; false at its end. */
bool ss_film_next_path(const char **list, char *path, size_t size);
/* Frames that repeat the last state at the end of every recording; frames of a subiteration. */
int64_t ss_film_hold(const ss_film *f);
int64_t ss_film_hold_tick(const ss_film *f);

#endif
