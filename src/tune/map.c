/* `stencilscope map`, the tuning map: waits for the thread that measures the cells, and
 * shows its progress. Each cell is a run from the initial field to its tolerance or limit; no
 * value is extrapolated from a shorter run. See tuner.h. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/common.h"
#include "src/base/system.h"
#include "src/core/registry.h"
#include "src/tune/kit.h"
#include "src/tune/tuner.h"

#define SHOW 0.05 /* seconds between two updates of the progress bar */

int ss_tune_first(const ss_config *cfg, ss_config *out, ss_err *err)
{
    ss_tune_map m;
    ss_err why = {0};
    int status = ss_tune_prepare(cfg, ss_tune_asked_axes(), &m, err);
    bool found = false;
    for (int i = 0; status == SS_EXIT_OK && i < m.n && !found; i++) {
        ss_tune_config(&m, i, out);
        found = ss_config_check(out, NULL, i ? NULL : &why) == SS_OK;
    }
    free(m.cell);
    if (status == SS_EXIT_OK && !found)
        status = (ss_fail(err, "every cell was refused; the first one: %.240s", why.text),
                  SS_EXIT_FAILED);
    return status;
}

static atomic_bool interrupted;

static void on_signal(int number)
{
    (void)number;
    atomic_store(&interrupted, true);
}

/* The progress bar on stderr; before: cells that were done at the start. */
static void show(const ss_map_view *v, int before)
{
    static const char full[] = "########################################";
    char left[40];
    int width = (int)sizeof full - 1, done = v->done - before, all = v->n - before;
    double part = (done + v->way) / (all > 0 ? all : 1);
    fprintf(stderr, "\r[%-*.*s] %3d %%  %d of %d cells", width, (int)(width * part), full,
            (int)(100 * part), done, all);
    if (isfinite(v->left))
        fprintf(stderr, ", %s left", ss_duration_text(v->left, left, sizeof left));
    fprintf(stderr, "\033[K");
    fflush(stderr);
}

/* Until the map is full, something fails, or a signal comes. */
static int wait_for_all(ss_tuner *t, ss_tune_each *each, void *ctx, ss_err *err)
{
    bool fresh, bar = isatty(STDERR_FILENO);
    const ss_map_view *v = ss_tuner_view(t, &fresh);
    int status = SS_OK, before = v->done, seen = -1;
    for (; !atomic_load(&interrupted); v = ss_tuner_view(t, &fresh)) {
        if (each && v->done != seen)
            status = each(v, ctx, err);
        seen = v->done;
        if (status != SS_OK || *v->error || v->done == v->n)
            break;
        if (bar)
            show(v, before);
        ss_tuner_wait(t, SHOW);
    }
    if (bar)
        fprintf(stderr, "\r\033[K");
    return status;
}

int ss_tune_run_shown(const ss_config *cfg, ss_tune_each *each, void *ctx, ss_err *err)
{
    int status;
    ss_quit_signals before;
    const char *json = ss_config_text(ss_options(), "json");
    ss_tuner_setup setup = {.cfg = cfg, .by_cell = each != NULL};
    atomic_store(&interrupted, false);
    ss_quit_signals_catch(&before, on_signal);
    ss_tuner *t = ss_tuner_asked(&setup, &status, err);
    if (!t) {
        ss_quit_signals_release(&before);
        return status;
    }
    if (*ss_tuner_notice(t) && !json)
        fprintf(stderr, "stencilscope: %s\n", ss_tuner_notice(t));
    bool failed = wait_for_all(t, each, ctx, err) != SS_OK;
    ss_quit_signals_release(&before);
    FILE *table = json && strcmp(json, "-") == 0 ? NULL : stdout;
    return ss_tuner_finish(t, failed, table, err);
}

int ss_tune_run(const ss_config *cfg, ss_err *err)
{
    return ss_tune_run_shown(cfg, NULL, NULL, err);
}
