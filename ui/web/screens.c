/* Screens of watchers: see screens.h. */
#include "ui/web/screens.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/panels/screen.h"

enum { AT_ONCE = 8, /* choices that are carried out in one turn */ RATE = 10 };

typedef struct screen {
    ss_ui *ui; /* NULL: the view is not watched */
    ss_framer *framer;
    ss_frame *frame; /* to be drawn into */
    const struct ss_scene *scene;
    ss_view want;
    uint32_t born; /* of the view */
    bool laid;     /* its layout is known */
} screen;

struct ss_screens {
    ss_web *net;
    ss_ui *chooser; /* finds what a key would show */
    screen of[SS_VIEWS + 1];
    ss_view_row row[SS_VIEWS + 1]; /* of the views, at this turn */
};

/* --- life ------------------------------------------------------------------------------------- */

static uint64_t refuse(void *ctx, const ss_cmd *cmd, ss_err *err)
{
    (void)ctx, (void)cmd;
    ss_fail(err, "who watches chooses a layer and a part of the field, nothing else");
    return 0;
}

ss_screens *ss_screens_new(ss_web *net, ss_err *err)
{
    ss_screens *s = calloc(1, sizeof *s);
    if (s)
        s->net = net, s->chooser = ss_ui_new(refuse, NULL, err);
    if (s && s->chooser)
        return s;
    free(s);
    ss_fail_outside(err, "out of memory: views of watchers");
    return NULL;
}

static void close_screen(screen *c)
{
    ss_ui_free(c->ui);
    ss_framer_free(c->framer);
    if (c->frame)
        ss_frame_free(c->frame);
    free(c->frame);
    *c = (screen){.ui = NULL};
}

void ss_screens_free(ss_screens *s)
{
    if (!s)
        return;
    for (int i = 1; i <= SS_VIEWS; i++)
        close_screen(&s->of[i]);
    ss_ui_free(s->chooser);
    free(s);
}

/* --- lenses ----------------------------------------------------------------------------------- */

/* Whole points, so that equal steps of the zoom give equal windows. */
static ss_lens lens_of(const ss_view *v, ss_shape shape)
{
    ss_lens lens = {.layer = v->layer, .shape = shape};
    if (!(v->x1 > v->x0))
        return lens;
    const double edge[4] = {v->x0, v->y0, v->x1, v->y1};
    for (int k = 0; k < 4; k++)
        lens.window[k] = (int)lround(edge[k]);
    for (int k = 0; k < 2; k++)
        lens.window[k + 2] += lens.window[k + 2] == lens.window[k];
    return lens;
}

static ss_view view_of(const ss_lens *lens)
{
    const int *w = lens->window;
    return (ss_view){.layer = lens->layer, .x0 = w[0], .y0 = w[1], .x1 = w[2], .y1 = w[3]};
}

static bool same_lens(const ss_lens *a, const ss_lens *b)
{
    return a->layer == b->layer && memcmp(a->window, b->window, sizeof a->window) == 0;
}

/* --- choices ---------------------------------------------------------------------------------- */

/* What the event would show to who looks at `now`. */
static ss_view after(ss_screens *s, const ss_view *now, const ss_event *ev,
                     const struct ss_scene *scene, const ss_snapshot *snap)
{
    ss_ui_look(s->chooser, now);
    ss_ui_event(s->chooser, ev, scene, snap);
    return *ss_ui_view(s->chooser);
}

static void choose(ss_screens *s, const ss_web_choice *c, const ss_pilot *pilot)
{
    const screen *at = c->view > 0 && s->of[c->view].ui ? &s->of[c->view] : NULL;
    ss_event ev = c->line.event;
    if (ev.kind == SS_EV_KEY && strcmp(ev.key, "esc") == 0) {
        ss_web_choose(s->net, c->who, NULL);
        return;
    }
    if (ev.kind == SS_EV_WHEEL)
        ss_framer_place(at ? at->framer : pilot->framer, c->line.event.x, c->line.event.y, &ev.x,
                        &ev.y);
    ss_view now = *ss_ui_view(at ? at->ui : pilot->ui);
    ss_view then = after(s, &now, &ev, at ? at->scene : pilot->scene, pilot->snap);
    ss_shape shape = ss_shape_of(c->line.w, c->line.h);
    ss_lens before = lens_of(&now, shape), lens = lens_of(&then, shape);
    if (at || !same_lens(&before, &lens))
        ss_web_choose(s->net, c->who, &lens);
}

/* --- screens ---------------------------------------------------------------------------------- */

static void open_screen(screen *c, const ss_view_row *row)
{
    ss_err ignored;
    const ss_view view = view_of(&row->lens);
    c->ui = ss_ui_new(refuse, NULL, &ignored);
    c->framer = c->ui ? ss_framer_new(&ignored) : NULL;
    c->born = row->born;
    if (!c->framer)
        close_screen(c);
    else
        ss_ui_look(c->ui, &view);
}

static void follow_views(ss_screens *s)
{
    ss_web_view_rows(s->net, s->row);
    for (int i = 1; i <= SS_VIEWS; i++) {
        screen *c = &s->of[i];
        const ss_view_row *row = &s->row[i];
        if (c->ui && (row->watchers == 0 || row->born != c->born))
            close_screen(c);
        if (!c->ui && row->watchers > 0)
            open_screen(c, row);
    }
}

void ss_screens_turn(ss_screens *s, const ss_pilot *pilot)
{
    ss_web_choice c;
    follow_views(s);
    for (int i = 0; i < AT_ONCE && pilot->scene && ss_web_take_choice(s->net, &c); i++) {
        choose(s, &c, pilot);
        follow_views(s);
    }
}

const ss_view *ss_screens_wants(ss_screens *s, int view)
{
    screen *c = &s->of[view];
    if (!c->ui)
        return NULL;
    c->want = *ss_ui_view(c->ui);
    int longest = c->want.w > c->want.h ? c->want.w : c->want.h;
    if (longest > SS_FURTHER_SIDE) {
        c->want.w = (c->want.w * SS_FURTHER_SIDE + longest - 1) / longest;
        c->want.h = (c->want.h * SS_FURTHER_SIDE + longest - 1) / longest;
    }
    if (!c->laid)
        c->want.w = 0;
    return &c->want;
}

/* The pilot may have opened another problem: its whole field is shown. */
static void refit(ss_screens *s, int view)
{
    ss_lens *was = &s->row[view].lens;
    ss_lens lens = lens_of(ss_ui_view(s->of[view].ui), was->shape);
    if (same_lens(&lens, was))
        return;
    *was = lens;
    ss_web_refit(s->net, view, &lens);
}

/* In the line for messages, while the pilot has none. */
static void tell_keys(ss_ui *ui)
{
    bool error;
    if (ss_ui_said(ui, &error) == 0)
        ss_ui_say(ui, false,
                  "a view of your own · esc follows the pilot · l L layer · Z z zoom · f whole "
                  "field · shift with arrows moves");
}

static struct ss_scene *build(ss_ui *ui, ss_shape_size size, const ss_ui *pilot,
                              const ss_snapshot *snap)
{
    ss_extent extent;
    ss_ui_beside(ui, pilot);
    tell_keys(ui);
    ss_ui_clock(ui, ss_clock());
    ss_places_page(size.w, size.h, &extent);
    return ss_ui_scene(ui, snap, &extent, RATE);
}

void ss_screens_draw(ss_screens *s, int view, const ss_ui *pilot, const ss_snapshot *snap)
{
    screen *c = &s->of[view];
    ss_shape_size size = ss_shapes[s->row[view].lens.shape];
    ss_err ignored;
    struct ss_scene *scene = build(c->ui, size, pilot, snap);
    c->scene = scene;
    bool first = !c->laid; /* it has no picture yet */
    c->laid = true;
    if (!c->frame)
        c->frame = calloc(1, sizeof *c->frame);
    if (first || !c->frame)
        return;
    double scale = scene->cell / (double)SS_CELL_W;
    if (ss_framer_draw(c->framer, scene, scale, size.w, size.h, c->frame, &ignored) == SS_OK)
        c->frame = ss_web_show_view(s->net, view, c->born, c->frame);
    refit(s, view);
}
