/* Implements json_out.h in a build without jansson: refuses, with a sentence. */
#include "src/base/json_out.h"

json_t ss_no_json;

void ss_json_command(const char *command)
{
    (void)command;
}

void ss_json_about(json_t *o)
{
    (void)o;
}

int ss_json_check(ss_err *err)
{
    return ss_fail(err, "this build has no JSON, which reports and saved states (.ckpt) need");
}

int ss_json_write(json_t *o, const char *path, ss_err *err)
{
    (void)o, (void)path;
    return ss_json_check(err);
}
