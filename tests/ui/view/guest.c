/* What a watcher with the seat may do to the run, and what not: see ui/view/guest.c. */
#include "tests/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/app/tables.h"
#include "src/core/registry.h"
#include "ui/view/state.h"

/* The reason why a guest may not; "": it may. */
static const char *refusal(const char *line)
{
    static ss_snapshot snap;
    static ss_cmd cmd;
    static ss_err err;
    err.text[0] = '\0';
    ss_tables_init();
    ss_config_default(&snap.cfg);
    CHECK_MSG(ss_cmd_parse(line, &cmd, &err) == SS_OK, "%s", err.text);
    if (ss_guest_admits(&cmd, &snap, &err) == SS_OK)
        err.text[0] = '\0';
    return err.text;
}

TEST(guest, steers_the_run)
{
    static const char *const may[] = {
        "set k 4",        "open poisson2d jacobi n=512", "step 3", "unset k",
        "view layer age", "add heat2d classic",          "split",  "set n 128"};
    for (size_t i = 0; i < sizeof may / sizeof *may; i++)
        CHECK_STR(refusal(may[i]), "");
}

TEST(guest, does_not_choose_the_machine)
{
    static const char *const may_not[] = {"set backend mpi",
                                          "unset backend",
                                          "set ranks 48",
                                          "set launcher srun",
                                          "set hosts a,b",
                                          "open poisson2d jacobi n=512 backend=mpi ranks=48",
                                          "open poisson2d jacobi devices=0,1",
                                          "add poisson2d jacobi threads=64",
                                          "open poisson2d jacobi launcher=/bin/sh"};
    for (size_t i = 0; i < sizeof may_not / sizeof *may_not; i++)
        CHECK_MSG(strstr(refusal(may_not[i]), "does not choose on what the run is computed"),
                  "%s: %s", may_not[i], refusal(may_not[i]));
}

TEST(guest, touches_no_files_and_ends_nothing)
{
    static const char *const may_not[] = {"save a.npy", "load a.npy", "quit",
                                          "bind x run", "play a.run", "export a.png"};
    for (size_t i = 0; i < sizeof may_not / sizeof *may_not; i++)
        CHECK_MSG(strstr(refusal(may_not[i]), "only the pilot may"), "%s", may_not[i]);
}
