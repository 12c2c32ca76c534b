/* A watcher to whom the seat was given steers the run, not the machine that it runs on. See
 * state.h. Main thread only. */
#include <stdio.h>
#include <string.h>

#include "src/core/registry.h"
#include "ui/view/state.h"

/* Besides commands that write files. */
static const ss_verb_id refused[] = {SS_VERB_QUIT, SS_VERB_BIND,    SS_VERB_LOAD,
                                     SS_VERB_PLAY, SS_VERB_SUSPEND, SS_VERB_LESSON_RESET};

static int admits_verb(const ss_cmd *cmd, ss_err *err)
{
    bool may = !((cmd->verb->flags | cmd->row->flags) & SS_V_WRITES);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        may = may && cmd->row->id != refused[i];
    return may ? SS_OK
               : ss_fail(err,
                         "%s: only the pilot may. A watcher with the seat neither reads nor writes "
                         "files, binds keys nor ends the program",
                         cmd->row->name);
}

static bool changes(const ss_cmd *cmd)
{
    return cmd->verb->id == SS_VERB_SET || cmd->verb->id == SS_VERB_UNSET;
}

/* set NAME VALUE, unset NAME, open and add with NAME=VALUE: backend, threads, ranks, hosts. */
static int admits_machine(const ss_cmd *cmd, const ss_config *now, ss_err *err)
{
    bool opens = cmd->verb->flags & SS_V_OPENS;
    int last = opens ? cmd->argc : changes(cmd) ? 1 : 0;
    for (int i = 0; i < last; i++) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(cmd->arg[i], "="), cmd->arg[i]);
        const ss_param *row = ss_param_find(now, name, NULL);
        if (row && strcmp(row->group, "Machine") == 0)
            return ss_fail(
                err,
                "%s: only the pilot may. A watcher with the seat does not choose on what "
                "the run is computed",
                name);
    }
    return SS_OK;
}

int ss_guest_admits(const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    if (admits_verb(cmd, err) != SS_OK)
        return SS_FAIL;
    return snap ? admits_machine(cmd, &snap->cfg, err) : SS_OK;
}
