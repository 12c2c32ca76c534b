/* Decodes terminal input into events: keys, characters, escape sequences, SGR mouse reports. No
 * terminal library and no clock: bytes come with the time at which they were read, so that it can
 * be tested and fuzzed. Main thread. */
#ifndef SS_INPUT_H
#define SS_INPUT_H

#include "ui/scene/frontend.h"

enum { SS_INPUT_MAX = 1024 };

/* Times in seconds of ss_clock. All zero: nothing was read. */
typedef struct ss_input {
    char byte[SS_INPUT_MAX]; /* not decoded yet */
    int n;
    double read;           /* when the last byte came */
    double escaped;        /* when a lone Escape was read that became a key; 0: none was the last */
    bool string;           /* inside a control string */
    double string_started; /* when */
} ss_input;

/* Adds n bytes, at most SS_INPUT_MAX - in->n. */
void ss_input_add(ss_input *in, const char *bytes, int n, double now);
/* The next event; false: there is none yet. Unknown sequences give none, and a byte that is not
 * UTF-8 gives a notice. */
bool ss_input_next(ss_input *in, double now, ss_event *ev);
/* When bytes that wait for more of their sequence are decoded as they are; 0: none wait. */
double ss_input_due(const ss_input *in);

#endif
