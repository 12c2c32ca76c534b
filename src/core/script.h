/*
 * A list of commands to be carried out in order: from -e, --run files and the user's rc file. All
 * lines are parsed before the first is carried out, so a broken file changes nothing. Main thread.
 */
#ifndef SS_SCRIPT_H
#define SS_SCRIPT_H

#include "src/core/command.h"

typedef struct ss_script {
    ss_cmd **cmd;
    int count, capacity, next;
    bool steps;   /* some command advances the run itself */
    bool rewinds; /* some command leads back */
    bool pauses;  /* its last command pauses the run */
    bool runs;    /* its last command lets the run continue */
    bool limits;  /* some command may set a limit to it, or bring a run that has an end */
} ss_script;

/* `where` (a file and line, or "-e") stands before the sentence of a failure. */
int ss_script_add(ss_script *s, const char *line, const char *where, ss_err *err);
int ss_script_file(ss_script *s, const char *path, ss_err *err);
void ss_script_free(ss_script *s);

#endif
