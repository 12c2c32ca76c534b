/* The position of a window on its display: see parts.h. Main thread only. */
#include <SDL.h>

#include "src/base/common.h"
#include "ui/sdl/parts.h"

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
