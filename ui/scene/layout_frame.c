/* The layout of a frame: see layout_frame.h. Parts stand in one column, or in two where the frame
 * is wide: the leading ones at the left. */
#include "ui/scene/layout_frame.h"

#include "src/base/common.h"

enum {
    MARGIN = 1,    /* at all sides, in columns */
    GUTTER = 3,    /* between two columns of parts */
    GAP = 1,       /* rows below a part */
    TWO_FROM = 60, /* columns, where the height is free */
    PART_ROWS = 4  /* below that a part is left out */
};

static int rows_at(const ss_frame_shape *s, int cols)
{
    int across = cols - s->beside;
    if (s->aspect > 0)
        return s->around + ss_clamp((int)(across / (2 * s->aspect) + 0.5), 3, 4 * cols);
    return s->rows;
}

/* The parts of one column. */
typedef struct column {
    int part[SS_FRAME_PARTS], n;
    ss_rect rect;
} column;

static int column_rows(const ss_frame_plan *plan, const column *c)
{
    int rows = 0;
    for (int i = 0; i < c->n; i++)
        rows += rows_at(&plan->part[c->part[i]], c->rect.w) + GAP;
    return rows;
}

/* Rows beyond what all parts need go to those that are no pictures, if there are any. */
static int share_of(const ss_frame_plan *plan, const column *c, int part)
{
    int need = column_rows(plan, c), stretch = 0, own = rows_at(&plan->part[part], c->rect.w) + GAP;
    for (int i = 0; i < c->n; i++)
        if (!(plan->part[c->part[i]].aspect > 0))
            stretch += rows_at(&plan->part[c->part[i]], c->rect.w) + GAP;
    int spare = c->rect.h - need;
    if (spare <= 0 || stretch == 0)
        return own;
    return plan->part[part].aspect > 0 ? own : own + spare * own / stretch;
}

/* Shares the height of the column in proportion. */
static void stack(const ss_frame_plan *plan, const column *c, ss_frame_layout *out)
{
    int all = 0, y = c->rect.y, seen = 0;
    for (int i = 0; i < c->n; i++)
        all += share_of(plan, c, c->part[i]);
    for (int i = 0; i < c->n && all > 0; i++) {
        seen += share_of(plan, c, c->part[i]);
        int end = c->rect.y + (int)((double)c->rect.h * seen / all + 0.5);
        if (end - y - GAP >= PART_ROWS)
            out->part[c->part[i]] = (ss_rect){c->rect.x, y, c->rect.w, end - y - GAP};
        y = end;
    }
}

static void add(column *c, int part)
{
    c->part[c->n++] = part;
}

static void split(const ss_frame_plan *plan, column *left, column *right)
{
    for (int i = 0; i < plan->n; i++)
        add(plan->part[i].lead ? left : right, i);
}

/* Columns that the left parts need at a height: a single picture no more than it fills. */
static int left_cols(const ss_frame_plan *plan, const column *left, int cols, int rows)
{
    const ss_frame_shape *s = &plan->part[left->part[0]];
    if (left->n > 1 || !(s->aspect > 0))
        return cols / 2;
    if (rows <= 0)
        return cols * 3 / 5;
    int fills = s->beside + (int)(2 * s->aspect * (rows - GAP - s->around) + 0.5);
    return ss_clamp(fills, cols * 2 / 5, cols * 5 / 9);
}

/* False: one column is better. */
static bool two_columns(const ss_frame_plan *plan, int body, int y, ss_frame_layout *out)
{
    column left = {.n = 0}, right = {.n = 0};
    int room = plan->cols - 2 * MARGIN - GUTTER;
    split(plan, &left, &right);
    bool wide = plan->rows > 0 ? plan->cols > 2 * body : plan->cols >= TWO_FROM;
    if (left.n == 0 || right.n == 0 || !wide)
        return false;
    int w = left_cols(plan, &left, room, plan->rows > 0 ? body : 0);
    left.rect = (ss_rect){MARGIN, y, w, body};
    right.rect = (ss_rect){MARGIN + w + GUTTER, y, room - w, body};
    if (plan->rows <= 0) {
        int high = column_rows(plan, &left), other = column_rows(plan, &right);
        left.rect.h = left.n > 1 || high > other ? high : other;
        right.rect.h = left.rect.h;
    }
    out->rows = y + left.rect.h;
    stack(plan, &left, out);
    stack(plan, &right, out);
    return true;
}

static void one_column(const ss_frame_plan *plan, int body, int y, ss_frame_layout *out)
{
    column all = {.n = 0};
    for (int i = 0; i < plan->n; i++)
        add(&all, i);
    all.rect = (ss_rect){MARGIN, y, plan->cols - 2 * MARGIN, body};
    if (plan->rows <= 0)
        all.rect.h = column_rows(plan, &all);
    out->rows = y + all.rect.h;
    stack(plan, &all, out);
}

void ss_layout_frame(const ss_frame_plan *plan, ss_frame_layout *out)
{
    int w = plan->cols - 2 * MARGIN, lines = plan->title + plan->words + plan->note;
    int body = plan->rows > 0 ? ss_clamp(plan->rows - lines, 0, plan->rows) : 0;
    *out = (ss_frame_layout){.title = {MARGIN, 0, w, plan->title}};
    if (!two_columns(plan, body, plan->title, out))
        one_column(plan, body, plan->title, out);
    out->words = (ss_rect){MARGIN, out->rows, w, plan->words};
    out->note = (ss_rect){MARGIN, out->rows + plan->words, w, plan->note};
    out->rows += plan->words + plan->note;
    if (plan->rows > 0)
        out->rows = plan->rows;
}
