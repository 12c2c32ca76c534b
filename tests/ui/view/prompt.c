/* The command line at the bottom of the screen: its keys, its commands, its completions. See
 * ui/view/entry.c. */

#include <stdio.h>
#include <string.h>

#include "src/core/registry.h"
#define SCREEN_OPEN open_prompt
#include "tests/ui/fixture.h"

static void open_prompt(fixture *d)
{
    open_screen(d, sample_2d(SS_VALUE, 58, 58), 120, 40);
    d->scene = NULL;
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
SCREEN_TEST(prompt, typed_text_is_run_as_a_command)
{
    press_key(d, ":");
    CHECK_STR(type(d, "set  k 16 # q?"), "set  k 16 # q?");
    CHECK_INT(d->log.count, 0);
    press_key(d, "enter");
    CHECK_STR(d->log.last, "set k 16");
    CHECK(!d->ui->prompt.on);
    press_key(d, "space");
    CHECK_STR(d->log.last, "toggle");
    press_key(d, ":");
    type(d, "   ");
    press_key(d, "enter");
    CHECK_INT(d->log.count, 2); /* no command was sent */
}

/* A file and a mark get the names that were typed, and backspace takes whole characters. */
SCREEN_TEST(prompt, characters_of_any_script_are_typed)
{
    press_key(d, ":");
    CHECK_STR(type(d, "mark Wärme 熱x"), "mark Wärme 熱x");
    press_key(d, "backspace");
    press_key(d, "backspace");
    CHECK_STR(d->ui->prompt.line, "mark Wärme ");
    press_key(d, "esc");
    press_key(d, ":");
    type(d, "save Übung.npy");
    press_key(d, "enter");
    CHECK_STR(d->log.last, "save Übung.npy");
}

SCREEN_TEST(prompt, escape_leaves_the_prompt_without_a_command)
{
    static const char *const ways[] = {"esc", "C-c"};
    for (int i = 0; i < 2; i++) {
        press_key(d, ":");
        type(d, "run");
        press_key(d, ways[i]);
        CHECK(!d->ui->prompt.on);
    }
    press_key(d, ":");
    type(d, "r");
    press_key(d, "backspace");
    CHECK(d->ui->prompt.on);
    press_key(d, "backspace");
    CHECK(!d->ui->prompt.on);
    CHECK_INT(d->log.count, 0);
    CHECK(!d->ui->quit);
}

static void give(fixture *d, const char *line)
{
    press_key(d, ":");
    type(d, line);
    press_key(d, "enter");
}

SCREEN_TEST(prompt, earlier_lines_come_back)
{
    char line[32];
    give(d, "reset");
    give(d, "run");
    give(d, "run"); /* once is enough */
    press_key(d, ":");
    type(d, "pa");
    press_key(d, "up");
    CHECK_STR(d->ui->prompt.line, "run");
    press_key(d, "up");
    press_key(d, "up");
    CHECK_STR(d->ui->prompt.line, "reset");
    press_key(d, "down");
    press_key(d, "down");
    press_key(d, "down");
    CHECK_STR(d->ui->prompt.line, "pa"); /* what was being typed */
    press_key(d, "C-u");
    CHECK_STR(d->ui->prompt.line, "");
    press_key(d, "esc");
    for (int i = 0; i <= SS_PROMPT_LINES; i++) {
        snprintf(line, sizeof line, "set k %d", i);
        give(d, line);
    }
    press_key(d, ":");
    for (int i = 0; i <= SS_PROMPT_LINES; i++)
        press_key(d, "up");
    CHECK_STR(d->ui->prompt.line, "set k 1"); /* the oldest are dropped */
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
    open_prompt(&d);
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
SCREEN_TEST(prompt, tab_completes_values_that_fit_the_run)
{
    ss_err err;
    CHECK(ss_config_set(&d->snap->cfg, "equation", "euler1d", &err) == SS_OK);
    press_key(d, ":");
    type(d, "set problem s");
    press_key(d, "tab");
    CHECK_STR(d->ui->prompt.line, "set problem sod ");
}

/* Text that does not fit is cut, however long it is. */
SCREEN_TEST(prompt, a_line_is_limited_in_length)
{
    press_key(d, ":");
    for (int i = 0; i < 2 * SS_PROMPT_MAX; i++)
        press_key(d, i % 7 ? "x" : "space");
    press_key(d, "tab");
    CHECK_INT(strlen(d->ui->prompt.line), SS_PROMPT_MAX - 1);
    press_key(d, "enter");
    CHECK_STR(d->ui->message, "the command has more than 17 words");
}
