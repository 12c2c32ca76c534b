/*
 * The user interface: layer, axis, theme, focus, a number being typed, the open panel. It turns
 * events into commands, handles those of the screen's side and emits the others. It knows
 * snapshots, not runs. Main thread only.
 */
#ifndef SS_VIEW_H
#define SS_VIEW_H

#include "src/core/command.h"
#include "src/snapshot/mapview.h"
#include "src/snapshot/page.h"
#include "src/snapshot/roofs.h"
#include "src/snapshot/snapshot.h"
#include "ui/scene/colormap.h"
#include "ui/scene/frontend.h"

/* --- the interface ---------------------------------------------------------------------------- */

typedef struct ss_ui ss_ui;

/* Receives the commands that the UI does not handle; returns the ticket (0: refused, see err). */
typedef uint64_t ss_ui_emit(void *ctx, const ss_cmd *cmd, ss_err *err);

ss_ui *ss_ui_new(ss_ui_emit *emit, void *ctx, ss_err *err);
void ss_ui_free(ss_ui *ui);
/* Handles an event on the scene that is shown. True if something visible changed. */
bool ss_ui_event(ss_ui *ui, const ss_event *ev, const struct ss_scene *scene,
                 const ss_snapshot *snap);
/* A command of the screen's side: view, theme, bind, help, ... */
int ss_ui_command(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err);
/* Shows an error or a notice in the message line. */
void ss_ui_say(ss_ui *ui, bool error, const char *text);
/* Nothing new has come from the engine for this many whole seconds although it works; 0: it has.
 * True if the number has changed. what: shown before the first snapshot ("preparing 4096×4096"),
 * or NULL. */
bool ss_ui_waits(ss_ui *ui, int seconds, const char *what);
/* A number that grows with each message, while one is shown; else 0. */
uint64_t ss_ui_said(const ss_ui *ui, bool *error);
/* The picture wanted from the engine; seq grows when it changes. */
const ss_view *ss_ui_view(ss_ui *ui);
/* The line that leads to what is shown: in a page that holds the program, that of a link, which
 * opens a lesson at its step, and goes on as the run does. Returns why it does not; NULL: it does.
 */
const char *ss_ui_line_of(const ss_ui *ui, const ss_snapshot *snap, char *buf, size_t size);
/* Returns the line for the clipboard once, else NULL; ss_ui_copied reports whether it was copied.
 */
const char *ss_ui_take_copy(ss_ui *ui);
/* True once if `copy image` wants a picture of the window. */
bool ss_ui_take_picture(ss_ui *ui);
void ss_ui_copied(ss_ui *ui, bool done);
/* Calls `take` for each command that restores what is shown: "view layer staleness". */
typedef void ss_ui_line(void *ctx, const char *command);
void ss_ui_view_lines(const ss_ui *ui, const ss_snapshot *snap, ss_ui_line *take, void *ctx);
/* The clock, for changes that take a moment; without it everything changes at once. */
void ss_ui_clock(ss_ui *ui, double now);
/* Does the next scene differ although the snapshot is the same? */
bool ss_ui_moves(const ss_ui *ui);
bool ss_ui_wants_quit(const ss_ui *ui);
/* For recordings: hides the keys. A recording gets every snapshot in order, so its colour range may
 * adapt over several snapshots and still be reproducible. */
void ss_ui_in_order(ss_ui *ui);
/* Its commands will say sentences: a frame keeps their line free. */
void ss_ui_will_say(ss_ui *ui);
/* The same for a figure: the space-time diagram covers the whole run. The next snapshot
 * is needed after ss_ui_apart cycles. */
void ss_ui_whole_run(ss_ui *ui);
int64_t ss_ui_apart(const ss_ui *ui);
/* The colour ranges of a whole film: a first pass adds the range of every frame that a screen
 * shows, the second pass shows all frames with them. ss_ui_film_ranges: this is the screen of a
 * film, and uses them; NULL: unknown, its ranges grow with the frames. */
typedef struct ss_film_ranges ss_film_ranges;
ss_film_ranges *ss_film_ranges_new(void);
void ss_film_ranges_free(ss_film_ranges *f);
void ss_film_ranges_add(ss_film_ranges *f, const ss_ui *ui);
void ss_ui_film_ranges(ss_ui *ui, ss_film_ranges *ranges);
/* The roofs for the run's roofline, or a sentence why there are none; they stay valid until the
 * next call. True: the screen shows the roofline. */
void ss_ui_roofs(ss_ui *ui, const ss_roofs *roofs, const char *why);
bool ss_ui_wants_roofs(const ss_ui *ui);
/* The number of recordings of this screen. */
void ss_ui_recording(ss_ui *ui, int n);
/* A film of earlier cycles is at `cycle` and ends at `end`; cycle -1: none is made. */
void ss_ui_filming(ss_ui *ui, int64_t cycle, int64_t end);
/* Shows a lesson's page next to the run. The caller owns it and may change it between two scenes.
 */
void ss_ui_page(ss_ui *ui, const ss_page *page);
/* A step of the lesson is being set up, from here until false is passed: what the last one held or
 * set for the colours is forgotten, and values seen on the way do not count. */
void ss_ui_sets_up(ss_ui *ui, bool setting);
/* For a screen of another shape: its next scene shows what the last one of `of`, of the same
 * snapshot, has shown. */
void ss_ui_beside(ss_ui *ui, const ss_ui *of, const ss_snapshot *snap);
/* Does such a screen show a spectrum? Then it is made although this one shows none. */
void ss_ui_spectrum_beside(ss_ui *ui, bool shown);
/* Shows the list of lessons. The caller owns it and may change it between two scenes. */
void ss_ui_shelf(ss_ui *ui, const ss_shelf *shelf);
/* The same without showing it: for its tab beside the presets. */
void ss_ui_lessons(ss_ui *ui, const ss_shelf *shelf);
/* Show the start-up picker of presets. */
void ss_ui_open_picker(ss_ui *ui);
/* The commands of preset i, separated by ';'; NULL: there is none. */
const char *ss_ui_preset(const ss_ui *ui, int i);
/* The gallery of presets and lessons. */
bool ss_gallery_is_open(const ss_ui *ui);

/* The current map (NULL: none), valid until the next call; a new one starts closed. */
void ss_ui_map(ss_ui *ui, const ss_map_view *view);
void ss_ui_map_open(ss_ui *ui, bool open);
bool ss_ui_map_is_open(const ss_ui *ui);

/* --- names of layers, axes, planes and space-time diagrams, and which exist for a run --------- */

/* The x axis of the residual plot: the measures that rank a race. Sweeps: updates per point of the
 * finest grid. */
typedef enum ss_over {
    SS_CYCLES,
    SS_ITERATIONS,
    SS_SWEEPS,
    SS_SECONDS,
    SS_BYTES,
    SS_REDUCTIONS,
    SS_NOVER
} ss_over;
extern const char *const ss_over_names[SS_NOVER + 1];
/* Does the axis tell another story than the iterations? Reductions: if there are any. Sweeps: if
 * they are not the iterations; the redundant updates of tiles have a row among the costs. In a
 * race: of any run. */
bool ss_over_tells(const ss_snapshot *snap, ss_over over);

/* Planes of a slice of a 3D field, by the direction normal to it (ss_view.axis). */
extern const char *const ss_plane_names[4];

/* The diagram that a time-dependent run shows instead of the residual. */
typedef enum ss_stage_id {
    SS_DIAMONDS,
    SS_LANES,
    SS_CLASSIC,
    SS_ACCURACY,
    SS_DRIFT,
    SS_SPECTRUM,
    SS_TIMELINE, /* the last: runs without modelled ranks have no tab for it */
    SS_NSTAGE
} ss_stage_id;
extern const char *const ss_stage_names[SS_NSTAGE + 1];

/* How a layer is drawn. */
typedef struct ss_layer_label {
    const char *name, *symbol, *help;
    const char *map;
    bool log, grid;
    bool steady;         /* it does not exist for a time-dependent equation */
    ss_theme_role frame; /* of the selected block, to contrast with the map */
    int least, most;     /* dimensions in which it exists */
} ss_layer_label;
extern const ss_layer_label ss_layer_labels[SS_NLAYER];

/* Its symbol and its meaning for this run. */
const char *ss_layer_symbol(const ss_snapshot *snap, ss_layer layer);
const char *ss_layer_help(const ss_snapshot *snap, ss_layer layer);
/* What is said of the shown picture if it is exactly zero everywhere. False: it is not, or the runs
 * of a race share its scale. */
bool ss_layer_zero(const ss_snapshot *snap, char *buf, size_t size);
/* A run that was stale and is exact now: since when, and how many bytes that saves against the
 * classic solver. False: it is not one. */
bool ss_exact_again(const ss_snapshot *snap, char *buf, size_t size);
/* Are there stale halos, but nothing changes any more, since the residual is 0? Stale and fresh
 * values are then equal. */
bool ss_stale_at_rest(const ss_snapshot *snap);
/* The same words of a layer that is zero everywhere; NULL: there are none. */
const char *ss_layer_zero_words(ss_layer layer);
/* The reason why a stage cannot be shown; NULL: it can. */
const char *ss_stage_why(const ss_snapshot *snap, ss_stage_id which);
/* "u" where there is only one quantity. */
const char *ss_quantity_symbol(const ss_snapshot *snap);
/* "st", "nd", "rd", "th" */
const char *ss_ordinal(int n);

#endif
