/* The table of views: watchers with equal choices share one, at most 21 are different, and one that
 * nobody looks at is free again. */
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

#ifdef SS_WITH_WEB
#include "ui/web/views.h"

static ss_views v;

static ss_lens zoom(ss_layer layer, int edge)
{
    return (ss_lens){.layer = layer, .window = {0, 0, edge, edge}};
}

static int choice(uint32_t who, ss_layer layer, int edge)
{
    const ss_lens lens = zoom(layer, edge);
    return ss_views_choose(&v, who, &lens) ? ss_views_seat(&v, who)->view : -1;
}

TEST(views, who_comes_looks_at_the_pilots_view)
{
    v = (ss_views){.entered = 0};
    uint32_t a = ss_views_enter(&v), b = ss_views_enter(&v);
    CHECK(a && b && a != b);
    CHECK_INT(ss_views_seat(&v, a)->view, 0);
    CHECK_INT(v.row[0].watchers, 2);
    ss_views_leave(&v, a);
    CHECK(!ss_views_seat(&v, a));
    CHECK_INT(v.row[0].watchers, 1);
    uint32_t c = ss_views_enter(&v);
    CHECK_MSG(c != a && !ss_views_seat(&v, a), "a page got the number of one that has left");
    ss_views_leave(&v, a);
    CHECK_INT(v.row[0].watchers, 2);
}

TEST(views, equal_choices_share_a_view)
{
    v = (ss_views){.entered = 0};
    uint32_t a = ss_views_enter(&v), b = ss_views_enter(&v), c = ss_views_enter(&v);
    int first = choice(a, SS_RESIDUAL, 40);
    CHECK(first > 0);
    CHECK_INT(choice(b, SS_RESIDUAL, 40), first);
    CHECK_INT(v.row[first].watchers, 2);
    CHECK(choice(c, SS_RESIDUAL, 30) != first);
    ss_lens flat = zoom(SS_RESIDUAL, 40);
    flat.shape = SS_SHAPE_FLAT;
    CHECK(ss_views_choose(&v, c, &flat) && ss_views_seat(&v, c)->view != first);
    uint32_t born = v.row[first].born;
    CHECK_INT(choice(a, SS_RESIDUAL, 40), first);
    CHECK_MSG(v.row[first].born == born, "a choice of the same made the view anew");
    CHECK(ss_views_choose(&v, a, NULL) && ss_views_choose(&v, b, NULL));
    CHECK_INT(v.row[first].watchers, 0);
    CHECK_INT(v.row[0].watchers, 2);
    choice(a, SS_VALUE, 20);
    CHECK_MSG(v.row[ss_views_seat(&v, a)->view].born > born, "a view kept the number of another");
}

TEST(views, the_22nd_is_refused_until_one_is_free)
{
    uint32_t who[SS_VIEWS + 1];
    v = (ss_views){.entered = 0};
    for (int i = 0; i <= SS_VIEWS; i++)
        who[i] = ss_views_enter(&v);
    for (int i = 0; i < SS_VIEWS; i++)
        CHECK(choice(who[i], SS_VALUE, 10 + i) > 0);
    CHECK_INT(choice(who[SS_VIEWS], SS_VALUE, 100), -1);
    CHECK_INT(ss_views_seat(&v, who[SS_VIEWS])->view, 0);
    CHECK(ss_views_seat(&v, who[SS_VIEWS])->refused);
    CHECK_MSG(choice(who[SS_VIEWS], SS_VALUE, 12) > 0, "an existing view was refused");
    CHECK(!ss_views_seat(&v, who[SS_VIEWS])->refused);
    CHECK_INT(choice(who[SS_VIEWS], SS_VALUE, 100), -1);
    CHECK_MSG(choice(who[5], SS_VALUE, 200) > 0, "who looks alone could not move");
    ss_views_leave(&v, who[7]);
    CHECK(choice(who[SS_VIEWS], SS_VALUE, 100) > 0);
    CHECK_INT(v.row[0].watchers, 0);
}

TEST(views, pages_of_all_sizes_have_a_shape)
{
    CHECK_INT(ss_shape_of(0, 0), SS_SHAPE_DESKTOP);
    CHECK_INT(ss_shape_of(1280, 800), SS_SHAPE_DESKTOP);
    CHECK_INT(ss_shape_of(390, 844), SS_SHAPE_UPRIGHT);
    CHECK_INT(ss_shape_of(412, 700), SS_SHAPE_UPRIGHT);
    CHECK_INT(ss_shape_of(844, 390), SS_SHAPE_FLAT);
}

#endif
