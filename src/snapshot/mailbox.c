/* The lock-free triple buffer of snapshots: see types.h. The engine owns one slot (back), the app
 * owns one (front), and the third is exchanged through `middle`, whose FRESH bit marks it as new.
 * Publishing and taking are one atomic exchange each. */
#include <stdatomic.h>
#include <stdlib.h>

#include "src/snapshot/types.h"

#define FRESH 4u

struct ss_mailbox {
    ss_snapshot slot[3];
    atomic_uint middle; /* slot index and FRESH bit */
    unsigned back;      /* engine's */
    unsigned front;     /* app's */
    bool any;           /* app's: a snapshot has arrived */
};

ss_mailbox *ss_mailbox_new(void)
{
    ss_mailbox *m = calloc(1, sizeof *m);
    if (m) {
        m->back = 0;
        m->front = 1;
        atomic_init(&m->middle, 2);
    }
    return m;
}

void ss_mailbox_free(ss_mailbox *m)
{
    if (!m)
        return;
    for (int i = 0; i < 3; i++) {
        free(m->slot[i].picture.cell);
        free(m->slot[i].picture.owner);
        for (int r = 0; m->slot[i].race.racer && r < SS_RACE_MAX; r++) {
            free(m->slot[i].race.racer[r].picture.cell);
            free(m->slot[i].race.racer[r].picture.owner);
        }
        free(m->slot[i].race.racer);
    }
    free(m);
}

ss_snapshot *ss_mailbox_back(ss_mailbox *m)
{
    return &m->slot[m->back];
}

void ss_mailbox_publish(ss_mailbox *m)
{
    m->back = atomic_exchange_explicit(&m->middle, m->back | FRESH, memory_order_acq_rel) & 3u;
}

const ss_snapshot *ss_mailbox_take(ss_mailbox *m, bool *fresh)
{
    *fresh = atomic_load_explicit(&m->middle, memory_order_relaxed) & FRESH;
    if (*fresh) {
        m->front = atomic_exchange_explicit(&m->middle, m->front, memory_order_acq_rel) & 3u;
        m->any = true;
    }
    return m->any ? &m->slot[m->front] : NULL;
}
