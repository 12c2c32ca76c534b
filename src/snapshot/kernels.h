/*
 * The kernels of the shown run, for the page that shows them: filled by the engine if the view asks
 * for them. Plain data and pure functions; any thread.
 */
#ifndef SS_KERNELS_H
#define SS_KERNELS_H

#include "src/core/backend.h"

enum { SS_KERNELS_MAX = 24, SS_KERNEL_PATH = 512 };

/* `kernel edit`. */
typedef struct ss_kernel_edit {
    char path[SS_KERNEL_PATH]; /* of the copy; "": none is edited */
    char state[400];           /* what became of the last save, in words */
    bool failed;               /* it is not used */
} ss_kernel_edit;

typedef struct ss_kernels {
    int n;
    const char *why; /* why there are none, a sentence; NULL: there are, or nobody asks */
    ss_running_kernel kernel[SS_KERNELS_MAX];
    ss_kernel_edit edit;
} ss_kernels;

/* Lines that ss_kernel_facts_of writes, and the bytes of one. */
enum { SS_KERNEL_FACTS = 5, SS_KERNEL_FACT = SS_KERNEL_ENTRY };

/* The facts of a kernel in words: its entry, the constants (if there are any), its place, what a
 * thread and a block take, and the launch with the occupancy. Returns the lines. */
int ss_kernel_facts_of(const ss_running_kernel *k, char out[SS_KERNEL_FACTS][SS_KERNEL_FACT]);

/* "3f2a9c01ab12": the hash of an edited text. "edited kernel 3f2a9c01ab12, same bits as the CPU":
 * all that is known of such cycles; "": there are none. Both return buf. */
const char *ss_edited_hash(uint64_t hash, char buf[16]);
const char *ss_edited_words(const ss_edited *e, char *buf, size_t size);
/* The same in few words, without the hash. */
const char *ss_edited_label(const ss_edited *e);

#endif
