/* The parts of frames that show the method at work: the staleness cone, the wipe of a race, the
 * whole run. They are the panels of the screen in another place. See
 * frame_parts.h. */
#include "ui/panels/frame_parts.h"

#include <stdio.h>

enum { CONE_ROWS = 20, WIPE_ROWS = 20, RUN_ROWS = 14 };

/* --- the cone --------------------------------------------------------------------------------- */

static const char *cone_why(const ss_build *b)
{
    const ss_cone *c = &b->snap->cone;
    if (c->there || c->why)
        return c->there ? NULL : c->why;
    return b->snap->race.n > 0 ? "a race has no cone: it belongs to a cycle of one run"
                               : "only a steady run whose blocks do at least two subiterations in "
                                 "a cycle has stale values";
}

static void cone_shape(const ss_build *b, ss_frame_shape *out)
{
    (void)b;
    out->rows = CONE_ROWS;
}

static void cone_heading(const ss_build *b, char *buf, size_t size)
{
    char place[80] = "";
    if (b->snap->cone.there)
        ss_cone_place(b, place, sizeof place);
    snprintf(buf, size, "staleness cone%s%s", *place ? ": " : "", place);
}

static void draw_cone(const ss_build *b, ss_rect r)
{
    const char *why = cone_why(b);
    if (why)
        ss_build_nothing(b, r, why);
    else
        ss_build_cone(b, r);
}

const ss_frame_part ss_part_cone = {cone_why, cone_shape, cone_heading, draw_cone, false};

/* --- the wipe --------------------------------------------------------------------------------- */

static const char *wipe_why(const ss_build *b)
{
    if (b->snap->race.n < 2)
        return "only a race has two fields: race 'RUN' 'RUN', or the command split";
    return b->snap->view.layer == SS_OWNER ? "owners are names, which have no difference" : NULL;
}

static void wipe_shape(const ss_build *b, ss_frame_shape *out)
{
    int pair = ss_wipe_rows(b, b->extent.cols - 2) + 1; /* its heading */
    out->rows = pair > 1 && pair < WIPE_ROWS ? pair : WIPE_ROWS;
}

static void wipe_heading(const ss_build *b, char *buf, size_t size)
{
    bool value = b->snap->view.layer == SS_VALUE;
    snprintf(buf, size, "%s%s%s", value ? "" : ss_field_symbol(b), value ? "" : ": ",
             ss_field_meaning(b));
}

static void draw_wipe(const ss_build *b, ss_rect r)
{
    const char *why = wipe_why(b);
    if (!b->ui->wipe.on) /* no place was chosen */
        b->ui->wipe.at = b->edges->progress;
    int first = b->s->nitem;
    if (why) {
        ss_build_nothing(b, r, why);
        return;
    }
    ss_build_wipe(b, r);
    for (int i = first; i < b->s->nitem; i++)
        if (b->s->item[i].kind == SS_I_IMAGE && b->s->item[i].image->has_wipe) {
            ss_rect image = b->s->item[i].rect;
            ss_frame_axes(b, image, image.h / 4 + 1); /* above it are the names */
            return;
        }
}

const ss_frame_part ss_part_wipe = {wipe_why, wipe_shape, wipe_heading, draw_wipe, false};

/* --- the whole run ---------------------------------------------------------------------------- */

static const char *run_why(const ss_build *b)
{
    if (b->snap->race.n > 0)
        return "a race has no timeline: it belongs to one run";
    return b->snap->kind == SS_STEADY ? NULL : "only a steady run has a residual over its cycles";
}

static void run_shape(const ss_build *b, ss_frame_shape *out)
{
    (void)b;
    out->rows = RUN_ROWS;
}

static void run_heading(const ss_build *b, char *buf, size_t size)
{
    snprintf(buf, size, "the whole run%s",
             b->snap->past.nkept > 0 ? " · small marks are stored states" : "");
}

static void draw_run(const ss_build *b, ss_rect r)
{
    const char *why = run_why(b);
    if (why) {
        ss_build_nothing(b, r, why);
        return;
    }
    ss_rect below = ss_frame_take_row(&r);
    ss_build_whole_run(b, r);
    ss_frame_title_chart(b, &b->s->chart[1], below);
}

const ss_frame_part ss_part_timeline = {run_why, run_shape, run_heading, draw_run, false};
