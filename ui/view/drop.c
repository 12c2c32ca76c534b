/* A file that is dropped on the window becomes a command. See state.h. Main thread only. */
#include <stdio.h>
#include <string.h>

#include "ui/view/state.h"

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

void ss_ui_drop(ss_ui *ui, const char *path, const ss_snapshot *snap)
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
