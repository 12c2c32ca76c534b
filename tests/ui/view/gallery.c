/* The gallery's keys and mouse. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ui/golden.h"
#define SCREEN_OPEN open_gallery
#include "tests/ui/fixture.h"

static ss_shelf shelf;

static void draw(fixture *d)
{
    static ss_paint how;
    how = (ss_paint){ss_glyphs_find("half"), 32, false, false, false};
    ss_extent e = {.cols = d->cols, .rows = d->rows, .dots_x = 1, .dots_y = 2};
    d->scene = ss_ui_scene(d->ui, d->snap, &e, 20);
    CHECK(ss_cells_resize(&d->cells, d->cols, d->rows));
    ss_cells_paint(&d->cells, d->scene, &how);
}

static void fill_lessons(ss_shelf *s)
{
    for (s->n = 0; s->n < 18; s->n++) {
        ss_shelf_item *it = &s->item[s->n];
        snprintf(it->number, sizeof it->number, "%02d", (s->n + 1) % 100);
        snprintf(it->title, sizeof it->title, "Lesson of %s", s->n % 2 ? "blocks" : "messages");
        snprintf(it->summary, sizeof it->summary,
                 "What is learnt here takes more than one line, and more than two on a card.");
        snprintf(it->command, sizeof it->command, "lesson open %02d", s->n + 1);
        it->steps = 4, it->done = s->n < 3 ? 4 : s->n == 3 ? 2 : 0;
    }
    s->at = 3;
}

static void open_gallery(fixture *d, int cols, int rows)
{
    open_screen(d, sample_2d(SS_VALUE, 58, 58), cols, rows);
    d->snap->deterministic = true;
    fill_lessons(&shelf);
    ss_ui_lessons(d->ui, &shelf);
    draw(d);
    CHECK_INT(sample_command(d->ui, "presets", d->snap), SS_OK);
    draw(d);
}

static const char *key(fixture *d, const char *name)
{
    press_key(d, name);
    draw(d);
    return d->log.last;
}

static void type(fixture *d, const char *text)
{
    for (; *text; text++)
        key(d, *text == ' ' ? "space" : (char[]){*text, '\0'});
}

static bool says(fixture *d, const char *text)
{
    char line[1024];
    for (int y = 0; y < d->rows; y++)
        if (strstr(ss_cells_row(&d->cells, y, line, sizeof line), text))
            return true;
    return false;
}

static void point_at(fixture *d, ss_event_kind kind, int card)
{
    for (int i = 0; i < d->scene->nhit; i++) {
        const ss_hit *h = &d->scene->hit[i];
        if ((h->kind != SS_H_PICK && h->kind != SS_H_SHELF) || h->index != card)
            continue;
        ss_event ev = {.kind = kind, .x = h->rect.x + 2, .y = h->rect.y + 1};
        ss_ui_event(d->ui, &ev, d->scene, d->snap);
        draw(d);
        return;
    }
    CHECK_MSG(false, "card %d is not seen", card);
}

/* --- screens ---------------------------------------------------------------------------------- */

TEST(screens, gallery)
{
    fixture d;
    open_gallery(&d, 80, 24);
    golden_check("gallery-80x24", &d.cells);
    close_fixture(&d);
    open_gallery(&d, 120, 40);
    golden_check("gallery-120x40", &d.cells);
    ss_ui_shelf(d.ui, &shelf);
    draw(&d);
    golden_check("gallery-lessons-120x40", &d.cells);
    close_fixture(&d);
}

/* A terminal has fewer dots than the stored picture has cells; a window has them all. */
SCREEN_TEST(gallery, cards_show_the_stored_pictures, 120, 40)
{
    const ss_image *im = &d->scene->thumb[1]; /* staleness */
    CHECK(im->w == 12 && im->h == 12 && !im->log);
    CHECK(im->cell[0] < 3 && im->cell[12 * 6 + 5] > im->cell[12 * 6 + 4]);
    ss_extent e = {.cols = 128, .rows = 40, .dots_x = 10, .dots_y = 20};
    d->scene = ss_ui_scene(d->ui, d->snap, &e, 20);
    CHECK(d->scene->thumb[1].w == SS_CARD_ROWS && d->scene->thumb[1].h == SS_CARD_ROWS);
    CHECK(d->scene->thumb[1].version != 0);
    draw(d);
    CHECK(says(d, "0 everywhere: nothing"));
}

SCREEN_TEST(gallery, lessons_say_how_far_they_are_done, 120, 40)
{
    CHECK(says(d, "Lessons (3 of 18 done)"));
    ss_ui_shelf(d->ui, &shelf);
    draw(d);
    CHECK(says(d, "03 · done ✓") && says(d, "04 · 2/4 done") && says(d, "05 · 4 steps"));
}

/* Every size draws, and the chosen card is on the screen. */
TEST(gallery, any_size_shows_the_chosen_card)
{
    static const int sizes[][2] = {{20, 8}, {30, 12}, {50, 16}, {79, 23}, {100, 30}, {240, 70}};
    for (int i = 0; i < 6; i++) {
        fixture d;
        open_gallery(&d, sizes[i][0], sizes[i][1]);
        for (int k = 0; k < 18; k++) {
            bool seen = false;
            for (int h = 0; h < d.scene->nhit; h++)
                seen = seen || (d.scene->hit[h].kind == SS_H_PICK && d.scene->hit[h].index == k);
            CHECK_MSG(seen, "%dx%d: card %d", sizes[i][0], sizes[i][1], k);
            key(&d, "right");
        }
        CHECK_INT(d.ui->picked, 0);
        close_fixture(&d);
    }
}

/* --- keys ------------------------------------------------------------------------------------- */

SCREEN_TEST(gallery, arrows_choose_and_enter_takes, 120, 40)
{
    key(d, "right");
    CHECK_INT(d->ui->picked, 1);
    key(d, "down");
    CHECK_INT(d->ui->picked, 5);
    key(d, "left"), key(d, "up");
    CHECK_INT(d->ui->picked, 0);
    key(d, "right");
    d->log.count = 0;
    key(d, "enter");
    CHECK(d->log.count >= 2 && !ss_gallery_is_open(d->ui));
    CHECK(says(d, "now press K, then O"));
}

SCREEN_TEST(gallery, letters_search, 120, 40)
{
    type(d, "shock tube");
    CHECK(says(d, "find: shock tube") && says(d, "Shock tube") && !says(d, "Classic Jacobi"));
    CHECK_INT(d->ui->cards.n, 1);
    type(d, " q"); /* a key before, a letter now */
    CHECK(says(d, "nothing has these words") && !ss_ui_wants_quit(d->ui));
    CHECK_STR(key(d, "enter"), "");
    CHECK(ss_gallery_is_open(d->ui));
    key(d, "backspace"), key(d, "backspace");
    CHECK(says(d, "Shock tube"));
    key(d, "esc"); /* forgets the words first */
    CHECK(says(d, "A line of points") && ss_gallery_is_open(d->ui));
    CHECK(says(d, "▸ Shock tube")); /* what was found stays chosen */
    key(d, "esc");
    CHECK(!ss_gallery_is_open(d->ui));
}

/* After a search the help shows everything. */
SCREEN_TEST(gallery, a_search_is_forgotten_when_a_card_is_taken, 120, 40)
{
    key(d, "/");
    type(d, "chaos");
    key(d, "enter");
    CHECK(!ss_gallery_is_open(d->ui));
    key(d, "?");
    CHECK(says(d, "pause or continue"));
}

SCREEN_TEST(gallery, a_lesson_that_is_found_is_opened, 120, 40)
{
    ss_ui_shelf(d->ui, &shelf);
    draw(d);
    CHECK_INT(d->ui->shelved, 3);
    type(d, "blocks 08");
    CHECK_STR(key(d, "enter"), "lesson open 08");
}

/* --- mouse ------------------------------------------------------------------------------------ */

SCREEN_TEST(gallery, the_mouse_chooses_when_it_moves_and_takes_when_pressed, 120, 40)
{
    point_at(d, SS_EV_MOVE, 6);
    CHECK_INT(d->ui->picked, 6);
    key(d, "right"); /* a mouse that rests does not take the choice back */
    CHECK_INT(d->ui->picked, 7);
    point_at(d, SS_EV_PRESS, 1);
    CHECK(!ss_gallery_is_open(d->ui) && says(d, "now press K, then O"));
}

SCREEN_TEST(gallery, the_wheel_scrolls_and_an_arrow_returns_to_the_choice, 80, 24)
{
    ss_event ev = {.kind = SS_EV_WHEEL, .x = 40, .y = 12, .dy = -1};
    CHECK(says(d, "Classic Jacobi") && says(d, "1–6 of 18"));
    ss_ui_event(d->ui, &ev, d->scene, d->snap);
    draw(d);
    CHECK(!says(d, "Classic Jacobi") && d->ui->picked == 0);
    for (int i = 0; i < 30; i++)
        ss_ui_event(d->ui, &ev, d->scene, d->snap);
    draw(d);
    CHECK(says(d, "Beyond the limit"));
    key(d, "right");
    CHECK(says(d, "▸ Stale halos"));
}
