/* Keys of a keyboard as the terminal's key names, and the queue of events. See parts.h. */
#include <stdio.h>
#include <string.h>

#include <SDL.h>

#include "ui/scene/keys.h"
#include "ui/sdl/parts.h"

void ss_sdl_put(ss_sdl_queue *q, const ss_event *ev)
{
    if (q->count < SS_SDL_QUEUE)
        q->event[(q->first + q->count++) % SS_SDL_QUEUE] = *ev;
}

bool ss_sdl_get(ss_sdl_queue *q, ss_event *ev)
{
    if (!q->count)
        return false;
    *ev = q->event[q->first];
    q->first = (q->first + 1) % SS_SDL_QUEUE;
    q->count--;
    return true;
}

static const struct {
    SDL_Keycode code;
    const char *name;
    bool shift, ctrl; /* has a name of its own with them */
} keys[] = {{SDLK_LEFT, "left", true, true},
            {SDLK_RIGHT, "right", true, true},
            {SDLK_UP, "up", true, true},
            {SDLK_DOWN, "down", true, true},
            {SDLK_HOME, "home", true, false},
            {SDLK_END, "end", true, false},
            {SDLK_TAB, "tab", true, false},
            {SDLK_PAGEUP, "pgup", false, false},
            {SDLK_PAGEDOWN, "pgdn", false, false},
            {SDLK_RETURN, "enter", false, false},
            {SDLK_KP_ENTER, "enter", false, false},
            {SDLK_ESCAPE, "esc", false, false},
            {SDLK_BACKSPACE, "backspace", false, false},
            {SDLK_DELETE, "delete", false, false},
            {SDLK_INSERT, "insert", false, false}};

/* With control. On many keyboards + is shift and =. */
static const struct {
    SDL_Keycode code;
    const char *name;
} sizes[] = {{SDLK_PLUS, "C-+"},  {SDLK_EQUALS, "C-+"},   {SDLK_KP_PLUS, "C-+"},
             {SDLK_MINUS, "C--"}, {SDLK_KP_MINUS, "C--"}, {SDLK_0, "C-0"},
             {SDLK_KP_0, "C-0"}};

const char *ss_sdl_key_name(int code, bool shift, bool ctrl, char buf[16])
{
    buf[0] = '\0';
    if (ctrl && code >= SDLK_a && code <= SDLK_z)
        snprintf(buf, 16, "C-%c", (char)('a' + code - SDLK_a));
    if (code >= SDLK_F1 && code <= SDLK_F12)
        snprintf(buf, 16, "F%d", 1 + code - SDLK_F1);
    for (size_t i = 0; ctrl && i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i].code == code)
            snprintf(buf, 16, "%s", sizes[i].name);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].code == code)
            snprintf(buf, 16, "%s%s",
                     ctrl && keys[i].ctrl     ? "C-"
                     : shift && keys[i].shift ? "S-"
                                              : "",
                     keys[i].name);
    return buf;
}

void ss_sdl_text(ss_sdl_queue *q, const char *utf8)
{
    while (*utf8) {
        int n = ss_utf8_length(utf8, strlen(utf8));
        ss_event ev = {.kind = SS_EV_KEY};
        snprintf(ev.key, sizeof ev.key, "%.*s", *utf8 == ' ' ? 5 : n, *utf8 == ' ' ? "space" : utf8);
        if (ss_key_valid(ev.key))
            ss_sdl_put(q, &ev);
        utf8 += n > 0 ? n : 1;
    }
}
