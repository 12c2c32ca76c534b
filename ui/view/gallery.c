/* The gallery: presets and lessons as cards. Which cards the search finds, which one is chosen, and
 * its keys and mouse. The presets: read from the embedded assets/data/presets.txt, chosen and
 * started in the picker. See state.h, ui/scene/layout.h. Main thread only. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/text.h"
#include "src/base/common.h"
#include "ui/scene/text.h"
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

static void gallery_close(ss_ui *ui)
{
    ui->overlay = SS_K_MAIN;
    forget_search(ui);
}

/* Opens a tab with its card chosen; the search is forgotten. */
static void gallery_open(ss_ui *ui, ss_gallery_tab tab, int card)
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

/* presets move, lessons move: left|right|up|down */
static void gallery_move(ss_ui *ui, const char *way)
{
    int x, y, at = place_of(ui, ss_gallery_chosen(ui));
    if (at < 0 || !ss_ui_direction(way, &x, &y))
        return;
    ui->cards.lay.n = ui->cards.n;
    *chosen_in(ui, ss_gallery_tab_of(ui)) =
        ui->cards.shown[ss_cards_move(&ui->cards.lay, at, x, -y)];
    ui->cards.free = false;
}

/* presets find */
static void gallery_find(ss_ui *ui)
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

/* --- lessons ---------------------------------------------------------------------------------- */

void ss_ui_lessons(ss_ui *ui, const ss_shelf *shelf)
{
    ui->shelf = shelf;
}

void ss_ui_shelf(ss_ui *ui, const ss_shelf *shelf)
{
    ui->shelf = shelf;
    gallery_open(ui, SS_TAB_LESSONS, shelf->at);
}

static void shelf_move(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap)
{
    (void)snap;
    gallery_move(ui, cmd->arg[1]);
}

static void shelf_take(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap)
{
    (void)cmd;
    int card = ss_gallery_chosen(ui);
    if (card < 0 || ss_gallery_tab_of(ui) != SS_TAB_LESSONS)
        return;
    gallery_close(ui);
    ss_ui_send(ui, ui->shelf->item[card].command, snap);
}

/* Starts the run if it is still paused at its beginning and no lesson is open. */
static void shelf_close(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap)
{
    (void)cmd;
    gallery_close(ui);
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

/* --- presets ---------------------------------------------------------------------------------- */

static const char *copy_field(const char *p, const char *end, char *out, size_t size)
{
    const char *bar = memchr(p, '|', (size_t)(end - p));
    const char *stop = bar ? bar : end;
    while (p < stop && *p == ' ')
        p++;
    const char *last = stop;
    while (last > p && last[-1] == ' ')
        last--;
    snprintf(out, size, "%.*s", (int)(last - p), p);
    return bar ? bar + 1 : end;
}

/* name | title | what it shows | command; command */
static void parse_presets(ss_ui *ui, const char *text)
{
    while (*text && ui->npreset < SS_PRESET_MAX) {
        const char *end = strchr(text, '\n');
        end = end ? end : text + strlen(text);
        if (*text != '#' && memchr(text, '|', (size_t)(end - text))) {
            ss_preset *p = &ui->preset[ui->npreset++];
            const char *at = copy_field(text, end, p->name, sizeof p->name);
            at = copy_field(at, end, p->title, sizeof p->title);
            at = copy_field(at, end, p->help, sizeof p->help);
            copy_field(at, end, p->commands, sizeof p->commands);
        }
        text = *end ? end + 1 : end;
    }
}

void ss_presets_load(ss_ui *ui)
{
    ui->npreset = 0;
    for (const struct ss_embed *e = ss_embed; e->name; e++)
        if (strcmp(e->name, "assets/data/presets.txt") == 0)
            parse_presets(ui, (const char *)e->data);
}

/* --- the picker ------------------------------------------------------------------------------- */

void ss_ui_open_picker(ss_ui *ui)
{
    gallery_open(ui, SS_TAB_PRESETS, 0);
}

const char *ss_ui_preset(const ss_ui *ui, int i)
{
    return i >= 0 && i < ui->npreset ? ui->preset[i].commands : NULL;
}

/* A preset begins with a clean sheet: nothing of the run, the race or the view before it stays. */
static void start_preset(ss_ui *ui, int i, const ss_snapshot *snap)
{
    char commands[sizeof ui->preset[i].commands], *at = commands;
    ss_ui_send(ui, "drop others", snap);
    ss_ui_send(ui, "classic auto", snap);
    ss_ui_view_anew(ui);
    snprintf(commands, sizeof commands, "%s", ui->preset[i].commands);
    while (at && *at) {
        char *next = strchr(at, ';');
        if (next)
            *next++ = '\0';
        ss_ui_send(ui, at, snap);
        at = next;
    }
}

static void picker_open(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap)
{
    (void)cmd, (void)snap;
    gallery_open(ui, SS_TAB_PRESETS, ui->picked);
}

static void picker_move(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap)
{
    (void)snap;
    gallery_move(ui, cmd->arg[1]);
}

static void picker_find(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap)
{
    (void)cmd, (void)snap;
    gallery_find(ui);
}

static void start(ss_ui *ui, int i, const ss_snapshot *snap)
{
    gallery_close(ui);
    if (ui->page) /* a preset is a run of its own: the lesson's checks do not apply */
        ss_ui_send(ui, "lesson close", snap);
    start_preset(ui, i, snap);
}

static void picker_take(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap)
{
    (void)cmd;
    int card = ss_gallery_chosen(ui);
    if (card >= 0 && ss_gallery_tab_of(ui) == SS_TAB_PRESETS)
        start(ui, card, snap);
}

/* Starts the run if it is still paused at its beginning. */
static void picker_close(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap)
{
    (void)cmd;
    gallery_close(ui);
    if (snap->paused && snap->telemetry.value[SS_T_CYCLE] == 0)
        ss_ui_send(ui, "run", snap);
}

static int start_named(ss_ui *ui, const char *name, const ss_snapshot *snap, ss_err *err)
{
    for (int i = 0; i < ui->npreset; i++)
        if (strcmp(ui->preset[i].name, name) == 0) {
            start(ui, i, snap);
            return SS_OK;
        }
    return ss_fail(err, "presets: there is no preset '%.40s'", name);
}

int ss_presets_verb(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    static void (*const handlers[SS_NVERB])(ss_ui *, const ss_cmd *, const ss_snapshot *) = {
        [SS_VERB_PRESETS] = picker_open,
        [SS_VERB_PRESETS_MOVE] = picker_move,
        [SS_VERB_PRESETS_FIND] = picker_find,
        [SS_VERB_PRESETS_TAKE] = picker_take,
        [SS_VERB_PRESETS_CLOSE] = picker_close};
    if (cmd->row->id == SS_VERB_PRESETS && cmd->argc > 0)
        return start_named(ui, cmd->arg[0], snap, err);
    handlers[cmd->row->id](ui, cmd, snap);
    return SS_OK;
}
