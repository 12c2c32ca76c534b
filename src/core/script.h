/*
 * A list of commands to run in order: from -e, --run files and the user's rc file. All lines are
 * parsed before the first runs, so a broken file changes nothing. Main thread.
 */
#ifndef SS_SCRIPT_H
#define SS_SCRIPT_H

#include "src/core/command.h"

#define SS_SCRIPT_LINES 20000 /* of a file */

typedef struct ss_script {
    ss_cmd **cmd;
    int count, capacity, next;
    bool steps;   /* a command advances the run */
    bool rewinds; /* a command returns to an earlier cycle */
    bool pauses;  /* the script ends with the run paused */
    bool runs;    /* the script ends with the run solving */
    bool limits;  /* a command may limit the run, or open one that has a limit */
} ss_script;

/* An error starts with `where`: a file and line, or "-e". */
int ss_script_add(ss_script *s, const char *line, const char *where, ss_err *err);
int ss_script_copy(ss_script *s, const ss_cmd *cmd, ss_err *err);
/* trusted: the user's own file; commands of others are marked as from_file. */
int ss_script_file(ss_script *s, const char *path, bool trusted, ss_err *err);
void ss_script_free(ss_script *s);

#endif
