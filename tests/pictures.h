/* Pictures of a run, for tests of the sampler. */
#ifndef SS_TESTS_PICTURES_H
#define SS_TESTS_PICTURES_H

#include "tests/fields.h"

FIELD_UNUSED static const int seed_u = 11, seed_g = 12;

FIELD_UNUSED static ss_picture new_picture(int w, int h)
{
    ss_picture p;
    memset(&p, 0, sizeof p);
    p.w = w;
    p.h = h;
    p.cell = malloc((size_t)w * (size_t)h * sizeof *p.cell);
    p.owner = malloc((size_t)w * (size_t)h);
    return p;
}

FIELD_UNUSED static void free_picture(ss_picture *p)
{
    free(p->cell);
    free(p->owner);
}

FIELD_UNUSED static ss_view view_of(ss_layer layer)
{
    return (ss_view){.layer = layer, .probe_x = -1, .probe_y = -1, .tile_x = -1, .tile_y = -1};
}

FIELD_UNUSED static void take(ss_run *run, const ss_view *view, ss_picture *p)
{
    ss_err err = {0};
    CHECK_MSG(run->backend->sample(run, view, p, &err) == SS_OK, "%s", err.text);
}

/* Cell (c, r), r counted from the bottom. */
FIELD_UNUSED static double cell_at(const ss_picture *p, int c, int r)
{
    return (double)p->cell[(size_t)(p->h - 1 - r) * (size_t)p->w + (size_t)c];
}

FIELD_UNUSED static ss_run *random_run(const char *settings)
{
    ss_run *run = open_run(settings);
    set_field(run, FIELD, at_random, &seed_u);
    set_field(run, RHS, at_random, &seed_g);
    return run;
}

#endif
