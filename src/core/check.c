/*
 * Checks a config as a whole: the combination exists, every value is inside its current range, and
 * the memory suffices. See registry.h. Pure functions on a config, any thread.
 */
#include <stdio.h>
#include <string.h>

#include "src/core/registry.h"
#include "src/core/run.h"

static int check_matrix(const ss_config *cfg, const ss_backend *backend, ss_err *err)
{
    const char *why;
    const ss_equation *eq = ss_config_equation(cfg);
    const ss_solver *solver = ss_config_solver(cfg);
    if (ss_matrix(eq, solver, backend, &why))
        return SS_OK;
    bool somewhere = ss_runs_somewhere(eq, solver);
    return ss_fail(err, "%s does not run with %s%s%s: %s", eq->name, solver->name,
                   somewhere ? " on " : "", somewhere ? backend->name : "", why);
}

/* "no CUDA driver: running on CPU, 2 threads" */
static void report_fallback(const ss_config *cfg, const ss_err *why, ss_err *notice)
{
    char device[128];
    if (!notice || !why->text[0])
        return;
    ss_config_backend(cfg)->describe(cfg, device, sizeof device);
    ss_fail(notice, "%.180s: running on %s", why->text, device);
}

/* The backend that a row of its own asks for, as a choice of the row `backend`; 0: none. */
static int64_t asked_for(const ss_config *cfg)
{
    for (int i = 0; ss_backends[i]; i++)
        if (ss_backends[i]->asked_by && ss_config_given(cfg, ss_backends[i]->asked_by))
            return i + 1;
    return 0;
}

/* Tries the backends in the order of the table; the last one is always present. */
static int resolve_backend(ss_config *cfg, ss_err *notice, ss_err *err)
{
    ss_value *v = &cfg->v[ss_common_rows[SS_ROW_BACKEND].slot];
    v->i = v->i != 0 ? v->i : asked_for(cfg);
    if (v->i != 0)
        return ss_config_backend(cfg)->probe(err);
    ss_err why = {0}, absent = {0}, cannot = {0};
    for (int i = 0; ss_backends[i]; i++) {
        if (ss_backends[i]->asked_by)
            continue;
        bool can = check_matrix(cfg, ss_backends[i], &cannot) == SS_OK;
        if (can && ss_backends[i]->probe(&absent) == SS_OK) {
            v->i = i + 1;
            report_fallback(cfg, &why, notice);
            return SS_OK;
        }
        why = why.text[0] ? why : can ? absent : cannot; /* reason of the first backend */
    }
    if (absent.text[0] && cannot.text[0])
        return ss_fail(err, "%.120s, and %.190s", absent.text, cannot.text);
    return ss_fail(err, "%s", why.text);
}

static int check_row(const ss_config *cfg, const ss_param *row, ss_err *err)
{
    double lo, hi;
    const char *why;
    char a[40], b[40], v[64];
    if (row->type == SS_STRING || row->type == SS_FILE)
        return SS_OK;
    ss_value value = ss_config_value(cfg, row);
    double x = ss_param_number(row, value);
    ss_config_range(cfg, row, &lo, &hi, &why);
    if ((row->zero && x == 0) || (x >= lo && x <= hi))
        return SS_OK;
    ss_param_format(row, value, v, sizeof v);
    snprintf(a, sizeof a, "%g", lo);
    snprintf(b, sizeof b, "%.10g", hi);
    return ss_fail(err, "%s: %s is out of range %s\xe2\x80\xa6%s%s%s%s", row->name, v, a, b,
                   why ? " (" : "", why ? why : "", why ? ")" : "");
}

static int check_rows(const ss_config *cfg, ss_err *err)
{
    const ss_param *row;
    for (ss_param_walk w = {.cfg = cfg}; (row = ss_param_next(&w)) != NULL;)
        if (check_row(cfg, row, err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

/* Bytes that its backend could still allocate, of `what`: the backend is resolved. */
static double memory_for(const ss_config *cfg, char *what, size_t size)
{
    const ss_backend *backend = ss_config_backend(cfg);
    return backend->memory_of ? backend->memory_of(cfg, what, size) : backend->memory(what, size);
}

static int check_memory(const ss_config *cfg, ss_err *err)
{
    char what[64], need[32], have[32], depth[32] = "";
    const ss_solver *solver = ss_config_solver(cfg);
    const char *stored = "";
    double bytes = ss_config_bytes(cfg);
    /* Checks of a time-dependent run keep two copies of its fields, in the host's memory. */
    if (!ss_config_backend(cfg)->memory_of && ss_config_equation(cfg)->kind == SS_TRANSIENT)
        bytes *= 2;
    double limit = memory_for(cfg, what, sizeof what);
    ss_problem p = ss_config_problem(cfg);
    if (p.dim > 2)
        snprintf(depth, sizeof depth, " \xc3\x97 %d", p.nz);
    if (bytes > limit)
        return ss_fail(
            err, "%d \xc3\x97 %d%s points need %s for the fields, but only %s of %s is available",
            p.nx, p.ny, depth, ss_format_bytes(bytes, need, sizeof need),
            ss_format_bytes(limit, have, sizeof have), what);
    double more = solver->bytes ? solver->bytes(cfg, ss_config_equation(cfg), &p, &stored) : 0;
    if (bytes + more <= limit)
        return SS_OK;
    return ss_fail(err, "%s need %s besides the fields, but only %s of %s is available", stored,
                   ss_format_bytes(more, need, sizeof need),
                   ss_format_bytes(limit - bytes, have, sizeof have), what);
}

/* A run stops at one distance, which must be defined. */
static int check_goal(const ss_config *cfg, ss_err *err)
{
    const ss_equation *eq = ss_config_equation(cfg);
    if (eq->kind != SS_STEADY || !(ss_config_real(cfg, "until-error") > 0))
        return SS_OK;
    if (ss_config_real(cfg, "until-accuracy") > 0)
        return ss_fail(err, "until-error and until-accuracy are two goals: give one of them");
    if (!eq->exact)
        return ss_fail(err, "until-error: the exact solution of %s is not known", eq->name);
    const char *why = ss_config_int(cfg, "error-norm") ? ss_config_no_energy(cfg) : NULL;
    return why ? ss_fail(err, "error-norm: there is no energy norm here, %s: use max", why) : SS_OK;
}

int ss_config_check(ss_config *cfg, ss_err *notice, ss_err *err)
{
    ss_err ignored = {0};
    err = err ? err : &ignored;
    if (resolve_backend(cfg, notice, err) != SS_OK)
        return SS_FAIL;
    if (check_matrix(cfg, ss_config_backend(cfg), err) != SS_OK)
        return SS_FAIL;
    const ss_backend *backend = ss_config_backend(cfg);
    if (backend->check && backend->check(cfg, err) != SS_OK)
        return SS_FAIL;
    if (check_rows(cfg, err) != SS_OK || check_memory(cfg, err) != SS_OK ||
        check_goal(cfg, err) != SS_OK)
        return SS_FAIL;
    ss_problem p = ss_config_problem(cfg);
    const ss_solver *solver = ss_config_solver(cfg);
    const ss_equation *eq = ss_config_equation(cfg);
    if (eq->check && eq->check(cfg, &p, err) != SS_OK)
        return SS_FAIL;
    if (solver->check && solver->check(cfg, &p, err) != SS_OK)
        return SS_FAIL;
    return ss_config_check_ranks(cfg, &p, err);
}

uint32_t ss_config_choices(const ss_config *cfg, const ss_param *row)
{
    uint32_t mask = 0;
    for (int i = 0; row->choices[i]; i++) {
        ss_config trial = *cfg;
        trial.v[row->slot] = (ss_value){.i = i, .set = true};
        bool structural = row->slot <= ss_common_rows[SS_ROW_BACKEND].slot &&
                          row->slot >= ss_common_rows[SS_ROW_EQUATION].slot;
        const ss_backend *b = ss_config_backend(&trial);
        if (!structural || (b && check_matrix(&trial, b, NULL) == SS_OK))
            mask |= 1u << i;
    }
    return mask;
}
