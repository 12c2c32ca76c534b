/* The command line at the bottom of the screen: its keys, its commands, its completions. See
 * ui/view/entry.c. */
#include "tests/check.h"

#include <stdio.h>
#include <string.h>

#include "src/app/tables.h"
#include "src/core/registry.h"
#include "tests/ui/samples.h"
#include "ui/view/state.h"

typedef struct fixture {
    sample_log log;
    ss_ui *ui;
    ss_snapshot *snap;
} fixture;

static void open_fixture(fixture *d)
{
    ss_tables_init();
    *d = (fixture){.log = {.ticket = 0}};
    d->ui = ss_ui_new(sample_emit, &d->log, NULL);
    d->snap = sample_2d(SS_VALUE, 58, 58);
    CHECK(d->ui != NULL);
}

static void close_fixture(fixture *d)
{
    sample_free(d->snap);
    ss_ui_free(d->ui);
}

static void press_key(fixture *d, const char *key)
{
    ss_event ev = {.kind = SS_EV_KEY};
    snprintf(ev.key, sizeof ev.key, "%s", key);
    ss_ui_event(d->ui, &ev, NULL, d->snap);
}

/* One key per character, as from a keyboard. Returns the line. */
static const char *type(fixture *d, const char *text)
{
    char key[8];
    for (int n; *text; text += n) {
        n = ss_utf8_length(text, strlen(text));
        snprintf(key, sizeof key, "%.*s", n, text);
        press_key(d, *text == ' ' ? "space" : key);
    }
    return d->ui->prompt.line;
}

/* Keys that are commands elsewhere are letters here, and enter sends the line as it is. */
TEST(prompt, typed_text_is_run_as_a_command)
{
    fixture d;
    open_fixture(&d);
    press_key(&d, ":");
    CHECK_STR(type(&d, "set  k 16 # q?"), "set  k 16 # q?");
    CHECK_INT(d.log.count, 0);
    press_key(&d, "enter");
    CHECK_STR(d.log.last, "set k 16");
    CHECK(!d.ui->prompt.on);
    press_key(&d, "space");
    CHECK_STR(d.log.last, "toggle");
    press_key(&d, ":");
    type(&d, "   ");
    press_key(&d, "enter");
    CHECK_INT(d.log.count, 2); /* no command was sent */
    close_fixture(&d);
}

/* A file and a mark get the names that were typed, and backspace takes whole characters. */
TEST(prompt, characters_of_any_script_are_typed)
{
    fixture d;
    open_fixture(&d);
    press_key(&d, ":");
    CHECK_STR(type(&d, "mark Wärme 熱x"), "mark Wärme 熱x");
    press_key(&d, "backspace");
    press_key(&d, "backspace");
    CHECK_STR(d.ui->prompt.line, "mark Wärme ");
    press_key(&d, "esc");
    press_key(&d, ":");
    type(&d, "save Übung.npy");
    press_key(&d, "enter");
    CHECK_STR(d.log.last, "save Übung.npy");
    close_fixture(&d);
}

TEST(prompt, escape_leaves_the_prompt_without_a_command)
{
    static const char *const ways[] = {"esc", "C-c"};
    fixture d;
    open_fixture(&d);
    for (int i = 0; i < 2; i++) {
        press_key(&d, ":");
        type(&d, "run");
        press_key(&d, ways[i]);
        CHECK(!d.ui->prompt.on);
    }
    press_key(&d, ":");
    type(&d, "r");
    press_key(&d, "backspace");
    CHECK(d.ui->prompt.on);
    press_key(&d, "backspace");
    CHECK(!d.ui->prompt.on);
    CHECK_INT(d.log.count, 0);
    CHECK(!d.ui->quit);
    close_fixture(&d);
}

static void give(fixture *d, const char *line)
{
    press_key(d, ":");
    type(d, line);
    press_key(d, "enter");
}

TEST(prompt, earlier_lines_come_back)
{
    fixture d;
    char line[32];
    open_fixture(&d);
    give(&d, "reset");
    give(&d, "run");
    give(&d, "run"); /* once is enough */
    press_key(&d, ":");
    type(&d, "pa");
    press_key(&d, "up");
    CHECK_STR(d.ui->prompt.line, "run");
    press_key(&d, "up");
    press_key(&d, "up");
    CHECK_STR(d.ui->prompt.line, "reset");
    press_key(&d, "down");
    press_key(&d, "down");
    press_key(&d, "down");
    CHECK_STR(d.ui->prompt.line, "pa"); /* what was being typed */
    press_key(&d, "C-u");
    CHECK_STR(d.ui->prompt.line, "");
    press_key(&d, "esc");
    for (int i = 0; i <= SS_PROMPT_LINES; i++) {
        snprintf(line, sizeof line, "set k %d", i);
        give(&d, line);
    }
    press_key(&d, ":");
    for (int i = 0; i <= SS_PROMPT_LINES; i++)
        press_key(&d, "up");
    CHECK_STR(d.ui->prompt.line, "set k 1"); /* the oldest are dropped */
    close_fixture(&d);
}

TEST(prompt, tab_completes_names)
{
    static const struct {
        const char *typed, *becomes, *offers;
    } table[] = {{"pau", "pause ", ""},
                 {"re", "re", "reset  redo  rewind  redraw  record"},
                 {"set fau", "set fault ", ""},
                 {"set overl", "set overlap", "overlap  overlap-y"},
                 {"unset va", "unset variant ", ""}, /* of two solvers */
                 {"set solver block-g", "set solver block-gs ", ""},
                 {"open poisson", "open poisson", "poisson1d  poisson2d  poisson3d"},
                 {"open poisson2d jac", "open poisson2d jacobi ", ""},
                 {"set fps", "set fps", ""}, /* belongs to the program */
                 {"view pl", "view plane ", ""},
                 {"map re", "map relative ", ""},
                 {"lesson s", "lesson s", "solution  scroll"},
                 {"speed f", "speed f", "faster  full"},
                 {"prom", "prom", ""}, /* for keys only */
                 {"help s", "help s", ""},
                 {"pause now", "pause now", ""},
                 {"xyz", "xyz", ""}};
    fixture d;
    open_fixture(&d);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        press_key(&d, ":");
        type(&d, table[i].typed);
        press_key(&d, "tab");
        CHECK_STR(d.ui->prompt.line, table[i].becomes);
        CHECK_STR(d.ui->prompt.offer, table[i].offers);
        press_key(&d, "esc");
    }
    close_fixture(&d);
}

/* Choices are those of the shown run, not of the first one. */
TEST(prompt, tab_completes_values_that_fit_the_run)
{
    fixture d;
    ss_err err;
    open_fixture(&d);
    CHECK(ss_config_set(&d.snap->cfg, "equation", "euler1d", &err) == SS_OK);
    press_key(&d, ":");
    type(&d, "set problem s");
    press_key(&d, "tab");
    CHECK_STR(d.ui->prompt.line, "set problem sod ");
    close_fixture(&d);
}

/* Text that does not fit is cut, however long it is. */
TEST(prompt, a_line_is_limited_in_length)
{
    fixture d;
    open_fixture(&d);
    press_key(&d, ":");
    for (int i = 0; i < 2 * SS_PROMPT_MAX; i++)
        press_key(&d, i % 7 ? "x" : "space");
    press_key(&d, "tab");
    CHECK_INT(strlen(d.ui->prompt.line), SS_PROMPT_MAX - 1);
    press_key(&d, "enter");
    CHECK_STR(d.ui->message, "the command has more than 17 words");
    close_fixture(&d);
}
