/* The grid of cells and its glyph table: characters and texts put into it; and its output: SGR
 * sequences, cursor moves and UTF-8 for the cells that changed. See cells.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/cells/cells.h"

static const uint32_t quadrants[] = {' ',    0x2598, 0x259d, 0x2580, 0x2596, 0x258c,
                                     0x259e, 0x259b, 0x2597, 0x259a, 0x2590, 0x259c,
                                     0x2584, 0x2599, 0x259f, 0x2588};
static const uint32_t ascii_curve[] = {' ', '\'', '-', '\'', '.', ':', '.', '|'};

// clang-format off
#define ROUNDED {0x2500, 0x2502, 0x256d, 0x256e, 0x2570, 0x256f}
#define EIGHTHS {' ', 0x2581, 0x2582, 0x2583, 0x2584, 0x2585, 0x2586, 0x2587, 0x2588}
#define LINES 0x2508, 0x250a, 0x254c
#define SLIDER {0x2501, 0x25cf, 0x2500, 0x253c, 0x254d}

const ss_glyphs ss_glyph_table[] = {
    {"half", "half blocks and quadrants: in every common font", 1, 2, 2, 2, quadrants, ROUNDED,
     LINES, EIGHTHS, SLIDER, false},
    {"braille", "curves as braille dots: finer, needs a font with them", 1, 2, 2, 4, NULL, ROUNDED,
     LINES, EIGHTHS, SLIDER, false},
    {"ascii", "no character outside ASCII", 1, 1, 1, 3, ascii_curve, {'-', '|', '+', '+', '+', '+'},
     '.', ':', '-', {' ', '.', '.', ':', ':', ':', '#', '#', '#'}, {'=', 'o', '-', '+', 'x'}, true},
    {.name = NULL},
};
// clang-format on

const ss_glyphs *ss_glyphs_find(const char *name)
{
    for (const ss_glyphs *g = ss_glyph_table; g->name; g++)
        if (strcmp(g->name, name) == 0)
            return g;
    return NULL;
}

bool ss_cells_resize(ss_term_cells *c, int cols, int rows)
{
    if (c->cell && c->cols == cols && c->rows == rows)
        return true;
    ss_term_cell *cell = calloc((size_t)cols * (size_t)rows + 1, sizeof *cell);
    if (!cell)
        return false;
    free(c->cell);
    c->cols = cols;
    c->rows = rows;
    c->cell = cell;
    return true;
}

void ss_cells_free(ss_term_cells *c)
{
    free(c->cell);
    *c = (ss_term_cells){0};
}

ss_term_cell *ss_canvas_cell(const ss_canvas *c, int x, int y)
{
    ss_term_cells *g = c->cells;
    if (x < 0 || y < 0 || x >= g->cols || y >= g->rows)
        return &g->cell[(size_t)g->cols * (size_t)g->rows]; /* the spare cell */
    return &g->cell[(size_t)y * (size_t)g->cols + (size_t)x];
}

/* Without colours, faint roles are dim and accents bold. */
static uint32_t mono_attr(const ss_canvas *c, ss_theme_role role)
{
    static const uint32_t attr[SS_THEME_NROLE] = {[SS_C_LINE] = SS_DIM,
                                                  [SS_C_FAINT] = SS_DIM,
                                                  [SS_C_ACCENT] = SS_BOLD,
                                                  [SS_C_ERROR] = SS_BOLD};
    return c->how->mono ? attr[role] : 0;
}

void ss_canvas_put(const ss_canvas *c, int x, int y, uint32_t ch, ss_theme_role role)
{
    ss_term_cell *cell = ss_canvas_cell(c, x, y);
    cell->ch = ch;
    cell->mark = 0;
    cell->fg = c->scene->theme->color[role];
    cell->attr = mono_attr(c, role);
}

/* --- text ------------------------------------------------------------------------------------- */

/* ASCII replacements, one column each, so that nothing moves. */
static const struct {
    uint32_t from;
    char to;
} plain[] = {{0xb7, '-'},   {0xd7, 'x'},   {0x2013, '-'}, {0x2014, '-'},  {0x2212, '-'},
             {0x2192, '>'}, {0x2190, '<'}, {0x2191, '^'}, {0x2193, 'v'},  {0x2026, '.'},
             {0x2264, '<'}, {0x2265, '>'}, {0x25b6, '>'}, {0x2016, '|'},  {0x25c2, '<'},
             {0x25b4, '^'}, {0x25be, 'v'}, {0x25b8, '>'}, {0x25cf, 'o'},  {0xb5, 'u'},
             {0xb2, '2'},   {0x25a0, '#'}, {0x258f, '|'}, {0x2019, '\''}, {0x2588, '#'},
             {0x25aa, '*'}, {0x2502, '|'}, {0x25cb, '.'}, {0x3c1, 'r'},   {0x2022, 'o'},
             {0x25c6, '@'}};

static uint32_t plain_char(uint32_t ch)
{
    if (ch < 127)
        return ch;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (plain[i].from == ch)
            return (uint32_t)plain[i].to;
    return '?';
}

/* Text colour or background, whichever contrasts more with the picture. */
static ss_rgb readable(const ss_theme *t, ss_rgb behind)
{
    double at = ss_rgb_lightness(behind);
    double text = fabs(ss_rgb_lightness(t->color[SS_C_TEXT]) - at);
    double ground = fabs(ss_rgb_lightness(t->color[SS_C_GROUND]) - at);
    return t->color[text >= ground ? SS_C_TEXT : SS_C_GROUND];
}

/* The next character with the marks on it. *mark: the first of them; a cell has room for one. */
static uint32_t next_char(const char **p, uint32_t *mark)
{
    uint32_t ch = ss_utf8_next(p);
    *mark = 0;
    for (const char *after = *p; *after; *p = after) {
        uint32_t next = ss_utf8_next(&after);
        if (ss_char_width(next) != 0)
            break;
        *mark = *mark ? *mark : next;
    }
    return ss_char_width(ch) > 0 ? ch : '?';
}

int ss_canvas_text(const ss_canvas *c, int x, int y, int w, ss_theme_role role, unsigned style,
                   const char *utf8)
{
    bool ascii = c->how->glyphs->ascii;
    int n = 0;
    while (*utf8 && n < w) {
        uint32_t mark, ch = next_char(&utf8, &mark);
        int width = ss_char_width(ch);
        if ((n == w - 1 && *utf8) || n + width > w)
            ch = 0x2026, mark = 0, width = 1, utf8 = "";
        c->cells->wide = c->cells->wide || width > 1;
        for (int i = 0; i < width; i++) {
            uint32_t shown = i > 0 ? (ascii ? ' ' : SS_CELL_TAIL) : ascii ? plain_char(ch) : ch;
            ss_canvas_put(c, x + n + i, y, shown, role);
            ss_term_cell *cell = ss_canvas_cell(c, x + n + i, y);
            cell->mark = i == 0 && !ascii ? mark : 0;
            cell->attr |= style & SS_CELL_STYLES;
            if (style & SS_OVER)
                cell->fg = readable(c->scene->theme, cell->bg);
        }
        n += width;
    }
    return n;
}

const char *ss_cells_row(const ss_term_cells *c, int row, char *buf, size_t size)
{
    size_t n = 0, end = 0;
    for (int x = 0; x < c->cols && n + 8 < size; x++) {
        const ss_term_cell *cell = &c->cell[(size_t)row * (size_t)c->cols + (size_t)x];
        if (cell->ch == SS_CELL_TAIL)
            continue;
        n += (size_t)ss_utf8_put(buf + n, cell->ch);
        if (cell->mark)
            n += (size_t)ss_utf8_put(buf + n, cell->mark);
        if (cell->ch != ' ')
            end = n;
    }
    buf[end] = '\0';
    return buf;
}

/* --- as ANSI sequences ------------------------------------------------------------------------ */

#define CELL_BYTES 96 /* upper bound per cell */

static bool reserve(ss_ansi *a, size_t n)
{
    if (a->used + n <= a->room)
        return true;
    size_t more = 2 * a->room + n + 65536;
    char *p = realloc(a->text, more);
    if (!p)
        return false;
    a->text = p;
    a->room = more;
    return true;
}

static void put_char(ss_ansi *a, uint32_t ch)
{
    a->used += (size_t)ss_utf8_put(a->text + a->used, ch);
}

static void put_color(ss_ansi *a, int which, ss_rgb c)
{
    a->used += (size_t)sprintf(a->text + a->used, "\033[%d;2;%u;%u;%um", which, c >> 16 & 255,
                               c >> 8 & 255, c & 255);
}

static void put_attr(ss_ansi *a, uint32_t attr)
{
    a->used += (size_t)sprintf(a->text + a->used, "\033[0%s%s%sm", attr & SS_BOLD ? ";1" : "",
                               attr & SS_UNDERLINE ? ";4" : "", attr & SS_REVERSE ? ";7" : "");
}

bool ss_ansi_update(ss_ansi *a, const ss_term_cells *want, ss_term_cells *have, bool all)
{
    ss_term_cell now = {.fg = 0xff000000, .bg = 0xff000000, .attr = 0xff};
    int at = -1, cols = want->cols;
    a->used = 0;
    for (int i = 0; i < cols * want->rows; i++) {
        const ss_term_cell *c = &want->cell[i];
        if (!all && memcmp(c, &have->cell[i], sizeof *c) == 0)
            continue;
        if (c->ch == SS_CELL_TAIL) { /* drawn with the character before it */
            have->cell[i] = *c;
            continue;
        }
        if (!reserve(a, CELL_BYTES))
            return false;
        if (i != at || i % cols == 0)
            a->used +=
                (size_t)sprintf(a->text + a->used, "\033[%d;%dH", i / cols + 1, i % cols + 1);
        if (c->attr != now.attr) {
            put_attr(a, c->attr);
            now.fg = now.bg = 0xff000000;
        }
        if (c->fg != now.fg)
            put_color(a, 38, c->fg);
        if (c->bg != now.bg)
            put_color(a, 48, c->bg);
        put_char(a, c->ch);
        if (c->mark)
            put_char(a, c->mark);
        have->cell[i] = now = *c;
        at = c->mark || ss_char_width(c->ch) != 1 ? -1 : i + 1; /* else the terminal decides */
    }
    if (a->used && reserve(a, CELL_BYTES))
        a->used += (size_t)sprintf(a->text + a->used, "\033[0m");
    return true;
}

void ss_ansi_free(ss_ansi *a)
{
    free(a->text);
    *a = (ss_ansi){0};
}
