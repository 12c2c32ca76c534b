/* Where the words of a chart stand: tick labels and the title of an axis on one line, labels of
 * marks below each other. In pixels or columns. Painters call it. Pure functions; any thread. */
#ifndef SS_SCENE_LABELS_H
#define SS_SCENE_LABELS_H

#include <stdbool.h>

typedef struct ss_label {
    double x, w; /* left edge, width */
    bool shown;
} ss_label;

/* Chooses tick labels, ascending in x and within [lo, hi], that are at least `gap` apart; the first
 * and the last one are kept. Returns the left edge of the axis title, `title` wide, in the gap
 * furthest to the right; where there is none, a label gives way, but not the last one. NaN: no
 * room. */
double ss_labels_on_axis(ss_label *label, int n, double lo, double hi, double gap, double title);

/* A vertical line at x, and its label. */
typedef struct ss_flag {
    double x, w;
    double at; /* left edge of the label, right of its line where there is room */
    int row;   /* rows from the top; the line begins here */
    bool shown;
} ss_flag;

/* Gives each label, ascending in x, a row in which no line of a later one crosses it. Hides the
 * oldest where more than `rows` would be needed. [lo, hi]: room; gap: between line and label. */
void ss_labels_of_marks(ss_flag *flag, int n, double lo, double hi, double gap, int rows);

#endif
