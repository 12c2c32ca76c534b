/*
 * The one command language: what keys are bound to, what the config file and run files hold, what
 * -e takes, what tests drive. One struct, one text form. Grammar: `verb word word ...`, words
 * separated by blanks, "quoted" with \" and \\ inside, # starts a comment. Any thread.
 */
#ifndef SS_COMMAND_H
#define SS_COMMAND_H

#include "src/base/common.h"

#define SS_CMD_ARGS 16
#define SS_CMD_TEXT 1024

typedef struct ss_cmd {
    const struct ss_verb *verb; /* NULL: an empty line */
    int argc;
    const char *arg[SS_CMD_ARGS]; /* into text */
    char text[SS_CMD_TEXT];
    uint64_t ticket;
    bool patient; /* from a script: waits for steps that are going on, whatever the verb */
} ss_cmd;

/* Who carries a verb out. */
typedef enum ss_verb_side { SS_SIDE_ENGINE, SS_SIDE_APP } ss_verb_side;

enum {
    SS_V_CUTS = 1 << 0,    /* ends steps that are still going on instead of waiting for them */
    SS_V_WRITES = 1 << 1,  /* writes files: not in lessons */
    SS_V_REWINDS = 1 << 2, /* takes copies of the past, which must be kept for it */
    SS_V_GOES = 1 << 3,    /* solves, or makes it another question: not before a prediction */
    SS_V_OPENS = 1 << 4    /* another problem, given whole */
};

typedef struct ss_verb {
    const char *name;
    const char *args; /* "NAME VALUE", "[N]": shown in help */
    const char *help;
    ss_verb_side side;
    int min_args, max_args;
    bool advances; /* solves by itself: a script with it says how far to go */
    unsigned flags;
} ss_verb;

/* NULL-name-terminated. */
extern const ss_verb ss_verbs[];

/* Parses one line. Unknown verbs suggest the nearest. */
int ss_cmd_parse(const char *line, ss_cmd *out, ss_err *err);
/* The text form, which parses back to the same command. Returns buf. */
const char *ss_cmd_format(const ss_cmd *cmd, char *buf, size_t size);

/* A whole number in [lo, hi]; ss_cmd_count: of cycles or ticks, the command's word, 1 without. */
int ss_parse_count(const char *text, int64_t lo, int64_t hi, int64_t *out, ss_err *err);
int ss_cmd_count(const ss_cmd *cmd, int64_t *out, ss_err *err);

/* "did you mean X?": the nearest of n names (NULL if none is near). name_at(ctx, i) gives them. */
const char *ss_nearest(const char *word, const char *(*name_at)(const void *ctx, int i),
                       const void *ctx, int n);

#endif
