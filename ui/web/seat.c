/* Who steers: see seat.h. */
#include "ui/web/seat.h"

#include <string.h>

static int find(const ss_seat *s, uint32_t watcher)
{
    int i = 0;
    while (i < s->nasking && s->asking[i] != watcher)
        i++;
    return i;
}

static void forget(ss_seat *s, int i)
{
    if (i < s->nasking)
        memmove(s->asking + i, s->asking + i + 1, (size_t)(--s->nasking - i) * sizeof *s->asking);
}

bool ss_seat_is_asking(const ss_seat *s, uint32_t watcher)
{
    return find(s, watcher) < s->nasking;
}

void ss_seat_ask(ss_seat *s, uint32_t watcher)
{
    if (s->guest != watcher && !ss_seat_is_asking(s, watcher) && s->nasking < SS_SEAT_ASKING)
        s->asking[s->nasking++] = watcher;
}

void ss_seat_give(ss_seat *s)
{
    if (s->nasking == 0)
        return;
    s->guest = s->asking[0];
    forget(s, 0);
}

void ss_seat_leave(ss_seat *s, uint32_t watcher)
{
    forget(s, find(s, watcher));
    if (s->guest == watcher)
        s->guest = 0;
}

bool ss_seat_admits(const ss_seat *s, uint32_t watcher, const ss_web_line *line)
{
    return watcher != 0 && s->guest == watcher && line->kind == SS_WEB_EVENT;
}

bool ss_seat_returns(ss_seat *s, const ss_web_line *line)
{
    bool acts = line->event.kind == SS_EV_KEY || line->event.kind == SS_EV_PRESS;
    if (s->guest == 0 || line->kind != SS_WEB_EVENT)
        return true;
    if (acts)
        s->guest = 0;
    return acts;
}
