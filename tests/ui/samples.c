/* Synthetic snapshots: see parts.h. */
#include "tests/ui/samples.h"
#include "ui/panels/screen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const solvers[] = {"jacobi", "shared", NULL};
static const char *const solver_help[] = {"classic Jacobi", "subdomains in shared memory", NULL};
static ss_param rows[] = {
    {.name = "k",
     .group = "Method",
     .symbol = "k",
     .unit = "",
     .help = "subiterations between two exchanges",
     .key = "k",
     .flags = SS_P_LIVE | SS_P_CONTROL | SS_P_LOG,
     .type = SS_INT,
     .min = 1,
     .max = 1024,
     .step = 1},
    {.name = "block",
     .group = "Method",
     .symbol = "block",
     .unit = "",
     .help = "points of a subdomain along x",
     .key = "b",
     .flags = SS_P_LIVE | SS_P_CONTROL | SS_P_POW2,
     .type = SS_INT,
     .min = 2,
     .max = 512,
     .step = 1},
    {.name = "overlap",
     .group = "Method",
     .symbol = "overlap",
     .unit = "",
     .key = "o",
     .step = 2,
     .help = "points shared by two neighbours",
     .flags = SS_P_LIVE | SS_P_CONTROL | SS_P_EVEN,
     .type = SS_INT,
     .min = 0,
     .max = 510},
    {.name = "solver",
     .group = "Method",
     .symbol = "solver",
     .unit = "",
     .key = "s",
     .help = "the schedule",
     .flags = SS_P_LIVE | SS_P_CONTROL,
     .type = SS_CHOICE,
     .choices = solvers,
     .choice_help = solver_help},
    {.name = "threads",
     .group = "Machine",
     .symbol = "threads",
     .unit = "",
     .key = "n",
     .help = "OpenMP threads",
     .zero = "auto",
     .flags = SS_P_LIVE | SS_P_CONTROL,
     .type = SS_INT,
     .max = 1024,
     .step = 1},
    {.name = "n",
     .group = "Problem",
     .symbol = "n",
     .unit = "points",
     .help = "interior points along x",
     .flags = SS_P_REOPEN | SS_P_CONTROL | SS_P_LOG,
     .type = SS_INT,
     .min = 1,
     .max = 65536,
     .step = 1},
};

static void controls(ss_snapshot *s)
{
    static const struct {
        int64_t value;
        double lo, hi;
        const char *why, *note;
    } v[] = {{12, 1, 128, "", ""},
             {32, 8, 96, "the tile must fit", ""},
             {4, 0, 30, "block 32 - 2", "exact from overlap 22"},
             {1, 0, 1, "", ""},
             {0, 0, 32, "", "8 processors"},
             {1024, 1, 65536, "", ""}};
    s->ncontrol = (int)(sizeof rows / sizeof *rows);
    for (int i = 0; i < s->ncontrol; i++) {
        ss_control *c = &s->control[i];
        *c = (ss_control){.row = &rows[i],
                          .value = {.i = v[i].value, .set = true},
                          .lo = v[i].lo,
                          .hi = v[i].hi,
                          .track = {.lo = v[i].lo,
                                    .hi = v[i].hi,
                                    .least = v[i].lo,
                                    .mark = strcmp(v[i].note, "exact from overlap 22") ? NAN : 22,
                                    .limit = NAN},
                          .choices = 3};
        snprintf(c->why, sizeof c->why, "%s", v[i].why);
        snprintf(c->note, sizeof c->note, "%s", v[i].note);
    }
}

static void telemetry(ss_telemetry *t)
{
    static const struct {
        ss_telemetry_id id;
        double v;
    } v[] = {{SS_T_CYCLE, 412},
             {SS_T_ITERATION, 4944},
             {SS_T_RESIDUAL, 0.0123},
             {SS_T_REDUCTION, 1.4e-3},
             {SS_T_SECONDS, 1.62},
             {SS_T_RATE, 3.21e9},
             {SS_T_CYCLE_SECONDS, 3.9e-3},
             {SS_T_BANDWIDTH, 8.6e9},
             {SS_T_BYTES, 1.4e10}};
    for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
        t->value[v[i].id] = v[i].v;
        t->valid[v[i].id] = true;
    }
}

static void curve(ss_snapshot *s)
{
    s->ncurve = 400;
    s->residual0 = 8.8;
    for (int i = 0; i < s->ncurve; i++) {
        double it = i * 20.0;
        double r = 0.6 * exp(-it / 120) + 0.02 * exp(-it / 2500) + 0.003;
        s->curve[i] = (ss_point){.cycle = i,
                                 .iteration = (int64_t)it,
                                 .seconds = i * 4e-3,
                                 .bytes = i * 3.4e7,
                                 .residual = i ? 8.8 * r : 8.8};
    }
    s->mark[0] = (ss_mark){.at = s->curve[135], .text = "overlap 0 → 4"};
    s->mark[1] = (ss_mark){.at = s->curve[270], .text = "k 8 → 12"};
    s->nmark = 2;
}

static double field_value(ss_layer layer, double x, double y)
{
    double bx = fabs(x * 8 - floor(x * 8 + 0.5)), by = fabs(y * 8 - floor(y * 8 + 0.5));
    double d = fmin(bx, by);
    double smooth = sin(3.14159 * x) * sin(3.14159 * y);
    if (layer == SS_VALUE)
        return smooth * (1 + 0.1 * sin(14 * x + 9 * y));
    if (layer == SS_AGE)
        return floor(6 * x + 3 * y);
    return d > 0.36 ? 0 : 0.09 * exp(-d * 16) * (0.3 + smooth) * (1.1 + sin(40 * x) * sin(31 * y));
}

void sample_picture(ss_snapshot *s, ss_layer layer, int w, int h)
{
    ss_picture *p = &s->picture;
    free(p->cell);
    free(p->owner);
    size_t room = (size_t)w * (size_t)h;
    p->cell = calloc(room, sizeof *p->cell);
    p->owner = calloc(room, 1);
    if (!p->cell || !p->owner)
        abort();
    p->w = w, p->h = h, p->lo = INFINITY, p->hi = -INFINITY;
    for (int j = 0; j < h; j++)
        for (int i = 0; i < w; i++) {
            double x = (i + 0.5) / w, y = h > 1 ? (j + 0.5) / h : 0.5;
            double v = field_value(layer, x, y);
            p->cell[(size_t)j * (size_t)w + (size_t)i] = (float)v;
            p->owner[(size_t)j * (size_t)w + (size_t)i] =
                (uint8_t)((int)(x * 8) % 2 + 2 * ((int)(y * 8) % 2));
            p->lo = fmin(p->lo, v), p->hi = fmax(p->hi, v);
        }
    p->nprofile[0] = p->nprofile[1] = 32;
    for (int i = 0; i < 32; i++) {
        double d = fmin(i, 31 - i);
        p->profile[0][i] = p->profile[1][i] =
            (float)(9e-3 * exp(-d / 1.3) + 7.5e-4 + 4e-5 * sin(i));
    }
    s->view.layer = layer;
    s->view.w = w, s->view.h = h;
    s->seq++;
}

/* The spectrum of the error, now and at the start. */
static void bands(ss_snapshot *s)
{
    s->bands.n = s->bands_start.n = 16;
    for (int i = 0; i < 16; i++) {
        s->bands_start.rms[i] = 0.3 + 30 * exp(-i);
        s->bands.rms[i] = s->bands_start.rms[i] * exp(-0.35 * i);
    }
    s->bands_cycle = (int64_t)s->telemetry.value[SS_T_CYCLE];
}

static ss_snapshot *base(void)
{
    ss_snapshot *s = calloc(1, sizeof *s);
    if (!s)
        abort();
    s->view = (ss_view){.probe_x = -1, .probe_y = -1, .tile_x = -1, .tile_y = -1};
    snprintf(s->precision, sizeof s->precision, "f64");
    snprintf(s->backend, sizeof s->backend, "CPU, 8 threads");
    snprintf(s->solver, sizeof s->solver, "shared");
    s->solver_name = "shared";
    s->tol = 1e-4;
    s->per_cycle = 12;
    for (int i = 0; i < SS_NLAYER; i++)
        s->layers[i] = i != SS_AGE;
    s->layer_why[SS_AGE] = "all tiles of this solver have the same age";
    s->tiled = true;
    s->ledger = (ss_ledger){.blocks = 1,
                            .launches = 1,
                            .global_bytes = 33.9e6,
                            .shared_bytes = 0.63e9,
                            .barriers = 13,
                            .updates = 16.4e6,
                            .operations = 5 * 16.4e6,
                            .redundant_updates = 3.85e6,
                            .stale_kept = 0.71};
    s->levels = 12;
    s->beside.solver = "jacobi";
    s->beside.bytes = 25.2e6;
    controls(s);
    telemetry(&s->telemetry);
    curve(s);
    bands(s);
    return s;
}

ss_snapshot *sample_2d(ss_layer layer, int w, int h)
{
    ss_snapshot *s = base();
    snprintf(s->equation, sizeof s->equation, "2D Poisson");
    snprintf(s->grid, sizeof s->grid, "1024×1024");
    s->equation_name = "poisson2d";
    s->dim = 2, s->nx = 1024, s->ny = 1024, s->nz = 1;
    s->tiling = (ss_tiling){ss_cut_make(1024, 132, 4), ss_cut_make(1024, 132, 4)};
    s->picture.probe = (ss_probe){.valid = true,
                                  .x = 371,
                                  .y = 300,
                                  .value = 0.38120477123456789,
                                  .west = 0.38111,
                                  .east = 0.38131,
                                  .south = 0.38094477123,
                                  .north = 0.3814,
                                  .rhs = 1,
                                  .residual = -2.7e-3,
                                  .stale = 4.1e-4,
                                  .has_stale = true,
                                  .tile_x = 2,
                                  .tile_y = 2};
    sample_picture(s, layer, w, h);
    return s;
}

ss_snapshot *sample_1d(int w)
{
    ss_snapshot *s = base();
    snprintf(s->equation, sizeof s->equation, "1D Poisson");
    snprintf(s->grid, sizeof s->grid, "1024");
    s->equation_name = "poisson1d";
    s->dim = 1, s->nx = 1024, s->ny = 1, s->nz = 1, s->origin = 1, s->spacing = 1 / 1025.0;
    s->tiling = (ss_tiling){ss_cut_make(1024, 132, 4), ss_cut_make(1, 1, 0)};
    s->picture.probe.tile_x = s->picture.probe.tile_y = -1;
    sample_picture(s, SS_VALUE, w, 1);
    return s;
}

/* A point as deep as this in its block, after s subiterations. */
static float staleness(int depth, int s)
{
    return depth < s ? (float)(1e-4 * exp(-1.2 * depth + 0.2 * s)) : 0;
}

void sample_cone(ss_snapshot *s, int k, int overlap, int now)
{
    ss_cone *c = &s->cone;
    ss_cut cut = ss_cut_make(s->nx, 32, overlap);
    *c = (ss_cone){
        .there = true, .wedge = true, .k = k, .now = now, .block = 32, .overlap = overlap};
    c->tile_x = c->tile_y = 2;
    c->span = ss_cut_span(cut, 2);
    c->y = s->dim > 1 ? (c->span.lo + c->span.hi) / 2 : 0;
    c->frozen[0] = c->frozen[1] = true;
    int rim = c->span.lo - ss_cut_span(cut, 1).wlo;
    rim = rim < 0 ? 0 : rim < k ? rim : k;
    c->first = c->span.lo - rim, c->n = c->span.hi + rim - c->first;
    for (int t = 0; t <= k; t++)
        for (int x = c->first; x < c->first + c->n; x++) {
            int left = x - c->span.lo, right = c->span.hi - 1 - x;
            int depth = left < right ? left : right;
            float v = staleness(depth < 0 ? overlap - depth - 1 : depth + 1, t);
            c->cell[t * c->n + x - c->first] = v;
            c->hi = (double)v > c->hi ? (double)v : c->hi;
        }
    s->tiling.x = cut;
    s->tiling.y = s->dim > 1 ? cut : s->tiling.y;
    s->peek = now < k ? now : 0;
    s->per_cycle = k;
    s->paused = true;
}

void sample_race(ss_snapshot *s)
{
    ss_racer *r = s->race.racer ? s->race.racer : calloc(SS_RACE_MAX, sizeof *r);
    size_t n = (size_t)s->picture.w * (size_t)s->picture.h;
    if (!r)
        abort();
    s->race = (ss_race){.n = 2, .by = SS_BY_ITERATIONS, .racer = r};
    for (int i = 0; i < 2; i++) {
        r[i].at = (ss_point){.cycle = 412, .iteration = 4944, .residual = 0.0123};
        r[i].residual0 = 8.8;
        r[i].ncurve = 0;
    }
    snprintf(r[0].label, sizeof r[0].label, "shared k 12");
    snprintf(r[1].label, sizeof r[1].label, "jacobi");
    free(r[1].picture.cell);
    r[1].picture = (ss_picture){.w = s->picture.w, .h = s->picture.h};
    r[1].picture.cell = malloc(n * sizeof(float));
    for (size_t i = 0; i < n && r[1].picture.cell; i++)
        r[1].picture.cell[i] = s->picture.cell[i] + 0.04F * (float)(i % 7 == 0) - 0.01F;
    s->nrun = 2;
}

/* Blocks of `size` cells in patches of `patch`, along a direction of `end` cells. */
static void edges(ss_edges *blocks, ss_edges *patches, int size, int patch, int end)
{
    *blocks = (ss_edges){.pitch = size};
    *patches = (ss_edges){.n = 0};
    for (int at = 1; at < end && blocks->n < SS_EDGE_MAX && patches->n < SS_EDGE_MAX; at++) {
        if (at % patch == 0)
            patches->at[patches->n++] = at;
        else if (at % patch % size == 0)
            blocks->at[blocks->n++] = at;
    }
}

ss_snapshot *sample_3d(ss_layer layer, int w, int h)
{
    static const ss_telemetry_id ids[] = {SS_T_SMOOTHING, SS_T_CONVERGENCE, SS_T_INVERSE_BYTES};
    static const double values[] = {0.4341, 0.29587, 4864};
    ss_snapshot *s = base();
    snprintf(s->equation, sizeof s->equation, "3D Poisson");
    snprintf(s->grid, sizeof s->grid, "64×32×32");
    s->equation_name = "poisson3d", s->solver_name = "block-gs";
    s->dim = 3, s->nx = 64, s->ny = 32, s->nz = 32;
    s->view.axis = 2, s->view.slice = 16;
    s->tiled = false;
    s->layers[SS_STALENESS] = false;
    for (int d = 0; d < 2; d++)
        edges(&s->block_edge[d], &s->patch_edge[d], 8, 32, d == 0 ? 64 : 32);
    s->ledger = (ss_ledger){.blocks = 128,
                            .launches = 1,
                            .global_bytes = 1769472,
                            .edge_bytes = 196608,
                            .shared_bytes = 2097152,
                            .updates = 65536};
    for (int i = 0; i < 3; i++) {
        s->telemetry.value[ids[i]] = values[i];
        s->telemetry.valid[ids[i]] = true;
    }
    s->picture.probe = (ss_probe){.valid = true,
                                  .x = 20,
                                  .y = 30,
                                  .value = 0.25,
                                  .west = 0.5,
                                  .east = (double)NAN,
                                  .residual = 1e-3,
                                  .cell = {20, 30, 16},
                                  .npatch = 2,
                                  .block = {2, 3, 2},
                                  .has_block = true,
                                  .tile_x = -1,
                                  .tile_y = -1};
    sample_picture(s, layer, w, h);
    return s;
}

/* --- in time ---------------------------------------------------------------------------------- */

static ss_swept nodes(const ss_config *cfg, const ss_problem *p)
{
    (void)cfg;
    return ss_swept_make(p->nx, 32, p->radius);
}

static const ss_quantity quantities[] = {{"density", "\xcf\x81", "mass per volume", NULL},
                                         {"velocity", "u", "velocity", NULL}};
static const ss_monitor monitors[] = {
    {.name = "mass", .symbol = "mass", .help = "integral", .conserved = true},
    {.name = "momentum", .symbol = "mom.", .help = "integral"}};

static void in_time(ss_telemetry *t)
{
    static const ss_telemetry_id no[] = {SS_T_RESIDUAL, SS_T_REDUCTION};
    static const ss_telemetry_id ids[] = {SS_T_TIME, SS_T_DT, SS_T_STEP, SS_T_STEP_SECONDS};
    static const double values[] = {0.15, 7.8125e-4, 192, 1.3e-6};
    for (int i = 0; i < 2; i++)
        t->valid[no[i]] = false;
    for (int i = 0; i < 4; i++) {
        t->value[ids[i]] = values[i];
        t->valid[ids[i]] = true;
    }
}

ss_snapshot *sample_swept(int w, int tick)
{
    static const ss_solver swept = {.name = "swept", .kind = SS_TRANSIENT, .nodes = nodes};
    const ss_problem p = {.nx = 256, .radius = 2};
    ss_snapshot *s = sample_1d(w);
    snprintf(s->equation, sizeof s->equation, "1D Euler");
    snprintf(s->grid, sizeof s->grid, "256");
    s->equation_name = "euler1d", s->solver_name = "swept";
    s->kind = SS_TRANSIENT, s->bc = SS_BC_PERIODIC;
    s->nx = 256, s->origin = 0, s->spacing = 100.0 / 256;
    s->quantities = quantities, s->nquantity = 2;
    s->watched[0] = (ss_watched){&monitors[0], 0.5625, 0.5625 + 2e-16, 1, {0, INFINITY}};
    s->watched[1] = (ss_watched){&monitors[1], 0, 0.135, 1, {0, INFINITY}};
    s->nwatched = 2;
    for (int i = 0; i < s->ncurve; i++) {
        s->curve[i].time = i * 0.15 / s->ncurve;
        s->curve[i].monitor[0] = 0.5625 + 1e-16 * (i % 5);
    }
    s->nspectrum = 128;
    for (int i = 0; i < s->nspectrum; i++)
        s->spectrum[i] = exp(-0.3 * i);
    s->nexact = w < SS_LINE_MAX ? w : SS_LINE_MAX;
    for (int i = 0; i < s->nexact; i++)
        s->exact[i] = i < w / 2;
    s->levels = 16, s->steps = 8;
    s->ledger = (ss_ledger){.blocks = 8,
                            .launches = 2,
                            .global_bytes = 49152,
                            .edge_bytes = 12288,
                            .shared_bytes = 196608,
                            .barriers = 240,
                            .updates = 4096,
                            .idle = 0.4667};
    s->peek = tick, s->per_cycle = 30;
    ss_theatre_fill(&s->theatre, &swept, NULL, &p, -1, tick);
    s->phase = tick ? "diamond" : NULL;
    s->tiling.x = ss_cut_make(256, 32, 0);
    in_time(&s->telemetry);
    return s;
}

/* A cycle of four ranks: each works for 1, sends, waits until its neighbours' messages have come
 * after 3, and works for 1. */
static void rank_cycle(ss_ranks_trace *t, double from)
{
    static const struct {
        double from, to;
        ss_ranks_kind kind;
    } spans[] = {{0, 1, SS_RANKS_WORKS},
                 {1, 1.2, SS_RANKS_CALLS},
                 {1.2, 4.2, SS_RANKS_WAITS},
                 {4.2, 4.4, SS_RANKS_CALLS},
                 {4.4, 5.4, SS_RANKS_WORKS}};
    *t = (ss_ranks_trace){.from = from, .to = from + 5.4e-5};
    for (int r = 0; r < 4; r++) {
        for (int i = 0; i < 5; i++)
            t->span[t->nspan++] =
                (ss_ranks_span){from + 1e-5 * spans[i].from, from + 1e-5 * spans[i].to, (uint8_t)r,
                                (uint8_t)spans[i].kind};
        t->arrow[t->narrow++] =
            (ss_ranks_arrow){from + 1.2e-5, from + 4.2e-5, (uint8_t)r, (uint8_t)((r + 1) % 4)};
    }
}

void sample_ranks(ss_snapshot *s)
{
    rank_cycle(&s->ranks_trace[1], 1);
    rank_cycle(&s->ranks_trace[0], 1 + 5.4e-5);
    s->ranks = (ss_ranks_figures){.count = 4,
                                  .columns = 4,
                                  .rows = 1,
                                  .link = {3e-5, 1e-6, 1.25e9, true},
                                  .measured = 5.4e-5,
                                  .formula = 5.2e-5,
                                  .work = 2e-5,
                                  .waiting = 0.56,
                                  .messages = 4,
                                  .bytes = 32,
                                  .levels = 1,
                                  .enough = 1.5,
                                  .block = 8,
                                  .words = "max(c, L + s) + 2 o",
                                  .where = "c: work, s: bytes/link rate"};
}

static double wild(uint64_t seed, uint64_t i)
{
    static const double odd[] = {0, -0.0, 1, -1, 1e300, -1e300, 1e-300, 1e15, 0.1};
    double u = ss_random_unit(seed, 2 * i);
    if (u < 0.05)
        return (double)NAN;
    if (u < 0.1)
        return (double)INFINITY;
    return u < 0.5 ? odd[(int)(ss_random_unit(seed, 2 * i + 1) * 9)]
                   : ss_random_unit(seed, 2 * i + 1);
}

static int whole(uint64_t seed, uint64_t i, int n)
{
    return (int)(ss_random_unit(seed, 1000000 + i) * n);
}

ss_snapshot *sample_random(uint64_t seed)
{
    int w = whole(seed, 0, 90), h = whole(seed, 1, 90);
    ss_snapshot *s = whole(seed, 23, 4) == 0 ? sample_3d(SS_VALUE, w + 1, h + 1)
                     : whole(seed, 2, 2)     ? sample_2d(SS_VALUE, w + 1, h + 1)
                     : whole(seed, 21, 2)    ? sample_swept(w + 1, whole(seed, 22, 31))
                                             : sample_1d(w + 1);
    s->view.layer = (ss_layer)whole(seed, 3, SS_NLAYER);
    for (int i = 0; i < s->picture.w * s->picture.h; i++)
        s->picture.cell[i] = (float)wild(seed, (uint64_t)i);
    s->picture.lo = wild(seed, 20001), s->picture.hi = wild(seed, 20002);
    s->ncurve = whole(seed, 4, SS_CURVE_MAX + 1);
    for (int i = 0; i < s->ncurve; i++)
        s->curve[i].residual = wild(seed, 30000 + (uint64_t)i),
        s->curve[i].bytes = wild(seed, (uint64_t)i);
    for (int i = 0; i < s->ncurve; i++)
        s->curve[i].time = wild(seed, 60000 + (uint64_t)i),
        s->curve[i].monitor[0] = wild(seed, 70000 + (uint64_t)i);
    for (int i = 0; i < s->nspectrum; i++)
        s->spectrum[i] = wild(seed, 80000 + (uint64_t)i);
    for (int i = 0; i < s->bands.n; i++) {
        s->bands.rms[i] = wild(seed, 90000 + (uint64_t)i);
        s->bands_start.rms[i] = wild(seed, 91000 + (uint64_t)i);
    }
    s->view.axis = whole(seed, 24, 3), s->view.slice = whole(seed, 25, 100);
    s->residual0 = wild(seed, 20003);
    s->tol = wild(seed, 20004);
    s->status = (ss_status)whole(seed, 5, SS_NSTATUS);
    s->reached = whole(seed, 6, 2), s->paused = whole(seed, 7, 2);
    s->deterministic = whole(seed, 8, 2), s->tiled = whole(seed, 9, 2);
    s->peek = whole(seed, 10, 30), s->ncontrol = whole(seed, 11, s->ncontrol + 1);
    s->picture.nprofile[0] = whole(seed, 12, SS_PROFILE_MAX + 1);
    for (int i = 0; i < SS_PROFILE_MAX; i++)
        s->picture.profile[0][i] = (float)wild(seed, 40000 + (uint64_t)i);
    for (int i = 0; i < SS_NTELEMETRY; i++)
        s->telemetry.value[i] = wild(seed, 50000 + (uint64_t)i),
        s->telemetry.valid[i] = whole(seed, 20, 2);
    s->telemetry.value[SS_T_CYCLE] = whole(seed, 26, 1 << 30); /* a count, whatever happens */
    if (whole(seed, 13, 4) == 0)
        s->picture.w = s->picture.h = 0;
    s->nx = 1 + whole(seed, 14, 5000);
    s->ny = s->dim == 1 ? 1 : 1 + whole(seed, 15, 5000);
    int block = 2 + whole(seed, 16, 200);
    s->tiling.x = ss_cut_make(s->nx, block, 2 * whole(seed, 17, block / 2));
    s->tiling.y = ss_cut_make(s->ny, block, 0);
    snprintf(s->message, sizeof s->message, "a sentence \t with \x1b[31m odd \xc3 bytes 漢字");
    s->message_seq = (uint64_t)whole(seed, 18, 2);
    return s;
}

void sample_free(ss_snapshot *s)
{
    free(s->picture.cell);
    free(s->picture.owner);
    if (s->race.n > 0) { /* sample_race */
        free(s->race.racer[1].picture.cell);
        free(s->race.racer);
    }
    free(s);
}

uint64_t sample_emit(void *ctx, const ss_cmd *cmd, ss_err *err)
{
    sample_log *log = ctx;
    (void)err;
    ss_cmd_format(cmd, log->last, sizeof log->last);
    log->count++;
    return ++log->ticket;
}

int sample_command(ss_ui *ui, const char *line, const ss_snapshot *snap)
{
    ss_cmd cmd;
    ss_err err;
    if (ss_cmd_parse(line, &cmd, &err) != SS_OK)
        return SS_FAIL;
    return ss_ui_command(ui, &cmd, snap, &err);
}

void sample_screen(ss_ui *ui, ss_snapshot *snap, int cols, int rows_, const ss_paint *how,
                   ss_term_cells *out)
{
    ss_extent extent = {.cols = cols,
                        .rows = rows_,
                        .dots_x = how->glyphs->field_x,
                        .dots_y = how->ramp ? 1 : how->glyphs->field_y};
    ss_ui_scene(ui, snap, &extent, 20);
    if (snap->picture.w > 0)
        sample_picture(snap, ss_ui_view(ui)->layer, ss_ui_view(ui)->w, ss_ui_view(ui)->h);
    if (snap->race.n > 0)
        sample_race(snap);
    struct ss_scene *scene = ss_ui_scene(ui, snap, &extent, 20);
    if (!ss_cells_resize(out, cols, rows_))
        abort();
    ss_cells_paint(out, scene, how);
}
