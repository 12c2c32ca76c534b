/* The small runs behind the cards: their sizes, their pictures, and the thread that makes them. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "src/gallery/film.h"
#include "src/gallery/runner.h"
#include "tests/engines.h"

static ss_card_film film;

static ss_config machine(void)
{
    return config("poisson2d", NULL, PAIRS("backend", "cpu", "threads", "1"));
}

static ss_card_plan plan_of(const char *commands)
{
    ss_config cfg = machine();
    ss_card_plan p;
    ss_err err = {0};
    CHECK_MSG(ss_card_plan_make(commands, &cfg, 40, &p, &err) == SS_OK, "%s", err.text);
    return p;
}

static const char *refusal_of(const char *commands)
{
    static ss_err err;
    ss_config cfg = machine();
    ss_card_plan p;
    err = (ss_err){0};
    CHECK_INT(ss_card_plan_make(commands, &cfg, 40, &p, &err), SS_FAIL);
    return err.text;
}

TEST(films, the_grid_is_small_and_blocks_keep_their_size)
{
    ss_card_plan p = plan_of("open poisson2d jacobi n=256; run; say \"next\"");
    CHECK_NEAR(p.points, 64 * 64, 0);
    p = plan_of("open poisson2d shared n=256 block=32 k=12 overlap=4; view layer staleness");
    CHECK_NEAR(p.points, 128 * 128, 0);
    CHECK_INT((int)ss_config_int(&p.cfg, "block"), 32);
    p = plan_of("open poisson2d multigrid n=127");
    CHECK_NEAR(p.points, 127 * 127, 0); /* one of its smoothers has blocks */
    p = plan_of("open poisson2d shared n=31 block=16 k=8; set k 4");
    CHECK_NEAR(p.points, 31 * 31, 0);
    CHECK_INT((int)ss_config_int(&p.cfg, "k"), 4);
    p = plan_of("open heat1d stepper n=65536");
    CHECK_NEAR(p.points, 1024, 0);
    CHECK_INT(p.states, 40);
}

TEST(films, what_has_no_small_picture_says_why)
{
    CHECK_STR(refusal_of("open poisson2d shared n=4096 block=256 k=16 overlap=30; run"),
              "16,777,216 points: too large for a small picture");
    CHECK_STR(refusal_of("open poisson2d jacobi n=127; add poisson2d sor n=127; run"),
              "2 runs side by side: jacobi, sor");
    CHECK(*refusal_of("view layer value"));
    CHECK(*refusal_of("open poisson2d nonsense"));
}

static void run_film(const char *commands, ss_layer layer)
{
    ss_config cfg = machine();
    ss_err err = {0};
    bool more = true;
    CHECK_MSG(ss_card_film_open(&film, commands, layer, &cfg, 40, 24, &err) == SS_OK, "%s",
              err.text);
    while (more)
        CHECK_INT(ss_card_film_next(&film, &more, &err), SS_OK);
}

/* The same run gives the same picture, also after a restart. */
TEST(films, pictures_are_reproducible)
{
    static float first[SS_THUMB_SIDE * SS_THUMB_ROWS];
    ss_err err = {0};
    run_film("open poisson2d shared n=128 block=32 k=8", SS_STALENESS);
    CHECK_STR(film.thumb.words, "128×128 points");
    CHECK(film.thumb.w == 24 && film.thumb.h == 24 && film.thumb.hi > 0);
    size_t bytes = sizeof *first * (size_t)(film.thumb.w * film.thumb.h);
    memcpy(first, film.thumb.cell, bytes);
    ss_card_film_close(&film);
    run_film("open poisson2d shared n=128 block=32 k=8", SS_STALENESS);
    CHECK(memcmp(first, film.thumb.cell, bytes) == 0);
    CHECK_INT(ss_card_film_restart(&film, &err), SS_OK);
    CHECK(film.state == 0 && memcmp(first, film.thumb.cell, bytes) != 0);
    for (bool more = true; more;)
        CHECK_INT(ss_card_film_next(&film, &more, &err), SS_OK);
    CHECK(memcmp(first, film.thumb.cell, bytes) == 0);
    ss_card_film_close(&film);
}

/* A shock tube: the newest row is on top, the membrane is still whole in the oldest one. */
TEST(films, a_line_becomes_a_space_time_diagram)
{
    run_film("open euler1d swept n=256 until-time=0.2", SS_VALUE);
    ss_card_film_trim(&film);
    const ss_thumb *t = &film.thumb;
    CHECK(t->w == 40 && t->h > 12 && t->h <= 24);
    int levels[2] = {0, 0};
    for (int i = 0; i < t->w * t->h; i++)
        CHECK(isfinite(t->cell[i]));
    for (int row = 0; row < 2; row++)
        for (int i = 1; i < t->w; i++) {
            const float *at = t->cell + (row ? t->h - 1 : 0) * t->w;
            levels[row] += fabsf(at[i] - at[i - 1]) > 0.01F;
        }
    CHECK_MSG(levels[1] <= 2 && levels[0] > 8, "%d, %d", levels[0], levels[1]);
    CHECK(film.run->time > 0.19 && film.run->time < 0.21);
    ss_card_film_close(&film);
}

/* A run that diverges keeps the states before that. */
TEST(films, an_unstable_run_has_a_picture)
{
    run_film("open heat1d swept n=256 block=8 fo=0.55 allow-unstable=on", SS_VALUE);
    ss_card_film_trim(&film);
    CHECK(film.thumb.h >= 1 && isfinite(film.thumb.hi) && film.thumb.hi > film.thumb.lo);
    ss_card_film_close(&film);
}

TEST(films, a_layer_that_does_not_exist_is_refused_in_words)
{
    ss_config cfg = machine();
    ss_err err = {0};
    CHECK_INT(
        ss_card_film_open(&film, "open poisson2d jacobi n=64", SS_STALENESS, &cfg, 40, 24, &err),
        SS_FAIL);
    CHECK_STR(err.text, "every point of this solver is up to date");
}

/* --- the thread ------------------------------------------------------------------------------- */

static ss_gallery taken;

static void add(ss_gallery_runner_setup *s, int tab, const char *commands)
{
    snprintf(s->card[tab][s->n[tab]].commands, sizeof s->card[0][0].commands, "%s", commands);
    s->card[tab][s->n[tab]++].layer = SS_VALUE;
}

static ss_gallery_runner *start(const ss_config *cfg, bool still)
{
    static ss_gallery_runner_setup s;
    ss_err err = {0};
    s = (ss_gallery_runner_setup){.machine = cfg, .w = 40, .h = 24, .still = still};
    add(&s, SS_TAB_PRESETS, "open poisson2d jacobi n=64");
    add(&s, SS_TAB_PRESETS, "open poisson2d shared n=4096 block=256");
    add(&s, SS_TAB_PRESETS, "open heat1d stepper n=256 problem=step");
    add(&s, SS_TAB_LESSONS, "open poisson2d jacobi n=48");
    memset(&taken, 0, sizeof taken);
    ss_gallery_runner *r = ss_gallery_runner_start(&s, &err);
    CHECK_MSG(r, "%s", err.text);
    return r;
}

TEST(films, the_thread_makes_all_pictures_of_a_tab)
{
    ss_config cfg = machine();
    ss_gallery_runner *r = start(&cfg, true);
    ss_gallery_runner_wait(r, SS_TAB_PRESETS);
    CHECK(ss_gallery_runner_take(r, &taken));
    CHECK(taken.n[SS_TAB_PRESETS] == 3 && taken.card == -1);
    CHECK_INT(taken.still[SS_TAB_PRESETS][0].state, SS_THUMB_SHOWN);
    CHECK_INT(taken.still[SS_TAB_PRESETS][1].state, SS_THUMB_WORDS);
    CHECK_INT(taken.still[SS_TAB_PRESETS][2].state, SS_THUMB_SHOWN);
    run_film("open poisson2d jacobi n=64", SS_VALUE);
    const ss_thumb *t = &taken.still[SS_TAB_PRESETS][0];
    CHECK(memcmp(t->cell, film.thumb.cell, sizeof *t->cell * (size_t)(t->w * t->h)) == 0);
    ss_card_film_close(&film);
    ss_gallery_runner_choose(r, SS_TAB_LESSONS, 0);
    ss_gallery_runner_wait(r, SS_TAB_LESSONS);
    CHECK(ss_gallery_runner_take(r, &taken) && !ss_gallery_runner_take(r, &taken));
    CHECK_INT(taken.still[SS_TAB_LESSONS][0].state, SS_THUMB_SHOWN);
    ss_gallery_runner_stop(r);
}

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
}

/* Waits until card `which` plays (-1: none does). */
static bool plays(ss_gallery_runner *r, int which)
{
    for (int i = 0; i < 12000; i++, nap()) {
        ss_gallery_runner_take(r, &taken);
        if (taken.card == which)
            return true;
    }
    return false;
}

TEST(films, the_chosen_card_plays_and_the_others_are_still)
{
    ss_config cfg = machine();
    ss_gallery_runner *r = start(&cfg, false);
    ss_gallery_runner_choose(r, SS_TAB_PRESETS, 2);
    CHECK(plays(r, 2));
    uint64_t first = taken.moving.version, still = taken.still[SS_TAB_PRESETS][0].version;
    for (int i = 0; i < 12000 && taken.moving.version < first + 3; i++, nap())
        ss_gallery_runner_take(r, &taken);
    CHECK(taken.moving.version >= first + 3 && taken.moving.dim == 1);
    CHECK(taken.still[SS_TAB_PRESETS][0].version == still);
    ss_gallery_runner_choose(r, SS_TAB_PRESETS, 1); /* it has no picture */
    CHECK(plays(r, -1));
    ss_gallery_runner_choose(r, SS_TAB_PRESETS, 0);
    CHECK(plays(r, 0) && taken.moving.dim == 2);
    ss_gallery_runner_stop(r);
}

/* Long runs follow each other without a pause but for the thread's own. A busy machine only lowers
 * the share. */
TEST(films, the_thread_uses_a_fifth_of_a_processor)
{
    static ss_gallery_runner_setup s;
    ss_config cfg = machine();
    ss_err err = {0};
    s = (ss_gallery_runner_setup){.machine = &cfg, .w = 160, .h = 120};
    for (int i = 0; i < SS_GALLERY_CARDS; i++)
        add(&s, SS_TAB_PRESETS, "open ks1d swept n=256 block=32");
    ss_gallery_runner *r = ss_gallery_runner_start(&s, &err);
    CHECK_MSG(r, "%s", err.text);
    clock_t before = clock();
    double began = ss_clock();
    for (int i = 0; i < 200; i++)
        nap();
    double share = (double)(clock() - before) / CLOCKS_PER_SEC / (ss_clock() - began);
    CHECK_MSG(share > 0 && share < 0.4, "%.2f of a processor", share); /* this thread naps */
    ss_gallery_runner_stop(r);
}

/* It ends at once: while it is held, and while it computes. */
TEST(films, a_thread_that_is_held_makes_nothing_and_ends)
{
    ss_config cfg = machine();
    ss_gallery_runner *r = start(&cfg, false);
    ss_gallery_runner_hold(r, true);
    nap();
    ss_gallery_runner_take(r, &taken);
    for (int i = 0; i < 20; i++)
        nap();
    CHECK(!ss_gallery_runner_take(r, &taken));
    ss_gallery_runner_hold(r, false);
    ss_gallery_runner_wait(r, SS_TAB_PRESETS);
    CHECK(ss_gallery_runner_take(r, &taken));
    ss_gallery_runner_stop(r);
    r = start(&cfg, false);
    ss_gallery_runner_stop(r);
    ss_gallery_runner_stop(NULL);
}
