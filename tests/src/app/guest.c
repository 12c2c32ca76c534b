/* How large a run a watcher with the seat may open. */
#include "tests/check.h"

#include <stdio.h>
#include <string.h>

#include "kernels/cpu/simd/memory.h"
#include "src/app/parts.h"
#include "src/app/tables.h"
#include "src/core/registry.h"

/* The reason why not; "": it may. */
static const char *refusal(const char *line, bool guest, int n)
{
    static ss_config now;
    static ss_cmd cmd;
    static ss_err err;
    char number[16];
    snprintf(number, sizeof number, "%d", n);
    ss_tables_init();
    ss_config_default(&now);
    CHECK(ss_config_set(&now, "n", number, &err) == SS_OK);
    CHECK_MSG(ss_cmd_parse(line, &cmd, &err) == SS_OK, "%s", err.text);
    cmd.guest = guest;
    err.text[0] = '\0';
    return ss_app_spares_memory(&cmd, &now, &err) == SS_OK ? "" : err.text;
}

/* 6656 x 6656 points need 1.06 GB. */
TEST(guest, takes_no_memory_from_others)
{
    static const char *const large[] = {"set n 6656", "open poisson2d jacobi n=6656",
                                        "add poisson2d shared n=6656"};
    char what[64];
    if (ss_memory_available(what, sizeof what) < 2e9)
        SKIP("without 2 GB of memory all of them are refused");
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        CHECK_MSG(strstr(refusal(large[i], true, 64), "may open one of up to"), "%s", large[i]);
        CHECK_STR(refusal(large[i], false, 64), "");
    }
    CHECK_STR(refusal("set n 128", true, 64), "");
    CHECK_STR(refusal("open poisson2d jacobi n=512", true, 64), "");
    CHECK_STR(refusal("split", true, 64), "");
    CHECK(strstr(refusal("split", true, 6656), "may open one of up to"));
    CHECK_STR(refusal("set k 2", true, 6656), ""); /* the pilot's run, as large as it was */
}
