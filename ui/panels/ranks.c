/* Modelled ranks: the timeline of their last two cycles, and the model's formula beside the
 * measured time. See build.h. Main thread only. */
#include <math.h>
#include <string.h>

#include "ui/panels/build.h"

/* --- the timeline as dots --------------------------------------------------------------------- */

/* A palette index per dot. The first ones are kinds of spans. */
enum { FLIES = SS_NRANKS_KIND, NOTHING, NDOT };

static const struct dot_row {
    const char *name;
    ss_theme_role role;
    char letter;
} dots[NDOT] = {[SS_RANKS_WORKS] = {"work", SS_C_SERIES2, '#'},
                [SS_RANKS_CALLS] = {"send, receive", SS_C_ACCENT, 'o'},
                [SS_RANKS_WAITS] = {"wait", SS_C_LINE, '.'},
                [SS_RANKS_REDUCES] = {"residual check", SS_C_SERIES3, '+'},
                [FLIES] = {"messages travel", SS_C_SERIES1, '-'},
                [NOTHING] = {NULL, SS_C_PANEL, ' '}};

static const char letters[] = {'#', 'o', '.', '+', '-', ' '};

/* The shown cycles, and the picture of `ranks` ranks, each `each` dots high. */
typedef struct timeline {
    double from, to;
    int ranks, each, w;
    uint8_t *dot;
} timeline;

static int column(const timeline *t, double at)
{
    double x = (at - t->from) / (t->to - t->from) * t->w;
    return x < 0 ? 0 : x > t->w ? t->w : (int)x;
}

/* Fills columns [x0, x1) of dot rows [y0, y1) of a rank. */
static void fill(const timeline *t, int rank, int x0, int x1, int y0, int y1, int what)
{
    for (int y = rank * t->each + y0; rank < t->ranks && y < rank * t->each + y1; y++)
        for (int x = x0; x < x1; x++)
            t->dot[y * t->w + x] = (uint8_t)what;
}

/* A column has the kind that covers its middle; a span shorter than a column is thus shown as often
 * as its share of the time says. */
static void put_spans(const timeline *t, const ss_ranks_trace *trace)
{
    double half = 0.5 * (t->to - t->from) / t->w;
    int rows = t->each > 2 ? t->each - 2 : t->each - 1;
    for (int i = 0; i < trace->nspan; i++) {
        const ss_ranks_span *s = &trace->span[i];
        fill(t, s->rank, column(t, s->from + half), column(t, s->to + half), 0, rows, s->kind);
    }
}

/* Below a rank's own row: while its messages travel. */
static void put_arrows(const timeline *t, const ss_ranks_trace *trace)
{
    double half = 0.5 * (t->to - t->from) / t->w;
    int row = t->each > 2 ? t->each - 2 : t->each - 1;
    for (int i = 0; i < trace->narrow; i++) {
        const ss_ranks_arrow *a = &trace->arrow[i];
        fill(t, a->from, column(t, a->sent + half), column(t, a->arrived + half), row, row + 1,
             FLIES);
    }
}

static void make_colors(const ss_build *b)
{
    for (int i = 0; i < NDOT; i++)
        b->ui->ranks_color[i] = b->s->theme->color[dots[i].role];
}

static void time_axis(const ss_build *b, const timeline *t, ss_rect r)
{
    static const struct {
        double factor;
        const char *name;
    } units[] = {{1e9, "ns"}, {1e6, "µs"}, {1e3, "ms"}, {1, "s"}};
    double length = t->to - t->from;
    size_t i = 0;
    while (i < 3 && length * units[i].factor >= 2000)
        i++;
    ss_plot_axis *axis = &ss_build_edge(b, 2, r, units[i].name)->axis;
    ss_axis_make(axis, 0, length * units[i].factor, false, false, r.w / 8);
    axis->hi = length * units[i].factor;
}

/* The two cycles, or the later one if there is only one. */
static bool choose_cycles(const ss_snapshot *p, timeline *t)
{
    if (p->ranks_trace[0].nspan == 0)
        return false;
    t->from = p->ranks_trace[p->ranks_trace[1].nspan > 0].from;
    t->to = p->ranks_trace[0].to;
    return t->to > t->from;
}

/* Returns the lines used. */
static int draw_timeline(const ss_build *b, ss_rect r)
{
    enum { LABEL = 3, PIXEL_ROWS = 6 };
    const ss_snapshot *p = b->snap;
    timeline t = {.dot = b->ui->stages[2].dot};
    bool fine = b->extent.dots_x > 2;
    int lines = r.h - 1 < p->ranks.count ? r.h - 1 : p->ranks.count;
    int high = lines > 0 ? (r.h - 1) / lines : 0; /* lines of a rank */
    if (!choose_cycles(p, &t) || high < 1 || r.w < 16)
        return 0;
    high = high < 2 ? high : 2;
    t.ranks = lines;
    t.each = fine ? PIXEL_ROWS : high * 2;
    t.w = fine ? SS_STAGE_DOTS_X : r.w - LABEL;
    t.w = t.w < SS_STAGE_DOTS_X ? t.w : SS_STAGE_DOTS_X;
    memset(t.dot, NOTHING, (size_t)t.w * (size_t)(t.ranks * t.each));
    make_colors(b);
    for (int i = 1; i >= 0; i--) {
        if (p->ranks_trace[i].nspan == 0)
            continue;
        put_arrows(&t, &p->ranks_trace[i]);
        put_spans(&t, &p->ranks_trace[i]);
    }
    for (int i = 0; i < t.ranks; i++)
        ss_scene_text(b->s, r.x, r.y + i * high, LABEL - 1, SS_C_FAINT, SS_FIGURE,
                      ss_text("%d", i));
    ss_image *im = &b->s->image[4];
    *im = (ss_image){.owner = t.dot,
                     .w = t.w,
                     .h = t.ranks * t.each,
                     .palette = b->ui->ranks_color,
                     .letters = letters};
    ss_rect at = {r.x + LABEL, r.y, fine ? r.w - LABEL : t.w, high * t.ranks};
    ss_scene_add(b->s, SS_I_IMAGE, at, SS_C_TEXT)->image = im;
    time_axis(b, &t, (ss_rect){at.x, at.y + at.h, at.w, 1});
    return at.h + 1;
}

/* --- the text --------------------------------------------------------------------------------- */

static const char *seconds(double v)
{
    return isfinite(v) ? ss_si_text(v, "s") : "–";
}

/* What the timeline is drawn with: colours, or the signs of a terminal without enough of them. */
static const char *sample(const ss_build *b, const struct dot_row *d)
{
    bool signs = b->extent.dots_x == 1 && b->extent.dots_y == 1;
    return signs ? ss_text("%c", d->letter) : "■";
}

/* The names of the colours, in at most r.h lines; returns the lines used. */
static int legend(const ss_build *b, ss_rect r)
{
    static const int order[] = {SS_RANKS_WORKS, SS_RANKS_WAITS, SS_RANKS_CALLS, FLIES,
                                SS_RANKS_REDUCES};
    int x = r.x, y = r.y;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const struct dot_row *d = &dots[order[i]];
        if (order[i] == SS_RANKS_REDUCES && !(b->snap->ranks.checks > 0))
            continue;
        if (x > r.x && x + 2 + ss_text_width(d->name) > r.x + r.w)
            x = r.x, y++;
        if (y >= r.y + r.h)
            return r.h;
        ss_scene_text(b->s, x, y, 1, d->role, SS_FIGURE, sample(b, d));
        x += 2;
        x += 2 + ss_scene_text(b->s, x, y, r.x + r.w - x, SS_C_DIM, 0, d->name);
    }
    return y - r.y + 1;
}

/* "101.5 us per step, model 102 us" */
static const char *compared(const ss_build *b)
{
    const ss_ranks_figures *f = &b->snap->ranks;
    return ss_text("%s per %s · model %s", seconds(f->measured),
                   b->snap->kind == SS_STEADY ? "iteration" : "step", seconds(f->formula));
}

static const char *formula(const ss_build *b)
{
    const ss_ranks_figures *f = &b->snap->ranks;
    return ss_text("model: %s%s", f->words,
                   f->checks > 0 ? " + log2(P) (L + 2 o) per residual check" : "");
}

static const char *symbols(const ss_build *b)
{
    const ss_ranks_figures *f = &b->snap->ranks;
    return ss_text("c = %s · L = %s · o = %s · waiting %.0f %%", seconds(f->work),
                   seconds(f->link.latency), seconds(f->link.overhead),
                   isfinite(f->waiting) ? 100 * f->waiting : 0);
}

static const char *advice(const ss_build *b)
{
    const ss_ranks_figures *f = &b->snap->ranks;
    if (!isfinite(f->enough) || !(f->enough > 0))
        return "";
    if (f->block > 0)
        return ss_text("best block for this L: from %d on (%.3g levels of work last as long as L)",
                       f->block, f->enough);
    return ss_text("a message travels as long as %.3g levels of work last", f->enough);
}

/* --- panel ------------------------------------------------------------------------------------ */

/* What stands below the timeline, the most important first; what does not fit whole is left out. */
static void words(const ss_build *b, ss_rect r)
{
    const ss_ranks_figures *f = &b->snap->ranks;
    const char *const lines[] = {
        compared(b), ss_ranks_clock_name(f->modelled), formula(b), symbols(b), advice(b), f->where};
    for (size_t i = 0; i < sizeof lines / sizeof *lines && r.h > 0; i++) {
        const char *text = lines[i];
        if (ss_build_lines(text, r.w) > r.h)
            text = ss_text_parts(text, r.w * r.h);
        if (ss_build_lines(text, r.w) <= r.h)
            ss_rect_top(&r, ss_build_wrap(b, r, i == 0 ? SS_C_TEXT : SS_C_DIM, text));
    }
}

void ss_build_timeline(const ss_build *b, ss_rect r)
{
    enum { WORDS = 6 };          /* lines of text that the timeline leaves room for */
    if (ss_page_awaits(b->ui)) { /* it may be the answer */
        ss_build_wrap(b, ss_rect_inset(r, 1, r.h / 3), SS_C_DIM, "shown after your prediction");
        return;
    }
    int high = r.h - WORDS > r.h / 2 ? r.h - WORDS : r.h / 2;
    int used = draw_timeline(b, (ss_rect){r.x, r.y, r.w, high});
    ss_rect_top(&r, used);
    if (used > 0 && r.h > 1)
        ss_rect_top(&r, legend(b, (ss_rect){r.x, r.y, r.w, r.h - 1}));
    words(b, r);
}

const char *ss_timeline_corner(const ss_build *b)
{
    const ss_ranks_figures *f = &b->snap->ranks;
    return ss_text("%d%s · %s", f->count,
                   f->rows > 1 ? ss_text(" (%d × %d)", f->columns, f->rows) : "",
                   ss_ranks_clock_name(f->modelled));
}

bool ss_has_timeline(const ss_build *b)
{
    return b->snap->ranks.count > 0;
}

void ss_build_ranks(const ss_build *b)
{
    ss_rect r = b->l->panel[SS_PANEL_PROFILE];
    ss_build_frame(b, r, "Ranks");
    ss_build_unit(b, r, r.x + 9, ss_timeline_corner(b));
    ss_build_timeline(b, ss_layout_inside(b->l, r));
}
