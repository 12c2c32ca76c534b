/*
 * A grid of character cells, the painter of scenes into it, and the cells as terminal output. Knows
 * glyphs and colours, but no terminal: the terminal front end sends the changed cells, recordings
 * write them, tests print them. Main thread.
 */
#ifndef SS_CELLS_H
#define SS_CELLS_H

#include "ui/scene/items.h"

typedef struct ss_term_cell {
    uint32_t ch; /* one code point */
    ss_rgb fg, bg;
    uint32_t attr; /* SS_BOLD, SS_UNDERLINE, SS_REVERSE, SS_DIM */
    uint32_t mark; /* a combining mark on ch, or 0 */
} ss_term_cell;

enum { SS_DIM = 8, SS_CELL_TAIL = 0 /* ch: the right half of the wide character before it */ };

typedef struct ss_term_cells {
    int cols, rows;
    ss_term_cell *cell; /* rows*cols */
    bool wide;          /* some character is two columns wide */
} ss_term_cells;

/* How pictures, curves and lines become characters: a row of the glyph table. */
typedef struct ss_glyphs {
    const char *name, *help;
    int field_x, field_y;  /* picture dots per cell; 1 x 1: a ramp of characters */
    int curve_x, curve_y;  /* curve dots per cell */
    const uint32_t *curve; /* indexed by dot bits, left to right, top to bottom; NULL: braille */
    uint32_t box[6];       /* horizontal, vertical, corners: tl tr bl br */
    uint32_t grid, mark, level; /* faint horizontal, vertical mark, tolerance */
    uint32_t bar[9];            /* eighths */
    uint32_t slider[5];         /* done, knob, rest, a marked value, beyond the limit */
    bool ascii;                 /* only characters below 127 */
} ss_glyphs;

extern const ss_glyphs ss_glyph_table[]; /* NULL-name-terminated: half, braille, ascii */
const ss_glyphs *ss_glyphs_find(const char *name);

typedef struct ss_paint {
    const ss_glyphs *glyphs;
    int levels;   /* steps of a colour map */
    bool ramp;    /* pictures as a ramp of characters (few colours, or none) */
    bool mono;    /* no colours: bold and dim instead */
    bool indexed; /* a device of 256 colours: use the maps' hand-picked ones */
} ss_paint;

/* False: out of memory; the grid is unchanged. */
bool ss_cells_resize(ss_term_cells *c, int cols, int rows);
void ss_cells_free(ss_term_cells *c);
void ss_cells_paint(ss_term_cells *c, const ss_scene *scene, const ss_paint *how);
/* One row as UTF-8 without colours, trailing blanks removed. Returns buf. */
const char *ss_cells_row(const ss_term_cells *c, int row, char *buf, size_t size);

/* --- for the painters ------------------------------------------------------------------------- */

typedef struct ss_canvas {
    ss_term_cells *cells;
    const ss_scene *scene;
    const ss_paint *how;
} ss_canvas;

ss_term_cell *ss_canvas_cell(const ss_canvas *c, int x, int y); /* a spare cell if outside */
void ss_canvas_put(const ss_canvas *c, int x, int y, uint32_t ch, ss_theme_role role);
int ss_canvas_text(const ss_canvas *c, int x, int y, int w, ss_theme_role role, unsigned style,
                   const char *utf8);
void ss_paint_image(const ss_canvas *c, const ss_item *item);
void ss_paint_bar(const ss_canvas *c, const ss_item *item);
void ss_paint_chart(const ss_canvas *c, const ss_item *item);
/* A piece of a curve. */
void ss_paint_sample(const ss_canvas *c, const ss_item *item);
void ss_paint_edge(const ss_canvas *c, const ss_item *item);

/* --- as ANSI sequences in 24-bit colour: the cells that changed ------------------------------- */

typedef struct ss_ansi {
    char *text; /* not terminated */
    size_t used, room;
} ss_ansi;

/* Sets `text` to the sequences that turn `have` into `want` (of the same size), and copies want
 * to have. all: every cell. False: out of memory. */
bool ss_ansi_update(ss_ansi *a, const ss_term_cells *want, ss_term_cells *have, bool all);
void ss_ansi_free(ss_ansi *a);

#endif
