/* Values under the mouse or the cursor, in words: of curves, of marks, of pictures. See values.h.
 * Main thread only. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/panels/values.h"

/* --- charts ------------------------------------------------------------------------------------
 */

static void cost_text(const ss_build *b, double x, char *buf, size_t size)
{
    static const char *const words[SS_NOVER] = {"cycle", "iteration", "sweep", "", "", "reduction"};
    char n[32];
    if (b->ui->over == SS_SECONDS)
        ss_format_si(x, "s", n, sizeof n);
    else if (b->ui->over == SS_BYTES)
        ss_format_bytes(x, n, sizeof n);
    else
        ss_count_text(x, n, sizeof n);
    snprintf(buf, size, "%s%s%s", words[b->ui->over], *words[b->ui->over] ? " " : "", n);
}

static void abscissa_text(const ss_build *b, const ss_chart *c, double x, char *buf, size_t size)
{
    static const char *const formats[SS_NABSCISSA] = {
        [SS_X_POINT] = "x %.4g",          [SS_X_POSITION] = "position %.0f",
        [SS_X_TIME] = "t %.4g",           [SS_X_FREQUENCY] = "frequency %.3g",
        [SS_X_WAVE] = "wave %.0f",        [SS_X_AGE] = "%.0f sweeps ahead",
        [SS_X_VISIT] = "sweep %.0f",      [SS_X_SHARE] = "%.3g %% on the CPU",
        [SS_X_PACE] = "%.3g s per cycle", [SS_X_INTENSITY] = "%.3g op/B"};
    if (c->x_is == SS_X_COST)
        cost_text(b, x, buf, size);
    else if (formats[c->x_is])
        snprintf(buf, size, formats[c->x_is], ss_chart_told(c, x));
}

void ss_zone_words(const ss_build *b, const ss_chart *c, const ss_box2 *zone, char *buf,
                   size_t size)
{
    char from[64] = "", to[64] = "";
    abscissa_text(b, c, ss_axis_value(&c->x, zone->x0), from, sizeof from);
    abscissa_text(b, c, ss_axis_value(&c->x, zone->x1), to, sizeof to);
    snprintf(buf, size, "%s to %s", from, to);
}

static void append(char *buf, size_t size, const char *name, double v)
{
    char text[32];
    size_t n = strlen(buf);
    snprintf(buf + n, size - n, " · %s%s%s", name ? name : "", name ? " " : "",
             ss_figure_text(v, text, sizeof text));
}

/* "4" of "k 4→12" in the text of a mark, which may name several parameters. */
static bool value_before(const char *mark, const char *name, char *buf, size_t size)
{
    size_t n = strlen(name);
    for (const char *at = mark; (at = strstr(at, name)) != NULL; at += n) {
        const char *arrow = strstr(at, "→");
        bool whole = at == mark || at[-1] == ' ';
        if (!whole || at[n] != ' ' || !arrow)
            continue;
        snprintf(buf, size, "%.*s", (int)(arrow - at - (ptrdiff_t)n - 1), at + n + 1);
        return true;
    }
    return false;
}

/* The value that a parameter had at x: the one before the first change after it. */
static void value_at(const ss_build *b, const ss_control *c, double x, char *buf, size_t size)
{
    ss_param_format(c->row, c->value, buf, size);
    for (int i = b->snap->nmark - 1; i >= 0 && ss_cost_of(b, &b->snap->mark[i].at) >= x; i--)
        value_before(b->snap->mark[i].text, c->row->symbol ? c->row->symbol : c->row->name, buf,
                     size);
}

/* " · k 12, overlap 4" */
static void append_parameters(const ss_build *b, double x, char *buf, size_t size)
{
    static const char *const told[] = {"k", "overlap"};
    const char *seam = " · ";
    for (size_t t = 0; t < sizeof told / sizeof *told && b->snap->race.n == 0; t++)
        for (int i = 0; i < b->snap->ncontrol; i++) {
            const ss_control *c = &b->snap->control[i];
            char value[40];
            size_t n = strlen(buf);
            if (strcmp(c->row->name, told[t]) != 0)
                continue;
            value_at(b, c, x, value, sizeof value);
            snprintf(buf + n, size - n, "%s%s %s", seam, c->row->name, value);
            seam = ", ";
        }
}

/* The name of a curve where there are several. */
static const char *curve_name(const ss_build *b, const ss_chart *c, int i)
{
    int other, at = i;
    if (ss_chart_curve(c, 2, &other) < 0)
        return c->x_is == SS_X_POINT ? c->y_name : NULL;
    if (b->snap->race.n > 0 && !c->legend[i] && i < b->snap->race.n)
        return b->snap->race.racer[i].label;
    while (at > 0 && !c->legend[at])
        at--;
    return c->legend[at];
}

double ss_series_value(const ss_chart *c, const ss_series *s, double x)
{
    if (s->bars)
        return x >= 0 && x < s->n ? s->at[(int)x].y : (double)NAN;
    return s->points ? (double)NAN : ss_curve_value(&c->x, &c->y, s->at, s->n, x);
}

/* A chart of marks without lines: the nearest one. */
void ss_mark_words(const ss_build *b, const ss_chart *c, ss_xy at, char *buf, size_t size)
{
    char name[160] = "", x[64] = "", y[32];
    int cell = b->ui->map.open ? ss_map_cell_at(b->ui->map.view, at) : -1;
    abscissa_text(b, c, at.x, x, sizeof x);
    if (c->x_is == SS_X_PACE)
        ss_format_si(at.x, "s per cycle", x, sizeof x);
    if (cell >= 0)
        ss_map_cell_name(b->ui->map.view, cell, name, sizeof name);
    if (c->x_is == SS_X_INTENSITY)
        ss_format_si(at.y, "op/s", y, sizeof y);
    else if (c->x_is == SS_X_VISIT)
        snprintf(y, sizeof y, "grid %.0f", -at.y);
    else
        ss_count_text(at.y, y, sizeof y);
    snprintf(buf, size, "%s%s%s · %s%s", name, *name ? " · " : "", x, y,
             c->x_is == SS_X_PACE ? " cycles" : "");
}

void ss_curve_words(const ss_build *b, const ss_chart *c, double x, bool names, bool own, char *buf,
                    size_t size)
{
    abscissa_text(b, c, x, buf, size);
    for (int i = 0; i < c->nseries; i++) {
        const ss_series *s = &c->series[i];
        double v = s->hidden ? (double)NAN : ss_series_value(c, s, x);
        if (!isnan(v))
            append(buf, size, names ? curve_name(b, c, i) : NULL, v);
    }
    if (own && c->x_is == SS_X_COST)
        append_parameters(b, x, buf, size);
}

int ss_words_room(const ss_build *b, int columns)
{
    return (ss_scene_fine(b->s) ? columns * 17 / 10 : columns) - 2;
}

/* --- pictures --------------------------------------------------------------------------------- */

double ss_picture_value(const ss_image *im, ss_xy part)
{
    int x = (int)(part.x * im->w), y = (int)(part.y * im->h);
    x = x < im->w ? x : im->w - 1, y = y < im->h ? y : im->h - 1;
    if (im->w < 1 || im->h < 1 || !im->cell || im->owner || (im->unseen && im->unseen[y]))
        return (double)NAN;
    return (double)im->cell[(size_t)y * (size_t)im->w + (size_t)x];
}

/* A cell of a coarse picture is no single point. */
static void sample_words(const ss_build *b, const ss_image *im, char *buf, size_t size)
{
    static const char *const of[SS_NLAYER] = {
        [SS_VALUE] = "mean",       [SS_EXACT] = "mean",    [SS_AGE] = "least",
        [SS_RESIDUAL] = "largest", [SS_ERROR] = "largest", [SS_UPDATE] = "largest",
        [SS_STALENESS] = "largest"};
    ss_box2 w = ss_ui_window(&b->ui->view, b->snap);
    double x = (w.x1 - w.x0) / im->w, y = (w.y1 - w.y0) / im->h;
    size_t n = strlen(buf);
    if ((x > 1.5 || y > 1.5) && of[b->snap->view.layer])
        snprintf(buf + n, size - n, " · %s of %.0f×%.0f points", of[b->snap->view.layer], ceil(x),
                 ceil(y));
}

void ss_field_words(const ss_build *b, const ss_place *p, char *buf, size_t size)
{
    const ss_image *im = b->s->item[p->item].image;
    double v = ss_picture_value(im, p->part);
    int x = (int)floor(p->at[SS_X_POINT]), y = (int)ceil(p->y) - 1;
    y = y < 0 ? 0 : y;
    bool value = b->snap->view.layer == SS_VALUE;
    snprintf(buf, size, "(%d, %d)", x, y);
    if (!isnan(v))
        append(buf, size,
               value ? ss_quantity_symbol(b->snap) : ss_layer_symbol(b->snap, b->snap->view.layer),
               v);
    if (!isnan(v))
        sample_words(b, im, buf, size);
    size_t n = strlen(buf);
    if (b->snap->tiled && x < b->snap->nx && y < b->snap->ny)
        snprintf(buf + n, size - n, " · block (%d, %d)", ss_cut_owner(b->snap->tiling.x, x),
                 ss_cut_owner(b->snap->tiling.y, y));
}

void ss_raster_words(const ss_build *b, const ss_place *p, char *buf, size_t size)
{
    double step = b->snap->spacing > 0 ? b->snap->spacing : 1;
    double v = ss_picture_value(b->s->item[p->item].image, p->part);
    char time[32];
    if (b->snap->kind == SS_TRANSIENT)
        snprintf(time, sizeof time, "t %.4g", p->time);
    else
        snprintf(time, sizeof time, "cycle %.0f", p->time);
    snprintf(buf, size, "%s · x %.4g", time, (floor(p->at[SS_X_POINT]) + b->snap->origin) * step);
    if (isnan(v))
        snprintf(buf + strlen(buf), size - strlen(buf), " · not seen");
    else
        append(buf, size, NULL, v);
}
