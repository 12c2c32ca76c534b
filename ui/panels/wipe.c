/* The wipe: one field with a line, run 1 of a race left of it and another run right of it, and
 * their difference. See build.h and ui/scene/plot.h. Main thread only. */
#include <math.h>
#include <string.h>

#include "ui/panels/build.h"
#include "ui/scene/plot.h"

/* --- the two runs ----------------------------------------------------------------------------- */

typedef struct side {
    int run;
    const float *cell; /* w * h; NULL: it has no picture */
    int w, h;
} side;

/* The largest difference of the two: `most`. */
typedef struct pair {
    side left, right;
    double most;
} pair;

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
static pair pair_of(const ss_build *b)
{
    return (pair){side_of(b, 0), side_of(b, b->snap->run > 0 ? b->snap->run : 1), 0};
}

static bool match(const side *left, const side *right)
{
    return left->cell && right->cell && left->w == right->w && left->h == right->h;
}

/* Why there is nothing to compare. */
static const char *missing(const ss_build *b, const pair *two)
{
    const side *s = two->left.cell ? &two->right : &two->left;
    const ss_racer *r = &b->snap->race.racer[s->run];
    return r->status == SS_DIVERGED ? "one of the runs has diverged"
           : r->no_layer            ? r->no_layer
                                    : "waiting for both pictures …";
}

/* --- words ------------------------------------------------------------------------------------ */

/* "iteration 240": where a run stands, by what makes two fields comparable. */
static const char *place_text(const ss_build *b, int run)
{
    const ss_point *at = &b->snap->race.racer[run].at;
    if (b->snap->kind == SS_TRANSIENT)
        return ss_text("t %.5g", at->time);
    return ss_text("iteration %s", ss_count_text((double)at->iteration));
}

static bool is_level(const ss_build *b, const pair *two)
{
    const ss_racer *r = b->snap->race.racer;
    const ss_point *p = &r[two->left.run].at, *q = &r[two->right.run].at;
    return b->snap->kind == SS_TRANSIENT ? !(p->time < q->time) && !(p->time > q->time)
                                         : p->iteration == q->iteration;
}

static const char *name_text(const ss_build *b, int run, bool with_place)
{
    return ss_text("%d %s%s%s", run + 1, b->snap->race.racer[run].label, with_place ? " · " : "",
                   with_place ? place_text(b, run) : "");
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
static void names(const ss_build *b, const pair *two, ss_rect r, ss_rect picture)
{
    const int run[] = {two->left.run, two->right.run};
    const char *text[2];
    bool fit = true;
    for (int i = 0; i < 2; i++) {
        text[i] = name_text(b, run[i], true);
        fit = fit && ss_text_width(text[i]) <= ss_build_letters(b, r.w / 2 - 1);
    }
    r = names_room(b, text[0], text[1], r, picture);
    int half = r.w / 2 - 1;
    for (int i = 0; i < 2; i++) {
        const char *name = name_text(b, run[i], fit);
        int w = ss_min(ss_text_width(name), half);
        ss_rect at = {i ? r.x + r.w - w : r.x, r.y, i ? w : half, 1};
        (i ? ss_put_end : ss_put)(b, at, (ss_theme_role)(SS_C_SERIES1 + run[i]),
                                  run[i] == b->snap->run ? SS_BOLD : 0, name);
        at.w = w;
        ss_press(b, at, ss_text("select %d", run[i] + 1), 0);
    }
}

/* Were the two fields compared as they stand now, all points of them, and found equal? */
static bool is_equal(const ss_build *b, const pair *two)
{
    const ss_racer *r = &b->snap->race.racer[two->right.run];
    bool now = b->snap->kind == SS_TRANSIENT ? !(r->bits.time < r->at.time)
                                             : r->bits.at == r->at.iteration;
    return r->bits.known && r->bits.equal && now;
}

/* "0 everywhere", or the scale of its colours. */
static const char *size_text(const ss_build *b, const pair *two)
{
    const char *scale = ss_figure_text(b->ui->wipe.scale);
    if (two->most > 0)
        return ss_text("colours −%s to %s, largest %s", scale, scale, ss_figure_text(two->most));
    return is_equal(b, two) ? "0 everywhere: bit-for-bit equal" : "0 everywhere";
}

/* Fields of different iterations differ for that reason too. */
static const char *when_text(const ss_build *b, const pair *two)
{
    const char *p = place_text(b, two->left.run);
    if (is_level(b, two))
        return ss_text("both at %s", p);
    return ss_text("run %d at %s, run %d at %s", two->right.run + 1, place_text(b, two->right.run),
                   two->left.run + 1, p);
}

static const char *what_text(const ss_build *b)
{
    return ss_text("difference of %s, run %d − run 1", ss_build_symbol(b),
                   b->snap->run > 0 ? b->snap->run + 1 : 2);
}

/* --- the difference --------------------------------------------------------------------------- */

/* Recordings get every picture in order; other deterministic screens know no picture before. */
static void compare(const ss_build *b, pair *two)
{
    ss_wipe *w = &b->ui->wipe;
    size_t n = (size_t)two->left.w * (size_t)two->left.h;
    two->most = ss_wipe_difference(two->left.cell, two->right.cell, n, w->difference);
    bool alone = b->snap->deterministic && !b->ui->in_order;
    w->scale = ss_wipe_scale(alone ? 0 : w->scale, two->most);
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
static void strip(const ss_build *b, const pair *two, ss_rect r, ss_rect words)
{
    int room = ss_build_letters(b, words.w);
    const char *size = size_text(b, two), *text;
    const char *what = ss_text("%s%s", what_text(b), two->left.h > 1 ? ", largest by column" : "");
    const char *brief =
        ss_text("run %d − run 1%s", two->right.run + 1, two->left.h > 1 ? " by column" : "");
    if (ss_text_width(what) + ss_text_width(size) + 3 > room)
        what = brief;
    text = ss_text("%s · %s · %s", what, size, when_text(b, two));
    if (ss_text_width(what) + ss_text_width(size) + 3 > room)
        text = size;
    text = ss_text_parts(text, room);
    if (two->most > 0)
        difference_image(b, &two->left, &b->s->image[4], r);
    words.y += two->most > 0 || b->edges; /* in a film nothing moves */
    ss_scene_text(b->s, words.x, words.y, words.w, SS_C_DIM, 0, text);
}

/* A small picture of all of it, words and the colour bar right of it. */
static void small_picture(const ss_build *b, const pair *two, double aspect, ss_rect r)
{
    ss_rect at = ss_rect_left(&r, ss_min((int)(2 * r.h * aspect + 0.5), r.w / 2));
    const char *const text[] = {what_text(b), when_text(b, two), size_text(b, two)};
    if (two->most > 0)
        difference_image(b, &two->left, &b->s->image[1], at);
    else
        r.x = at.x, r.w += at.w;
    ss_rect_left(&r, two->most > 0 ? 2 : 0);
    for (int i = 0; i < 3; i++)
        ss_scene_text(b->s, r.x, r.y + i, r.w, i ? SS_C_DIM : SS_C_TEXT, 0, text[i]);
    if (two->most > 0 && r.h >= 6)
        ss_build_bar(b, &b->s->image[1], 1, (ss_rect){r.x, r.y + 3, ss_min(r.w, 40), 2}, false);
}

/* --- 2D --------------------------------------------------------------------------------------- */

/* The line, and the part of it that the mouse can hold. */
static void line_hit(const ss_build *b, ss_rect r)
{
    enum { REACH = 1 };
    int x = r.x + (int)(b->ui->wipe.at * r.w);
    ss_scene_hit(b->s, SS_H_WIPE, (ss_rect){x - REACH, r.y, 2 * REACH + 1, r.h}, NULL, 0);
}

static void picture(const ss_build *b, const pair *two, ss_rect r)
{
    ss_image *im = &b->s->image[0];
    ss_wipe_cells(two->left.cell, two->right.cell, two->left.w, two->left.h, b->ui->wipe.at,
                  b->ui->wipe.cell);
    ss_build_image(b, im);
    ss_build_overlay(b, im, r);
    im->has_block = false; /* the blocks of one run, which the other does not have */
    im->ngrid_x = im->ngrid_y = im->npatch_x = im->npatch_y = 0;
    im->cell = b->ui->wipe.cell;
    im->version = 0;
    im->w = two->left.w, im->h = two->left.h;
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
    double aspect = ss_build_aspect(b);
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
static void other_picture(const ss_build *b, const pair *two, const places *p)
{
    ss_rect r = p->other;
    const char *when = when_text(b, two);
    ss_scene_text(b->s, r.x, r.y - 1, r.w + BAR_COLS, SS_C_TEXT, 0, what_text(b));
    if (two->most > 0)
        when = ss_text("%s · largest difference %s", when, ss_figure_text(two->most));
    ss_put(b, p->difference, SS_C_DIM, 0, when);
    if (two->most > 0) {
        difference_image(b, &two->left, &b->s->image[1], r);
        ss_build_bar(b, &b->s->image[1], 1, bar_beside(r), true);
    } else {
        ss_build_wrap(b, (ss_rect){r.x + 1, r.y + r.h / 2, r.w - 2, 2}, SS_C_DIM,
                      size_text(b, two));
    }
}

static void difference(const ss_build *b, pair *two, double aspect, const places *p)
{
    ss_rect below = p->difference;
    compare(b, two);
    if (p->other.h > 0)
        other_picture(b, two, p);
    else if (below.h > 2)
        small_picture(b, two, aspect, below);
    else if (below.h > 0)
        strip(b, two, (ss_rect){p->picture.x, below.y, p->picture.w, 1}, below);
}

/* Both sides with their names; false: says why they cannot be compared. */
static bool open_sides(const ss_build *b, pair *two, ss_rect name, ss_rect hit, ss_rect r)
{
    *two = pair_of(b);
    ss_scene_hit(b->s, SS_H_FIELD, hit, NULL, 0);
    names(b, two, name, hit);
    if (match(&two->left, &two->right) && ss_wipe_room(b->ui, two->left.w, two->left.h))
        return true;
    ss_build_wrap(b, (ss_rect){r.x + 1, r.y + r.h / 2, r.w - 2, 2}, SS_C_DIM, missing(b, two));
    return false;
}

static void field(const ss_build *b, ss_rect room)
{
    double aspect = ss_build_aspect(b);
    pair two;
    places p;
    if (!side_by_side(b, room, aspect, &p))
        p = stacked(b, room, aspect);
    ss_rect r = p.picture;
    ss_build_want_field(b, r);
    if (!open_sides(b, &two, p.names, r, r))
        return;
    picture(b, &two, r);
    line_hit(b, r);
    if (p.bar.h > 0) {
        ss_build_pin(b, &p.bar, p.upright);
        ss_build_bar(b, &b->s->image[0], 0, p.bar, p.upright);
        ss_build_bar_hit(b, p.bar, p.upright);
    }
    difference(b, &two, aspect, &p);
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
    ss_theme_role role = (ss_theme_role)(SS_C_SERIES1 + s->run);
    ss_chart_add(c, (ss_series){.at = at, .n = count, .role = role, .dash = s->run}, NULL);
}

static void curves(const ss_build *b, ss_rect room)
{
    bool below = room.h >= 9;
    ss_rect r = {room.x, room.y + 1, room.w, room.h - 1 - 2 * below};
    ss_rect inside = {r.x + SS_FIELD_GUTTER, r.y, r.w - SS_FIELD_GUTTER, r.h - 1};
    ss_box2 w = ss_ui_window(&b->snap->view, b->snap);
    const ss_range *range = &b->ui->ranging.shown;
    ss_chart *c = &b->s->chart[0];
    pair two;
    double x = w.x0 + b->ui->wipe.at * (w.x1 - w.x0);
    ss_build_want_line(b, r.w - SS_FIELD_GUTTER - 1);
    if (!open_sides(b, &two, (ss_rect){inside.x, room.y, inside.w, 1}, inside, r))
        return;
    *c = (ss_chart){.x_label = "x", .gutter = SS_FIELD_GUTTER};
    ss_build_x_axis(b, &c->x, w.x0, w.x1, r.w / 7);
    ss_axis_make(&c->y, range->lo, range->hi, ss_layer_labels[b->snap->view.layer].log, true,
                 r.h / 3);
    ss_axis_shorten(&c->y, SS_FIELD_GUTTER - 1);
    half(b, c, &two.left, w, x, true);
    half(b, c, &two.right, w, x, false);
    c->mark[c->nmark++] = (ss_chart_mark){x, ""};
    ss_scene_add(b->s, SS_I_CHART, r, SS_C_TEXT)->chart = c;
    line_hit(b, inside);
    compare(b, &two);
    if (below)
        strip(b, &two, (ss_rect){inside.x, r.y + r.h, inside.w, 1},
              (ss_rect){inside.x, r.y + r.h, inside.w, 2});
}

void ss_build_wipe(const ss_build *b, ss_rect room)
{
    (b->snap->dim == 1 ? curves : field)(b, room);
}
