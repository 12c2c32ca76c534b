/* The parts of the desktop window: its options, place and loss (window.c), input devices (input.c),
 * and the front end itself (frontend.c). Private to ui/sdl. Main thread only. */
#ifndef SS_SDL_H
#define SS_SDL_H

#include "ui/canvas/canvas.h"
#include "ui/scene/frontend.h"

enum { SS_SDL_QUEUE = 64, SS_SDL_MIN_W = 400, SS_SDL_MIN_H = 300, SS_SDL_MAX_SIDE = 16384 };

/* Its parameter rows (window.c). */
enum { SS_SDL_SCALE, SS_SDL_WINDOW, SS_SDL_FULLSCREEN, SS_SDL_TIMES, SS_SDL_NPARAM };
extern ss_param ss_sdl_params[SS_SDL_NPARAM];
bool ss_sdl_asked(int row);      /* choices of FULLSCREEN, TIMES */
bool ss_sdl_given(int row);      /* on the command line or in a file */
double ss_sdl_asked_scale(void); /* 0: the display's own scale */
/* Window size in pixels; fails if --window or --ui-scale is out of range. */
int ss_sdl_asked_size(int *w, int *h, ss_err *err);
int ss_sdl_check(ss_err *err); /* the same, of the front end */

/* Events queued for the app. */
typedef struct ss_sdl_queue {
    ss_event event[SS_SDL_QUEUE];
    int first, count;
} ss_sdl_queue;

void ss_sdl_put(ss_sdl_queue *q, const ss_event *ev); /* dropped if the queue is full */
bool ss_sdl_get(ss_sdl_queue *q, ss_event *ev);
/* The name of a special key with its modifiers; "" for other keys. */
const char *ss_sdl_key_name(int code, bool shift, bool ctrl, char buf[16]);
/* Typed characters, one key each. */
void ss_sdl_text(ss_sdl_queue *q, const char *utf8);

/* Not 0: the window's display is gone; it must not be called any more. */
extern volatile int ss_sdl_lost;
/* Before and after the start of SDL's video: SDL_Quit restores the handler that was set before it
 * and then closes a connection, where the answer to the last wake event may say that the window is
 * gone. */
void ss_sdl_begin(void);
void ss_sdl_watch(void *window); /* an SDL_Window */

/* Limits a size to the usable area of display `index`. True: it was too large. */
bool ss_sdl_fit(int index, int *w, int *h);
/* Moves a window (an SDL_Window) there, as far as it fits the usable area of its display. */
void ss_sdl_place(void *window, int x, int y, int w, int h);

/* Where the window was when the program ended (window.c), in the units of SDL's windows; steps:
 * of ctrl + and ctrl -. */
typedef struct ss_sdl_spot {
    int x, y, w, h, steps;
    char display[96];
} ss_sdl_spot;

/* False: nothing is known, or options say another place. */
bool ss_sdl_recall(ss_sdl_spot *out);
/* Stores the spot of a window (an SDL_Window), with the display that it is on. No error if it
 * cannot. */
void ss_sdl_remember(void *window, ss_sdl_spot *spot);

#endif
