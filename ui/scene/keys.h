/* The key table: the command of each key per context, and its name in footer and help. Keys of
 * parameters come from their rows (k lowers, K raises); `bind KEY COMMAND` precedes both. Main
 * thread only. */
#ifndef SS_KEYS_H
#define SS_KEYS_H

#include <stdbool.h>
#include <stddef.h>

/* The owner of the keyboard. Keys that PROBE and BRUSH do not define are looked up in MAIN. */
typedef enum ss_key_context {
    SS_K_MAIN,
    SS_K_PROBE,
    SS_K_BRUSH,
    SS_K_ENTRY,
    SS_K_PROMPT,
    SS_K_HELP,
    SS_K_PICKER,
    SS_K_COPY,
    SS_K_MAP,
    SS_K_RACE,   /* shown in the footer only: MAIN defines them */
    SS_K_PAST,   /* the same, for a rewound run */
    SS_K_PAGE,   /* of a lesson page, which MAIN does not define */
    SS_K_ANSWER, /* while the page waits for a choice: looked up first */
    SS_NCONTEXT
} ss_key_context;

typedef struct ss_key {
    ss_key_context context;
    const char *key;     /* event name: "space", "S-left", "C-l" */
    const char *command; /* a command line */
    const char *label;   /* in the footer, and in the help if `help` is NULL */
    const char *help;
    int footer; /* 1: first in the footer ...; 0: not there */
    bool last;  /* stands at the footer's right end */
} ss_key;

/* NULL-key-terminated. */
extern const ss_key ss_keys[];

/* Its label in the footer; `moving`: of a time-dependent equation. */
const char *ss_key_label(const ss_key *key, bool moving, bool paused);
/* The command of a key, or NULL. */
const ss_key *ss_key_find(ss_key_context context, const char *key);
/* The key as a user reads it: "S-left" is "shift-left". */
const char *ss_key_text(const char *key, char *buf, size_t size);
/* Can an event have this name? */
bool ss_key_valid(const char *key);

#endif
