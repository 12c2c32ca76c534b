/*
 * A paper's figures and what is measured beside them: rows of assets/data/papers.txt, read into the
 * groups and cases of a bench. A problem stands in one group for each way of doing it; the same
 * case has the same index in all of them. Main thread.
 */
#ifndef SS_BENCH_PAPER_H
#define SS_BENCH_PAPER_H

#include "src/bench/kit.h"

#define SS_PAPER_ROWS 192
#define SS_PAPER_WAYS 2
#define SS_PAPER_PROBLEMS (SS_GROUPS_MAX / SS_PAPER_WAYS)
#define SS_PAPER_LIST 16
#define SS_PAPER_NOTES 4

typedef enum ss_row_kind {
    SS_ROW_CLASSIC, /* the yardstick of speed-ups; theirs in milliseconds */
    SS_ROW_SPEEDUP,
    SS_ROW_TUNE,
    SS_ROW_TUNED, /* the yardstick of wild ones */
    SS_ROW_TRANSFER,
    SS_ROW_WILD,
    SS_ROW_SMOOTH,
    SS_NROW_KIND
} ss_row_kind;

typedef struct ss_paper_row {
    ss_row_kind kind;
    char source[24], theirs[24], extra[32];
    char label[64]; /* what all its cases have in common */
    int problem;
    int at[SS_PAPER_LIST], count; /* its cases; the fastest one is the row's */
} ss_paper_row;

typedef struct ss_paper {
    ss_bench *b;
    const char *name;
    char problems[SS_PAPER_PROBLEMS][16];
    double n[SS_PAPER_PROBLEMS];  /* the paper's; --n may ask for another */
    int index[SS_PAPER_PROBLEMS]; /* which size of a list this is */
    int nproblem;
    struct {
        char name[32];
        ss_settings set;
    } ways[SS_PAPER_WAYS];
    int nway;
    char notes[SS_PAPER_NOTES][128];
    int nnote;
    ss_paper_row rows[SS_PAPER_ROWS];
    int nrow;
    double upload, download; /* seconds, mean */
    int transfers;
} ss_paper;

/* Reads the paper's rows; ways that come to the same on this backend are one. NULL: err says why.
 */
ss_paper *ss_paper_read(ss_bench *b, const char *name, ss_err *err);
ss_group *ss_paper_group(const ss_paper *p, int problem, int way);
/* The run of a group, with the first of its cases that can be; NULL if none can. */
ss_run *ss_paper_open(ss_group *g, ss_err *err);
/* Makes the run one of the case, no norms; false: it cannot be, and the case says why. */
bool ss_paper_take(const ss_group *g, ss_case *c, ss_run *run);
/* The row's fastest case, or NULL if all were skipped. */
const ss_case *ss_paper_best(const ss_paper *p, const ss_paper_row *row, int way);
/* The setting of a case that the row's list varies: "overlap=4"; "" if there is no list. */
void ss_paper_choice(const ss_paper *p, const ss_paper_row *row, int way, const ss_case *c,
                     char *buf, size_t size);
/* All fields (0) or the right-hand side (1) to or from host memory; seconds of the clock. */
int ss_paper_transfer(ss_run *run, int which, void *rows, bool up, double *seconds, ss_err *err);

/* The notes, and what is different on this device. */
void ss_paper_print_head(const ss_paper *p, FILE *out);
/* How long it is going to take. */
void ss_paper_announce(const ss_paper *p, double seconds, FILE *out);
/* Head, name and notes of the JSON of a paper. */
json_t *ss_paper_json_head(const ss_paper *p);

#endif
