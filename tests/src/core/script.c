/* Lists of commands from files (src/core/command.h). */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "src/core/command.h"
#include "tests/check.h"

/* A file with these bytes, read; removed again. */
static int read_bytes(const char *bytes, size_t n, bool trusted, ss_script *s, ss_err *err)
{
    char path[] = "/tmp/ss-script-XXXXXX";
    int fd = mkstemp(path);
    CHECK(fd >= 0 && write(fd, bytes, n) == (ssize_t)n && close(fd) == 0);
    int status = ss_script_file(s, path, trusted, err);
    remove(path);
    return status;
}

TEST(script, commands_of_a_run_file_are_marked_and_stay_so)
{
    static const char text[] = "step 3\n\n# a comment\nsave x.npy";
    ss_script s = {.cmd = NULL}, copy = {.cmd = NULL};
    ss_err err = {0};
    CHECK_MSG(read_bytes(text, sizeof text - 1, false, &s, &err) == SS_OK, "%s", err.text);
    CHECK(s.count == 2 && s.cmd[0]->from_file && s.cmd[1]->from_file);
    CHECK(ss_script_copy(&copy, s.cmd[1], &err) == SS_OK && copy.cmd[0]->from_file);
    CHECK_STR(copy.cmd[0]->arg[0], "x.npy");
    CHECK(ss_script_add(&copy, "save y.npy", "-e", &err) == SS_OK && !copy.cmd[1]->from_file);
    CHECK(read_bytes(text, sizeof text - 1, true, &copy, &err) == SS_OK); /* the user's own */
    CHECK(copy.cmd[0]->from_file && !copy.cmd[2]->from_file);
    ss_script_free(&s);
    ss_script_free(&copy);
}

TEST(script, a_file_of_windows_is_read)
{
    static const char text[] = "\xef\xbb\xbfset k 4\r\nmark \xc3\xa4\r\n\r\nstep 3";
    ss_script s = {.cmd = NULL};
    ss_err err = {0};
    CHECK_MSG(read_bytes(text, sizeof text - 1, false, &s, &err) == SS_OK, "%s", err.text);
    CHECK_INT(s.count, 3);
    CHECK_STR(s.cmd[0]->arg[1], "4");
    CHECK_STR(s.cmd[1]->arg[0], "\xc3\xa4");
    ss_script_free(&s);
}

TEST(script, a_file_with_nul_or_too_many_lines_is_refused)
{
    enum { MANY = 6 * (SS_SCRIPT_LINES + 1) };
    static const char nul[] = "step 3\0hidden\n";
    ss_script s = {.cmd = NULL};
    ss_err err = {0};
    CHECK(read_bytes(nul, sizeof nul - 1, false, &s, &err) == SS_FAIL);
    CHECK_MSG(strstr(err.text, ":1: the line contains a NUL character"), "%s", err.text);
    char *many = malloc(MANY);
    for (int i = 0; i < MANY; i += 6)
        memcpy(many + i, "pause\n", 6);
    CHECK(read_bytes(many, MANY, false, &s, &err) == SS_FAIL);
    CHECK_MSG(strstr(err.text, "more than 20000 lines"), "%s", err.text);
    ss_script_free(&s);
    CHECK_MSG(read_bytes(many, MANY - 6, false, &s, &err) == SS_OK, "%s", err.text);
    CHECK_INT(s.count, SS_SCRIPT_LINES);
    ss_script_free(&s);
    free(many);
}
