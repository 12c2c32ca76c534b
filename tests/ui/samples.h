/* Synthetic snapshots for the tests of the user interface: no engine, no clock, the same every
 * time. Each owns its cells; free with sample_free. */
#ifndef SS_TESTS_SAMPLE_H
#define SS_TESTS_SAMPLE_H

#include "ui/cells/cells.h"
#include "ui/view/view.h"

/* A 2D run of `shared` on its staleness layer, tiles, marks and all controls; w x h picture. */
ss_snapshot *sample_2d(ss_layer layer, int w, int h);
ss_snapshot *sample_1d(int w);
/* A shock tube under the swept rule, a few fields; `tick`: of the microscope. */
ss_snapshot *sample_swept(int w, int tick);
/* Adds four modelled ranks, with the timeline of two cycles. */
void sample_ranks(ss_snapshot *s);
/* The staleness cone of block 2 after `now` of k subiterations, with this overlap of 32 points. */
void sample_cone(ss_snapshot *s, int k, int overlap, int now);
/* A race of two runs at the same iteration, the first one shown; the second has another picture of
 * the same size. Its memory belongs to the sample. */
void sample_race(ss_snapshot *s);
/* Two patches side by side under block Gauss-Seidel, seen in a slice. */
ss_snapshot *sample_3d(ss_layer layer, int w, int h);
/* An arbitrary snapshot by seed: NaN cells, lo = hi, huge numbers, no curve. */
ss_snapshot *sample_random(uint64_t seed);
/* Resizes its picture. */
void sample_picture(ss_snapshot *s, ss_layer layer, int w, int h);
void sample_free(ss_snapshot *s);

/* An emit that accepts every command and returns tickets; `last` is the latest line. */
typedef struct sample_log {
    char last[256];
    uint64_t ticket;
    int count;
} sample_log;
uint64_t sample_emit(void *log, const ss_cmd *cmd, ss_err *err);

/* Carries out a line that the app handles, as the app does. */
int sample_command(ss_ui *ui, const char *line, const ss_snapshot *snap);
/* Scene and cells of a screen, with the picture of the requested size. */
void sample_screen(ss_ui *ui, ss_snapshot *snap, int cols, int rows, const ss_paint *how,
                   ss_term_cells *out);

/* A test of a user interface `ui` that shows the snapshot `s`. */
#define UI_TEST(suite, name, snapshot)                                                             \
    static void suite##_##name##_on(ss_ui *ui, ss_snapshot *s);                                    \
    TEST(suite, name)                                                                              \
    {                                                                                              \
        static sample_log log;                                                                     \
        ss_snapshot *s = snapshot;                                                                 \
        ss_ui *ui = ss_ui_new(sample_emit, &log, NULL);                                            \
        CHECK(ui != NULL);                                                                         \
        suite##_##name##_on(ui, s);                                                                \
        ss_ui_free(ui);                                                                            \
        sample_free(s);                                                                            \
    }                                                                                              \
    static void suite##_##name##_on(ss_ui *ui, ss_snapshot *s)

#endif
