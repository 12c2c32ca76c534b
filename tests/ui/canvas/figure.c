/* Figures (ui/canvas/figure.c): many of one program. */
#include "tests/check.h"

#ifdef SS_WITH_CAIRO

#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/ui/samples.h"
#include "ui/record/record.h"

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
    /* The file with all of its text, for strstr. */
    static const char *content(const char *path)
    {
        static char text[1 << 16];
        FILE *f = fopen(path, "r");
        CHECK(f != NULL);
        text[fread(text, 1, sizeof text - 1, f)] = '\0';
        fclose(f);
        remove(path);
        return text;
    }

    static const ss_scene *words_on_paper(const ss_figures *figures, double mm)
    {
        static ss_scene scene;
        ss_extent e;
        ss_err err;
        CHECK_INT(figures->paper(mm, &e, &err), SS_OK);
        ss_scene_clear(&scene, e.cols, 4, &ss_themes[0]);
        ss_scene_text(&scene, 1, 1, 20, SS_C_TEXT, 0, "k = 8 & k < 9");
        ss_scene_text(&scene, 1, 2, 3, SS_C_TEXT, SS_BOLD, "a text that is far too long");
        return &scene;
    }

    /* A reader finds the words; what does not fit its room ends with an ellipsis. */
    TEST(figure, an_svg_has_its_texts_as_text)
    {
        char path[64];
        ss_err err = {0};
        const ss_figures *figures = ss_figures_find(&err);
        snprintf(path, sizeof path, "/tmp/ss-words-%d.svg", (int)getpid());
        CHECK_MSG(figures->print(words_on_paper(figures, 88), path, 88, "the <command>", &err) ==
                      SS_OK,
                  "%s", err.text);
        const char *text = content(path);
        CHECK(strstr(text, ">k = 8 &amp; k &lt; 9</text>") != NULL);
        CHECK(strstr(text, "textLength=\"") != NULL);
        CHECK(strstr(text, "too long") == NULL && strstr(text, "…</text>") != NULL);
        CHECK(strstr(text, "<desc>the &lt;command&gt;</desc>") != NULL);
        CHECK(strstr(text, "width=\"249.44") != NULL); /* 88 mm in points */
    }

    /* Below a veil words are dimmed: they stay what the surface draws. */
    TEST(figure, an_svg_with_a_veil_has_outlines)
    {
        char path[64];
        static ss_scene scene;
        ss_err err = {0};
        const ss_figures *figures = ss_figures_find(&err);
        snprintf(path, sizeof path, "/tmp/ss-veil-%d.svg", (int)getpid());
        scene = *words_on_paper(figures, 88);
        ss_scene_add(&scene, SS_I_VEIL, (ss_rect){0, 0, scene.cols, scene.rows}, SS_C_GROUND);
        CHECK_MSG(figures->print(&scene, path, 88, "", &err) == SS_OK, "%s", err.text);
        CHECK(strstr(content(path), "<text") == NULL);
    }

    /* The same scene on half the width has half the cells: its type has one size. */
    TEST(figure, paper_has_type_of_one_size_at_every_width)
    {
        ss_extent narrow, wide;
        ss_err err = {0};
        const ss_figures *figures = ss_figures_find(&err);
        CHECK_INT(figures->paper(90, &narrow, &err), SS_OK);
        CHECK_INT(figures->paper(180, &wide, &err), SS_OK);
        CHECK_INT(narrow.dots_x, wide.dots_x);
        CHECK(wide.cols / 2 == narrow.cols);
    }

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

/* The file with all of its text, for strstr. */
static const char *content(const char *path)
{
    static char text[1 << 16];
    FILE *f = fopen(path, "r");
    CHECK(f != NULL);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    remove(path);
    return text;
}

static const ss_scene *words_on_paper(const ss_figures *figures, double mm)
{
    static ss_scene scene;
    ss_extent e;
    ss_err err;
    CHECK_INT(figures->paper(mm, &e, &err), SS_OK);
    ss_scene_clear(&scene, e.cols, 4, &ss_themes[0]);
    ss_scene_text(&scene, 1, 1, 20, SS_C_TEXT, 0, "k = 8 & k < 9");
    ss_scene_text(&scene, 1, 2, 3, SS_C_TEXT, SS_BOLD, "a text that is far too long");
    return &scene;
}

/* A reader finds the words; what does not fit its room ends with an ellipsis. */
TEST(figure, an_svg_has_its_texts_as_text)
{
    char path[64];
    ss_err err = {0};
    const ss_figures *figures = ss_figures_find(&err);
    snprintf(path, sizeof path, "/tmp/ss-words-%d.svg", (int)getpid());
    CHECK_MSG(figures->print(words_on_paper(figures, 88), path, 88, "the <command>", &err) == SS_OK,
              "%s", err.text);
    const char *text = content(path);
    CHECK(strstr(text, ">k = 8 &amp; k &lt; 9</text>") != NULL);
    CHECK(strstr(text, "textLength=\"") != NULL);
    CHECK(strstr(text, "too long") == NULL && strstr(text, "…</text>") != NULL);
    CHECK(strstr(text, "<desc>the &lt;command&gt;</desc>") != NULL);
    CHECK(strstr(text, "width=\"249.44") != NULL); /* 88 mm in points */
}

/* Below a veil words are dimmed: they stay what the surface draws. */
TEST(figure, an_svg_with_a_veil_has_outlines)
{
    char path[64];
    static ss_scene scene;
    ss_err err = {0};
    const ss_figures *figures = ss_figures_find(&err);
    snprintf(path, sizeof path, "/tmp/ss-veil-%d.svg", (int)getpid());
    scene = *words_on_paper(figures, 88);
    ss_scene_add(&scene, SS_I_VEIL, (ss_rect){0, 0, scene.cols, scene.rows}, SS_C_GROUND);
    CHECK_MSG(figures->print(&scene, path, 88, "", &err) == SS_OK, "%s", err.text);
    CHECK(strstr(content(path), "<text") == NULL);
}

/* The same scene on half the width has half the cells: its type has one size. */
TEST(figure, paper_has_type_of_one_size_at_every_width)
{
    ss_extent narrow, wide;
    ss_err err = {0};
    const ss_figures *figures = ss_figures_find(&err);
    CHECK_INT(figures->paper(90, &narrow, &err), SS_OK);
    CHECK_INT(figures->paper(180, &wide, &err), SS_OK);
    CHECK_INT(narrow.dots_x, wide.dots_x);
    CHECK(wide.cols / 2 == narrow.cols);
}

#endif
