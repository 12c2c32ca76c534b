/* Chebyshev's iteration in tiles: with enough overlap bit for bit that of the whole field, on grids
 * that are neither square nor a multiple of any block; the recurrence continues over changes of the
 * subdomains; the microscope and the layer of staleness. */
#include <math.h>

#include "src/run/checkpoint.h"
#include "tests/pictures.h"

#define PLANE "equation poisson2d n 203 ny 131 problem random seed 7 aspect 1.5 "
#define LARGE "equation poisson2d n 523 ny 389 problem random seed 9 "
#define TALL "equation poisson2d n 61 ny 1031 problem random seed 4 "
#define LINES "equation poisson1d n 1009 copies 5 problem random seed 3 "
#define BAND "equation plane n 97 ny 61 problem random seed 3 "

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

static const char *const variants[] = {"threads 1 ", "threads 2 precision f32 ", "threads 3 ",
                                       "threads 3 precision f32 "};

/* `cycles` cycles of k iterations against as many iterations of the whole field. */
static bool agree(const char *problem, const char *tiles, int cycles, int k)
{
    char text[256];
    snprintf(text, sizeof text, "solver shared-chebyshev k %d %s", k, tiles);
    ss_run *run = open_join(problem, text), *whole = open_join(problem, "solver chebyshev");
    step_run(run, cycles);
    step_run(whole, (int64_t)cycles * k);
    bool same = same_bytes(run, whole);
    ss_run_close(run);
    ss_run_close(whole);
    return same;
}

static void check_variants(const char *problem, const char *tiles, int cycles, int k)
{
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        char p[256];
        snprintf(p, sizeof p, "%s%s", problem, variants[i]);
        CHECK_MSG(agree(p, tiles, cycles, k), "%s%s k %d", p, tiles, k);
    }
}

TEST(shared_chebyshev, enough_overlap_is_the_iteration_of_the_whole_field)
{
    check_variants(PLANE, "block 32 block-y 17", 6, 1);
    check_variants(PLANE, "block 32 block-y 21 overlap 2", 4, 2);
    check_variants(PLANE, "block 19 block-y 47 overlap 14 overlap-y 8", 3, 5);
    check_variants(PLANE, "block 61 block-y 32 overlap 30", 2, 16);
    check_variants(LARGE, "block 128 block-y 57 overlap 14", 2, 8);
    check_variants(LARGE, "block 600", 2, 7);
    check_variants(TALL, "block 32 block-y 600 overlap 8", 3, 5);
    check_variants(LINES, "block 32 overlap 30", 3, 16);
    check_variants(LINES, "block 1024", 3, 4);
    check_variants(BAND, "block 17 block-y 23 overlap 6", 3, 4);
}

TEST(shared_chebyshev, one_pair_less_differs)
{
    CHECK(!agree(PLANE, "block 32 block-y 21 overlap 6 overlap-y 8", 1, 5));
    CHECK(!agree(PLANE, "block 32 block-y 21 overlap 8 overlap-y 6", 1, 5));
    CHECK(!agree(LINES, "block 32 overlap 6", 1, 5));
}

/* The second of the two stored levels: with one iteration per cycle every factor depends on it. */
TEST(shared_chebyshev, the_field_before_has_the_bits_too)
{
    ss_run *run = open_join(PLANE, "solver shared-chebyshev k 5 block 32 block-y 21 overlap 8");
    ss_run *whole = open_join(PLANE, "solver chebyshev");
    step_run(run, 3);
    step_run(whole, 15);
    change_run(run, "k", "1");
    run->tol = 0;
    step_run(run, 1);
    step_run(whole, 1);
    CHECK(same_bytes(run, whole));
    ss_run_close(run);
    ss_run_close(whole);
}

TEST(shared_chebyshev, other_subdomains_continue_the_recurrence)
{
    static const struct {
        const char *name, *value;
        int k;
    } changes[] = {{"overlap", "12", 5}, {"k", "7", 7}, {"block", "61", 7}, {"block-y", "19", 7},
                   {"threads", "2", 7},  {"k", "2", 2}, {"overlap", "2", 2}};
    ss_run *run = open_join(PLANE, "solver shared-chebyshev k 5 block 32 block-y 21 overlap 8");
    ss_run *whole = open_join(PLANE, "solver chebyshev");
    step_run(run, 2);
    step_run(whole, 10);
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

TEST(shared_chebyshev, another_rho_begins_the_recurrence_again)
{
    ss_run *run = open_join(PLANE, "solver shared-chebyshev k 5 block 32 block-y 21 overlap 8");
    ss_run *whole = open_join(PLANE, "solver chebyshev");
    step_run(run, 2);
    step_run(whole, 10);
    change_run(run, "rho", "0.95");
    change_run(whole, "rho", "0.95");
    run->tol = whole->tol = 0;
    step_run(run, 2);
    step_run(whole, 10);
    CHECK(same_bytes(run, whole));
    ss_run_close(run);
    ss_run_close(whole);
}

/* It stops at the first cycle whose iterations include the one at which the whole field stops. */
TEST(shared_chebyshev, stops_at_the_tolerance)
{
    ss_run *run = open_run("equation poisson2d n 127 solver shared-chebyshev k 8 overlap 14");
    run->stop_at_tol = true;
    CHECK_INT(ss_run_step(run, 1000, NULL), SS_OK);
    CHECK_INT(run->status, SS_CONVERGED);
    CHECK_INT(run->cycle, (387 + 7) / 8);
    ss_run_close(run);
}

TEST(shared_chebyshev, an_abandoned_cycle_changes_nothing)
{
    ss_run *run = open_join(LARGE, "solver shared-chebyshev k 5 block 16 overlap 8 threads 2");
    ss_run *other = open_join(LARGE, "solver shared-chebyshev k 5 block 16 overlap 8 threads 2");
    atomic_bool abandon = true;
    step_run(run, 2);
    step_run(other, 2);
    run->abandon = &abandon;
    CHECK_INT(ss_run_step(run, 10, NULL), SS_OK);
    CHECK_INT(run->cycle, 2);
    run->abandon = NULL;
    step_run(run, 2);
    step_run(other, 2);
    CHECK(same_bytes(run, other));
    ss_run_close(run);
    ss_run_close(other);
}

TEST(shared_chebyshev, the_microscope_shows_each_subiteration)
{
    ss_run *run = open_join(PLANE, "solver shared-chebyshev k 5 block 32 block-y 21 overlap 8");
    ss_run *whole = open_join(PLANE, "solver chebyshev");
    step_run(run, 2);
    step_run(whole, 10);
    for (int s = 1; s < 5; s++) {
        CHECK_INT(ss_run_tick(run, NULL), SS_OK);
        CHECK_INT(run->peek, s);
        step_run(whole, 1);
        double *shown = get_field(run, START), *want = get_field(whole, FIELD);
        CHECK_MSG(memcmp(shown, want, 203 * 131 * sizeof *shown) == 0, "subiteration %d", s);
        free(shown), free(want);
    }
    CHECK_INT(ss_run_tick(run, NULL), SS_OK);
    CHECK_INT(run->cycle, 3);
    step_run(run, 1);
    step_run(whole, 6);
    CHECK(same_bytes(run, whole));
    ss_run_close(run);
    ss_run_close(whole);
}

/* --- staleness -------------------------------------------------------------------------------- */

/* Of a picture with one cell per point. */
static double largest_staleness(const char *settings, int cycles)
{
    ss_run *run = open_join("equation poisson2d n 203 ny 131 problem random block 32 block-y 48 "
                            "solver shared-chebyshev ",
                            settings);
    ss_view view = view_of(SS_STALENESS);
    ss_picture p = new_picture(203, 131);
    step_run(run, cycles);
    take(run, &view, &p);
    double hi = p.hi;
    free_picture(&p);
    ss_run_close(run);
    return hi;
}

TEST(shared_chebyshev, nothing_is_stale_exactly_where_the_overlap_is_enough)
{
    for (int cycles = 1; cycles <= 3; cycles++) {
        CHECK_NEAR(largest_staleness("k 4 overlap 6 overlap-y 8", cycles), 0, 0);
        CHECK_NEAR(largest_staleness("k 4 overlap 6 precision f32", cycles), 0, 0);
        CHECK_NEAR(largest_staleness("k 1", cycles), 0, 0);
        CHECK(largest_staleness("k 4 overlap 4 overlap-y 8", cycles) > 0);
    }
}

/* A cycle with enough overlap, then one without, against the iteration of the whole field. */
static void check_distance(ss_run *run, ss_run *whole, int ticks)
{
    ss_view view = view_of(SS_STALENESS);
    ss_picture p = new_picture(203, 131);
    double *a = get_field(run, ticks ? START : FIELD), *b = get_field(whole, FIELD);
    take(run, &view, &p);
    for (int j = 0; j < 131; j++)
        for (int i = 0; i < 203; i++) {
            double want = fabs(a[j * 203 + i] - b[j * 203 + i]);
            CHECK_NEAR(cell_at(&p, i, j), want, 1e-6 * want);
        }
    view.probe_x = 31, view.probe_y = 77;
    take(run, &view, &p);
    CHECK_NEAR(p.probe.stale, fabs(a[77 * 203 + 31] - b[77 * 203 + 31]), 0);
    bool fresh = ticks == 1 || ticks == 2; /* with overlap 2 the points kept are 2 from a halo */
    CHECK(fresh ? p.hi == 0 : p.hi > 0);
    free(a);
    free(b);
    free_picture(&p);
}

TEST(shared_chebyshev, staleness_is_the_distance_to_the_iteration_of_the_whole_field)
{
    const char *text = "solver shared-chebyshev k 4 block 32 block-y 48 overlap 6";
    ss_run *run = open_join("equation poisson2d n 203 ny 131 problem random ", text);
    ss_run *whole =
        open_join("equation poisson2d n 203 ny 131 problem random ", "solver chebyshev");
    step_run(run, 1);
    change_run(run, "overlap", "2");
    run->tol = 0;
    step_run(whole, 4);
    for (int s = 1; s <= 4; s++) {
        CHECK_INT(ss_run_tick(run, NULL), SS_OK);
        step_run(whole, 1);
        check_distance(run, whole, run->peek);
    }
    ss_run_close(run);
    ss_run_close(whole);
}

/* --- overlap ---------------------------------------------------------------------------------- */

TEST(shared_chebyshev, the_default_overlap_is_the_exact_one)
{
    ss_run *run = open_join(PLANE, "solver shared-chebyshev k 5 block 32");
    CHECK_INT(ss_config_int(&run->cfg, "overlap"), 8);
    CHECK_INT(ss_config_int(&run->cfg, "overlap-y"), 8);
    change_run(run, "k", "7");
    CHECK_INT(ss_config_int(&run->cfg, "overlap"), 12);
    change_run(run, "block-y", "11");
    CHECK_INT(ss_config_int(&run->cfg, "overlap"), 10);
    ss_run_close(run);
}

TEST(shared_chebyshev, stale_halos_are_named_when_it_diverges)
{
    char text[256] = "";
    ss_run *run =
        open_run("equation poisson2d n 127 solver shared-chebyshev k 4 block 32 overlap 0");
    run->solver->caution(&run->cfg, &run->problem, text, sizeof text);
    CHECK_MSG(strstr(text, "2 (k - 1) = 6"), "%s", text);
    CHECK_INT(ss_run_step(run, 1000, NULL), SS_OK);
    CHECK_INT(run->status, SS_DIVERGED);
    CHECK_MSG(strstr(run->message, "stale halos are the likely cause"), "%s", run->message);
    change_run(run, "overlap", "6");
    text[0] = '\0';
    run->solver->caution(&run->cfg, &run->problem, text, sizeof text);
    CHECK(text[0] == '\0' && !run->solver->suspect(&run->cfg));
    ss_run_close(run);
}

/* --- where it runs ---------------------------------------------------------------------------- */

/* The table's reason, whatever of it this build or machine has. */
static void check_reason(const char *equation, const char *backend, const char *reason)
{
    const char *why = NULL;
    ss_config cfg;
    ss_err err = {0};
    int i = 0;
    ss_tables_init();
    ss_config_default(&cfg);
    CHECK(ss_config_set(&cfg, "equation", equation, &err) == SS_OK);
    CHECK(ss_config_set(&cfg, "solver", "shared-chebyshev", &err) == SS_OK);
    while (ss_backends[i] && strcmp(ss_backends[i]->name, backend) != 0)
        i++;
    CHECK_MSG(ss_backends[i], "there is no backend %s", backend);
    CHECK(!ss_matrix(ss_config_equation(&cfg), ss_config_solver(&cfg), ss_backends[i], &why));
    CHECK_MSG(why && strstr(why, reason), "%s on %s: %s", equation, backend, why ? why : "none");
}

/* The domain is named before the backend: another backend would not help. */
TEST(shared_chebyshev, what_it_does_not_run_on_has_a_reason)
{
    check_reason("poisson2d", "mpi", "ranks compute jacobi and shared");
    check_reason("poisson3d", "mpi", "its subdomains divide lines and planes only");
    check_reason("poisson3d", "cpu", "its subdomains divide lines and planes only");
}
