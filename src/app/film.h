/*
 * The recordings of a run: which are open, how many frames they have, when the next is due. The app
 * gives it scenes; live (with a person there) of what is shown, else made for each recording at its
 * own size. Main thread.
 */
#ifndef SS_FILM_H
#define SS_FILM_H

#include "ui/record/frames.h"
#include "ui/view/events.h"

#define SS_FILM_MAX 16

typedef struct ss_take {
    ss_recording *recording;
    char path[1024];
    int64_t first; /* number of its first frame */
    bool begun;    /* has a frame */
    int nmark;     /* marks of the run that it has seen; the cycle of the last one */
    int64_t mark_cycle;
    ss_ui *ui;              /* off-line: its own screen */
    uint64_t sent, ui_view; /* the view it asked for: the engine's number, the screen's */
} ss_take;

typedef struct ss_film {
    bool live;
    double fps;
    int64_t per_frame; /* cycles; 0 (live only): by the clock */
    int64_t frames;    /* off-line: of the whole run so far */
    ss_take take[SS_FILM_MAX];
    int ntake, opened;   /* opened: ever, for the list of sizes */
    const char *command; /* for the metadata */
    char comment[320];
    double started; /* live: clock of the first frame */
    int64_t cycle;  /* live: of the last frame; off-line: cycles since then */
    double due;     /* live: what is shown now has its frame then; 0: it has it */
    int64_t missed; /* live, by cycles: frames that were over before they were seen */
    bool ending;    /* live: when what is shown has its frame, it is over */
    double shown;   /* clock of the progress bar */
} ss_film;

void ss_film_init(ss_film *f, bool live, const char *command);
/* Opens a recording; scene: what is shown now, for its size (live). */
int ss_film_start(ss_film *f, const char *path, const ss_scene *scene, ss_err *say, ss_err *err);
/* Ends recording i, `length` frames long; ok: keep what there is. */
int ss_film_end(ss_film *f, int i, int64_t length, bool ok, ss_err *say, ss_err *err);
/* Live: how long recording i is now. */
int64_t ss_film_length(const ss_film *f, int i);
/* Live: appends what is shown, if a frame is due; what cannot go on is ended, with a sentence. */
int ss_film_live(ss_film *f, const ss_scene *scene, const ss_snapshot *snap, ss_err *err);
/* Passes new marks of the run on to a recording. */
void ss_film_marks(ss_take *t, const ss_snapshot *snap);
/* A screen for a recording or a figure, with the caption below it. */
ss_scene *ss_film_scene(ss_ui *ui, const ss_snapshot *snap, const ss_extent *extent);
/* "run-20300131-235959.mp4": a name for whoever does not give one. */
const char *ss_film_name(char *buf, size_t size);
/* Width and height number `nth` of the list --size; 0x0 if it is not given. */
int ss_film_size(int nth, int *w, int *h, ss_err *err);
int ss_film_sizes(void); /* in the list */
/* The next path of a list with commas, as --record has it; false at its end. */
bool ss_film_next_path(const char **list, char *path, size_t size);
/* Frames at the end of every recording that show its last state. */
int64_t ss_film_hold(const ss_film *f);

#endif
