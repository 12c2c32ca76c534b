/* Red-black SOR in tiles: with enough overlap bit for bit that of the whole field, on grids that
 * are neither square nor a multiple of any block; with less it may diverge, and says so; the
 * microscope's halves and the layer of staleness. */
#include <math.h>

#include "src/run/checkpoint.h"
#include "tests/pictures.h"

#define PLANE "equation poisson2d n 203 ny 131 problem random seed 7 aspect 1.5 "
#define LARGE "equation poisson2d n 523 ny 389 problem random seed 9 "
#define TALL "equation poisson2d n 61 ny 1031 problem random seed 4 "
#define LINES "equation poisson1d n 1009 copies 5 problem random seed 3 "
#define BAND "equation plane n 97 ny 61 problem random seed 3 "
#define WIND "equation advdiff2d n 97 ny 61 problem random seed 3 "

static ss_run *open_join(const char *problem, const char *method)
{
    char text[512];
    snprintf(text, sizeof text, "%s%s", problem, method);
    ss_run *run = open_run(text);
    run->tol = 0;
    return run;
}

static bool same_bytes(ss_run *a, ss_run *b)
{
    char *u = ss_field_download(a), *v = ss_field_download(b);
    bool same = memcmp(u, v, ss_field_bytes(a)) == 0;
    free(u);
    free(v);
    return same;
}

/* `cycles` cycles of k iterations against as many iterations of the whole field. */
static bool agree(const char *problem, const char *tiles, int cycles, int k)
{
    char text[256];
    snprintf(text, sizeof text, "solver shared-sor k %d %s", k, tiles);
    ss_run *run = open_join(problem, text), *whole = open_join(problem, "solver sor");
    step_run(run, cycles);
    step_run(whole, (int64_t)cycles * k);
    bool same = same_bytes(run, whole);
    ss_run_close(run);
    ss_run_close(whole);
    return same;
}

static void check_variants(const char *problem, const char *tiles, int cycles, int k)
{
    static const char *const variants[] = {"threads 1 ", "threads 2 precision f32 ", "threads 3 "};
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        char p[256];
        snprintf(p, sizeof p, "%s%s", problem, variants[i]);
        CHECK_MSG(agree(p, tiles, cycles, k), "%s%s k %d", p, tiles, k);
    }
}

TEST(shared_sor, enough_overlap_is_the_iteration_of_the_whole_field)
{
    check_variants(PLANE, "block 32 block-y 17 overlap 2", 6, 1);
    check_variants(PLANE, "block 31 block-y 21 overlap 6", 4, 2);
    check_variants(PLANE, "block 19 block-y 47 overlap 14 overlap-y 20", 3, 4);
    check_variants(LARGE, "block 128 block-y 57 overlap 30", 2, 8);
    check_variants(LARGE, "block 600", 2, 7);
    check_variants(TALL, "block 32 block-y 600 overlap 10", 3, 3);
    check_variants(LINES, "block 32 overlap 30", 3, 8);
    check_variants(LINES, "block 31 overlap 10", 3, 3);
    check_variants(BAND, "block 17 block-y 23 overlap 14", 3, 4);
    check_variants(WIND, "block 17 block-y 23 overlap 14", 3, 4);
}

TEST(shared_sor, one_pair_less_differs)
{
    CHECK(!agree(PLANE, "block 32 block-y 21 overlap 8 overlap-y 10", 1, 3));
    CHECK(!agree(PLANE, "block 32 block-y 21 overlap 10 overlap-y 8", 1, 3));
    CHECK(!agree(PLANE, "block 32 overlap 0", 1, 1));
    CHECK(!agree(LINES, "block 31 overlap 8", 1, 3));
}

TEST(shared_sor, other_subdomains_continue_the_iteration)
{
    static const struct {
        const char *name, *value;
        int k;
    } changes[] = {{"overlap", "20", 3}, {"k", "4", 4}, {"block", "61", 4}, {"threads", "2", 4}};
    ss_run *run = open_join(PLANE, "solver shared-sor k 3 block 32 block-y 27 overlap 10");
    ss_run *whole = open_join(PLANE, "solver sor");
    step_run(run, 2);
    step_run(whole, 6);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        change_run(run, changes[i].name, changes[i].value);
        run->tol = 0;
        step_run(run, 2);
        step_run(whole, 2 * changes[i].k);
        CHECK_MSG(same_bytes(run, whole), "%s %s", changes[i].name, changes[i].value);
    }
    ss_run_close(run);
    ss_run_close(whole);
}

/* It stops at the first cycle whose iterations include the one at which the whole field stops. */
TEST(shared_sor, stops_at_the_tolerance)
{
    ss_run *run = open_run("equation poisson2d n 127 solver shared-sor k 4");
    run->stop_at_tol = true;
    CHECK_INT(ss_run_step(run, 1000, NULL), SS_OK);
    CHECK_INT(run->status, SS_CONVERGED);
    CHECK_INT(run->cycle, (221 + 3) / 4);
    ss_run_close(run);
}

TEST(shared_sor, an_abandoned_cycle_changes_nothing)
{
    ss_run *run = open_join(LARGE, "solver shared-sor k 3 block 16 threads 2");
    ss_run *other = open_join(LARGE, "solver shared-sor k 3 block 16 threads 2");
    atomic_bool abandon = true;
    step_run(run, 2);
    step_run(other, 4);
    run->abandon = &abandon;
    CHECK_INT(ss_run_step(run, 10, NULL), SS_OK);
    CHECK_INT(run->cycle, 2);
    run->abandon = NULL;
    step_run(run, 2);
    CHECK(same_bytes(run, other));
    ss_run_close(run);
    ss_run_close(other);
}

/* Six halves of three iterations: after an even number of them the field is that of `sor`, after an
 * odd one that of sor's first half. */
TEST(shared_sor, the_microscope_shows_each_half)
{
    ss_run *run = open_join(PLANE, "solver shared-sor k 3 block 32 block-y 21 overlap 10");
    ss_run *whole = open_join(PLANE, "solver sor");
    step_run(run, 2);
    step_run(whole, 6);
    CHECK_INT(run->ticks_per_cycle, 6);
    for (int s = 1; s < 6; s++) {
        CHECK_INT(ss_run_tick(run, NULL), SS_OK);
        CHECK_INT(run->peek, s);
        CHECK_INT(ss_run_tick(whole, NULL), SS_OK);
        double *shown = get_field(run, START), *want = get_field(whole, s % 2 ? START : FIELD);
        CHECK_MSG(memcmp(shown, want, 203 * 131 * sizeof *shown) == 0, "half %d", s);
        free(shown), free(want);
    }
    CHECK_INT(ss_run_tick(run, NULL), SS_OK);
    CHECK_INT(ss_run_tick(whole, NULL), SS_OK);
    CHECK_INT(run->cycle, 3);
    CHECK(same_bytes(run, whole));
    ss_run_close(run);
    ss_run_close(whole);
}

/* --- staleness -------------------------------------------------------------------------------- */

/* Of a picture with one cell per point. */
static double largest_staleness(const char *problem, const char *settings, int cycles)
{
    ss_run *run = open_join(problem, settings);
    ss_view view = view_of(SS_STALENESS);
    ss_picture p = new_picture(run->problem.nx, run->problem.ny);
    step_run(run, cycles);
    take(run, &view, &p);
    double hi = p.hi;
    free_picture(&p);
    ss_run_close(run);
    return hi;
}

#define TILES "solver shared-sor block 32 "

TEST(shared_sor, nothing_is_stale_exactly_where_the_overlap_is_enough)
{
    for (int cycles = 1; cycles <= 3; cycles++) {
        CHECK_NEAR(largest_staleness(PLANE, TILES "block-y 48 k 2 overlap 6 overlap-y 8", cycles),
                   0, 0);
        CHECK_NEAR(largest_staleness(PLANE, TILES "k 3 overlap 10 precision f32", cycles), 0, 0);
        CHECK_NEAR(largest_staleness(LINES, TILES "k 3 overlap 10", cycles), 0, 0);
        CHECK(largest_staleness(PLANE, TILES "k 2 overlap 4 overlap-y 8", cycles) > 0);
        CHECK(largest_staleness(LINES, TILES "k 3 overlap 8", cycles) > 0);
    }
}

TEST(shared_sor, staleness_is_the_distance_to_the_iteration_of_the_whole_field)
{
    static const char *const overlaps[] = {"overlap 2", "overlap 0"};
    for (int o = 0; o < 2; o++) {
        char text[128];
        snprintf(text, sizeof text, "solver shared-sor k 2 block 32 block-y 48 %s", overlaps[o]);
        ss_run *run = open_join(PLANE, text), *whole = open_join(PLANE, "solver sor");
        ss_view view = view_of(SS_STALENESS);
        ss_picture p = new_picture(203, 131);
        step_run(run, 1);
        step_run(whole, 2);
        double *a = get_field(run, FIELD), *b = get_field(whole, FIELD);
        take(run, &view, &p);
        CHECK(p.hi > 0);
        for (int j = 0; j < 131; j++)
            for (int i = 0; i < 203; i++) {
                double want = fabs(a[j * 203 + i] - b[j * 203 + i]);
                CHECK_NEAR(cell_at(&p, i, j), want, 1e-6 * want);
            }
        free(a), free(b);
        free_picture(&p);
        ss_run_close(run);
        ss_run_close(whole);
    }
}

/* --- overlap ---------------------------------------------------------------------------------- */

static void note_of(const ss_run *run, const char *name, char *text, size_t size)
{
    const ss_param *row = ss_param_find(&run->cfg, name, NULL);
    text[0] = '\0';
    row->note(&run->cfg, text, size);
}

TEST(shared_sor, the_default_overlap_is_the_exact_one)
{
    char text[64];
    ss_run *run = open_join(PLANE, "solver shared-sor block 32");
    CHECK_INT(ss_config_int(&run->cfg, "k"), 2);
    CHECK_INT(ss_config_int(&run->cfg, "overlap"), 6);
    CHECK_INT(ss_config_int(&run->cfg, "overlap-y"), 6);
    change_run(run, "k", "4");
    CHECK_INT(ss_config_int(&run->cfg, "overlap"), 14);
    note_of(run, "overlap", text, sizeof text);
    CHECK_STR(text, "exact from overlap 14");
    change_run(run, "block-y", "11");
    CHECK_INT(ss_config_int(&run->cfg, "overlap"), 10);
    note_of(run, "overlap-y", text, sizeof text);
    CHECK_STR(text, "exact overlap-y needs k \xe2\x89\xa4 3");
    change_run(run, "block-y", "2");
    note_of(run, "overlap-y", text, sizeof text);
    CHECK_STR(text, "exact overlap-y needs a larger block-y");
    ss_run_close(run);
}

TEST(shared_sor, stale_halos_are_named_when_it_diverges)
{
    char text[256] = "";
    ss_run *run = open_run("equation poisson2d n 127 solver shared-sor k 2 block 32 overlap 0");
    run->solver->caution(&run->cfg, &run->problem, text, sizeof text);
    CHECK_MSG(strstr(text, "2 (2k - 1) = 6"), "%s", text);
    CHECK_INT(ss_run_step(run, 1000, NULL), SS_OK);
    CHECK_INT(run->status, SS_DIVERGED);
    CHECK_MSG(strstr(run->message, "stale halos are the likely cause"), "%s", run->message);
    change_run(run, "overlap", "6");
    text[0] = '\0';
    run->solver->caution(&run->cfg, &run->problem, text, sizeof text);
    CHECK(text[0] == '\0' && !run->solver->suspect(&run->cfg));
    change_run(run, "omega", "2.1");
    run->solver->caution(&run->cfg, &run->problem, text, sizeof text);
    CHECK_MSG(strstr(text, "omega below 2"), "%s", text);
    ss_run_close(run);
}

/* Gauss-Seidel does not amplify them: as many iterations as with fresh halos and few more. */
TEST(shared_sor, gauss_seidel_converges_with_stale_halos)
{
    ss_run *run = open_run("equation poisson2d n 63 solver shared-sor omega 1 k 8 overlap 0");
    ss_run *whole = open_run("equation poisson2d n 63 solver sor omega 1");
    run->stop_at_tol = whole->stop_at_tol = true;
    CHECK_INT(ss_run_step(run, 10000, NULL), SS_OK);
    CHECK_INT(ss_run_step(whole, 10000, NULL), SS_OK);
    char text[256] = "";
    run->solver->caution(&run->cfg, &run->problem, text, sizeof text);
    CHECK_STR(text, "");
    CHECK_INT(run->status, SS_CONVERGED);
    CHECK_MSG(run->iteration > whole->iteration && run->iteration < 2 * whole->iteration,
              "%lld and %lld", (long long)run->iteration, (long long)whole->iteration);
    ss_run_close(run);
    ss_run_close(whole);
}

TEST(shared_sor, its_factor_is_that_of_sor_in_k_iterations)
{
    ss_run *run = open_join(PLANE, "solver shared-sor k 3 overlap 10");
    ss_run *whole = open_join(PLANE, "solver sor");
    double one = whole->solver->factor(&whole->cfg, &whole->problem);
    CHECK_NEAR(run->solver->factor(&run->cfg, &run->problem), pow(one, 3), 1e-14);
    change_run(run, "overlap", "8");
    CHECK(isnan(run->solver->factor(&run->cfg, &run->problem)));
    ss_run_close(run);
    ss_run_close(whole);
}
