/* A watcher to whom the seat was given steers the run, not the machine that it runs on. See
 * state.h. Main thread only. */
#include "ui/view/state.h"

/* Besides commands that write files. */
static const ss_verb_id refused[] = {SS_VERB_QUIT, SS_VERB_BIND,    SS_VERB_LOAD,
                                     SS_VERB_PLAY, SS_VERB_SUSPEND, SS_VERB_LESSON_RESET};

int ss_guest_admits(const ss_cmd *cmd, ss_err *err)
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
