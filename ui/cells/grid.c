/* The grid of cells, the glyph table and the simple painters: see grid.h. */
#include "ui/cells/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* --- the painters: one function a kind -------------------------------------------------------- */

static void paint_fill(const ss_canvas *c, const ss_item *item)
{
    const ss_theme *t = c->scene->theme;
    for (int y = item->rect.y; y < item->rect.y + item->rect.h; y++)
        for (int x = item->rect.x; x < item->rect.x + item->rect.w; x++)
            *ss_canvas_cell(c, x, y) =
                (ss_term_cell){' ', t->color[SS_C_TEXT], t->color[item->role], 0, 0};
}

static void paint_frame(const ss_canvas *c, const ss_item *item)
{
    const uint32_t *box = c->how->glyphs->box;
    ss_rect r = item->rect;
    int right = r.x + r.w - 1, bottom = r.y + r.h - 1;
    if (item->role == SS_C_PANEL) /* an outline that nobody shall see */
        return;
    for (int x = r.x + 1; x < right; x++) {
        ss_canvas_put(c, x, r.y, box[0], item->role);
        ss_canvas_put(c, x, bottom, box[0], item->role);
    }
    for (int y = r.y + 1; y < bottom; y++) {
        ss_canvas_put(c, r.x, y, box[1], item->role);
        ss_canvas_put(c, right, y, box[1], item->role);
    }
    ss_canvas_put(c, r.x, r.y, box[2], item->role);
    ss_canvas_put(c, right, r.y, box[3], item->role);
    ss_canvas_put(c, r.x, bottom, box[4], item->role);
    ss_canvas_put(c, right, bottom, box[5], item->role);
    if (*item->text) {
        ss_canvas_put(c, r.x + 1, r.y, ' ', SS_C_TEXT);
        int n = ss_canvas_text(c, r.x + 2, r.y, r.w - 4, SS_C_TEXT, SS_BOLD, item->text);
        ss_canvas_put(c, r.x + 2 + n, r.y, ' ', SS_C_TEXT);
    }
}

static void paint_text(const ss_canvas *c, const ss_item *item)
{
    ss_canvas_text(c, item->rect.x, item->rect.y, item->rect.w, item->role, item->style,
                   item->text);
}

static void paint_slider(const ss_canvas *c, const ss_item *item)
{
    const uint32_t *glyph = c->how->glyphs->slider;
    int w = item->rect.w, knob = (int)(item->slider.at * (w - 1) + 0.5);
    double limit = item->slider.limit, mark = item->slider.mark;
    for (int x = 0; x < w; x++) {
        int kind = x < knob ? 0 : x == knob ? 1 : 2;
        ss_theme_role role = x == knob ? SS_C_TEXT : x < knob ? item->role : SS_C_LINE;
        if (x > limit * (w - 1) && x != knob)
            kind = 4, role = SS_C_ERROR;
        if (x == lround(mark * (w - 1)) && mark >= 0 && x != knob)
            kind = 3, role = SS_C_SERIES2;
        ss_canvas_put(c, item->rect.x + x, item->rect.y, glyph[kind], role);
    }
}

/* Boxes of characters stand out as they are. */
static void paint_nothing(const ss_canvas *c, const ss_item *item)
{
    (void)c, (void)item;
}

static void (*const painters[SS_NITEM])(const ss_canvas *, const ss_item *) = {
    [SS_I_FILL] = paint_fill,        [SS_I_FRAME] = paint_frame,    [SS_I_TEXT] = paint_text,
    [SS_I_IMAGE] = ss_paint_image,   [SS_I_BAR] = ss_paint_bar,     [SS_I_CHART] = ss_paint_chart,
    [SS_I_SLIDER] = paint_slider,    [SS_I_EDGE] = ss_paint_edge,   [SS_I_SAMPLE] = ss_paint_sample,
    [SS_I_LEADER] = ss_paint_leader, [SS_I_STRIP] = ss_paint_strip, [SS_I_VEIL] = paint_nothing,
    [SS_I_RULE] = ss_paint_rule,
};

/* Something that was painted over half of a wide character leaves nothing of it. */
static void drop_halves(ss_term_cells *c)
{
    bool wide = false; /* the cell before */
    for (int i = 0; c->wide && i < c->cols * c->rows; i++) {
        ss_term_cell *cell = &c->cell[i];
        bool begins = i % c->cols == 0, ends = i % c->cols == c->cols - 1;
        if (cell->ch == SS_CELL_TAIL && (begins || !wide))
            cell->ch = ' ';
        wide = ss_char_width(cell->ch) == 2;
        if (wide && (ends || cell[1].ch != SS_CELL_TAIL))
            cell->ch = ' ', wide = false;
    }
}

void ss_cells_paint(ss_term_cells *c, const ss_scene *scene, const ss_paint *how)
{
    ss_canvas canvas = {c, scene, how};
    ss_item ground = {.kind = SS_I_FILL, .rect = {0, 0, c->cols, c->rows}, .role = SS_C_GROUND};
    paint_fill(&canvas, &ground);
    c->wide = false;
    for (int i = 0; i < scene->nitem; i++)
        painters[scene->item[i].kind](&canvas, &scene->item[i]);
    drop_halves(c);
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
