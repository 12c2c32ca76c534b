/* The gallery: presets and lessons as cards, each with the picture of a small run from
 * assets/data/pictures.txt. Called by screen.c. See build.h, ui/scene/layout.h. Main thread only.
 */
#include <stdio.h>
#include <string.h>

#include "src/base/text.h"
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

/* An entry of pictures.txt: see src/snapshot/page.h. */
typedef struct entry {
    char layer[24], words[160];
    int dim, sign, w, h;
    const char *rows;
} entry;

static bool find_entry(const gallery *g, int card, entry *out)
{
    const ss_ui *ui = g->b->ui;
    const char *text = ss_embed_text("assets/data/pictures.txt");
    bool lesson = g->tab == SS_TAB_LESSONS;
    const char *head = ss_text("\n= %s/%s ", lesson ? "lesson" : "preset",
                               lesson ? ui->shelf->item[card].number : ui->preset[card].name);
    int length = 0;
    const char *at = text ? strstr(text, head) : NULL;
    if (!at || sscanf(at + strlen(head), "%23s %d %d %d %d %159[^\n]%n", out->layer, &out->dim,
                      &out->sign, &out->w, &out->h, out->words, &length) != 6)
        return false;
    out->rows = at + strlen(head) + length + 1;
    return true;
}

/* Fewer cells than the entry has if there are fewer dots: each dot takes the cell at its middle. */
static void sample(const entry *e, ss_image *im, float *cell)
{
    for (int y = 0; y < im->h; y++)
        for (int x = 0; x < im->w; x++) {
            int row = (2 * y + 1) * e->h / (2 * im->h), col = (2 * x + 1) * e->w / (2 * im->w);
            cell[y * im->w + x] = (float)(e->rows[row * (e->w + 1) + col] - SS_CARD_ZERO);
        }
    im->cell = cell;
}

/* The colours of the entry's layer, over the places on the colour map. */
static void colours(const entry *e, ss_image *im)
{
    im->range = (ss_range){0, SS_CARD_TOP, true, e->sign};
    for (int i = 0; i < SS_NLAYER; i++)
        if (strcmp(ss_layer_labels[i].name, e->layer) == 0)
            ss_build_colours(im, &ss_layer_labels[i]);
    im->log = false;
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
    int columns = ss_min(columns_in(g, in.w), 90);
    int lines = ss_min(ss_build_lines(text, columns), in.h);
    ss_rect_top(&in, (in.h - lines) / 2);
    for (; *text && in.h > 0; ss_rect_top(&in, 1))
        ss_put(g->b, in, SS_C_FAINT, 0, ss_build_line(&text, columns));
}

static void picture(gallery *g, int card, ss_rect r)
{
    ss_scene *s = g->b->s;
    entry e = {.words = ""};
    ss_scene_add(s, SS_I_FILL, r, SS_C_GROUND);
    if (!find_entry(g, card, &e) || e.h == 0 || g->images >= SS_THUMBS) {
        words(g, r, e.words);
        return;
    }
    ss_rect in = e.dim > 1 ? ss_rect_fit(r, (double)e.w / e.h) : r;
    ss_image *im = &s->thumb[g->images++];
    *im = (ss_image){.w = ss_min(e.w, in.w * g->b->extent.dots_x),
                     .h = ss_min(e.h, in.h * g->b->extent.dots_y),
                     .smooth = g->b->ui->smooth && e.dim > 1};
    im->version =
        (uint64_t)(((g->tab * SS_SHELF_MAX + card) * SS_CARD_COLS + im->w) * SS_CARD_ROWS + im->h);
    sample(&e, im, g->b->ui->cards.cell[card]);
    colours(&e, im);
    ss_scene_add(s, SS_I_IMAGE, in, SS_C_TEXT)->image = im;
}

/* --- a card ----------------------------------------------------------------------------------- */

/* A line of text below a lesson's title: "05 · 2 of 4 steps done". */
static void progress(const gallery *g, int card, ss_rect r)
{
    const ss_shelf_item *it = &g->b->ui->shelf->item[card];
    ss_put(g->b, r, it->done > 0 ? SS_C_SERIES2 : SS_C_FAINT, SS_FIGURE,
           it->done >= it->steps ? ss_text("%s · done ✓", it->number)
           : it->done > 0        ? ss_text("%s · %d/%d done", it->number, it->done, it->steps)
                                 : ss_text("%s · %d steps", it->number, it->steps));
}

/* The last line ends with an ellipsis if the text goes on. */
static void lines(const gallery *g, ss_rect r, bool on, const char *text)
{
    int columns = ss_min(columns_in(g, r.w), 120);
    for (; r.h > 0 && *text; ss_rect_top(&r, 1)) {
        const char *all = text, *line = ss_build_line(&text, columns);
        if (*text && r.h == 1)
            line = ss_text("%s …", ss_build_line(&all, columns - 2));
        ss_put(g->b, r, on ? SS_C_TEXT : SS_C_DIM, 0, line);
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
    ss_rect_top(&text, 1);
    if (lesson)
        progress(g, which, ss_rect_top(&text, 1));
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
static void title_and_tabs(gallery *g)
{
    static const char title[] = "What would you like to see?";
    static const char *const names[] = {"presets", "lessons"};
    const ss_ui *ui = g->b->ui;
    const char *shown[] = {"Presets", "Lessons"};
    int done = 0, n = ui->shelf ? ui->shelf->n : 0;
    for (int i = 0; i < n; i++)
        done += ui->shelf->item[i].done >= ui->shelf->item[i].steps;
    bool wide = g->r.w >= 72;
    if (n > 0 && g->r.w >= 44)
        shown[1] = ss_text("Lessons (%d of %d done)", done, n);
    ss_build_popup(g->b, g->r, wide ? title : "");
    int from = wide ? g->r.x + (int)sizeof title + 4 : g->r.x + 2;
    ss_rect edge = {from - 2, g->r.y, g->r.x + g->r.w - from + 2, g->r.h};
    const ss_tabs tabs = {shown, names, 2, g->tab == SS_TAB_LESSONS, NULL, "%s", 0};
    g->from = ss_build_tab_line(g->b, edge, &tabs, 0);
}

/* "cards 1 to 15 of 18", if not all are seen; shorter where there is less room. */
static void corner(const gallery *g)
{
    const ss_cards *c = &g->b->ui->cards.lay;
    int first = g->b->ui->cards.first * c->across, last = first + c->across * c->rows;
    int before = g->b->s->nitem;
    if (c->across * c->rows >= c->n)
        return;
    last = ss_min(last, c->n);
    ss_build_corner(g->b, g->r, g->from, ss_text("cards %d to %d of %d", first + 1, last, c->n));
    if (g->b->s->nitem == before)
        ss_build_corner(g->b, g->r, g->from, ss_text("%d–%d of %d", first + 1, last, c->n));
}

/* The size of the small run, since the card opens a larger one; right of column `from`. */
static void grid(const gallery *g, int from)
{
    entry e;
    int end = g->foot.x + g->foot.w;
    if (!find_entry(g, g->chosen, &e) || e.h == 0)
        return;
    const char *text = ss_text("picture: %s", e.words);
    int w = ss_text_width(text);
    if (from + 2 + w <= end)
        ss_scene_text_right(g->b->s, end, g->foot.y, w, SS_C_FAINT, SS_FIGURE, text);
}

/* Below the cards: the search, or what the chosen card opens. */
static void foot(const gallery *g)
{
    const ss_ui *ui = g->b->ui;
    ss_rect r = g->foot;
    if (ui->finding) {
        ss_put(g->b, r, SS_C_TEXT, 0,
               ss_text("find: %s▏ · %d found · esc clears", ui->find, ui->cards.n));
    } else if (g->chosen >= 0 && g->tab == SS_TAB_LESSONS) {
        ss_build_wrap(g->b, r, SS_C_DIM, ss_gallery_words(ui, g->chosen));
    } else if (g->chosen >= 0) {
        if (r.h > 1)
            grid(g, r.x + ss_put(g->b, r, SS_C_DIM, 0, ss_gallery_words(ui, g->chosen)));
        ss_scene_text(g->b->s, r.x, r.y + r.h - 1, r.w, SS_C_FAINT, SS_FIGURE,
                      ui->preset[g->chosen].commands);
    }
}

/* --- all of it -------------------------------------------------------------------------------- */

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
    title_and_tabs(&g);
    cards(&g);
    if (ui->cards.n == 0)
        ss_build_nothing(b, in, ui->finding ? "nothing has these words" : "there are none");
    corner(&g);
    foot(&g);
}
