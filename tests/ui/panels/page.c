/* The page next to the run: its rows, its keys, its scrolling, its screens. See ui/view/state.h,
 * src/snapshot/page.h. Golden screens as in screens.c. */
#include "tests/check.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/ui/samples.h"
#include "ui/panels/screen.h"
#include "ui/scene/text.h"
#include "ui/view/state.h"

enum { TEXT_MAX = 1 << 15 };

/* A step with everything in it. */
static ss_page *sample_page(void)
{
    static ss_page p;
    ss_page_clear(&p);
    snprintf(p.title, sizeof p.title, "Overlap buys exactness");
    snprintf(p.corner, sizeof p.corner, "step 3 of 7");
    snprintf(p.brief, sizeof p.brief, "3/7");
    snprintf(p.strip, sizeof p.strip, "step 3 of 7 · set that overlap");
    ss_page_add(&p, SS_PG_TITLE, "How much is enough?");
    ss_page_add(
        &p, SS_PG_TEXT,
        "Two neighbours share o points, the \1overlap\4. Set it with \3set overlap 14\4, or "
        "with \2two\4 keys, each of which is `one`.")
        ->gap = true;
    ss_page_add(&p, SS_PG_ITEM, "an item that is longer than a row of a narrow column")->gap = true;
    ss_page_add(&p, SS_PG_CODE, "stencilscope poisson1d")->gap = true;
    ss_page_add(&p, SS_PG_PART, "Predict")->gap = true;
    for (int i = 0; i < 3; i++) {
        ss_page_block *b =
            ss_page_add(&p, SS_PG_ANSWER, i ? "half of it" : "more, as it is not exact");
        b->number = i + 1;
        b->sign = i == 1 ? SS_SIGN_CHOSEN : SS_SIGN_NONE;
        b->command = "lesson choose 1";
    }
    ss_page_add(&p, SS_PG_PART, "Check")->gap = true;
    ss_page_add(&p, SS_PG_CHECK, "same-as poisson1d jacobi n=256")->sign = SS_SIGN_MET;
    ss_page_add(&p, SS_PG_CHECK, "overlap == 14")->sign = SS_SIGN_UNMET;
    ss_page_add(&p, SS_PG_NOTE, "overlap is 12, against 14");
    ss_page_add(&p, SS_PG_CHECK, "cycles < 500")->sign = SS_SIGN_PENDING;
    ss_page_add(&p, SS_PG_PART, "See what happens")->gap = true;
    ss_page_add(&p, SS_PG_COMMAND, "step 5")->command = "lesson do";
    p.offers[SS_OFFER_HINT] = p.offers[SS_OFFER_DO] = true;
    return &p;
}

/* --- rows ------------------------------------------------------------------------------------- */

static void append(char *out, size_t size, const ss_page_row *row)
{
    size_t n = strlen(out);
    for (int i = 0; i < row->length && n + 2 < size; i++)
        if (row->text[i] != ' ')
            out[n++] = row->text[i];
    out[n] = '\0';
}

/* Every non-blank character is in some row, in order, and no row is too wide. */
TEST(page, wrapped_rows_contain_the_whole_text)
{
    static ss_page_row rows[SS_PAGE_ROWS];
    static char got[TEXT_MAX], want[TEXT_MAX];
    const ss_page *p = sample_page();
    want[0] = '\0';
    for (int i = 0; i < p->nblock; i++)
        append(want, sizeof want,
               &(ss_page_row){.text = p->block[i].text, .length = (int)strlen(p->block[i].text)});
    for (int w = 6; w <= 100; w++) {
        int n = ss_page_rows(p, w, false, rows, SS_PAGE_ROWS);
        got[0] = '\0';
        for (int i = 0; i < n; i++) {
            int used = rows[i].indent + ss_page_row_width(&rows[i]);
            CHECK_MSG(used <= w, "%d columns: row %d has %d", w, i, used);
            append(got, sizeof got, &rows[i]);
        }
        CHECK_MSG(strcmp(got, want) == 0, "%d columns: %s", w, got);
    }
    CHECK(ss_page_rows(p, 20, false, rows, 3) == 3);
}

TEST(page, a_style_continues_in_the_next_row)
{
    ss_page_row rows[8];
    static ss_page p;
    ss_page_clear(&p);
    ss_page_add(&p, SS_PG_TEXT, "a \3bb cc\4 d");
    CHECK_INT(ss_page_rows(&p, 4, false, rows, 8), 2);
    CHECK(rows[0].style == SS_MARK_PLAIN);
    CHECK(rows[1].style == SS_MARK_CODE);
    CHECK_INT(ss_page_rows(&p, 8, false, rows, 8), 2);
    CHECK_INT(ss_page_rows(&p, 8, true, rows, 8), 1); /* letters are narrower */
}

/* --- keys ------------------------------------------------------------------------------------- */

typedef struct fixture {
    sample_log log;
    ss_ui *ui;
    ss_snapshot *snap;
    ss_term_cells cells;
    ss_page *page;
    ss_paint how;
} fixture;

static void draw_screen(fixture *d, int cols, int rows)
{
    sample_screen(d->ui, d->snap, cols, rows, &d->how, &d->cells);
}

static void open_fixture(fixture *d)
{
    *d = (fixture){.how = {.glyphs = ss_glyphs_find("half"), .levels = 32}};
    d->ui = ss_ui_new(sample_emit, &d->log, NULL);
    d->snap = sample_2d(SS_STALENESS, 64, 64);
    d->snap->deterministic = true;
    d->page = sample_page();
    CHECK(d->ui != NULL);
    ss_ui_page(d->ui, d->page);
    draw_screen(d, 80, 24);
}

static void close_fixture(fixture *d)
{
    ss_cells_free(&d->cells);
    sample_free(d->snap);
    ss_ui_free(d->ui);
}

static bool shows(fixture *d, const char *text)
{
    char line[1024];
    draw_screen(d, 80, 24);
    for (int y = 0; y < d->cells.rows; y++)
        if (strstr(ss_cells_row(&d->cells, y, line, sizeof line), text))
            return true;
    return false;
}

static const char *key(fixture *d, const char *name)
{
    ss_event ev = {.kind = SS_EV_KEY};
    d->log.last[0] = '\0';
    snprintf(ev.key, sizeof ev.key, "%s", name);
    ss_ui_event(d->ui, &ev, NULL, d->snap);
    return d->log.last;
}

TEST(page, keys_answer_a_choice_only_while_it_is_asked)
{
    fixture d;
    open_fixture(&d);
    CHECK_STR(key(&d, "2"), ""); /* no question: a number for the control */
    key(&d, "esc");
    d.page->asks = SS_ASKS_CHOICE;
    CHECK_STR(key(&d, "2"), "lesson choose 2");
    CHECK_STR(key(&d, "enter"), "lesson lock");
    CHECK_STR(key(&d, "K"), "set k 13");
    CHECK_STR(key(&d, "space"), "toggle");
    CHECK_STR(key(&d, "h"), "lesson hint");
    CHECK(sample_command(d.ui, "bind j \"step 3\"", d.snap) == SS_OK);
    CHECK_STR(key(&d, "j"), "step 3"); /* the user's bindings come first */
    close_fixture(&d);
}

/* Modelled values may be the answer. */
TEST(page, answers_are_hidden_until_a_prediction_is_made)
{
    fixture d;
    open_fixture(&d);
    CHECK(shows(&d, "exact from overlap 22"));
    d.page->asks = SS_ASKS_NUMBER;
    CHECK(!shows(&d, "exact from"));
    d.page->asks = SS_ASKS_CHOICE;
    CHECK(!shows(&d, "exact from"));
    close_fixture(&d);
}

/* The ground below an item: the last fill before it that holds its middle. */
static ss_theme_role ground_of(const ss_scene *s, const ss_item *it)
{
    ss_theme_role ground = SS_C_PANEL;
    for (const ss_item *under = s->item; under < it; under++)
        if (under->kind == SS_I_FILL &&
            ss_rect_has(under->rect, it->rect.x + 0.5 * it->rect.w, it->rect.y + 0.5))
            ground = under->role;
    return ground;
}

static void check_hovered(const ss_scene *s, ss_rect in)
{
    for (int i = 0; i < s->nitem; i++) {
        const ss_item *it = &s->item[i];
        if (it->kind != SS_I_TEXT || !ss_rect_has(in, it->rect.x + 0.5 * it->rect.w, in.y + 0.5) ||
            it->rect.y != in.y)
            continue;
        double have = ss_rgb_contrast(s->theme->color[it->role], s->theme->color[ground_of(s, it)]);
        CHECK_MSG(have >= 4.5, "%s: '%s' has contrast %.2f", s->theme->name, it->text, have);
    }
}

TEST(page, what_the_mouse_points_at_has_a_contrast_of_4_5_in_every_theme)
{
    static const char *const themes[] = {"theme dark", "theme light", "theme projector"};
    const ss_extent e = {
        .cols = 128, .rows = 40, .dots_x = 10, .dots_y = 20, .scale = 1, .head = 2};
    fixture d;
    open_fixture(&d);
    d.page->asks = SS_ASKS_NUMBER;
    ss_page_add(d.page, SS_PG_FIELD, "a number")->command = "lesson lock";
    d.page->button[d.page->nbutton++] = (ss_page_button){"hint", "lesson hint"};
    for (size_t t = 0; t < sizeof themes / sizeof *themes; t++) {
        CHECK_INT(sample_command(d.ui, themes[t], d.snap), SS_OK);
        const ss_scene *s = ss_ui_scene(d.ui, d.snap, &e, 20);
        for (int i = 0, n = s->nhit; i < n; i++) {
            ss_rect r = s->hit[i].rect;
            bool page = s->hit[i].kind == SS_H_COMMAND &&
                        strncmp(s->hit[i].command, "lesson", 6) == 0 && r.h == 1;
            ss_event ev = {.kind = SS_EV_MOVE, .x = r.x + 0.5, .y = r.y + 0.5};
            if (!page)
                continue;
            ss_ui_event(d.ui, &ev, s, d.snap);
            s = ss_ui_scene(d.ui, d.snap, &e, 20);
            check_hovered(s, r);
        }
    }
    close_fixture(&d);
}

/* A text offers no key that the lesson refuses. */
TEST(page, a_reason_offers_no_key_while_a_prediction_is_open)
{
    static const char why[] = "no cycle has been done yet; press , for one";
    char text[80];
    fixture d;
    open_fixture(&d);
    d.page->asks = SS_ASKS_NOTHING;
    ss_page_reason(d.ui, why, text, sizeof text);
    CHECK_STR(text, why);
    d.page->asks = SS_ASKS_NUMBER;
    ss_page_reason(d.ui, why, text, sizeof text);
    CHECK_STR(text, "no cycle has been done yet");
    close_fixture(&d);
}

TEST(page, a_number_can_be_typed)
{
    fixture d;
    open_fixture(&d);
    d.page->asks = SS_ASKS_NUMBER;
    key(&d, "-");
    key(&d, "1");
    key(&d, ".");
    key(&d, "5");
    CHECK_STR(key(&d, "enter"), "lesson predict -1.5");
    key(&d, "7");
    CHECK_STR(key(&d, "esc"), "");
    CHECK_STR(key(&d, "K"), "set k 13"); /* the drag has ended */
    close_fixture(&d);
}

/* --- histograms --------------------------------------------------------------------------------
 */

static int bar_length(fixture *d, const char *label)
{
    char line[1024];
    int n = 0;
    for (int y = 0; y < d->cells.rows; y++) {
        const char *at = strstr(ss_cells_row(&d->cells, y, line, sizeof line), label);
        for (; at && (at = strstr(at, "█")); at += strlen("█"))
            n++;
    }
    return n;
}

TEST(page, a_bar_is_as_long_as_its_count)
{
    static const int counts[] = {3, 0, 1, 7};
    static const char *const labels[] = {"6 to 7", "8 to 9", "10 to 11", "12 or more"};
    fixture d;
    open_fixture(&d);
    ss_page_clear(d.page);
    for (int i = 0; i < 4; i++)
        ss_page_add(d.page, SS_PG_BAR, labels[i])->bar =
            (ss_page_bar){counts[i], 7, i == 2, i == 3};
    ss_page_add(d.page, SS_PG_SCALE, "answers")->bar.most = 7;
    CHECK(shows(&d, "answers    0            7"));
    CHECK(shows(&d, "▸   10 to 11"));
    CHECK(shows(&d, "  ✓ 12 or more"));
    int unit = bar_length(&d, labels[2]);
    CHECK(unit >= 1);
    for (int i = 0; i < 4; i++)
        CHECK_INT(bar_length(&d, labels[i]), unit * counts[i]);
    d.page->block[3].bar.count = d.page->block[4].bar.most = 700;
    for (int i = 0; i < 4; i++)
        d.page->block[i].bar.most = 700;
    CHECK(shows(&d, " 700"));
    CHECK_INT(bar_length(&d, labels[0]), 1); /* something, as it is not 0 */
    CHECK_INT(bar_length(&d, labels[1]), 0);
    CHECK(bar_length(&d, labels[3]) > 7);
    close_fixture(&d);
}

/* --- scrolling -------------------------------------------------------------------------------- */

TEST(page, a_new_step_scrolls_the_page)
{
    fixture d;
    open_fixture(&d);
    CHECK(shows(&d, " ' scrolls: 6 more lines ")); /* by the key that does it */
    CHECK(shows(&d, "How much is enough?") && !shows(&d, "step 5"));
    d.page->from = d.page->nblock - 2;
    d.page->to = d.page->nblock;
    CHECK(!shows(&d, "step 5")); /* not by itself */
    d.page->turn++;
    CHECK(shows(&d, "step 5") && !shows(&d, "How much is enough?"));
    key(&d, "\"");
    key(&d, "\"");
    CHECK(shows(&d, "How much is enough?"));
    for (int i = 0; i < 9; i++)
        key(&d, "'");
    CHECK(shows(&d, "step 5"));
    key(&d, "T");
    CHECK(shows(&d, "T: the lesson") && shows(&d, "set that overlap") && !shows(&d, "step 5"));
    close_fixture(&d);
}

/* --- screens ---------------------------------------------------------------------------------- */

static void golden(const char *name, const ss_term_cells *c)
{
    static char got[TEXT_MAX], want[TEXT_MAX];
    char path[256], line[2048];
    size_t n = 0;
    const char *asked = getenv("SS_GOLDEN");
    bool write = asked && strcmp(asked, "write") == 0;
    for (int y = 0; y < c->rows; y++)
        n += (size_t)snprintf(got + n, sizeof got - n, "%s\n",
                              ss_cells_row(c, y, line, sizeof line));
    snprintf(path, sizeof path, "tests/ui/golden/%s.txt", name);
    FILE *f = fopen(path, write ? "w" : "r");
    CHECK_MSG(f, "%s cannot be opened (run the tests from the top folder)", path);
    want[write ? 0 : fread(want, 1, TEXT_MAX - 1, f)] = '\0';
    if (write)
        fputs(got, f);
    fclose(f);
    CHECK_MSG(write || strcmp(got, want) == 0,
              "%s differs; SS_GOLDEN=write makes it anew. It is now:\n%s", path, got);
}

static void shot(const char *name, int cols, int rows, const char *press)
{
    fixture d;
    open_fixture(&d);
    if (press)
        key(&d, press);
    draw_screen(&d, cols, rows);
    golden(name, &d.cells);
    close_fixture(&d);
}

TEST_CALL(page, screen_80x24, shot("page-80x24", 80, 24, NULL))
TEST_CALL(page, screen_120x40, shot("page-120x40", 120, 40, NULL))
TEST_CALL(page, screen_folded, shot("page-folded-80x24", 80, 24, "T"))

/* Too narrow for both: the page covers the run; folded, it shows the run. */
TEST_CALL(page, screen_60x20, shot("page-60x20", 60, 20, NULL))
