/* Words that keys and clicks send and only the user interface knows: see state.h. Main thread only.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/view/state.h"

static void word_change(ss_ui *ui, const char *arg, const ss_snapshot *snap)
{
    int i = ss_ui_focused(ui, snap);
    if (i < 0)
        return;
    const ss_control *c = &snap->control[i];
    snprintf(ui->focus, sizeof ui->focus, "%s", c->row->name);
    if (strcmp(arg, "min") == 0 || strcmp(arg, "max") == 0)
        ss_ui_set(ui, c, ss_param_at(c->row, arg[1] == 'a', c->lo, c->hi));
    else
        ss_ui_step(ui, c, atoi(arg));
}

/* A number that the page has asked for. */
static void send_answer(ss_ui *ui)
{
    char line[80];
    snprintf(line, sizeof line, "lesson predict \"%s\"", ui->entry);
    ss_ui_send(ui, line);
}

static void word_entry(ss_ui *ui, const char *arg, const ss_snapshot *snap)
{
    int i = ss_ui_focused(ui, snap);
    size_t n = strlen(ui->entry);
    ss_value v;
    ss_err err;
    if (strcmp(arg, "erase") == 0) {
        if (n)
            ui->entry[n - 1] = '\0';
        return;
    }
    if (strcmp(arg, "open") == 0) {
        ui->typing = i >= 0 && snap->control[i].row->type != SS_CHOICE;
        ui->entry[0] = '\0';
        return;
    }
    bool answer = ui->answering;
    ui->typing = ui->answering = false;
    if (answer && strcmp(arg, "apply") == 0 && n)
        send_answer(ui);
    if (answer || strcmp(arg, "apply") != 0 || i < 0 || !n)
        return;
    if (ss_param_parse(snap->control[i].row, ui->entry, &v, &err) != SS_OK)
        ss_ui_say(ui, true, err.text);
    else
        ss_ui_set(ui, &snap->control[i], v);
}

static void take_preset(ss_ui *ui)
{
    char commands[sizeof ui->preset->commands], *at = commands;
    if (ui->picked >= ui->npreset)
        return;
    snprintf(commands, sizeof commands, "%s", ui->preset[ui->picked].commands);
    while (at && *at) {
        char *next = strchr(at, ';');
        if (next)
            *next++ = '\0';
        ss_ui_send(ui, at);
        at = next;
    }
}

static void word_pick(ss_ui *ui, const char *arg, const ss_snapshot *snap)
{
    int by = atoi(arg);
    if (by && ui->npreset) {
        ui->picked = (ui->picked + by + ui->npreset) % ui->npreset;
        return;
    }
    ui->overlay = SS_K_MAIN;
    if (strcmp(arg, "take") == 0)
        take_preset(ui);
    else if (snap && snap->paused && snap->telemetry.value[SS_T_CYCLE] == 0)
        ss_ui_send(ui, "run"); /* the start-up picker is left: on as it is */
}

static void word_scroll(ss_ui *ui, const char *arg, const ss_snapshot *snap)
{
    (void)snap;
    ui->scroll += atoi(arg);
}

static void word_suspend(ss_ui *ui, const char *arg, const ss_snapshot *snap)
{
    (void)ui, (void)arg, (void)snap; /* the front end that owns a terminal sees C-z first */
}

static void word_window(ss_ui *ui, const char *arg, const ss_snapshot *snap)
{
    (void)arg, (void)snap; /* a window sees its own keys first */
    ss_ui_say(ui, false, "only a window does that: --ui sdl opens one");
}

static const struct word_row {
    const char *name;
    void (*run)(ss_ui *ui, const char *arg, const ss_snapshot *snap);
} word_rows[] = {{"change", word_change}, {"entry", word_entry},     {"pick", word_pick},
                 {"scroll", word_scroll}, {"suspend", word_suspend}, {"shut", ss_copy_close},
                 {"window", word_window}, {"page", ss_page_word},    {"prompt", ss_prompt_word}};

bool ss_ui_word(ss_ui *ui, const char *line, const ss_snapshot *snap)
{
    for (size_t i = 0; i < sizeof word_rows / sizeof *word_rows; i++) {
        size_t n = strlen(word_rows[i].name);
        if (strncmp(line, word_rows[i].name, n) == 0 && (line[n] == ' ' || !line[n])) {
            word_rows[i].run(ui, line[n] ? line + n + 1 : "", snap);
            return true;
        }
    }
    return false;
}
