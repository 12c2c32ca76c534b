/* A user interface under test: a synthetic snapshot, its scene, events of keys and the mouse.
 *
 *     SCREEN_TEST(events, q_quits, sample_2d(SS_VALUE, 58, 58), 120, 40)
 *     {
 *         CHECK_STR(press_key(d, "q"), "quit");
 *     }
 *
 * A file may open it in another way (SCREEN_OPEN), or take the commands itself (SCREEN_EMIT). */
#ifndef SS_TESTS_UI_FIXTURE_H
#define SS_TESTS_UI_FIXTURE_H

#include <stdio.h>
#include <string.h>

#include "src/app/tables.h"
#include "tests/check.h"
#include "tests/ui/samples.h"
#include "ui/panels/screen.h"
#include "ui/scene/items.h"
#include "ui/view/state.h"

#ifndef SCREEN_EMIT
#define SCREEN_EMIT sample_emit
#endif
#define SCREEN_UNUSED __attribute__((unused))

typedef struct fixture {
    sample_log log;
    ss_ui *ui;
    ss_snapshot *snap; /* freed by close_fixture */
    struct ss_scene *scene;
    ss_term_cells cells; /* of a file that paints them */
    ss_paint how;
    int cols, rows;
    bool window; /* tests of windows: pixels, a clock */
    double now;
} fixture;

SCREEN_UNUSED static void draw_screen(fixture *d)
{
    ss_extent e = {.cols = d->cols, .rows = d->rows, .dots_x = 1, .dots_y = 2};
    d->scene = ss_ui_scene(d->ui, d->snap, &e, 20);
}

/* As a new snapshot. */
SCREEN_UNUSED static void renew_screen(fixture *d)
{
    d->snap->seq++;
    draw_screen(d);
}

SCREEN_UNUSED static void open_screen(fixture *d, ss_snapshot *snap, int cols, int rows)
{
    *d = (fixture){.snap = snap, .cols = cols, .rows = rows};
    ss_tables_init();
    d->ui = ss_ui_new(SCREEN_EMIT, &d->log, NULL);
    CHECK(d->ui != NULL);
    draw_screen(d);
}

SCREEN_UNUSED static void close_fixture(fixture *d)
{
    ss_cells_free(&d->cells);
    sample_free(d->snap);
    ss_ui_free(d->ui);
}

/* The event, and what it has emitted. */
SCREEN_UNUSED static const char *send_event(fixture *d, const ss_event *ev)
{
    d->log.last[0] = '\0';
    ss_ui_event(d->ui, ev, d->scene, d->snap);
    return d->log.last;
}

SCREEN_UNUSED static const char *press_key(fixture *d, const char *key)
{
    ss_event ev = {.kind = SS_EV_KEY};
    snprintf(ev.key, sizeof ev.key, "%s", key);
    return send_event(d, &ev);
}

/* A text of the screen that contains `part`; NULL: none. */
SCREEN_UNUSED static const char *text_with(const fixture *d, const char *part)
{
    for (int i = 0; i < d->scene->nitem; i++)
        if (d->scene->item[i].kind == SS_I_TEXT && strstr(d->scene->item[i].text, part))
            return d->scene->item[i].text;
    return NULL;
}

SCREEN_UNUSED static bool shows(const fixture *d, const char *text)
{
    return text_with(d, text) != NULL;
}

/* index -1: the first of its kind. */
SCREEN_UNUSED static const ss_hit *hit_of(const fixture *d, ss_hit_kind kind, int index)
{
    for (int i = 0; i < d->scene->nhit; i++)
        if (d->scene->hit[i].kind == kind && (index < 0 || d->scene->hit[i].index == index))
            return &d->scene->hit[i];
    return NULL;
}

#ifndef SCREEN_OPEN
#define SCREEN_OPEN open_screen
#endif
#define SCREEN_TEST(suite, name, ...)                                                              \
    static void suite##_##name##_on(fixture *d);                                                   \
    TEST(suite, name)                                                                              \
    {                                                                                              \
        fixture d;                                                                                 \
        SCREEN_OPEN(&d, ##__VA_ARGS__);                                                            \
        suite##_##name##_on(&d);                                                                   \
        close_fixture(&d);                                                                         \
    }                                                                                              \
    static void suite##_##name##_on(fixture *d)

#endif
