/* Turns events into commands: keys through the key table, the mouse through the areas of the scene.
 * See view.h, state.h. Main thread only. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/registry.h"
#include "ui/view/state.h"

/* --theme; the first theme if the registry is not initialised, as in some tests. */
static const ss_theme *asked_theme(void)
{
    const ss_param *row = ss_param_find(ss_options(), "theme", NULL);
    const ss_theme *t =
        row ? ss_theme_find(row->choices[ss_config_value(ss_options(), row).i]) : NULL;
    return t ? t : &ss_themes[0];
}

ss_ui *ss_ui_new(ss_ui_emit *emit, void *ctx, ss_err *err)
{
    ss_ui *ui = calloc(1, sizeof *ui);
    if (!ui) {
        ss_fail(err, "out of memory: the user interface needs %zu bytes", sizeof *ui);
        return NULL;
    }
    ui->emit = emit;
    ui->ctx = ctx;
    ui->view = (ss_view){.w = 64, .h = 64};
    ss_ui_view_anew(ui);
    ui->mouse_x = ui->mouse_y = -1;
    ui->filming = -1;
    ui->grid = true;
    ui->theme = asked_theme();
    const ss_param *theme = ss_param_find(ss_options(), "theme", NULL);
    ui->theme_chosen = theme && ss_options()->v[theme->slot].set;
    ss_presets_load(ui);
    return ui;
}

void ss_ui_free(ss_ui *ui)
{
    if (!ui)
        return;
    free(ui->picture);
    free(ui->copy.data);
    free(ui->wipe.cell);
    free(ui->wipe.difference);
    free(ui);
}

const ss_view *ss_ui_view(ss_ui *ui)
{
    return &ui->view;
}

void ss_ui_clock(ss_ui *ui, double now)
{
    ui->now = now;
}

bool ss_ui_wants_quit(const ss_ui *ui)
{
    return ui->quit;
}

void ss_ui_page(ss_ui *ui, const ss_page *page)
{
    ui->page = page;
}

void ss_ui_will_say(ss_ui *ui)
{
    ui->will_say = true;
}

void ss_ui_in_order(ss_ui *ui)
{
    ui->in_order = true;
}

bool ss_ui_wants_roofs(const ss_ui *ui)
{
    return ui->cost.page == SS_COST_ROOFLINE && !ui->in_order;
}

void ss_ui_roofs(ss_ui *ui, const ss_roofs *roofs, const char *why)
{
    ui->cost.roofs = roofs;
    ui->cost.no_roofs = why;
}

void ss_ui_recording(ss_ui *ui, int n)
{
    ui->recording = n;
}

void ss_ui_filming(ss_ui *ui, int64_t cycle, int64_t end)
{
    ui->filming = cycle;
    ui->film_end = end;
}

static uint64_t send_from(ss_ui *ui, const char *line, bool from_file, const ss_snapshot *snap)
{
    ss_cmd cmd;
    ss_err err = {0};
    uint64_t ticket = 0;
    int status = ss_cmd_parse(line, &cmd, &err);
    cmd.from_file = from_file;
    if (status == SS_OK && !cmd.verb)
        return 0;
    if (status == SS_OK && cmd.row->side == SS_SIDE_ENGINE && (cmd.verb->flags & SS_V_SOLVES) &&
        cmd.argc == 0) /* run, toggle, step, tick: the curve is wanted now */
        ss_page_turns_to(ui, SS_TURN_FIRST);
    /* The program decides which files a command from a file may write. */
    bool writes = from_file && status == SS_OK && (cmd.verb->flags & SS_V_WRITES);
    if (status == SS_OK && cmd.row->side == SS_SIDE_SCREEN && !writes)
        ticket = ss_ui_command(ui, &cmd, snap, &err) == SS_OK;
    else if (status == SS_OK)
        ticket = ui->emit(ui->ctx, &cmd, &err);
    if (!ticket && *err.text)
        ss_ui_say(ui, true, err.text);
    if (ticket && (cmd.verb->flags & SS_V_OPENS))
        ui->opening = ticket;
    return ticket;
}

uint64_t ss_ui_send(ss_ui *ui, const char *line, const ss_snapshot *snap)
{
    return send_from(ui, line, false, snap);
}

bool ss_ui_is_double(const ss_ui *ui, double before)
{
    static const double most = 0.4; /* seconds */
    return ui->now > 0 && ui->now - before < most;
}

/* --- keys ------------------------------------------------------------------------------------- */

static const ss_binding *bound(const ss_ui *ui, const char *key)
{
    for (int i = 0; i < ui->nbinding; i++)
        if (strcmp(ui->binding[i].key, key) == 0)
            return &ui->binding[i];
    return NULL;
}

/* k lowers the parameter with the key "k", K raises it. */
static bool parameter_key(ss_ui *ui, const char *key, const ss_snapshot *snap)
{
    if (!key[0] || key[1] || !snap)
        return false;
    bool upper = key[0] >= 'A' && key[0] <= 'Z';
    char lower[2] = {upper ? (char)(key[0] - 'A' + 'a') : key[0], '\0'};
    for (int i = 0; i < snap->ncontrol; i++) {
        const ss_control *c = &snap->control[i];
        if (!c->row->key || strcmp(c->row->key, lower) != 0)
            continue;
        ss_ui_focus(ui, c->row->name, snap);
        ss_ui_step(ui, c, upper ? 1 : -1);
        return true;
    }
    return false;
}

/* A digit starts a number for the focused control; further printable characters are added to it. */
static bool typed(ss_ui *ui, const char *key, const ss_snapshot *snap)
{
    bool digit = key[0] >= '0' && key[0] <= '9' && !key[1];
    if (ui->typing && strcmp(key, "space") != 0)
        return ss_key_type(key, ui->entry, sizeof ui->entry);
    int i = snap ? ss_ui_focused(ui, snap) : -1;
    if (!digit || i < 0 || bound(ui, key))
        return false;
    const ss_param *row = snap->control[i].row;
    if (row->type == SS_CHOICE || row->type == SS_BOOL)
        return false;
    ss_ui_focus(ui, row->name, snap);
    ui->typing = true;
    ui->entry[0] = '\0';
    return ss_key_type(key, ui->entry, sizeof ui->entry);
}

/* While the help is searched: characters add to the words, esc forgets them, enter keeps them. */
static bool find_key(ss_ui *ui, const char *key)
{
    if (strcmp(key, "esc") == 0 || strcmp(key, "enter") == 0) {
        ui->finding = false;
        if (key[1] != 'n')
            ui->find[0] = '\0';
    } else if (!ss_key_type(key, ui->find, sizeof ui->find)) {
        return false;
    }
    ui->scroll = 0;
    return true;
}

static bool key_event(ss_ui *ui, const char *key, const ss_snapshot *snap)
{
    const ss_key *k = NULL;
    ui->message[0] = '\0';
    ui->arranging.marked = false;
    if (ui->overlay == SS_K_HELP && ui->finding && find_key(ui, key))
        return true;
    if (ss_gallery_key(ui, key))
        return true;
    if (ui->overlay != SS_K_MAIN) {
        k = ss_key_find(ui->overlay, key);
        if (!k)
            return false;
        ss_ui_send(ui, k->command, snap);
        return true;
    }
    if (ui->prompt.on) {
        k = ss_key_find(SS_K_PROMPT, key);
        if (k)
            ss_ui_send(ui, k->command, snap);
        else
            ss_prompt_type(ui, key);
        return true;
    }
    if (ui->map.open) { /* other keys change the run */
        if ((k = ss_key_find(SS_K_MAP, key)) != NULL)
            ss_ui_send(ui, k->command, snap);
        else
            parameter_key(ui, key, snap);
        return true;
    }
    if (ui->typing && (k = ss_key_find(SS_K_ENTRY, key)) != NULL) {
        ss_ui_send(ui, k->command, snap);
        return true;
    }
    const ss_binding *own = bound(ui, key);
    bool curve = ui->charts.cursor && ss_key_find(SS_K_CURSOR, key);
    if ((!own && ss_page_key(ui, key, snap)) || (!curve && typed(ui, key, snap)))
        return true;
    ss_key_context over = ui->brush.on                 ? SS_K_BRUSH
                          : ui->probing                ? SS_K_PROBE
                          : ui->charts.cursor          ? SS_K_CURSOR
                          : ss_wipe_has_keys(ui, snap) ? SS_K_WIPE
                                                       : SS_K_MAIN;
    if (over != SS_K_MAIN)
        k = ss_key_find(over, key);
    if (own && !k)
        send_from(ui, own->command, own->from_file, snap);
    else if (k || (k = ss_key_find(SS_K_MAIN, key)) != NULL)
        ss_ui_send(ui, k->command, snap);
    else
        parameter_key(ui, key, snap);
    return true;
}

/* --- a dropped file becomes a command --------------------------------------------------------- */

/* By the end of the file's name. */
static const struct {
    const char *suffix;
    ss_verb_id verb;
} kinds[] = {{".npy", SS_VERB_LOAD}, {".ckpt", SS_VERB_LOAD}, {".run", SS_VERB_PLAY}};

static const ss_verb *verb_for(const char *path)
{
    size_t n = strlen(path);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t end = strlen(kinds[i].suffix);
        if (n > end && strcmp(path + n - end, kinds[i].suffix) == 0)
            return &ss_verbs[kinds[i].verb];
    }
    return NULL;
}

/* A file was dropped on the window: it is loaded or played. */
static void ui_drop(ss_ui *ui, const char *path, const ss_snapshot *snap)
{
    char line[2 * SS_CMD_TEXT], text[160];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const ss_verb *verb = verb_for(path);
    const char *why = ui->map.open                 ? "the map is open: esc closes it"
                      : strlen(path) > SS_CMD_TEXT ? "its path is too long"
                      : !verb ? "not a field (.npy), a state (.ckpt) or a session (.run)"
                              : NULL;
    ui->message[0] = '\0';
    if (why) {
        snprintf(text, sizeof text, "%.60s: %s", name, why);
        ss_ui_say(ui, true, text);
        return;
    }
    const ss_cmd cmd = {.verb = verb, .row = verb, .argc = 1, .arg = {path}};
    snprintf(text, sizeof text, "%s %.100s", verb->name, name);
    if (ss_ui_send(ui, ss_cmd_format(&cmd, line, sizeof line), snap))
        ss_ui_say(ui, false, text);
}

/* --- mouse ------------------------------------------------------------------------------------ */

static void move_slider(ss_ui *ui, const struct ss_scene *scene, const ss_snapshot *snap, double x)
{
    for (int i = 0; i < scene->nhit; i++) {
        const ss_hit *h = &scene->hit[i];
        if (h->kind != SS_H_SLIDER || h->index != ui->drag || h->index >= snap->ncontrol)
            continue;
        const ss_control *c = &snap->control[h->index];
        double f = (x - 0.5 - h->rect.x) / (h->rect.w > 1 ? h->rect.w - 1 : 1);
        ss_ui_set(ui, c, ss_track_at(c->row, &c->track, f));
    }
}

static void probe_point(ss_ui *ui, const struct ss_scene *scene, const ss_hit *h,
                        const ss_event *ev, const ss_snapshot *snap)
{
    ss_box2 w = ss_ui_window(&ui->view, snap);
    double fx = (ev->x - h->rect.x) / h->rect.w, fy = (ev->y - h->rect.y) / h->rect.h;
    ss_hover at = ss_hover_at(scene, ev->x, ev->y);
    if (ss_chart_of_item(scene, at.item) >= 0) /* the point that the mouse was told */
        fx = at.part.x;
    int x = (int)(w.x0 + fx * (w.x1 - w.x0)), y = (int)ceil(w.y1 - fy * (w.y1 - w.y0)) - 1;
    char line[64];
    if (snap->dim == 1)
        y = 0;
    snprintf(line, sizeof line, "view probe %d %d", x, y);
    ss_ui_send(ui, line, snap);
}

/* A click closes these. */
static const bool closes[SS_NCONTEXT] = {
    [SS_K_HELP] = true, [SS_K_COPY] = true, [SS_K_EXPLAIN] = true, [SS_K_KERNEL] = true};

static void press(ss_ui *ui, const ss_event *ev, const struct ss_scene *scene,
                  const ss_snapshot *snap)
{
    const ss_hit *h =
        ev->finger ? ss_scene_near(scene, ev->x, ev->y) : ss_scene_at(scene, ev->x, ev->y);
    ui->dragging = ui->dragged = ui->looking = ui->panning = false;
    ui->message[0] = '\0';
    if (closes[ui->overlay])
        ui->overlay = SS_K_MAIN;
    if (!h)
        return;
    if (h->kind == SS_H_COMMAND)
        ss_ui_send(ui, h->command, snap);
    ss_gallery_press(ui, h, snap);
    if (h->kind == SS_H_BAR && ev->button == 0)
        ss_range_press(ui, h, ev);
    if (h->kind == SS_H_STRIP)
        ss_strip_press(ui, h, ev, snap);
    if (h->kind == SS_H_WIPE && ev->button == 0)
        ss_wipe_press(ui);
    if (h->kind == SS_H_GUTTER || h->kind == SS_H_TITLE)
        ss_arrange_press(ui, h, ev, snap);
    if (h->kind == SS_H_CHART)
        ss_chart_press(ui, scene, h, ev, snap);
    if (h->kind == SS_H_TABLE)
        ss_map_press(ui, h, ev->x, ev->y);
    ui->looking = h->kind == SS_H_FIELD && ev->button == 0;
    ui->panning = h->kind == SS_H_FIELD && ev->button != 0;
    ui->pan_x = ev->x, ui->pan_y = ev->y;
    if (ui->looking)
        probe_point(ui, scene, h, ev, snap);
    if ((h->kind == SS_H_SLIDER || h->kind == SS_H_CONTROL) && h->index < snap->ncontrol)
        ss_ui_focus(ui, snap->control[h->index].row->name, snap);
    if (h->kind == SS_H_SLIDER) {
        ui->dragging = true;
        ui->drag = h->index;
        move_slider(ui, scene, snap, ev->x);
    }
}

static void wheel(ss_ui *ui, const ss_event *ev, const struct ss_scene *scene,
                  const ss_snapshot *snap)
{
    const ss_hit *h = ss_scene_at(scene, ev->x, ev->y);
    if (ui->overlay == SS_K_HELP || ui->overlay == SS_K_KERNEL)
        ui->scroll -= 3 * ev->dy;
    ss_gallery_scroll(ui, ev->dy > 0 ? -1 : 1);
    if (ui->overlay == SS_K_MAIN && h && h->kind == SS_H_PAGE)
        ui->page_scroll -= 3 * ev->dy;
    if (ui->overlay != SS_K_MAIN || !h)
        return;
    if ((h->kind == SS_H_SLIDER || h->kind == SS_H_CONTROL) && h->index < snap->ncontrol)
        ss_ui_step(ui, &snap->control[h->index], ev->dy > 0 ? 1 : -1);
    if (h->kind == SS_H_CHART)
        ss_chart_wheel(ui, scene, h, ev);
    if (h->kind == SS_H_FIELD)
        ss_ui_zoom(ui, snap, ev->dy > 0 ? 0.8 : 1.25, (ev->x - h->rect.x) / h->rect.w,
                   (ev->y - h->rect.y) / h->rect.h);
}

static bool drag(ss_ui *ui, const ss_event *ev, const struct ss_scene *scene,
                 const ss_snapshot *snap)
{
    const ss_hit *h = ui->looking ? ss_scene_at(scene, ev->x, ev->y) : NULL;
    if (ui->mouse_x >= 0)
        ui->mouse_x = ev->x, ui->mouse_y = ev->y;
    if (ss_range_drag_to(ui, ev, snap) || ss_strip_drag_to(ui, ev, snap) ||
        ss_wipe_drag(ui, ev, scene) || ss_arrange_drag_to(ui, ev) ||
        ss_chart_drag_to(ui, scene, ev))
        return true;
    if (ui->dragging)
        move_slider(ui, scene, snap, ev->x);
    if (ui->panning)
        ss_ui_drag(ui, snap, scene, ev->x, ev->y);
    if (h && h->kind == SS_H_FIELD)
        probe_point(ui, scene, h, ev, snap);
    return ui->dragging || ui->panning || (h && h->kind == SS_H_FIELD);
}

bool ss_ui_event(ss_ui *ui, const ss_event *ev, const struct ss_scene *scene,
                 const ss_snapshot *snap)
{
    bool tip = ui->tip;
    ui->tip = ev->kind == SS_EV_HOVER || (tip && ev->kind == SS_EV_NOTICE);
    if (ss_brush_event(ui, ev, scene, snap))
        return true;
    switch (ev->kind) {
    case SS_EV_KEY:
        return key_event(ui, ev->key, snap);
    case SS_EV_PRESS:
        if (scene && snap)
            press(ui, ev, scene, snap);
        return true;
    case SS_EV_DRAG:
        return scene && snap && drag(ui, ev, scene, snap);
    case SS_EV_RELEASE:
        ui->dragging = ui->dragged = ui->looking = ui->panning = false;
        if (ss_strip_release(ui, snap) || ss_wipe_release(ui) ||
            (scene && ss_chart_release(ui, scene, snap)))
            return true;
        return ss_range_release(ui, snap) || ss_arrange_release(ui);
    case SS_EV_WHEEL:
        if (scene && snap)
            wheel(ui, ev, scene, snap);
        return true;
    case SS_EV_QUIT:
        ui->quit = true;
        return true;
    case SS_EV_NOTICE:
        ss_ui_say(ui, false, ev->text);
        return true;
    case SS_EV_DROP:
        ui_drop(ui, ev->text, snap);
        return true;
    case SS_EV_COMMAND:
        ss_ui_send(ui, ev->text, snap);
        return true;
    case SS_EV_RESIZE:
        return true;
    case SS_EV_HOVER:
        ui->tip_x = ev->x, ui->tip_y = ev->y;
        return true;
    case SS_EV_MOVE:
        return ss_gallery_pointed(ui, scene, ev) || ss_hover_moves(ui, scene, ev->x, ev->y) || tip;
    case SS_EV_NONE:
        return tip;
    }
    return false;
}
