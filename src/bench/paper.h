/*
 * A paper's figures and our measurements of the same cases: rows of assets/data/papers.txt, read
 * into the groups and cases of a bench. A way is a set of settings for all cases (the paper's
 * launches, our best ones); a problem has a group per way, and a case has the same index in all of
 * them. Main thread.
 */
#ifndef SS_BENCH_PAPER_H
#define SS_BENCH_PAPER_H

#include "src/bench/kit.h"

#define SS_PAPER_ROWS 256
#define SS_PAPER_WAYS 2
#define SS_PAPER_PROBLEMS (SS_GROUPS_MAX / SS_PAPER_WAYS)
#define SS_PAPER_LIST 16
#define SS_PAPER_TEXTS 12

typedef struct ss_paper_row {
    const ss_bench_kind *kind;
    char source[24], theirs[24], further[32];
    char label[64]; /* the settings that all its cases share; */
    char here[64];  /* without optional ones that do not apply on this backend */
    int problem;
    int at[SS_PAPER_LIST], count; /* its cases; the fastest one is the row's */
    bool hidden;                  /* here it is the same as a row before */
} ss_paper_row;

typedef struct ss_paper {
    const char *name;
    bool ours; /* the data's lines are those of this paper */
    char problems[SS_PAPER_PROBLEMS][16];
    double n[SS_PAPER_PROBLEMS];  /* the paper's; --n may select another */
    int index[SS_PAPER_PROBLEMS]; /* position in the paper's list of sizes */
    char left[16]; /* a problem whose line names the bench's backend: others measure the same */
    char way_names[SS_PAPER_WAYS][32];
    ss_settings ways[SS_PAPER_WAYS];
    char notes[SS_PAPER_TEXTS][128], legend[SS_PAPER_TEXTS][128];
    int nnote, nlegend; /* without notes it is nobody's paper: ours are compared with each other */
    ss_paper_row rows[SS_PAPER_ROWS];
    int nrow;
} ss_paper;

/* Reads the paper's rows into b->paper and the groups; free(b->paper) afterwards. Two ways that do
 * not differ on this backend become one. */
int ss_paper_read(ss_bench *b, const char *name, ss_err *err);
/* The row's fastest case; if all were skipped, the first. */
ss_bench_case *ss_paper_best(ss_bench *b, const ss_paper_row *row, int way);
/* The kind of that word in the data, or NULL. */
const ss_bench_kind *ss_paper_kind(const char *word);

#endif
