/* A number that a lesson asks for, drawn in a diagram: the prediction dashed, the answer solid. See
 * build.h and src/snapshot/page.h. Main thread only. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "ui/panels/build.h"

/* An upright line at x, in the whole height of the chart. */
static void add_line(const ss_build *b, ss_chart *c, double x, ss_theme_role role, int dash,
                     const char *legend)
{
    ss_xy *at = c->nseries < SS_SERIES_MAX ? ss_scene_points(b->s, 2) : NULL;
    if (!at || x < c->x.lo || x > c->x.hi)
        return;
    at[0] = (ss_xy){x, c->y.lo};
    at[1] = (ss_xy){x, c->y.hi};
    c->legend[c->nseries] = legend;
    c->series[c->nseries++] = (ss_series){.at = at, .n = 2, .role = role, .dash = dash};
}

/* So many points from both ends of a block, between two bars. */
static void add_depth(const ss_build *b, ss_chart *c, double depth, ss_theme_role role, int dash,
                      const char *legend)
{
    double n = c->x.hi + 1;
    add_line(b, c, depth - 0.5, role, dash, legend);
    add_line(b, c, n - depth - 0.5, role, dash, NULL);
}

typedef void add_number(const ss_build *b, ss_chart *c, double number, ss_theme_role role, int dash,
                        const char *legend);

void ss_build_drawn(const ss_build *b, ss_chart *c, ss_page_drawn kind)
{
    static add_number *const add[SS_PAGE_NDRAWN] = {
        [SS_DRAWN_DEPTH] = add_depth, [SS_DRAWN_CYCLES] = add_line};
    const ss_page *page = b->ui->page;
    double said = ss_page_said(b->ui);
    char text[32];
    if (!page || page->drawn != kind)
        return;
    if (!isnan(page->truth)) {
        snprintf(text, sizeof text, "it is %g", page->truth);
        add[kind](b, c, page->truth, SS_C_TEXT, 0, ss_scene_keep(b->s, text));
    }
    if (!isnan(said)) {
        snprintf(text, sizeof text, "you: %g", said);
        add[kind](b, c, said, SS_C_ACCENT, 1, ss_scene_keep(b->s, text));
    }
}

bool ss_is_drawn(const ss_build *b, ss_page_drawn kind)
{
    return b->ui->page && b->ui->page->drawn == kind && !isnan(ss_page_said(b->ui));
}

bool ss_is_drawing(const ss_build *b, ss_page_drawn kind)
{
    return ss_page_awaits(b->ui) && b->ui->page->drawn == kind;
}
