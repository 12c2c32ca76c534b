/*
 * The user interface: layer, axis, theme, focus, a number being typed, the open panel. It turns
 * events into commands, handles those of the screen's side and emits the others. It knows
 * snapshots, not runs. Main thread only.
 */
#ifndef SS_UI_H
#define SS_UI_H

#include "src/core/command.h"
#include "src/snapshot/mapview.h"
#include "src/snapshot/roofs.h"
#include "src/snapshot/page.h"
#include "src/snapshot/snapshot.h"
#include "ui/scene/frontend.h"

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

#endif
