/* The working sets of a schedule, the choice of a roof and its reason: see roofs.h. Pure functions.
 */
#include "src/snapshot/roofs.h"

#include <math.h>
#include <stdio.h>

#include "src/base/common.h"
#include "src/core/registry.h"

/* --- working sets ----------------------------------------------------------------------------- */

/* Points of the largest subdomain; 0: the solver has none. */
static double points_of_tile(const ss_config *cfg, const ss_problem *p)
{
    const ss_solver *solver = ss_config_solver(cfg);
    int size[3];
    if (solver->tiling) {
        ss_tiling t = solver->tiling(cfg, p);
        return (double)ss_min(t.x.block, p->nx) * (p->dim > 1 ? ss_min(t.y.block, p->ny) : 1);
    }
    if (solver->nodes)
        return solver->nodes(cfg, p).block;
    if (!solver->blocks)
        return 0;
    solver->blocks(cfg, size);
    return (double)size[0] * size[1] * size[2];
}

ss_working_set ss_config_working_set(const ss_config *cfg)
{
    const ss_equation *eq = ss_config_equation(cfg);
    ss_problem p = ss_config_problem(cfg);
    double value = (double)ss_prec_size((ss_prec)ss_config_int(cfg, "precision"));
    int arrays = eq->kind == SS_STEADY ? 3 : 2; /* only steady equations have a right-hand side */
    return (ss_working_set){.fields = ss_config_bytes(cfg),
                            .tile = points_of_tile(cfg, &p) * eq->nfield * arrays * value};
}

/* --- roofs ------------------------------------------------------------------------------------ */

/* A cache is named for a working set of at most PART times its size: a quarter of it stays there.
 */
#define PART 4

double ss_roofs_at(const ss_roofs *r, int i, double intensity)
{
    double slope = r->roof[i].bandwidth * intensity;
    return r->rate > 0 ? fmin(slope, r->rate) : slope;
}

int ss_roofs_above(const ss_roofs *r, const ss_roof_point *p)
{
    for (int i = 0; i < r->n; i++)
        if (r->roof[i].bandwidth * p->intensity >= p->rate)
            return i;
    return -1;
}

static double capacity(const ss_roofs *r, int i, int threads)
{
    const ss_roof *roof = &r->roof[i];
    return roof->per_core && threads > 1 ? roof->capacity * threads : roof->capacity;
}

/* The smallest cache from `from` on that holds these bytes; -1: none. A tile is of one thread. */
static int holder(const ss_roofs *r, int from, double bytes, int threads)
{
    int found = -1;
    for (int i = from > 1 ? from : 1; i < r->n && bytes > 0; i++)
        if (bytes <= capacity(r, i, threads))
            found = i;
    return found;
}

/* Why the point may lie above roof `over`, below roof i. */
static void reason(const ss_roofs *r, const ss_roof_point *p, int i, char *buf, size_t size)
{
    char bytes[32];
    int fields = holder(r, i, p->set.fields, p->threads), tile = holder(r, i, p->set.tile, 1);
    if (fields >= 0)
        snprintf(buf, size, "the fields of %s stay in %s",
                 ss_format_bytes(p->set.fields, bytes, sizeof bytes), r->roof[fields].name);
    else if (tile >= 0)
        snprintf(buf, size, "the tile of %s stays in %s",
                 ss_format_bytes(p->set.tile, bytes, sizeof bytes), r->roof[tile].name);
    else if (p->set.fields <= PART * capacity(r, i, p->threads))
        snprintf(buf, size, "part of the fields of %s stays in %s",
                 ss_format_bytes(p->set.fields, bytes, sizeof bytes), r->roof[i].name);
    else
        snprintf(buf, size, "the model counts bytes that the caches do not load again");
}

/* The highest roof below the point; only called if there is one. */
static int roof_below(const ss_roofs *r, const ss_roof_point *p)
{
    int best = 0;
    for (int i = 1; i < r->n; i++) {
        bool below = r->roof[i].bandwidth * p->intensity < p->rate;
        if (below && r->roof[i].bandwidth > r->roof[best].bandwidth)
            best = i;
    }
    return best;
}

const char *ss_roofs_explain(const ss_roofs *r, const ss_roof_point *p, char *buf, size_t size)
{
    int i = ss_roofs_above(r, p);
    if (r->rate > 0 && p->rate > r->rate) {
        snprintf(buf, size, "above the arithmetic roof, the rate of a matrix product");
        return buf;
    }
    if (i < 0) {
        snprintf(buf, size, "above the %s roof: values stay in registers",
                 r->roof[roof_below(r, p)].name);
        return buf;
    }
    bool slope = !(r->rate > 0) || r->roof[i].bandwidth * p->intensity < r->rate;
    double share = 100 * p->rate / ss_roofs_at(r, i, p->intensity);
    const char *limit = slope ? r->roof[i].name : "arithmetic";
    char why[120];
    if (p->rate <= r->roof[0].bandwidth * p->intensity) {
        snprintf(buf, size, "%.*f %% of what %s allows", share < 10, share, limit);
        return buf;
    }
    reason(r, p, i, why, sizeof why);
    snprintf(buf, size, "above the %s roof: %s (%.*f %% of what %s allows)",
             r->roof[roof_below(r, p)].name, why, share < 10, share, limit);
    return buf;
}
