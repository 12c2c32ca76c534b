/* Figures (ui/canvas/figure.c): many of one program. */
#include "tests/check.h"

#ifdef SS_WITH_CAIRO

#include <malloc.h>
#include <stdio.h>
#include <unistd.h>

#include "tests/ui/samples.h"
#include "ui/record/frames.h"

enum { W = 640, H = 400 };

static void draw(const ss_figures *figures, const ss_scene *scene, int n)
{
    char path[64];
    ss_err err = {0};
    snprintf(path, sizeof path, "/tmp/ss-figure-%d.svg", (int)getpid());
    for (int i = 0; i < n; i++)
        CHECK_MSG(figures->save(scene, path, W, H, "stencilscope", &err) == SS_OK, "%s", err.text);
    remove(path);
}

/* Of the heap, as far as the C library tells. */
static double used_kilobytes(void)
{
#if defined __GLIBC__ && __GLIBC_PREREQ(2, 33)
    return (double)mallinfo2().uordblks / 1024;
#else
    return 0;
#endif
}

/* A figure that kept its fonts would keep about 30 kB each. */
TEST(figure, many_figures_need_no_more_memory_than_some)
{
    static ss_scene scene;
    enum { SOME = 30, MORE = 120, KILOBYTES = 100 };
    ss_err err = {0};
    ss_extent e;
    const ss_figures *figures = ss_figures_find(&err);
    CHECK_MSG(figures && figures->extent(W, H, &e, &err) == SS_OK, "%s", err.text);
    ss_scene_clear(&scene, e.cols, e.rows, &ss_themes[0]);
    for (int y = 1; y < 12; y++)
        ss_scene_text(&scene, 1, y, 40, SS_C_TEXT, y % 2 ? SS_BOLD : 0, "residual 1.5e-4 · μs");
    draw(figures, &scene, SOME);
    double before = used_kilobytes();
    draw(figures, &scene, MORE);
    double more = used_kilobytes() - before;
    CHECK_MSG(more < KILOBYTES, "%d figures more: %g kB", MORE, more);
}

#endif
