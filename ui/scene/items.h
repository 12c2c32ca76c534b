/*
 * The scene, a display list: text, frames, images, charts, sliders. Toolkit-neutral: positions are
 * character cells, colours are roles of a theme. ss_ui_scene builds it, painters draw it, clicks
 * are looked up in it. It points into the snapshot it was built from and lives as long. Main thread
 * only.
 */
#ifndef SS_SCENE_H
#define SS_SCENE_H

#include "src/base/common.h"
#include "ui/scene/colormap.h"
#include "ui/scene/layout.h"
#include "ui/scene/plot.h"

/* Cells use the first three; the others are for proportional fonts. */
enum {
    SS_BOLD = 1,
    SS_UNDERLINE = 2,
    SS_REVERSE = 4,
    SS_CELL_STYLES = 7,
    SS_FIGURE = 16, /* a number or a key: digits of equal width */
    SS_RIGHT = 32,  /* right-aligned in its rectangle */
    SS_CENTRE = 64,
    SS_TAB = 128,   /* one name of several; bold: the current one, which cells put in [] */
    SS_FLOW = 256,  /* follows the previous SS_FLOW item, as many columns on; with SS_RIGHT it ends
                       before it */
    SS_LARGE = 512, /* the focused value, the program's name */
    SS_SMALL = 1024,
    SS_OVER = 2048,   /* over a picture: cells choose a readable colour; of a frame: over other
                         panels, pixels keep them visible outside of its outline */
    SS_BUTTON = 8192, /* pixels draw the ground of a button below it */
    SS_HUGE = 16384,  /* read from afar: words of a film */
    SS_FIT = 32768,  /* of a frame: pixels draw it no wider than the texts in it, from its left end,
                        with SS_RIGHT to its right end */
    SS_RAISED = 4096 /* pixels draw it a little higher than its row: off a frame's lower edge, or
                       closer to what it explains */
};

typedef enum ss_item_kind {
    SS_I_FILL,  /* a background */
    SS_I_FRAME, /* rounded box with a title in its upper edge */
    SS_I_TEXT,  /* one line, cut at the width of rect */
    SS_I_IMAGE,
    SS_I_BAR, /* colour bar of an image, with numbers */
    SS_I_CHART,
    SS_I_SLIDER,
    SS_I_EDGE,   /* the axis of a picture, beside or below it */
    SS_I_SAMPLE, /* a piece of a curve, for a list of curves */
    SS_I_STRIP,  /* the timeline of a run */
    SS_I_LEADER, /* a line from a box of words to the place that it explains */
    SS_I_VEIL,   /* pixels dim everything that was added before it; cells do not */
    SS_I_RULE,   /* lines over a chart, a picture or a colour bar: what the mouse points at */
    SS_NITEM
} ss_item_kind;

#define SS_GRID_MAX 64
#define SS_VEIL_PARTS 141 /* of 256 parts of a dimmed pixel, those of the ground: 55 % */

typedef struct ss_box2 {
    double x0, y0, x1, y1; /* in [0, 1] of the image, y down */
} ss_box2;

typedef struct ss_image {
    const float *cell;      /* w*h, row 0 on top; NaN: nothing to show */
    uint64_t version;       /* changes when cells change; 0: unknown */
    const uint64_t *serial; /* of h rows: rows of equal serial are equal, 0: unknown; or NULL */
    const uint8_t *unseen;  /* of h rows: draw a hatch there, nothing is known; or NULL */
    uint64_t row0;          /* rows that have come in at the top: the hatch moves with them */
    const uint8_t *owner;   /* not NULL: categorical, cell is ignored */
    const ss_rgb *palette;  /* of owner's 256 values; NULL: the owners' default colours */
    const char *letters;    /* their letters where there are no colours */
    int w, h;
    bool blocks; /* draws dots apart from each other, where there is room */
    bool smooth; /* interpolates between cells */
    const ss_colormap *map;
    ss_range range;
    bool log;
    int steps; /* of whole numbers, each with a colour; 0: a continuous scale */
    double grid_x[SS_GRID_MAX], grid_y[SS_GRID_MAX]; /* block edges, in (0, 1) */
    int ngrid_x, ngrid_y;
    double patch_x[SS_GRID_MAX], patch_y[SS_GRID_MAX]; /* patch edges, the same, drawn over them */
    int npatch_x, npatch_y;
    bool has_block;
    ss_box2 block, kept; /* the selected subdomain; the part it writes */
    ss_theme_role frame; /* its colour: one that the map does not contain */
    bool has_probe;
    double probe_x, probe_y;
    bool has_wipe;  /* a line across: another picture is right of it */
    double wipe;    /* its place, a part of the width */
    bool has_brush; /* a ring about the probe: the reach of a brush dab */
    double brush_rx, brush_ry;
} ss_image;

#define SS_SERIES_MAX 9
#define SS_MARKS_MAX 16
#define SS_UNDER_MAX 65

typedef struct ss_series {
    const ss_xy *at;
    int n;
    ss_theme_role role;
    bool bars;   /* one bar per point, x = 0, 1, 2 ... */
    bool dots;   /* every second dot: recognisable without colour */
    bool hidden; /* only its name is drawn, faint */
    int points;  /* no line: a mark per point, small (1) or large (2) */
    int dash;    /* dash pattern 1 to 5, 0: solid; fonts and pixels use the role's colour */
} ss_series;

typedef struct ss_chart_mark {
    double x;
    char text[48];
} ss_chart_mark;

/* The name of a line, below it and to the right of a point where it begins. */
typedef struct ss_chart_note {
    ss_xy at;
    const char *text;
    ss_theme_role role;
} ss_chart_note;

/* What x counts. Charts and pictures of one meaning show the same place under the mouse. */
typedef enum ss_abscissa {
    SS_X_NONE,
    SS_X_POINT,     /* points of a 1D field */
    SS_X_POSITION,  /* in the block, from 0 */
    SS_X_COST,      /* cycles, iterations, seconds ... of a run */
    SS_X_TIME,      /* simulated */
    SS_X_FREQUENCY, /* of the error's waves; 1: the highest */
    SS_X_WAVE,
    SS_X_AGE,
    SS_X_VISIT,     /* of the grids of a cycle */
    SS_X_SHARE,     /* of the rows of a hybrid run */
    SS_X_PACE,      /* of a map's cells: seconds per cycle */
    SS_X_INTENSITY, /* operations per byte */
    SS_NABSCISSA
} ss_abscissa;

typedef struct ss_chart {
    ss_abscissa x_is;
    double x_scale, x_shift;     /* the x that is told is x_scale x + x_shift; scale 0: x itself */
    const char *x_name, *y_name; /* what x and y are, with their units */
    ss_plot_axis x, y;
    int gutter;                    /* columns left of the data; 0: as the labels need */
    const char *x_label, *y_label; /* titles with their units; y_label stands above the axis */
    ss_series series[SS_SERIES_MAX];
    int nseries;
    ss_chart_mark mark[SS_MARKS_MAX]; /* vertical lines with a label: parameter changes */
    int nmark;
    ss_chart_note note[SS_SERIES_MAX];
    int nnote;
    double edge[SS_GRID_MAX]; /* faint vertical lines: block edges */
    int nedge;
    double zone[SS_SERIES_MAX][2]; /* shaded intervals of x */
    int nzone;
    const char *zone_label;
    bool has_level; /* a horizontal line: the tolerance */
    double level;
    char level_text[24];
    double under[SS_UNDER_MAX]; /* small marks below the data; the one at `here` is emphasised */
    int nunder, here;           /* here < 0: none */
    const char *legend[SS_SERIES_MAX]; /* of the series, in the upper right corner; NULL: none */
} ss_chart;

/* The axis of a picture; marks: times or places of changes. */
typedef struct ss_edge_axis {
    ss_plot_axis axis;
    bool up;           /* left of the picture, upwards; else below it */
    const char *title; /* below: among the labels; or NULL */
    double mark[SS_MARKS_MAX];
    int nmark;
} ss_edge_axis;

/* The timeline of a run: its curve over cycles, the states that were kept, the changes, and
 * the curve ahead of a rewound run. Places are in [0, 1] of its width, heights in [0, 1] of its
 * curve's rows, up. */
#define SS_STRIP_CURVES 2
#define SS_STRIP_KEPT 64
typedef struct ss_timeline {
    ss_series curve[SS_STRIP_CURVES]; /* ahead, then the run itself */
    int ncurve;
    double kept[SS_STRIP_KEPT];
    int nkept;
    ss_chart_mark flag[SS_MARKS_MAX]; /* changes of parameters */
    int nflag;
    double here;    /* the present state */
    double span[2]; /* chosen for a film; NAN: none */
} ss_timeline;
/* Lines at a place of another item, in parts of its data: x to the right, y down, in [0, 1]. */
typedef struct ss_rule {
    int on;      /* the item: a chart, a picture or a colour bar (x only) */
    double x, y; /* of the vertical and of the horizontal line; NAN: none */
    struct {
        double x, y;
        ss_theme_role role;
    } dot[SS_SERIES_MAX];
    int ndot;
    bool has_zone;
    ss_box2 zone;     /* a part that is being chosen */
    const char *text; /* beside the vertical line, at height text_y; NULL: none */
    double text_y;
    bool clear; /* the mouse pointer is there: the text stands above or below it */
} ss_rule;

/* The shape of a window's mouse pointer. */
typedef enum ss_pointer {
    SS_POINT_ARROW,
    SS_POINT_HAND,
    SS_POINT_CROSS,
    SS_POINT_ACROSS, /* something moves left and right */
    SS_POINT_UP,     /* up and down */
    SS_NPOINT
} ss_pointer;

typedef struct ss_item {
    ss_item_kind kind;
    ss_rect rect;
    ss_theme_role role;
    unsigned style;
    double roll; /* TEXT: 0: at its place; 1: just below its rows, -1: above, where pixels cut it */
    union {
        const char *text; /* TEXT, FRAME (title, may be "") */
        const ss_image *image;
        const ss_chart *chart;
        struct {
            const ss_image *image;
            const ss_plot_axis *axis;
            bool vertical;
        } bar;
        struct {
            double at;          /* [0, 1] */
            double mark, limit; /* the same, of a value worth knowing and of the first that is
                                   unstable; NAN: none */
        } slider;
        const ss_edge_axis *edge;
        const ss_timeline *strip;
        struct {
            ss_xy from, to; /* cells */
            int number;     /* not 0: a number at `to` instead of a line */
        } leader;
        const ss_rule *rule;
        int dash; /* SAMPLE: as of a series */
    };
} ss_item;

/* The target of a click: a command, or a place. */
typedef enum ss_hit_kind {
    SS_H_COMMAND,
    SS_H_FIELD,
    SS_H_SLIDER,
    SS_H_CONTROL,
    SS_H_PICK,
    SS_H_BAR,    /* a colour bar: its ends move; index 1: it stands upright */
    SS_H_WIPE,   /* the line between two pictures: it is dragged over the FIELD below */
    SS_H_SHELF,  /* PICK in the list of lessons */
    SS_H_TABLE,  /* a map: the cell follows from the place in rect */
    SS_H_PAGE,   /* the wheel scrolls it */
    SS_H_STRIP,  /* the timeline: a press returns to the cycle at that place */
    SS_H_TITLE,  /* the upper edge of a panel: a double click maximises it; index: the panel */
    SS_H_GUTTER, /* a border between panels, which a drag moves; index: ss_gutter_id */
    SS_H_WORDS,  /* not clickable; command explains it in a tip */
    SS_H_CHART,  /* a chart or a picture that tells its values; index: its item */
    SS_NHIT
} ss_hit_kind;

typedef struct ss_hit {
    ss_hit_kind kind;
    ss_rect rect;
    const char *command; /* COMMAND */
    int index; /* SLIDER, CONTROL: of snapshot.control; PICK: of the list; CHART: of the items */
} ss_hit;

#define SS_FINGER 2.0 /* 20 pixels at scale 1: targets are 40 pixels wide and high at least */
#define SS_THUMBS 32
#define SS_ITEM_MAX 768
#define SS_HIT_MAX 192
#define SS_RULE_MAX 8
#define SS_TEXT_MAX 32768
#define SS_SAID_MAX 6
#define SS_POINT_MAX 16384

typedef struct ss_scene {
    int cols, rows;
    int head, side; /* rows and columns of a frame's upper and left edge */
    int cell;       /* dots across a cell: in a window, pixels */
    const ss_theme *theme;
    uint64_t redraw; /* grows when everything must be drawn again */
    ss_item item[SS_ITEM_MAX];
    int nitem;
    int unrecorded; /* the item that shows a recording in progress; 0: none */
    ss_hit hit[SS_HIT_MAX];
    int nhit;
    ss_image image[5], thumb[SS_THUMBS]; /* thumb: of the gallery */
    ss_plot_axis image_axis[2];
    ss_chart chart[4]; /* of the field, the plot, the lower panel, the costs */
    ss_edge_axis edge[5];
    ss_timeline strip;
    ss_rule rule[SS_RULE_MAX];
    int nrule;
    ss_pointer pointer;
    bool tells; /* something tells its values: the terminal reports where the mouse is */
    const char *said[SS_SAID_MAX]; /* what `explain` says */
    int nsaid;
    char text[SS_TEXT_MAX];
    size_t text_used;
    ss_xy point[SS_POINT_MAX];
    int point_used;
} ss_scene;

/* --- building; what does not fit the fixed arrays is left out --------------------------------- */

void ss_scene_clear(ss_scene *s, int cols, int rows, const ss_theme *theme);
/* A new item, zeroed except kind, rect, role; never NULL. */
ss_item *ss_scene_add(ss_scene *s, ss_item_kind kind, ss_rect rect, ss_theme_role role);
/* A copy of the text that lives as long as the scene. */
const char *ss_scene_keep(ss_scene *s, const char *text);
/* Columns of a text: code points, each glyph in use being one column wide. */
int ss_text_width(const char *utf8);
/* A line of text at (x, y), at most w wide. Returns its columns. */
int ss_scene_text(ss_scene *s, int x, int y, int w, ss_theme_role role, unsigned style,
                  const char *text);
/* The same, ending before column x1. */
int ss_scene_text_right(ss_scene *s, int x1, int y, int w, ss_theme_role role, unsigned style,
                        const char *text);
ss_xy *ss_scene_points(ss_scene *s, int n); /* NULL: no room */
/* Lines over item `on`; NULL: no room. */
ss_rule *ss_scene_rule(ss_scene *s, int on);
void ss_scene_hit(ss_scene *s, ss_hit_kind kind, ss_rect rect, const char *command, int index);
/* Removes the item that shows a recording in progress: for the recording itself. */
void ss_scene_recorded(ss_scene *s);
/* The topmost hit at a place, or NULL. */
const ss_hit *ss_scene_at(const ss_scene *s, double x, double y);
/* The same for a finger: if nothing is there that a press uses, the button, the choice or the
 * slider that is nearest, within SS_FINGER columns; a row is as high as two columns. */
const ss_hit *ss_scene_near(const ss_scene *s, double x, double y);

#endif
