/*
 * The command language of key bindings, run files, the rc file, -e, lessons and tests. One struct,
 * one text form, one table (verbs.def). Grammar: `verb word word ...`, words separated by blanks,
 * "quoted" with \" and \\ inside, # starts a comment. Any thread.
 */
#ifndef SS_COMMAND_H
#define SS_COMMAND_H

#include "src/base/common.h"

#define SS_CMD_ARGS 16
#define SS_CMD_TEXT 1024

/* One id per row of the table: SS_VERB_VIEW, SS_VERB_VIEW_LAYER, ... Each side keeps its handlers
 * in an array indexed by it. */
typedef enum ss_verb_id {
#define VERB(id, ...) SS_VERB_##id,
#define WORD(verb, id, ...) SS_VERB_##verb##_##id,
#include "src/core/verbs.def"
#undef VERB
#undef WORD
    SS_NVERB
} ss_verb_id;

/* Who handles a command: the engine thread, the program (src/app: files, the map, the lesson), or
 * the screen (every ss_ui). */
typedef enum ss_verb_side {
    SS_SIDE_ENGINE,
    SS_SIDE_PROGRAM,
    SS_SIDE_SCREEN,
    SS_NSIDE
} ss_verb_side;

enum {
    SS_V_INTERRUPTS = 1 << 0, /* ends steps that are still running instead of waiting for them */
    SS_V_WRITES = 1 << 1,     /* writes files: refused in lessons */
    SS_V_REWINDS = 1 << 2,    /* needs checkpoints; scripts without such a command store none */
    SS_V_SOLVES = 1 << 3,     /* solves or changes the problem: refused before a prediction */
    SS_V_OPENS = 1 << 4,      /* opens another problem, which may have a limit */
    SS_V_ADVANCES = 1 << 5,   /* advances the run: a script with it decides how far to solve */
    SS_V_JOURNALED = 1 << 6,  /* part of a saved session */
    SS_V_DRAWS = 1 << 7,      /* draws into files, which needs no screen */
    SS_V_OR_VALUE = 1 << 8,   /* the first argument is a word or a value */
    SS_V_WITH_VIEW = 1 << 10, /* the app adds commands that restore what is shown as arguments */
    SS_V_LINKED = 1 << 11,    /* chooses only what is shown: a shared link may have it */
    SS_V_IN_PERSON = 1 << 12, /* only from the user: not from a run file, nor beside a lesson */
    SS_V_INTERNAL = 1 << 9    /* for keys and the mouse: neither listed nor completed */
};

/* A verb, or one of its words. */
typedef struct ss_verb {
    const char *name;
    const char *args; /* "NAME VALUE", "[N]": shown in help */
    const char *help;
    ss_verb_id id, of; /* of: the verb that a word belongs to; its own id for a verb */
    ss_verb_side side;
    int min_args, max_args; /* after the name */
    unsigned flags;
} ss_verb;

typedef struct ss_cmd {
    const ss_verb *verb; /* NULL: an empty line */
    const ss_verb *row;  /* the row of the word in arg[0] if the verb has words; else verb */
    int argc;
    const char *arg[SS_CMD_ARGS]; /* into text */
    char text[SS_CMD_TEXT];
    uint64_t ticket;
    bool patient;   /* from a script: waits for running steps even if the verb interrupts */
    bool heard;     /* somebody reads what becomes of it: its failure ends no script */
    bool from_file; /* from a run file, or a key that one bound: replaces no existing file */
} ss_cmd;

/* Indexed by ss_verb_id; the words of a verb follow it. */
extern const ss_verb ss_verbs[SS_NVERB];

/* Is it a verb listed by help, the man page and completion? */
bool ss_verb_is_listed(const ss_verb *v);
bool ss_verb_has_words(const ss_verb *v);
/* The i-th listed word of a verb; NULL after the last. */
const ss_verb *ss_verb_word(const ss_verb *v, int i);
/* The help of a verb and the words it takes: "paint with the mouse: on, off, ...". Returns buf. */
const char *ss_verb_text(const ss_verb *v, char *buf, size_t size);
/* The verb with a name, and the row of a command line; NULL: unknown or invalid. */
const ss_verb *ss_verb_find(const char *name);
const ss_verb *ss_verb_of_line(const char *line);

/* Parses one line and checks verb, word and number of arguments. Unknown names suggest the nearest.
 */
int ss_cmd_parse(const char *line, ss_cmd *out, ss_err *err);
/* Text that parses back to the same command. Returns buf. */
const char *ss_cmd_format(const ss_cmd *cmd, char *buf, size_t size);

/* A whole number in [lo, hi]. ss_cmd_count: the command's number of cycles or ticks; default 1. */
int ss_parse_count(const char *text, int64_t lo, int64_t hi, int64_t *out, ss_err *err);
/* A copy, to be freed. */
ss_cmd *ss_cmd_copy(const ss_cmd *cmd, ss_err *err);
int ss_cmd_count(const ss_cmd *cmd, int64_t *out, ss_err *err);

/* For "did you mean X?": of the n names name_at(ctx, i) the one that other programs call `word`, or
 * the nearest; NULL if none is near. */
const char *ss_nearest(const char *word, const char *(*name_at)(const void *ctx, int i),
                       const void *ctx, int n);

/* --- lists of commands ------------------------------------------------------------------------ */

/*
 * A list of commands to run in order: from -e, --run files and the user's rc file. All lines are
 * parsed before the first runs, so a broken file changes nothing. Main thread.
 */

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
