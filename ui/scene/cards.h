/* The cards of the gallery: a pure function from the room and the number of cards to rectangles, in
 * character cells. A card has a picture above its text, or beside it where there is less room; a
 * small screen has one line per card. Any thread. */
#ifndef SS_SCENE_CARDS_H
#define SS_SCENE_CARDS_H

#include "ui/scene/layout.h"

typedef enum ss_card_style { SS_CARD_LINE, SS_CARD_WIDE, SS_CARD_TALL } ss_card_style;

typedef struct ss_cards {
    ss_card_style style;
    ss_rect room;
    int n, across, rows; /* cards, columns, rows of cards that are seen at once */
    int w, h, lines;     /* of a card; its lines of text below the title */
    int pitch_x, pitch_y;
} ss_cards;

/* lines: of text wanted below the title; roomy: the letters are narrower than cells. */
void ss_cards_lay(ss_rect room, int n, int lines, bool roomy, ss_cards *out);
/* The first row that is seen, nearest to `first`, with card `at` in view; at < 0: any card. */
int ss_cards_first(const ss_cards *c, int at, int first);
/* Card i if `first` is the first row; w == 0: it is not seen. */
ss_rect ss_cards_at(const ss_cards *c, int i, int first);
/* The room of a card's picture (w == 0: none), and of its title and text. */
ss_rect ss_cards_picture(const ss_cards *c, ss_rect card);
ss_rect ss_cards_text(const ss_cards *c, ss_rect card);
/* The card that lies dx columns and dy rows from card `at`: a step to the right at the end of a row
 * leads to the next one, and from the last card to the first. */
int ss_cards_move(const ss_cards *c, int at, int dx, int dy);

#endif
