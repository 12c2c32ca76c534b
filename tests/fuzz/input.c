/* Fuzz target: the bytes that a terminal sends, together, one at a time, and slowly. Every decoded
 * key can be bound, every position is finite, and all bytes are used in the end. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/scene/keys.h"
#include "ui/tui/parts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    INPUT_MOST = 4096,
    WAITING_MOST = 300, /* bytes that may wait for the rest of an event */
    STEP_MOST = SS_INPUT_MAX - WAITING_MOST
};

static void judge(const ss_event *ev)
{
    bool shifted = strncmp(ev->key, "S-", 2) == 0; /* more of these are sent than can be bound */
    if (ev->kind == SS_EV_KEY && (!memchr(ev->key, '\0', sizeof ev->key) || !ev->key[0]))
        abort();
    if (ev->kind == SS_EV_KEY && !shifted && !ss_key_valid(ev->key))
        abort();
    if (ev->kind != SS_EV_KEY && (!isfinite(ev->x) || !isfinite(ev->y)))
        abort();
}

/* All bytes, `step` at a time and `gap` seconds apart. */
static void decode(const uint8_t *data, int n, int step, double gap)
{
    ss_input in = {.n = 0};
    ss_event ev;
    double now = 100;
    for (int at = 0; at < n; at += step, now += gap) {
        int more = n - at < step ? n - at : step;
        ss_input_add(&in, (const char *)data + at, more, now);
        while (ss_input_next(&in, now, &ev))
            judge(&ev);
        if (in.n > WAITING_MOST)
            abort();
    }
    for (int i = 0; i < WAITING_MOST; i++, now += 0.5)
        while (ss_input_next(&in, now, &ev))
            judge(&ev);
    if (in.n > 0 || in.string)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int n = size < INPUT_MOST ? (int)size : INPUT_MOST;
    decode(data, n, STEP_MOST, 0);
    decode(data, n, 1, 0);
    decode(data, n, 1, 0.04);
    return 0;
}
