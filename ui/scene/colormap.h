/* Colours: the maps of fields (data in assets/data/colormaps.txt) and the colours of the interface
 * (themes). No clock, no state but the parsed tables. Main thread only. */
#ifndef SS_COLORMAP_H
#define SS_COLORMAP_H

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t ss_rgb; /* 0xrrggbb, sRGB */

#define SS_MAP_SIZE 256

typedef struct ss_colormap {
    char name[16];
    ss_rgb color[SS_MAP_SIZE];
    bool falls;         /* bright for small values */
    ss_rgb indexed[32]; /* the map in the 256-colour palette, chosen by hand; nindexed 0: nearest
                           colours */
    int nindexed;
} ss_colormap;

/* By name: "value", "heat", "signed". An unknown name is a grey ramp. */
const ss_colormap *ss_colormap_find(const char *name);
/* The maps in order; NULL after the last. */
const ss_colormap *ss_colormap_at(int i);
/* Colours of owners; they differ in lightness too. */
ss_rgb ss_owner_color(int owner);

/* The roles of colours: the columns of a theme. */
typedef enum ss_theme_role {
    SS_C_GROUND,
    SS_C_PANEL,
    SS_C_LINE,
    SS_C_TEXT,
    SS_C_DIM,
    SS_C_FAINT, /* the quietest role of words and numbers; ornaments have SS_C_LINE */
    SS_C_ACCENT,
    SS_C_SERIES1,
    SS_C_SERIES2,
    SS_C_SERIES3,
    SS_C_SERIES4,
    SS_C_SERIES5,
    SS_C_SERIES6,
    SS_C_ERROR,
    SS_C_SHADE, /* background of a zone that the overlap throws away */
    SS_THEME_NROLE
} ss_theme_role;

typedef struct ss_theme {
    const char *name;
    double type;  /* of pixels: sizes of everything, 1 is usual */
    double curve; /* of pixels: width of a curve at that size */
    ss_rgb color[SS_THEME_NROLE];
} ss_theme;

extern const ss_theme ss_themes[];               /* NULL-name-terminated */
const ss_theme *ss_theme_find(const char *name); /* NULL: unknown */

ss_rgb ss_rgb_mix(ss_rgb a, ss_rgb b, double t);
/* CIE lightness L* of a colour, 0 to 100. */
double ss_rgb_lightness(ss_rgb c);
/* The contrast ratio of two colours as WCAG 2 defines it, 1 to 21. */
double ss_rgb_contrast(ss_rgb a, ss_rgb b);
/* Difference of two colours as seen: 100 times the distance in OKLab. */
double ss_rgb_distance(ss_rgb a, ss_rgb b);

#endif
