/* A question to a class, its answers, and their histogram. The app passes questions from lessons to
 * the front end, whose watchers answer, and the answers back. Pure functions. */
#ifndef SS_ANSWERS_H
#define SS_ANSWERS_H

#include "src/base/common.h"

enum { SS_CHOICES_MOST = 9, SS_CLASS_MOST = 256, SS_BINS_INSIDE = 7, SS_BINS_MOST = 9 };

typedef struct ss_question {
    char text[240];
    char choice[SS_CHOICES_MOST][160];
    int nchoice; /* 0: the answer is a number */
} ss_question;

/* Without names. */
typedef struct ss_answers {
    int asked; /* pages that watch */
    int n;
    double value[SS_CLASS_MOST]; /* a number, or a choice from 1 */
} ss_answers;

typedef struct ss_bin {
    char label[40];
    int count;
} ss_bin;

/* Bins from the lowest to the highest: a choice each, or intervals of equal width. */
typedef struct ss_histogram {
    ss_bin bin[SS_BINS_MOST];
    int nbin;
    double low, width; /* of the intervals: the first begins at `low` */
    int ninside;       /* intervals */
    bool below, above; /* a bin before them, and one behind them: "below 4", "20 or more" */
} ss_histogram;

/* nchoice: as of the question. Answers far from the others are counted in the bins before and
 * behind the intervals; such a bin is also there if `own` or `truth` (NAN: none) lies there. The
 * intervals do not depend on these two: they tell nothing about the truth. */
void ss_histogram_of(const ss_answers *a, int nchoice, double own, double truth, ss_histogram *out);
/* The bin of a value; -1: none. */
int ss_histogram_bin(const ss_histogram *h, double value);

#endif
