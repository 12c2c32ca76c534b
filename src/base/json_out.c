/* Writes a JSON object: see json_out.h. */
#include "src/base/json_out.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/file.h"

static const char *command_line = "";

void ss_json_command(const char *command)
{
    command_line = command;
}

void ss_json_about(json_t *o)
{
    json_object_set_new(o, "version", json_string(SS_VERSION));
    json_object_set_new(o, "command", json_string(command_line));
}

int ss_json_check(ss_err *err)
{
    (void)err;
    return SS_OK;
}

int ss_json_write(json_t *o, const char *path, ss_err *err)
{
    ss_outfile f;
    bool standard = strcmp(path, "-") == 0;
    char *line = o ? json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    int status = line ? SS_OK : ss_fail(err, "out of memory: a line of JSON");
    json_decref(o);
    if (line && standard) {
        if (printf("%s\n", line) < 0 || fflush(stdout) != 0)
            status = ss_fail(err, "cannot write to stdout: %s", strerror(errno));
    } else if (line && (status = ss_outfile_open(&f, path, err)) == SS_OK) {
        fprintf(f.stream, "%s\n", line);
        status = ss_outfile_close(&f, true, err);
    }
    free(line);
    return status;
}
