/* JSON (jansson), CSV and text of a result: see parts.h. */
#include "src/app/parts.h"

#include <jansson.h>
#include <math.h>

#include "src/base/json_out.h"
#include "src/base/file.h"
#include "src/run/reference.h"
#include "src/core/run.h"
#include "src/core/registry.h"
#include "src/snapshot/snapshot.h"

/* --- JSON ----------------------------------------------------------------------------------------
 */

static json_t *real_or_null(double v, bool valid)
{
    return valid && isfinite(v) ? json_real(v) : json_null();
}

static json_t *value_json(const ss_param *row, ss_value v)
{
    char buf[1024];
    if (row->type == SS_BOOL)
        return json_boolean(v.i);
    if (row->type == SS_INT || row->type == SS_SIZE)
        return json_integer(v.i);
    if (row->type == SS_REAL_T || row->type == SS_DURATION)
        return json_real(v.d);
    return json_string(ss_param_format(row, v, buf, sizeof buf));
}

/* The rows of the equation, the solver and its backend (kernel, tile, threads per block); common
 * parameters are members of the result itself. */
static json_t *params_json(const ss_config *cfg)
{
    json_t *o = json_object();
    const ss_param *row;
    for (ss_param_walk w = {.cfg = cfg}; (row = ss_param_next(&w)) != NULL;)
        if (ss_param_is_own(cfg, row))
            json_object_set_new(o, row->name, value_json(row, ss_config_value(cfg, row)));
    return o;
}

static json_t *ledger_json(const ss_ledger *l, bool steady)
{
    json_t *o = json_pack(
        "{s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "launches", json_integer((int64_t)l->launches),
        "reductions", json_integer((int64_t)l->reductions), "global_bytes",
        json_integer((int64_t)l->global_bytes), "shared_bytes",
        json_integer((int64_t)l->shared_bytes), "barriers", json_integer((int64_t)l->barriers),
        "updates", json_integer((int64_t)l->updates), "redundant_updates",
        json_integer((int64_t)l->redundant_updates), "operations",
        json_integer((int64_t)l->operations));
    if (!steady || l->edge_bytes > 0)
        json_object_set_new(o, "edge_bytes", json_integer((int64_t)l->edge_bytes));
    if (!steady)
        json_object_set_new(o, "idle", json_real(l->idle));
    return o;
}

/* Conserved and monitored quantities: the present value, the change since the start, and the part
 * of it that is a conservation error. */
static json_t *monitors_json(const ss_run *run)
{
    json_t *o = run->eq->nmonitor > 0 ? json_object() : json_null();
    for (int i = 0; i < run->eq->nmonitor; i++) {
        const ss_monitor *m = &run->eq->monitors[i];
        double now = run->watch.now[i];
        json_t *one = json_pack("{s:o,s:o}", "now", real_or_null(now, true), "change",
                                real_or_null(now - run->watch.first[i], true));
        if (m->conserved)
            json_object_set_new(one, "drift", real_or_null(ss_run_drift(run, i), true));
        json_object_set_new(o, m->name, one);
    }
    return o;
}

static json_t *blocks_json(const ss_run *run)
{
    double blocks = ss_result_blocks(run);
    return isfinite(blocks) ? json_integer((json_int_t)blocks) : json_null();
}

/* The cost of the blocks' exact inverses before the first cycle. */
static json_t *inverses_json(const ss_run *run)
{
    if (run->bytes_inverses <= 0)
        return json_null();
    return json_pack("{s:f,s:f}", "seconds", run->seconds_inverses, "bytes", run->bytes_inverses);
}

/* Register or shared-memory bytes of a subdomain on an SM, and the limit. */
static json_t *tile_json(const ss_run *run)
{
    if (run->tile_room <= 0)
        return json_null();
    return json_pack("{s:f,s:f}", "bytes", run->tile_bytes, "room", run->tile_room);
}

/* A hybrid run: rows and costs as measured in its last batches, seconds; null: another run. */
static json_t *split_json(const ss_split *s)
{
    if (!s->on)
        return json_null();
    bool known = s->batches > 0;
    double best = ss_split_best(&s->cost), x = (double)s->rows / s->all;
    const ss_split_bars *b = &s->bars;
    json_t *bars =
        json_pack("{s:f,s:f,s:f,s:f,s:f,s:f}", "to_device", b->up, "kernel", b->kernel,
                  "from_device", b->down, "cpu", b->cpu, "wait", b->wait, "exchange", b->exchange);
    return json_pack("{s:b,s:b,s:i,s:i,s:i,s:i,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "auto",
                     s->automatic, "settled", s->settled, "rows", s->rows, "of", s->all,
                     "iterations_per_exchange", s->k, "batches", s->batches, "seconds_cpu",
                     real_or_null(s->cost.cpu, known), "seconds_cpu_at_double",
                     real_or_null(s->cost.far, s->cost.far > 0), "seconds_gpu",
                     real_or_null(s->cost.gpu, known), "seconds_exchange",
                     real_or_null(s->cost.exchange, known), "best_share", real_or_null(best, known),
                     "gain_at_best", real_or_null(ss_split_gain(&s->cost, s->k), known),
                     "predicted", real_or_null(ss_split_time(&s->cost, s->k, x), known), "measured",
                     real_or_null(s->measured, s->measured > 0), "per_exchange", bars, "refused",
                     s->refused[0] ? json_string(s->refused) : json_null());
}

/* `transfer`: seconds of both directions, including pictures and references; `transfer_fields`: of
 * the problem's fields only. */
static json_t *seconds_json(const ss_result *r)
{
    const ss_run *run = r->run;
    double up = run->seconds_upload, down = run->seconds_download;
    json_t *o = json_pack("{s:f,s:o,s:o,s:f}", "solve", run->seconds_solve, "ghosts",
                          real_or_null(run->seconds_ghosts, run->eq->patches != NULL), "transfer",
                          real_or_null(up + down, up + down > 0), "total", r->seconds_total);
    if (run->backend->start_seconds)
        json_object_set_new(o, "device_start", json_real(run->backend->start_seconds()));
    if (up + down <= 0)
        return o;
    json_object_set_new(o, "to_device", json_real(up));
    json_object_set_new(o, "from_device", json_real(down));
    json_object_set_new(o, "transfer_fields",
                        json_real(run->seconds_field_up + run->seconds_field_down));
    return o;
}

/* Modelled ranks: seconds per iteration or time step, and what they consist of. */
static json_t *ranks_json(const ss_run *run)
{
    ss_ranks_figures f;
    ss_run_ranks_figures(run, &f);
    if (f.count == 0)
        return json_null();
    json_t *o = json_pack("{s:i,s:[i,i],s:s}", "count", f.count, "grid", f.columns, f.rows, "clock",
                          ss_ranks_clock_name(f.modelled));
    json_object_set_new(o, "measured", real_or_null(f.measured, true));
    json_object_set_new(o, "formula", real_or_null(f.formula, true));
    json_object_set_new(o, "formula_text", json_string(f.words));
    json_object_set_new(o, "work", real_or_null(f.work, true));
    json_object_set_new(o, "waiting", real_or_null(f.waiting, true));
    json_object_set_new(o, "messages", real_or_null(f.messages, true));
    json_object_set_new(o, "message_bytes", real_or_null(f.bytes, true));
    json_object_set_new(o, "reductions", real_or_null(f.checks, true));
    json_object_set_new(o, "levels_per_exchange", real_or_null(f.levels, true));
    json_object_set_new(o, "levels_to_hide", real_or_null(f.enough, true));
    json_object_set_new(o, "block_to_hide", f.block > 0 ? json_integer(f.block) : json_null());
    return o;
}

/* Of the residual per cycle; null: unknown. */
static json_t *factor_json(const ss_run *run)
{
    const ss_solver *s = run->solver;
    bool settled;
    double measured = ss_run_factor(run, &settled);
    double predicted = s->factor ? s->factor(&run->cfg, &run->problem) : (double)NAN;
    return json_pack("{s:o,s:o,s:b}", "predicted", real_or_null(predicted, true), "measured",
                     real_or_null(measured, true), "settled", settled);
}

static json_t *norm_json(const ss_run *run)
{
    const ss_param *row = ss_param_find(&run->cfg, "error-norm", NULL);
    return value_json(row, ss_config_value(&run->cfg, row));
}

/* null: no cycle was done by an edited kernel. */
static json_t *edited_json(const ss_edited *e)
{
    static const char *const bits[] = {
        [SS_BITS_UNKNOWN] = NULL, [SS_BITS_SAME] = "same", [SS_BITS_DIFFER] = "differ"};
    char hash[16];
    if (e->hash == 0)
        return json_null();
    return json_pack("{s:s,s:o}", "hash", ss_edited_hash(e->hash, hash), "bits",
                     bits[e->bits] ? json_string(bits[e->bits]) : json_null());
}

json_t *ss_errors_json(const double error[SS_NERROR])
{
    return json_pack("{s:o,s:o}", "max", real_or_null(error[SS_ERROR_MAX], true), "energy",
                     real_or_null(error[SS_ERROR_ENERGY], true));
}

static json_t *result_object(const ss_result *r)
{
    static const char *const precision[SS_NPREC] = {"f64", "f32"};
    const ss_run *run = r->run;
    bool steady = run->eq->kind == SS_STEADY, known = run->residual_cycle >= 0;
    char device[80];
    run->backend->describe(&run->cfg, device, sizeof device);
    json_t *o = json_object();
    ss_json_about(o);
    json_object_set_new(o, "equation", json_string(run->eq->name));
    json_object_set_new(o, "solver", json_string(run->solver->name));
    json_object_set_new(o, "backend", json_string(run->backend->name));
    json_object_set_new(o, "device", json_string(device));
    json_object_set_new(o, "edited", edited_json(&run->edited));
    json_object_set_new(o, "precision", json_string(precision[run->prec]));
    json_object_set_new(o, "params", params_json(&run->cfg));
    json_object_set_new(o, "seed", json_integer((json_int_t)run->problem.seed));
    json_object_set_new(o, "threads", json_integer(ss_run_threads(run)));
    json_object_set_new(o, "status", json_string(ss_status_name(r->status)));
    json_object_set_new(o, "cycles", json_integer(run->cycle));
    json_object_set_new(o, "iterations", json_integer(run->iteration));
    json_object_set_new(o, "steps", steady ? json_null() : json_integer(run->step));
    json_object_set_new(o, "time", steady ? json_null() : json_real(run->time));
    json_object_set_new(o, "dt", steady ? json_null() : json_real(run->problem.dt));
    json_object_set_new(o, "monitors", monitors_json(run));
    json_object_set_new(o, "blocks", blocks_json(run));
    json_object_set_new(o, "tolerance", real_or_null(run->tol, steady && run->tol > 0));
    json_object_set_new(o, "until_accuracy",
                        real_or_null(run->until_accuracy, run->until_accuracy > 0));
    json_object_set_new(o, "until_error", real_or_null(run->until_error, run->until_error > 0));
    json_object_set_new(o, "error_norm", run->until_error > 0 ? norm_json(run) : json_null());
    json_object_set_new(o, "residual0", real_or_null(run->residual0, known));
    json_object_set_new(o, "residual", real_or_null(run->residual, known));
    json_object_set_new(o, "reduction",
                        real_or_null(run->residual / run->residual0, known && run->residual0 > 0));
    json_object_set_new(o, "factor", steady ? factor_json(run) : json_null());
    json_object_set_new(o, "error_max", real_or_null(r->error_max, true));
    json_object_set_new(o, "error", ss_errors_json(r->error));
    json_object_set_new(o, "teff", real_or_null(ss_run_teff(run), steady));
    json_object_set_new(o, "accuracy", real_or_null(r->accuracy, true));
    json_object_set_new(o, "seconds", seconds_json(r));
    json_object_set_new(o, "ranks", ranks_json(run));
    json_object_set_new(o, "inverses", inverses_json(run));
    json_object_set_new(o, "tile", tile_json(run));
    json_object_set_new(o, "split", split_json(&run->split));
    json_object_set_new(o, "ledger", ledger_json(&run->total, steady));
    return o;
}

int ss_result_json(const ss_result *r, const char *path, ss_err *err)
{
    return ss_json_write(result_object(r), path, err);
}

/* --- CSV and text --------------------------------------------------------------------------------
 */

static void csv_steady(const ss_run *run, FILE *out)
{
    fprintf(out, "cycle,iteration,seconds,bytes,residual,reduction\n");
    for (size_t i = 0; i < run->history.count; i++) {
        const ss_point *p = &run->history.point[i];
        fprintf(out, "%lld,%lld,%.9g,%.17g,%.17g,%.17g\n", (long long)p->cycle,
                (long long)p->iteration, p->seconds, p->bytes, p->residual,
                run->residual0 > 0 ? p->residual / run->residual0 : 0.0);
    }
}

static void csv_transient(const ss_run *run, FILE *out)
{
    fprintf(out, "cycle,step,time,seconds,bytes");
    for (int m = 0; m < run->eq->nmonitor; m++)
        fprintf(out, ",%s", run->eq->monitors[m].name);
    fprintf(out, "\n");
    for (size_t i = 0; i < run->history.count; i++) {
        const ss_point *p = &run->history.point[i];
        fprintf(out, "%lld,%lld,%.17g,%.9g,%.17g", (long long)p->cycle,
                (long long)p->iteration / run->eq->nstage, p->time, p->seconds, p->bytes);
        for (int m = 0; m < run->eq->nmonitor; m++)
            fprintf(out, ",%.17g", p->monitor[m]);
        fprintf(out, "\n");
    }
}

/* A line, if there were cycles of an edited kernel. */
static void put_edited(const ss_edited *e, const char *before, FILE *out)
{
    char words[96];
    if (*ss_edited_words(e, words, sizeof words))
        fprintf(out, "%s%s\n", before, words);
}

int ss_result_csv(const ss_result *r, const char *path, ss_err *err)
{
    static void (*const rows[SS_NKIND])(const ss_run *, FILE *) = {
        [SS_STEADY] = csv_steady, [SS_TRANSIENT] = csv_transient};
    ss_outfile f;
    if (ss_outfile_open(&f, path, err) != SS_OK)
        return SS_FAIL;
    put_edited(&r->run->edited, "# ", f.stream);
    rows[r->run->eq->kind](r->run, f.stream);
    return ss_outfile_close(&f, true, err);
}

static const char *plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

/* A dash for a value that is not finite. */
static const char *number(double v, char *buf, size_t size)
{
    snprintf(buf, size, isfinite(v) ? "%.10g" : "\xe2\x80\x93", v);
    return buf;
}

static const char *rounded(double v, char *buf, size_t size)
{
    return isfinite(v) ? ss_format_sci(v, buf, size) : number(v, buf, size);
}

static void text_steady(const ss_run *run, FILE *out)
{
    char a[40], b[40];
    double reduction = run->residual0 > 0 ? run->residual / run->residual0 : 0;
    fprintf(out, "%lld iteration%s", (long long)run->iteration, plural(run->iteration));
    if (run->residual_cycle >= 0)
        fprintf(out, ": residual %s of the first, |r| = %s", rounded(reduction, a, sizeof a),
                number(run->residual, b, sizeof b));
    fprintf(out, "\n");
}

static void text_transient(const ss_run *run, FILE *out)
{
    char a[40], b[40], c[40];
    fprintf(out, "%lld step%s: t = %.10g\n", (long long)run->step, plural(run->step), run->time);
    for (int i = 0; i < run->eq->nmonitor; i++) {
        double now = run->watch.now[i], drift = ss_run_drift(run, i);
        fprintf(out, "%s %s (%s since the start", run->eq->monitors[i].name,
                number(now, a, sizeof a), rounded(now - run->watch.first[i], b, sizeof b));
        if (run->eq->monitors[i].inflow && isfinite(drift))
            fprintf(out, ", all but %s through the ends", rounded(drift, c, sizeof c));
        fprintf(out, ")\n");
    }
}

static void text_transfers(const ss_run *run, FILE *out)
{
    char up[40], down[40], own[40];
    double field = run->seconds_field_up + run->seconds_field_down;
    if (run->seconds_upload + run->seconds_download <= 0)
        return;
    fprintf(out, "transfers: %s to the device, %s back; %s of these for the fields\n",
            ss_format_si(run->seconds_upload, "s", up, sizeof up),
            ss_format_si(run->seconds_download, "s", down, sizeof down),
            ss_format_si(field, "s", own, sizeof own));
    if (run->backend->start_seconds)
        fprintf(out, "start of the device: %s\n",
                ss_format_si(run->backend->start_seconds(), "s", own, sizeof own));
}

static void text_ranks(const ss_run *run, FILE *out)
{
    char a[40], b[40], c[40];
    ss_ranks_figures f;
    ss_run_ranks_figures(run, &f);
    if (f.count == 0)
        return;
    fprintf(out, "%d modelled ranks (%s): %s per %s, %s by %s%s; work %s\n", f.count,
            ss_ranks_clock_name(f.modelled), ss_format_si(f.measured, "s", a, sizeof a),
            run->eq->kind == SS_STEADY ? "iteration" : "step",
            ss_format_si(f.formula, "s", b, sizeof b), f.words,
            f.checks > 0 ? " and residual checks" : "", ss_format_si(f.work, "s", c, sizeof c));
}

static void text_split(const ss_split *s, FILE *out)
{
    char c[40], g[40], e[40], t[40];
    if (!s->on || s->batches == 0)
        return;
    fprintf(out,
            "%d of %d rows on the CPU; of an iteration the CPU would take %s, the GPU %s, an "
            "exchange %s",
            s->rows, s->all, ss_format_si(s->cost.cpu, "s", c, sizeof c),
            ss_format_si(s->cost.gpu, "s", g, sizeof g),
            ss_format_si(s->cost.exchange, "s", e, sizeof e));
    if (s->rows > 0)
        fprintf(out, "; measured %s", ss_format_si(s->measured, "s", t, sizeof t));
    fprintf(out, "\n");
}

/* A small residual does not mean a small error: where u* is known, both are said. */
static void text_errors(const double error[SS_NERROR], FILE *out)
{
    char a[40], b[40];
    if (!isfinite(error[SS_ERROR_MAX]))
        return;
    fprintf(out, "error: %s of max|u*|", rounded(error[SS_ERROR_MAX], a, sizeof a));
    if (isfinite(error[SS_ERROR_ENERGY]))
        fprintf(out, ", %s in the energy norm", rounded(error[SS_ERROR_ENERGY], b, sizeof b));
    fprintf(out, "\n");
}

void ss_result_text(const ss_result *r, FILE *out)
{
    static void (*const progress[SS_NKIND])(const ss_run *, FILE *) = {
        [SS_STEADY] = text_steady, [SS_TRANSIENT] = text_transient};
    const ss_run *run = r->run;
    char a[40], b[40];
    fprintf(out, "%s after %lld cycle%s, ",
            r->status == SS_LIMIT ? "stopped at its limit" : ss_status_name(r->status),
            (long long)run->cycle, plural(run->cycle));
    progress[run->eq->kind](run, out);
    if (r->wants_error)
        fprintf(out, "max|u - u*| = %s\n", number(r->error_max, a, sizeof a));
    text_errors(r->error, out);
    if (r->wants_accuracy)
        fprintf(out, "max|u - ref| / max|ref| = %s\n", number(r->accuracy, a, sizeof a));
    fprintf(out, "%s solving%s, %s moved (modelled)\n",
            ss_format_si(run->seconds_solve, "s", a, sizeof a),
            run->ranks ? " on the clocks of the ranks" : "",
            ss_format_bytes(run->total.global_bytes, b, sizeof b));
    text_ranks(run, out);
    text_transfers(run, out);
    if (run->bytes_inverses > 0)
        fprintf(out, "inverses of the blocks: %s, computed in %s\n",
                ss_format_bytes(run->bytes_inverses, a, sizeof a),
                ss_format_si(run->seconds_inverses, "s", b, sizeof b));
    text_split(&run->split, out);
    put_edited(&run->edited, "", out);
    if (run->tile_room > 0)
        fprintf(out, "a tile uses %s of an SM, of at most %s\n",
                ss_format_bytes(run->tile_bytes, a, sizeof a),
                ss_format_bytes(run->tile_room, b, sizeof b));
    if (run->message[0])
        fprintf(out, "%s\n", run->message);
}
