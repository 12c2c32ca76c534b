/* The engine's commands on MPI ranks: painting, undo, rewind, changes and races end in the states
 * of the backend cpu. Skipped where the rank program is not built. */
#include "kernels/mpi/inner.h"
#include "tests/engines.h"

static void same_commands(const char *equation, const char *solver, const char *const *pairs,
                          const char *const *lines)
{
    char path[1100];
    ss_err err = {0};
    if (ss_job_program(path, sizeof path, &err) != SS_OK)
        SKIP("%s", err.text);
    ss_config here = config(equation, solver, pairs), there = here;
    CHECK_MSG(ss_config_set(&here, "backend", "cpu", &err) == SS_OK, "%s", err.text);
    CHECK_MSG(ss_config_set(&there, "backend", "mpi", &err) == SS_OK, "%s", err.text);
    CHECK_MSG(ss_config_set(&there, "ranks", "3", &err) == SS_OK, "%s", err.text);
    CHECK_MSG(ss_config_check(&here, NULL, &err) == SS_OK, "%s", err.text);
    CHECK_MSG(ss_config_check(&there, NULL, &err) == SS_OK, "%s", err.text);
    ss_engine *a = engine_for(&here), *b = engine_for(&there);
    send_lines(a, lines);
    send_lines(b, lines);
    CHECK_STR(ss_engine_run(a)->backend->name, "cpu");
    CHECK_STR(ss_engine_run(b)->backend->name, "mpi");
    same_state(a, b);
}

TEST(mpi, painting_undo_and_races)
{
    same_commands("poisson2d", "jacobi", PAIRS("n", "64", "ny", "50", "until", "0"),
                  LINES("step 7", "paint 30 20 5 1", "step 5", "undo", "step 3"));
    same_commands("poisson2d", "jacobi", PAIRS("n", "64", "ny", "50", "until", "0"),
                  LINES("step 7", "paint 30 20 5 1", "race", "step 4"));
}

TEST(mpi, rewinding)
{
    same_commands("poisson2d", "jacobi", PAIRS("n", "64", "ny", "50", "until", "0"),
                  LINES("step 20", "rewind 11", "step 2"));
    same_commands("heat1d", "swept", PAIRS("n", "256", "block", "32"),
                  LINES("step 20", "rewind 11", "step 2"));
}

TEST(mpi, live_and_other_changes)
{
    same_commands("poisson2d", "jacobi", PAIRS("n", "64", "ny", "50", "until", "0"),
                  LINES("step 4", "set seed 7", "set problem random", "step 6", "reset", "step 3",
                        "set n 80", "step 5", "undo", "step 2"));
    same_commands("heat1d", "stepper", PAIRS("n", "256"),
                  LINES("step 9", "set solver swept", "set block 16", "step 2"));
}
