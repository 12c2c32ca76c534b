/* What a shared link may do, what it is refused, and what the page makes of each preset. */
#include "src/app/cli.h"

#include "tests/engines.h"
#include "ui/panels/screen.h"

static int expand(const char *link, int *argc, char ***argv, ss_err *err)
{
    static char *words[6];
    char *const given[] = {"stencilscope", "--ui", "none", "--link", (char *)link, NULL};
    ss_tables_init();
    memcpy(words, given, sizeof given);
    *argc = 5;
    *argv = words;
    return ss_link_expand(argc, argv, err);
}

TEST(link, its_words_take_its_place)
{
    int argc;
    char **argv;
    ss_err err = {0};
    CHECK_MSG(expand("stencilscope poisson2d shared --n 200 -e 'set k 4' -e 'mark '\\''a'\\'''",
                     &argc, &argv, &err) == SS_OK,
              "%s", err.text);
    static const char *const want[] = {"stencilscope", "--ui", "none",    "poisson2d",
                                       "shared",       "--n",  "200",     "-e",
                                       "set k 4",      "-e",   "mark 'a'"};
    CHECK_INT(argc, (int)(sizeof want / sizeof *want));
    for (int i = 0; i < argc; i++)
        CHECK_MSG(strcmp(argv[i], want[i]) == 0, "%d: %s", i, argv[i]);
    CHECK(argv[argc] == NULL);
}

TEST(link, a_command_line_without_one_stays)
{
    char *words[] = {"stencilscope", "poisson2d", "--", "--link", NULL}, **argv = words;
    int argc = 4;
    ss_err err;
    CHECK(ss_link_expand(&argc, &argv, &err) == SS_OK && argv == words && argc == 4);
}

TEST(link, whatever_reads_writes_or_starts_something_is_refused)
{
    static const struct {
        const char *link, *says;
    } cases[] = {
        {"poisson2d --save=x.npy", "--save"},
        {"poisson2d --save x.npy", "--save"},
        {"poisson2d --record x.cast", "--record"},
        {"poisson2d --rhs x.npy", "--rhs"},
        {"poisson2d --load x.npy", "--load"},
        {"poisson2d --run x.run", "--run"},
        {"poisson2d --json -", "--json"},
        {"poisson2d --ui tui", "--ui"},
        {"poisson2d --hosts a", "--hosts"},
        {"poisson2d --launcher rm", "--launcher"},
        {"poisson2d --link poisson2d", "--link"},
        {"poisson2d -e 'kernel edit'", "kernel edit"},
        {"poisson2d --e 'save x'", "--e"},
        {"poisson2d -esave", "-esave"},
        {"poisson2d -- --save", "--"},
        {"poisson2d -e 'save x.npy'", "save x.npy"},
        {"poisson2d -e 'load x.npy'", "load x.npy"},
        {"poisson2d -e 'play x.run'", "play x.run"},
        {"poisson2d -e 'record x.cast'", "record x.cast"},
        {"poisson2d -e 'copy'", "copy"},
        {"poisson2d -e 'export data x.csv'", "export data x.csv"},
        {"poisson2d -e 'bind q quit'", "bind q quit"},
        {"poisson2d -e 'frobnicate'", "frobnicate"},
        {"poisson2d -e", "without its value"},
        {"poisson2d --n", "without its value"},
        {"lesson 5", "not 'lesson'"},
        {"stencilscope bench", "not 'bench'"},
        {"-e 'step 3' lesson 5", "not 'lesson'"},
        {"--pin bench", "not 'bench'"},
        {"poisson2d -e 'step 3", "within quotes"},
        {"", "empty"},
        {"stencilscope   ", "empty"},
        {"poisson2d\n--n 3", "control character"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int argc;
        char **argv;
        ss_err err = {0};
        CHECK_MSG(expand(cases[i].link, &argc, &argv, &err) != SS_OK, "%s", cases[i].link);
        CHECK_MSG(strstr(err.text, cases[i].says), "%s: %s", cases[i].link, err.text);
    }
}

TEST(link, a_long_one_is_refused)
{
    static char link[4000];
    int argc;
    char **argv;
    ss_err err = {0};
    memset(link, 'a', sizeof link - 1);
    CHECK(expand(link, &argc, &argv, &err) != SS_OK && strstr(err.text, "longer"));
    for (int i = 0; i < 1000; i++)
        link[2 * i] = 'a', link[2 * i + 1] = ' ';
    link[2000] = '\0';
    CHECK(expand(link, &argc, &argv, &err) != SS_OK && strstr(err.text, "words"));
}

/* --- presets ---------------------------------------------------------------------------------- */

/* A page without its canvas. */
typedef struct desk {
    ss_ui *ui;
    ss_engine *engine;
    const ss_snapshot *snap;
    uint64_t ticket; /* of the last command that the engine has */
} desk;

/* The screen's commands wait for earlier ones of the engine. */
static uint64_t carry_out(void *ctx, const ss_cmd *cmd, ss_err *err)
{
    desk *d = ctx;
    ss_cmd own = *cmd;
    for (int i = 0; i < cmd->argc; i++)
        own.arg[i] = own.text + (cmd->arg[i] - cmd->text);
    own.patient = true;
    if (cmd->row->side == SS_SIDE_ENGINE)
        return d->ticket = ss_engine_post(d->engine, &own, err);
    d->snap = engine_wait(d->engine, d->ticket);
    return ss_ui_command(d->ui, cmd, d->snap, err) == SS_OK;
}

static void show(desk *d)
{
    const ss_extent extent = {.cols = 120, .rows = 40, .dots_x = 1, .dots_y = 2, .links = true};
    ss_ui_scene(d->ui, d->snap, &extent, 0);
}

static void open_desk(desk *d, const ss_config *cfg)
{
    ss_err err = {0};
    ss_engine_setup setup = {.cfg = cfg, .interactive = true, .paused = true};
    *d = (desk){.engine = engine_start(&setup)};
    d->ui = ss_ui_new(carry_out, d, &err);
    CHECK_MSG(d->ui, "%s", err.text);
    d->snap = engine_wait(d->engine, 0);
    show(d);
}

static void close_desk(desk *d)
{
    ss_engine_free(d->engine);
    ss_ui_free(d->ui);
}

static void say(desk *d, const char *line)
{
    ss_cmd cmd;
    ss_err err = {0};
    CHECK_MSG(ss_cmd_parse(line, &cmd, &err) == SS_OK && carry_out(d, &cmd, &err) > 0, "%s: %s",
              line, err.text);
}

/* Has the run met its tolerance, or diverged, as two presets do on purpose? */
static bool has_ended(const ss_snapshot *s)
{
    return s->hold != SS_HOLD_NONE || s->status == SS_DIVERGED;
}

/* Waits for a cycle. Does the run go on there, or has it ended by itself? */
static bool is_live(desk *d, double cycle)
{
    const ss_snapshot *s = d->snap = engine_wait(d->engine, d->ticket);
    for (int i = 0; i < 10000 && s->telemetry.value[SS_T_CYCLE] < cycle && !has_ended(s); i++) {
        usleep(1000);
        s = d->snap = engine_wait(d->engine, d->ticket);
    }
    show(d);
    return has_ended(s) ||
           (s->telemetry.value[SS_T_CYCLE] >= cycle && !s->paused && s->status != SS_LIMIT);
}

/* The commands of a preset; its problem is smaller where it takes seconds. */
static void start_preset(desk *d, const char *commands)
{
    char text[400], *save = NULL;
    snprintf(text, sizeof text, "%s", commands);
    char *large = strstr(text, "n=4096");
    if (large)
        memcpy(large, "n= 512", 6), memmove(large + 2, large + 3, strlen(large + 2));
    for (char *at = strtok_r(text, ";", &save); at; at = strtok_r(NULL, ";", &save))
        say(d, at);
}

static void parse_link(const char *link, ss_cli *cli)
{
    int argc;
    char **argv;
    ss_err err = {0};
    memset(cli, 0, sizeof *cli);
    CHECK_MSG(expand(link, &argc, &argv, &err) == SS_OK &&
                  ss_cli_parse(argc, argv, cli, &err) == SS_OK &&
                  ss_config_check(&cli->cfg, NULL, &err) == SS_OK,
              "%s: %s", link, err.text);
}

static void link_of(const desk *d, char *buf, size_t size)
{
    const char *why = ss_ui_line_of(d->ui, d->snap, buf, size);
    CHECK_MSG(!why, "%s: %s", buf, why);
}

/* Everything but the number of cycles: parameters, view and speed. */
static char *without_steps(char *line)
{
    char *at = strstr(line, " -e 'step ");
    if (at)
        memmove(at, strchr(at + 5, '\'') + 1, strlen(strchr(at + 5, '\'')));
    return line;
}

static void check_preset(const ss_config *cfg, const char *commands)
{
    static ss_cli cli;
    char link[2048], again[2048];
    desk first, second;
    open_desk(&first, cfg);
    start_preset(&first, commands);
    CHECK_MSG(is_live(&first, 1), "%s", commands);
    link_of(&first, link, sizeof link);
    parse_link(link, &cli);
    open_desk(&second, &cli.cfg);
    for (int i = 0; i < cli.script.count; i++) {
        char line[SS_CMD_TEXT];
        say(&second, ss_cmd_format(cli.script.cmd[i], line, sizeof line));
    }
    CHECK_MSG(is_live(&second, first.snap->telemetry.value[SS_T_CYCLE] + 1),
              "it does not run on: %s", link);
    link_of(&second, again, sizeof again);
    CHECK_STR(without_steps(again), without_steps(link));
    CHECK(strstr(link, " -e 'run'"));
    ss_script_free(&cli.script);
    close_desk(&first);
    close_desk(&second);
}

/* The link of each preset while it runs is admitted, runs on when it is opened, and shows the same
 * layer and axis of a run with the same parameters at the same speed. */
TEST(link, that_of_every_preset_opens_and_runs_on)
{
    ss_config cfg = config("poisson2d", NULL, PAIRS("n", "20"));
    desk d;
    const char *commands;
    int n = 0;
    open_desk(&d, &cfg);
    for (; (commands = ss_ui_preset(d.ui, n)) != NULL; n++)
        check_preset(&cfg, commands);
    CHECK(n >= 18);
    close_desk(&d);
}

TEST(link, that_of_a_paused_run_stays_paused)
{
    ss_config cfg = config("poisson2d", NULL, PAIRS("n", "20"));
    char link[2048];
    desk d;
    open_desk(&d, &cfg);
    say(&d, "step 3");
    d.snap = engine_wait(d.engine, d.ticket);
    link_of(&d, link, sizeof link);
    CHECK_STR(link, "stencilscope poisson2d shared --n 20 -e 'step 3'");
    close_desk(&d);
}
