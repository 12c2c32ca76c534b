/* The cards of the gallery over all sizes of a screen. */
#include "tests/check.h"

#include "ui/scene/layout.h"

static const int counts[] = {0, 1, 7, 18, 32};

static bool inside(ss_rect in, ss_rect r)
{
    return r.x >= in.x && r.y >= in.y && r.x + r.w <= in.x + in.w && r.y + r.h <= in.y + in.h;
}

static bool meet(ss_rect a, ss_rect b)
{
    return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

static void check_cards(const ss_cards *c)
{
    ss_rect seen[40];
    int n = 0;
    for (int i = 0; i < c->n; i++) {
        ss_rect r = ss_cards_at(c, i, 0);
        if (r.w <= 0)
            continue;
        ss_rect image = ss_cards_picture(c, r), text = ss_cards_text(c, r);
        CHECK_MSG(inside(c->room, r), "%dx%d: card %d", c->room.w, c->room.h, i);
        CHECK_MSG(inside(r, text) && (image.w == 0 || inside(r, image)), "card %d", i);
        CHECK(!meet(image, text));
        CHECK(c->style == SS_CARD_LINE || (image.w >= 8 && image.h >= 4 && text.w >= 16));
        for (int k = 0; k < n; k++)
            CHECK_MSG(!meet(seen[k], r), "%dx%d: card %d", c->room.w, c->room.h, i);
        seen[n++] = r;
    }
}

TEST(cards, they_lie_inside_the_room_and_apart)
{
    for (int w = 10; w < 240; w += 3)
        for (int h = 1; h < 70; h++)
            for (int k = 0; k < 20; k++) {
                ss_cards c;
                ss_cards_lay((ss_rect){3, 2, w, h}, counts[k / 4], 2 + k % 2, k / 2 % 2, &c);
                check_cards(&c);
            }
}

/* Where it is seen already, nothing scrolls. */
TEST(cards, a_card_that_is_seen_does_not_scroll)
{
    ss_cards c;
    ss_cards_lay((ss_rect){0, 0, 76, 16}, 18, 2, false, &c);
    CHECK(c.across == 2 && c.rows == 3);
    CHECK_INT(ss_cards_first(&c, 4, 1), 1);
    CHECK_INT(ss_cards_first(&c, 1, 1), 0);
    CHECK_INT(ss_cards_first(&c, 17, 1), 6);
    CHECK_INT(ss_cards_first(&c, -1, 99), 6);
}

TEST(cards, there_are_more_where_there_is_room)
{
    ss_cards c;
    ss_cards_lay((ss_rect){0, 0, 76, 17}, 18, 2, false, &c);
    CHECK(c.style == SS_CARD_WIDE && c.across == 2 && c.rows == 3);
    ss_cards_lay((ss_rect){0, 0, 116, 30}, 18, 2, false, &c);
    CHECK(c.style == SS_CARD_TALL && c.across == 4 && c.rows == 3);
    ss_cards_lay((ss_rect){0, 0, 122, 31}, 18, 2, true, &c);
    CHECK(c.style == SS_CARD_TALL && c.across * c.rows >= 18);
    ss_cards_lay((ss_rect){0, 0, 28, 8}, 18, 2, false, &c);
    CHECK(c.style == SS_CARD_LINE && c.rows == 8);
}

/* A line of text more costs no card; one less makes room for others. */
TEST(cards, lines_of_text_follow_the_room)
{
    ss_cards c;
    ss_cards_lay((ss_rect){0, 0, 122, 32}, 18, 2, true, &c);
    CHECK(c.rows == 3 && c.lines == 3);
    ss_cards_lay((ss_rect){0, 0, 122, 30}, 18, 3, true, &c);
    CHECK(c.rows == 3 && c.lines == 2);
    ss_cards_lay((ss_rect){0, 0, 196, 52}, 18, 2, false, &c);
    CHECK(c.lines == 3);
}

TEST(cards, arrows_reach_every_card)
{
    ss_cards c;
    ss_cards_lay((ss_rect){0, 0, 116, 30}, 18, 2, false, &c);
    CHECK_INT(c.across, 4);
    CHECK_INT(ss_cards_move(&c, 3, 1, 0), 4);
    CHECK_INT(ss_cards_move(&c, 17, 1, 0), 0);
    CHECK_INT(ss_cards_move(&c, 0, -1, 0), 17);
    CHECK_INT(ss_cards_move(&c, 1, 0, 1), 5);
    CHECK_INT(ss_cards_move(&c, 1, 0, -1), 1);
    CHECK_INT(ss_cards_move(&c, 15, 0, 1), 17); /* the last row is shorter */
    CHECK_INT(ss_cards_move(&c, 17, 0, 1), 17);
    ss_cards_lay((ss_rect){0, 0, 116, 30}, 0, 2, false, &c);
    CHECK_INT(ss_cards_move(&c, 0, 1, 1), 0);
    CHECK_INT(ss_cards_move(&(ss_cards){.n = 5}, 1, 1, 1), 3); /* before they are laid out */
}
