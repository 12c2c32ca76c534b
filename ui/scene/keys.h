/*
 * The key table: which key does what, in which context, how the footer and the help name it. Keys
 * of parameters come from their rows (k lowers, K raises); `bind KEY COMMAND` comes before both.
 * Main thread only.
 */
#ifndef SS_KEYS_H
#define SS_KEYS_H

#include <stdbool.h>
#include <stddef.h>

/* What has the keyboard. Keys that PROBE and BRUSH do not know are looked up in MAIN. */
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
    SS_K_RACE,   /* in the footer only: MAIN has them */
    SS_K_PAST,   /* the same, of a run that was taken back */
    SS_K_PAGE,   /* of a lesson, while there is one: none of them is in MAIN */
    SS_K_ANSWER, /* while the page waits for a choice: comes before the others */
    SS_NCONTEXT
} ss_key_context;

typedef struct ss_key {
    ss_key_context context;
    const char *key;     /* event name: "space", "S-left", "C-l" */
    const char *command; /* a command line, or a word of the user interface (events.c) */
    const char *label;   /* in the footer, and in the help if `help` is NULL */
    const char *help;
    int footer; /* 1: first to be in the footer ...; 0: not there */
    bool last;  /* stands at its end */
} ss_key;

/* NULL-key-terminated. */
extern const ss_key ss_keys[];

/* Its label in the footer; `moving`: of an equation that changes in time. */
const char *ss_key_label(const ss_key *key, bool moving, bool paused);
/* The command of a key, or NULL. */
const ss_key *ss_key_find(ss_key_context context, const char *key);
/* How a key is written on the screen: "S-left" is "shift-left". */
const char *ss_key_text(const char *key, char *buf, size_t size);
/* Is this a name an event can have? */
bool ss_key_valid(const char *key);

#endif
