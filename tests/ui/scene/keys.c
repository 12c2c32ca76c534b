/* The key table and what a terminal sends: see ui/scene/keys.h, ui/tui/parts.h. */
#include "tests/check.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/app/tables.h"
#include "src/core/registry.h"
#include "tests/ui/samples.h"
#include "ui/tui/parts.h"
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

/* --- the decoder of terminal input ------------------------------------------------------------ */

static void name_event(const ss_event *ev, char *to, size_t size)
{
    size_t n = strlen(to);
    const char *gap = n ? " " : "";
    if (ev->kind == SS_EV_KEY)
        snprintf(to + n, size - n, "%s%s", gap, ev->key);
    else
        snprintf(to + n, size - n, "%s#%d", gap, (int)ev->kind);
}

/* The events of bytes whose second part, from byte `split` on, comes `gap` seconds later. */
static const char *decode(const char *bytes, int split, double gap)
{
    static char text[256];
    ss_input in = {.n = 0};
    ss_event ev;
    int n = (int)strlen(bytes);
    *text = '\0';
    ss_input_add(&in, bytes, split, 100);
    while (ss_input_next(&in, 100, &ev) || ss_input_next(&in, 100 + gap, &ev))
        name_event(&ev, text, sizeof text);
    ss_input_add(&in, bytes + split, n - split, 100 + gap);
    for (double now = 100 + gap; now < 110; now += 0.25)
        while (ss_input_next(&in, now, &ev))
            name_event(&ev, text, sizeof text);
    CHECK(in.n == 0 && !in.string && ss_input_due(&in) <= 0);
    return text;
}

/* What terminals send for keys, and what they answer. */
static const struct {
    const char *bytes, *events;
} sent[] = {{"k", "k"},
            {"K", "K"},
            {" ", "space"},
            {"\t", "tab"},
            {"\r", "enter"},
            {"\177", "backspace"},
            {"\014", "C-l"},
            {"\032", "C-z"},
            {"\033", "esc"},
            {"\033[A", "up"},
            {"\033OA", "up"},
            {"\033[1;2D", "S-left"},
            {"\033[Z", "S-tab"},
            {"\033[5~", "pgup"},
            {"\033[6~", "pgdn"},
            {"\033[H", "home"},
            {"\033[4~", "end"},
            {"\033OP", "F1"},
            {"\033[15~", "F5"},
            {"\033[[B", "F2"},
            {"\033[1;5C", "C-right"},
            {"\033[a", "S-up"},
            {"\303\251", "\303\251"},
            {"\302\265", "\302\265"},
            {"\350\252\236", "\350\252\236"},
            {"\360\237\231\202", "\360\237\231\202"},
            {"\302\233", ""},
            {"\033[?64;1;2;6;9;15;16;17;18;21;22;28;29c", ""},
            {"\033[24;80R", ""},
            {"\033[1;80R", ""},
            {"\033[?2026;2$y", ""},
            {"\033]11;rgb:1e1e/1e1e/1e1e\007", ""},
            {"\033]11;rgb:1e1e/1e1e/1e1e\033\\", ""},
            {"\033P>|term 1.0\033\\", ""},
            {"\033P1$r0m\033\\", ""},
            {"\033Xstart\033\\", ""},
            {"\033^private\033\\", ""},
            {"\033_Gi=1;OK\033\\", ""}};

TEST(keys, sequences_in_one_piece_become_keys_and_answers_nothing)
{
    for (size_t i = 0; i < sizeof sent / sizeof *sent; i++)
        CHECK_STR(decode(sent[i].bytes, (int)strlen(sent[i].bytes), 0), sent[i].events);
    CHECK_STR(decode("\033k", 2, 0), "esc k");
}

/* Soon enough for its Escape, or at any other place also later. */
TEST(keys, sequences_in_two_pieces_are_the_same)
{
    for (size_t i = 0; i < sizeof sent / sizeof *sent; i++)
        for (int split = 1; split < (int)strlen(sent[i].bytes); split++) {
            CHECK_STR(decode(sent[i].bytes, split, 0.01), sent[i].events);
            if (split > 1 || sent[i].bytes[0] != '\033')
                CHECK_STR(decode(sent[i].bytes, split, 0.3), sent[i].events);
        }
}

TEST(keys, the_late_rest_of_an_escape_is_no_key)
{
    CHECK_STR(decode("\033[B", 1, 0.05), "esc down");
    CHECK_STR(decode("\033OB", 1, 0.4), "esc down");
    CHECK_STR(decode("\033[1;5C", 1, 0.2), "esc C-right");
    CHECK_STR(decode("\033]11;rgb:1e1e/1e1e/1e1e\007", 1, 0.2), "esc");
    CHECK_STR(decode("\033k", 1, 0.05), "esc k");
    CHECK_STR(decode("\033[", 1, 0.3), "esc [");    /* typed */
    CHECK_STR(decode("\033O", 1, 0.3), "esc O");    /* typed */
    CHECK_STR(decode("\033[B", 1, 0.6), "esc [ B"); /* nobody's rest */
    CHECK_STR(decode("\033P", 2, 0), "esc P");      /* alt-P */
}

TEST(keys, a_string_without_an_end_does_not_swallow_keys_for_ever)
{
    char many[SS_INPUT_MAX] = "";
    ss_input in = {.n = 0};
    ss_event ev;
    memset(many, 'q', sizeof many - 1);
    CHECK_STR(decode("\033]11;rgb:qqqq", 6, 0.2), "");
    CHECK_STR(decode("\033]11;rgbk", 8, 1.2), "k");      /* after a silence */
    CHECK_STR(decode("\033]11;\003k", 4, 0.1), "C-c k"); /* that is in no string */
    CHECK_STR(decode("\033]11;\033[Ak", 4, 0.1), "up k");
    ss_input_add(&in, "\033]52;", 5, 100);
    for (int i = 0; i < 100; i++) { /* longer than the buffer */
        CHECK(!ss_input_next(&in, 100, &ev) && in.n == 0);
        ss_input_add(&in, many, SS_INPUT_MAX - 1, 100);
    }
    for (double now = 100; now < 105.5; now += 0.1) { /* a key that is held */
        ss_input_add(&in, "j", 1, now);
        bool any = ss_input_next(&in, now, &ev);
        CHECK(any ? now > 104.9 : now < 105.2);
    }
}

/* A byte that is no character types nothing and says so; what follows is read. */
TEST(keys, bytes_that_are_not_utf8_are_told)
{
    char said[8];
    snprintf(said, sizeof said, "#%d", (int)SS_EV_NOTICE);
    static const char *const bad[] = {"\374", "\303", "\350\252", "\355\240\200"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char line[16];
        snprintf(line, sizeof line, "%sk", bad[i]);
        CHECK_MSG(strstr(decode(line, (int)strlen(line), 0), said) == decode(line, 1, 0),
                  "bytes %zu: %s", i, decode(line, 1, 0));
        CHECK_INT(decode(line, 1, 0)[strlen(decode(line, 1, 0)) - 1], 'k');
    }
    CHECK_STR(decode("\303", 1, 0), said);
}

TEST(keys, an_incomplete_sequence_waits_for_the_rest)
{
    static const char *const parts[] = {"\033", "\033[", "\033[1;2", "\033[<0;12", "\303"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        ss_input in = {.n = 0};
        ss_event ev;
        ss_input_add(&in, parts[i], (int)strlen(parts[i]), 100);
        CHECK(!ss_input_next(&in, 100, &ev));
        CHECK_NEAR(ss_input_due(&in), i ? 100.5 : 100.03, 1e-9);
    }
}

static ss_event mouse_event(const char *bytes)
{
    ss_input in = {.n = 0};
    ss_event ev;
    ss_input_add(&in, bytes, (int)strlen(bytes), 100);
    CHECK(ss_input_next(&in, 100, &ev) && in.n == 0);
    return ev;
}

TEST(keys, mouse_reports_become_events)
{
    ss_event ev = mouse_event("\033[<0;12;5M");
    CHECK_INT(ev.kind, SS_EV_PRESS);
    CHECK_NEAR(ev.x, 11.5, 0);
    CHECK_NEAR(ev.y, 4.5, 0);
    CHECK_INT(mouse_event("\033[<32;13;5M").kind, SS_EV_DRAG);
    CHECK_INT(mouse_event("\033[<0;13;5m").kind, SS_EV_RELEASE);
    ev = mouse_event("\033[<65;240;70M");
    CHECK_INT(ev.kind, SS_EV_WHEEL);
    CHECK_INT(ev.dy, -1);
    CHECK_NEAR(ev.x, 239.5, 0);
}

/* --- typing ----------------------------------------------------------------------------------- */

TEST(keys, characters_are_typed_and_erased_whole)
{
    char text[12] = "";
    static const char *const typed[] = {"a", "space", "Ü", "語", "e", "\314\201"};
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++)
        CHECK(ss_key_type(typed[i], text, sizeof text));
    CHECK_STR(text, "a Ü語e\314\201");
    CHECK(ss_key_type("語", text, sizeof text)); /* no room: not half of it */
    CHECK_STR(text, "a Ü語e\314\201");
    static const char *const left[] = {"a Ü語", "a Ü", "a ", "a", "", ""};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) { /* a mark goes with its letter */
        CHECK(ss_key_type("backspace", text, sizeof text));
        CHECK_STR(text, left[i]);
    }
    static const char *const others[] = {"enter", "up", "C-c", "F1", "\377", "\303", "\302\233"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        CHECK(!ss_key_type(others[i], text, sizeof text) && !*text);
}

TEST(keys, one_character_of_any_script_can_be_bound)
{
    CHECK(ss_key_valid("ü") && ss_key_valid("語") && ss_key_valid("k"));
    CHECK(!ss_key_valid("üü") && !ss_key_valid("\303") && !ss_key_valid("\302\233"));
}
