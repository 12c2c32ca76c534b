/* The table of views: see views.h. */
#include "ui/web/views.h"

#include <string.h>

const ss_shape_size ss_shapes[SS_NSHAPE] = {[SS_SHAPE_DESKTOP] = {1280, 800},
                                            [SS_SHAPE_UPRIGHT] = {390, 740},
                                            [SS_SHAPE_FLAT] = {800, 300}};

ss_shape ss_shape_of(int w, int h)
{
    enum { LOW = 560 };
    return h > w ? SS_SHAPE_UPRIGHT : h > 0 && h < LOW ? SS_SHAPE_FLAT : SS_SHAPE_DESKTOP;
}

uint32_t ss_views_enter(ss_views *v)
{
    for (uint32_t i = 0; i < SS_VIEW_SEATS; i++) {
        if (v->seat[i].who)
            continue;
        v->seat[i] = (ss_view_seat){.who = ++v->entered * SS_VIEW_SEATS + i};
        v->row[0].watchers++;
        return v->seat[i].who;
    }
    return 0;
}

ss_view_seat *ss_views_seat(ss_views *v, uint32_t who)
{
    ss_view_seat *s = &v->seat[who % SS_VIEW_SEATS];
    return who && s->who == who ? s : NULL;
}

void ss_views_leave(ss_views *v, uint32_t who)
{
    ss_view_seat *s = ss_views_seat(v, who);
    if (!s)
        return;
    v->row[s->view].watchers--;
    s->who = 0;
}

static bool equal(const ss_lens *a, const ss_lens *b)
{
    return a->layer == b->layer && a->shape == b->shape &&
           memcmp(a->window, b->window, sizeof a->window) == 0;
}

/* The view of that lens; else one that nobody looks at, which gets it; 0: there is none. */
static int find(ss_views *v, const ss_lens *lens)
{
    int unused = 0;
    for (int i = SS_VIEWS; i > 0; i--) {
        if (v->row[i].watchers == 0)
            unused = i;
        else if (equal(&v->row[i].lens, lens))
            return i;
    }
    if (unused > 0)
        v->row[unused] = (ss_view_row){.lens = *lens, .born = ++v->births};
    return unused;
}

bool ss_views_choose(ss_views *v, uint32_t who, const ss_lens *lens)
{
    ss_view_seat *s = ss_views_seat(v, who);
    if (!s)
        return false;
    if (lens && s->view > 0 && equal(&v->row[s->view].lens, lens)) {
        s->refused = false;
        return true;
    }
    v->row[s->view].watchers--;
    int view = lens ? find(v, lens) : 0;
    s->refused = lens && view == 0;
    s->view = s->refused ? s->view : view;
    v->row[s->view].watchers++;
    return !s->refused;
}

void ss_views_refit(ss_views *v, int view, const ss_lens *lens)
{
    v->row[view].lens = *lens;
}
