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
    int threads;                  /* of each rank; 0: one */
    const ss_part_device *device; /* of the ranks; NULL: none */
    const int *which;             /* the device of each rank; NULL: its number */
    bool mixed;                   /* only even ranks have one */
    const int64_t *batch;         /* cycles of each batch, 0-terminated; check_every 1 if steady */
    int64_t finish;               /* classic steps afterwards */
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
enum { PART_RANKS = 5 };
extern const int part_ranks[PART_RANKS]; /* numbers of ranks that are tried */

/* One norm per cycle, each to 1e-13. */
void part_check_norms(const part_case *c, const double *norm);
/* Runs on each number of ranks against backend cpu with the settings of `reference`, bit for bit;
 * norms: those of all cycles, too. */
void part_check(part_case *c, const char *reference, bool norms);
/* Schedule shared in both precisions, on each number of ranks, against the run on one machine whose
 * tiles are the ranks; settings without backend and precision. */
void part_check_tiles(const part_case *like);
/* Jacobi on 1 to 4 ranks stops at the tolerance of `like` at the cycle of backend cpu, with its
 * field and norm. like: tol, device and which. */
void part_check_stop(const part_case *like);
/* The field of backend cpu after as many cycles and steps; its norms are in *norms (NULL: not
 * wanted), one per cycle. Free both. Settings of the reference may differ ("shared block 7"). */
char *part_reference(const part_case *c, const char *settings, double **norms);

#endif
