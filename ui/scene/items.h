/*
 * The picture of everything, as a list of things to draw: text, frames, images, charts, sliders.
 * Toolkit-neutral: positions are character cells, colours are roles of a theme. Built by
 * ss_ui_scene, drawn by painters, asked where a click went. It points into the snapshot it was
 * built from and is valid as long as that is. Main thread only.
 */
#ifndef SS_SCENE_H
#define SS_SCENE_H

#include "src/base/common.h"
#include "ui/scene/colormap.h"
#include "ui/scene/layout.h"
#include "ui/scene/plot.h"

/* Cells know the first three; the others are for whoever sets text in real fonts. */
enum {
    SS_BOLD = 1,
    SS_UNDERLINE = 2,
    SS_REVERSE = 4,
    SS_CELL_STYLES = 7,
    SS_FIGURE = 16, /* a number or a key: digits of one width */
    SS_RIGHT = 32,  /* ends where its rectangle ends */
    SS_CENTRE = 64,
    SS_TAB = 128,   /* one name of several; bold: the one that is on, which cells put in [] */
    SS_FLOW = 256,  /* follows the item with SS_FLOW before it, as many columns on; SS_RIGHT: ends
                       before it */
    SS_LARGE = 512, /* the value in focus, the name of the program */
    SS_SMALL = 1024,
    SS_OVER = 2048 /* over a picture: cells choose the colour that can be read there */
};

typedef enum ss_item_kind {
    SS_I_FILL,  /* a ground */
    SS_I_FRAME, /* rounded box with a title in its upper edge */
    SS_I_TEXT,  /* one line, cut at the width of rect */
    SS_I_IMAGE,
    SS_I_BAR, /* colour bar of an image, with numbers */
    SS_I_CHART,
    SS_I_SLIDER,
    SS_NITEM
} ss_item_kind;

#define SS_GRID_MAX 64

typedef struct ss_box2 {
    double x0, y0, x1, y1; /* in [0, 1] of the image, y down */
} ss_box2;

typedef struct ss_image {
    const float *cell;      /* w*h, row 0 on top; NaN: nothing to show */
    uint64_t version;       /* not 0: other cells have another one */
    const uint64_t *serial; /* of h rows: those of one serial are the same, 0: who knows; or NULL */
    const uint8_t *owner;   /* not NULL: categorical, cell is not looked at */
    const ss_rgb *palette;  /* of owner's 256 values; NULL: the owners' own colours */
    const char *letters;    /* the same without colours */
    int w, h;
    bool blocks; /* every dot is a thing of its own: apart from the next, where there is room */
    bool smooth; /* between the cells as well */
    const ss_colormap *map;
    ss_range range;
    bool log;
    double grid_x[SS_GRID_MAX], grid_y[SS_GRID_MAX]; /* block edges, in (0, 1) */
    int ngrid_x, ngrid_y;
    double patch_x[SS_GRID_MAX], patch_y[SS_GRID_MAX]; /* patch edges, the same, drawn over them */
    int npatch_x, npatch_y;
    bool has_block;
    ss_box2 block, kept; /* the selected subdomain; what it writes */
    ss_theme_role frame; /* its colour: one that the map does not have */
    bool has_probe;
    double probe_x, probe_y;
    bool has_brush; /* a ring about the probe: what a dab would reach */
    double brush_rx, brush_ry;
} ss_image;

#define SS_SERIES_MAX 6
#define SS_MARKS_MAX 16
#define SS_UNDER_MAX 65

typedef struct ss_series {
    const ss_xy *at;
    int n;
    ss_theme_role role;
    bool bars;  /* one bar a point, x = 0, 1, 2 ... */
    bool dots;  /* every second dot: told apart without colour */
    int points; /* no line: a mark at each, small (1) or large (2) */
    int dash;   /* the same with dashes, 1 to 3; 0: none. Fonts and pixels go by the role */
} ss_series;

typedef struct ss_chart_mark {
    double x;
    char text[48];
} ss_chart_mark;

typedef struct ss_chart {
    ss_plot_axis x, y;
    int gutter; /* columns ahead of the data; 0: as the labels need */
    const char *x_label;
    ss_series series[SS_SERIES_MAX];
    int nseries;
    ss_chart_mark mark[SS_MARKS_MAX]; /* vertical lines with a label: changes */
    int nmark;
    double edge[SS_GRID_MAX]; /* faint verticals: block edges */
    int nedge;
    double zone[SS_SERIES_MAX][2]; /* shaded stretches of x */
    int nzone;
    const char *zone_label;
    bool has_level; /* a horizontal line: the tolerance */
    double level;
    char level_text[24];
    double under[SS_UNDER_MAX]; /* small marks below the data; the one at `here` stands out */
    int nunder, here;           /* here < 0: none */
    const char *legend[SS_SERIES_MAX]; /* of the series, in the upper right corner; NULL: none */
} ss_chart;

typedef struct ss_item {
    ss_item_kind kind;
    ss_rect rect;
    ss_theme_role role;
    unsigned style;
    union {
        const char *text; /* TEXT, FRAME (title, may be "") */
        const ss_image *image;
        const ss_chart *chart;
        struct {
            const ss_image *image;
            const ss_plot_axis *axis;
            bool vertical;
        } bar;
        double at; /* SLIDER: [0, 1] */
    };
} ss_item;

/* What a click means: a command, or a place in something. */
typedef enum ss_hit_kind {
    SS_H_COMMAND,
    SS_H_FIELD,
    SS_H_SLIDER,
    SS_H_CONTROL,
    SS_H_PICK,
    SS_H_TABLE, /* a map: the cell is where in rect */
    SS_H_PAGE,  /* the wheel scrolls it */
    SS_H_WORDS  /* nothing; command is what it means, for a tip */
} ss_hit_kind;

typedef struct ss_hit {
    ss_hit_kind kind;
    ss_rect rect;
    const char *command; /* COMMAND */
    int index;           /* SLIDER, CONTROL: of snapshot.control; PICK: of the list */
} ss_hit;

#define SS_ITEM_MAX 768
#define SS_HIT_MAX 160
#define SS_TEXT_MAX 32768
#define SS_POINT_MAX 16384

typedef struct ss_scene {
    int cols, rows;
    int head, side; /* rows and columns of a frame's upper and left edge */
    const ss_theme *theme;
    uint64_t redraw; /* grows when everything must be drawn again */
    ss_item item[SS_ITEM_MAX];
    int nitem;
    int unrecorded; /* the item that tells of a recording, if there is one; 0: none */
    ss_hit hit[SS_HIT_MAX];
    int nhit;
    ss_image image[4];
    ss_plot_axis image_axis[2];
    ss_chart chart[3];
    char text[SS_TEXT_MAX];
    size_t text_used;
    ss_xy point[SS_POINT_MAX];
    int point_used;
} ss_scene;

/* --- building; what does not fit the fixed arrays is left out -------------------------------- */

void ss_scene_clear(ss_scene *s, int cols, int rows, const ss_theme *theme);
/* A new item, zeroed but for kind, rect, role; never NULL. */
ss_item *ss_scene_add(ss_scene *s, ss_item_kind kind, ss_rect rect, ss_theme_role role);
/* Text kept by the scene. */
const char *ss_scene_keep(ss_scene *s, const char *text);
/* Columns a text takes: code points, every glyph used being one wide. */
int ss_text_width(const char *utf8);
/* A line of text at (x, y), at most w wide. Returns the columns it takes. */
int ss_scene_text(ss_scene *s, int x, int y, int w, ss_theme_role role, unsigned style,
                  const char *text);
/* The same, ending before column x1. */
int ss_scene_text_right(ss_scene *s, int x1, int y, int w, ss_theme_role role, unsigned style,
                        const char *text);
ss_xy *ss_scene_points(ss_scene *s, int n); /* NULL: no room */
void ss_scene_hit(ss_scene *s, ss_hit_kind kind, ss_rect rect, const char *command, int index);
/* From here on as it is recorded: without the sign of it. */
void ss_scene_recorded(ss_scene *s);
/* The topmost hit at a place, or NULL. */
const ss_hit *ss_scene_at(const ss_scene *s, double x, double y);

#endif
