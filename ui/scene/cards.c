/* The cards of the gallery: see cards.h. */
#include "ui/scene/cards.h"

#include "src/base/common.h"

enum {
    GAP = 1,
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
    c->across = ss_clamp((c->room.w + GAP) / (least + GAP), 1, c->n > 0 ? c->n : 1);
    c->pitch_x = (c->room.w + GAP) / c->across;
    c->w = c->pitch_x - GAP;
    c->pitch_y = c->h + GAP;
    c->rows = (c->room.h + GAP) / c->pitch_y;
}

/* Rows of cards that are seen, of those that there are, with so many lines of text. */
static int rows_seen(const ss_cards *c, int lines)
{
    int rows = (c->room.h + GAP) / (TALL_PICTURE + 1 + lines + GAP), all = rows_of(c);
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
    if (room.w >= 3 * tall + 2 * GAP && room.h >= 2 * out->h + GAP) {
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
