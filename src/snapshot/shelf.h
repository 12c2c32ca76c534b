/* The list of lessons that the screen shows: filled in src/app, drawn in ui/, which knows nothing
 * of lessons. Main thread. */
#ifndef SS_SHELF_H
#define SS_SHELF_H

#define SS_SHELF_MAX 32

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
