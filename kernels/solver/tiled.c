/* Common to tiled schedules: see tiled.h. */
#include "kernels/solver/tiled.h"

#include "src/base/common.h"

/* The most private memory per tile, in bytes; larger than any cache. */
#define TILE_BYTES_MAX (256.0 * 1024 * 1024)

/* The upper end of the range on small grids. A block larger than the grid acts as one block. */
#define BLOCK_USUAL 4096

static void block_up_to(int64_t n, double *lo, double *hi, const char **why)
{
    *lo = 1;
    *hi = n > BLOCK_USUAL ? (double)n : BLOCK_USUAL;
    *why = n > BLOCK_USUAL ? "the whole grid" : NULL;
}

void ss_tiled_range_block(const ss_config *cfg, double *lo, double *hi, const char **why)
{
    ss_problem p;
    ss_config_problem(cfg, &p);
    block_up_to(p.nx, lo, hi, why);
}

void ss_tiled_range_block_y(const ss_config *cfg, double *lo, double *hi, const char **why)
{
    /* While it follows `block`, it must be allowed the same values. */
    ss_problem p;
    ss_config_problem(cfg, &p);
    block_up_to(p.nx > p.ny ? p.nx : p.ny, lo, hi, why);
}

void ss_tiled_track_block(const ss_config *cfg, ss_track *track)
{
    ss_problem p;
    ss_config_problem(cfg, &p);
    track->hi = p.nx;
}

void ss_tiled_track_block_y(const ss_config *cfg, ss_track *track)
{
    ss_problem p;
    ss_config_problem(cfg, &p);
    track->hi = p.ny;
}

int ss_tiled_check(const ss_config *cfg, const ss_problem *p, const ss_tiling *t, ss_err *err)
{
    double tx = ss_min(t->x.block, p->nx), ty = ss_min(t->y.block, p->ny);
    double values = 2 * (tx + 2) * (p->dim == 1 ? 1 : ty + 2) + tx * ty;
    double bytes = values * (double)ss_prec_size((ss_prec)ss_config_int(cfg, "precision"));
    if (bytes <= TILE_BYTES_MAX)
        return SS_OK;
    char need[32], most[32];
    return ss_fail(
        err,
        "block: a tile of %.0f \xc3\x97 %.0f points needs %s of private memory; the maximum is "
        "%s: choose a smaller block or block-y",
        tx, ty, ss_format_bytes(bytes, need, sizeof need),
        ss_format_bytes(TILE_BYTES_MAX, most, sizeof most));
}

/* Sums over the subdomains of one direction. All but the first and the last are equal. */
typedef struct cut_sum {
    double points; /* covered; shared points count once per subdomain */
    double fresh;  /* owned, and exact after k subiterations */
} cut_sum;

static double fresh_points(ss_cut c, ss_span s, int k)
{
    int lo = s.lo > 0 && s.lo + k - 1 > s.wlo ? s.lo + k - 1 : s.wlo;
    int hi = s.hi < c.n && s.hi - k + 1 < s.whi ? s.hi - k + 1 : s.whi;
    return hi > lo ? hi - lo : 0;
}

static cut_sum sum_cut(ss_cut c, int k)
{
    cut_sum sum = {0, 0};
    for (int i = 0; i < ss_min(c.count, 3); i++) {
        int j = i < 2 ? i : c.count - 1;
        double equal = i == 1 && c.count > 3 ? c.count - 2 : 1;
        ss_span s = ss_cut_span(c, j);
        sum.points += equal * (s.hi - s.lo);
        sum.fresh += equal * fresh_points(c, s, k);
    }
    return sum;
}

double ss_tiled_halo(const ss_equation *eq, const ss_problem *p, const ss_tiling *t)
{
    double halo = 2.0 * eq->radius * t->x.count * sum_cut(t->y, 1).points;
    if (p->dim > 1)
        halo += 2.0 * eq->radius * t->y.count * sum_cut(t->x, 1).points;
    return halo;
}

double ss_tiled_exchange(const ss_equation *eq, const ss_problem *p, const ss_tiling *t)
{
    double read = 2.0 * eq->radius * (t->x.count - 1) * sum_cut(t->y, 1).points;
    if (p->dim > 1)
        read += 2.0 * eq->radius * (t->y.count - 1) * sum_cut(t->x, 1).points;
    return read;
}

/* Global traffic: each tile reads u with its halo and g once, and every point is written once.
 * Private memory: the reads and writes of the updates. */
void ss_tiled_ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                     const ss_tiling *t, int k, ss_ledger *out)
{
    cut_sum x = sum_cut(t->x, k), y = sum_cut(t->y, p->dim == 1 ? 1 : k);
    double bytes = eq->nfield * (double)ss_prec_size((ss_prec)ss_config_int(cfg, "precision"));
    double points = (double)p->nx * p->ny, covered = x.points * y.points;
    *out = (ss_ledger){
        .blocks = (double)t->x.count * t->y.count,
        .launches = 1,
        .global_bytes = (2 * covered + ss_tiled_halo(eq, p, t) + points) * bytes,
        .shared_bytes = k * covered * (eq->reads + eq->writes) * bytes,
        .barriers = (double)t->x.count * t->y.count * (k + 1),
        .updates = k * covered,
        .operations = k * covered * eq->flops,
        .redundant_updates = k * (covered - points),
        .stale_kept = 1 - x.fresh * y.fresh / points,
    };
}
