/* Colour maps and themes: see colormap.h. */
#include "ui/scene/colormap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/text.h"

#define MAPS_FILE "assets/data/colormaps.txt"
enum { MAP_MAX = 8, POINT_MAX = 64 };

/* Contrasts of words and numbers on their grounds: at least 4.5, in `projector` 7. Series 5 and 6
 * are 10 away from each other series for dichromats too (tests/ui/scene/colormap.c); series 1 to 4
 * differ by their dashes where colours do not. */
const ss_theme ss_themes[] = {
    /* name, type, curve, ground, panel, line, text, dim, faint, accent, series 1-6, error, shade */
    {"dark",
     1,
     2,
     {0x0e1117, 0x151a23, 0x2b3443, 0xdfe5ee, 0xa3adbc, 0x7f8a9b, 0xf2b134, 0x4cc2d6, 0x7bc86c,
      0xd9679f, 0xf2b134, 0xaa66ff, 0xffeeaa, 0xff6b5e, 0x3a3022}},
    {"light",
     1,
     2,
     {0xf6f7f9, 0xffffff, 0xd5dbe4, 0x161b24, 0x3d4757, 0x5f6b7c, 0x8f5500, 0x0b7285, 0x2a7030,
      0xa8326c, 0x8f5500, 0x110077, 0x660000, 0xb3261e, 0xf3e4cc}},
    {"projector",
     1.25,
     2.4,
     {0xffffff, 0xffffff, 0xaab4c2, 0x000000, 0x232b37, 0x3a4554, 0x7a4300, 0x00535f, 0x15561a,
      0x8a1a53, 0x7a4300, 0x1133ff, 0x330000, 0x961410, 0xffefd2}},
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

/* OKLab: lightness, green to red, blue to yellow. Equal distances look equally large. */
typedef struct oklab {
    double v[3];
} oklab;

static oklab to_oklab(ss_rgb c)
{
    double r = to_linear(c >> 16 & 255), g = to_linear(c >> 8 & 255), b = to_linear(c & 255);
    double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    double m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    double s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return (oklab){{0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
                    1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
                    0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s}};
}

static double cube(double v)
{
    return v * v * v;
}

static ss_rgb from_oklab(oklab c)
{
    double l = cube(c.v[0] + 0.3963377774 * c.v[1] + 0.2158037573 * c.v[2]);
    double m = cube(c.v[0] - 0.1055613458 * c.v[1] - 0.0638541728 * c.v[2]);
    double s = cube(c.v[0] - 0.0894841775 * c.v[1] - 1.2914855480 * c.v[2]);
    return from_linear(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s) << 16 |
           from_linear(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s) << 8 |
           from_linear(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s);
}

static ss_rgb mix_oklab(ss_rgb a, ss_rgb b, double t)
{
    oklab x = to_oklab(a), y = to_oklab(b);
    for (int i = 0; i < 3; i++)
        x.v[i] += t * (y.v[i] - x.v[i]);
    return from_oklab(x);
}

double ss_rgb_distance(ss_rgb a, ss_rgb b)
{
    oklab x = to_oklab(a), y = to_oklab(b);
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += (x.v[i] - y.v[i]) * (x.v[i] - y.v[i]);
    return 100 * sqrt(sum);
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
        m->color[i] = mix_oklab(p[k].color, p[n > 1 ? k + 1 : k].color, w < 0 ? 0 : w > 1 ? 1 : w);
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

static void reverse_map(ss_colormap *m, const char *of)
{
    m->falls = true;
    for (int k = 0; k < nmap; k++)
        for (int i = 0; strcmp(maps[k].name, of) == 0 && i < SS_MAP_SIZE; i++)
            m->color[i] = maps[k].color[SS_MAP_SIZE - 1 - i];
}

static void load_maps(void)
{
    point p[POINT_MAX];
    int n = 0;
    bool made = false; /* by another line than points */
    for (const char *line = find_text(MAPS_FILE); nmap < MAP_MAX; line++) {
        char name[16];
        double at;
        unsigned color;
        if (*line == '\0' || sscanf(line, "map %15s", name) == 1) {
            if (n)
                fill_map(&maps[nmap], p, n);
            nmap += n || made;
            if (*line == '\0' || nmap == MAP_MAX)
                break;
            n = 0, made = false;
            snprintf(maps[nmap].name, sizeof maps[nmap].name, "%s", name);
        } else if (sscanf(line, "reversed %15s", name) == 1) {
            reverse_map(&maps[nmap], name);
            made = true;
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

const ss_colormap *ss_colormap_at(int i)
{
    if (!nmap)
        load_maps();
    return i < nmap ? &maps[i] : NULL;
}

ss_rgb ss_owner_color(int owner)
{
    static const ss_rgb colors[] = {0x3a8fb7, 0xd9a441, 0x4f9d69, 0xb5557f,
                                    0x7f7fd0, 0x9fc46b, 0xcf7046, 0x5a6b85};
    return colors[owner & 7];
}
