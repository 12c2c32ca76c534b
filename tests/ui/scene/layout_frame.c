/* Properties of the layout of frames over all sizes: see ui/scene/layout.h. */
#include "tests/check.h"
#include "ui/scene/layout.h"

#define PICTURE                                                                                    \
    {                                                                                              \
        .aspect = 1, .beside = 14, .around = 3, .lead = true                                       \
    }
#define CHART                                                                                      \
    {                                                                                              \
        .rows = 10                                                                                 \
    }
#define LINE                                                                                       \
    {                                                                                              \
        .rows = 12, .lead = true                                                                   \
    }
static const ss_frame_shape picture = PICTURE, chart = CHART;

static const ss_frame_plan plans[] = {
    {.n = 1, .part = {PICTURE}, .title = 2, .words = 2, .note = 2},
    {.n = 2, .part = {PICTURE, CHART}, .title = 2, .words = 2, .note = 2},
    {.n = 4, .part = {LINE, LINE, CHART, CHART}, .words = 3},
    {.n = 3, .part = {PICTURE, CHART, CHART}, .words = 2, .note = 1},
};
enum { PLANS = sizeof plans / sizeof *plans, COLS = 200, ROWS = 60 };

static bool overlap(ss_rect a, ss_rect b)
{
    return a.h > 0 && b.h > 0 && a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h &&
           b.y < a.y + a.h;
}

/* Title, words and note are lines of the frame like any part. */
static void check(const ss_frame_plan *p, const ss_frame_layout *l)
{
    ss_rect all[SS_FRAME_PARTS + 3];
    int n = 0;
    for (int i = 0; i < p->n; i++)
        all[n++] = l->part[i];
    all[n++] = l->title, all[n++] = l->words, all[n++] = l->note;
    for (int i = 0; i < n; i++) {
        ss_rect r = all[i];
        CHECK_MSG(r.h <= 0 ||
                      (r.x >= 0 && r.y >= 0 && r.x + r.w <= p->cols && r.y + r.h <= l->rows),
                  "%dx%d: rectangle %d leaves the frame of %d rows", p->cols, p->rows, i, l->rows);
        for (int k = 0; k < i; k++)
            CHECK_MSG(!overlap(r, all[k]), "%dx%d: rectangles %d and %d overlap", p->cols, p->rows,
                      i, k);
    }
}

TEST(layout_frame, parts_and_words_are_disjoint_and_inside_the_frame)
{
    ss_frame_layout l;
    for (int i = 0; i < PLANS; i++)
        for (int rows = 8; rows <= ROWS; rows++)
            for (int cols = 20; cols <= COLS; cols++) {
                ss_frame_plan p = plans[i];
                p.cols = cols, p.rows = rows;
                ss_layout_frame(&p, &l);
                CHECK_INT(l.rows, rows);
                check(&p, &l);
            }
}

TEST(layout_frame, a_free_height_is_as_high_as_the_parts_need)
{
    ss_frame_layout l;
    for (int i = 0; i < PLANS; i++)
        for (int cols = 36; cols <= COLS; cols++) {
            ss_frame_plan p = plans[i];
            p.cols = cols;
            ss_layout_frame(&p, &l);
            check(&p, &l);
            for (int k = 0; k < p.n; k++)
                CHECK_MSG(l.part[k].h >= 9, "%d columns: part %d has %d rows", cols, k,
                          l.part[k].h);
            if (p.part[0].aspect > 0) {
                int w = l.part[0].w - picture.beside, h = l.part[0].h - picture.around;
                CHECK_MSG(2 * h >= w - 1, "%d columns: a picture %d wide has %d rows", cols, w, h);
            }
        }
}

TEST(layout_frame, a_wide_frame_has_two_columns_and_a_narrow_one_has_one)
{
    ss_frame_layout l;
    ss_frame_plan p = plans[1];
    p.cols = 91, p.rows = 25;
    ss_layout_frame(&p, &l);
    CHECK(l.part[1].x > l.part[0].x + l.part[0].w && l.part[1].y == l.part[0].y);
    p.cols = 36;
    ss_layout_frame(&p, &l);
    CHECK(l.part[1].x == l.part[0].x && l.part[1].y > l.part[0].y);
}

/* A picture takes no more than it fills where a curve can have the rest. */
TEST(layout_frame, a_tall_frame_gives_its_spare_rows_to_the_curve)
{
    ss_frame_layout l;
    ss_frame_plan p = plans[1];
    p.cols = 50, p.rows = 75;
    ss_layout_frame(&p, &l);
    int high = l.part[0].h - picture.around, wide = l.part[0].w - picture.beside;
    CHECK_MSG(2 * high <= wide + 4, "a picture %d wide has %d rows", wide, high);
    CHECK(l.part[1].h > 2 * chart.rows);
}
