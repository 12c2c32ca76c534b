/* The rows of the space-time diagram: a state per slot of equal width in time. Slot s is
 * at s times its width. See state.h. Main thread only. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/view/state.h"

enum {
    RECENT = 9,     /* rows whose distances choose the width of a live diagram */
    MOST_APART = 2, /* slots between two of them */
    MANY = 32       /* states that replaced each other in one slot */
};
#define SLOT_SECONDS 0.02
#define PACE_SECONDS 0.5

ss_raster_row *ss_raster_at(ss_raster *r, int i)
{
    return &r->row[r->order[i]];
}

int64_t ss_raster_slot(const ss_raster *r, double time)
{
    double s = floor(time / r->width + 0.5 - 1e-6);
    return s > -1e15 && s < 1e15 ? (int64_t)s : 0;
}

static void forget(ss_raster *r)
{
    r->count = r->replaced = 0;
    r->width = r->least = 0;
    r->paced = INFINITY;
    for (int i = 0; i < SS_RASTER_ROWS; i++)
        r->order[i] = (uint8_t)i;
}

/* Removes row i; its storage comes after the used ones. */
static void drop(ss_raster *r, int i)
{
    uint8_t spare = r->order[i];
    memmove(&r->order[i], &r->order[i + 1], (size_t)(r->count - 1 - i) * sizeof *r->order);
    r->order[--r->count] = spare;
}

/* How far a row is from the time of its slot. */
static double off(ss_raster *r, int i)
{
    double time = ss_raster_at(r, i)->time;
    return fabs(time - (double)ss_raster_slot(r, time) * r->width);
}

/* If rows i and i + 1 are in one slot, the nearer to its time remains. */
static bool settle(ss_raster *r, int i)
{
    if (i < 0 || ss_raster_slot(r, ss_raster_at(r, i)->time) !=
                     ss_raster_slot(r, ss_raster_at(r, i + 1)->time))
        return false;
    drop(r, off(r, i) < off(r, i + 1) ? i + 1 : i);
    return true;
}

/* Another width. The newest row stays, whatever its slot has. */
static void set_width(ss_raster *r, double width)
{
    r->width = width;
    r->replaced = 0;
    for (int i = r->count - 3; i >= 0; i--)
        settle(r, i);
}

static int64_t slots(ss_raster *r)
{
    return ss_raster_slot(r, ss_raster_at(r, r->count - 1)->time) -
           ss_raster_slot(r, ss_raster_at(r, 0)->time) + 1;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median distance of the newest rows; 0: too few. */
static double usual_distance(ss_raster *r)
{
    double apart[RECENT - 1];
    int n = r->count < RECENT ? r->count : RECENT;
    for (int i = 1; i < n; i++)
        apart[i - 1] =
            ss_raster_at(r, r->count - i)->time - ss_raster_at(r, r->count - i - 1)->time;
    if (n < 4)
        return 0;
    qsort(apart, (size_t)(n - 1), sizeof *apart, ascending);
    return apart[(n - 1) / 2];
}

/* All rows of a whole run fit; a slot is at least as wide as the distance of two states. */
static void fit_whole(ss_raster *r)
{
    while (slots(r) > SS_RASTER_ROWS)
        set_width(r, 2 * r->width);
    while (r->width >= 2 * r->state && 4 * slots(r) <= SS_RASTER_ROWS)
        set_width(r, r->width / 2);
}

/* A live diagram: about one state per slot, and no more slots per second than an eye follows. */
static void fit_live(ss_raster *r)
{
    while (usual_distance(r) > (MOST_APART + 1e-6) * r->width || r->least > (1 + 1e-6) * r->width)
        set_width(r, 2 * r->width);
    if (r->replaced >= MANY && r->width >= 2 * r->state && r->width >= 2 * r->least)
        set_width(r, r->width / 2);
}

/* The least width of a slot: the states inside a cycle are many. By the clock, if there is one, a
 * slot takes SLOT_SECONDS, at the pace of the last PACE_SECONDS or more; else a snapshot fills two.
 */
static void measure_pace(ss_ui *ui, double time)
{
    ss_raster *r = &ui->raster;
    double more = time - r->paced, seconds = ui->now - r->paced_now;
    bool clock = ui->now > 0 && r->paced_now > 0, inside = r->state < r->cycle;
    if (!(more > 0) || (clock && seconds < PACE_SECONDS))
        return;
    r->least = !inside ? 0 : clock ? more / seconds * SLOT_SECONDS : more / 2;
    r->paced = time;
    r->paced_now = ui->now;
}

/* Simulated time, or cycles where there is none. */
static double time_of(const ss_snapshot *snap)
{
    return snap->telemetry.value[snap->kind == SS_TRANSIENT ? SS_T_TIME : SS_T_CYCLE];
}

static double cycle_width(const ss_snapshot *snap)
{
    double width = snap->telemetry.value[SS_T_DT] * snap->steps;
    return snap->kind == SS_TRANSIENT && width > 0 && isfinite(width) ? width : 1;
}

static void fill_row(ss_raster *r, ss_raster_row *row, const ss_snapshot *snap, const float *cell)
{
    const ss_picture *p = &snap->picture;
    ss_box2 window = ss_ui_window(&snap->view, snap);
    row->w = p->w < SS_RASTER_COLS ? p->w : SS_RASTER_COLS;
    for (int x = 0; x < row->w; x++)
        row->cell[x] = cell[(int64_t)x * p->w / row->w];
    row->x0 = window.x0, row->x1 = window.x1;
    row->width = r->width;
    row->serial = ++r->serial;
}

/* A new row, or the newest one anew if it is that state again. Only the newest row may share its
 * slot with another. */
static void add_row(ss_raster *r, const ss_snapshot *snap, int64_t cycle, double time, bool again,
                    const float *cell)
{
    if (r->whole && r->count == SS_RASTER_ROWS && !again)
        set_width(r, 2 * r->width);
    if (again)
        r->count--;
    else
        r->replaced = settle(r, r->count - 2) ? r->replaced + 1 : 0;
    if (r->count == SS_RASTER_ROWS)
        drop(r, 0);
    ss_raster_row *row = ss_raster_at(r, r->count++);
    fill_row(r, row, snap, cell);
    row->cycle = cycle;
    row->time = time;
    (r->whole ? fit_whole : fit_live)(r);
}

/* The states inside a cycle that has just ended. */
static void add_between(ss_raster *r, const ss_snapshot *snap, double until)
{
    const ss_between *b = &snap->between;
    for (int i = 0; i < b->n && i < SS_BETWEEN_MAX && r->count > 0; i++) {
        const ss_raster_row *last = ss_raster_at(r, r->count - 1);
        if (b->time[i] > last->time && b->time[i] < until)
            add_row(r, snap, last->cycle, b->time[i], false, b->cell[i]);
    }
}

/* When the view changes, the newest row is resampled; older rows stay as they were. */
void ss_raster_follow(ss_ui *ui, const ss_snapshot *snap)
{
    ss_raster *r = &ui->raster;
    int64_t cycle = (int64_t)snap->telemetry.value[SS_T_CYCLE];
    double time = time_of(snap), each = snap->between.each;
    const ss_raster_row *last = r->count ? ss_raster_at(r, r->count - 1) : NULL;
    bool unordered = snap->race.n > 0 && snap->deterministic && !ui->in_order;
    if (!isfinite(time))
        return;
    if (!last || cycle < last->cycle || time < last->time || unordered) { /* by the clock */
        forget(r);
        last = NULL;
    }
    r->cycle = cycle_width(snap);
    r->state = each > 0 && each < r->cycle ? each : r->cycle;
    r->width = r->width > 0 ? r->width : r->state;
    measure_pace(ui, time);
    bool again = last && last->cycle == cycle && !(last->time < time);
    add_between(r, snap, time);
    add_row(r, snap, cycle, time, again, snap->picture.cell);
    if (!isfinite(r->paced)) /* the first one */
        r->paced = time, r->paced_now = ui->now;
}

void ss_raster_forget(ss_ui *ui)
{
    forget(&ui->raster);
}

void ss_ui_whole_run(ss_ui *ui)
{
    ss_ui_in_order(ui);
    ui->raster.whole = true;
}

/* To the state nearest to the next slot. */
int64_t ss_ui_apart(const ss_ui *ui)
{
    const ss_raster *r = &ui->raster;
    if (r->count == 0 || r->width < 2 * r->cycle)
        return 1;
    double last = r->row[r->order[r->count - 1]].time;
    double next = (floor(last / r->width + 1e-6) + 1) * r->width;
    int64_t cycles = (int64_t)floor((next - last) / r->cycle + 0.5);
    return cycles > 1 ? cycles : 1;
}
