/* Pages and lists of lessons, and questions to a class: plain data. Filled in src/lesson and
 * src/app; laid out and drawn in ui/, which knows nothing of lessons. Main thread. */
#ifndef SS_PAGE_H
#define SS_PAGE_H

#include "src/base/common.h"

/* --- a page ----------------------------------------------------------------------------------- */

/* A page of text next to the picture: its blocks and its question. */

/* Control characters in a text: each sets the style up to the next one and has no width. */
enum {
    SS_MARK_EM = 1,
    SS_MARK_STRONG,
    SS_MARK_CODE,
    SS_MARK_PLAIN,
    SS_MARK_VERBATIM /* begins a preformatted line */
};
/* Removes the marks from a text, in place. Returns it. */
char *ss_marks_strip(char *text);

typedef enum ss_page_kind {
    SS_PG_TITLE,
    SS_PG_TEXT,   /* a paragraph */
    SS_PG_ITEM,   /* list item */
    SS_PG_CODE,   /* a preformatted line */
    SS_PG_PART,   /* a small heading: "predict", "your turn" */
    SS_PG_ANSWER, /* an answer to choose, `number` from 1 */
    SS_PG_FIELD, /* where a typed answer appears (the text: while it is empty), and what locks it */
    SS_PG_COMMAND, /* commands of the lesson */
    SS_PG_CHECK,   /* a check */
    SS_PG_BAR,     /* of a histogram: its label; bars follow each other */
    SS_PG_SCALE,   /* the axis below them: what it counts */
    SS_PG_NOTE,    /* a remark about the block above, in a quiet colour */
    SS_PG_NKIND
} ss_page_kind;

/* The symbol in front of a block. */
typedef enum ss_page_sign {
    SS_SIGN_NONE,
    SS_SIGN_CHOSEN,
    SS_SIGN_MET,
    SS_SIGN_UNMET,
    SS_SIGN_OPEN, /* not met yet */
    SS_SIGN_PENDING,
    SS_NSIGN
} ss_page_sign;

/* A bar: its length is `count` of `most`. */
typedef struct ss_page_bar {
    int count, most;
    bool own, truth; /* marked as the instructor's answer, as the right one */
} ss_page_bar;

typedef struct ss_page_block {
    ss_page_kind kind;
    ss_page_sign sign;
    int number;
    ss_page_bar bar; /* BAR, SCALE */
    bool gap;        /* an empty row above it */
    bool keys;       /* NOTE: it names keys of a screen */
    const char *text;
    const char *command; /* the command that a click sends; NULL: none */
} ss_page_block;

/* The panels that a page needs beside it, a bit each. */
enum {
    SS_PAGE_CURVE = 1, /* the residual, or the diagram of a cycle */
    SS_PAGE_BARS = 2,  /* by position in the block, or what is watched over time */
    SS_PAGE_COST = 4,
    SS_PAGE_SPACE_TIME = 8, /* 1D */
    SS_PAGE_NPANEL = 4
};

/* The question of a page, and the keys that answer it. */
typedef enum ss_page_asks { SS_ASKS_NOTHING, SS_ASKS_CHOICE, SS_ASKS_NUMBER } ss_page_asks;

/* What the number of a question is in a diagram, where it can be drawn: points from the edge of a
 * block, or cycles. */
typedef enum ss_page_drawn {
    SS_DRAWN_NOTHING,
    SS_DRAWN_DEPTH,
    SS_DRAWN_CYCLES,
    SS_PAGE_NDRAWN
} ss_page_drawn;

/* An action of the page, below its text. */
typedef struct ss_page_button {
    const char *label, *command;
} ss_page_button;

#define SS_PAGE_BUTTONS 6
#define SS_PAGE_BLOCKS 96
#define SS_PAGE_TEXT 32768

typedef struct ss_page {
    char title[96], corner[104]; /* of the frame: "Overlap buys exactness", "●●◉○○ step 3 of 5" */
    char dots[64], brief[16]; /* short forms of corner: "●●◉○○", "3/7" */
    char strip[200];          /* a one-line summary, when the page is folded */
    char opens[96];           /* the words of the command line that opens it at this step */
    ss_page_block block[SS_PAGE_BLOCKS];
    int nblock;
    int from, to; /* blocks [from, to) should be visible now; `turn` changes when they do */
    uint64_t turn;
    ss_page_asks asks;
    ss_page_drawn drawn;
    double said, truth; /* of a drawn number: the prediction that is locked, and the answer once it
                           is shown; NAN: not yet */
    bool offers[4];     /* ss_page_offer: the actions available now */
    unsigned panels;    /* SS_PAGE_CURVE | ...; 0: as without a page */
    int step;           /* changes with the step */
    bool plays;         /* the commands of the step are being played */
    ss_page_button button[SS_PAGE_BUTTONS];
    int nbutton;
    char text[SS_PAGE_TEXT];
    size_t used;
} ss_page;

/* Actions of the page; the footer shows the keys of those available now. */
typedef enum ss_page_offer {
    SS_OFFER_DO,
    SS_OFFER_HINT,
    SS_OFFER_SOLUTION,
    SS_OFFER_NEXT
} ss_page_offer;

/* Empties a page. Its blocks point into it, so a page must not be copied. */
void ss_page_clear(ss_page *p);
/* Adds a block with a copy of the text, or without text if it does not fit. Never NULL. */
ss_page_block *ss_page_add(ss_page *p, ss_page_kind kind, const char *text);
/* Copies a text into the page; "" if it does not fit. */
const char *ss_page_keep(ss_page *p, const char *text);

/* --- answers of a class ----------------------------------------------------------------------- */

/* A question to a class, its answers, and their histogram. The app passes questions from lessons to
 * the front end, whose watchers answer, and the answers back. Pure functions. */

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

/* --- the list of lessons ---------------------------------------------------------------------- */

/* The list of lessons that the screen shows. And the form of assets/data/pictures.txt, which holds
 * the pictures of the gallery's cards.
 *
 * A picture begins with a line
 *     = preset/NAME|lesson/NUMBER LAYER DIM SIGN W H WORDS
 * DIM is that of the equation, SIGN 1 if the colours are signed. WORDS name the grid; with H 0
 * there is no picture and they say why. H lines of W characters follow, the top row first. A
 * character gives a place on the colour map, from SS_CARD_ZERO to SS_CARD_ZERO + SS_CARD_TOP. In 1D
 * it is a space-time diagram with the newest state on top. */

#define SS_SHELF_MAX 32
#define SS_CARD_COLS 48 /* of a picture, at most */
#define SS_CARD_ROWS 36
#define SS_CARD_ZERO '0'
#define SS_CARD_TOP 62

typedef struct ss_shelf_item {
    char number[8], title[64];
    char progress[24]; /* "3/4 done"; "" if nothing is */
    int done, steps;
    char summary[400]; /* the opening paragraph */
    char command[80];  /* opens it */
} ss_shelf_item;

typedef struct ss_shelf {
    ss_shelf_item item[SS_SHELF_MAX];
    int n;
    int at; /* the item to go on with: the one in use, or the first that is not done */
} ss_shelf;

#endif
