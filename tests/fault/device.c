/*
 * A device that is lost in the middle of a run, simulated by a CPU backend that fails: the run goes
 * on elsewhere, from the last copy of its field or from the start, and reports it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "kernels/cpu/state.h"
#include "tests/engines.h"
#include "tests/fields.h"

#define SETTINGS "equation poisson2d solver shared n 97 ny 61 k 3 block 16 problem random until 0"

static struct {
    bool gone, picture_fails;
    int64_t at; /* the cycle in which it fails; < 0: never */
    ss_backend backend;
    ss_engine_ops ops;
    const ss_engine_ops *real;
} device;

static bool device_lost(const ss_run *run, ss_err *why)
{
    (void)run;
    if (device.gone)
        ss_fail(why, "the device was pulled out");
    return device.gone;
}

static int device_step(ss_run *run, int64_t cycles, ss_err *err)
{
    for (; cycles > 0; cycles--) {
        if (run->cycle == device.at) {
            device.gone = true;
            return ss_fail(err, "the device failed: no answer");
        }
        if (device.real->step(run, 1, err) != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}

static int device_sample(ss_run *run, const ss_view *view, ss_picture *out, ss_err *err)
{
    if (device.picture_fails) {
        device.gone = true;
        return ss_fail(err, "the device failed: no picture");
    }
    return ss_backend_cpu.sample(run, view, out, err);
}

/* Turns a CPU run into one of a device that fails in cycle `at`. */
static void on_device(ss_run *run, int64_t at)
{
    device.gone = device.picture_fails = false;
    device.at = at;
    device.backend = ss_backend_cpu;
    device.backend.name = "device";
    device.backend.lost = device_lost;
    device.backend.sample = device_sample;
    device.real = run->ops;
    device.ops = *run->ops;
    device.ops.step = device_step;
    run->backend = &device.backend;
    run->ops = &device.ops;
}

static void same_fields(ss_run *a, ss_run *b)
{
    double *x = get_field(a, FIELD), *y = get_field(b, FIELD);
    size_t n = (size_t)a->problem.nx * (size_t)a->problem.ny;
    CHECK(memcmp(x, y, n * sizeof *x) == 0);
    free(x);
    free(y);
}

/* Fails in cycle 9, having been copied in cycle `copied` (0: never), and goes on to cycle 15. */
static void lose_and_go_on(int64_t copied)
{
    ss_err why = {0}, err = {0};
    char from[40];
    ss_run *plain = open_run(SETTINGS), *run = open_run(SETTINGS);
    on_device(run, 9);
    step_run(run, copied);
    if (copied > 0)
        CHECK(ss_checkpoint_take(run));
    CHECK_INT(ss_run_step(run, 12, &why), SS_FAIL);
    CHECK_INT(run->status, SS_FAILED);
    CHECK_INT(run->cycle, 9);
    double spent = run->seconds_solve;
    CHECK_MSG(ss_run_rescue(run, &why, &err) == SS_OK, "%s", err.text);
    CHECK_INT(run->cycle, copied);
    CHECK_INT(run->iteration, 3 * copied);
    CHECK_STR(run->backend->name, "cpu");
    snprintf(from, sizeof from, "from cycle %lld", (long long)copied);
    CHECK_MSG(strstr(run->rescued, "no answer: continuing on CPU") && strstr(run->rescued, from),
              "'%s'", run->rescued);
    CHECK(run->seconds_solve >= spent);
    step_run(run, 15 - copied);
    step_run(plain, 15);
    same_fields(run, plain);
    CHECK_NEAR(run->residual, plain->residual, 0);
    CHECK_NEAR(run->total.updates, plain->total.updates, 0);
    for (size_t i = 1; i < run->history.count; i++)
        CHECK(run->history.point[i].cycle > run->history.point[i - 1].cycle);
    ss_run_close(plain);
    ss_run_close(run);
}

TEST_CALL(device, a_run_that_loses_its_device_continues_from_the_checkpoint, lose_and_go_on(6))
TEST_CALL(device, a_run_without_a_checkpoint_starts_again, lose_and_go_on(0))

TEST(device, reset_discards_earlier_checkpoints)
{
    ss_err why = {.text = "gone"}, err = {0};
    ss_run *run = open_run(SETTINGS);
    on_device(run, -1);
    step_run(run, 4);
    CHECK(ss_checkpoint_take(run));
    CHECK_INT(ss_run_reset(run, &err), SS_OK);
    step_run(run, 2);
    CHECK_INT(ss_run_rescue(run, &why, &err), SS_OK);
    CHECK_INT(run->cycle, 0);
    ss_run_close(run);
}

/* Copies are made every few seconds without a request. */
SLOW_TEST(device, a_checkpoint_is_taken_every_few_seconds)
{
    ss_err why = {.text = "gone"}, err = {0};
    ss_run *run = open_run(SETTINGS);
    on_device(run, -1);
    step_run(run, 2);
    ss_checkpoint_consider(run); /* too early */
    usleep(3200000);
    step_run(run, 2);
    ss_checkpoint_consider(run);
    step_run(run, 2);
    ss_checkpoint_consider(run); /* too early again */
    CHECK_INT(ss_run_rescue(run, &why, &err), SS_OK);
    CHECK_INT(run->cycle, 4);
    ss_run_close(run);
}

static int64_t solver_number(const char *name)
{
    for (int i = 0; ss_solvers[i]; i++)
        if (strcmp(ss_solvers[i]->name, name) == 0)
            return i;
    return -1;
}

/* A solver that only the device has: its substitute elsewhere, or an error. */
RUN_TEST(device, a_solver_of_the_device_alone_gets_a_fallback,
         "equation poisson2d solver jacobi n 40")
{
    ss_err err = {0};
    ss_config cfg, out;
    on_device(run, -1);
    cfg = run->cfg;
    cfg.v[ss_param_find(&cfg, "solver", NULL)->slot].i = solver_number("persistent");
    device.ops.microscope = &ss_cpu_jacobi;
    CHECK_MSG(ss_fallback(&cfg, &device.backend, &device.ops, &out, &err) == SS_OK, "%s", err.text);
    CHECK_STR(ss_config_solver(&out)->name, "jacobi");
    CHECK_STR(ss_config_backend(&out)->name, "cpu");
    device.ops.microscope = NULL;
    CHECK_INT(ss_fallback(&cfg, &device.backend, &device.ops, &out, &err), SS_FAIL);
    CHECK(err.text[0]);
}

/* --- the engine ------------------------------------------------------------------------------- */

/* The engine's thread owns its run: right after a publish, that thread moves it to the requested
 * device. */
static struct {
    atomic_bool asked;
    ss_engine *engine;
    int64_t fails_at;
    bool picture_fails;
    const char *load;
} transplant;

static void on_wake(void *ctx)
{
    (void)ctx;
    if (!atomic_load(&transplant.asked))
        return;
    ss_run *run = ss_engine_run(transplant.engine);
    on_device(run, transplant.fails_at);
    device.picture_fails = transplant.picture_fails;
    run->load = transplant.load;
    atomic_store(&transplant.asked, false);
}

static ss_engine *start_engine(const ss_config *cfg, bool interactive)
{
    ss_engine_setup setup = {
        .cfg = cfg, .interactive = interactive, .paused = true, .wake = on_wake};
    return engine_start(&setup);
}

static void engine_on_device(ss_engine *e, int64_t fails_at, bool picture_fails, const char *load)
{
    transplant.engine = e;
    transplant.fails_at = fails_at;
    transplant.picture_fails = picture_fails;
    transplant.load = load;
    atomic_store(&transplant.asked, true);
    send_lines(e, LINES("mark device"));
    while (atomic_load(&transplant.asked))
        usleep(1000);
}

/* After the loss, `step 20` still does 20 cycles. */
static void engine_goes_on(bool interactive)
{
    ss_run *plain = open_run(SETTINGS);
    ss_engine *e = start_engine(&plain->cfg, interactive);
    send_lines(e, LINES("set k 4"));
    send_lines(e, LINES("set k 3"));
    engine_on_device(e, 7, false, NULL);
    const ss_snapshot *s = send_lines(e, LINES("step 20"));
    CHECK_INT((long long)s->telemetry.value[SS_T_CYCLE], 20);
    CHECK_MSG(strstr(s->message, "continuing on CPU") && strstr(s->message, "from cycle 0"), "'%s'",
              s->message);
    CHECK_INT(s->message_is_error, interactive); /* without a screen it would end the run */
    s = send_lines(e, LINES("undo"));            /* does not return to the device */
    CHECK_INT((long long)s->telemetry.value[SS_T_CYCLE], 20);
    ss_engine_stop(e);
    step_run(plain, 20);
    CHECK_STR(ss_engine_run(e)->backend->name, "cpu");
    CHECK_INT(ss_engine_run(e)->status, SS_RUNNING);
    same_fields(ss_engine_run(e), plain);
    ss_engine_free(e);
    ss_run_close(plain);
}

TEST_CALL(device, the_engine_continues_on_the_cpu_after_a_lost_device, engine_goes_on(false))

SLOW_TEST(device, the_engine_continues_while_pictures_are_shown)
{
    engine_goes_on(true);
}

/* A picture detects the loss, in a paused run. */
TEST(device, a_lost_device_is_detected_while_a_picture_is_drawn)
{
    ss_run *plain = open_run(SETTINGS);
    ss_engine *e = start_engine(&plain->cfg, false);
    ss_view view = {.seq = 1, .w = 20, .h = 10, .probe_x = -1, .tile_x = -1, .tile_y = -1};
    send_lines(e, LINES("step 3"));
    engine_on_device(e, -1, true, NULL);
    ss_engine_view(e, &view);
    const ss_snapshot *s = NULL;
    for (int i = 0; i < 20000 && !(s && s->picture.w == 20); i++) {
        bool fresh;
        ss_engine_want(e);
        s = ss_engine_take(e, &fresh);
        usleep(1000);
    }
    CHECK_INT(s->picture.w, 20);
    CHECK_MSG(strstr(s->message, "pulled out") || strstr(s->message, "no picture"), "'%s'",
              s->message);
    ss_engine_stop(e);
    CHECK_STR(ss_engine_run(e)->backend->name, "cpu");
    ss_engine_free(e);
    ss_run_close(plain);
}

/* No other backend: the run ends with its error, once. */
TEST(device, the_engine_fails_once_if_no_backend_can_continue)
{
    ss_run *plain = open_run(SETTINGS);
    ss_engine *e = start_engine(&plain->cfg, false);
    send_lines(e, LINES("step 1"));
    engine_on_device(e, 4, false, "no/such/file.npy"); /* it cannot be opened again */
    const ss_snapshot *s = send_lines(e, LINES("step 9"));
    uint64_t seq = s->message_seq;
    CHECK_INT(s->status, SS_FAILED);
    CHECK_INT(s->message_is_error, true);
    CHECK_MSG(strstr(s->message, "no answer") && strstr(s->message, "file.npy"), "'%s'",
              s->message);
    s = send_lines(e, LINES("pause"));
    CHECK_INT(s->message_seq, seq);
    ss_engine_free(e);
    ss_run_close(plain);
}
