/* Who steers. The pilot does, and may give the seat to the first watcher who asks for it. A key or
 * a press of the pilot takes it back. Pages are known by numbers. Pure functions. */
#ifndef SS_WEB_SEAT_H
#define SS_WEB_SEAT_H

#include "ui/web/lines.h"

enum { SS_SEAT_ASKING = 256 };

typedef struct ss_seat {
    uint32_t guest;                  /* the watcher who has the seat; 0: the pilot has it */
    uint32_t asking[SS_SEAT_ASKING]; /* in the order in which they asked */
    int nasking;
} ss_seat;

void ss_seat_ask(ss_seat *s, uint32_t watcher);
void ss_seat_give(ss_seat *s); /* nobody asks: it stays where it is */
void ss_seat_leave(ss_seat *s, uint32_t watcher);
bool ss_seat_is_asking(const ss_seat *s, uint32_t watcher);
/* May a line of a watcher be carried out? */
bool ss_seat_admits(const ss_seat *s, uint32_t watcher, const ss_web_line *line);
/* The same of a line of the pilot, which may end the guest's turn. Moves of the mouse do not: they
 * are dropped meanwhile. */
bool ss_seat_returns(ss_seat *s, const ss_web_line *line);

#endif
