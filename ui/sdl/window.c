/* The window's options, its place, and its loss. Its place, size and scale between two starts: a
 * line for each display in the file "window" of the user's state, the latest first. Without the
 * file, or without a home directory, nothing is remembered. See parts.h. Main thread only. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <SDL.h>
#include <SDL_syswm.h>

#include "src/base/file.h"
#include "src/base/common.h"
#include "src/core/registry.h"
#include "ui/sdl/parts.h"

/* --- options ---------------------------------------------------------------------------------- */

// clang-format off
ss_param ss_sdl_params[SS_SDL_NPARAM] = {
    [SS_SDL_SCALE] = {.name = "ui-scale", .symbol = "ui-scale", .unit = "", .group = "Window",
                   .type = SS_REAL_T, .zero = "auto", .min = 0, .max = 4, .flags = SS_P_APP,
                   .help = "size of everything in the window; auto: grows with the window"},
    [SS_SDL_WINDOW] = {.name = "window", .symbol = "window", .unit = "", .group = "Window",
                    .type = SS_STRING, .def_text = "1280x800", .flags = SS_P_APP,
                    .help = "width x height of the window in pixels"},
    [SS_SDL_FULLSCREEN] = {.name = "fullscreen", .symbol = "fullscreen", .unit = "",
                        .group = "Window", .type = SS_BOOL, .flags = SS_P_APP,
                        .help = "as large as the display; F11 changes it"},
    [SS_SDL_TIMES] = {.name = "frame-times", .symbol = "frame-times", .unit = "", .group = "Window",
                   .type = SS_BOOL, .flags = SS_P_APP,
                   .help = "at the end, print how long the window's frames took"},
};
// clang-format on

static const ss_param *option(int row)
{
    const ss_param *found = ss_param_find(ss_options(), ss_sdl_params[row].name, NULL);
    return found == &ss_sdl_params[row] ? found : NULL;
}

bool ss_sdl_asked(int row)
{
    return option(row) && ss_config_value(ss_options(), option(row)).i != 0;
}

bool ss_sdl_given(int row)
{
    return option(row) && ss_config_has(ss_options(), option(row));
}

double ss_sdl_asked_scale(void)
{
    return option(SS_SDL_SCALE) ? ss_config_value(ss_options(), option(SS_SDL_SCALE)).d : 0;
}

int ss_sdl_asked_size(int *w, int *h, ss_err *err)
{
    const char *text =
        option(SS_SDL_WINDOW) ? ss_config_value(ss_options(), option(SS_SDL_WINDOW)).s : NULL;
    double scale = ss_sdl_asked_scale();
    *w = 1280, *h = 800;
    if (scale > 0 && scale < SS_SCALE_LEAST)
        return ss_fail(err, "--ui-scale: %.3g is too small to read; 0.5 is the least", scale);
    if (!text || !*text)
        return SS_OK;
    const char *end = ss_parse_pair(text, w, h);
    if (!end || *end || *w < SS_SDL_MIN_W || *h < SS_SDL_MIN_H || *w > SS_SDL_MAX_SIDE ||
        *h > SS_SDL_MAX_SIDE)
        return ss_fail(err, "--window: '%.40s' is no size; 1280x800 is one, from %dx%d to %dx%d",
                       text, SS_SDL_MIN_W, SS_SDL_MIN_H, SS_SDL_MAX_SIDE, SS_SDL_MAX_SIDE);
    return SS_OK;
}

int ss_sdl_check(ss_err *err)
{
    int w, h;
    return ss_sdl_asked_size(&w, &h, err);
}

/* --- its position on its display -------------------------------------------------------------- */

bool ss_sdl_fit(int index, int *w, int *h)
{
    SDL_Rect room;
    int asked_w = *w, asked_h = *h;
    if (index < 0 || SDL_GetDisplayUsableBounds(index, &room) != 0 || room.w < SS_SDL_MIN_W ||
        room.h < SS_SDL_MIN_H)
        return false;
    *w = ss_min(*w, room.w);
    *h = ss_min(*h, room.h);
    return *w != asked_w || *h != asked_h;
}

/* The position of n units starting at `at`, moved into [from, from + room). */
static int inside(int at, int n, int from, int room)
{
    at = ss_min(at, from + room - n);
    return at < from ? from : at;
}

void ss_sdl_place(void *window, int x, int y, int w, int h)
{
    SDL_Rect room;
    int index = SDL_GetWindowDisplayIndex(window);
    ss_sdl_fit(index, &w, &h);
    SDL_SetWindowSize(window, w, h);
    if (index >= 0 && SDL_GetDisplayUsableBounds(index, &room) == 0)
        SDL_SetWindowPosition(window, inside(x, w, room.x, room.w), inside(y, h, room.y, room.h));
}

enum { SPOTS = 8, STEPS_MOST = 14 };

/* --- between two starts: the file ------------------------------------------------------------- */

static bool read_spot(const char *line, ss_sdl_spot *s)
{
    return sscanf(line, "%d %d %d %d %d %95[^\n]", &s->x, &s->y, &s->w, &s->h, &s->steps,
                  s->display) == 6 &&
           s->w >= SS_SDL_MIN_W && s->h >= SS_SDL_MIN_H && s->w <= SS_SDL_MAX_SIDE &&
           s->h <= SS_SDL_MAX_SIDE && s->steps >= -STEPS_MOST && s->steps <= STEPS_MOST;
}

/* Returns their number. Lines that are broken do not count. */
static int read_spots(const char *path, ss_sdl_spot *spot)
{
    char line[256];
    int n = 0;
    ss_err ignored;
    FILE *f = ss_infile_open(path, &ignored);
    while (f && n < SPOTS && fgets(line, sizeof line, f))
        n += read_spot(line, &spot[n]);
    if (f)
        fclose(f);
    return n;
}

/* The new line first, then those of other displays. */
static void write_spots(const char *path, const ss_sdl_spot *new)
{
    ss_sdl_spot spot[SPOTS + 1];
    ss_outfile out;
    ss_err ignored;
    int n = 1 + read_spots(path, spot + 1);
    spot[0] = *new;
    if (ss_outfile_open(&out, path, &ignored) != SS_OK)
        return;
    for (int i = 0; i < n && i < SPOTS; i++)
        if (i == 0 || strcmp(spot[i].display, new->display) != 0)
            fprintf(out.stream, "%d %d %d %d %d %s\n", spot[i].x, spot[i].y, spot[i].w, spot[i].h,
                    spot[i].steps, spot[i].display);
    ss_outfile_close(&out, true, &ignored);
}

/* --- between two starts: displays ------------------------------------------------------------- */

/* "1920x1080+0+0 NAME": another resolution or place is another display. */
static void name_display(int index, char *buf, size_t size)
{
    SDL_Rect r = {0, 0, 0, 0};
    const char *name = SDL_GetDisplayName(index);
    SDL_GetDisplayBounds(index, &r);
    snprintf(buf, size, "%dx%d%+d%+d %.60s", r.w, r.h, r.x, r.y, name ? name : "display");
}

static bool is_there(const char *display)
{
    char name[96];
    for (int i = 0; i < SDL_GetNumVideoDisplays(); i++) {
        name_display(i, name, sizeof name);
        if (strcmp(name, display) == 0)
            return true;
    }
    return false;
}

/* Options that say another place, and runs that must not depend on earlier ones. */
static bool is_wanted(void)
{
    return !ss_sdl_given(SS_SDL_WINDOW) && !ss_sdl_given(SS_SDL_SCALE) &&
           !ss_config_int(ss_options(), "deterministic");
}

bool ss_sdl_recall(ss_sdl_spot *out)
{
    char path[1024];
    ss_sdl_spot spot[SPOTS];
    if (!is_wanted() || ss_state_path("window", path, sizeof path, NULL) != SS_OK)
        return false;
    int n = read_spots(path, spot);
    for (int i = 0; i < n; i++)
        if (is_there(spot[i].display)) {
            *out = spot[i];
            return true;
        }
    return false;
}

void ss_sdl_remember(void *window, ss_sdl_spot *spot)
{
    char path[1024];
    int index = SDL_GetWindowDisplayIndex(window);
    if (!is_wanted() || index < 0 || ss_state_path("window", path, sizeof path, NULL) != SS_OK)
        return;
    name_display(index, spot->display, sizeof spot->display);
    int lock = ss_state_lock(path);
    write_spots(path, spot);
    if (lock >= 0)
        close(lock);
}

/* --- a lost display --------------------------------------------------------------------------- */

/* Xlib would end the program at once. With an exit handler of our own the program leaves normally
 * and results are written. A failed request, as an event sent to a window that has just gone, would
 * end it as well and is ignored. Looked up at run time, not linked. */

volatile int ss_sdl_lost;

#ifdef SDL_VIDEO_DRIVER_X11

typedef void exit_handler(Display *display, void *data);

static void on_lost(Display *display, void *data)
{
    (void)display, (void)data;
    ss_sdl_lost = 1;
}

static int silent(Display *display)
{
    (void)display;
    return 0;
}

static int ignore_request(Display *display, XErrorEvent *event)
{
    (void)display, (void)event;
    return 0;
}

static void ignore_requests(void *lib)
{
    void *request = lib ? SDL_LoadFunction(lib, "XSetErrorHandler") : NULL;
    if (request)
        ((void (*)(int (*)(Display *, XErrorEvent *)))(uintptr_t)request)(ignore_request);
}

static void begin_x11(void)
{
    ignore_requests(SDL_LoadObject("libX11.so.6"));
}

static void watch_x11(SDL_Window *window)
{
    SDL_SysWMinfo info;
    SDL_VERSION(&info.version);
    if (!SDL_GetWindowWMInfo(window, &info) || info.subsystem != SDL_SYSWM_X11)
        return;
    void *lib = SDL_LoadObject("libX11.so.6"); /* SDL has it open */
    void *after = lib ? SDL_LoadFunction(lib, "XSetIOErrorExitHandler") : NULL;
    void *first = lib ? SDL_LoadFunction(lib, "XSetIOErrorHandler") : NULL;
    ignore_requests(lib); /* SDL may have set another one meanwhile */
    if (!after || !first)
        return;
    ((void (*)(Display *, exit_handler *, void *))(uintptr_t)after)(info.info.x11.display, on_lost,
                                                                    NULL);
    ((void (*)(int (*)(Display *)))(uintptr_t)first)(silent);
}

#else

static void begin_x11(void)
{
}

static void watch_x11(SDL_Window *window)
{
    (void)window;
}

#endif

void ss_sdl_begin(void)
{
    begin_x11();
}

void ss_sdl_watch(void *window)
{
    ss_sdl_lost = 0;
    watch_x11(window);
}
