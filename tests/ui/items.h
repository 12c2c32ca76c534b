/* An item of every kind, for tests of painters. */
#ifndef SS_TESTS_UI_ITEMS_H
#define SS_TESTS_UI_ITEMS_H

#include <math.h>

#include "ui/scene/items.h"

static float item_cells[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, (float)NAN};
static ss_image item_image;
static ss_plot_axis item_axis;
static ss_chart item_chart;
static ss_xy item_points[3] = {{0, 1}, {1, 3}, {2, 2}};

/* Text, picture, chart ... of an item of any kind. */
static void fill_item(ss_item *it)
{
    static ss_edge_axis side = {.up = true, .mark = {3}, .nmark = 1};
    static ss_timeline strip = {.kept = {0, 0.5},
                                .nkept = 2,
                                .flag = {{0.9, "k 4 to 12, and wider than its place is"}},
                                .nflag = 1,
                                .here = 0.5,
                                .span = {0.2, 0.4}};
    static const ss_rule rule = {.on = 0, .x = 0.5, .y = 0.5, .text = "12", .text_y = 0.5};
    item_image = (ss_image){.cell = item_cells, .w = 4, .h = 4, .range = {0, 14, true, false}};
    item_image.map = ss_colormap_find("heat");
    ss_axis_make(&item_axis, 0, 14, false, false, 5);
    item_chart = (ss_chart){.x_label = "x"};
    ss_axis_make(&item_chart.x, 0, 2, false, false, 4);
    ss_axis_make(&item_chart.y, 0, 4, false, true, 4);
    item_chart.series[item_chart.nseries++] =
        (ss_series){.at = item_points, .n = 3, .role = SS_C_SERIES1};
    if (it->kind == SS_I_TEXT || it->kind == SS_I_FRAME)
        it->text = "Staleness 12, wider than its place is";
    else if (it->kind == SS_I_IMAGE)
        it->image = &item_image;
    else if (it->kind == SS_I_CHART)
        it->chart = &item_chart;
    else if (it->kind == SS_I_RULE)
        it->rule = &rule;
    else if (it->kind == SS_I_STRIP)
        strip.ncurve = 1, strip.curve[0] = item_chart.series[0], it->strip = &strip;
    else if (it->kind == SS_I_LEADER)
        it->leader.from = (ss_xy){6, 4}, it->leader.to = (ss_xy){22, 10};
    else if (it->kind == SS_I_EDGE)
        side.axis = item_axis, it->edge = &side;
    else if (it->kind == SS_I_SLIDER)
        it->slider.at = 0.4, it->slider.mark = 0.7, it->slider.limit = 0.9;
    else if (it->kind == SS_I_BAR)
        it->bar.image = &item_image, it->bar.axis = &item_axis, it->bar.vertical = true;
}

#endif
