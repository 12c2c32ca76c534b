/* A lost display: Xlib would end the program at once. With an exit handler of our own the
 * program leaves normally and results are written. A failed request, as an event sent to a window
 * that has just gone, would end it as well and is ignored. Looked up at run time, not linked. See
 * parts.h. */
#include <stdint.h>

#include <SDL.h>
#include <SDL_syswm.h>

#include "ui/sdl/parts.h"

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
