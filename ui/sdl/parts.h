/*
 * The desktop window's parts: its options (options.c), what it asks of the person's devices
 * (input.c), what it measures (times.c), and the front end itself (frontend.c). Private to
 * ui/sdl. Main thread only.
 */
#ifndef SS_SDL_H
#define SS_SDL_H

#include "ui/canvas/drawing.h"
#include "ui/scene/frontend.h"

enum { SS_SDL_QUEUE = 64, SS_SDL_MIN_W = 400, SS_SDL_MIN_H = 300, SS_SDL_MAX_SIDE = 16384 };

/* Its options (options.c): rows of ss_sdl_params. */
enum { SS_SDL_SCALE, SS_SDL_WINDOW, SS_SDL_FULLSCREEN, SS_SDL_TIMES, SS_SDL_NPARAM };
extern ss_param ss_sdl_params[SS_SDL_NPARAM];
bool ss_sdl_asked(int row);      /* for FULLSCREEN, TIMES */
double ss_sdl_asked_scale(void); /* 0: as the display wants it */
/* Pixels of the window; fails if --window or --ui-scale is out of range. */
int ss_sdl_asked_size(int *w, int *h, ss_err *err);
int ss_sdl_check(ss_err *err); /* the same, of the front end */

/* Events on their way to the app. */
typedef struct ss_sdl_queue {
    ss_event event[SS_SDL_QUEUE];
    int first, count;
} ss_sdl_queue;

void ss_sdl_put(ss_sdl_queue *q, const ss_event *ev); /* dropped if there is no room */
bool ss_sdl_get(ss_sdl_queue *q, ss_event *ev);
/* A key that has a name of its own, with its modifiers; "" if it has none. */
const char *ss_sdl_key_name(int code, bool shift, bool ctrl, char buf[16]);
/* Typed characters, each a key. */
void ss_sdl_text(ss_sdl_queue *q, const char *utf8);

/* Not 0: the display of the window is gone; nothing more may be asked of it. */
extern volatile int ss_sdl_lost;
void ss_sdl_watch(void *window); /* an SDL_Window */

/* No larger than the room that display `index` has for windows. True: it was. */
bool ss_sdl_fit(int index, int *w, int *h);
/* Puts a window (an SDL_Window) there, as far as it lies in the room of the display that it is on.
 */
void ss_sdl_place(void *window, int x, int y, int w, int h);

/* Times of frames: kept only if asked for. */
typedef struct ss_sdl_times ss_sdl_times;

ss_sdl_times *ss_sdl_times_new(void);
/* A frame: seconds its presentation took, and processor seconds of that. */
void ss_sdl_times_frame(ss_sdl_times *t, double present, double present_cpu);
/* Prints medians as "figure NAME VALUE" and frees. */
void ss_sdl_times_end(ss_sdl_times *t, int w, int h);
double ss_sdl_cpu(void); /* processor seconds of this thread */

#endif
