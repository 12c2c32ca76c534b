/* A page of text next to the picture: its blocks and its question. Filled in src/lesson; laid out
 * and drawn in ui/, which knows nothing of lessons. Main thread. */
#ifndef SS_PAGE_H
#define SS_PAGE_H

#include "src/base/common.h"

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

#endif
