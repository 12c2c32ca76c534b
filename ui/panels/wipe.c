/* The wipe: one field with a line, run 1 of a race left of it and another run right of it, and
 * their difference. See build.h and ui/scene/plot.h. Main thread only. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/panels/build.h"
#include "ui/scene/plot.h"

/* --- the two runs ----------------------------------------------------------------------------- */

typedef struct side {
    int run;
    const float *cell; /* w * h; NULL: it has no picture */
    int w, h;
} side;

/* The shown run uses the last picture of the view, the others their own. */
static side side_of(const ss_build *b, int run)
{
    const ss_picture *p = &b->snap->race.racer[run].picture;
    if (run == b->snap->run)
        return (side){run, b->ui->picture_w > 0 ? b->ui->picture : NULL, b->ui->picture_w,
                      b->ui->picture_h};
    return (side){run, p->w > 0 ? p->cell : NULL, p->w, p->h};
}

/* Run 1 and the selected one, or run 2. */
static void sides(const ss_build *b, side *left, side *right)
{
    *left = side_of(b, 0);
    *right = side_of(b, b->snap->run > 0 ? b->snap->run : 1);
}

static bool match(const side *left, const side *right)
{
    return left->cell && right->cell && left->w == right->w && left->h == right->h;
}

/* Why there is nothing to compare. */
static const char *missing(const ss_build *b, const side *left, const side *right)
{
    const side *s = left->cell ? right : left;
    const ss_racer *r = &b->snap->race.racer[s->run];
    return r->status == SS_DIVERGED ? "one of the runs has diverged"
           : r->no_layer            ? r->no_layer
                                    : "waiting for both pictures …";
}

/* --- words ------------------------------------------------------------------------------------ */

/* "at 240": where a run stands, by what makes two fields comparable. */
static void place_text(const ss_build *b, int run, char *buf, size_t size)
{
    const ss_point *at = &b->snap->race.racer[run].at;
    char n[32];
    if (b->snap->kind == SS_TRANSIENT)
        snprintf(buf, size, "t %.5g", at->time);
    else
        snprintf(buf, size, "iteration %s", ss_count_text((double)at->iteration, n, sizeof n));
}

static bool is_level(const ss_build *b, const side *left, const side *right)
{
    const ss_racer *r = b->snap->race.racer;
    const ss_point *p = &r[left->run].at, *q = &r[right->run].at;
    return b->snap->kind == SS_TRANSIENT ? !(p->time < q->time) && !(p->time > q->time)
                                         : p->iteration == q->iteration;
}

static void name_text(const ss_build *b, const side *s, bool with_place, char *buf, size_t size)
{
    char place[48];
    place_text(b, s->run, place, sizeof place);
    snprintf(buf, size, "%d %s%s%s", s->run + 1, b->snap->race.racer[s->run].label,
             with_place ? " · " : "", with_place ? place : "");
}

/* In a frame the names begin and end with the picture, if they are not longer. */
static ss_rect names_room(const ss_build *b, const char *left, const char *right, ss_rect room,
                          ss_rect picture)
{
    int l = ss_text_width(left), r = ss_text_width(right), most = 2 * ((l > r ? l : r) + 1);
    int w = most > picture.w ? most : picture.w;
    if (!b->edges || w >= room.w)
        return room;
    int x = picture.x + (picture.w - w) / 2;
    x = x > room.x ? x : room.x;
    return (ss_rect){x < room.x + room.w - w ? x : room.x + room.w - w, room.y, w, room.h};
}

/* Both names on their sides, above the picture. */
static void names(const ss_build *b, const side *left, const side *right, ss_rect r,
                  ss_rect picture)
{
    char text[2][160], line[24];
    int half = r.w / 2 - 1;
    const side *of[] = {left, right};
    bool places = true;
    for (int i = 0; i < 2; i++) {
        name_text(b, of[i], true, text[i], sizeof text[i]);
        places = places && ss_text_width(text[i]) <= ss_build_letters(b, half);
    }
    r = names_room(b, text[0], text[1], r, picture);
    half = r.w / 2 - 1;
    for (int i = 0; i < 2; i++) {
        name_text(b, of[i], places, text[i], sizeof text[i]);
        ss_theme_role role = (ss_theme_role)(SS_C_SERIES1 + of[i]->run);
        unsigned style = of[i]->run == b->snap->run ? SS_BOLD : 0;
        int w = ss_text_width(text[i]) < half ? ss_text_width(text[i]) : half;
        if (i == 0)
            ss_scene_text(b->s, r.x, r.y, half, role, style, text[i]);
        else
            ss_scene_text_right(b->s, r.x + r.w, r.y, w, role, style, text[i]);
        snprintf(line, sizeof line, "select %d", of[i]->run + 1);
        ss_scene_hit(b->s, SS_H_COMMAND, (ss_rect){i ? r.x + r.w - w : r.x, r.y, w, 1},
                     ss_scene_keep(b->s, line), 0);
    }
}

/* Were the two fields compared as they stand now, all points of them, and found equal? */
static bool is_equal(const ss_build *b, const side *right)
{
    const ss_racer *r = &b->snap->race.racer[right->run];
    bool now = b->snap->kind == SS_TRANSIENT ? !(r->bits.time < r->at.time)
                                             : r->bits.at == r->at.iteration;
    return r->bits.known && r->bits.equal && now;
}

/* "0 everywhere", or the scale of its colours. */
static void size_text(const ss_build *b, const side *right, double most, char *buf, size_t size)
{
    char scale[32], largest[32];
    ss_figure_text(b->ui->wipe.scale, scale, sizeof scale);
    ss_figure_text(most, largest, sizeof largest);
    if (!(most > 0))
        snprintf(buf, size,
                 is_equal(b, right) ? "0 everywhere: bit-for-bit equal" : "0 everywhere");
    else
        snprintf(buf, size, "colours −%s to %s, largest %s", scale, scale, largest);
}

/* Fields of different iterations differ for that reason too. */
static void when_text(const ss_build *b, const side *left, const side *right, char *buf,
                      size_t size)
{
    char p[40], q[40];
    place_text(b, left->run, p, sizeof p);
    place_text(b, right->run, q, sizeof q);
    if (is_level(b, left, right))
        snprintf(buf, size, "both at %s", p);
    else
        snprintf(buf, size, "run %d at %s, run %d at %s", right->run + 1, q, left->run + 1, p);
}

static const char *what_text(const ss_build *b, char *buf, size_t size)
{
    ss_layer layer = b->snap->view.layer;
    snprintf(buf, size, "difference of %s, run %d − run 1",
             layer == SS_VALUE ? ss_quantity_symbol(b->snap) : ss_layer_symbol(b->snap, layer),
             b->snap->run > 0 ? b->snap->run + 1 : 2);
    return buf;
}

/* --- the difference --------------------------------------------------------------------------- */

/* Recordings get every picture in order; other deterministic screens know no picture before. */
static double compare(const ss_build *b, const side *left, const side *right)
{
    ss_wipe *w = &b->ui->wipe;
    size_t n = (size_t)left->w * (size_t)left->h;
    double most = ss_wipe_difference(left->cell, right->cell, n, w->difference);
    bool alone = b->snap->deterministic && !b->ui->in_order;
    w->scale = ss_wipe_scale(alone ? 0 : w->scale, most);
    return most;
}

/* In r, with as many cells as it has dots. */
static void difference_image(const ss_build *b, const side *of, ss_image *im, ss_rect r)
{
    ss_wipe *w = &b->ui->wipe;
    int across = r.w * b->extent.dots_x, up = of->h > 1 ? r.h * b->extent.dots_y : 1;
    int w1 = of->w < across ? of->w : across, h1 = of->h < up ? of->h : up;
    if (r.h == 1)
        h1 = 1;
    ss_wipe_reduce(w->difference, of->w, of->h, w1, h1, w->difference);
    *im = (ss_image){.cell = w->difference,
                     .w = w1,
                     .h = h1,
                     .range = {-w->scale, w->scale, true, true},
                     .map = ss_colormap_find("signed")};
    ss_scene_add(b->s, SS_I_IMAGE, r, SS_C_TEXT)->image = im;
}

/* A strip of one row: of each column the largest difference. Words below it, in `words`. */
static void strip(const ss_build *b, const side *left, const side *right, double most, ss_rect r,
                  ss_rect words)
{
    char what[64], size[128], when[120], text[400];
    int room = ss_build_letters(b, words.w);
    const char *columns = left->h > 1 ? ", largest by column" : "";
    size_text(b, right, most, size, sizeof size);
    when_text(b, left, right, when, sizeof when);
    what_text(b, what, sizeof what);
    if (ss_text_width(what) + ss_text_width(columns) + ss_text_width(size) + 3 > room) {
        snprintf(what, sizeof what, "run %d − run 1", right->run + 1);
        columns = left->h > 1 ? " by column" : "";
    }
    snprintf(text, sizeof text, "%s%s · %s · %s", what, columns, size, when);
    if (ss_text_width(what) + ss_text_width(columns) + ss_text_width(size) + 3 > room)
        snprintf(text, sizeof text, "%s", size);
    ss_build_drop_parts(text, room);
    if (most > 0)
        difference_image(b, left, &b->s->image[4], r);
    words.y += most > 0 || b->edges; /* in a film nothing moves */
    ss_scene_text(b->s, words.x, words.y, words.w, SS_C_DIM, 0, text);
}

/* A small picture of all of it, words and the colour bar right of it. */
static void small_picture(const ss_build *b, const side *left, const side *right, double most,
                          double aspect, ss_rect r)
{
    char text[128];
    ss_rect at = r;
    at.w = (int)(2 * r.h * aspect + 0.5);
    at.w = at.w < r.w / 2 ? at.w : r.w / 2;
    if (most > 0)
        difference_image(b, left, &b->s->image[1], at);
    int x = most > 0 ? at.x + at.w + 2 : r.x, y = r.y, w = r.x + r.w - x;
    ss_scene_text(b->s, x, y++, w, SS_C_TEXT, 0, what_text(b, text, sizeof text));
    when_text(b, left, right, text, sizeof text);
    ss_scene_text(b->s, x, y++, w, SS_C_DIM, 0, text);
    size_text(b, right, most, text, sizeof text);
    ss_scene_text(b->s, x, y++, w, SS_C_DIM, 0, text);
    if (most > 0 && r.h >= 6)
        ss_build_bar(b, &b->s->image[1], 1, (ss_rect){x, y, w < 40 ? w : 40, 2}, false);
}

/* --- 2D --------------------------------------------------------------------------------------- */

/* The line, and the part of it that the mouse can hold. */
static void line_hit(const ss_build *b, ss_rect r)
{
    enum { REACH = 1 };
    int x = r.x + (int)(b->ui->wipe.at * r.w);
    ss_scene_hit(b->s, SS_H_WIPE, (ss_rect){x - REACH, r.y, 2 * REACH + 1, r.h}, NULL, 0);
}

static void picture(const ss_build *b, const side *left, const side *right, ss_rect r)
{
    ss_image *im = &b->s->image[0];
    ss_wipe_cells(left->cell, right->cell, left->w, left->h, b->ui->wipe.at, b->ui->wipe.cell);
    ss_build_image(b, im);
    ss_build_overlay(b, im, r);
    im->has_block = false; /* the blocks of one run, which the other does not have */
    im->ngrid_x = im->ngrid_y = im->npatch_x = im->npatch_y = 0;
    im->cell = b->ui->wipe.cell;
    im->version = 0;
    im->w = left->w, im->h = left->h;
    im->has_wipe = true;
    im->wipe = b->ui->wipe.at;
    ss_scene_add(b->s, SS_I_IMAGE, r, SS_C_TEXT)->image = im;
}

/* Columns of an upright colour bar with its gap; rows below a picture with such a bar; columns
 * between two pictures. A frame draws axes: in SS_FIELD_GUTTER columns left of the picture, and in
 * SS_FIELD_AXIS rows below it. */
enum { BAR_COLS = 8, GAP = 1, BETWEEN = 3 };

/* Where everything stands. h == 0: it is left out. */
typedef struct places {
    ss_rect names, picture, bar;
    bool upright;       /* the bar is beside the picture */
    ss_rect other;      /* the difference as a second picture; else it is in `difference` */
    ss_rect difference; /* of few rows, below the picture; with a second picture its words */
} places;

static ss_rect bar_beside(ss_rect picture)
{
    return (ss_rect){picture.x + picture.w + 1, picture.y, BAR_COLS - 1, picture.h};
}

static places stacked(const ss_build *b, ss_rect room, double aspect)
{
    enum { LARGE = 22, MIDDLE = 9 };
    places p = {.names = {room.x, room.y, room.w, 1}};
    int axis = b->edges ? SS_FIELD_AXIS : 0, gutter = b->edges ? SS_FIELD_GUTTER : 0;
    int share = room.h / 4 < 9 ? room.h / 4 : 9, bar = room.h >= 12 && room.w >= 28 ? 2 : 0;
    int difference = room.h >= LARGE ? share : room.h >= MIDDLE ? 2 : 0;
    int rows = room.h - 1 - GAP - difference;
    p.upright = b->edges && room.w - 2 * gutter - 2 * aspect * rows >= 2 * BAR_COLS;
    bar = p.upright ? GAP : bar + axis;
    p.picture =
        (ss_rect){room.x + gutter, room.y + 1, room.w - 2 * gutter, room.h - 1 - bar - difference};
    p.picture = ss_rect_fit(p.picture, aspect);
    p.picture.y = room.y + 1;
    int end = p.picture.y + p.picture.h;
    p.bar = p.upright ? bar_beside(p.picture)
                      : (ss_rect){p.picture.x, end + axis, p.picture.w, bar - axis};
    p.difference = (ss_rect){room.x, end + bar, room.w, difference};
    return p;
}

enum { LEAST_HIGH = 9 }; /* of two pictures side by side */

int ss_wipe_rows(const ss_build *b, int cols)
{
    ss_box2 w = ss_ui_window(&b->ui->view, b->snap);
    double aspect = (w.x1 - w.x0) / (w.y1 - w.y0);
    int h = (int)(((cols - BETWEEN - SS_FIELD_GUTTER) / 2 - BAR_COLS) / (2 * aspect));
    return b->snap->dim > 1 && h >= LEAST_HIGH ? h + 2 + SS_FIELD_AXIS : 0;
}

/* In a wide frame the difference is a picture as large as the wipe. False: there is no room. */
static bool side_by_side(const ss_build *b, ss_rect room, double aspect, places *p)
{
    int h = room.h - 2 - SS_FIELD_AXIS, w = (int)(2 * aspect * h + 0.5);
    int all = SS_FIELD_GUTTER + 2 * (w + BAR_COLS) + BETWEEN;
    if (!b->edges || h < LEAST_HIGH || room.w < all)
        return false;
    int x = room.x + (room.w - all) / 2 + SS_FIELD_GUTTER;
    *p = (places){.names = {x, room.y, w, 1},
                  .picture = {x, room.y + 1, w, h},
                  .upright = true,
                  .other = {x + w + BAR_COLS + BETWEEN, room.y + 1, w, h},
                  .difference = {x, room.y + 1 + h + SS_FIELD_AXIS, room.x + room.w - x, 1}};
    p->bar = bar_beside(p->picture);
    return true;
}

/* The second picture: its title above, words below both. */
static void other_picture(const ss_build *b, const side *left, const side *right, double most,
                          const places *p)
{
    char text[128], when[120], largest[32], all[200];
    ss_rect r = p->other;
    ss_scene_text(b->s, r.x, r.y - 1, r.w + BAR_COLS, SS_C_TEXT, 0,
                  what_text(b, text, sizeof text));
    size_text(b, right, most, text, sizeof text);
    when_text(b, left, right, when, sizeof when);
    ss_figure_text(most, largest, sizeof largest);
    snprintf(all, sizeof all, most > 0 ? "%s · largest difference %s" : "%s", when, largest);
    ss_scene_text(b->s, p->difference.x, p->difference.y, p->difference.w, SS_C_DIM, 0, all);
    if (most > 0) {
        difference_image(b, left, &b->s->image[1], r);
        ss_build_bar(b, &b->s->image[1], 1, bar_beside(r), true);
    } else {
        ss_build_wrap(b, (ss_rect){r.x + 1, r.y + r.h / 2, r.w - 2, 2}, SS_C_DIM, text);
    }
}

static void difference(const ss_build *b, const side *left, const side *right, double aspect,
                       const places *p)
{
    ss_rect below = p->difference;
    double most = compare(b, left, right);
    if (p->other.h > 0)
        other_picture(b, left, right, most, p);
    else if (below.h > 2)
        small_picture(b, left, right, most, aspect, below);
    else if (below.h > 0)
        strip(b, left, right, most, (ss_rect){p->picture.x, below.y, p->picture.w, 1}, below);
}

static void field(const ss_build *b, ss_rect room)
{
    ss_box2 w = ss_ui_window(&b->ui->view, b->snap);
    double aspect = (w.x1 - w.x0) / (w.y1 - w.y0);
    places p;
    if (!side_by_side(b, room, aspect, &p))
        p = stacked(b, room, aspect);
    ss_rect r = p.picture;
    int across = r.w * b->extent.dots_x, up = r.h * b->extent.dots_y;
    bool fine = !(b->ui->view.x1 > b->ui->view.x0) && b->extent.dots_x > 2;
    side left, right;
    ss_build_want(b, fine && b->snap->nx < across ? b->snap->nx : across,
                  fine && b->snap->ny < up ? b->snap->ny : up);
    sides(b, &left, &right);
    ss_scene_hit(b->s, SS_H_FIELD, r, NULL, 0);
    names(b, &left, &right, p.names, r);
    if (!match(&left, &right) || !ss_wipe_room(b->ui, left.w, left.h)) {
        ss_build_wrap(b, (ss_rect){r.x + 1, r.y + r.h / 2, r.w - 2, 2}, SS_C_DIM,
                      missing(b, &left, &right));
        return;
    }
    picture(b, &left, &right, r);
    line_hit(b, r);
    if (p.bar.h > 0) {
        ss_build_pin(b, &p.bar, p.upright);
        ss_build_bar(b, &b->s->image[0], 0, p.bar, p.upright);
        ss_build_bar_hit(b, p.bar, p.upright);
    }
    difference(b, &left, &right, aspect, &p);
}

/* --- 1D --------------------------------------------------------------------------------------- */

/* The points of a run's curve on its side of x. */
static void half(const ss_build *b, ss_chart *c, const side *s, ss_box2 w, double x, bool left)
{
    ss_xy *at = ss_scene_points(b->s, s->w);
    int n = at ? ss_build_points(w, s->cell, s->w, at) : 0, count = 0;
    for (int i = 0; i < n; i++)
        if ((at[i].x < x) == left)
            at[count++] = at[i];
    c->series[c->nseries++] = (ss_series){
        .at = at, .n = count, .role = (ss_theme_role)(SS_C_SERIES1 + s->run), .dash = s->run};
}

static void curves(const ss_build *b, ss_rect room)
{
    bool below = room.h >= 9;
    ss_rect r = {room.x, room.y + 1, room.w, room.h - 1 - 2 * below};
    ss_rect inside = {r.x + SS_FIELD_GUTTER, r.y, r.w - SS_FIELD_GUTTER, r.h - 1};
    ss_box2 w = ss_ui_window(&b->snap->view, b->snap);
    const ss_range *range = &b->ui->ranging.shown;
    ss_chart *c = &b->s->chart[0];
    side left, right;
    int dots = ss_build_dots(b, r.w - SS_FIELD_GUTTER - 1), nx = b->snap->nx;
    bool fine = !(b->ui->view.x1 > b->ui->view.x0) && b->extent.dots_x > 2;
    double x = w.x0 + b->ui->wipe.at * (w.x1 - w.x0);
    ss_build_want(b, fine && nx > 1 && nx < dots ? nx : dots, 1);
    sides(b, &left, &right);
    ss_scene_hit(b->s, SS_H_FIELD, inside, NULL, 0);
    names(b, &left, &right, (ss_rect){inside.x, room.y, inside.w, 1}, inside);
    if (!match(&left, &right) || !ss_wipe_room(b->ui, left.w, left.h)) {
        ss_build_wrap(b, (ss_rect){r.x + 1, r.y + r.h / 2, r.w - 2, 2}, SS_C_DIM,
                      missing(b, &left, &right));
        return;
    }
    *c = (ss_chart){.x_label = "x", .gutter = SS_FIELD_GUTTER};
    ss_build_x_axis(b, &c->x, w.x0, w.x1, r.w / 7);
    ss_axis_make(&c->y, range->lo, range->hi, ss_layer_labels[b->snap->view.layer].log, true,
                 r.h / 3);
    ss_axis_shorten(&c->y, SS_FIELD_GUTTER - 1);
    half(b, c, &left, w, x, true);
    half(b, c, &right, w, x, false);
    c->mark[c->nmark++] = (ss_chart_mark){x, ""};
    ss_scene_add(b->s, SS_I_CHART, r, SS_C_TEXT)->chart = c;
    line_hit(b, inside);
    double most = compare(b, &left, &right);
    if (below)
        strip(b, &left, &right, most, (ss_rect){inside.x, r.y + r.h, inside.w, 1},
              (ss_rect){inside.x, r.y + r.h, inside.w, 2});
}

void ss_build_wipe(const ss_build *b, ss_rect room)
{
    (b->snap->dim == 1 ? curves : field)(b, room);
}
