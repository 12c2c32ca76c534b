/* The list of lessons on the screen, and opening and leaving them next to the run. See tutor.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/app/tutor.h"
#include "src/base/text.h"

/* --- the list --------------------------------------------------------------------------------- */

static void fill_item(ss_shelf_item *item, const ss_lesson *l, const ss_progress *p)
{
    int done = ss_progress_count(p);
    *item = (ss_shelf_item){.done = done, .steps = l->nstep};
    snprintf(item->number, sizeof item->number, "%.*s", (int)strspn(l->name, "0123456789"),
             l->name);
    snprintf(item->title, sizeof item->title, "%.63s", l->title);
    snprintf(item->summary, sizeof item->summary, "%.399s", l->summary);
    ss_utf8_trim(item->title);
    ss_utf8_trim(item->summary);
    if (done > 0)
        snprintf(item->progress, sizeof item->progress, "%d/%d done", done, l->nstep);
    snprintf(item->command, sizeof item->command, "lesson open %.63s", l->name);
}

/* From the embedded lessons and the saved progress. at: a lesson to begin at; NULL: the first that
 * is not done. */
static void fill_shelf(ss_tutor *t, const ss_lesson *at)
{
    const struct ss_embed *e;
    ss_shelf *shelf = &t->shelf;
    bool found = false;
    shelf->n = shelf->at = 0;
    for (int i = 0; (e = ss_lesson_embedded(i)) && shelf->n < SS_SHELF_MAX; i++) {
        ss_err err;
        ss_progress p;
        ss_lesson *l = ss_lesson_parse(e->name, (const char *)e->data, e->size, &err);
        if (!l)
            continue;
        ss_progress_load(l->name, &p);
        bool wanted = at ? strcmp(at->name, l->name) == 0 : ss_progress_count(&p) < l->nstep;
        if (wanted && !found) {
            shelf->at = shelf->n;
            found = true;
        }
        fill_item(&shelf->item[shelf->n++], l, &p);
        ss_lesson_free(l);
    }
}

void ss_app_lessons_known(app *a)
{
    bool was_open = a->gallery;
    a->gallery = ss_gallery_is_open(a->ui);
    if (!a->tutor || was_open || !a->gallery)
        return;
    fill_shelf(a->tutor, a->tutor->lesson);
    ss_ui_lessons(a->ui, &a->tutor->shelf);
}

static void show(app *a, const ss_lesson *at)
{
    fill_shelf(a->tutor, at);
    ss_ui_shelf(a->ui, &a->tutor->shelf);
    a->must_draw = true;
}

int ss_app_lessons_verb(app *a, const ss_cmd *cmd, ss_err *err)
{
    (void)cmd;
    if (!a->tutor)
        return ss_fail(err, "lessons need a screen: stencilscope lesson lists them");
    if (ss_app_lesson_is_open(a))
        ss_session_save(&a->tutor->session, err);
    show(a, a->tutor->lesson);
    return SS_OK;
}

/* --- opening and leaving ---------------------------------------------------------------------- */

/* An embedded lesson that was parsed before, or is now. */
static const ss_lesson *lesson_of(ss_tutor *t, const char *name, ss_err *err)
{
    for (int i = 0; i < t->nopened; i++)
        if (strcmp(t->opened[i]->name, name) == 0)
            return t->opened[i];
    if (t->nopened == SS_SHELF_MAX) {
        ss_fail(err, "%d lessons have been opened; start the program again", SS_SHELF_MAX);
        return NULL;
    }
    ss_lesson *l = ss_lesson_find(name, err);
    for (int i = 0; l && i < t->nopened; i++) /* the name was a part of it */
        if (strcmp(t->opened[i]->name, l->name) == 0) {
            ss_lesson_free(l);
            return t->opened[i];
        }
    if (l)
        t->opened[t->nopened++] = l;
    return l;
}

static void begin(app *a, const ss_lesson *l)
{
    ss_tutor *t = a->tutor;
    ss_err err;
    if (ss_ui_map_is_open(a->ui))
        ss_app_emit(a, "map close", &err);
    t->lesson = l;
    t->begun = false;
    t->lines.step = 0; /* its page begins with its title */
    ss_app_session(a->fe, l, &t->session);
    ss_engine_lesson(a->engine, true);
}

int ss_tutor_open(app *a, const char *name, ss_err *err)
{
    ss_tutor *t = a->tutor;
    const ss_lesson *l = lesson_of(t, name, err);
    ss_err why;
    if (!l)
        return SS_FAIL;
    if (t->lesson)
        ss_tutor_report(a, ss_session_save(&t->session, &why), &why);
    begin(a, l);
    return SS_OK;
}

/* The run stays as it is. */
int ss_tutor_close(app *a, ss_err *err)
{
    ss_tutor *t = a->tutor;
    (void)err;
    ss_err why = {0};
    ss_tutor_report(a, ss_session_save(&t->session, &why), &why);
    t->lesson = NULL;
    ss_script_free(&t->queue);
    t->play.verb[0] = '\0';
    t->setting = t->trying = false;
    ss_ui_sets_up(a->ui, false);
    ss_examiner_begin(t->examiner, NULL, -1);
    ss_engine_lesson(a->engine, false);
    ss_ui_page(a->ui, NULL);
    ss_app_emit(a, "pause", &why);
    if (t->moved)
        ss_app_emit(a, "set backend auto", &why);
    t->moved = false;
    return SS_OK;
}

int ss_tutor_leave(app *a, ss_err *err)
{
    const ss_lesson *left = a->tutor->lesson;
    int status = ss_tutor_close(a, err);
    show(a, left);
    return status;
}

int ss_tutor_follow(app *a, ss_err *err)
{
    ss_tutor *t = a->tutor;
    char next[64];
    if (ss_lesson_next(t->lesson, next, sizeof next))
        return ss_tutor_open(a, next, err);
    return ss_fail(err, "that was the last step of the last lesson%s",
                   t->lines.on ? "" : ": J goes back, Q shows the list");
}
