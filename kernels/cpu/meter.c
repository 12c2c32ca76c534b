/* What this machine's memory gives, as rows for `bench`: the triad of stream.h and its relatives.
 * The memory of a shared machine changes its speed by two within minutes, so bench asks anew in
 * every round. Main thread. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/cpu/cpu.h"
#include "kernels/cpu/isa.h"
#include "kernels/cpu/memory.h"
#include "kernels/cpu/stream.h"

#define PASSES 5 /* the best of which counts: nothing but a neighbour makes a pass slower */

typedef struct probe {
    const char *name, *help;
    double (*pass)(ss_triad *arrays);
} probe;

static const probe probes[] = {
    {"triad", "a = b + s c, 24 bytes an element as the source says", ss_triad_plain},
    {"triad-streaming", "the same with non-temporal stores", ss_triad_stream},
    {"copy", "a = b, 16 bytes an element", ss_triad_copy},
};
#define PROBES ((int)(sizeof probes / sizeof *probes))

static int open_arrays(const ss_config *cfg, void **state, ss_err *err)
{
    char what[64];
    ss_run asked = {.cfg = *cfg};
    ss_triad *arrays = ss_alloc(sizeof *arrays, "the triad", err);
    *state = arrays;
    if (arrays && ss_triad_open(arrays, ss_run_threads(&asked),
                                0.4 * ss_memory_available(what, sizeof what), err) == SS_OK)
        return SS_OK;
    free(arrays);
    return SS_FAIL;
}

static int measure(void *state, ss_limit *rows, ss_err *err)
{
    (void)err;
    ss_triad_plain(state); /* wakes the threads */
    for (int i = 0; i < PROBES; i++)
        rows[i] = (ss_limit){probes[i].name, "B/s", probes[i].help, 0};
    for (int pass = 0; pass < PASSES; pass++)
        for (int i = 0; i < PROBES; i++)
            rows[i].value = fmax(rows[i].value, probes[i].pass(state));
    return PROBES;
}

/* The wait policy: threads that sleep while they wait flatter whoever waits less. */
static void describe(const void *state, char *buf, size_t size)
{
    char bytes[32];
    const char *policy = getenv("OMP_WAIT_POLICY");
    snprintf(buf, size, "%s instructions, arrays of %s, OpenMP wait policy %s",
             ss_isa_name(ss_isa_level()),
             ss_format_bytes((double)((const ss_triad *)state)->n * 8, bytes, sizeof bytes),
             policy ? policy : "not set");
}

static void close_arrays(void *state)
{
    ss_triad_close(state);
    free(state);
}

const ss_meter ss_cpu_meter = {
    .sample_seconds = 0.25,
    .sample_cycles = 1,
    .open = open_arrays,
    .measure = measure,
    .describe = describe,
    .close = close_arrays,
};
