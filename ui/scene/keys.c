/* The key table: see keys.h. */
#include "ui/scene/keys.h"

#include <stdio.h>
#include <string.h>

#include "src/base/common.h"
#include "src/core/command.h"
#include "ui/scene/text.h"

const ss_key ss_keys[] = {
    {SS_K_MAIN, "space", "toggle", "pause", "pause or continue", 1, false, SS_TASK_RUN},
    {SS_K_MAIN, ".", "tick", "microscope", "one subiteration, then pause", 2, false, SS_TASK_RUN},
    {SS_K_MAIN, ",", "step", "cycle", "one whole cycle, then pause", 0, false, SS_TASK_RUN},
    {SS_K_MAIN, "l", "view layer next", "layer", "next layer of the field", 3, false, SS_TASK_LOOK},
    {SS_K_MAIN, "L", "view layer previous", "layer back", "previous layer", 0, false, SS_TASK_LOOK},
    {SS_K_MAIN, "F", "view field next", "field", "next field: density, momentum, pressure ...", 0,
     false, SS_TASK_LOOK},
    {SS_K_MAIN, "x", "view panel next", "axis",
     "residual over cycles, seconds ...; stages of the theatre", 5, false, SS_TASK_LOOK},
    {SS_K_MAIN, "X", "view panel previous", "axis back", "the previous axis or stage", 0, false,
     SS_TASK_LOOK},
    {SS_K_MAIN, "[", "view slice previous", "slice back", "3D: the previous slice", 0, false,
     SS_TASK_LOOK},
    {SS_K_MAIN, "]", "view slice next", "slice", "3D: the next slice", 0, false, SS_TASK_LOOK},
    {SS_K_MAIN, "{", "view slice previous 8", "slice back", NULL, 0, false, SS_TASK_NONE},
    {SS_K_MAIN, "}", "view slice next 8", "slice", NULL, 0, false, SS_TASK_NONE},
    {SS_K_MAIN, "y", "view plane next", "plane", "3D: slices of the next plane: yz, xz, xy", 0,
     false, SS_TASK_LOOK},
    {SS_K_MAIN, ">", "speed faster", "faster", SS_COMMAND_HELP, 0, false, SS_TASK_RUN},
    {SS_K_MAIN, "<", "speed slower", "slower", SS_COMMAND_HELP, 8, false, SS_TASK_RUN},
    {SS_K_MAIN, "R", "record", "record", "record what is shown; again: stop", 4, false,
     SS_TASK_RECORD},
    {SS_K_MAIN, "%", "view cost next", "costs", "the costs of a cycle, or the roofline of the run",
     0, false, SS_TASK_LOOK},
    {SS_K_MAIN, "i", "explain on", "explain", SS_COMMAND_HELP, 3, false, SS_TASK_LOOK},
    {SS_K_MAIN, "F2", "explain on", "explain", NULL, 0, false, SS_TASK_NONE},
    {SS_K_MAIN, "I", "kernel", "kernel", SS_COMMAND_HELP, 0, false, SS_TASK_LOOK},
    {SS_K_MAIN, "~", "view timeline", "timeline",
     "the run from its start; a drag on it returns to that cycle", 0, false, SS_TASK_RUN},
    {SS_K_MAIN, "r", "reset", "reset", SS_COMMAND_HELP, 6, false, SS_TASK_RUN},
    {SS_K_MAIN, "u", "undo", "undo", SS_COMMAND_HELP, 5, false, SS_TASK_RUN},
    {SS_K_MAIN, "U", "redo", "redo", SS_COMMAND_HELP, 0, false, SS_TASK_RUN},
    {SS_K_MAIN, "(", "rewind -1", "back", "return to an earlier checkpoint", 0, false, SS_TASK_RUN},
    {SS_K_MAIN, ")", "rewind +1", "forward", "go forward again, up to where the run had come", 0,
     false, SS_TASK_RUN},
    {SS_K_MAIN, "tab", "focus next", "control", "next control", 9, false, SS_TASK_CHANGE},
    {SS_K_MAIN, "S-tab", "focus previous", "control back", "previous control", 0, false,
     SS_TASK_CHANGE},
    {SS_K_MAIN, "down", "focus next", "control", NULL, 0, false, SS_TASK_NONE},
    {SS_K_MAIN, "up", "focus previous", "control back", NULL, 0, false, SS_TASK_NONE},
    {SS_K_MAIN, "left", "change -1", "less", "lower the control in focus", 0, false,
     SS_TASK_CHANGE},
    {SS_K_MAIN, "right", "change +1", "more", "raise the control in focus", 0, false,
     SS_TASK_CHANGE},
    {SS_K_MAIN, "-", "change -1", "less", NULL, 0, false, SS_TASK_NONE},
    {SS_K_MAIN, "+", "change +1", "more", NULL, 0, false, SS_TASK_NONE},
    {SS_K_MAIN, "=", "change +1", "more", NULL, 0, false, SS_TASK_NONE},
    {SS_K_MAIN, "pgdn", "change -10", "much less", "lower it by a page", 0, false, SS_TASK_CHANGE},
    {SS_K_MAIN, "pgup", "change +10", "much more", "raise it by a page", 0, false, SS_TASK_CHANGE},
    {SS_K_MAIN, "home", "change min", "least", SS_COMMAND_HELP, 0, false, SS_TASK_CHANGE},
    {SS_K_MAIN, "end", "change max", "most", SS_COMMAND_HELP, 0, false, SS_TASK_CHANGE},
    {SS_K_MAIN, "enter", "entry open", "type", SS_COMMAND_HELP, 0, false, SS_TASK_CHANGE},
    {SS_K_MAIN, "z", "view zoom out", "zoom out", "see more of the field", 0, false, SS_TASK_LOOK},
    {SS_K_MAIN, "Z", "view zoom in", "zoom in", "see the field closer (mouse wheel)", 10, false,
     SS_TASK_LOOK},
    {SS_K_MAIN, "f", "view zoom reset", "fit", "the whole field again", 0, false, SS_TASK_LOOK},
    {SS_K_MAIN, "S-left", "view pan -1 0", "pan", "move the view of the field", 0, false,
     SS_TASK_LOOK},
    {SS_K_MAIN, "S-right", "view pan 1 0", "pan", NULL, 0, false, SS_TASK_NONE},
    {SS_K_MAIN, "S-up", "view pan 0 1", "pan", NULL, 0, false, SS_TASK_NONE},
    {SS_K_MAIN, "S-down", "view pan 0 -1", "pan", NULL, 0, false, SS_TASK_NONE},
    {SS_K_MAIN, "p", "view probe toggle", "probe", "look at a point: arrows move it, esc ends", 8,
     false, SS_TASK_LOOK},
    {SS_K_MAIN, "e", "brush", "brush", "paint on the field: drag, or arrows and enter; esc ends",
     14, false, SS_TASK_CHANGE},
    {SS_K_MAIN, "/", "view cursor next", "values",
     "read the values of a chart: arrows move the cursor, esc ends", 18, false, SS_TASK_LOOK},
    {SS_K_MAIN, "$", "copy data", "copy data", SS_COMMAND_HELP, 0, false, SS_TASK_RECORD},
    {SS_K_MAIN, "#", "view range toggle", "hold colours",
     "hold the values of the colours, or let them follow the field", 0, false, SS_TASK_LOOK},
    {SS_K_MAIN, "g", "view grid", "grid", "show or hide the edges of the blocks", 0, false,
     SS_TASK_LOOK},
    {SS_K_MAIN, "G", "view smooth", "smooth", "a window's pictures: smooth, or point by point", 0,
     false, SS_TASK_LOOK},
    {SS_K_MAIN, "^", "view maximise", "maximise",
     "maximise a panel (double click its title); again: all", 0, false, SS_TASK_LOOK},
    {SS_K_MAIN, "esc", "view maximise off", "all panels", NULL, 0, false, SS_TASK_NONE},
    {SS_K_MAIN, "C-right", "view gutter right", "border",
     "move a border of panels (or drag it); or the next panel", 0, false, SS_TASK_LOOK},
    {SS_K_MAIN, "C-left", "view gutter left", "border", NULL, 0, false, SS_TASK_NONE},
    {SS_K_MAIN, "C-up", "view gutter up", "border", NULL, 0, false, SS_TASK_NONE},
    {SS_K_MAIN, "C-down", "view gutter down", "border", NULL, 0, false, SS_TASK_NONE},
    {SS_K_MAIN, "C-g", "view gutter next", "next border", "choose the border that ctrl-arrows move",
     0, false, SS_TASK_LOOK},
    {SS_K_MAIN, "C-r", "view layout reset", "usual panels", SS_COMMAND_HELP, 0, false,
     SS_TASK_LOOK},
    {SS_K_MAIN, "t", "theme", "theme", "dark, light, or large for a projector", 7, false,
     SS_TASK_LOOK},
    {SS_K_MAIN, "|", "split", "race", SS_COMMAND_HELP, 3, false, SS_TASK_COMPARE},
    {SS_K_MAIN, "&", "view wipe toggle", "wipe",
     "two runs of a race in one picture; arrows move its line", 0, false, SS_TASK_COMPARE},
    {SS_K_MAIN, "\\", "select next", "next run", SS_COMMAND_HELP, 0, false, SS_TASK_COMPARE},
    {SS_K_MAIN, "c", "race next", "race by",
     "a race: keep level by cycles, iterations, seconds ...", 0, false, SS_TASK_COMPARE},
    {SS_K_MAIN, "C", "classic", "classic", "compare with the classic solver: curve, time, bits", 0,
     false, SS_TASK_COMPARE},
    {SS_K_MAIN, "_", "drop others", "ends the race", SS_COMMAND_HELP, 0, false, SS_TASK_COMPARE},
    {SS_K_MAIN, "H", "map", "map", "the map of cycles, time ... over this run's parameters", 6,
     false, SS_TASK_COMPARE},
    {SS_K_MAIN, "Y", "copy", "copy", "copy the command line of this state to the clipboard", 9,
     false, SS_TASK_RECORD},
    {SS_K_MAIN, "P", "presets", "presets", SS_COMMAND_HELP, 4, false, SS_TASK_PROGRAM},
    {SS_K_MAIN, ":", "prompt open", "command", "type a command: set until 1e-6, run ...", 17, false,
     SS_TASK_PROGRAM},
    {SS_K_MAIN, "?", "help", "help", SS_COMMAND_HELP, 2, true, SS_TASK_PROGRAM},
    {SS_K_MAIN, "F1", "help", "help", NULL, 0, false, SS_TASK_NONE},
    {SS_K_MAIN, "q", "quit", "quit", SS_COMMAND_HELP, 2, true, SS_TASK_PROGRAM},
    {SS_K_MAIN, "C-c", "quit", "quit", NULL, 0, false, SS_TASK_NONE},
    {SS_K_MAIN, "C-l", "redraw", "redraw", SS_COMMAND_HELP, 0, false, SS_TASK_PROGRAM},
    {SS_K_MAIN, "F11", "window fullscreen", "full screen", SS_COMMAND_HELP, 0, false,
     SS_TASK_PROGRAM},
    {SS_K_MAIN, "F12", "window screenshot", "screenshot", SS_COMMAND_HELP, 0, false,
     SS_TASK_RECORD},
    {SS_K_MAIN, "C-+", "window larger", "larger", SS_COMMAND_HELP, 0, false, SS_TASK_PROGRAM},
    {SS_K_MAIN, "C--", "window smaller", "smaller", SS_COMMAND_HELP, 0, false, SS_TASK_PROGRAM},
    {SS_K_MAIN, "C-0", "window normal", "usual size", SS_COMMAND_HELP, 0, false, SS_TASK_PROGRAM},
    {SS_K_MAIN, "C-z", "suspend", "suspend", SS_COMMAND_HELP, 0, false, SS_TASK_PROGRAM},

    {SS_K_RACE, "_", "drop others", "ends the race", NULL, 1, false, SS_TASK_NONE},
    {SS_K_RACE, "c", "race next", "race by", NULL, 1, false, SS_TASK_NONE},
    {SS_K_RACE, "&", "view wipe toggle", "wipe", NULL, 2, false, SS_TASK_NONE},
    {SS_K_RACE, "\\", "select next", "next run", NULL, 1, false, SS_TASK_NONE},

    {SS_K_PAGE, "!", "lesson do", "do it", SS_COMMAND_HELP, 1, false, SS_TASK_NONE},
    {SS_K_PAGE, "j", "lesson next", "next", SS_COMMAND_HELP, 1, false, SS_TASK_NONE},
    {SS_K_PAGE, "J", "lesson back", "back", SS_COMMAND_HELP, 0, false, SS_TASK_NONE},
    {SS_K_PAGE, "h", "lesson hint", "hint", SS_COMMAND_HELP, 1, false, SS_TASK_NONE},
    {SS_K_PAGE, "E", "lesson solution", "solution", SS_COMMAND_HELP, 1, false, SS_TASK_NONE},
    {SS_K_PAGE, "@", "lesson again", "start again", SS_COMMAND_HELP, 0, false, SS_TASK_NONE},
    {SS_K_PAGE, "'", "lesson scroll 8", "scroll", "scroll its text down (mouse wheel)", 0, false,
     SS_TASK_NONE},
    {SS_K_PAGE, "\"", "lesson scroll -8", "scroll back", "scroll its text up", 0, false,
     SS_TASK_NONE},
    {SS_K_PAGE, ";", "lesson panel", "panel", SS_COMMAND_HELP, 2, false, SS_TASK_NONE},
    {SS_K_PAGE, "Q", "lesson leave", "lessons", SS_COMMAND_HELP, 3, false, SS_TASK_NONE},
    {SS_K_PAGE, "T", "lesson fold", "text", SS_COMMAND_HELP, 2, false, SS_TASK_NONE},

    {SS_K_ANSWER, "1", "lesson choose 1", "2 … predict", NULL, 1, false, SS_TASK_NONE},
    {SS_K_ANSWER, "2", "lesson choose 2", "predict", NULL, 0, false, SS_TASK_NONE},
    {SS_K_ANSWER, "3", "lesson choose 3", "predict", NULL, 0, false, SS_TASK_NONE},
    {SS_K_ANSWER, "4", "lesson choose 4", "predict", NULL, 0, false, SS_TASK_NONE},
    {SS_K_ANSWER, "5", "lesson choose 5", "predict", NULL, 0, false, SS_TASK_NONE},
    {SS_K_ANSWER, "6", "lesson choose 6", "predict", NULL, 0, false, SS_TASK_NONE},
    {SS_K_ANSWER, "7", "lesson choose 7", "predict", NULL, 0, false, SS_TASK_NONE},
    {SS_K_ANSWER, "8", "lesson choose 8", "predict", NULL, 0, false, SS_TASK_NONE},
    {SS_K_ANSWER, "9", "lesson choose 9", "predict", NULL, 0, false, SS_TASK_NONE},
    {SS_K_ANSWER, "enter", "lesson lock", "lock it", NULL, 1, false, SS_TASK_NONE},

    {SS_K_MAP, "left", "map move left", "right up down: move",
     "move the cursor, and right, up, down", 8, false, SS_TASK_NONE},
    {SS_K_MAP, "right", "map move right", "move", NULL, 0, false, SS_TASK_NONE},
    {SS_K_MAP, "up", "map move up", "move", NULL, 0, false, SS_TASK_NONE},
    {SS_K_MAP, "down", "map move down", "move", NULL, 0, false, SS_TASK_NONE},
    {SS_K_MAP, "home", "map best", "best", SS_COMMAND_HELP, 6, false, SS_TASK_NONE},
    {SS_K_MAP, "enter", "map take", "take", SS_COMMAND_HELP, 1, false, SS_TASK_NONE},
    {SS_K_MAP, "x", "map quantity next", "quantity", SS_COMMAND_HELP, 2, false, SS_TASK_NONE},
    {SS_K_MAP, "X", "map quantity previous", "quantity back", "the previous quantity", 0, false,
     SS_TASK_NONE},
    {SS_K_MAP, "tab", "map view next", "view", SS_COMMAND_HELP, 3, false, SS_TASK_NONE},
    {SS_K_MAP, "S-tab", "map view previous", "view back", NULL, 0, false, SS_TASK_NONE},
    {SS_K_MAP, "%", "map relative", "row", SS_COMMAND_HELP, 4, false, SS_TASK_NONE},
    {SS_K_MAP, "space", "map pause", "pause", SS_COMMAND_HELP, 3, false, SS_TASK_NONE},
    {SS_K_MAP, "|", "map split", "split", NULL, 0, false, SS_TASK_NONE},
    {SS_K_MAP, "u", "undo", "undo", SS_COMMAND_HELP, 0, false, SS_TASK_NONE},
    {SS_K_MAP, "esc", "map close", "close", SS_COMMAND_HELP, 1, true, SS_TASK_NONE},
    {SS_K_MAP, "H", "map close", "close", NULL, 0, false, SS_TASK_NONE},
    {SS_K_MAP, "t", "theme", "theme", NULL, 0, false, SS_TASK_NONE},
    {SS_K_MAP, "R", "record", "record", NULL, 0, false, SS_TASK_NONE},
    {SS_K_MAP, ":", "prompt open", "command", NULL, 0, false, SS_TASK_NONE},
    {SS_K_MAP, "?", "help", "help", NULL, 2, true, SS_TASK_NONE},
    {SS_K_MAP, "q", "quit", "quit", NULL, 2, true, SS_TASK_NONE},
    {SS_K_MAP, "C-c", "quit", "quit", NULL, 0, false, SS_TASK_NONE},
    {SS_K_MAP, "C-l", "redraw", "redraw", NULL, 0, false, SS_TASK_NONE},
    {SS_K_MAP, "F11", "window fullscreen", "full screen", NULL, 0, false, SS_TASK_NONE},
    {SS_K_MAP, "F12", "window screenshot", "screenshot", NULL, 0, false, SS_TASK_NONE},
    {SS_K_MAP, "C-z", "suspend", "suspend", NULL, 0, false, SS_TASK_NONE},
    {SS_K_ALONE, "esc", "view maximise off", "all panels", NULL, 1, false, SS_TASK_NONE},
    {SS_K_ALONE, "C-right", "view gutter right", "next panel", NULL, 2, false, SS_TASK_NONE},

    {SS_K_PAST, "(", "rewind -1", "back", NULL, 1, false, SS_TASK_NONE},
    {SS_K_PAST, ")", "rewind +1", "forward", NULL, 1, false, SS_TASK_NONE},

    {SS_K_PROBE, "left", "view probe left", "right up down: move the point", NULL, 1, false,
     SS_TASK_NONE},
    {SS_K_PROBE, "right", "view probe right", "move", NULL, 0, false, SS_TASK_NONE},
    {SS_K_PROBE, "up", "view probe up", "move", NULL, 0, false, SS_TASK_NONE},
    {SS_K_PROBE, "down", "view probe down", "move", NULL, 0, false, SS_TASK_NONE},
    {SS_K_PROBE, "esc", "view probe off", "end probing", NULL, 2, false, SS_TASK_NONE},

    {SS_K_CURSOR, "left", "view cursor left", "right: move, with shift by 10", NULL, 1, false,
     SS_TASK_NONE},
    {SS_K_CURSOR, "right", "view cursor right", "move", NULL, 0, false, SS_TASK_NONE},
    {SS_K_CURSOR, "S-left", "view cursor left 10", "move", NULL, 0, false, SS_TASK_NONE},
    {SS_K_CURSOR, "S-right", "view cursor right 10", "move", NULL, 0, false, SS_TASK_NONE},
    {SS_K_CURSOR, "/", "view cursor next", "next chart", NULL, 2, false, SS_TASK_NONE},
    {SS_K_CURSOR, "1", "view curve 1", "2 …: hide a curve", NULL, 3, false, SS_TASK_NONE},
    {SS_K_CURSOR, "2", "view curve 2", "hide a curve", NULL, 0, false, SS_TASK_NONE},
    {SS_K_CURSOR, "3", "view curve 3", "hide a curve", NULL, 0, false, SS_TASK_NONE},
    {SS_K_CURSOR, "4", "view curve 4", "hide a curve", NULL, 0, false, SS_TASK_NONE},
    {SS_K_CURSOR, "5", "view curve 5", "hide a curve", NULL, 0, false, SS_TASK_NONE},
    {SS_K_CURSOR, "6", "view curve 6", "hide a curve", NULL, 0, false, SS_TASK_NONE},
    {SS_K_CURSOR, "7", "view curve 7", "hide a curve", NULL, 0, false, SS_TASK_NONE},
    {SS_K_CURSOR, "8", "view curve 8", "hide a curve", NULL, 0, false, SS_TASK_NONE},
    {SS_K_CURSOR, "9", "view curve 9", "hide a curve", NULL, 0, false, SS_TASK_NONE},
    {SS_K_CURSOR, "x", "view chart log x", "log x", NULL, 4, false, SS_TASK_NONE},
    {SS_K_CURSOR, "X", "view chart log y", "log y", NULL, 0, false, SS_TASK_NONE},
    {SS_K_CURSOR, "Z", "view chart closer", "z: zoom", NULL, 5, false, SS_TASK_NONE},
    {SS_K_CURSOR, "z", "view chart wider", "zoom out", NULL, 0, false, SS_TASK_NONE},
    {SS_K_CURSOR, "f", "view chart fit", "fit", NULL, 6, false, SS_TASK_NONE},
    {SS_K_CURSOR, "esc", "view cursor off", "end", NULL, 1, true, SS_TASK_NONE},

    {SS_K_EXPLAIN, "space", "toggle", "pause or go on", NULL, 1, false, SS_TASK_NONE},
    {SS_K_EXPLAIN, ".", "tick", "microscope", NULL, 2, false, SS_TASK_NONE},
    {SS_K_EXPLAIN, ",", "step", "cycle", NULL, 3, false, SS_TASK_NONE},
    {SS_K_EXPLAIN, "l", "view layer next", "layer", NULL, 4, false, SS_TASK_NONE},
    {SS_K_EXPLAIN, "esc", "explain off", "close", NULL, 1, true, SS_TASK_NONE},
    {SS_K_EXPLAIN, "i", "explain off", "close", NULL, 0, false, SS_TASK_NONE},
    {SS_K_EXPLAIN, "F2", "explain off", "close", NULL, 0, false, SS_TASK_NONE},
    {SS_K_EXPLAIN, "q", "explain off", "close", NULL, 0, false, SS_TASK_NONE},
    {SS_K_EXPLAIN, "C-c", "quit", "quit", NULL, 0, false, SS_TASK_NONE},

    {SS_K_WIPE, "left", "view wipe left", "right: move the line", NULL, 1, false, SS_TASK_NONE},
    {SS_K_WIPE, "right", "view wipe right", "move", NULL, 0, false, SS_TASK_NONE},
    {SS_K_WIPE, "&", "view wipe off", "end the wipe", NULL, 2, false, SS_TASK_NONE},
    {SS_K_WIPE, "esc", "view wipe keys-off", "arrows back", NULL, 3, false, SS_TASK_NONE},
    {SS_K_WIPE, "space", "toggle", "pause", NULL, 4, false, SS_TASK_NONE},

    {SS_K_COPY, "s", "copy session", "save the session", NULL, 1, false, SS_TASK_NONE},
    {SS_K_COPY, "Y", "copy", "copy again", NULL, 2, false, SS_TASK_NONE},
    {SS_K_COPY, "esc", "copy close", "close", NULL, 1, true, SS_TASK_NONE},
    {SS_K_COPY, "enter", "copy close", "close", NULL, 0, false, SS_TASK_NONE},
    {SS_K_COPY, "q", "copy close", "close", NULL, 0, false, SS_TASK_NONE},
    {SS_K_COPY, "C-c", "quit", "quit", NULL, 0, false, SS_TASK_NONE},

    {SS_K_BRUSH, "enter", "brush dab", "or a drag: paint", NULL, 1, false, SS_TASK_NONE},
    {SS_K_BRUSH, "left", "view probe left", "right up down: move", NULL, 5, false, SS_TASK_NONE},
    {SS_K_BRUSH, "right", "view probe right", "move", NULL, 0, false, SS_TASK_NONE},
    {SS_K_BRUSH, "up", "view probe up", "move", NULL, 0, false, SS_TASK_NONE},
    {SS_K_BRUSH, "down", "view probe down", "move", NULL, 0, false, SS_TASK_NONE},
    {SS_K_BRUSH, "[", "brush smaller", "] radius", NULL, 2, false, SS_TASK_NONE},
    {SS_K_BRUSH, "]", "brush larger", "larger", NULL, 0, false, SS_TASK_NONE},
    {SS_K_BRUSH, "-", "brush weaker", "+ amount", NULL, 3, false, SS_TASK_NONE},
    {SS_K_BRUSH, "+", "brush stronger", "stronger", NULL, 0, false, SS_TASK_NONE},
    {SS_K_BRUSH, "=", "brush stronger", "stronger", NULL, 0, false, SS_TASK_NONE},
    {SS_K_BRUSH, "i", "brush invert", "sign", NULL, 3, false, SS_TASK_NONE},
    {SS_K_BRUSH, "u", "undo", "undo", NULL, 4, false, SS_TASK_NONE},
    {SS_K_BRUSH, "space", "toggle", "pause", NULL, 6, false, SS_TASK_NONE},
    {SS_K_BRUSH, "esc", "brush off", "end", NULL, 1, true, SS_TASK_NONE},
    {SS_K_BRUSH, "e", "brush off", "end", NULL, 0, false, SS_TASK_NONE},

    {SS_K_ENTRY, "enter", "entry apply", "set it", SS_COMMAND_HELP, 1, false, SS_TASK_NONE},
    {SS_K_ENTRY, "esc", "entry cancel", "cancel", SS_COMMAND_HELP, 2, false, SS_TASK_NONE},
    {SS_K_ENTRY, "backspace", "entry erase", "erase", NULL, 3, false, SS_TASK_NONE},
    {SS_K_ENTRY, "C-c", "entry cancel", "cancel", NULL, 0, false, SS_TASK_NONE},

    {SS_K_PROMPT, "enter", "prompt apply", "do it", NULL, 1, false, SS_TASK_NONE},
    {SS_K_PROMPT, "esc", "prompt cancel", "leave", NULL, 2, false, SS_TASK_NONE},
    {SS_K_PROMPT, "tab", "prompt complete", "complete", NULL, 3, false, SS_TASK_NONE},
    {SS_K_PROMPT, "up", "prompt earlier", "down: earlier lines", NULL, 4, false, SS_TASK_NONE},
    {SS_K_PROMPT, "down", "prompt later", "later lines", NULL, 0, false, SS_TASK_NONE},
    {SS_K_PROMPT, "backspace", "prompt erase", "erase", NULL, 0, false, SS_TASK_NONE},
    {SS_K_PROMPT, "C-u", "prompt clear", "clear", NULL, 5, false, SS_TASK_NONE},
    {SS_K_PROMPT, "C-c", "prompt cancel", "leave", NULL, 0, false, SS_TASK_NONE},

    {SS_K_HELP, "esc", "help", "close", NULL, 1, false, SS_TASK_NONE},
    {SS_K_HELP, "?", "help", "close", NULL, 0, false, SS_TASK_NONE},
    {SS_K_HELP, "q", "help", "close", NULL, 0, false, SS_TASK_NONE},
    {SS_K_HELP, "enter", "help", "close", NULL, 0, false, SS_TASK_NONE},
    {SS_K_HELP, "/", "help find", "find", NULL, 1, false, SS_TASK_NONE},
    {SS_K_HELP, "down", "help scroll 1", "up: scroll", NULL, 2, false, SS_TASK_NONE},
    {SS_K_HELP, "up", "help scroll -1", "scroll", NULL, 0, false, SS_TASK_NONE},
    {SS_K_HELP, "pgdn", "help scroll 10", "down", NULL, 0, false, SS_TASK_NONE},
    {SS_K_HELP, "pgup", "help scroll -10", "up", NULL, 0, false, SS_TASK_NONE},
    {SS_K_HELP, "space", "help scroll 10", "down", NULL, 0, false, SS_TASK_NONE},
    {SS_K_HELP, "C-c", "quit", "quit", NULL, 0, false, SS_TASK_NONE},

    {SS_K_KERNEL, "esc", "kernel", "close", NULL, 1, true, SS_TASK_NONE},
    {SS_K_KERNEL, "I", "kernel", "close", NULL, 0, false, SS_TASK_NONE},
    {SS_K_KERNEL, "q", "kernel", "close", NULL, 0, false, SS_TASK_NONE},
    {SS_K_KERNEL, "e", "kernel edit", "edit", NULL, 1, false, SS_TASK_NONE},
    {SS_K_KERNEL, "x", "kernel edit off", "end edit", NULL, 2, false, SS_TASK_NONE},
    {SS_K_KERNEL, "tab", "kernel next", "next kernel", NULL, 1, false, SS_TASK_NONE},
    {SS_K_KERNEL, "S-tab", "kernel previous", "kernel back", NULL, 0, false, SS_TASK_NONE},
    {SS_K_KERNEL, "down", "kernel scroll 1", "up: scroll", NULL, 2, false, SS_TASK_NONE},
    {SS_K_KERNEL, "up", "kernel scroll -1", "scroll", NULL, 0, false, SS_TASK_NONE},
    {SS_K_KERNEL, "pgdn", "kernel scroll 10", "down", NULL, 0, false, SS_TASK_NONE},
    {SS_K_KERNEL, "pgup", "kernel scroll -10", "up", NULL, 0, false, SS_TASK_NONE},
    {SS_K_KERNEL, "space", "kernel scroll 10", "down", NULL, 0, false, SS_TASK_NONE},
    {SS_K_KERNEL, "C-c", "quit", "quit", NULL, 0, false, SS_TASK_NONE},

    {SS_K_PICKER, "enter", "presets take", "start", "start the preset", 1, false, SS_TASK_NONE},
    {SS_K_PICKER, "right", "presets move right", "next", NULL, 0, false, SS_TASK_NONE},
    {SS_K_PICKER, "left", "presets move left", "right up down: choose", NULL, 2, false,
     SS_TASK_NONE},
    {SS_K_PICKER, "down", "presets move down", "below", NULL, 0, false, SS_TASK_NONE},
    {SS_K_PICKER, "up", "presets move up", "above", NULL, 0, false, SS_TASK_NONE},
    {SS_K_PICKER, "/", "presets find", "find", NULL, 3, false, SS_TASK_NONE},
    {SS_K_PICKER, "tab", "lessons", "lessons", NULL, 2, false, SS_TASK_NONE},
    {SS_K_PICKER, "space", "presets take", "start", NULL, 0, false, SS_TASK_NONE},
    {SS_K_PICKER, "esc", "presets close", "go on as it is", NULL, 4, false, SS_TASK_NONE},
    {SS_K_PICKER, "P", "presets close", "go on as it is", NULL, 0, false, SS_TASK_NONE},
    {SS_K_PICKER, "q", "quit", "quit", NULL, 5, false, SS_TASK_NONE},
    {SS_K_PICKER, "C-c", "quit", "quit", NULL, 0, false, SS_TASK_NONE},

    {SS_K_SHELF, "enter", "lessons take", "open", "open the lesson", 1, false, SS_TASK_NONE},
    {SS_K_SHELF, "right", "lessons move right", "next", NULL, 0, false, SS_TASK_NONE},
    {SS_K_SHELF, "left", "lessons move left", "right up down: choose", NULL, 2, false,
     SS_TASK_NONE},
    {SS_K_SHELF, "down", "lessons move down", "below", NULL, 0, false, SS_TASK_NONE},
    {SS_K_SHELF, "up", "lessons move up", "above", NULL, 0, false, SS_TASK_NONE},
    {SS_K_SHELF, "/", "presets find", "find", NULL, 3, false, SS_TASK_NONE},
    {SS_K_SHELF, "tab", "presets", "presets", NULL, 2, false, SS_TASK_NONE},
    {SS_K_SHELF, "space", "lessons take", "open", NULL, 0, false, SS_TASK_NONE},
    {SS_K_SHELF, "esc", "lessons close", "go on as it is", NULL, 4, false, SS_TASK_NONE},
    {SS_K_SHELF, "P", "lessons close", "go on as it is", NULL, 0, false, SS_TASK_NONE},
    {SS_K_SHELF, "q", "quit", "quit", NULL, 5, false, SS_TASK_NONE},
    {SS_K_SHELF, "C-c", "quit", "quit", NULL, 0, false, SS_TASK_NONE},
    {.key = NULL},
};

const char *const ss_task_names[SS_NTASK] = {
    [SS_TASK_RUN] = "Run",         [SS_TASK_CHANGE] = "Change", [SS_TASK_LOOK] = "Look",
    [SS_TASK_COMPARE] = "Compare", [SS_TASK_RECORD] = "Record", [SS_TASK_PROGRAM] = "Program"};

const char *ss_key_help(const ss_key *key)
{
    const ss_verb *row = key->help && !*key->help ? ss_verb_of_line(key->command) : NULL;
    return row ? row->help : key->help;
}

const char *ss_key_label(const ss_key *key, const ss_key_state *run)
{
    const struct {
        const char *command, *label;
        bool holds;
    } others[] = {{"view panel next", "tabs", run->moving},
                  {"toggle", "skip", run->plays},
                  {"toggle", "go on", run->paused},
                  {"reset", "start again", run->ended}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].holds && strcmp(key->command, others[i].command) == 0)
            return others[i].label;
    return key->label;
}

const ss_key *ss_key_find(ss_key_context context, const char *key)
{
    for (const ss_key *k = ss_keys; k->key; k++)
        if (k->context == context && strcmp(k->key, key) == 0)
            return k;
    return NULL;
}

static const char *const names[] = {
    "space",  "left",    "right", "up",     "down",    "home",      "end",    "pgup",
    "pgdn",   "enter",   "esc",   "tab",    "S-tab",   "backspace", "delete", "insert",
    "S-left", "S-right", "S-up",  "S-down", "S-home",  "S-end",     "F1",     "F2",
    "F3",     "F4",      "F5",    "C-left", "C-right", "C-up",      "C-down", "F6",
    "F7",     "F8",      "F9",    "F10",    "F11",     "F12",       NULL};

/* One character that is shown. */
static bool is_character(const char *key)
{
    char safe[8];
    size_t n = strlen(key);
    snprintf(safe, sizeof safe, "%s", key);
    return n > 0 && ss_utf8_length(key, n) == (int)n && strcmp(ss_text_safe(safe), key) == 0;
}

bool ss_key_valid(const char *key)
{
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], key) == 0)
            return true;
    if (strncmp(key, "C-", 2) == 0)
        return key[2] && !key[3] && ((key[2] >= 'a' && key[2] <= 'z') || strchr("+-0", key[2]));
    return is_character(key) && key[0] != ' ';
}

/* Takes the last character, with the marks on it. */
static void erase(char *text)
{
    size_t n = strlen(text);
    for (bool marks = true; n > 0 && marks;) {
        do
            n--;
        while (n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80);
        const char *last = text + n;
        marks = ss_char_width(ss_utf8_next(&last)) == 0;
    }
    text[n] = '\0';
}

bool ss_key_type(const char *key, char *text, size_t size)
{
    const char *typed = strcmp(key, "space") == 0 ? " " : key;
    size_t n = strlen(text), more = strlen(typed);
    if (strcmp(key, "backspace") == 0)
        erase(text);
    else if (!is_character(typed))
        return false;
    else if (n + more < size)
        memcpy(text + n, typed, more + 1);
    return true;
}

const char *ss_key_text(const char *key)
{
    bool modified = key[0] && key[1] == '-' && key[2];
    return modified ? ss_text("%s%s", key[0] == 'S' ? "shift-" : "ctrl-", key + 2) : key;
}
