/* The gallery: presets and lessons as cards, each with the picture of a small run. Called by
 * screen.c. See build.h, ui/scene/cards.h. Main thread only. */
#include <stdio.h>
#include <string.h>

#include "ui/panels/build.h"

enum { FOOT_ROWS = 2, FOOT_FROM = 12 }; /* FOOT_FROM: rows of cards and foot */

typedef struct gallery {
    const ss_build *b;
    ss_gallery_tab tab;
    ss_rect r, foot;
    int chosen;
    int images; /* used */
    int from;   /* the first free column of the upper edge */
} gallery;

/* --- the picture of a card -------------------------------------------------------------------- */

static const ss_thumb *thumb_of(const gallery *g, int card)
{
    const ss_gallery *p = g->b->ui->cards.pictures;
    if (!p || card >= p->n[g->tab])
        return NULL;
    bool moves = p->tab == (int)g->tab && p->card == card && p->moving.state == SS_THUMB_SHOWN;
    return moves ? &p->moving : &p->still[g->tab][card];
}

static ss_range range_of(const ss_thumb *t)
{
    const ss_layer_label *layer = &ss_layer_labels[t->layer];
    if (t->layer == SS_AGE)
        return (ss_range){0, t->sweeps > 1 ? t->sweeps : 1, true, false};
    if (!layer->log)
        return ss_range_linear_fit(t->lo, t->hi, false);
    return ss_range_log_fit(ss_range_peak(t->cell, (size_t)(t->w * t->h), t->hi), SS_RANGE_DECADES);
}

/* Letters that fit: in a window they are narrower than cells. */
static int columns_in(const gallery *g, int w)
{
    return g->b->l->head > 1 ? w * 7 / 5 : w;
}

static void words(const gallery *g, ss_rect r, const char *text)
{
    int margin = r.w > 16;
    ss_rect in = {r.x + margin, r.y, r.w - 2 * margin, r.h};
    int at = 0, lines = 0, columns = columns_in(g, in.w);
    for (int i = 0; i < 2; i++) { /* counts the lines, then writes them in the middle */
        int y = in.y + (lines < in.h ? (in.h - lines) / 2 : 0), n = 0;
        for (at = 0; text[at] && n < in.h; n++) {
            char line[96];
            int cut = ss_build_cut(text + at, columns < 90 ? columns : 90);
            snprintf(line, sizeof line, "%.*s", cut, text + at);
            if (i == 1)
                ss_scene_text(g->b->s, in.x, y + n, in.w, SS_C_FAINT, 0, line);
            for (at += cut; text[at] == ' ';)
                at++;
        }
        lines = n;
    }
}

static void picture(gallery *g, int card, ss_rect r)
{
    const ss_thumb *t = thumb_of(g, card);
    ss_scene *s = g->b->s;
    ss_scene_add(s, SS_I_FILL, r, SS_C_GROUND);
    if (!t || t->state != SS_THUMB_SHOWN || g->images >= SS_THUMBS) {
        words(g, r, t && t->state == SS_THUMB_WORDS ? t->words : "…");
        return;
    }
    const char *zero = t->lo == 0 && t->hi == 0 ? ss_layer_zero_words((ss_layer)t->layer) : NULL;
    ss_image *im = &s->thumb[g->images++];
    *im = (ss_image){.cell = t->cell, .version = t->version, .w = t->w, .h = t->h};
    im->range = range_of(t);
    im->smooth = g->b->ui->smooth && t->dim > 1;
    ss_build_colours(im, &ss_layer_labels[t->layer]);
    if (zero)
        words(g, r, zero);
    else
        ss_scene_add(s, SS_I_IMAGE, t->aspect > 0 ? ss_rect_fit(r, t->aspect) : r, SS_C_TEXT)
            ->image = im;
}

/* --- a card ----------------------------------------------------------------------------------- */

/* A line of text below a lesson's title: "05 · 2 of 4 steps done". */
static void progress(const gallery *g, int card, ss_rect r)
{
    const ss_shelf_item *it = &g->b->ui->shelf->item[card];
    char text[64];
    bool done = it->done >= it->steps;
    if (done)
        snprintf(text, sizeof text, "%s · done ✓", it->number);
    else if (it->done > 0)
        snprintf(text, sizeof text, "%s · %d/%d done", it->number, it->done, it->steps);
    else
        snprintf(text, sizeof text, "%s · %d steps", it->number, it->steps);
    ss_scene_text(g->b->s, r.x, r.y, r.w, it->done > 0 ? SS_C_SERIES2 : SS_C_FAINT, SS_FIGURE,
                  text);
}

/* The last line ends with an ellipsis if the text goes on. */
static void lines(const gallery *g, ss_rect r, bool on, const char *text)
{
    int columns = columns_in(g, r.w);
    for (int i = 0; i < r.h && *text; i++) {
        char line[128];
        int cut = ss_build_cut(text, columns < 120 ? columns : 120);
        const char *rest = text + cut;
        while (*rest == ' ')
            rest++;
        bool more = *rest && i + 1 == r.h;
        if (more)
            cut = ss_build_cut(text, columns < 120 ? columns - 2 : 118);
        snprintf(line, sizeof line, "%.*s%s", cut, text, more ? " …" : "");
        ss_scene_text(g->b->s, r.x, r.y + i, r.w, on ? SS_C_TEXT : SS_C_DIM, 0, line);
        text = rest;
    }
}

static void one_line(const gallery *g, int card, ss_rect r, bool on)
{
    enum { TITLE = 26 };
    ss_scene_text(g->b->s, r.x, r.y, TITLE, on ? SS_C_ACCENT : SS_C_TEXT, on ? SS_BOLD : 0,
                  ss_gallery_title(g->b->ui, card));
    if (r.w > TITLE + 8)
        lines(g, (ss_rect){r.x + TITLE + 1, r.y, r.w - TITLE - 1, 1}, on,
              ss_gallery_words(g->b->ui, card));
}

static void card(gallery *g, int at, ss_rect r)
{
    const ss_cards *c = &g->b->ui->cards.lay;
    const ss_build *b = g->b;
    int which = b->ui->cards.shown[at];
    bool on = which == g->chosen, lesson = g->tab == SS_TAB_LESSONS;
    ss_rect image = ss_cards_picture(c, r), text = ss_cards_text(c, r);
    if (on)
        ss_scene_add(b->s, SS_I_FILL, r, SS_C_SHADE);
    ss_scene_hit(b->s, lesson ? SS_H_SHELF : SS_H_PICK, r, NULL, which);
    if (c->style == SS_CARD_LINE) {
        if (on)
            ss_scene_text(b->s, r.x, r.y, 1, SS_C_ACCENT, SS_BOLD, "▸");
        one_line(g, which, text, on);
        return;
    }
    picture(g, which, image);
    int x = text.x;
    if (on && b->l->head == 1) /* a terminal may have no colours */
        x += ss_scene_text(b->s, x, text.y, 2, SS_C_ACCENT, SS_BOLD, "▸ ");
    ss_scene_text(b->s, x, text.y, text.x + text.w - x, on ? SS_C_ACCENT : SS_C_TEXT, SS_BOLD,
                  ss_gallery_title(b->ui, which));
    text.y++, text.h--;
    if (lesson) {
        progress(g, which, text);
        text.y++, text.h--;
    }
    lines(g, text, on, ss_gallery_words(b->ui, which));
}

/* The ground of a row of cards comes first: painters keep what shares rows together. */
static void cards(gallery *g)
{
    const ss_ui *ui = g->b->ui;
    for (int i = 0; i < ui->cards.n; i++) {
        ss_rect r = ss_cards_at(&ui->cards.lay, i, ui->cards.first);
        ss_rect row = {ui->cards.lay.room.x, r.y, ui->cards.lay.room.w, r.h};
        if (r.w > 0 && i % ui->cards.lay.across == 0)
            ss_scene_add(g->b->s, SS_I_FILL, row, SS_C_PANEL);
        if (r.w > 0)
            card(g, i, r);
    }
}

/* --- the edges -------------------------------------------------------------------------------- */

/* Title and tabs on the upper edge: "Lessons (3 of 18 done)". */
static void tabs(gallery *g)
{
    static const char title[] = "What would you like to see?";
    static const char *const names[] = {"presets", "lessons"};
    const ss_ui *ui = g->b->ui;
    char lessons[48] = "Lessons";
    const char *shown[] = {"Presets", lessons};
    int done = 0, n = ui->shelf ? ui->shelf->n : 0;
    for (int i = 0; i < n; i++)
        done += ui->shelf->item[i].done >= ui->shelf->item[i].steps;
    bool wide = g->r.w >= 72;
    if (n > 0 && g->r.w >= 44)
        snprintf(lessons, sizeof lessons, "Lessons (%d of %d done)", done, n);
    ss_build_popup(g->b, g->r, wide ? title : "");
    int from = wide ? g->r.x + (int)sizeof title + 4 : g->r.x + 2;
    g->from = ss_build_edge_tabs(g->b, g->r, from, shown, names, 2, g->tab == SS_TAB_LESSONS, "%s");
}

/* "cards 1 to 15 of 18", if not all are seen; shorter where there is less room. */
static void corner(const gallery *g)
{
    const ss_cards *c = &g->b->ui->cards.lay;
    char text[64];
    int first = g->b->ui->cards.first * c->across, last = first + c->across * c->rows;
    int before = g->b->s->nitem;
    if (c->across * c->rows >= c->n)
        return;
    last = last < c->n ? last : c->n;
    snprintf(text, sizeof text, "cards %d to %d of %d", first + 1, last, c->n);
    ss_build_corner(g->b, g->r, g->from, text);
    if (g->b->s->nitem > before)
        return;
    snprintf(text, sizeof text, "%d–%d of %d", first + 1, last, c->n);
    ss_build_corner(g->b, g->r, g->from, text);
}

/* The size of the small run, since the card opens a larger one; right of column `from`. */
static void grid(const gallery *g, int from)
{
    const ss_thumb *t = thumb_of(g, g->chosen);
    char text[200];
    int end = g->foot.x + g->foot.w;
    if (!t || t->state != SS_THUMB_SHOWN)
        return;
    snprintf(text, sizeof text, "picture: %s", t->words);
    int w = ss_text_width(text);
    if (from + 2 + w <= end)
        ss_scene_text_right(g->b->s, end, g->foot.y, w, SS_C_FAINT, SS_FIGURE, text);
}

/* Below the cards: the search, or what the chosen card opens. */
static void foot(const gallery *g)
{
    const ss_ui *ui = g->b->ui;
    ss_rect r = g->foot;
    char text[160];
    if (ui->finding) {
        snprintf(text, sizeof text, "find: %s▏ · %d found · esc clears", ui->find, ui->cards.n);
        ss_scene_text(g->b->s, r.x, r.y, r.w, SS_C_TEXT, 0, text);
    } else if (g->chosen >= 0 && g->tab == SS_TAB_LESSONS) {
        ss_build_wrap(g->b, r, SS_C_DIM, ss_gallery_words(ui, g->chosen));
    } else if (g->chosen >= 0) {
        if (r.h > 1)
            grid(g, r.x + ss_scene_text(g->b->s, r.x, r.y, r.w, SS_C_DIM, 0,
                                        ss_gallery_words(ui, g->chosen)));
        ss_scene_text(g->b->s, r.x, r.y + r.h - 1, r.w, SS_C_FAINT, SS_FIGURE,
                      ui->preset[g->chosen].commands);
    }
}

/* --- all of it -------------------------------------------------------------------------------- */

/* The size of a picture in dots. */
static void want(const gallery *g)
{
    ss_gallery_want *w = &g->b->ui->cards.want;
    const ss_cards *c = &g->b->ui->cards.lay;
    ss_rect p = ss_cards_picture(c, (ss_rect){0, 0, c->w, c->h});
    w->w = p.w * g->b->extent.dots_x;
    w->h = p.h * g->b->extent.dots_y;
}

void ss_build_gallery(const ss_build *b)
{
    ss_ui *ui = b->ui;
    gallery g = {.b = b, .tab = ss_gallery_tab_of(ui)};
    ss_gallery_follow(ui);
    g.chosen = ss_gallery_chosen(ui);
    g.r = ss_build_centred(b, b->s->cols, b->s->rows);
    if (b->l->side == 1) /* cells have no room for the edges of what is below */
        g.r.x = 0, g.r.w = b->s->cols;
    ss_rect in = ss_layout_inside(b->l, g.r);
    in.x++, in.w -= 2;
    int rows = in.h > FOOT_FROM ? FOOT_ROWS : 1;
    g.foot = (ss_rect){in.x, in.y + in.h - rows, in.w, rows};
    in.h -= rows + (in.h > FOOT_FROM);
    int first = -1;
    ss_cards_lay(in, ss_gallery_count(ui), g.tab == SS_TAB_LESSONS ? 3 : 2, b->l->head > 1,
                 &ui->cards.lay);
    ui->cards.lay.n = ui->cards.n; /* a search leaves cards out, and the others as they are */
    for (int i = 0; i < ui->cards.n && !ui->cards.free; i++)
        first = ui->cards.shown[i] == g.chosen ? i : first;
    ui->cards.first = ss_cards_first(&ui->cards.lay, first, ui->cards.first);
    want(&g);
    tabs(&g);
    cards(&g);
    if (ui->cards.n == 0)
        ss_build_nothing(b, in, ui->finding ? "nothing has these words" : "there are none");
    corner(&g);
    foot(&g);
}
