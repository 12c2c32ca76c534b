/* Frames: their table, and the scene of one. See frame.h. */
#include "ui/panels/frame.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/panels/frame_parts.h"

/* In the order of the choices of --frame. */
const ss_frame_row ss_frames[] = {
    {"app", .part = {NULL}},
    {"figure", .lettered = true,
     .part = {&ss_part_field, &ss_part_raster, &ss_part_curve, &ss_part_lower}},
    {"field", .part = {&ss_part_field}},
    {"field+curve", .part = {&ss_part_field, &ss_part_curve}},
    {"raster", .part = {&ss_part_raster}},
    {"theatre", .part = {&ss_part_theatre}},
    {"cone", .part = {&ss_part_cone}, .cones = true},
    {"wipe", .part = {&ss_part_wipe}},
    {"timeline", .part = {&ss_part_timeline}, .rewinds = true},
    {NULL, .part = {NULL}},
};

/* A film of this size has cells of this width. */
enum { FILM_W = 800, FILM_H = 600, FILM_CELL = 12 };

/* --- text ------------------------------------------------------------------------------------- */

ss_item *ss_frame_text(const ss_build *b, ss_rect r, ss_theme_role role, unsigned style,
                       const char *text)
{
    int w = ss_text_width(text);
    if (style & SS_CENTRE && b->extent.dots_x <= 2 && w < r.w) /* cells do not centre */
        r.x += (r.w - w) / 2, r.w = w;
    ss_item *it = ss_scene_add(b->s, SS_I_TEXT, r, role);
    it->style = style;
    it->text = ss_scene_keep(b->s, text);
    return it;
}

int ss_frame_columns(const ss_build *b, int cols, unsigned style)
{
    double letter = b->extent.dots_x <= 2 ? 1
                    : style & SS_HUGE     ? 1.02
                    : style & SS_BOLD     ? 0.78
                                          : 0.72;
    return (int)(cols / letter);
}

/* --- the size --------------------------------------------------------------------------------- */

/* A film has larger type than a window of its size, in steps of a pixel. */
static ss_extent film_extent(const ss_extent *e)
{
    ss_extent out = *e;
    int w = e->cols * e->dots_x, h = e->rows * e->dots_y;
    if (!(e->scale > 0))
        return out;
    int cell = (int)lround(FILM_CELL * fmin((double)w / FILM_W, (double)h / FILM_H));
    out.dots_x = cell > 5 ? cell : 5;
    out.dots_y = 2 * out.dots_x;
    out.cols = w / out.dots_x;
    out.rows = h / out.dots_y;
    out.scale = e->scale * out.dots_x / e->dots_x;
    return out;
}

/* A figure has a white ground, on paper and in pixels, unless a theme was chosen. Panels have no
 * ground of their own. */
static const ss_theme *theme_of(ss_ui *ui, bool figure)
{
    bool white = figure && !ui->theme_chosen;
    ui->paper = *(white ? ss_theme_find("light") : ui->theme);
    ui->paper.color[SS_C_GROUND] = ui->paper.color[SS_C_PANEL];
    return &ui->paper;
}

/* --- the parts that are shown ----------------------------------------------------------------- */

typedef struct shown {
    const ss_frame_part *part[SS_FRAME_PARTS];
    int n;
    bool lettered;
} shown;

/* A lettered frame leaves out what the run lacks; a single part says why. */
static shown shown_parts(const ss_build *b, const ss_frame_row *f)
{
    shown s = {.n = 0};
    for (int i = 0; i < SS_FRAME_PARTS && f->part[i]; i++)
        if (!f->lettered || !f->part[i]->why(b))
            s.part[s.n++] = f->part[i];
    s.lettered = f->lettered && s.n > 1;
    return s;
}

int ss_frame_check(const ss_frame_row *f, const ss_snapshot *snap, ss_err *err)
{
    const ss_build b = {.snap = snap};
    for (int i = 0; i < SS_FRAME_PARTS && f->part[i] && !f->lettered; i++) {
        const char *why = f->part[i]->why(&b);
        if (why)
            return ss_fail(err, "frame %s: %s", f->name, why);
    }
    return SS_OK;
}

/* "staleness: its meaning · 2nd subiteration": without the meaning, then without the rest. */
static void shorten(char *text, int cols)
{
    char *colon = strstr(text, ": "), *dot = strstr(text, " · ");
    if (ss_text_width(text) > cols && colon && dot && dot > colon)
        memmove(colon, dot, strlen(dot) + 1);
    else if (ss_text_width(text) > cols && colon)
        *colon = '\0';
    ss_build_drop_parts(text, cols);
}

static void draw_part(ss_build *b, const shown *s, int i, double progress, ss_rect r)
{
    char heading[160] = "", letter[8] = "";
    ss_edge_words words = {.alone = s->n == 1, .progress = progress};
    if (r.h < 1)
        return;
    b->edges = &words;
    s->part[i]->draw(b, (ss_rect){r.x, r.y + 1, r.w, r.h - 1});
    s->part[i]->heading(b, heading, sizeof heading);
    int x = r.x;
    if (s->lettered) {
        snprintf(letter, sizeof letter, "(%c)", 'a' + i);
        ss_frame_text(b, (ss_rect){x, r.y, 3, 1}, SS_C_TEXT, SS_BOLD, letter);
        x += 4 - (b->extent.dots_x > 2);
    }
    shorten(heading, ss_frame_columns(b, r.x + r.w - x, 0));
    ss_frame_text(b, (ss_rect){x, r.y, r.x + r.w - x, 1}, s->lettered ? SS_C_TEXT : SS_C_DIM, 0,
                  heading);
}

/* --- the words around them -------------------------------------------------------------------- */

/* A film without a title names the problem. */
static void title(const ss_build *b, const ss_frame_spec *spec, ss_rect r)
{
    char text[128];
    const ss_snapshot *p = b->snap;
    if (r.h < 1)
        return;
    snprintf(text, sizeof text, "%s · %s%s", p->equation, p->dim == 1 && *p->grid ? "n " : "",
             p->grid);
    bool named = spec->title != NULL;
    unsigned size = spec->paper ? SS_LARGE : named ? SS_HUGE : SS_LARGE;
    ss_frame_text(b, r, named ? SS_C_TEXT : SS_C_DIM, size | (named ? SS_BOLD : 0),
                  named ? spec->title : text);
}

static const char *note_of(const ss_ui *ui, const ss_frame_spec *spec)
{
    return *ui->note ? ui->note : spec->caption ? spec->caption : "";
}

static void note(const ss_build *b, const ss_frame_spec *spec, ss_rect r)
{
    const char *text = note_of(b->ui, spec);
    if (r.h > 0 && *text)
        ss_frame_text(b, r, SS_C_TEXT, spec->paper ? 0 : SS_HUGE | SS_CENTRE, text);
}

/* A film keeps the line of its words from the start, so that nothing moves when they come. */
static void make_plan(const ss_build *b, const shown *s, const ss_frame_spec *spec,
                      ss_frame_plan *plan)
{
    enum { TALL = 2 };
    bool film = !spec->paper, cells = b->extent.dots_x <= 2;
    int line = film && !cells ? TALL : 1;
    *plan = (ss_frame_plan){.cols = b->extent.cols, .rows = film ? b->extent.rows : 0, .n = s->n};
    for (int i = 0; i < s->n; i++)
        s->part[i]->shape(b, &plan->part[i]);
    bool noted = *note_of(b->ui, spec) || (film && b->ui->will_say);
    plan->title = film || spec->title ? line : 0;
    plan->note = noted ? line : 0;
    plan->words = film ? line : 1 + ss_words_text(b, (ss_rect){0, 0, plan->cols - 2, 0});
}

static void words(const ss_build *b, const ss_frame_spec *spec, ss_rect r)
{
    if (!spec->paper)
        ss_words_line(b, r, spec->seconds);
    else
        ss_words_text(b, (ss_rect){r.x, r.y + 1, r.w, r.h - 1});
}

/* --- the scene -------------------------------------------------------------------------------- */

static bool needs_states(const shown *s)
{
    bool any = false;
    for (int i = 0; i < s->n; i++)
        any = any || s->part[i]->space_time;
    return any;
}

/* In a figure the remarks stand below it: it becomes higher. */
static void explain(const ss_build *b, ss_rect all, bool paper)
{
    if (!paper) {
        ss_build_callouts(b, all);
        return;
    }
    b->s->rows += 1 + ss_build_notes(b, (ss_rect){1, all.h + 1, all.w - 2, 0});
    for (int i = 0; i < 2; i++) /* its ground and its frame */
        b->s->item[i].rect.h = b->s->rows;
}

struct ss_scene *ss_frame_scene(ss_ui *ui, const ss_snapshot *snap, const ss_extent *given,
                                const ss_frame_spec *spec)
{
    ss_scene *s = &ui->scene;
    ss_extent extent = spec->paper ? *given : film_extent(given);
    ss_frame_plan plan;
    ss_frame_layout l;
    ss_scene_clear(s, extent.cols, extent.rows, theme_of(ui, spec->seconds < 0));
    s->cell = extent.dots_x;
    ss_ui_follow(ui, snap);
    ui->layout = (ss_layout){.head = extent.head > 1 ? extent.head : 1,
                             .side = extent.side > 1 ? extent.side : 1};
    s->head = ui->layout.head, s->side = ui->layout.side;
    ss_edge_words none = {.title = ""};
    ss_build b = {s, ui, snap, &ui->layout, extent, 0, &none};
    ss_words_follow(&b, spec->seconds);
    shown parts = shown_parts(&b, spec->frame);
    make_plan(&b, &parts, spec, &plan);
    ss_layout_frame(&plan, &l);
    s->rows = l.rows;
    const ss_rect all = {0, 0, s->cols, s->rows};
    ss_scene_add(s, SS_I_FILL, all, SS_C_PANEL);
    ss_scene_add(s, SS_I_FRAME, all, SS_C_PANEL)->text = "";
    title(&b, spec, l.title);
    for (int i = 0; i < parts.n; i++)
        draw_part(&b, &parts, i, spec->progress, l.part[i]);
    if (!needs_states(&parts))
        ss_build_want_raster(&b, false);
    words(&b, spec, l.words);
    note(&b, spec, l.note);
    b.edges = NULL;
    if (ui->overlay == SS_K_EXPLAIN)
        explain(&b, all, spec->paper);
    s->nhit = 0; /* nobody clicks on a film */
    return s;
}
