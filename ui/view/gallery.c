/* The gallery: presets and lessons as cards. Which cards the search finds, which one is chosen, and
 * its keys and mouse. See state.h, ui/scene/cards.h. Main thread only. */
#include <stdio.h>
#include <string.h>

#include "src/base/common.h"
#include "ui/scene/find.h"
#include "ui/view/state.h"

bool ss_gallery_is_open(const ss_ui *ui)
{
    return ui->overlay == SS_K_PICKER || ui->overlay == SS_K_SHELF;
}

ss_gallery_tab ss_gallery_tab_of(const ss_ui *ui)
{
    return ui->overlay == SS_K_SHELF ? SS_TAB_LESSONS : SS_TAB_PRESETS;
}

static int *chosen_in(ss_ui *ui, ss_gallery_tab tab)
{
    return tab == SS_TAB_LESSONS ? &ui->shelved : &ui->picked;
}

int ss_gallery_count(const ss_ui *ui)
{
    int n = ss_gallery_tab_of(ui) == SS_TAB_PRESETS ? ui->npreset : ui->shelf ? ui->shelf->n : 0;
    return ss_clamp(n, 0, SS_SHELF_MAX);
}

static void forget_search(ss_ui *ui)
{
    ui->finding = false;
    ui->find[0] = '\0';
}

void ss_gallery_close(ss_ui *ui)
{
    ui->overlay = SS_K_MAIN;
    forget_search(ui);
}

void ss_gallery_open(ss_ui *ui, ss_gallery_tab tab, int card)
{
    ui->overlay = tab == SS_TAB_LESSONS ? SS_K_SHELF : SS_K_PICKER;
    *chosen_in(ui, tab) = card;
    forget_search(ui);
    ui->cards.free = false;
    ui->cards.first = 0;
    ss_gallery_follow(ui);
}

/* --- cards ------------------------------------------------------------------------------------ */

const char *ss_gallery_title(const ss_ui *ui, int card)
{
    return ss_gallery_tab_of(ui) == SS_TAB_LESSONS ? ui->shelf->item[card].title
                                                   : ui->preset[card].title;
}

const char *ss_gallery_words(const ss_ui *ui, int card)
{
    return ss_gallery_tab_of(ui) == SS_TAB_LESSONS ? ui->shelf->item[card].summary
                                                   : ui->preset[card].help;
}

/* A preset is found by its commands, too. */
static bool is_found(const ss_ui *ui, int card)
{
    char all[1024];
    bool lesson = ss_gallery_tab_of(ui) == SS_TAB_LESSONS;
    snprintf(all, sizeof all, "%s %s %s", ss_gallery_title(ui, card), ss_gallery_words(ui, card),
             lesson ? ui->shelf->item[card].number : ui->preset[card].commands);
    return ss_find_has(all, ui->find);
}

/* The place of the chosen card among those that are found; -1: it is not. */
static int place_of(const ss_ui *ui, int card)
{
    for (int i = 0; i < ui->cards.n; i++)
        if (ui->cards.shown[i] == card)
            return i;
    return -1;
}

void ss_gallery_follow(ss_ui *ui)
{
    int *card = chosen_in(ui, ss_gallery_tab_of(ui));
    ui->cards.n = 0;
    for (int i = 0; i < ss_gallery_count(ui); i++)
        if (is_found(ui, i))
            ui->cards.shown[ui->cards.n++] = i;
    if (ui->cards.n > 0 && place_of(ui, *card) < 0)
        *card = ui->cards.shown[0];
}

int ss_gallery_chosen(const ss_ui *ui)
{
    if (!ss_gallery_is_open(ui))
        return -1;
    int card = ss_gallery_tab_of(ui) == SS_TAB_LESSONS ? ui->shelved : ui->picked;
    return place_of(ui, card) >= 0 ? card : -1;
}

void ss_gallery_move(ss_ui *ui, const char *way)
{
    int x, y, at = place_of(ui, ss_gallery_chosen(ui));
    if (at < 0 || !ss_ui_direction(way, &x, &y))
        return;
    ui->cards.lay.n = ui->cards.n;
    *chosen_in(ui, ss_gallery_tab_of(ui)) =
        ui->cards.shown[ss_cards_move(&ui->cards.lay, at, x, -y)];
    ui->cards.free = false;
}

void ss_gallery_find(ss_ui *ui)
{
    ui->finding = true;
}

/* --- events ----------------------------------------------------------------------------------- */

/* A letter begins the search unless it is a key; then every letter adds to the words, and esc
 * forgets them. Other keys choose among what is found. */
bool ss_gallery_key(ss_ui *ui, const char *key)
{
    bool letter = key[0] & 0x80 || (key[0] > ' ' && !key[1]);
    if (!ss_gallery_is_open(ui) || (!ui->finding && (!letter || ss_key_find(ui->overlay, key))))
        return false;
    if (ui->finding && strcmp(key, "esc") == 0) {
        forget_search(ui);
    } else if (!ss_key_type(key, ui->find, sizeof ui->find)) {
        return false;
    } else {
        ui->finding = true;
    }
    ui->cards.free = false;
    ss_gallery_follow(ui);
    return true;
}

static bool is_card(const ss_hit *h)
{
    return h && (h->kind == SS_H_PICK || h->kind == SS_H_SHELF);
}

void ss_gallery_press(ss_ui *ui, const ss_hit *h, const ss_snapshot *snap)
{
    if (!is_card(h) || !ss_gallery_is_open(ui))
        return;
    *chosen_in(ui, ss_gallery_tab_of(ui)) = h->index;
    ss_ui_send(ui, h->kind == SS_H_SHELF ? "lessons take" : "presets take", snap);
}

/* The mouse chooses the card below it when it moves. */
bool ss_gallery_pointed(ss_ui *ui, const struct ss_scene *scene, const ss_event *ev)
{
    const ss_hit *h = scene && ss_gallery_is_open(ui) ? ss_scene_at(scene, ev->x, ev->y) : NULL;
    if (!is_card(h) || h->index == ss_gallery_chosen(ui))
        return false;
    *chosen_in(ui, ss_gallery_tab_of(ui)) = h->index;
    ui->cards.free = true;
    return true;
}

void ss_gallery_scroll(ss_ui *ui, int rows)
{
    if (!ss_gallery_is_open(ui))
        return;
    ui->cards.first += rows;
    ui->cards.free = true;
}

/* --- lessons --------------------------------------------------------------------------------- */

void ss_ui_lessons(ss_ui *ui, const ss_shelf *shelf)
{
    ui->shelf = shelf;
}

void ss_ui_shelf(ss_ui *ui, const ss_shelf *shelf)
{
    ui->shelf = shelf;
    ss_gallery_open(ui, SS_TAB_LESSONS, shelf->at);
}

static void shelf_move(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap)
{
    (void)snap;
    ss_gallery_move(ui, cmd->arg[1]);
}

static void shelf_take(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap)
{
    (void)cmd;
    int card = ss_gallery_chosen(ui);
    if (card < 0 || ss_gallery_tab_of(ui) != SS_TAB_LESSONS)
        return;
    ss_gallery_close(ui);
    ss_ui_send(ui, ui->shelf->item[card].command, snap);
}

/* Starts the run if it is still paused at its beginning and no lesson is open. */
static void shelf_close(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap)
{
    (void)cmd;
    ss_gallery_close(ui);
    if (!ui->page && snap->paused && !(snap->telemetry.value[SS_T_CYCLE] > 0))
        ss_ui_send(ui, "run", snap);
}

int ss_shelf_verb(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    static void (*const handlers[SS_NVERB])(ss_ui *, const ss_cmd *, const ss_snapshot *) = {
        [SS_VERB_LESSONS_MOVE] = shelf_move,
        [SS_VERB_LESSONS_TAKE] = shelf_take,
        [SS_VERB_LESSONS_CLOSE] = shelf_close};
    (void)err;
    handlers[cmd->row->id](ui, cmd, snap);
    return SS_OK;
}
