/* What `bench` prints, as text and as JSON: see kit.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/bench/kit.h"
#include "src/base/outfile.h"
#include "src/core/registry.h"

/* --- figures of a case ------------------------------------------------------------------------ */

/* The ledger's bandwidth as a fraction of the triad of the same round; 0: the ledger is silent. */
static double triad_fraction(const ss_case *c, int rounds)
{
    double fraction[SS_ROUNDS_MAX] = {0};
    for (int i = 0; i < rounds; i++)
        fraction[i] = c->bytes / c->iteration[i] / c->triad[i];
    return ss_median(fraction, rounds);
}

/* How much faster than the fastest case of a role, round by round; 0: there is none. */
static double speedup(const ss_group *g, const ss_case *c, ss_bench_role role, int rounds)
{
    double best[SS_ROUNDS_MAX];
    if (!ss_bench_best(g, role, g->solve, rounds, best))
        return 0;
    return ss_median_ratio(best, g->solve ? c->solve : c->iteration, rounds);
}

static const char *ratio_text(double v, const char *format, char *buf, size_t size)
{
    if (v > 0)
        snprintf(buf, size, format, v);
    else
        snprintf(buf, size, "-");
    return buf;
}

static const char *percent(double v, char *buf, size_t size)
{
    snprintf(buf, size, "%.1f %%", 100 * v);
    return buf;
}

/* --- text ------------------------------------------------------------------------------------- */

/* What looking at the residual in every cycle costs; 0: nobody looks. */
static double norm_cost(const ss_bench *b, const ss_group *g, const ss_case *c)
{
    return ss_bench_moves(g) ? 0 : ss_median_ratio(c->checked, c->iteration, b->rounds) - 1;
}

static void print_iteration(const ss_bench *b, const ss_group *g, const ss_case *c, FILE *out)
{
    char time[32], cycle[32], rate[32], bytes[32], triads[32], fair[32], stream[32], norms[32];
    double seconds = ss_median(c->iteration, b->rounds);
    fprintf(out, "  %-46s %10s %10s %12s %7s %6s %8s %7s %8s\n", c->label,
            ss_format_si(seconds, "s", time, sizeof time),
            ss_format_si(seconds * c->per_cycle, "s", cycle, sizeof cycle),
            ss_format_si(c->updates / seconds, "pt/s", rate, sizeof rate),
            ratio_text(c->bytes / seconds * 1e-9, "%.1f", bytes, sizeof bytes),
            ratio_text(triad_fraction(c, b->rounds), "%.2f", triads, sizeof triads),
            ratio_text(speedup(g, c, SS_BENCH_CLASSIC, b->rounds), "%.2f", fair, sizeof fair),
            ratio_text(speedup(g, c, SS_BENCH_STREAM, b->rounds), "%.2f", stream, sizeof stream),
            ss_bench_moves(g) ? "-" : percent(norm_cost(b, g, c), norms, sizeof norms));
}

static void print_solve(const ss_bench *b, const ss_group *g, const ss_case *c, FILE *out)
{
    char time[32], fair[32], stream[32];
    fprintf(out, "  %-46s %10lld %10lld %10s %8s %7s\n", c->label, (long long)c->cycles,
            (long long)c->cycles * c->per_cycle,
            ss_format_si(ss_median(c->solve, b->rounds), "s", time, sizeof time),
            ratio_text(speedup(g, c, SS_BENCH_CLASSIC, b->rounds), "%.2f", fair, sizeof fair),
            ratio_text(speedup(g, c, SS_BENCH_STREAM, b->rounds), "%.2f", stream, sizeof stream));
}

static void print_group(const ss_bench *b, const ss_group *g, FILE *out)
{
    if (g->solve)
        fprintf(out, "\n%s, to %g of the first residual\n  %-46s %10s %10s %10s %8s %7s\n",
                g->label, ss_config_real(&g->cfg, "until"), "", "cycles", "iterations", "time",
                "speed-up", "stream");
    else
        fprintf(out, "\n%s\n  %-46s %10s %10s %12s %7s %6s %8s %7s %8s\n", g->label, "",
                ss_bench_moves(g) ? "step" : "iteration", "cycle", "useful", "GB/s", "triads",
                "speed-up", "stream", "norms");
    for (int i = 0; i < g->ncase; i++) {
        const ss_case *c = &g->cases[i];
        if (*c->skipped)
            fprintf(out, "  %-46s skipped: %s\n", c->label, c->skipped);
        else
            (g->solve ? print_solve : print_iteration)(b, g, c, out);
    }
}

void ss_bench_print_limits(const ss_bench *b, FILE *out)
{
    char value[32];
    fprintf(out, "%s: %s; medians of %d round%s\n\n", b->device, b->detail, b->rounds,
            b->rounds == 1 ? "" : "s");
    for (int i = 0; i < b->nlimit; i++)
        fprintf(out, "  %-18s %10s  %s\n", b->limits[i].name,
                ss_format_si(ss_median(b->limit[i], b->nsample), b->limits[i].unit, value,
                             sizeof value),
                b->limits[i].help);
}

void ss_bench_print(const ss_bench *b, FILE *out)
{
    ss_bench_print_limits(b, out);
    for (int g = 0; g < b->ngroup; g++)
        print_group(b, &b->groups[g], out);
    fprintf(
        out,
        "\n  iteration, step, cycle: no norms; useful: points of the grid, redundant updates not\n"
        "  counted; GB/s: traffic by the ledger; triads: that, as a fraction of the triad;\n"
        "  speed-up: over the best classic solver of the group, round by round; stream: over\n"
        "  the best that is launched kernel after kernel; norms: what looking at the residual\n"
        "  every cycle costs.\n");
}

/* --- JSON ------------------------------------------------------------------------------------- */

/* Whole numbers as numbers, everything else as text. */
static json_t *value_json(const char *value)
{
    char *end;
    long long number = strtoll(value, &end, 10);
    return *value && !*end ? json_integer(number) : json_string(value);
}

static json_t *settings_json(const ss_settings *s)
{
    json_t *o = json_object();
    for (int i = 0; i < s->n; i++)
        json_object_set_new(o, s->at[i].name, value_json(s->at[i].value));
    return o;
}

static json_t *ratio_json(double v)
{
    return v > 0 && isfinite(v) ? json_real(v) : json_null();
}

static void add_iteration(const ss_bench *b, const ss_group *g, const ss_case *c, json_t *o)
{
    double seconds = ss_median(c->iteration, b->rounds);
    bool moves = ss_bench_moves(g);
    json_object_set_new(o, moves ? "steps_per_cycle" : "iterations_per_cycle",
                        json_integer(c->per_cycle));
    json_object_set_new(o, moves ? "seconds_per_step" : "seconds_per_iteration",
                        json_real(seconds));
    json_object_set_new(o, "seconds_per_cycle", json_real(seconds * c->per_cycle));
    json_object_set_new(o, "points_per_second", json_real(c->updates / seconds));
    json_object_set_new(o, "bytes_per_second", ratio_json(c->bytes / seconds));
    json_object_set_new(o, "triad_fraction", ratio_json(triad_fraction(c, b->rounds)));
    json_object_set_new(o, "speedup", ratio_json(speedup(g, c, SS_BENCH_CLASSIC, b->rounds)));
    json_object_set_new(o, "speedup_stream", ratio_json(speedup(g, c, SS_BENCH_STREAM, b->rounds)));
    json_object_set_new(o, "norm_cost", moves ? json_null() : json_real(norm_cost(b, g, c)));
}

static void add_solve(const ss_bench *b, const ss_group *g, const ss_case *c, json_t *o)
{
    json_object_set_new(o, "cycles", json_integer(c->cycles));
    json_object_set_new(o, "iterations", json_integer(c->cycles * c->per_cycle));
    json_object_set_new(o, "seconds", json_real(ss_median(c->solve, b->rounds)));
    json_object_set_new(o, "speedup", ratio_json(speedup(g, c, SS_BENCH_CLASSIC, b->rounds)));
    json_object_set_new(o, "speedup_stream", ratio_json(speedup(g, c, SS_BENCH_STREAM, b->rounds)));
}

static json_t *case_json(const ss_bench *b, const ss_group *g, const ss_case *c)
{
    static const char *const roles[SS_BENCH_NROLE] = {"case", "classic", "stream"};
    json_t *o = json_object();
    json_object_set_new(o, "label", json_string(c->label));
    json_object_set_new(o, "role", json_string(roles[c->role]));
    json_object_set_new(o, "params", settings_json(&c->set));
    if (*c->skipped)
        json_object_set_new(o, "skipped", json_string(c->skipped));
    else
        (g->solve ? add_solve : add_iteration)(b, g, c, o);
    return o;
}

static json_t *group_json(const ss_bench *b, const ss_group *g)
{
    json_t *o = settings_json(&g->set), *cases = json_array();
    json_object_set_new(o, "measured", json_string(g->solve ? "solve" : "iterate"));
    if (g->solve)
        json_object_set_new(o, "until", json_real(ss_config_real(&g->cfg, "until")));
    for (int i = 0; i < g->ncase; i++)
        json_array_append_new(cases, case_json(b, g, &g->cases[i]));
    json_object_set_new(o, "cases", cases);
    return o;
}

json_t *ss_bench_json_head(const ss_bench *b)
{
    json_t *limits = json_object();
    for (int i = 0; i < b->nlimit; i++)
        json_object_set_new(limits, b->limits[i].name,
                            json_real(ss_median(b->limit[i], b->nsample)));
    return json_pack("{s:s,s:s,s:s,s:i,s:o}", "backend", b->backend->name, "device", b->device,
                     "detail", b->detail, "rounds", b->rounds, "limits", limits);
}

json_t *ss_bench_json(const ss_bench *b)
{
    json_t *o = ss_bench_json_head(b), *groups = json_array();
    for (int g = 0; g < b->ngroup; g++)
        json_array_append_new(groups, group_json(b, &b->groups[g]));
    json_object_set_new(o, "groups", groups);
    return o;
}
