#include "src/bench_kit.h"
int ss_paper_hierarchical(ss_bench *b, FILE *out, json_t **json, ss_err *err)
{
    (void)b, (void)out, (void)json;
    return ss_fail(err, "not yet");
}
int ss_paper_wild(ss_bench *b, FILE *out, json_t **json, ss_err *err)
{
    return ss_paper_hierarchical(b, out, json, err);
}
