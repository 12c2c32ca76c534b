/* The list of lessons that the screen shows: filled in src/app, drawn in ui/, which knows nothing
 * of lessons. And the form of assets/data/pictures.txt, which holds the pictures of the gallery's
 * cards. Main thread.
 *
 * A picture begins with a line
 *     = preset/NAME|lesson/NUMBER LAYER DIM SIGN W H WORDS
 * DIM is that of the equation, SIGN 1 if the colours are signed. WORDS name the grid; with H 0
 * there is no picture and they say why. H lines of W characters follow, the top row first. A
 * character gives a place on the colour map, from SS_CARD_ZERO to SS_CARD_ZERO + SS_CARD_TOP. In 1D
 * it is a space-time diagram with the newest state on top. */
#ifndef SS_SHELF_H
#define SS_SHELF_H

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
