/* The window's own options: see parts.h. Main thread only. */
#include <stdio.h>

#include "src/core/registry.h"
#include "ui/sdl/parts.h"

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
    if (!end || *end || *w < SS_SDL_MIN_W || *h < SS_SDL_MIN_H ||
        *w > SS_SDL_MAX_SIDE || *h > SS_SDL_MAX_SIDE)
        return ss_fail(err, "--window: '%.40s' is no size; 1280x800 is one, from %dx%d to %dx%d",
                       text, SS_SDL_MIN_W, SS_SDL_MIN_H, SS_SDL_MAX_SIDE, SS_SDL_MAX_SIDE);
    return SS_OK;
}

int ss_sdl_check(ss_err *err)
{
    int w, h;
    return ss_sdl_asked_size(&w, &h, err);
}
