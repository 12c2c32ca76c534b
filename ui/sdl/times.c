/* Frame times for tests/e2e/window_rate.sh: see parts.h. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "src/base/common.h"
#include "ui/sdl/parts.h"

enum { FRAMES_MAX = 1 << 14, KEYS_MAX = 1 << 10, WARM_UP = 20 };

struct ss_sdl_times {
    int n; /* frames so far, warm-up included */
    double last, last_cpu;
    double pressed; /* when the key was that no frame has answered yet; 0: none */
    int nkey;
    double key[KEYS_MAX]; /* seconds from a key to the end of the next frame's presentation */
    double interval[FRAMES_MAX], work[FRAMES_MAX], present[FRAMES_MAX];
};

double ss_sdl_cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

ss_sdl_times *ss_sdl_times_new(void)
{
    return calloc(1, sizeof(ss_sdl_times));
}

void ss_sdl_times_key(ss_sdl_times *t, double ago)
{
    if (t->pressed <= 0)
        t->pressed = ss_clock() - ago;
}

/* Counts everything that this thread does between two frames, except the presentation. */
void ss_sdl_times_frame(ss_sdl_times *t, double present, double present_cpu)
{
    double now = ss_clock(), cpu = ss_sdl_cpu();
    int i = t->n++ - WARM_UP;
    if (i >= 0 && i < FRAMES_MAX) {
        t->interval[i] = now - t->last;
        t->work[i] = cpu - t->last_cpu - present_cpu;
        t->present[i] = present;
    }
    if (t->pressed > 0 && t->nkey < KEYS_MAX)
        t->key[t->nkey++] = now - t->pressed;
    t->pressed = 0;
    t->last = now, t->last_cpu = cpu;
}

void ss_sdl_times_end(ss_sdl_times *t, int w, int h)
{
    int n = t->n - WARM_UP, within = 0;
    n = n > FRAMES_MAX ? FRAMES_MAX : n;
    if (n > 0) {
        qsort(t->interval, (size_t)n, sizeof *t->interval, ss_ascending);
        qsort(t->work, (size_t)n, sizeof *t->work, ss_ascending);
        qsort(t->present, (size_t)n, sizeof *t->present, ss_ascending);
        for (int i = 0; i < n; i++)
            within += t->interval[i] <= 0.020;
        fprintf(stderr, "figure window_pixels %dx%d\nfigure window_frames %d\n", w, h, n);
        fprintf(stderr, "figure window_frames_a_second %.1f\n", 1 / t->interval[n / 2]);
        fprintf(stderr, "figure window_within_20_ms_percent %.1f\n", 100.0 * within / n);
        fprintf(stderr, "figure window_95_percent_ms %.2f\n", 1e3 * t->interval[n * 95 / 100]);
        fprintf(stderr, "figure window_processor_ms_a_frame %.2f\n", 1e3 * t->work[n / 2]);
        fprintf(stderr, "figure window_present_ms_a_frame %.2f\n", 1e3 * t->present[n / 2]);
    }
    qsort(t->key, (size_t)t->nkey, sizeof *t->key, ss_ascending);
    if (t->nkey > 0) {
        fprintf(stderr, "figure window_keys %d\n", t->nkey);
        fprintf(stderr, "figure window_key_to_screen_ms %.2f\n", 1e3 * t->key[t->nkey / 2]);
    }
    free(t);
}
