/* The key table: the command of each key per context, and its name in footer and help. Keys of
 * parameters come from their rows (k lowers, K raises); `bind KEY COMMAND` precedes both. Main
 * thread only. */
#ifndef SS_KEYS_H
#define SS_KEYS_H

#include <stdbool.h>
#include <stddef.h>

/* Which part of the screen has the keyboard. PROBE, CURSOR, BRUSH and WIPE leave the keys that they
 * do not have to MAIN. */
typedef enum ss_key_context {
    SS_K_MAIN,
    SS_K_PROBE,
    SS_K_CURSOR, /* of a chart */
    SS_K_BRUSH,
    SS_K_WIPE,
    SS_K_ENTRY,
    SS_K_PROMPT,
    SS_K_HELP,
    SS_K_PICKER,
    SS_K_SHELF, /* the list of lessons */
    SS_K_COPY,
    SS_K_EXPLAIN, /* call-outs over the screen */
    SS_K_KERNEL,  /* the kernels of the run */
    SS_K_MAP,
    SS_K_RACE,   /* for the footer during a race; MAIN has the same keys */
    SS_K_PAST,   /* for the footer of a run that was rewound; MAIN has the same keys */
    SS_K_ALONE,  /* for the footer while a panel is maximised; MAIN has the same keys */
    SS_K_PAGE,   /* beside a lesson; none of its keys is in MAIN */
    SS_K_ANSWER, /* while the lesson waits for a choice: comes before the others */
    SS_NCONTEXT
} ss_key_context;

/* What a key of MAIN is for: the groups of the list of keys. */
typedef enum ss_task {
    SS_TASK_NONE,
    SS_TASK_RUN,
    SS_TASK_CHANGE,
    SS_TASK_LOOK,
    SS_TASK_COMPARE,
    SS_TASK_RECORD,
    SS_TASK_PROGRAM,
    SS_NTASK
} ss_task;

extern const char *const ss_task_names[SS_NTASK];

#define SS_COMMAND_HELP ""

typedef struct ss_key {
    ss_key_context context;
    const char *key;     /* event name: "space", "S-left", "C-l" */
    const char *command; /* a command line */
    const char *label;   /* in the footer */
    const char *help;    /* in the list of keys; SS_COMMAND_HELP: the command's; NULL: not there */
    int footer;          /* rank in the footer, 1 first; 0: not there */
    bool last;           /* at the end of the footer */
    ss_task task;        /* of a key of MAIN that is in the list of keys */
} ss_key;

/* Ends with a NULL key. */
extern const ss_key ss_keys[];

/* The help of a key; NULL: the list of keys leaves it out. */
const char *ss_key_help(const ss_key *key);
/* The run, as far as labels depend on it. */
typedef struct ss_key_state {
    bool moving; /* its equation changes in time */
    bool plays;  /* a lesson plays commands */
    bool paused;
    bool ended; /* it can only start again */
} ss_key_state;

/* Its label in the footer. */
const char *ss_key_label(const ss_key *key, const ss_key_state *run);
/* The row of a key, or NULL. */
const ss_key *ss_key_find(ss_key_context context, const char *key);
/* The key as it is shown: "shift-left" for "S-left"; a text of a moment (text.h). */
const char *ss_key_text(const char *key);
/* Is it the name of a key? */
bool ss_key_valid(const char *key);
/* A key that adds a character to a text ("a", "ü", "space") or takes the last one ("backspace",
 * with the marks on it); false: neither. A full text stays as it is. */
bool ss_key_type(const char *key, char *text, size_t size);

#endif
