/* Explains what is on the screen now: call-outs with live numbers, each from a rule over the
 * snapshot, and a line to the place that it speaks of. See build.h. Main thread only. */
#include <math.h>
#include <string.h>

#include "src/snapshot/snapshot.h"
#include "ui/panels/build.h"
#include "ui/scene/layout.h"
#include "ui/scene/place.h"

enum { CALLOUTS = SS_SAID_MAX, WIDE = 30, LINES = 6 };

typedef struct remark {
    ss_panel_id panel;
    ss_xy at;
    const char *text;
} remark;

/* The words about an item, and the place that they speak of, which is in the middle of the item
 * unless the rule sets it; NULL: there is nothing to say now. */
typedef const char *rule(const ss_build *b, const ss_item *it, ss_xy *at);

static bool in_chart(const ss_item *it, ss_xy data, ss_xy *at)
{
    ss_rect r = ss_chart_data(it->chart, it->rect);
    ss_xy part = ss_chart_part_of(it->chart, data);
    *at = (ss_xy){r.x + part.x * r.w, r.y + part.y * r.h};
    return part.x >= 0 && part.x <= 1 && part.y >= 0 && part.y <= 1;
}

/* --- the field -------------------------------------------------------------------------------- */

/* The cell of a picture with the largest magnitude; < 0: none. */
static int largest(const ss_image *im, double *value)
{
    int best = -1;
    *value = 0;
    for (int i = 0; im->cell && i < im->w * im->h; i++)
        if (isfinite(im->cell[i]) && fabs(im->cell[i]) > fabs(*value))
            best = i, *value = im->cell[i];
    return best;
}

static const char *stale_words(const ss_snapshot *p, const char *value)
{
    int age = p->levels - 1;
    if (p->any_order)
        return ss_text("Here the values differ most from classic iterations of the same cycle, by "
                       "%s.",
                       value);
    const char *text =
        ss_text("Stale by %s: block values differ most from exact iterations here.", value);
    return p->layers[SS_AGE] || age <= 0
               ? text
               : ss_text("%s The values from the neighbours became up to %d iterations old.", text,
                         age);
}

static const char *field_peak(const ss_build *b, const ss_item *it, ss_xy *at)
{
    static const char *const words[SS_NLAYER] = {
        [SS_VALUE] = "The largest value, %s.",
        [SS_RESIDUAL] = "The largest residual, %s: here the equation is violated most.",
        [SS_ERROR] = "The largest error, %s: here u is farthest from u*, the exact solution."};
    ss_layer layer = b->snap->view.layer;
    const ss_image *im = it->image;
    double v;
    int i = largest(im, &v);
    if (i < 0 || (!words[layer] && layer != SS_STALENESS))
        return NULL;
    *at = (ss_xy){it->rect.x + (i % im->w + 0.5) * it->rect.w / im->w,
                  it->rect.y + (i / im->w + 0.5) * it->rect.h / im->h};
    const char *value = ss_figure_text(v);
    return words[layer] ? ss_text(words[layer], value) : stale_words(b->snap, value);
}

/* The highest point of a series; -1: none. */
static int highest(const ss_series *s)
{
    int best = -1;
    for (int i = 0; i < s->n; i++)
        if (isfinite(s->at[i].y) && (best < 0 || s->at[i].y > s->at[best].y))
            best = i;
    return best;
}

/* 1D: the same in the chart of the field. */
static const char *line_peak(const ss_build *b, const ss_item *it, ss_xy *at)
{
    int first = b->snap->dim == 1 ? ss_chart_first(it->chart) : -1;
    const ss_series *s = &it->chart->series[first < 0 ? 0 : first];
    int best = first < 0 ? -1 : highest(s);
    if (best < 0 || !in_chart(it, s->at[best], at))
        return NULL;
    return ss_text("The largest value of this layer, %s.", ss_figure_text(s->at[best].y));
}

static const char *field_zero(const ss_build *b, const ss_item *it, ss_xy *at)
{
    double v;
    (void)at;
    if (b->snap->view.layer != SS_STALENESS || !it->image->cell || largest(it->image, &v) >= 0)
        return NULL;
    if (ss_stale_at_rest(b->snap))
        return "0 everywhere: the residual is 0, nothing changes any more, so stale and fresh "
               "halos have the same values.";
    const char *zero = ss_build_zero(b);
    return zero ? ss_text("%s.", zero) : NULL;
}

/* --- the curve -------------------------------------------------------------------------------- */

/* The place of a point of the run in the chart of its residual. */
static bool is_told(const ss_build *b, const ss_item *it, const ss_point *p, ss_xy *at)
{
    ss_xy data = {ss_measure_of((ss_measure)b->ui->over, p), p->residual / b->snap->residual0};
    return in_chart(it, data, at);
}

static const char *curve_end(const ss_build *b, const ss_item *it, ss_xy *at)
{
    const ss_snapshot *p = b->snap;
    if (p->kind != SS_STEADY || p->ncurve < 2 || p->race.n > 0)
        return NULL;
    const ss_point *last = &p->curve[p->ncurve - 1];
    if (!is_told(b, it, last, at))
        return NULL;
    const char *text =
        ss_text("After %s cycles the residual is %s of the first one.",
                ss_count_text((double)last->cycle), ss_figure_text(last->residual / p->residual0));
    return p->telemetry.valid[SS_T_FACTOR] ? ss_text("%s Each cycle now multiplies it by %.6g.",
                                                     text, p->telemetry.value[SS_T_FACTOR])
                                           : text;
}

/* The last change, if it is a cause. */
static const char *last_change(const ss_build *b, const ss_item *it, ss_xy *at)
{
    ss_effect e;
    if (b->snap->kind != SS_STEADY || b->snap->race.n > 0 || !ss_effect_of_change(b->snap, &e) ||
        !is_told(b, it, e.at, at))
        return NULL;
    return ss_text("%s: before it a cycle multiplied the residual by %.5g, after it by %.5g. "
                   "Classic, over the same iterations: %.5g and %.5g.",
                   e.text, e.before.own, e.after.own, e.before.classic, e.after.classic);
}

/* --- the lower panel -------------------------------------------------------------------------- */

static int last_band(const ss_bands *bands)
{
    int i = bands->n - 1;
    while (i > 0 && !(bands->rms[i] > 0))
        i--;
    return i;
}

static const char *frequencies(const ss_build *b, const ss_item *it, ss_xy *at)
{
    const ss_snapshot *p = b->snap;
    const double *now = p->bands.rms, *start = p->bands_start.rms;
    int high = last_band(&p->bands);
    if (it->chart->x_is != SS_X_FREQUENCY || p->race.n > 0 || high < 1 ||
        p->bands_start.n != p->bands.n || !(now[0] > 0))
        return NULL;
    const ss_series *s = &it->chart->series[it->chart->nseries - 1];
    if (s->n < 1 || !in_chart(it, s->at[0], at))
        return NULL;
    return ss_text("Smooth waves of the error have fallen by a factor of %s since the start, the "
                   "roughest by %s.",
                   ss_figure_text(start[0] / now[0]), ss_figure_text(start[high] / now[high]));
}

/* Where the bars are highest, and what the edges or the middle have of it. */
static const char *positions(const ss_build *b, const ss_item *it, ss_xy *at)
{
    const ss_series *s = &it->chart->series[0];
    if (it->chart->x_is != SS_X_POSITION || b->snap->view.layer != SS_STALENESS ||
        it->chart->nseries < 1)
        return NULL;
    int best = highest(s);
    if (best < 0 || !(s->at[best].y > 0) || !in_chart(it, s->at[best], at))
        return NULL;
    bool edge = best < s->n / 4 || best >= s->n - s->n / 4;
    double other = edge ? s->at[s->n / 2].y : 0.5 * (s->at[0].y + s->at[s->n - 1].y);
    const char *text =
        ss_text("Mean over the blocks by position: point %d of %d %s", best + 1, s->n,
                b->snap->any_order ? "differs most from classic" : "is the stalest");
    return isfinite(other)
               ? ss_text("%s; %s %s of it.", text, edge ? "the middle has" : "the edges have",
                         ss_figure_text(other / s->at[best].y))
               : text;
}

/* --- cost and controls ------------------------------------------------------------------------ */

static const char *stale_kept(const ss_build *b, const ss_item *it, ss_xy *at)
{
    double kept = b->snap->ledger.stale_kept;
    (void)it, (void)at;
    return kept > 0 ? ss_text("%.3g %% of the values that a cycle keeps were computed from old "
                              "values of neighbours.",
                              100 * kept)
                    : NULL;
}

static const char *redundant(const ss_build *b, const ss_item *it, ss_xy *at)
{
    const ss_ledger *l = &b->snap->ledger;
    (void)it, (void)at;
    return l->redundant_updates > 0
               ? ss_text("%.3g %% of the updates are thrown away: that is what the overlap costs.",
                         100 * l->redundant_updates / l->updates)
               : NULL;
}

static const char *launches(const ss_build *b, const ss_item *it, ss_xy *at)
{
    const ss_snapshot *p = b->snap;
    (void)it, (void)at;
    return p->kind == SS_TRANSIENT && p->ledger.launches < p->levels
               ? ss_text("This cycle advances %d levels with %.0f launches; the classic solver "
                         "needs one for each level.",
                         p->levels, p->ledger.launches)
               : NULL;
}

/* A control with a note such as "exact from overlap 22". */
static const char *exact_from(const ss_build *b, const ss_item *it, ss_xy *at)
{
    (void)at;
    for (int i = 0; i < b->snap->ncontrol; i++) {
        const ss_control *c = &b->snap->control[i];
        if (strncmp(c->note, "exact from", 10) == 0 && strcmp(it->text, c->row->name) == 0)
            return ss_text("A cycle is %s: then it equals iterations of the whole field, at the "
                           "cost of redundant updates.",
                           c->note);
    }
    return NULL;
}

/* --- time-dependent runs ---------------------------------------------------------------------- */

static const char *theatre(const ss_build *b, const ss_item *it, ss_xy *at)
{
    if (b->snap->kind != SS_TRANSIENT || !b->snap->tiled)
        return NULL;
    at->y = it->rect.y + 0.7 * it->rect.h;
    return "One cycle, time upwards: each colour is a block. Inside a triangle it needs no value "
           "from another block.";
}

static const char *space_time(const ss_build *b, const ss_item *it, ss_xy *at)
{
    *at = (ss_xy){it->rect.x + 0.6 * it->rect.w, it->rect.y + 0.5};
    return b->snap->race.n > 0 ? NULL
                               : "The newest row is the field above; earlier ones stand below it.";
}

/* --- the rules -------------------------------------------------------------------------------- */

/* Each about the first item of its kind in a panel, or about a text, whose place is the cell before
 * it. The most important first. */
static const struct {
    ss_panel_id panel;
    ss_item_kind kind;
    rule *rule;
    const char *text; /* "": any that the rule takes */
} rules[] = {{SS_PANEL_FIELD, SS_I_IMAGE, field_zero, NULL},
             {SS_PANEL_FIELD, SS_I_IMAGE, field_peak, NULL},
             {SS_PANEL_FIELD, SS_I_CHART, line_peak, NULL},
             {SS_PANEL_PLOT, SS_I_CHART, last_change, NULL},
             {SS_PANEL_PLOT, SS_I_CHART, curve_end, NULL},
             {SS_PANEL_LEDGER, SS_I_TEXT, stale_kept, "stale kept"},
             {SS_PANEL_PROFILE, SS_I_CHART, positions, NULL},
             {SS_PANEL_PLOT, SS_I_IMAGE, theatre, NULL},
             {SS_PANEL_LEDGER, SS_I_TEXT, launches, "launches"},
             {SS_PANEL_PROFILE, SS_I_CHART, frequencies, NULL},
             {SS_PANEL_CONTROLS, SS_I_TEXT, exact_from, ""},
             {SS_PANEL_LEDGER, SS_I_TEXT, redundant, "redundant"},
             {SS_PANEL_RASTER, SS_I_IMAGE, space_time, NULL}};
enum { RULES = sizeof rules / sizeof *rules };

static bool follow_rule(const ss_build *b, int row, remark *out)
{
    ss_rect panel = b->l->panel[rules[row].panel];
    const char *text = rules[row].text;
    out->panel = rules[row].panel;
    for (int i = 0; i < b->s->nitem && panel.w > 0; i++) {
        const ss_item *it = &b->s->item[i];
        ss_xy middle = {it->rect.x + 0.5 * it->rect.w, it->rect.y + 0.5 * it->rect.h};
        if (it->kind != rules[row].kind || !ss_rect_has(panel, middle.x, middle.y) ||
            (text && *text && strcmp(it->text, text) != 0))
            continue;
        out->at = text ? (ss_xy){it->rect.x - 0.5, it->rect.y + 0.5} : middle;
        out->text = rules[row].rule(b, it, &out->at);
        if (out->text || !text || *text)
            return out->text;
    }
    return false;
}

/* --- drawing ---------------------------------------------------------------------------------- */

/* Rows of a text of that width, frame included, and its columns. */
static void measure(const ss_build *b, const char *text, ss_callout *c)
{
    bool roomy = b->l->head > 1; /* proportional text is narrower than its cells */
    int w = ss_min(ss_text_width(text), WIDE), lines = ss_min(ss_build_lines(text, w), LINES);
    c->w = (roomy ? (w * 4 + 4) / 5 : w) + 2 * b->l->side;
    c->h = lines + (roomy ? 1 : 2);
}

static void put_box(const ss_build *b, const ss_callout *c, const char *text)
{
    ss_build_box(b, c->box, text, ss_min(ss_text_width(text), WIDE), c->box.w - 2 * b->l->side + 1,
                 0);
}

static void put_leader(const ss_build *b, const ss_callout *c)
{
    ss_xy from = ss_callout_start(c);
    int x0 = (int)floor(fmin(from.x, c->at.x)) - 1, x1 = (int)ceil(fmax(from.x, c->at.x)) + 1;
    int y0 = (int)floor(fmin(from.y, c->at.y)) - 1, y1 = (int)ceil(fmax(from.y, c->at.y)) + 1;
    ss_item *it = ss_scene_add(b->s, SS_I_LEADER, (ss_rect){x0, y0, x1 - x0, y1 - y0}, SS_C_ACCENT);
    it->style = SS_OVER;
    it->leader.from = from, it->leader.to = c->at;
}

/* What there is to say, at most CALLOUTS remarks. */
static int collect(const ss_build *b, remark *said)
{
    int n = 0;
    for (int i = 0; i < RULES && n < CALLOUTS; i++)
        n += follow_rule(b, i, &said[n]);
    for (int i = 0; i < n; i++)
        b->s->said[i] = ss_scene_keep(b->s, said[i].text);
    b->s->nsaid = n;
    return n;
}

void ss_build_callouts(const ss_build *b, ss_rect body)
{
    remark said[CALLOUTS];
    ss_callout c[CALLOUTS];
    int n = collect(b, said);
    for (int i = 0; i < n; i++) {
        c[i] = (ss_callout){.panel = b->l->panel[said[i].panel], .at = said[i].at};
        measure(b, said[i].text, &c[i]);
    }
    ss_callouts_place(c, n, body);
    for (int i = 0; i < n; i++)
        if (c[i].box.w)
            put_leader(b, &c[i]);
    for (int i = 0; i < n; i++)
        if (c[i].box.w)
            put_box(b, &c[i], said[i].text);
}

/* A number at its place, and the remark with this number in `r`. Returns the rows used. */
static int put_note(const ss_build *b, const remark *said, int number, ss_rect r)
{
    ss_rect at = {(int)floor(said->at.x) - 1, (int)floor(said->at.y), 3, 1};
    ss_item *it = ss_scene_add(b->s, SS_I_LEADER, at, SS_C_ACCENT);
    it->style = SS_OVER;
    it->leader.from = it->leader.to = said->at;
    it->leader.number = number;
    ss_scene_text(b->s, r.x, r.y, 2, SS_C_ACCENT, SS_BOLD, ss_text("%d", number));
    return ss_build_wrap(b, (ss_rect){r.x + 2, r.y, r.w - 2, LINES}, SS_C_TEXT, said->text);
}

int ss_build_notes(const ss_build *b, ss_rect r)
{
    remark said[CALLOUTS];
    int n = collect(b, said), y = 0;
    for (int i = 0; i < n; i++)
        y += put_note(b, &said[i], i + 1, (ss_rect){r.x, r.y + y, r.w, LINES});
    return y;
}

void ss_build_explain(const ss_build *b)
{
    int top = b->l->panel[SS_PANEL_HEADER].h + b->l->panel[SS_PANEL_STRIP].h;
    ss_build_callouts(b, (ss_rect){0, top, b->s->cols, b->l->panel[SS_PANEL_MESSAGE].y - top});
}
