/* The key table and what a terminal sends: see ui/scene/keys.h, ui/tui/input.h. */
#include "tests/check.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/app/tables.h"
#include "src/core/options.h"
#include "src/core/registry.h"
#include "tests/ui/samples.h"
#include "ui/tui/input.h"
#include "ui/scene/keys.h"

TEST(keys, no_key_is_bound_twice)
{
    for (const ss_key *a = ss_keys; a->key; a++) {
        CHECK_MSG(ss_key_valid(a->key), "%s is no key", a->key);
        for (const ss_key *b = a + 1; b->key; b++)
            CHECK_MSG(a->context != b->context || strcmp(a->key, b->key) != 0, "%s twice", a->key);
    }
}

/* No key of the table hides a parameter key. */
TEST(keys, no_other_key_takes_the_key_of_a_parameter)
{
    ss_tables_init();
    for (int i = 0; i < ss_param_count(); i++) {
        const ss_param *row = ss_param_row(i);
        if (!row->key || !(row->flags & SS_P_CONTROL))
            continue;
        char upper[2] = {(char)(row->key[0] - 'a' + 'A'), '\0'};
        CHECK_MSG(!ss_key_find(SS_K_MAIN, row->key), "%s of %s is taken", row->key, row->name);
        CHECK_MSG(!ss_key_find(SS_K_MAIN, upper), "%s of %s is taken", upper, row->name);
    }
}

/* While a lesson is open every other key keeps its meaning. */
TEST(keys, keys_of_a_lesson_page_are_not_used_elsewhere)
{
    ss_tables_init();
    for (const ss_key *k = ss_keys; k->key; k++) {
        if (k->context != SS_K_PAGE)
            continue;
        CHECK_MSG(!ss_key_find(SS_K_MAIN, k->key), "%s is another key's", k->key);
        for (int i = 0; i < ss_param_count(); i++) {
            const char *own = ss_param_row(i)->key;
            CHECK_MSG(!own || (own[0] | 32) != (k->key[0] | 32) || k->key[1], "%s is that of %s",
                      k->key, ss_param_row(i)->name);
        }
    }
}

/* Every command of the table is one the program knows. */
TEST(keys, every_key_is_bound_to_a_command_that_exists)
{
    for (const ss_key *k = ss_keys; k->key; k++) {
        ss_cmd cmd;
        ss_err err;
        CHECK_MSG(ss_cmd_parse(k->command, &cmd, &err) == SS_OK && cmd.verb, "%s: %s", k->key,
                  k->command);
        /* The list has 60 characters for it on a screen of 80 columns. */
        CHECK_MSG(!k->help || (*ss_key_help(k) && strlen(ss_key_help(k)) <= 60), "%s: %s", k->key,
                  ss_key_help(k));
    }
}

static const char *decode(const char *bytes)
{
    static ss_event ev;
    static char text[64];
    int n = (int)strlen(bytes), used = ss_input_decode(bytes, n, true, &ev);
    snprintf(text, sizeof text, "%s%s", ev.kind == SS_EV_KEY ? ev.key : "-", used == n ? "" : "+");
    return text;
}

TEST(keys, escape_sequences_become_keys)
{
    static const char *const table[][2] = {{"k", "k"},          {"K", "K"},
                                           {" ", "space"},      {"\t", "tab"},
                                           {"\r", "enter"},     {"\177", "backspace"},
                                           {"\014", "C-l"},     {"\032", "C-z"},
                                           {"\033", "esc"},     {"\033[A", "up"},
                                           {"\033OA", "up"},    {"\033[1;2D", "S-left"},
                                           {"\033[Z", "S-tab"}, {"\033[5~", "pgup"},
                                           {"\033[6~", "pgdn"}, {"\033[H", "home"},
                                           {"\033[4~", "end"},  {"\033OP", "F1"},
                                           {"\033[15~", "F5"},  {"\033[1;5C", "C-right"},
                                           {"\033[a", "S-up"},  {"\303\251", "-"},
                                           {"\033k", "esc+"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        CHECK_STR(decode(table[i][0]), table[i][1]);
}

TEST(keys, an_incomplete_sequence_waits_for_the_rest)
{
    ss_event ev;
    CHECK_INT(ss_input_decode("\033", 1, false, &ev), 0);
    CHECK_INT(ss_input_decode("\033[", 2, false, &ev), 0);
    CHECK_INT(ss_input_decode("\033[1;2", 5, false, &ev), 0);
    CHECK_INT(ss_input_decode("\033[<0;12", 7, false, &ev), 0);
}

TEST(keys, mouse_reports_become_events)
{
    ss_event ev;
    CHECK_INT(ss_input_decode("\033[<0;12;5M", 10, false, &ev), 10);
    CHECK_INT(ev.kind, SS_EV_PRESS);
    CHECK_NEAR(ev.x, 11.5, 0);
    CHECK_NEAR(ev.y, 4.5, 0);
    ss_input_decode("\033[<32;13;5M", 11, false, &ev);
    CHECK_INT(ev.kind, SS_EV_DRAG);
    ss_input_decode("\033[<0;13;5m", 10, false, &ev);
    CHECK_INT(ev.kind, SS_EV_RELEASE);
    ss_input_decode("\033[<65;240;70M", 13, false, &ev);
    CHECK_INT(ev.kind, SS_EV_WHEEL);
    CHECK_INT(ev.dy, -1);
    CHECK_NEAR(ev.x, 239.5, 0);
}

/* Any bytes: the parser always advances, never beyond the end. */
TEST(keys, random_bytes_never_overrun_the_decoder)
{
    char b[24];
    ss_event ev;
    for (uint64_t s = 0; s < 200000; s++) {
        int n = 1 + (int)(ss_random_unit(1, s) * 20);
        for (int i = 0; i < n; i++) {
            static const char often[] = "\033[<0;19mM~OA";
            uint64_t r = ss_random_u64(2, s * 32 + (uint64_t)i);
            b[i] = r & 1 ? often[(r >> 8) % 12] : (char)(r >> 16);
        }
        int used = ss_input_decode(b, n, true, &ev);
        CHECK(used > 0 && used <= n);
        used = ss_input_decode(b, n, false, &ev);
        CHECK(used >= 0 && used <= n);
    }
}
