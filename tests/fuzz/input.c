/* Fuzz target: the bytes that a terminal sends, whole and one at a time. Every decoded key can be
 * bound, every position is finite, and both ways of reading use all bytes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/scene/keys.h"
#include "ui/tui/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { INPUT_MOST = 4096, WAITING_MOST = 64 /* bytes that may wait for the rest of an event */ };

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

/* Decodes what it can of n bytes, exactly allocated; returns the bytes that still wait. */
static int decode(const char *bytes, int n, bool last)
{
    while (n > 0) {
        ss_event ev = {.kind = SS_EV_NONE};
        char *exact = malloc((size_t)n);
        if (!exact)
            return 0;
        memcpy(exact, bytes, (size_t)n);
        int used = ss_input_decode(exact, n, last, &ev);
        free(exact);
        if (used < 0 || used > n || (last && used == 0))
            abort();
        if (used == 0)
            return n;
        judge(&ev);
        bytes += used, n -= used;
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char waiting[WAITING_MOST + 1];
    int n = size < INPUT_MOST ? (int)size : INPUT_MOST, held = 0;
    decode((const char *)data, n, true);
    for (int i = 0; i < n; i++) {
        waiting[held++] = (char)data[i];
        int left = decode(waiting, held, false);
        memmove(waiting, waiting + held - left, (size_t)left);
        held = left;
        if (held > WAITING_MOST - 1)
            abort();
    }
    decode(waiting, held, true);
    return 0;
}
