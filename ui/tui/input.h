/* Decodes terminal input into events: keys, escape sequences, SGR mouse reports. A pure function
 * of bytes, so that it can be tested and fuzzed; no terminal library. */
#ifndef SS_INPUT_H
#define SS_INPUT_H

#include "ui/scene/frontend.h"

/* Decodes the first event of n bytes. Returns the bytes used; 0: more bytes are needed (with
 * `last` no more will come: a lone escape is the key). Unknown bytes give SS_EV_NONE. */
int ss_input_decode(const char *bytes, int n, bool last, ss_event *ev);

#endif
