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
#define SS_PAPER_NOTES 4
#define SS_PAPER_LEFT 2

typedef struct ss_paper_row {
    ss_row_kind kind;
    char source[24], theirs[24], extra[32];
    char label[64]; /* the settings that all its cases share; */
    char here[64];  /* without optional ones that do not apply on this backend */
    int problem;
    int at[SS_PAPER_LIST], count; /* its cases; the fastest one is the row's */
    bool repeated;                /* all its cases are in rows before */
    bool again;                   /* here it is the same as a row before */
} ss_paper_row;

typedef struct ss_paper {
    const char *name;
    char problems[SS_PAPER_PROBLEMS][16];
    double n[SS_PAPER_PROBLEMS];  /* the paper's; --n may select another */
    int index[SS_PAPER_PROBLEMS]; /* position in the paper's list of sizes */
    /* Problems whose line names a backend, that of this bench: its other lines measure the same. */
    char left[SS_PAPER_LEFT][16];
    int nleft;
    struct {
        char name[32];
        ss_settings set;
    } ways[SS_PAPER_WAYS];
    char notes[SS_PAPER_NOTES][128];
    int nnote;
    ss_paper_row rows[SS_PAPER_ROWS];
    int nrow;
} ss_paper;

/* Reads the paper's rows into b->paper and the groups; free(b->paper) afterwards. Two ways that do
 * not differ on this backend become one. */
int ss_paper_read(ss_bench *b, const char *name, ss_err *err);
/* paper_hybrid.c: measures the model of a hybrid run and its times by the share of the CPU; and a
 * run on devices 0 and 1. Sets c->skipped where this machine has no such run. */
int ss_bench_find_split(ss_bench *b, const ss_bench_group *g, ss_bench_case *c, ss_run *run,
                        ss_err *err);
/* Seconds that ss_bench_find_split takes, about. */
double ss_bench_split_seconds(const ss_bench *b);
int ss_bench_find_devices(ss_bench *b, const ss_bench_group *g, ss_bench_case *c, ss_err *err);
extern const ss_bench_table ss_bench_split_table, ss_bench_shares_table, ss_bench_devices_table;

/* The row's fastest case, or NULL if all were skipped. */
const ss_bench_case *ss_paper_best(ss_bench *b, const ss_paper_row *row, int way);

#endif
