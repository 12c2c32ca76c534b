/* The layouts of a frame (parts stand in one column, or in two where the frame is wide: the leading
 * ones at the left), of a tuning map (the table is as large as possible; the figures of the cell
 * under the cursor stand beside it, or below on a narrow screen), and of the cards of the gallery;
 * and the places of call-outs. See layout.h. */
#include <math.h>

#include "src/base/common.h"
#include "ui/scene/layout.h"

/* --- a frame ---------------------------------------------------------------------------------- */

enum {
    MARGIN = 1,    /* at all sides, in columns */
    GUTTER = 3,    /* between two columns of parts */
    GAP = 1,       /* rows below a part */
    TWO_FROM = 60, /* columns, where the height is free */
    PART_ROWS = 4  /* below that a part is left out */
};

static int rows_at(const ss_frame_shape *s, int cols)
{
    int across = cols - s->beside;
    if (s->aspect > 0)
        return s->around + ss_clamp((int)(across / (2 * s->aspect) + 0.5), 3, 4 * cols);
    return s->rows;
}

/* The parts of one column. */
typedef struct column {
    int part[SS_FRAME_PARTS], n;
    ss_rect rect;
} column;

static int column_rows(const ss_frame_plan *plan, const column *c)
{
    int rows = 0;
    for (int i = 0; i < c->n; i++)
        rows += rows_at(&plan->part[c->part[i]], c->rect.w) + GAP;
    return rows;
}

/* Rows beyond what all parts need go to those that are no pictures, if there are any. */
static int share_of(const ss_frame_plan *plan, const column *c, int part)
{
    int need = column_rows(plan, c), stretch = 0, own = rows_at(&plan->part[part], c->rect.w) + GAP;
    for (int i = 0; i < c->n; i++)
        if (!(plan->part[c->part[i]].aspect > 0))
            stretch += rows_at(&plan->part[c->part[i]], c->rect.w) + GAP;
    int spare = c->rect.h - need;
    if (spare <= 0 || stretch == 0)
        return own;
    return plan->part[part].aspect > 0 ? own : own + spare * own / stretch;
}

/* Shares the height of the column in proportion. */
static void stack(const ss_frame_plan *plan, const column *c, ss_frame_layout *out)
{
    int all = 0, y = c->rect.y, seen = 0;
    for (int i = 0; i < c->n; i++)
        all += share_of(plan, c, c->part[i]);
    for (int i = 0; i < c->n && all > 0; i++) {
        seen += share_of(plan, c, c->part[i]);
        int end = c->rect.y + (int)((double)c->rect.h * seen / all + 0.5);
        if (end - y - GAP >= PART_ROWS)
            out->part[c->part[i]] = (ss_rect){c->rect.x, y, c->rect.w, end - y - GAP};
        y = end;
    }
}

static void add(column *c, int part)
{
    c->part[c->n++] = part;
}

static void split(const ss_frame_plan *plan, column *left, column *right)
{
    for (int i = 0; i < plan->n; i++)
        add(plan->part[i].lead ? left : right, i);
}

/* Columns that the left parts need at a height: a single picture no more than it fills. */
static int left_cols(const ss_frame_plan *plan, const column *left, int cols, int rows)
{
    const ss_frame_shape *s = &plan->part[left->part[0]];
    if (left->n > 1 || !(s->aspect > 0))
        return cols / 2;
    if (rows <= 0)
        return cols * 3 / 5;
    int fills = s->beside + (int)(2 * s->aspect * (rows - GAP - s->around) + 0.5);
    return ss_clamp(fills, cols * 2 / 5, cols * 5 / 9);
}

/* False: one column is better. */
static bool two_columns(const ss_frame_plan *plan, int body, int y, ss_frame_layout *out)
{
    column left = {.n = 0}, right = {.n = 0};
    int room = plan->cols - 2 * MARGIN - GUTTER;
    split(plan, &left, &right);
    bool wide = plan->rows > 0 ? plan->cols > 2 * body : plan->cols >= TWO_FROM;
    if (left.n == 0 || right.n == 0 || !wide)
        return false;
    int w = left_cols(plan, &left, room, plan->rows > 0 ? body : 0);
    left.rect = (ss_rect){MARGIN, y, w, body};
    right.rect = (ss_rect){MARGIN + w + GUTTER, y, room - w, body};
    if (plan->rows <= 0) {
        int high = column_rows(plan, &left), other = column_rows(plan, &right);
        left.rect.h = left.n > 1 || high > other ? high : other;
        right.rect.h = left.rect.h;
    }
    out->rows = y + left.rect.h;
    stack(plan, &left, out);
    stack(plan, &right, out);
    return true;
}

static void one_column(const ss_frame_plan *plan, int body, int y, ss_frame_layout *out)
{
    column all = {.n = 0};
    for (int i = 0; i < plan->n; i++)
        add(&all, i);
    all.rect = (ss_rect){MARGIN, y, plan->cols - 2 * MARGIN, body};
    if (plan->rows <= 0)
        all.rect.h = column_rows(plan, &all);
    out->rows = y + all.rect.h;
    stack(plan, &all, out);
}

void ss_layout_frame(const ss_frame_plan *plan, ss_frame_layout *out)
{
    int w = plan->cols - 2 * MARGIN, lines = plan->title + plan->words + plan->note;
    int body = plan->rows > 0 ? ss_clamp(plan->rows - lines, 0, plan->rows) : 0;
    *out = (ss_frame_layout){.title = {MARGIN, 0, w, plan->title}};
    if (!two_columns(plan, body, plan->title, out))
        one_column(plan, body, plan->title, out);
    out->words = (ss_rect){MARGIN, out->rows, w, plan->words};
    out->note = (ss_rect){MARGIN, out->rows + plan->words, w, plan->note};
    out->rows += plan->words + plan->note;
    if (plan->rows > 0)
        out->rows = plan->rows;
}

/* --- a tuning map ----------------------------------------------------------------------------- */

enum {
    BESIDE = 100, /* columns from which the details stand at the right */
    DETAILS_W = 38,
    DETAILS_H = 5, /* lines */
    CELL_MIN = 3,
    CELL_MAX = 16,
    CELL_H_MAX = 7,
    BAR_H = 2
};

static void split_map(const ss_layout *l, bool details, ss_map_layout *out)
{
    ss_rect head = l->panel[SS_PANEL_HEADER], foot = l->panel[SS_PANEL_MESSAGE];
    int top = head.h + l->panel[SS_PANEL_STRIP].h;
    ss_rect body = {0, top, head.w, foot.y - top};
    int frame = l->head + 1;
    out->panel = body;
    if (!details)
        return;
    if (body.w >= BESIDE && body.h >= DETAILS_H + frame) {
        out->panel.w = body.w - ss_clamp(body.w / 4, DETAILS_W - 6, DETAILS_W);
        out->details = (ss_rect){out->panel.w, body.y, body.w - out->panel.w, body.h};
    } else if (body.h >= DETAILS_H + frame + 10) {
        out->panel.h = body.h - DETAILS_H - frame;
        out->details = (ss_rect){0, body.y + out->panel.h, body.w, DETAILS_H + frame};
    }
}

void ss_layout_map(const ss_layout *l, int nx, int ny, int names, bool details, ss_map_layout *out)
{
    *out = (ss_map_layout){.columns = 0};
    split_map(l, details, out);
    ss_rect in = ss_layout_inside(l, out->panel);
    out->chart = in;
    out->chart.w -= l->side == 1;
    int legend = in.h >= 9, bar = in.h >= 7 && in.w >= 30 ? BAR_H : 0;
    int room_w = in.w - names - 2, room_h = in.h - 1 - legend - bar;
    if (room_w < CELL_MIN || room_h < 1 || nx < 1 || ny < 1)
        return;
    out->columns = ss_min(nx, room_w / CELL_MIN);
    out->rows = ss_min(ny, room_h);
    out->cell_w = ss_clamp(room_w / out->columns, CELL_MIN, CELL_MAX);
    out->cell_h = ss_clamp(room_h / out->rows, 1, CELL_H_MAX);
    out->table =
        (ss_rect){in.x + names + 2, in.y + 1, out->columns * out->cell_w, out->rows * out->cell_h};
    out->names = (ss_rect){in.x + 1, out->table.y, names, out->table.h};
    out->head = (ss_rect){in.x + 1, in.y, out->table.x + out->table.w - in.x - 1, 1};
    /* The remaining room is divided between them. */
    int below = out->table.y + out->table.h, spare = in.y + in.h - below - legend - bar;
    if (bar)
        out->bar = (ss_rect){in.x + 1, below + (spare > 0), in.w - 2, BAR_H};
    if (legend)
        out->legend = (ss_rect){in.x + 1, bar ? out->bar.y + BAR_H : below, in.w - 2, 1};
}

/* --- the cards of the gallery ----------------------------------------------------------------- */

enum {
    CARD_GAP = 1,
    TALL_COLS = 26,   /* the narrowest tall card of a terminal, */
    TALL_ROOMY = 19,  /* and of a window */
    TALL_PICTURE = 6, /* rows */
    WIDE_COLS = 36,
    WIDE_PICTURE = 14, /* columns */
    WIDE_ROWS = 4
};

static int rows_of(const ss_cards *c)
{
    return c->across > 0 ? (c->n + c->across - 1) / c->across : 0;
}

static void lay_grid(ss_cards *c, int least)
{
    c->across = ss_clamp((c->room.w + CARD_GAP) / (least + CARD_GAP), 1, c->n > 0 ? c->n : 1);
    c->pitch_x = (c->room.w + CARD_GAP) / c->across;
    c->w = c->pitch_x - CARD_GAP;
    c->pitch_y = c->h + CARD_GAP;
    c->rows = (c->room.h + CARD_GAP) / c->pitch_y;
}

/* Rows of cards that are seen, of those that there are, with so many lines of text. */
static int rows_seen(const ss_cards *c, int lines)
{
    int rows = (c->room.h + CARD_GAP) / (TALL_PICTURE + 1 + lines + CARD_GAP), all = rows_of(c);
    return rows < all ? rows : all;
}

/* One line more or less than wanted: as many cards as possible, with as much text as possible. */
static int best_lines(const ss_cards *c, int wanted)
{
    int best = wanted > 1 ? wanted - 1 : wanted;
    for (int n = best + 1; n <= wanted + 1; n++)
        if (rows_seen(c, n) >= rows_seen(c, best))
            best = n;
    return best;
}

void ss_cards_lay(ss_rect room, int n, int lines, bool roomy, ss_cards *out)
{
    int tall = roomy ? TALL_ROOMY : TALL_COLS;
    *out = (ss_cards){.room = room, .n = n, .lines = lines};
    out->h = TALL_PICTURE + 1 + lines;
    if (room.w >= 3 * tall + 2 * CARD_GAP && room.h >= 2 * out->h + CARD_GAP) {
        out->style = SS_CARD_TALL;
        lay_grid(out, tall);
        out->lines = best_lines(out, lines);
        out->h = TALL_PICTURE + 1 + out->lines;
        lay_grid(out, tall);
    } else if (room.w >= WIDE_COLS && room.h >= WIDE_ROWS) {
        out->style = SS_CARD_WIDE;
        out->h = WIDE_ROWS;
        out->lines = WIDE_ROWS - 1;
        lay_grid(out, WIDE_COLS);
    } else {
        *out = (ss_cards){SS_CARD_LINE, room, n, 1, room.h, room.w, 1, 0, room.w, 1};
    }
}

int ss_cards_first(const ss_cards *c, int at, int first)
{
    int row = at >= 0 && c->across > 0 ? at / c->across : -1, last = rows_of(c) - c->rows;
    if (row >= 0 && first > row)
        first = row;
    if (row >= 0 && first < row - c->rows + 1)
        first = row - c->rows + 1;
    return ss_clamp(first, 0, last > 0 ? last : 0);
}

ss_rect ss_cards_at(const ss_cards *c, int i, int first)
{
    int row = i / c->across - first;
    if (i < 0 || i >= c->n || row < 0 || row >= c->rows)
        return (ss_rect){0, 0, 0, 0};
    return (ss_rect){c->room.x + i % c->across * c->pitch_x, c->room.y + row * c->pitch_y, c->w,
                     c->h};
}

ss_rect ss_cards_picture(const ss_cards *c, ss_rect card)
{
    switch (c->style) {
    case SS_CARD_TALL:
        return (ss_rect){card.x + 1, card.y, card.w - 2, TALL_PICTURE};
    case SS_CARD_WIDE:
        return (ss_rect){card.x, card.y, WIDE_PICTURE, card.h};
    case SS_CARD_LINE:
        break;
    }
    return (ss_rect){0, 0, 0, 0};
}

ss_rect ss_cards_text(const ss_cards *c, ss_rect card)
{
    switch (c->style) {
    case SS_CARD_TALL:
        return (ss_rect){card.x + 1, card.y + TALL_PICTURE, card.w - 2, card.h - TALL_PICTURE};
    case SS_CARD_WIDE:
        return (ss_rect){card.x + WIDE_PICTURE + 1, card.y, card.w - WIDE_PICTURE - 1, card.h};
    case SS_CARD_LINE:
        break;
    }
    return (ss_rect){card.x + 2, card.y, card.w - 2, card.h};
}

int ss_cards_move(const ss_cards *c, int at, int dx, int dy)
{
    int across = c->across > 0 ? c->across : 1; /* 0: not laid out yet */
    if (c->n < 1)
        return at;
    int to = (at + dx % c->n + c->n) % c->n;
    int row = ss_clamp(to / across + dy, 0, (c->n - 1) / across);
    to = row * across + to % across;
    return to < c->n ? to : c->n - 1;
}

/* --- call-outs -------------------------------------------------------------------------------- */

enum { CLEAR = 1, LEAST = 2 }; /* cells around points and boxes; to the box's own point */

static bool overlap(ss_rect a, ss_rect b)
{
    return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

static ss_rect grown(ss_rect r, int by)
{
    return (ss_rect){r.x - by, r.y - by, r.w + 2 * by, r.h + 2 * by};
}

/* Rows count twice: a cell is twice as high as wide. */
static double distance(ss_rect r, ss_xy at)
{
    double dx = fmax(fmax(r.x - at.x, at.x - (r.x + r.w)), 0);
    double dy = fmax(fmax(r.y - at.y, at.y - (r.y + r.h)), 0);
    return hypot(dx, 2 * dy);
}

static bool is_free(const ss_callout *c, int n, int i, ss_rect box)
{
    for (int k = 0; k < n; k++) {
        if (ss_rect_has(grown(box, CLEAR), c[k].at.x, c[k].at.y))
            return false;
        if (k < i && c[k].box.w && overlap(grown(box, CLEAR), c[k].box))
            return false;
    }
    return distance(box, c[i].at) >= LEAST;
}

/* The nearest free place in a room. */
static bool place_in(ss_callout *c, int n, int i, ss_rect room)
{
    double best = INFINITY;
    for (int y = room.y; y + c[i].h <= room.y + room.h; y++)
        for (int x = room.x; x + c[i].w <= room.x + room.w; x++) {
            ss_rect box = {x, y, c[i].w, c[i].h};
            double far = distance(box, c[i].at);
            if (far >= best || !is_free(c, n, i, box))
                continue;
            best = far;
            c[i].box = box;
        }
    return isfinite(best);
}

void ss_callouts_place(ss_callout *c, int n, ss_rect screen)
{
    for (int i = 0; i < n; i++)
        c[i].box = (ss_rect){0, 0, 0, 0};
    for (int i = 0; i < n; i++)
        if (!place_in(c, n, i, ss_rect_inset(c[i].panel, 1, 1)))
            place_in(c, n, i, screen);
}

static double nearest(double v, double lo, double hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

ss_xy ss_callout_start(const ss_callout *c)
{
    return (ss_xy){nearest(c->at.x, c->box.x + 1, c->box.x + c->box.w - 1),
                   nearest(c->at.y, c->box.y + 0.5, c->box.y + c->box.h - 0.5)};
}
