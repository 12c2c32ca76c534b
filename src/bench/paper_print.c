/* What every `bench --paper` begins with, as text and as JSON: see paper.h. */
#include <math.h>

#include "src/bench/paper.h"
#include "src/core/registry.h"

void ss_paper_print_head(const ss_paper *p, FILE *out)
{
    ss_bench_print_limits(p->b, out);
    fprintf(out, "\n");
    for (int i = 0; i < p->nnote; i++)
        fprintf(out, "%s\n", p->notes[i]);
    bool applies = false;
    ss_param_find(&p->b->base, "kernel", &applies);
    if (!applies)
        fprintf(out, "ours: %s; kernels and launches of a GPU do not apply\n", p->b->device);
}

void ss_paper_announce(const ss_paper *p, double seconds, FILE *out)
{
    static const struct {
        double from, unit;
        const char *name, *advice;
    } scales[] = {{5400, 3600, "h", "; --n N makes the problems smaller"},
                  {100, 60, "min", "; --rounds 1 is the shortest"},
                  {0, 1, "s", ""}};
    int i = 0;
    while (seconds < scales[i].from)
        i++;
    fprintf(out, "this takes about %.0f %s with %d round%s%s\n\n", ceil(seconds / scales[i].unit),
            scales[i].name, p->b->rounds, p->b->rounds == 1 ? "" : "s", scales[i].advice);
    fflush(out);
}

json_t *ss_paper_json_head(const ss_paper *p)
{
    json_t *o = ss_bench_json_head(p->b), *notes = json_array();
    for (int i = 0; i < p->nnote; i++)
        json_array_append_new(notes, json_string(p->notes[i]));
    json_object_set_new(o, "paper", json_string(p->name));
    json_object_set_new(o, "notes", notes);
    return o;
}
