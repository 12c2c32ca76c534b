/* Explains what is on the screen now: call-outs with live numbers, each from a rule over the
 * snapshot, and a line to the place that it speaks of. See build.h. Main thread only. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/snapshot/snapshot.h"
#include "ui/panels/build.h"
#include "ui/scene/layout.h"
#include "ui/scene/place.h"

enum { CALLOUTS = SS_SAID_MAX, WIDE = 30, LINES = 6 };

typedef struct remark {
    ss_panel_id panel;
    ss_xy at;
    char text[240];
} remark;

/* False: it has nothing to say now. */
typedef bool rule(const ss_build *b, remark *out);

/* --- places ----------------------------------------------------------------------------------- */

static bool inside(ss_rect out, ss_rect r)
{
    return out.w > 0 && ss_rect_has(out, r.x + 0.5 * r.w, r.y + 0.5 * r.h);
}

static const ss_item *item_in(const ss_build *b, ss_panel_id panel, ss_item_kind kind)
{
    for (int i = 0; i < b->s->nitem; i++)
        if (b->s->item[i].kind == kind && inside(b->l->panel[panel], b->s->item[i].rect))
            return &b->s->item[i];
    return NULL;
}

/* The cell before a text of a panel. */
static bool find_text(const ss_build *b, ss_panel_id panel, const char *text, ss_xy *at)
{
    for (int i = 0; i < b->s->nitem; i++) {
        const ss_item *it = &b->s->item[i];
        if (it->kind != SS_I_TEXT || !inside(b->l->panel[panel], it->rect) ||
            strcmp(it->text, text) != 0)
            continue;
        *at = (ss_xy){it->rect.x - 0.5, it->rect.y + 0.5};
        return true;
    }
    return false;
}

static bool in_chart(const ss_item *it, ss_xy data, ss_xy *at)
{
    ss_rect r = ss_chart_data(it->chart, it->rect);
    ss_xy part = ss_chart_part_of(it->chart, data);
    if (!(part.x >= 0 && part.x <= 1 && part.y >= 0 && part.y <= 1))
        return false;
    *at = (ss_xy){r.x + part.x * r.w, r.y + part.y * r.h};
    return true;
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

static void say_stale(const ss_build *b, double v, char *buf, size_t size)
{
    const ss_snapshot *p = b->snap;
    char value[32];
    int age = p->levels - 1;
    ss_figure_text(v, value, sizeof value);
    int n =
        p->any_order
            ? snprintf(buf, size,
                       "Here the values differ most from classic iterations of the same "
                       "cycle, by %s.",
                       value)
            : snprintf(buf, size,
                       "Stale by %s: block values differ most from exact iterations here.", value);
    if (!p->any_order && !p->layers[SS_AGE] && age > 0)
        snprintf(buf + n, size - (size_t)n,
                 " The values from the neighbours became up to %d iterations old.", age);
}

static void say_error(const ss_build *b, double v, char *buf, size_t size)
{
    char value[32];
    (void)b;
    snprintf(buf, size, "The largest error, %s: here u is farthest from u*, the exact solution.",
             ss_figure_text(v, value, sizeof value));
}

static void say_residual(const ss_build *b, double v, char *buf, size_t size)
{
    char value[32];
    (void)b;
    snprintf(buf, size, "The largest residual, %s: here the equation is violated most.",
             ss_figure_text(v, value, sizeof value));
}

static void say_value(const ss_build *b, double v, char *buf, size_t size)
{
    char value[32];
    (void)b;
    snprintf(buf, size, "The largest value, %s.", ss_figure_text(v, value, sizeof value));
}

static bool field_peak(const ss_build *b, remark *out)
{
    static void (*const say[SS_NLAYER])(const ss_build *, double, char *,
                                        size_t) = {[SS_VALUE] = say_value,
                                                   [SS_RESIDUAL] = say_residual,
                                                   [SS_ERROR] = say_error,
                                                   [SS_STALENESS] = say_stale};
    const ss_item *it = item_in(b, SS_PANEL_FIELD, SS_I_IMAGE);
    ss_layer layer = b->snap->view.layer;
    double v;
    int i = it && it->image->cell ? largest(it->image, &v) : -1;
    if (i < 0 || !say[layer])
        return false;
    out->at = (ss_xy){it->rect.x + (i % it->image->w + 0.5) * it->rect.w / it->image->w,
                      it->rect.y + (i / it->image->w + 0.5) * it->rect.h / it->image->h};
    say[layer](b, v, out->text, sizeof out->text);
    return true;
}

/* 1D: the same in the chart of the field. */
static bool line_peak(const ss_build *b, remark *out)
{
    const ss_item *it = b->snap->dim == 1 ? item_in(b, SS_PANEL_FIELD, SS_I_CHART) : NULL;
    int first = it ? ss_chart_first(it->chart) : -1, best = -1;
    char value[32];
    if (first < 0)
        return false;
    const ss_series *s = &it->chart->series[first];
    for (int i = 0; i < s->n; i++)
        if (isfinite(s->at[i].y) && (best < 0 || s->at[i].y > s->at[best].y))
            best = i;
    if (best < 0 || !in_chart(it, s->at[best], &out->at))
        return false;
    snprintf(out->text, sizeof out->text, "The largest value of this layer, %s.",
             ss_figure_text(s->at[best].y, value, sizeof value));
    return true;
}

static bool field_zero(const ss_build *b, remark *out)
{
    const ss_item *it = item_in(b, SS_PANEL_FIELD, SS_I_IMAGE);
    char zero[96];
    double v;
    out->text[0] = '\0';
    if (!it || b->snap->view.layer != SS_STALENESS || !it->image->cell ||
        largest(it->image, &v) >= 0)
        return false;
    out->at = (ss_xy){it->rect.x + 0.5 * it->rect.w, it->rect.y + 0.5 * it->rect.h};
    if (ss_stale_at_rest(b->snap))
        snprintf(out->text, sizeof out->text,
                 "0 everywhere: the residual is 0, nothing changes any more, so stale and fresh "
                 "halos have the same values.");
    else if (ss_layer_zero(b->snap, zero, sizeof zero))
        snprintf(out->text, sizeof out->text, "%s.", zero);
    return *out->text;
}

/* --- the curve -------------------------------------------------------------------------------- */

static double place_of(const ss_build *b, const ss_point *p)
{
    return ss_measure_of((ss_measure)b->ui->over, p);
}

static bool curve_end(const ss_build *b, remark *out)
{
    const ss_snapshot *p = b->snap;
    const ss_item *it = item_in(b, SS_PANEL_PLOT, SS_I_CHART);
    char cycles[32], r[32], text[64] = "";
    if (!it || p->kind != SS_STEADY || p->ncurve < 2 || p->race.n > 0)
        return false;
    const ss_point *last = &p->curve[p->ncurve - 1];
    double ratio = last->residual / p->residual0;
    if (!in_chart(it, (ss_xy){place_of(b, last), ratio}, &out->at))
        return false;
    if (p->telemetry.valid[SS_T_FACTOR])
        snprintf(text, sizeof text, " Each cycle now multiplies it by %.6g.",
                 p->telemetry.value[SS_T_FACTOR]);
    snprintf(out->text, sizeof out->text, "After %s cycles the residual is %s of the first one.%s",
             ss_count_text((double)last->cycle, cycles, sizeof cycles),
             ss_figure_text(ratio, r, sizeof r), text);
    return true;
}

/* The last change, if it is a cause. */
static bool last_change(const ss_build *b, remark *out)
{
    const ss_snapshot *p = b->snap;
    const ss_item *it = item_in(b, SS_PANEL_PLOT, SS_I_CHART);
    ss_effect e;
    if (!it || p->kind != SS_STEADY || p->race.n > 0 || !ss_effect_of_change(p, &e))
        return false;
    ss_xy place = {place_of(b, e.at), e.at->residual / p->residual0};
    if (!in_chart(it, place, &out->at))
        return false;
    snprintf(out->text, sizeof out->text,
             "%s: before it a cycle multiplied the residual by %.5g, after it by %.5g. Classic, "
             "over the same iterations: %.5g and %.5g.",
             e.text, e.before.own, e.after.own, e.before.classic, e.after.classic);
    return true;
}

/* --- the lower panel -------------------------------------------------------------------------- */

static int last_band(const ss_bands *bands)
{
    int i = bands->n - 1;
    while (i > 0 && !(bands->rms[i] > 0))
        i--;
    return i;
}

static bool frequencies(const ss_build *b, remark *out)
{
    const ss_snapshot *p = b->snap;
    const ss_item *it = item_in(b, SS_PANEL_PROFILE, SS_I_CHART);
    int high = last_band(&p->bands);
    char smooth[32], rough[32];
    if (!it || it->chart->x_is != SS_X_FREQUENCY || p->race.n > 0 || high < 1 ||
        p->bands_start.n != p->bands.n || !(p->bands.rms[0] > 0))
        return false;
    const ss_series *now = &it->chart->series[it->chart->nseries - 1];
    if (now->n < 1 || !in_chart(it, now->at[0], &out->at))
        return false;
    snprintf(
        out->text, sizeof out->text,
        "Smooth waves of the error have fallen by a factor of %s since the start, the roughest "
        "by %s.",
        ss_figure_text(p->bands_start.rms[0] / p->bands.rms[0], smooth, sizeof smooth),
        ss_figure_text(p->bands_start.rms[high] / p->bands.rms[high], rough, sizeof rough));
    return true;
}

/* Where the bars are highest, and what the edges or the middle have of it. */
static bool positions(const ss_build *b, remark *out)
{
    const ss_item *it = item_in(b, SS_PANEL_PROFILE, SS_I_CHART);
    bool stale = b->snap->view.layer == SS_STALENESS;
    if (!it || it->chart->x_is != SS_X_POSITION || !stale || it->chart->nseries < 1)
        return false;
    const ss_series *s = &it->chart->series[0];
    int best = -1;
    for (int i = 0; i < s->n; i++)
        if (isfinite(s->at[i].y) && (best < 0 || s->at[i].y > s->at[best].y))
            best = i;
    if (best < 0 || !(s->at[best].y > 0) || !in_chart(it, s->at[best], &out->at))
        return false;
    bool edge = best < s->n / 4 || best >= s->n - s->n / 4;
    double other = edge ? s->at[s->n / 2].y : 0.5 * (s->at[0].y + s->at[s->n - 1].y);
    char share[32];
    int n = snprintf(out->text, sizeof out->text,
                     "Mean over the blocks by position: point %d of %d %s", best + 1, s->n,
                     b->snap->any_order ? "differs most from classic" : "is the stalest");
    if (isfinite(other))
        snprintf(out->text + n, sizeof out->text - (size_t)n, "; %s %s of it.",
                 edge ? "the middle has" : "the edges have",
                 ss_figure_text(other / s->at[best].y, share, sizeof share));
    return true;
}

/* --- cost and controls ------------------------------------------------------------------------ */

static bool stale_kept(const ss_build *b, remark *out)
{
    const ss_ledger *l = &b->snap->ledger;
    if (!(l->stale_kept > 0) || !find_text(b, SS_PANEL_LEDGER, "stale kept", &out->at))
        return false;
    snprintf(
        out->text, sizeof out->text,
        "%.3g %% of the values that a cycle keeps were computed from old values of neighbours.",
        100 * l->stale_kept);
    return true;
}

static bool redundant(const ss_build *b, remark *out)
{
    const ss_ledger *l = &b->snap->ledger;
    if (!(l->redundant_updates > 0) || !find_text(b, SS_PANEL_LEDGER, "redundant", &out->at))
        return false;
    snprintf(out->text, sizeof out->text,
             "%.3g %% of the updates are thrown away: that is what the overlap costs.",
             100 * l->redundant_updates / l->updates);
    return true;
}

static bool launches(const ss_build *b, remark *out)
{
    const ss_snapshot *p = b->snap;
    if (p->kind != SS_TRANSIENT || !(p->ledger.launches < p->levels) ||
        !find_text(b, SS_PANEL_LEDGER, "launches", &out->at))
        return false;
    snprintf(out->text, sizeof out->text,
             "This cycle advances %d levels with %.0f launches; the classic solver needs one for "
             "each level.",
             p->levels, p->ledger.launches);
    return true;
}

/* The first control with a note such as "exact from overlap 22". */
static bool exact_from(const ss_build *b, remark *out)
{
    for (int i = 0; i < b->snap->ncontrol; i++) {
        const ss_control *c = &b->snap->control[i];
        if (strncmp(c->note, "exact from", 10) != 0 ||
            !find_text(b, SS_PANEL_CONTROLS, c->row->name, &out->at))
            continue;
        snprintf(out->text, sizeof out->text,
                 "A cycle is %s: then it equals iterations of the whole field, at the cost of "
                 "redundant updates.",
                 c->note);
        return true;
    }
    return false;
}

/* --- time-dependent runs ---------------------------------------------------------------------- */

static bool theatre(const ss_build *b, remark *out)
{
    const ss_item *it = item_in(b, SS_PANEL_PLOT, SS_I_IMAGE);
    if (b->snap->kind != SS_TRANSIENT || !it || !b->snap->tiled)
        return false;
    out->at = (ss_xy){it->rect.x + 0.5 * it->rect.w, it->rect.y + 0.7 * it->rect.h};
    snprintf(out->text, sizeof out->text,
             "One cycle, time upwards: each colour is a block. Inside a triangle it needs no value "
             "from another block.");
    return true;
}

static bool space_time(const ss_build *b, remark *out)
{
    const ss_item *it = item_in(b, SS_PANEL_RASTER, SS_I_IMAGE);
    if (!it || b->snap->race.n > 0)
        return false;
    out->at = (ss_xy){it->rect.x + 0.6 * it->rect.w, it->rect.y + 0.5};
    snprintf(out->text, sizeof out->text,
             "The newest row is the field above; earlier ones stand below it.");
    return true;
}

/* The most important first. */
static rule *const rules[] = {field_zero, field_peak, line_peak, last_change, curve_end,
                              stale_kept, positions,  theatre,   launches,    frequencies,
                              exact_from, redundant,  space_time};
static const ss_panel_id panels[] = {
    SS_PANEL_FIELD,    SS_PANEL_FIELD,   SS_PANEL_FIELD, SS_PANEL_PLOT,   SS_PANEL_PLOT,
    SS_PANEL_LEDGER,   SS_PANEL_PROFILE, SS_PANEL_PLOT,  SS_PANEL_LEDGER, SS_PANEL_PROFILE,
    SS_PANEL_CONTROLS, SS_PANEL_LEDGER,  SS_PANEL_RASTER};
_Static_assert(sizeof rules / sizeof *rules == sizeof panels / sizeof *panels, "a panel for each");

/* --- drawing ---------------------------------------------------------------------------------- */

/* Rows of a text of that width, frame included, and its columns. */
static void measure(const ss_build *b, const char *text, ss_callout *c)
{
    bool roomy = b->l->head > 1; /* proportional text is narrower than its cells */
    int first = b->s->nitem, w = ss_text_width(text) < WIDE ? ss_text_width(text) : WIDE;
    int lines = ss_build_wrap(b, (ss_rect){0, 0, w, LINES}, SS_C_TEXT, text);
    b->s->nitem = first; /* this pass only counts lines */
    c->w = (roomy ? (w * 4 + 4) / 5 : w) + 2 * b->l->side;
    c->h = lines + (roomy ? 1 : 2);
}

static void put_box(const ss_build *b, const ss_callout *c, const char *text)
{
    bool roomy = b->l->head > 1;
    int w = ss_text_width(text) < WIDE ? ss_text_width(text) : WIDE;
    ss_build_popup(b, c->box, "");
    int first = b->s->nitem;
    ss_build_wrap(b, (ss_rect){c->box.x + b->l->side, c->box.y + !roomy, w, LINES}, SS_C_TEXT,
                  text);
    for (int i = first; i < b->s->nitem && roomy; i++) {
        b->s->item[i].rect.h = 2;
        b->s->item[i].rect.w = c->box.w - 2 * b->l->side + 1;
    }
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
    for (size_t i = 0; i < sizeof rules / sizeof *rules && n < CALLOUTS; i++)
        if (b->l->panel[panels[i]].w && rules[i](b, &said[n]))
            said[n++].panel = panels[i];
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
    char text[16];
    ss_rect at = {(int)floor(said->at.x) - 1, (int)floor(said->at.y), 3, 1};
    ss_item *it = ss_scene_add(b->s, SS_I_LEADER, at, SS_C_ACCENT);
    it->style = SS_OVER;
    it->leader.from = it->leader.to = said->at;
    it->leader.number = number;
    snprintf(text, sizeof text, "%d", number);
    ss_scene_text(b->s, r.x, r.y, 2, SS_C_ACCENT, SS_BOLD, text);
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
