/* The layers that a run does not have: see layers.h. Engine thread only. */
#include "src/engine/layers.h"

#include <string.h>

#include "src/engine/lane.h"

void ss_layers_missing(const ss_run *run, const char *why[SS_NLAYER])
{
    bool tiles = run->ops->caps & SS_CAP_TILES, exact = run->eq->exact;
    const char *const any[SS_NLAYER] = {
        [SS_EXACT] = exact ? NULL : "the exact solution of this equation is unknown",
        [SS_ERROR] = exact ? NULL : "the exact solution of this equation is unknown",
        [SS_STALENESS] = tiles ? NULL : "every point of this solver is up to date",
        [SS_AGE] =
            run->ops->caps & SS_CAP_AGE ? NULL : "all tiles of this solver have the same age",
    };
    memcpy(why, any, sizeof any);
    ss_publish_slice_layers(why, run);
    if (run->eq->kind == SS_TRANSIENT)
        ss_publish_line_layers(why, run);
}

bool ss_layer_of_zeros(const ss_run *run, ss_layer layer, ss_picture *p)
{
    bool zeros = layer == SS_STALENESS && run->eq->kind == SS_STEADY && run->eq->dim < 3 &&
                 !(run->ops->caps & SS_CAP_TILES);
    for (size_t i = 0; zeros && i < (size_t)p->w * (size_t)p->h; i++)
        p->cell[i] = 0;
    if (zeros)
        p->lo = p->hi = 0;
    return zeros;
}

const char *ss_no_layer(const ss_run *run, ss_layer layer)
{
    const char *why[SS_NLAYER];
    ss_layers_missing(run, why);
    return why[layer];
}
