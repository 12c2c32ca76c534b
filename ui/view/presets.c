/* The presets: read from the embedded assets/data/presets.txt, chosen and started in the picker.
 * See state.h. Main thread only. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/text.h"
#include "ui/view/state.h"

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

/* --- the picker --------------------------------------------------------------------------------
 */

void ss_ui_open_picker(ss_ui *ui)
{
    ss_gallery_open(ui, SS_TAB_PRESETS, 0);
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
    ss_gallery_open(ui, SS_TAB_PRESETS, ui->picked);
}

static void picker_move(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap)
{
    (void)snap;
    ss_gallery_move(ui, cmd->arg[1]);
}

static void picker_find(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap)
{
    (void)cmd, (void)snap;
    ss_gallery_find(ui);
}

static void start(ss_ui *ui, int i, const ss_snapshot *snap)
{
    ss_gallery_close(ui);
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
    ss_gallery_close(ui);
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
