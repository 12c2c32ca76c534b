/* The window's place, size and scale between two starts: a line for each display in the file
 * "window" of the user's state, the latest first. Without the file, or without a home directory,
 * nothing is remembered. See parts.h. Main thread only. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <SDL.h>

#include "src/base/file.h"
#include "src/core/registry.h"
#include "ui/sdl/parts.h"

enum { SPOTS = 8, STEPS_MOST = 14 };

/* --- the file --------------------------------------------------------------------------------- */

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

/* --- displays --------------------------------------------------------------------------------- */

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
