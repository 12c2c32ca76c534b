/* Input of the lesson's page: folding, scrolling and answers. See state.h,
 * src/snapshot/page.h. Main thread only. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/view/state.h"

ss_page_place ss_page_place_of(const ss_ui *ui)
{
    return !ui->page || ui->in_order || ui->map.open ? SS_PAGE_NONE
           : ui->page_folded                         ? SS_PAGE_FOLDED
                                                     : SS_PAGE_BESIDE;
}

bool ss_page_awaits(const ss_ui *ui)
{
    return ui->page && ui->page->asks != SS_ASKS_NOTHING;
}

void ss_page_reason(const ss_ui *ui, const char *why, char *buf, size_t size)
{
    static const char *const offers[] = {"; press ", "; space "};
    snprintf(buf, size, "%s", why);
    for (size_t i = 0; i < sizeof offers / sizeof *offers && ss_page_awaits(ui); i++) {
        char *offer = strstr(buf, offers[i]);
        if (offer)
            *offer = '\0';
    }
}

void ss_page_turns_to(ss_ui *ui, ss_page_turn to)
{
    ui->page_panel = to == SS_TURN_CONTROLS ? ui->layout.controls_turn : 0;
}

static void open_answer(ss_ui *ui, const char *first)
{
    ui->typing = ui->answering = ui->page_shows_field = true;
    snprintf(ui->entry, sizeof ui->entry, "%s", first);
}

/* --- numbers that are drawn ------------------------------------------------------------------- */

double ss_page_said(const ss_ui *ui)
{
    if (!ui->page || ui->page->drawn == SS_DRAWN_NOTHING)
        return (double)NAN;
    bool typed = ui->typing && ui->answering && *ui->entry;
    return typed ? strtod(ui->entry, NULL) : ui->page->said;
}

/* Points from the nearer end of a block whose last point is `last`. */
static double depth_at(double x, double last)
{
    double i = fmin(fmax(round(x), 0), last);
    return fmin(i, last - i) + 1;
}

static double cycle_at(double x, double last)
{
    (void)last;
    return fmax(round(x), 0);
}

static const struct {
    ss_abscissa x_is;
    double (*number)(double x, double last);
} drawn[SS_PAGE_NDRAWN] = {
    [SS_DRAWN_DEPTH] = {SS_X_POSITION, depth_at}, [SS_DRAWN_CYCLES] = {SS_X_COST, cycle_at}};

bool ss_page_draws(const ss_ui *ui, ss_abscissa x_is)
{
    return ui->page && ui->page->asks == SS_ASKS_NUMBER && drawn[ui->page->drawn].number &&
           drawn[ui->page->drawn].x_is == x_is;
}

bool ss_page_draw(ss_ui *ui, ss_abscissa x_is, double x, double last)
{
    char text[32];
    if (!ss_page_draws(ui, x_is))
        return false;
    snprintf(text, sizeof text, "%.0f", drawn[ui->page->drawn].number(x, last));
    open_answer(ui, text);
    return true;
}

int ss_page_verb(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    (void)snap, (void)err;
    if (cmd->row->id == SS_VERB_LESSON_FOLD)
        ui->page_folded = !ui->page_folded;
    else if (cmd->row->id == SS_VERB_LESSON_ANSWER)
        open_answer(ui, "");
    else if (cmd->row->id == SS_VERB_LESSON_PANEL)
        ui->page_panel = ui->page_panel + 1 < ui->layout.turns ? ui->page_panel + 1 : 0;
    else
        ui->page_scroll += atoi(cmd->arg[1]);
    return SS_OK;
}

/* The first character of a number opens the entry. */
static bool begin_answer(ss_ui *ui, const char *key)
{
    static const char starts[] = "-.0123456789";
    if (!strchr(starts, key[0]) || key[1])
        return false;
    open_answer(ui, key);
    return true;
}

bool ss_page_key(ss_ui *ui, const char *key, const ss_snapshot *snap)
{
    const ss_page *p = ui->page;
    const ss_key *k = NULL;
    if (!p || ui->typing)
        return false;
    if (!ui->brush.on && p->asks == SS_ASKS_NUMBER && begin_answer(ui, key))
        return true;
    if (!ui->brush.on && p->asks == SS_ASKS_CHOICE)
        k = ss_key_find(SS_K_ANSWER, key);
    if (k || (k = ss_key_find(SS_K_PAGE, key)) != NULL)
        ss_ui_send(ui, k->command, snap);
    return k != NULL;
}
