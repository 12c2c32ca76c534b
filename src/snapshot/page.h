/*
 * A page of text that stands beside the picture: what it says, in blocks, and what it asks. Made in
 * src/ (page.c), laid out and drawn in ui/, which knows no lessons. Main thread.
 */
#ifndef SS_PAGE_H
#define SS_PAGE_H

#include "src/base/common.h"

/* Marks in a text: what follows is set so, until the next one. They have no width. */
enum {
    SS_MARK_EM = 1,
    SS_MARK_STRONG,
    SS_MARK_CODE,
    SS_MARK_PLAIN,
    SS_MARK_VERBATIM /* begins a line that is shown as it is */
};
/* Takes the marks out of a text, in place. Returns it. */
char *ss_marks_strip(char *text);

typedef enum ss_page_kind {
    SS_PG_TITLE,
    SS_PG_TEXT,    /* a paragraph */
    SS_PG_ITEM,    /* of a list */
    SS_PG_CODE,    /* a line that is not broken anew */
    SS_PG_PART,    /* a small heading: "predict", "your turn" */
    SS_PG_ANSWER,  /* of a list to choose from, `number` from 1 */
    SS_PG_COMMAND, /* what the program is told */
    SS_PG_CHECK,   /* what must come true */
    SS_PG_NOTE,    /* said of the block above it, in a low voice */
    SS_PG_NKIND
} ss_page_kind;

/* What stands before a block. */
typedef enum ss_page_sign {
    SS_SIGN_NONE,
    SS_SIGN_CHOSEN,
    SS_SIGN_MET,
    SS_SIGN_UNMET,
    SS_SIGN_PENDING,
    SS_NSIGN
} ss_page_sign;

typedef struct ss_page_block {
    ss_page_kind kind;
    ss_page_sign sign;
    int number;
    bool gap; /* an empty row above it */
    const char *text;
    const char *command; /* what a click on it sends; NULL: nothing */
} ss_page_block;

/* What is asked of the person, and keys answer. */
typedef enum ss_page_asks { SS_ASKS_NOTHING, SS_ASKS_CHOICE, SS_ASKS_NUMBER } ss_page_asks;

#define SS_PAGE_BLOCKS 96
#define SS_PAGE_TEXT 32768

typedef struct ss_page {
    char title[96], corner[32]; /* of the frame: "Overlap buys exactness", "step 3 of 7" */
    char brief[16];             /* the same where there is little room: "3/7" */
    char strip[200];            /* all of it in a line, when it is folded away */
    ss_page_block block[SS_PAGE_BLOCKS];
    int nblock;
    int from, to; /* blocks [from, to) are those to be seen now; a change of `turn` says so */
    uint64_t turn;
    ss_page_asks asks;
    bool offers[4]; /* ss_page_offer: what there is to be had now */
    char text[SS_PAGE_TEXT];
    size_t used;
} ss_page;

/* Keys of the page that have something to do, for the line of keys. */
typedef enum ss_page_offer {
    SS_OFFER_DO,
    SS_OFFER_HINT,
    SS_OFFER_SOLUTION,
    SS_OFFER_NEXT
} ss_page_offer;

/* Begins anew; the pointers of its blocks are into it, so that it is never copied. */
void ss_page_clear(ss_page *p);
/* A block with a text of its own; what does not fit is left out. Never NULL. */
ss_page_block *ss_page_add(ss_page *p, ss_page_kind kind, const char *text);
const char *ss_page_keep(ss_page *p, const char *text);

#endif
