/* A watcher to whom the seat was given steers the run, not the machine that it runs on. See
 * state.h. Main thread only. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/core/open.h"
#include "src/core/registry.h"
#include "ui/view/state.h"

static const double MOST = 1e9; /* bytes of a run that a guest may open */

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

/* The run that the command asks for; what is wrong with it is said by who carries it out. */
static bool leads_to(const ss_cmd *cmd, const ss_config *now, ss_config *out)
{
    ss_err ignored;
    if (cmd->verb->flags & SS_V_OPENS) {
        ss_open_default(now, out);
        return ss_open_words(cmd, out, &ignored) == SS_OK;
    }
    *out = *now;
    if (cmd->verb->id != SS_VERB_SPLIT &&
        (cmd->verb->id != SS_VERB_SET ||
         ss_config_set_of_run(out, cmd->arg[0], cmd->arg[1], &ignored) != SS_OK))
        return false;
    ss_config_fit_points(out, ss_config_solver(out));
    return ss_config_check(out, NULL, &ignored) == SS_OK;
}

/* Other programs of the machine, and the pilot, need memory, too. */
static int admits_memory(const ss_cmd *cmd, const ss_config *now, ss_err *err)
{
    char need[32], most[32], what[64];
    ss_config cfg;
    if (!leads_to(cmd, now, &cfg))
        return SS_OK;
    double bytes = ss_config_bytes(&cfg), had = changes(cmd) ? ss_config_bytes(now) : 0;
    double limit = fmin(MOST, ss_config_memory(&cfg, what, sizeof what) / 4);
    return bytes <= limit || bytes <= had
               ? SS_OK
               : ss_fail(err,
                         "that run needs %s, and a watcher with the seat may open one of up to %s: "
                         "only the pilot may",
                         ss_format_bytes(bytes, need, sizeof need),
                         ss_format_bytes(limit, most, sizeof most));
}

int ss_guest_admits(const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    if (admits_verb(cmd, err) != SS_OK)
        return SS_FAIL;
    return !snap || (admits_machine(cmd, &snap->cfg, err) == SS_OK &&
                     admits_memory(cmd, &snap->cfg, err) == SS_OK)
               ? SS_OK
               : SS_FAIL;
}
