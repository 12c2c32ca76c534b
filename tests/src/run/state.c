/* Saved states: a run that continues from one is the run that was never interrupted, bit for bit;
 * a damaged state is refused. */
#include <fcntl.h>
#include <unistd.h>

#include "kernels/cpu/state.h"
#include "src/base/file.h"
#include "src/run/checkpoint.h"
#include "tests/fields.h"

enum { MOST = 1 << 16 };

static const char *new_file(const char *suffix)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/ss-stateXXXXXX%s", suffix);
    int fd = mkstemps(path, (int)strlen(suffix));
    CHECK(fd >= 0 && close(fd) == 0);
    return path;
}

static ss_run *open_config(const ss_config *cfg, const char *load)
{
    ss_err err = {0};
    ss_run *run = ss_run_open(cfg, load, NULL, &err);
    CHECK_MSG(run, "%s", err.text);
    return run;
}

static ss_run *open_from(const char *text, const char *path)
{
    ss_config cfg;
    set_config(&cfg, text);
    return open_config(&cfg, path);
}

static void save(ss_run *run, const char *path)
{
    ss_err err = {0};
    CHECK_MSG(ss_run_save(run, path, &err) == SS_OK, "%s", err.text);
}

/* Settings from the state alone, but for those of the machine. */
static ss_run *continue_alone(const char *path)
{
    ss_config cfg;
    ss_err err = {0};
    bool state;
    ss_config_default(&cfg);
    CHECK(ss_config_set(&cfg, "backend", "cpu", &err) == SS_OK);
    CHECK(ss_config_set(&cfg, "threads", "1", &err) == SS_OK);
    CHECK_MSG(ss_run_settings_of(path, &cfg, &state, &err) == SS_OK, "%s", err.text);
    CHECK(state);
    CHECK_MSG(ss_config_check(&cfg, NULL, &err) == SS_OK, "%s", err.text);
    return open_config(&cfg, path);
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* Its cycle, its clock, its residuals and the sums of its ledger. */
static void check_same(ss_run *a, ss_run *b, const char *text)
{
    CHECK_MSG(a->exact_since == b->exact_since, "%s: exact", text);
    CHECK_MSG(a->cycle == b->cycle && a->iteration == b->iteration && a->step == b->step, "%s",
              text);
    CHECK_MSG(a->status == b->status, "%s: status", text);
    CHECK_MSG(same_bits(a->time, b->time), "%s: time", text);
    CHECK_MSG(same_bits(a->residual0, b->residual0), "%s: r0", text);
    CHECK_MSG(same_bits(a->residual, b->residual), "%s: r %.17g %.17g", text, a->residual,
              b->residual);
    CHECK_MSG(same_bits(a->total.global_bytes, b->total.global_bytes), "%s: bytes", text);
    CHECK_MSG(memcmp(a->watch.first, b->watch.first, sizeof a->watch.first) == 0, "%s: monitors",
              text);
    char *u = ss_field_download(a), *v = ss_field_download(b);
    CHECK_MSG(u && v && memcmp(u, v, ss_field_bytes(a)) == 0, "%s: another field", text);
    free(u);
    free(v);
}

/* --- every method ----------------------------------------------------------------------------- */

/* It may diverge or reach a residual of 0: then as the other one. */
static void advance(ss_run *run, int64_t cycles)
{
    ss_err err = {0};
    CHECK_MSG(ss_run_step(run, cycles, &err) == SS_OK, "%s", err.text);
}

/* Cycles before and after the save: CG's recurrences and momentum look back at most two. */
enum { BEFORE = 4, AFTER = 3 };

/* The run that goes on after its save, and one that continues from the state alone. thorough: one
 * that is never saved, a reset and a load, too. */
static void check_continues(const ss_config *cfg, const char *text, bool thorough)
{
    const char *path = new_file(".ckpt");
    ss_err err = {0};
    ss_run *whole = open_config(cfg, NULL);
    advance(whole, BEFORE);
    save(whole, path);
    advance(whole, AFTER);
    ss_run *second = continue_alone(path);
    CHECK_MSG(second->cycle == BEFORE, "%s: cycle %lld", text, (long long)second->cycle);
    advance(second, AFTER);
    check_same(second, whole, text);
    if (thorough) {
        ss_run *never = open_config(cfg, NULL);
        advance(never, BEFORE + AFTER);
        check_same(never, whole, text);
        ss_run_close(never);
        CHECK_INT(ss_run_reset(second, &err), SS_OK); /* back to the saved state */
        CHECK_INT(second->cycle, BEFORE);
        advance(second, AFTER);
        check_same(second, whole, text);
        CHECK_MSG(ss_run_load(whole, path, &err) == SS_OK, "%s: %s", text, err.text);
        advance(whole, AFTER);
        check_same(second, whole, text);
    }
    ss_run_close(second);
    ss_run_close(whole);
    remove(path);
}

/* A small grid that is neither square nor a multiple of a block. False: the solver needs one whose
 * points can be halved, or the settings do not go together. */
static bool fit_grid(ss_config *cfg)
{
    static const char *const sizes[][3] = {
        {"37", "23", "8"}, {"31", "15", "16"}, {"128", "23", "8"}, {"63", "15", "16"}};
    ss_err err;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        ss_config_set(cfg, "n", sizes[i][0], &err);
        ss_config_set(cfg, "ny", sizes[i][1], &err);
        ss_config_set(cfg, "patch", sizes[i][2], &err);
        if (ss_config_check(cfg, NULL, &err) == SS_OK)
            return true;
    }
    return false;
}

static ss_config method(const ss_equation *eq, const ss_solver *solver)
{
    const char *const rows[][2] = {{"equation", eq->name}, {"solver", solver->name},
                                   {"backend", "cpu"},     {"threads", "1"},
                                   {"until", "0"},         {"px", "2"},
                                   {"problem", "random"},  {"seed", "3"},
                                   {"block", "16"}};
    ss_config cfg;
    ss_err err;
    ss_config_default(&cfg);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) /* those that apply */
        if (ss_config_set(&cfg, rows[i][0], rows[i][1], &err) != SS_OK)
            CHECK_MSG(i > 3, "%s", err.text);
    return cfg;
}

/* The methods' choices: CG's variants, multigrid's cycles and smoothers. With a deliberate mistake,
 * points keep what the memory held before, which is no state. */
static bool is_choice(const ss_param *row)
{
    static const char *const others[] = {"equation", "solver", "precision", "problem", "fault"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(row->name, others[i]) == 0)
            return false;
    return row->type == SS_CHOICE && ss_param_matters(row);
}

static void check_precisions(ss_config cfg, const char *row, const char *choice)
{
    static const char *const all[] = {"f64", "f32"};
    for (int p = 0; p < SS_NPREC; p++) {
        char text[160];
        ss_err err;
        snprintf(text, sizeof text, "%s %s %s %s %s", ss_config_equation(&cfg)->name,
                 ss_config_solver(&cfg)->name, all[p], row, choice);
        CHECK(ss_config_set(&cfg, "precision", all[p], &err) == SS_OK);
        if (ss_config_check(&cfg, NULL, &err) == SS_OK)
            check_continues(&cfg, text, !*row);
    }
}

static void check_choices(const ss_param *row, const ss_config *usual)
{
    for (int i = 0; is_choice(row) && row->choices[i]; i++) {
        ss_config cfg = *usual;
        ss_err err;
        if (i != ss_config_value(usual, row).i &&
            ss_config_set(&cfg, row->name, row->choices[i], &err) == SS_OK && fit_grid(&cfg))
            check_precisions(cfg, row->name, row->choices[i]);
    }
}

/* The table of combinations is the list: a new solver is tested as soon as it is registered. */
SLOW_TEST(state, a_continued_run_is_the_uninterrupted_one_with_every_method)
{
    int seen = 0;
    const ss_param *row;
    ss_tables_init();
    for (int e = 0; ss_equations[e]; e++)
        for (int s = 0; ss_solvers[s]; s++) {
            if (!ss_matrix(ss_equations[e], ss_solvers[s], &ss_backend_cpu, NULL))
                continue;
            ss_config cfg = method(ss_equations[e], ss_solvers[s]);
            CHECK_MSG(fit_grid(&cfg), "%s %s has no small grid", ss_equations[e]->name,
                      ss_solvers[s]->name);
            check_precisions(cfg, "", "");
            for (ss_param_walk w = {.cfg = &cfg}; (row = ss_param_next(&w)) != NULL;)
                check_choices(row, &cfg);
            seen++;
        }
    CHECK_MSG(seen > 30, "%d combinations", seen);
}

/* Its directions were those of the field that is gone. */
TEST(state, cg_starts_again_from_a_loaded_array)
{
    static const char text[] = "equation poisson2d solver cg n 37 ny 23 problem random until 0";
    const char *path = new_file(".npy");
    ss_err err = {0};
    ss_run *run = open_run(text);
    step_run(run, 5);
    save(run, path);
    step_run(run, 3);
    CHECK_MSG(ss_run_load(run, path, &err) == SS_OK, "%s", err.text);
    ss_run *fresh = open_from(text, path);
    CHECK_INT(fresh->cycle, 0); /* an array alone has no progress */
    step_run(run, 4);
    step_run(fresh, 4);
    check_same(run, fresh, text);
    ss_run_close(run);
    ss_run_close(fresh);
    remove(path);
}

/* Another solver continues from the field alone, in the saved cycle. */
TEST(state, another_method_continues_from_the_field)
{
    const char *path = new_file(".ckpt");
    ss_run *run = open_run("equation poisson2d solver cg n 37 ny 23 until 0");
    step_run(run, 5);
    save(run, path);
    ss_run *jacobi = open_from("equation poisson2d solver jacobi n 37 ny 23 until 0", path);
    ss_run *pipelined =
        open_from("equation poisson2d solver cg variant pipelined n 37 ny 23 until 0", path);
    step_run(jacobi, 2);
    step_run(pipelined, 2);
    CHECK_INT(jacobi->cycle, 7);
    CHECK(pipelined->residual < run->residual0);
    ss_run_close(run);
    ss_run_close(jacobi);
    ss_run_close(pipelined);
    remove(path);
}

/* --- the right-hand side ---------------------------------------------------------------------- */

static void write_array(const char *path, int n, int ny, double most)
{
    ss_npy_shape shape = {.ndim = 2, .dim = {ny, n}, .prec = SS_F64};
    ss_err err = {0};
    ss_npy *f = ss_npy_create(path, &shape, &err);
    CHECK_MSG(f, "%s", err.text);
    for (int i = 0; i < n * ny; i++) {
        double v = ss_random_unit(7, (uint64_t)i) * most;
        CHECK(ss_npy_write(f, &v, sizeof v, &err) == SS_OK);
    }
    CHECK(ss_npy_close(f, true, &err) == SS_OK);
}

static ss_run *open_with_rhs(const char *text, const char *rhs)
{
    ss_config cfg;
    ss_err err = {0};
    set_config(&cfg, text);
    ss_run *run = ss_run_open(&cfg, NULL, rhs, &err);
    CHECK_MSG(run, "%s", err.text);
    return run;
}

TEST(state, a_right_hand_side_from_a_file_is_part_of_the_state)
{
    static const char *const settings[] = {
        "equation poisson2d solver cg n 37 ny 23 until 0",
        "equation poisson2d solver shared n 37 ny 23 precision f32 until 0"};
    char rhs[64], path[64];
    ss_err err = {0};
    for (int i = 0; i < 2; i++) {
        snprintf(rhs, sizeof rhs, "%s", new_file(".npy"));
        snprintf(path, sizeof path, "%s", new_file(".ckpt"));
        write_array(rhs, 37, 23, 1 / 3.0);
        ss_run *whole = open_with_rhs(settings[i], rhs);
        step_run(whole, 7);
        save(whole, path);
        step_run(whole, 5);
        remove(rhs);
        ss_run *second = continue_alone(path), *other = open_run(settings[i]);
        step_run(second, 5);
        check_same(second, whole, settings[i]);
        CHECK_INT(ss_run_reset(second, &err), SS_OK);
        CHECK_INT(ss_run_load(other, path, &err), SS_OK); /* it had another right-hand side */
        step_run(second, 5);
        step_run(other, 5);
        check_same(second, whole, settings[i]);
        check_same(other, whole, settings[i]);
        ss_run_close(second);
        ss_run_close(other);
        ss_run_close(whole);
        remove(path);
    }
}

/* The state of a run without --rhs takes the one of the present run away. */
TEST(state, a_state_brings_its_own_right_hand_side)
{
    static const char text[] = "equation poisson2d solver jacobi n 37 ny 23 until 0";
    char rhs[64];
    const char *path;
    ss_err err = {0};
    snprintf(rhs, sizeof rhs, "%s", new_file(".npy"));
    path = new_file(".ckpt");
    write_array(rhs, 37, 23, 1 / 3.0);
    ss_run *plain = open_run(text), *run = open_with_rhs(text, rhs);
    step_run(plain, 4);
    save(plain, path);
    CHECK_MSG(ss_run_load(run, path, &err) == SS_OK, "%s", err.text);
    step_run(plain, 3);
    step_run(run, 3);
    check_same(run, plain, text);
    ss_config cfg = plain->cfg;
    CHECK(!ss_run_open(&cfg, path, rhs, &err));
    CHECK_MSG(strstr(err.text, "leave out --rhs"), "%s", err.text);
    ss_run_close(plain);
    ss_run_close(run);
    remove(path);
    remove(rhs);
}

/* Its values may be larger than those of an array to start from: the first norm is known. */
TEST(state, a_state_of_any_size_continues)
{
    char rhs[64];
    const char *path;
    snprintf(rhs, sizeof rhs, "%s", new_file(".npy"));
    path = new_file(".ckpt");
    write_array(rhs, 37, 23, 1e143);
    ss_run *whole = open_with_rhs("equation poisson2d solver cg n 37 ny 23 until 0", rhs);
    step_run(whole, 20);
    save(whole, path);
    step_run(whole, 2);
    ss_run *second = continue_alone(path);
    step_run(second, 2);
    check_same(second, whole, "large values");
    char *field = ss_field_download(second);
    double middle;
    memcpy(&middle, field + (37 * 11 + 18) * sizeof middle, sizeof middle);
    CHECK_MSG(middle > 1e140, "%g", middle);
    free(field);
    ss_run_close(whole);
    ss_run_close(second);
    remove(path);
    remove(rhs);
}

/* --- other problems --------------------------------------------------------------------------- */

TEST(state, a_state_of_another_problem_is_refused)
{
    const char *path = new_file(".ckpt");
    ss_config cfg;
    ss_err err = {0};
    ss_run *run = open_run("equation poisson2d solver jacobi n 61 ny 40 problem random seed 3");
    step_run(run, 2);
    save(run, path);
    ss_run_close(run);
    set_config(&cfg, "equation poisson2d solver jacobi n 64 ny 40 problem random seed 4");
    CHECK(!ss_run_open(&cfg, path, NULL, &err));
    CHECK_MSG(strstr(err.text, "another problem: seed=3 n=61, not seed=4 n=64"), "%s", err.text);
    CHECK(err.outside);
    remove(path);
}

/* --- damage ----------------------------------------------------------------------------------- */

typedef struct file {
    const char *path;
    int fd;
    char bytes[MOST], damaged[MOST];
    size_t size;
    ss_run *run; /* of the same problem, elsewhere */
    char *field; /* of that run */
} file;

static file good;

/* Into the same file: a new one each time would be written to the disk each time. */
static void write_bytes(const char *bytes, size_t size)
{
    CHECK(pwrite(good.fd, bytes, size, 0) == (ssize_t)size);
    CHECK(ftruncate(good.fd, (off_t)size) == 0);
}

/* A state of CG, so that it has all parts, with a right-hand side. */
static void open_good(void)
{
    static const char text[] = "equation poisson2d solver cg n 9 ny 5 until 0";
    char rhs[64];
    snprintf(rhs, sizeof rhs, "%s", new_file(".npy"));
    write_array(rhs, 9, 5, 1 / 3.0);
    good.path = new_file(".ckpt");
    good.run = open_with_rhs(text, rhs);
    step_run(good.run, 3);
    save(good.run, good.path);
    step_run(good.run, 1);
    good.field = ss_field_download(good.run);
    good.fd = open(good.path, O_RDWR);
    CHECK(good.fd >= 0);
    ssize_t n = read(good.fd, good.bytes, sizeof good.bytes);
    CHECK(n > 0 && n < MOST);
    good.size = (size_t)n;
    memcpy(good.damaged, good.bytes, good.size);
    remove(rhs);
}

static void close_good(void)
{
    ss_err err = {0};
    char *now = ss_field_download(good.run);
    CHECK_MSG(memcmp(now, good.field, ss_field_bytes(good.run)) == 0, "a bad file changed the run");
    CHECK_INT(good.run->cycle, 4);
    write_bytes(good.bytes, good.size);
    CHECK_MSG(ss_run_load(good.run, good.path, &err) == SS_OK, "the whole one: %s", err.text);
    ss_run_close(good.run);
    free(now);
    free(good.field);
    close(good.fd);
    remove(good.path);
}

/* The first `size` bytes of good.damaged, which are then good ones again. */
static void check_refused(size_t size, const char *what, size_t where)
{
    ss_err err = {0};
    write_bytes(good.damaged, size);
    CHECK_MSG(ss_run_load(good.run, good.path, &err) != SS_OK, "%s %zu is taken", what, where);
    CHECK_MSG(err.text[0], "%s %zu: no reason", what, where);
    memcpy(good.damaged, good.bytes, good.size);
}

TEST(state, every_bit_counts)
{
    open_good();
    for (size_t i = 0; i < good.size; i++) {
        good.damaged[i] = (char)(good.damaged[i] ^ 1 << i % 8);
        check_refused(good.size, "a changed bit of byte", i);
    }
    for (size_t i = 0; i < 2000; i++) {
        size_t at = (size_t)(ss_random_unit(11, i) * (double)good.size);
        int bit = (int)(ss_random_unit(12, i) * 8);
        good.damaged[at] = (char)(good.damaged[at] ^ 1 << bit);
        check_refused(good.size, "a changed bit of byte", at);
    }
    close_good();
}

TEST(state, a_state_without_its_end_is_refused)
{
    open_good();
    for (size_t size = 0; size < good.size; size++)
        check_refused(size, "a state cut off at", size);
    for (size_t from = 0; from < good.size; from += 64) { /* the disk lost its last pages */
        memset(good.damaged + from, 0, good.size - from);
        check_refused(good.size, "zeros from", from);
    }
    memset(good.damaged + 128, 0, 9 * 5 * 8);
    check_refused(good.size, "zeros instead of the array, from", 128);
    good.damaged[good.size] = '\n';
    check_refused(good.size + 1, "a byte behind byte", good.size);
    close_good();
}

/* Replaces a text of the line, and gives the file the right checksum. Returns its size. */
static size_t forge(const char *old, const char *new)
{
    enum { SEAL = 23 };
    char *at = memmem(good.damaged, good.size, old, strlen(old));
    CHECK_MSG(at, "no %s in the line", old);
    size_t rest = good.size - (size_t)(at - good.damaged) - strlen(old);
    memmove(at + strlen(new), at + strlen(old), rest);
    memcpy(at, new, strlen(new));
    size_t size = good.size + strlen(new) - strlen(old);
    snprintf(good.damaged + size - SEAL, SEAL + 1, "crc64 %016llx\n",
             (unsigned long long)ss_crc64(0, good.damaged, size - SEAL));
    return size;
}

TEST(state, a_forged_line_is_refused)
{
    static const char *const changes[][2] = {
        {"\"cycle\":3", "\"cycle\":9223372036854775807"},
        {"\"cycle\":3", "\"cycle\":1000000000000001"},
        {"\"cycle\":3", "\"cycle\":-1"},
        {"\"cycle\":3", "\"cycle\":3.5"},
        {"\"cycle\":3", "\"cycle\":3,\"cycle\":4"},
        {"\"step\":3", "\"step\":9223372036854775807"},
        {"\"since_step\":0", "\"since_step\":4"},
        {"\"residual0\":", "\"residual0\":-"},
        {"\"residual0\":", "\"residual1\":"},
        {"\"updates\":", "\"updates\":1e999,\"u\":"},
        {"\"monitors0\":[", "\"monitors0\":[1,"},
        {"\"painted\":false", "\"painted\":0"},
        {"\"problem\":", "\"Problem\":"},
        {"\"memory_bytes\":", "\"memory_bytes\":1"},
        {"\"memory_bytes\":", "\"memory_bytes\":-"},
        {"\"rhs_bytes\":", "\"rhs_bytes\":9"},
        {"{\"stencilscope\"", "[\"stencilscope\""},
    };
    open_good();
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        check_refused(forge(changes[i][0], changes[i][1]), changes[i][1], i);
    close_good();
}

/* States of older versions end with their line. */
TEST(state, a_line_without_a_checksum_is_refused)
{
    static const char *const tails[] = {
        "{", "{}", "{\"problem\":3}",
        "{\"stencilscope\":\"state\",\"problem\":\"equation=poisson2d precision=f64 seed=1 n=9 "
        "ny=5 aspect=1 problem=paper\",\"cycle\":7,\"iteration\":7}"};
    const char *path = new_file(".npy");
    ss_run *run = open_run("equation poisson2d solver jacobi n 9 ny 5");
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        ss_err err = {0};
        save(run, path);
        FILE *f = fopen(path, "ab");
        CHECK(f && fputs(tails[i], f) >= 0 && fclose(f) == 0);
        CHECK_MSG(ss_run_load(run, path, &err) != SS_OK, "%s", tails[i]);
        CHECK_MSG(strstr(err.text, "save it again") && err.outside, "%s", err.text);
    }
    ss_run_close(run);
    remove(path);
}

/* The check value of the algorithm's catalogue entry, in one piece and in two. */
TEST(state, the_checksum_is_the_one_of_xz)
{
    CHECK(ss_crc64(0, "123456789", 9) == 0x995dc9bbdf1939faU);
    CHECK(ss_crc64(ss_crc64(0, "1234", 4), "56789", 5) == 0x995dc9bbdf1939faU);
}

TEST(state, cycles_of_an_edited_kernel_are_remembered)
{
    const char *path = new_file(".ckpt");
    ss_config cfg;
    set_config(&cfg, "equation poisson2d solver jacobi n 16 until 0");
    ss_run *run = open_config(&cfg, NULL);
    advance(run, 2);
    run->edited = (ss_edited){0xf12a9c01ab120001, SS_BITS_DIFFER};
    save(run, path);
    ss_run *next = continue_alone(path);
    CHECK(next->edited.hash == run->edited.hash);
    CHECK_INT(next->edited.bits, SS_BITS_DIFFER);
    ss_run_close(next);
    ss_err err;
    CHECK_INT(ss_run_reset(run, &err), SS_OK);
    CHECK(run->edited.hash == 0 && run->edited.bits == SS_BITS_UNKNOWN);
    ss_run_close(run);
    unlink(path);
}
