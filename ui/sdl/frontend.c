/* The desktop window (SDL2): see frontend.h. A drawing (canvas.h) paints the scene into the
 * window's own pixels; the changed rectangles are shown. Main thread only, except wake. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <SDL.h>

#include "src/base/common.h"
#include "src/base/system.h"
#include "src/core/registry.h"
#include "ui/sdl/parts.h"

/* --- frame times, kept only on request: for tests/e2e/window_rate.sh -------------------------- */

enum { FRAMES_MAX = 1 << 14, KEYS_MAX = 1 << 10, WARM_UP = 20 };

typedef struct frame_times {
    int n; /* frames so far, warm-up included */
    double last, last_cpu;
    double pressed; /* when the key was that no frame has answered yet; 0: none */
    int nkey;
    double key[KEYS_MAX]; /* seconds from a key to the end of the next frame's presentation */
    double interval[FRAMES_MAX], work[FRAMES_MAX], present[FRAMES_MAX];
} frame_times;

/* Processor seconds of this thread. */
static double cpu_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static frame_times *times_new(void)
{
    return calloc(1, sizeof(frame_times));
}

/* A key was pressed `ago` seconds ago: the next frame answers it. */
static void times_key(frame_times *t, double ago)
{
    if (t->pressed <= 0)
        t->pressed = ss_clock() - ago;
}

/* One frame: seconds of its presentation, and processor seconds of that. Counts everything that
 * this thread does between two frames, except the presentation. */
static void times_frame(frame_times *t, double present, double present_cpu)
{
    double now = ss_clock(), cpu = cpu_time();
    int i = t->n++ - WARM_UP;
    if (i >= 0 && i < FRAMES_MAX) {
        t->interval[i] = now - t->last;
        t->work[i] = cpu - t->last_cpu - present_cpu;
        t->present[i] = present;
    }
    if (t->pressed > 0 && t->nkey < KEYS_MAX)
        t->key[t->nkey++] = now - t->pressed;
    t->pressed = 0;
    t->last = now, t->last_cpu = cpu;
}

/* Prints medians as "figure NAME VALUE", and frees. */
static void times_end(frame_times *t, int w, int h)
{
    int n = t->n - WARM_UP, within = 0;
    n = n > FRAMES_MAX ? FRAMES_MAX : n;
    if (n > 0) {
        qsort(t->interval, (size_t)n, sizeof *t->interval, ss_ascending);
        qsort(t->work, (size_t)n, sizeof *t->work, ss_ascending);
        qsort(t->present, (size_t)n, sizeof *t->present, ss_ascending);
        for (int i = 0; i < n; i++)
            within += t->interval[i] <= 0.020;
        fprintf(stderr, "figure window_pixels %dx%d\nfigure window_frames %d\n", w, h, n);
        fprintf(stderr, "figure window_frames_a_second %.1f\n", 1 / t->interval[n / 2]);
        fprintf(stderr, "figure window_within_20_ms_percent %.1f\n", 100.0 * within / n);
        fprintf(stderr, "figure window_95_percent_ms %.2f\n", 1e3 * t->interval[n * 95 / 100]);
        fprintf(stderr, "figure window_processor_ms_a_frame %.2f\n", 1e3 * t->work[n / 2]);
        fprintf(stderr, "figure window_present_ms_a_frame %.2f\n", 1e3 * t->present[n / 2]);
    }
    qsort(t->key, (size_t)t->nkey, sizeof *t->key, ss_ascending);
    if (t->nkey > 0) {
        fprintf(stderr, "figure window_keys %d\n", t->nkey);
        fprintf(stderr, "figure window_key_to_screen_ms %.2f\n", 1e3 * t->key[t->nkey / 2]);
    }
    free(t);
}

/* --- the window ------------------------------------------------------------------------------- */

enum { DAMAGE_MAX = 96 };
static const double HOVER = 0.6, SLICE = 0.2; /* seconds until a tip shows; the longest sleep */

typedef struct window {
    SDL_Window *sdl;
    SDL_Surface *spare; /* drawn into where the window's pixels have another format */
    ss_drawing *drawing;
    int cell;  /* pixels across a cell of the drawing */
    int steps; /* of ctrl + and ctrl -, a quarter each */
    uint32_t wake_type;
    SDL_atomic_t woken;
    ss_sdl_queue queue;
    char notice[200];
    char dropped[4096]; /* path of the dropped file */
    int drops;          /* files of the present drop */
    bool resized, held, fullscreen;
    bool chord; /* the last key had control: the text that follows it is not typed */
    int before_x, before_y, before_w, before_h; /* not in full screen */
    double moved; /* clock of the last motion; 0: a tip was requested already, or none is wanted */
    double x, y;  /* of the mouse, in cells */
    frame_times *times;
    SDL_Cursor *pointer[SS_NPOINT]; /* NULL: not used yet */
    ss_pointer shape;
} window;

static volatile sig_atomic_t quit_signal;
static ss_quit_signals quit_signals;

/* --- is there a display? ---------------------------------------------------------------------- */

static int start_video(ss_err *err)
{
    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
    SDL_SetHint(SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1");
    SDL_SetHint(SDL_HINT_APP_NAME, "stencilscope");
    if (SDL_WasInit(SDL_INIT_VIDEO))
        return SS_OK;
    ss_sdl_begin();
    if (SDL_InitSubSystem(SDL_INIT_VIDEO) != 0)
        return ss_fail(err, "there is no display for a window (%.120s)", SDL_GetError());
    const char *driver = SDL_GetCurrentVideoDriver(), *asked = SDL_getenv("SDL_VIDEODRIVER");
    if (driver && strcmp(driver, "offscreen") == 0 && !asked) {
        SDL_QuitSubSystem(SDL_INIT_VIDEO);
        return ss_fail(err, "there is no display for a window");
    }
    /* The software renderer: X shares its pixels with us; through textures they would be copied
     * twice. */
    if (driver && strcmp(driver, "x11") == 0)
        SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0");
    ss_sdl_begin();
    return SS_OK;
}

/* Unless asked for by name, a window opens only if nobody reads stdout. */
static int sdl_probe(ss_err *err)
{
    const ss_param *ui = ss_param_find(ss_options(), "ui", NULL);
    struct stat out;
    bool chosen = ui && ss_config_value(ss_options(), ui).i == 0;
    if (chosen && (isatty(STDOUT_FILENO) || fstat(STDOUT_FILENO, &out) != 0 ||
                   S_ISREG(out.st_mode) || S_ISFIFO(out.st_mode)))
        return ss_fail(err, "a window opens only with --ui sdl where output is read");
    return start_video(err);
}

/* --- opening ---------------------------------------------------------------------------------- */

static void on_signal(int number)
{
    quit_signal = number;
}

/* Pixels per window unit, or the resolution of the display, in quarters. */
static double display_scale(const window *w, int across, int pixels)
{
    float dpi = 0;
    double scale = across > 0 ? (double)pixels / across : 1;
    if (scale <= 1 && SDL_GetDisplayDPI(SDL_GetWindowDisplayIndex(w->sdl), &dpi, NULL, NULL) == 0 &&
        dpi > 120 && dpi < 400)
        scale = floor((double)dpi / 96 * 4 + 0.5) / 4;
    return scale;
}

/* As --ui-scale says, else as the display and the size of the window want it; then ctrl + and
 * ctrl -. */
static double wanted_scale(const window *w)
{
    double asked = ss_sdl_asked_scale();
    int across = 0, pixels = 0, down = 0, none;
    SDL_GetWindowSize(w->sdl, &across, &none);
    SDL_GetWindowSizeInPixels(w->sdl, &pixels, &down);
    double scale = display_scale(w, across, pixels);
    scale = asked > 0 ? asked : scale * ss_places_scale(pixels / scale, down / scale);
    scale += w->steps / 4.0;
    return scale < 0.5 ? 0.5 : scale > 4 ? 4 : scale;
}

/* A drawing with cells of that many pixels; the old one stays if there is none. */
static int make_drawing(window *w, int cell, ss_err *err)
{
    if (w->drawing && cell == w->cell)
        return SS_OK;
    ss_drawing *d = ss_drawing_new(cell / (double)SS_CELL_W, err);
    if (!d)
        return SS_FAIL;
    ss_drawing_free(w->drawing);
    w->drawing = d;
    w->cell = cell;
    return SS_OK;
}

/* For the next start; in full screen: as the window was before. */
static void remember(const window *w)
{
    ss_sdl_spot spot = {w->before_x, w->before_y, w->before_w, w->before_h, w->steps, ""};
    if (!w->sdl || ss_sdl_lost || (w->fullscreen && w->before_w == 0))
        return;
    if (!w->fullscreen) {
        SDL_GetWindowPosition(w->sdl, &spot.x, &spot.y);
        SDL_GetWindowSize(w->sdl, &spot.w, &spot.h);
    }
    ss_sdl_remember(w->sdl, &spot);
}

static void sdl_close(void *self)
{
    window *w = self;
    int width = 0, height = 0;
    remember(w);
    if (w->sdl)
        SDL_GetWindowSizeInPixels(w->sdl, &width, &height);
    if (w->times)
        times_end(w->times, width, height);
    ss_drawing_free(w->drawing);
    SDL_FreeSurface(w->spare);
    ss_quit_signals_release(&quit_signals);
    if (ss_sdl_lost)
        fprintf(stderr, "stencilscope: the display of the window is gone; the run ends here\n");
    for (int i = 0; i < SS_NPOINT && !ss_sdl_lost; i++)
        if (w->pointer[i])
            SDL_FreeCursor(w->pointer[i]);
    if (w->sdl && !ss_sdl_lost)
        SDL_DestroyWindow(w->sdl);
    if (!ss_sdl_lost)
        SDL_Quit();
    free(w);
}

static void show_message(window *w, const char *sentence)
{
    ss_event ev = {.kind = SS_EV_NOTICE, .text = w->notice};
    snprintf(w->notice, sizeof w->notice, "%.199s", sentence);
    ss_sdl_put(&w->queue, &ev);
}

static int sdl_open(void **self, ss_err *err)
{
    int width, height;
    window *w = calloc(1, sizeof *w);
    if (!w)
        return ss_fail(err, "out of memory: the window");
    if (ss_sdl_asked_size(&width, &height, err) != SS_OK || start_video(err) != SS_OK)
        goto fail;
    ss_sdl_spot spot;
    bool fitted = ss_sdl_fit(0, &width, &height), recalled = ss_sdl_recall(&spot);
    if (recalled)
        width = spot.w, height = spot.h, w->steps = spot.steps;
    w->fullscreen = ss_sdl_asked(SS_SDL_FULLSCREEN);
    uint32_t more = w->fullscreen ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0;
    w->sdl = SDL_CreateWindow("stencilscope", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width,
                              height, SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI | more);
    if (!w->sdl) {
        ss_fail(err, "no window can be opened (%.120s)", SDL_GetError());
        goto fail;
    }
    SDL_SetWindowMinimumSize(w->sdl, SS_SDL_MIN_W, SS_SDL_MIN_H);
    ss_sdl_watch(w->sdl);
    if (recalled && !w->fullscreen)
        ss_sdl_place(w->sdl, spot.x, spot.y, spot.w, spot.h);
    if (make_drawing(w, SS_CELL_W, err) != SS_OK)
        goto fail;
    w->wake_type = SDL_RegisterEvents(1);
    w->times = ss_sdl_asked(SS_SDL_TIMES) ? times_new() : NULL;
    SDL_StartTextInput();
    quit_signal = 0;
    ss_quit_signals_catch(&quit_signals, on_signal);
    if (fitted)
        show_message(
            w, "--window is larger than the display: the window is as large as it has room for");
    *self = w;
    return SS_OK;
fail:
    sdl_close(w);
    return SS_FAIL;
}

static void sdl_extent(void *self, ss_extent *out)
{
    window *w = self;
    int width = 0, height = 0;
    SDL_GetWindowSizeInPixels(w->sdl, &width, &height);
    ss_places_extent(wanted_scale(w), width, height, out);
}

/* --- drawing ---------------------------------------------------------------------------------- */

/* The surface to draw into: the window's, or our own if the window's is not 32-bit RGB. */
static SDL_Surface *target(window *w, SDL_Surface *shown)
{
    if (shown->format->BytesPerPixel == 4 && shown->format->Rmask == 0xff0000 &&
        shown->format->Gmask == 0xff00)
        return shown;
    if (!w->spare || w->spare->w != shown->w || w->spare->h != shown->h) {
        SDL_FreeSurface(w->spare);
        w->spare =
            SDL_CreateRGBSurfaceWithFormat(0, shown->w, shown->h, 32, SDL_PIXELFORMAT_RGB888);
        ss_drawing_forget(w->drawing);
    }
    return w->spare;
}

/* The shape of the mouse pointer says what a press does. */
static void set_pointer(window *w, ss_pointer shape)
{
    static const SDL_SystemCursor of[SS_NPOINT] = {[SS_POINT_ARROW] = SDL_SYSTEM_CURSOR_ARROW,
                                                   [SS_POINT_HAND] = SDL_SYSTEM_CURSOR_HAND,
                                                   [SS_POINT_CROSS] = SDL_SYSTEM_CURSOR_CROSSHAIR,
                                                   [SS_POINT_ACROSS] = SDL_SYSTEM_CURSOR_SIZEWE,
                                                   [SS_POINT_UP] = SDL_SYSTEM_CURSOR_SIZENS};
    if (shape == w->shape)
        return;
    if (!w->pointer[shape])
        w->pointer[shape] = SDL_CreateSystemCursor(of[shape]);
    if (w->pointer[shape])
        SDL_SetCursor(w->pointer[shape]);
    w->shape = shape;
}

static void sdl_draw(void *self, const struct ss_scene *scene, const ss_snapshot *snap)
{
    window *w = self;
    (void)snap;
    SDL_Surface *shown = scene && !ss_sdl_lost ? SDL_GetWindowSurface(w->sdl) : NULL;
    SDL_Surface *to = shown ? target(w, shown) : NULL;
    if (!to)
        return; /* between two sizes: a resize event follows */
    ss_err err;
    if (make_drawing(w, scene->cell, &err) != SS_OK)
        show_message(w, err.text);
    set_pointer(w, scene->pointer);
    ss_rect part[DAMAGE_MAX], all;
    SDL_Rect show[DAMAGE_MAX];
    ss_pixels px = {to->pixels, to->w, to->h, to->pitch};
    if (SDL_MUSTLOCK(to))
        SDL_LockSurface(to);
    ss_drawing_paint(w->drawing, scene, &px, &all);
    if (SDL_MUSTLOCK(to))
        SDL_UnlockSurface(to);
    int n = ss_drawing_parts(w->drawing, part, DAMAGE_MAX);
    for (int i = 0; i < n; i++) {
        show[i] = (SDL_Rect){part[i].x, part[i].y, part[i].w, part[i].h};
        if (to != shown) {
            SDL_Rect at = show[i];
            SDL_BlitSurface(to, &show[i], shown, &at);
        }
    }
    double start = ss_clock(), cpu = cpu_time();
    if (n && SDL_UpdateWindowSurfaceRects(w->sdl, show, n) != 0)
        ss_drawing_forget(w->drawing);
    if (w->times && n)
        times_frame(w->times, ss_clock() - start, cpu_time() - cpu);
}

/* In the working directory of the program. */
static int write_picture(window *w, char *name, size_t size, ss_err *err)
{
    time_t now = time(NULL);
    struct tm tm;
    SDL_Surface *shown = SDL_GetWindowSurface(w->sdl);
    SDL_Surface *from = shown ? target(w, shown) : NULL;
    strftime(name, size, "stencilscope-%Y%m%d-%H%M%S.png", localtime_r(&now, &tm));
    if (!from)
        return ss_fail(err, "there is no picture");
    ss_pixels px = {from->pixels, from->w, from->h, from->pitch};
    return ss_pixels_png(&px, name, err);
}

static void screenshot(window *w)
{
    char path[64], text[160];
    ss_err err;
    if (write_picture(w, path, sizeof path, &err) != SS_OK)
        snprintf(text, sizeof text, "no screenshot: %.120s", err.text);
    else
        snprintf(text, sizeof text, "the window is in %s", path);
    show_message(w, text);
}

/* The whole path: it goes to other programs. */
static int sdl_picture(void *self, char *path, size_t size, ss_err *err)
{
    char name[64], here[160];
    if (ss_sdl_lost || !getcwd(here, sizeof here))
        return ss_fail(err, "no picture: %s", ss_sdl_lost ? "the window is gone" : strerror(errno));
    if (write_picture(self, name, sizeof name, err) != SS_OK)
        return SS_FAIL;
    snprintf(path, size, "%s/%s", here, name);
    return SS_OK;
}

/* Without a window manager nothing else restores the size. */
static void toggle_fullscreen(window *w)
{
    w->fullscreen = !w->fullscreen;
    if (w->fullscreen) {
        SDL_GetWindowSize(w->sdl, &w->before_w, &w->before_h);
        SDL_GetWindowPosition(w->sdl, &w->before_x, &w->before_y);
    }
    if (SDL_SetWindowFullscreen(w->sdl, w->fullscreen ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0) != 0) {
        w->fullscreen = !w->fullscreen;
        show_message(w, "the display has no full screen");
    }
    if (!w->fullscreen && w->before_w > 0)
        ss_sdl_place(w->sdl, w->before_x, w->before_y, w->before_w, w->before_h);
}

/* --- events ----------------------------------------------------------------------------------- */

static void mouse(window *w, ss_event_kind kind, int x, int y, int button, int dy)
{
    int across = 1, pixels = 1, none;
    SDL_GetWindowSize(w->sdl, &across, &none);
    SDL_GetWindowSizeInPixels(w->sdl, &pixels, &none);
    double ratio = across > 0 ? (double)pixels / across : 1;
    ss_event ev = {.kind = kind, .button = button, .dy = dy};
    ev.shift = SDL_GetModState() & KMOD_SHIFT;
    ss_drawing_place(w->drawing, (x + 0.5) * ratio, (y + 0.5) * ratio, &ev.x, &ev.y);
    w->x = ev.x, w->y = ev.y;
    ss_sdl_put(&w->queue, &ev);
}

static void resize_by(window *w, int steps)
{
    char text[80];
    int before = w->steps;
    double scale = wanted_scale(w);
    w->steps = steps;
    if (steps && fabs(wanted_scale(w) - scale) < 1e-9) /* as small or large as it can be */
        w->steps = before;
    snprintf(text, sizeof text, "size of everything: %.3g (ctrl-0: as usual)", wanted_scale(w));
    show_message(w, text);
    w->resized = true;
}

static void larger(window *w)
{
    resize_by(w, w->steps + 1);
}

static void smaller(window *w)
{
    resize_by(w, w->steps - 1);
}

static void usual_size(window *w)
{
    resize_by(w, 0);
}

/* Keys that the window handles itself. */
static const struct own_key {
    const char *key;
    void (*act)(window *w);
} own_keys[] = {{"F11", toggle_fullscreen},
                {"F12", screenshot},
                {"C-+", larger},
                {"C--", smaller},
                {"C-0", usual_size}};

/* Control makes a key a command. Some keyboards write characters with control and alt. */
static bool is_chord(int mod)
{
    return (mod & KMOD_CTRL) && !(mod & (KMOD_ALT | KMOD_MODE));
}

static void key(window *w, const SDL_KeyboardEvent *e)
{
    ss_event ev = {.kind = SS_EV_KEY};
    w->chord = is_chord(e->keysym.mod);
    ss_sdl_key_name(e->keysym.sym, e->keysym.mod & KMOD_SHIFT, e->keysym.mod & KMOD_CTRL, ev.key);
    for (size_t i = 0; i < sizeof own_keys / sizeof *own_keys; i++)
        if (strcmp(own_keys[i].key, ev.key) == 0) {
            own_keys[i].act(w);
            return;
        }
    if (*ev.key)
        ss_sdl_put(&w->queue, &ev);
}

static void window_event(window *w, int what)
{
    if (what == SDL_WINDOWEVENT_SIZE_CHANGED || what == SDL_WINDOWEVENT_EXPOSED ||
        what == SDL_WINDOWEVENT_RESTORED || what == SDL_WINDOWEVENT_SHOWN) {
        ss_drawing_forget(w->drawing);
        w->resized = true;
    } else if (what == SDL_WINDOWEVENT_DISPLAY_CHANGED) {
        w->resized = true; /* its resolution may differ */
    } else if (what == SDL_WINDOWEVENT_CLOSE) {
        ss_event ev = {.kind = SS_EV_QUIT};
        ss_sdl_put(&w->queue, &ev);
    } else if (what == SDL_WINDOWEVENT_LEAVE) {
        ss_event ev = {.kind = SS_EV_MOVE, .x = -1, .y = -1}; /* it points at nothing */
        w->moved = 0;
        ss_sdl_put(&w->queue, &ev);
    }
}

/* Of several files dropped together the first counts. Frees SDL's path. */
static void drop(window *w, char *path)
{
    ss_event ev = {.kind = SS_EV_DROP, .text = w->dropped};
    if (w->drops++ == 0) {
        snprintf(w->dropped, sizeof w->dropped, "%s", path);
        ss_sdl_put(&w->queue, &ev);
    }
    SDL_free(path);
}

/* True: a wake event arrived. */
static bool translate(window *w, const SDL_Event *e)
{
    if (e->type == w->wake_type) {
        SDL_AtomicSet(&w->woken, 0);
        return true;
    }
    switch (e->type) {
    case SDL_KEYDOWN:
        w->moved = 0;
        if (w->times)
            times_key(w->times, 1e-3 * (SDL_GetTicks() - e->key.timestamp));
        key(w, &e->key);
        break;
    case SDL_TEXTINPUT:
        if (!w->chord)
            ss_sdl_text(&w->queue, e->text.text);
        break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        w->held = e->type == SDL_MOUSEBUTTONDOWN;
        w->moved = 0;
        SDL_CaptureMouse(w->held);
        mouse(w, w->held ? SS_EV_PRESS : SS_EV_RELEASE, e->button.x, e->button.y,
              e->button.button - 1, 0);
        break;
    case SDL_MOUSEMOTION:
        w->moved = w->held ? 0 : ss_clock();
        mouse(w, w->held ? SS_EV_DRAG : SS_EV_MOVE, e->motion.x, e->motion.y, 0, 0);
        break;
    case SDL_MOUSEWHEEL:
        if (e->wheel.y)
            mouse(w, SS_EV_WHEEL, e->wheel.mouseX, e->wheel.mouseY, 0, e->wheel.y > 0 ? 1 : -1);
        break;
    case SDL_DROPBEGIN:
        w->drops = 0;
        break;
    case SDL_DROPFILE:
        drop(w, e->drop.file);
        break;
    case SDL_WINDOWEVENT:
        window_event(w, e->window.event);
        break;
    case SDL_QUIT: /* the close event of the last window was reported already */
    default:
        break;
    }
    return false;
}

/* The mouse rests: the item below it may be explained. */
static void hover(window *w, double now)
{
    ss_event ev = {.kind = SS_EV_HOVER, .x = w->x, .y = w->y};
    if (w->moved <= 0 || now - w->moved < HOVER)
        return;
    w->moved = 0;
    ss_sdl_put(&w->queue, &ev);
}

static bool next_event(window *w, ss_event *ev)
{
    if (ss_sdl_lost)
        quit_signal = SIGHUP;
    if (quit_signal) {
        *ev = (ss_event){.kind = SS_EV_QUIT, .button = quit_signal};
        quit_signal = 0;
        return true;
    }
    if (ss_sdl_get(&w->queue, ev))
        return true;
    *ev = (ss_event){.kind = SS_EV_RESIZE};
    bool resized = w->resized; /* once for any number of wake calls */
    w->resized = false;
    return resized;
}

static int sdl_poll(void *self, double seconds, ss_event *ev)
{
    window *w = self;
    double until = ss_clock() + seconds;
    for (bool woken = false;;) {
        SDL_Event e;
        while (w->queue.count < SS_SDL_QUEUE - 40 && !ss_sdl_lost && SDL_PollEvent(&e))
            woken = translate(w, &e) || woken;
        double now = ss_clock();
        hover(w, now);
        if (next_event(w, ev))
            return 1;
        if (woken || (seconds >= 0 && now >= until)) /* the app checks the descriptor itself */
            return 0;
        double left = seconds < 0 || until - now > SLICE ? SLICE : until - now;
        if (SDL_WaitEventTimeout(&e, left < 1e-3 ? 1 : (int)(left * 1e3)))
            woken = translate(w, &e) || woken;
    }
}

/* Any thread: one event for any number of calls. */
static void sdl_wake(void *self)
{
    window *w = self;
    SDL_Event e = {.type = w->wake_type};
    if (SDL_AtomicCAS(&w->woken, 0, 1) && SDL_PushEvent(&e) != 1)
        SDL_AtomicSet(&w->woken, 0);
}

static bool sdl_copy(void *self, const char *text)
{
    (void)self;
    return !ss_sdl_lost && SDL_SetClipboardText(text) == 0;
}

const ss_frontend ss_frontend_sdl = {
    .name = "sdl",
    .help = "window on the desktop",
    .caps = SS_FE_INTERACTIVE | SS_FE_DRAWS,
    .fps = 64, /* slightly above the rate of common displays */
    .params = ss_sdl_params,
    .nparam = SS_SDL_NPARAM,
    .check = ss_sdl_check,
    .probe = sdl_probe,
    .open = sdl_open,
    .extent = sdl_extent,
    .poll = sdl_poll,
    .wake = sdl_wake,
    .draw = sdl_draw,
    .copy = sdl_copy,
    .picture = sdl_picture,
    .close = sdl_close,
};
