/*
 * The full-screen terminal front end (ncursesw): see frontend.h. Paints a scene into cells, sends
 * the cells that changed, and turns the terminal's input into events. Main thread only, except
 * wake. CPU time per frame when every dot changes, 256 colours: 1.5 ms at 120x40, 3.5 ms at 200x60.
 * On a slow line it first reduces the colour levels, then drops frames; once the screen is idle it
 * asks for one frame at full levels. With --deterministic the levels never change.
 */
#include "ui/tui/parts.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <curses.h>

#include "src/core/registry.h"
#include "ui/scene/frontend.h"

enum { LEVELS = 32, LEVELS_LEAST = 8, BACKLOG = 16384, CALM_FRAMES = 200 };
enum { CELLS_MOST = 1000000 };
static const double SLOW_WRITE = 0.05, IDLE = 0.25; /* seconds */

typedef struct tui {
    SCREEN *screen;
    int wake[2];
    ss_tui_colors colors;
    ss_paint paint;
    ss_term_cells want, have; /* the frame, and what the terminal shows */
    uint64_t redraw;
    bool all; /* draw every cell */
    ss_input input;
    int calm;     /* frames since the line was busy */
    int shown;    /* colour levels of the frame on the screen; 0: the last frame was dropped */
    double drawn; /* clock of the last frame */
    bool motion;  /* the terminal reports every motion of the mouse */
} tui;

/* --- options ---------------------------------------------------------------------------------- */

enum { COLORS_ROW, GLYPHS_ROW };
static const char *const color_names[] = {"auto", "true", "256", "16", "mono", NULL};
static const char *const color_help[] = {
    "all if COLORTERM says truecolor, else 256; NO_COLOR: none",
    "24 bits a colour: finer, about twice the bytes",
    "the 256-colour palette",
    "the first 16",
    "none",
    NULL};
static const char *const glyph_names[] = {"auto", "half", "braille", "ascii", NULL};
static const char *const glyph_help[] = {"half blocks in a UTF-8 locale, else ASCII",
                                         "half blocks, quadrants", "curves as braille dots",
                                         "ASCII only", NULL};

// clang-format off
ss_param ss_tui_params[] = {
    [COLORS_ROW] = {.name = "colors", .symbol = "colors", .unit = "", .group = "Terminal",
                    .type = SS_CHOICE, .help = "colours of the terminal front end",
                    .flags = SS_P_APP, .choices = color_names, .choice_help = color_help},
    [GLYPHS_ROW] = {.name = "glyphs", .symbol = "glyphs", .unit = "", .group = "Terminal",
                    .type = SS_CHOICE, .help = "characters pictures and curves are made of",
                    .flags = SS_P_APP, .choices = glyph_names, .choice_help = glyph_help},
};
// clang-format on

static int option(int row)
{
    const ss_param *found = ss_param_find(ss_options(), ss_tui_params[row].name, NULL);
    return found == &ss_tui_params[row] ? (int)ss_config_value(ss_options(), found).i : 0;
}

/* --- opening ---------------------------------------------------------------------------------- */

static bool is_too_large(int cols, int rows)
{
    return (double)cols * rows > CELLS_MOST;
}

/* curses takes the size from COLUMNS and LINES if they are set. */
static int check_size(ss_err *err)
{
    struct winsize w = {0};
    const char *cols = getenv("COLUMNS"), *rows = getenv("LINES");
    ioctl(STDOUT_FILENO, TIOCGWINSZ, &w);
    int across = cols && atoi(cols) > 0 ? atoi(cols) : w.ws_col;
    int down = rows && atoi(rows) > 0 ? atoi(rows) : w.ws_row;
    if (!is_too_large(across, down))
        return SS_OK;
    return ss_fail(err, "the terminal has %d x %d cells%s; at most %d are drawn", across, down,
                   cols || rows ? " by COLUMNS and LINES" : "", CELLS_MOST);
}

static int tui_probe(ss_err *err)
{
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return ss_fail(err, "input or output is not a terminal");
    if (check_size(err) != SS_OK)
        return SS_FAIL;
    return ss_tui_terminal(err) ? SS_OK : SS_FAIL;
}

static bool utf8(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static void choose_glyphs(tui *t)
{
    int i = option(GLYPHS_ROW);
    t->paint.glyphs = ss_glyphs_find(i ? glyph_names[i] : "half");
    if (!utf8())
        t->paint.glyphs = ss_glyphs_find("ascii");
}

static int most_levels(const tui *t)
{
    return t->colors == SS_TC_TRUE ? 64 : LEVELS;
}

/* Without --colors: what the environment says about the terminal. */
static ss_tui_colors own_colors(void)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("COLORTERM");
    bool full = term && (strcmp(term, "truecolor") == 0 || strcmp(term, "24bit") == 0);
    return no && *no ? SS_TC_MONO : full ? SS_TC_TRUE : SS_TC_256;
}

static void choose_colors(tui *t)
{
    static const ss_tui_colors of_row[] = {SS_TC_256, SS_TC_TRUE, SS_TC_256, SS_TC_16, SS_TC_MONO};
    int i = option(COLORS_ROW);
    t->colors = i ? of_row[i] : own_colors();
    if (t->colors != SS_TC_MONO && has_colors())
        start_color(); /* sets COLORS */
    if (!has_colors() || (i == 0 && COLORS < 256 && t->colors == SS_TC_TRUE))
        t->colors = has_colors() ? SS_TC_256 : SS_TC_MONO;
    if (t->colors == SS_TC_MONO) {
        t->paint.mono = t->paint.ramp = true;
        return;
    }
    int have = t->colors == SS_TC_16 && COLORS > 16 ? 16 : COLORS;
    if (have < 256 && t->colors != SS_TC_TRUE)
        t->colors = SS_TC_16;
    t->paint.ramp = t->colors == SS_TC_16 || t->paint.glyphs->ascii;
    t->paint.levels = t->shown = most_levels(t);
    t->paint.indexed = t->colors == SS_TC_256;
    ss_tui_colors_open(t->colors, have, COLOR_PAIRS);
}

static void put_mode(const char *bytes)
{
    if (write(STDOUT_FILENO, bytes, strlen(bytes)) < 0)
        errno = 0; /* no mouse then */
}

static void set_modes(tui *t)
{
    t->motion = false;
    cbreak();
    noecho();
    nonl();
    curs_set(0);
    put_mode(SS_MOUSE_ON);
}

/* A report per cell that the mouse crosses: only while there is something to tell. */
static void want_motion(tui *t, bool wanted)
{
    if (wanted != t->motion)
        put_mode(wanted ? SS_MOTION_ON : SS_MOTION_OFF);
    t->motion = wanted;
}

static int make_wake(tui *t, ss_err *err)
{
    if (pipe(t->wake) != 0)
        return ss_fail(err, "pipe: %s", strerror(errno));
    for (int i = 0; i < 2; i++) {
        fcntl(t->wake[i], F_SETFL, O_NONBLOCK);
        fcntl(t->wake[i], F_SETFD, FD_CLOEXEC);
    }
    return SS_OK;
}

static void tui_close(void *self);

static int tui_open(void **self, ss_err *err)
{
    tui *t = calloc(1, sizeof *t);
    if (!t)
        return ss_fail(err, "out of memory: the terminal front end");
    t->wake[0] = t->wake[1] = -1;
    t->paint.levels = t->shown = LEVELS;
    t->all = true;
    setlocale(LC_ALL, "");
    setlocale(LC_NUMERIC, "C");
    const char *name = ss_tui_terminal(err);
    if (!name || make_wake(t, err) != SS_OK)
        goto fail;
    if (ss_tui_signals_open(STDIN_FILENO, t->wake[1], err) != SS_OK)
        goto fail;
    t->screen = newterm(name, stdout, stdin);
    if (!t->screen) {
        ss_fail(err, "curses cannot open the terminal '%.40s'", name);
        goto fail;
    }
    choose_glyphs(t);
    choose_colors(t);
    set_modes(t);
    leaveok(stdscr, TRUE);
    refresh();
    *self = t;
    return SS_OK;
fail:
    tui_close(t);
    return SS_FAIL;
}

static void leave_screen(tui *t)
{
    put_mode(SS_MOUSE_OFF);
    if (t->colors == SS_TC_TRUE) /* curses does not know what stands there */
        clearok(curscr, TRUE);
    curs_set(1);
    endwin();
}

static void tui_close(void *self)
{
    tui *t = self;
    if (t->screen) {
        leave_screen(t);
        delscreen(t->screen);
    }
    ss_tui_signals_close();
    for (int i = 0; i < 2; i++)
        if (t->wake[i] >= 0)
            close(t->wake[i]);
    ss_cells_free(&t->want);
    ss_cells_free(&t->have);
    ss_tui_true_free();
    free(t);
}

static void tui_extent(void *self, ss_extent *out)
{
    tui *t = self;
    *out = (ss_extent){.cols = COLS,
                       .rows = LINES,
                       .dots_x = t->paint.glyphs->field_x,
                       .dots_y = t->paint.ramp ? 1 : t->paint.glyphs->field_y,
                       .shades = t->paint.levels,
                       .all_shades = t->paint.ramp ? 0 : most_levels(t)};
}

/* --- drawing ---------------------------------------------------------------------------------- */

static attr_t attributes(const tui *t, uint32_t attr)
{
    attr_t a = A_NORMAL;
    a |= attr & SS_BOLD ? A_BOLD : 0;
    a |= attr & SS_UNDERLINE ? A_UNDERLINE : 0;
    a |= attr & SS_REVERSE ? A_REVERSE : 0;
    a |= attr & SS_DIM && t->colors == SS_TC_MONO ? A_DIM : 0;
    return a;
}

static void send_cell(tui *t, int i, bool *fresh)
{
    const ss_term_cell *c = &t->want.cell[i];
    wchar_t text[3] = {(wchar_t)c->ch, (wchar_t)c->mark, L'\0'};
    cchar_t cell;
    t->have.cell[i] = *c;
    if (c->ch == SS_CELL_TAIL) /* drawn with the character before it */
        return;
    int pair = ss_tui_pair(c->fg, c->bg, fresh);
    setcchar(&cell, text, attributes(t, c->attr), 0, &pair);
    mvadd_wch(i / t->want.cols, i % t->want.cols, &cell); /* ERR in the last corner, yet drawn */
}

static void draw_curses(tui *t)
{
    bool fresh = t->all;
    for (int pass = 0; pass < 2; pass++) {
        bool all = fresh;
        fresh = false;
        for (int i = 0; i < t->want.cols * t->want.rows && !fresh; i++)
            if (all || memcmp(&t->want.cell[i], &t->have.cell[i], sizeof t->want.cell[i]) != 0)
                send_cell(t, i, &fresh);
        if (!fresh)
            break;
    }
    refresh();
}

/* Much of the output still waits in the terminal's queue. */
static bool line_is_busy(void)
{
    int waiting = 0;
    return ioctl(STDOUT_FILENO, TIOCOUTQ, &waiting) == 0 && waiting > BACKLOG;
}

/* Half the colour levels after a slow write, twice as many after CALM_FRAMES fast ones. */
static void adapt(tui *t, bool busy)
{
    t->calm = busy ? 0 : t->calm + 1;
    if (busy && t->paint.levels > LEVELS_LEAST)
        t->paint.levels /= 2;
    if (t->calm > CALM_FRAMES && t->paint.levels < most_levels(t)) {
        t->paint.levels *= 2;
        t->calm = 0;
    }
}

static bool is_restored(const tui *t)
{
    return t->shown == most_levels(t);
}

/* Back to full levels when the screen is idle: nothing was drawn for a while and the line is free.
 * True: the app should draw the same scene again. */
static bool restore_levels(tui *t)
{
    double now = ss_clock();
    if (is_restored(t) || now < t->drawn + IDLE)
        return false;
    t->drawn = now; /* a busy line is asked again after IDLE */
    if (line_is_busy())
        return false;
    t->paint.levels = t->shown = most_levels(t);
    t->calm = 0;
    return true;
}

static void tui_draw(void *self, const struct ss_scene *scene, const ss_snapshot *snap)
{
    tui *t = self;
    bool adapts = scene && !(snap && snap->deterministic);
    t->drawn = ss_clock();
    if (!scene || line_is_busy()) { /* drop this frame: a later one or restore_levels draws it */
        t->shown = scene ? 0 : t->shown;
        if (adapts)
            adapt(t, true);
        return;
    }
    bool resized = t->have.cols != scene->cols || t->have.rows != scene->rows;
    if (!ss_cells_resize(&t->want, scene->cols, scene->rows) ||
        !ss_cells_resize(&t->have, scene->cols, scene->rows))
        return;
    ss_cells_paint(&t->want, scene, &t->paint);
    t->all = t->all || resized;
    if (scene->redraw != t->redraw) {
        t->redraw = scene->redraw;
        t->all = true;
        clearok(stdscr, TRUE);
    }
    t->shown = t->paint.levels;
    want_motion(t, scene->tells);
    double start = ss_clock();
    if (t->colors == SS_TC_TRUE)
        ss_tui_true_draw(STDOUT_FILENO, &t->want, &t->have, t->all);
    else
        draw_curses(t);
    t->all = false;
    t->drawn = ss_clock();
    if (adapts)
        adapt(t, t->drawn - start > SLOW_WRITE);
}

/* --- events ----------------------------------------------------------------------------------- */

static void adopt_size(tui *t)
{
    struct winsize w;
    ss_tui_resize = 0;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_row > 0 && w.ws_col > 0 &&
        !is_too_large(w.ws_col, w.ws_row))
        resizeterm(w.ws_row, w.ws_col);
    t->all = true;
    clearok(curscr, TRUE);
    if (t->colors == SS_TC_TRUE)
        refresh();
}

static void come_back(tui *t)
{
    ss_tui_continue = 0;
    reset_prog_mode();
    set_modes(t);
    clearok(curscr, TRUE);
    refresh();
    adopt_size(t);
}

static void suspend(tui *t)
{
    leave_screen(t);
    ss_tui_suspend();
    come_back(t);
}

/* What signals asked for, in order of importance. */
static bool signalled(tui *t, ss_event *ev)
{
    *ev = (ss_event){.kind = SS_EV_RESIZE};
    if (ss_tui_quit) {
        ev->kind = SS_EV_QUIT;
        ev->button = ss_tui_quit;
        return true;
    }
    if (ss_tui_stop) {
        suspend(t);
        return true;
    }
    if (ss_tui_continue) {
        come_back(t);
        return true;
    }
    if (ss_tui_resize) {
        adopt_size(t);
        return true;
    }
    return false;
}

static void drain(int fd)
{
    char buf[64];
    while (read(fd, buf, sizeof buf) > 0)
        ;
}

/* False at the end of input: the terminal is gone. */
static bool read_input(tui *t)
{
    char bytes[SS_INPUT_MAX];
    ssize_t n = read(STDIN_FILENO, bytes, (size_t)(SS_INPUT_MAX - t->input.n));
    if (n > 0)
        ss_input_add(&t->input, bytes, (int)n, ss_clock());
    return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

/* Seconds that poll may sleep: `left`, or less if input that waits or full colour levels are due
 * sooner. */
static double poll_time(const tui *t, double left)
{
    double now = ss_clock();
    double due = ss_input_due(&t->input), idle = t->drawn + IDLE - now;
    if (due > 0 && due - now < left)
        left = due - now;
    return !is_restored(t) && idle < left ? idle : left;
}

static int tui_poll(void *self, double seconds, ss_event *ev)
{
    tui *t = self;
    double until = ss_clock() + seconds;
    for (bool woken = false;;) {
        if (signalled(t, ev) || ss_input_next(&t->input, ss_clock(), ev))
            return 1;
        if (restore_levels(t)) {
            *ev = (ss_event){.kind = SS_EV_RESIZE};
            return 1;
        }
        if (woken) /* the app finds out why */
            return 0;
        double wait = poll_time(t, seconds < 0 ? 3600 : until - ss_clock());
        struct pollfd p[2] = {{.fd = STDIN_FILENO, .events = POLLIN},
                              {.fd = t->wake[0], .events = POLLIN}};
        int n = poll(p, 2, wait <= 0 ? 0 : (int)(wait * 1000) + 1);
        woken = n > 0 && p[1].revents;
        if (woken)
            drain(t->wake[0]);
        if (n > 0 && p[0].revents && !read_input(t))
            ss_tui_quit = SIGHUP;
        if (n > 0 && p[0].revents)
            continue;
        if (ss_tui_quit || ss_tui_stop || ss_tui_resize || ss_tui_continue)
            continue;
        if (n == 0 && seconds >= 0 && ss_clock() >= until)
            return 0;
    }
}

/* Any thread, any signal handler. */
static void tui_wake(void *self)
{
    tui *t = self;
    int kept = errno;
    if (write(t->wake[1], "w", 1) < 0)
        errno = kept; /* full: poll wakes anyway */
    errno = kept;
}

static bool tui_copy(void *self, const char *text)
{
    (void)self;
    return ss_tui_copy(STDOUT_FILENO, text);
}

const ss_frontend ss_frontend_tui = {
    .name = "tui",
    .help = "full-screen terminal",
    .caps = SS_FE_INTERACTIVE | SS_FE_DRAWS | SS_FE_DEVICE_TTY,
    .params = ss_tui_params,
    .nparam = sizeof ss_tui_params / sizeof *ss_tui_params,
    .probe = tui_probe,
    .open = tui_open,
    .extent = tui_extent,
    .poll = tui_poll,
    .wake = tui_wake,
    .draw = tui_draw,
    .copy = tui_copy,
    .close = tui_close,
};
