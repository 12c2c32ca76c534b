/* Runs divided among ranks that are threads, and the same run on the backend cpu. */
#ifndef SS_TESTS_PART_RUN_H
#define SS_TESTS_PART_RUN_H

#include "kernels/part/part.h"
#include "tests/fields.h"
#include "tests/kernels/part/threads.h"

/* A divided run, and what it has computed: filled by part_run. */
typedef struct part_case {
    const char *settings; /* "equation ... solver ... n ...", as for set_config */
    const ss_part_schedule *schedule;
    int exchange, ranks;
    int threads;          /* of each rank; 0: one */
    const int64_t *batch; /* cycles of each batch, 0-terminated; check_every 1 if steady */
    int64_t finish;       /* classic steps afterwards */
    double tol;
    const threads_fault *fault;
    threads_count *count; /* NULL, or per rank */
    /* The results. field: dense, all fields; free with part_free. */
    char *field;
    size_t bytes;
    ss_part_norm norm[SS_PART_NORMS_MAX];
    int norms;
    int64_t cycles;
    bool reached;
    ss_part_figures figures;
} part_case;

/* Does the batches and the reduction. */
void part_run(part_case *c);
void part_free(part_case *c);
/* The field of backend cpu after as many cycles and steps; its norms are in *norms (NULL: not
 * wanted), one per cycle. Free both. Settings of the reference may differ ("shared block 7"). */
char *part_reference(const part_case *c, const char *settings, double **norms);

#endif
