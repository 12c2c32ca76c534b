/* Colour maps, themes, ranges: see colormap.h. */
#include "ui/scene/colormap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/embed.h"

#define MAPS_FILE "assets/data/colormaps.txt"
enum { MAP_MAX = 8, POINT_MAX = 32 };

/* Contrasts of words and numbers on their grounds: at least 4.5, in `projector` 7
 * (tests/ui/scene/colormap.c). */
const ss_theme ss_themes[] = {
    /* name, type, curve, ground, panel, line, text, dim, faint, accent, series 1-4, error, shade */
    {"dark",
     1,
     2,
     {0x0e1117, 0x151a23, 0x2b3443, 0xdfe5ee, 0xa3adbc, 0x7f8a9b, 0xf2b134, 0x4cc2d6, 0x7bc86c,
      0xd9679f, 0xf2b134, 0xff6b5e, 0x3a3022}},
    {"light",
     1,
     2,
     {0xf6f7f9, 0xffffff, 0xd5dbe4, 0x161b24, 0x3d4757, 0x5f6b7c, 0x8f5500, 0x0b7285, 0x2a7030,
      0xa8326c, 0x8f5500, 0xb3261e, 0xf3e4cc}},
    {"projector",
     1.25,
     2.4,
     {0xffffff, 0xffffff, 0xaab4c2, 0x000000, 0x232b37, 0x3a4554, 0x7a4300, 0x00535f, 0x15561a,
      0x8a1a53, 0x7a4300, 0x961410, 0xffefd2}},
    {NULL, 0, 0, {0}},
};

const ss_theme *ss_theme_find(const char *name)
{
    for (const ss_theme *t = ss_themes; t->name; t++)
        if (strcmp(t->name, name) == 0)
            return t;
    return NULL;
}

/* --- colour arithmetic ------------------------------------------------------------------------ */

static double to_linear(unsigned c)
{
    double v = c / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static unsigned from_linear(double v)
{
    double s = v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1 / 2.4) - 0.055;
    return (unsigned)lround(255 * (s < 0 ? 0 : s > 1 ? 1 : s));
}

static ss_rgb mix_linear(ss_rgb a, ss_rgb b, double t)
{
    ss_rgb out = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        double x = to_linear(a >> shift & 255), y = to_linear(b >> shift & 255);
        out |= from_linear(x + t * (y - x)) << shift;
    }
    return out;
}

/* Interpolated in sRGB: cheap, and a share of 30 % looks like 30 %. */
ss_rgb ss_rgb_mix(ss_rgb a, ss_rgb b, double t)
{
    int w = (int)(t * 256);
    ss_rgb out = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        int x = (int)(a >> shift & 255), y = (int)(b >> shift & 255);
        out |= (ss_rgb)(x + (y - x) * w / 256) << shift;
    }
    return out;
}

/* Relative luminance, 0 to 1. */
static double luminance(ss_rgb c)
{
    return 0.2126 * to_linear(c >> 16 & 255) + 0.7152 * to_linear(c >> 8 & 255) +
           0.0722 * to_linear(c & 255);
}

double ss_rgb_contrast(ss_rgb a, ss_rgb b)
{
    double x = luminance(a), y = luminance(b);
    return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

double ss_rgb_lightness(ss_rgb c)
{
    double y = luminance(c);
    return y > 0.008856 ? 116 * cbrt(y) - 16 : 903.3 * y;
}

/* --- maps ------------------------------------------------------------------------------------- */

typedef struct point {
    double at;
    ss_rgb color;
} point;

static ss_colormap maps[MAP_MAX];
static int nmap;

static void fill_map(ss_colormap *m, const point *p, int n)
{
    for (int i = 0, k = 0; i < SS_MAP_SIZE; i++) {
        double t = i / (double)(SS_MAP_SIZE - 1);
        while (k + 2 < n && p[k + 1].at < t)
            k++;
        double w = n > 1 ? (t - p[k].at) / (p[k + 1].at - p[k].at) : 0;
        m->color[i] = mix_linear(p[k].color, p[n > 1 ? k + 1 : k].color, w < 0 ? 0 : w > 1 ? 1 : w);
    }
}

static const char *find_text(const char *name)
{
    for (const struct ss_embed *e = ss_embed; e->name; e++)
        if (strcmp(e->name, name) == 0)
            return (const char *)e->data;
    return "";
}

/* Colour i of the 256-colour palette: 6 x 6 x 6 cube and greys (i >= 16). */
static ss_rgb indexed_color(int i)
{
    static const ss_rgb step[] = {0, 95, 135, 175, 215, 255};
    if (i >= 232)
        return (ss_rgb)(8 + 10 * (i - 232)) * 0x010101;
    i -= 16;
    return step[i / 36 % 6] << 16 | step[i / 6 % 6] << 8 | step[i % 6];
}

static void read_indexed(ss_colormap *m, const char *list)
{
    int used, i;
    for (m->nindexed = 0; m->nindexed < 32 && sscanf(list, "%d%n", &i, &used) == 1; list += used)
        m->indexed[m->nindexed++] = indexed_color(i);
}

static void load_maps(void)
{
    point p[POINT_MAX];
    int n = 0;
    for (const char *line = find_text(MAPS_FILE); nmap < MAP_MAX; line++) {
        char name[16];
        double at;
        unsigned color;
        if (*line == '\0' || sscanf(line, "map %15s", name) == 1) {
            if (n)
                fill_map(&maps[nmap++], p, n);
            if (*line == '\0' || nmap == MAP_MAX)
                break;
            n = 0;
            snprintf(maps[nmap].name, sizeof maps[nmap].name, "%s", name);
        } else if (strncmp(line, "indexed ", 8) == 0) {
            read_indexed(&maps[nmap], line + 8);
        } else if (n < POINT_MAX && sscanf(line, "%lf #%6x", &at, &color) == 2) {
            p[n++] = (point){at, color};
        }
        line = strchr(line, '\n');
        if (!line)
            line = "\n";
    }
}

const ss_colormap *ss_colormap_find(const char *name)
{
    static ss_colormap grey;
    if (!nmap)
        load_maps();
    for (int i = 0; i < nmap; i++)
        if (strcmp(maps[i].name, name) == 0)
            return &maps[i];
    fill_map(&grey, (const point[]){{0, 0x000000}, {1, 0xffffff}}, 2);
    return &grey;
}

ss_rgb ss_owner_color(int owner)
{
    static const ss_rgb colors[] = {0x3a8fb7, 0xd9a441, 0x4f9d69, 0xb5557f,
                                    0x7f7fd0, 0x9fc46b, 0xcf7046, 0x5a6b85};
    return colors[owner & 7];
}

/* --- ranges ----------------------------------------------------------------------------------- */

/* A range shrinks when less than this share of it is in use. In between it holds still, so that
 * colours keep their values from picture to picture. */
#define SHRINK 0.5

void ss_range_linear(ss_range *r, double lo, double hi)
{
    if (!isfinite(lo) || !isfinite(hi) || lo > hi)
        return;
    double top = fmax(fabs(lo), fabs(hi));
    if (top == 0) {
        if (!r->valid)
            *r = (ss_range){r->sign ? -1 : 0, 1, true, r->sign};
        return;
    }
    if (lo == hi) /* constant data: as far below the value as above */
        lo = fmin(lo, 0), hi = fmax(hi, 0);
    if (lo < -0.02 * top && hi > 0.02 * top)
        r->sign = true;
    if (r->sign)
        hi = top, lo = -top;
    else if (lo > 0 && lo < 0.25 * hi) /* a range that starts near zero starts at zero */
        lo = 0;
    if (!r->valid) {
        *r = (ss_range){lo, hi, true, r->sign};
        return;
    }
    if (hi - lo < SHRINK * (r->hi - r->lo)) {
        r->lo = lo, r->hi = hi;
        return;
    }
    r->lo = fmin(lo, r->lo);
    r->hi = fmax(hi, r->hi);
}

/* Whole decades change rarely; the top moves down only after a clear fall. */
void ss_range_log(ss_range *r, double hi, int decades)
{
    if (!isfinite(hi) || !(hi > 0)) {
        if (!r->valid)
            *r = (ss_range){pow(10, -decades), 1, true, false};
        return;
    }
    double top = pow(10, ceil(log10(hi) - 1e-9));
    if (!r->valid || top > r->hi || hi < 0.06 * r->hi)
        *r = (ss_range){top * pow(10, -decades), top, true, false};
}

double ss_range_at(const ss_range *r, bool log_scale, double v)
{
    double t;
    if (log_scale)
        t = v > 0 ? log(v / r->lo) / log(r->hi / r->lo) : v == 0 ? 0 : (double)NAN;
    else
        t = r->hi > r->lo ? (v - r->lo) / (r->hi - r->lo) : v == v ? 0.5 : (double)NAN;
    return t < 0 ? 0 : t > 1 ? 1 : t;
}
