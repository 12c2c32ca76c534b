/* Limited terminals: unknown, dumb, without colour, without UTF-8. */
#include "tests/e2e/e2e.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define SMALL "poisson2d shared --n 64 "

/* Plain lines and the reason; no escape sequence is sent. */
static void falls_back(const char *env, const char *why)
{
    size_t size;
    term *t = term_open(120, 40, env, SMALL "--cycles 3");
    int status = term_exit(t, TERM_PATIENCE);
    const char *bytes = term_output(t, &size);
    CHECK_MSG(status == 0, "%s: exit status %d:\n%s", env, status, term_screen(t));
    CHECK_MSG(!memchr(bytes, '\033', size), "%s: an escape sequence:\n%s", env, term_screen(t));
    CHECK_MSG(strstr(term_screen(t), why), "%s: it does not say '%s':\n%s", env, why,
              term_screen(t));
    CHECK_MSG(strstr(term_screen(t), "3 cycles"), "%s: no result:\n%s", env, term_screen(t));
    CHECK_MSG(!term_damage(t), "%s: %s", env, term_damage(t));
    term_close(t);
}

TEST(fallback, unknown_terminal)
{
    falls_back("TERM=nonsense", "nonsense");
}

TEST(fallback, no_terminal_type)
{
    falls_back("TERM", "TERM");
    falls_back("TERM=", "TERM");
}

TEST(fallback, dumb_terminal)
{
    falls_back("TERM=dumb", "dumb");
}

/* Requested by name: an error, no fallback. */
TEST(fallback, full_screen_on_an_unknown_terminal_is_refused)
{
    term *t = term_open(120, 40, "TERM=nonsense", SMALL "--ui tui");
    int status = term_exit(t, TERM_PATIENCE);
    CHECK_MSG(status == 1, "exit status %d:\n%s", status, term_screen(t));
    CHECK_MSG(strstr(term_screen(t), "nonsense"), "it does not say why:\n%s", term_screen(t));
    CHECK_MSG(!term_damage(t), "%s", term_damage(t));
    term_close(t);
}

/* Names missing from the terminfo of old machines. */
TEST(fallback, known_terminals_work_even_without_terminfo)
{
    static const char *const names[] = {
        "TERM=xterm-kitty", "TERM=alacritty",     "TERM=tmux-256color",
        "TERM=foot",        "TERM=xterm-ghostty", "TERM=screen-256color",
        "TERM=xterm",       "TERM=linux",         "TERM=vt220"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        term *t = term_open(120, 40, names[i], SMALL "-e 'step 3'");
        CHECK_MSG(term_wait(t, "cycle 3", TERM_PATIENCE), "%s:\n%s", names[i], term_screen(t));
        SHOWS(t, "overlap");
        term_keys(t, "q");
        ENDS(t, 0);
        term_close(t);
    }
}

/* SGR parameters 30-49 and 90-107 are colours. 39 and 49, the defaults, are not. */
static bool is_coloured(const char *from, size_t n)
{
    for (size_t i = 0; i < n;) {
        int number = 0;
        while (i < n && isdigit((unsigned char)from[i]))
            number = 10 * number + from[i++] - '0';
        if (((number >= 30 && number <= 48) || (number >= 90 && number <= 107)) && number != 39)
            return true;
        i++;
    }
    return false;
}

static int colours(const term *t)
{
    size_t size;
    const char *bytes = term_output(t, &size);
    int count = 0;
    for (size_t i = 0; i + 1 < size; i++) {
        if (bytes[i] != '\033' || bytes[i + 1] != '[')
            continue;
        size_t end = i + 2;
        while (end < size && (bytes[end] < 0x40 || bytes[end] > 0x7e))
            end++;
        if (end < size && bytes[end] == 'm' && bytes[i + 2] != '?' && bytes[i + 2] != '>')
            count += is_coloured(bytes + i + 2, end - i - 2);
    }
    return count;
}

static int coloured(const char *env)
{
    term *t = term_open(120, 40, env, SMALL "-e 'step 3'");
    SHOWS(t, "cycle 3");
    term_keys(t, "lllt?");
    SHOWS(t, "one subiteration");
    term_keys(t, "q");
    LOSES(t, "one subiteration");
    term_keys(t, "q");
    ENDS(t, 0);
    int n = colours(t);
    term_close(t);
    return n;
}

TEST(fallback, no_color_is_obeyed)
{
    CHECK(coloured(NULL) > 0); /* the check sees colours where there are some */
    CHECK_INT(coloured("NO_COLOR=1"), 0);
    CHECK(coloured("NO_COLOR=") > 0); /* empty means not set: no-color.org */
    CHECK_INT(coloured("TERM=vt220"), 0);
}

/* Does it draw with colours by red, green and blue? */
static bool true_colours(const char *env)
{
    size_t size;
    term *t = term_open(120, 40, env, SMALL "-e 'step 3'");
    SHOWS(t, "cycle 3");
    term_keys(t, "q");
    ENDS(t, 0);
    const char *bytes = term_output(t, &size);
    bool found = memmem(bytes, size, "38;2;", 5) != NULL;
    term_close(t);
    return found;
}

TEST(fallback, true_colours_where_the_environment_has_them)
{
    CHECK(true_colours("COLORTERM=truecolor"));
    CHECK(!true_colours(NULL));
}

TEST(fallback, without_colour_the_field_is_still_seen)
{
    int ink = 0;
    term *t = term_open(120, 40, "NO_COLOR=1", SMALL "-e 'step 30' -e 'view layer residual'");
    SHOWS(t, "cycle 30");
    term_settle(t, 0.3, TERM_PATIENCE);
    for (int y = 4; y < 34; y++) {
        int blank = 1;
        for (const char *p = term_row(t, y) + 4; *p && strncmp(p, "│", 3) != 0; p++)
            blank = blank && *p == ' ';
        ink += !blank;
    }
    CHECK_MSG(ink > 15, "an empty picture:\n%s", term_screen(t));
    term_close(t);
}

TEST(fallback, without_utf8_only_ascii)
{
    static const char *const args[] = {SMALL "-e 'step 3' -e 'tick 2'", "poisson1d shared --n 99",
                                       ""};
    for (size_t a = 0; a < sizeof args / sizeof *args; a++) {
        size_t size;
        term *t = term_open(120, 40, "LANG=C", args[a]);
        SHOWS(t, "stencilscope");
        term_settle(t, 0.3, 2);
        term_keys(t, "lxKOb?");
        term_settle(t, 0.3, 2);
        term_keys(t, "\033");
        for (int i = 0; i < 40 && term_exit(t, 0.5) < 0; i++)
            term_keys(t, "q");
        ENDS(t, 0);
        const char *bytes = term_output(t, &size);
        for (size_t i = 0; i < size; i++) {
            unsigned char c = (unsigned char)bytes[i];
            CHECK_MSG(c < 0x80, "byte %#x at %zu after '%.40s'", (unsigned)c, i,
                      bytes + (i > 40 ? i - 40 : 0));
        }
        term_close(t);
    }
}

/* Input or output that is no terminal: see cli.sh. */
TEST(fallback, text_on_a_terminal)
{
    size_t size;
    term *t = term_open(80, 24, NULL, SMALL "--ui text --cycles 3");
    int status = term_exit(t, TERM_PATIENCE);
    CHECK_INT(status, 0);
    const char *bytes = term_output(t, &size);
    CHECK_MSG(!memchr(bytes, '\033', size), "an escape sequence:\n%s", term_screen(t));
    CHECK_MSG(!term_damage(t), "%s", term_damage(t));
    term_close(t);
}

TEST(fallback, errors_are_seen_after_the_end)
{
    term *t = term_open(120, 40, NULL, SMALL "--load nowhere.npy");
    int status = term_exit(t, TERM_PATIENCE);
    CHECK_MSG(status == 1, "exit status %d:\n%s", status, term_screen(t));
    CHECK_MSG(strstr(term_screen(t), "nowhere.npy"), "no sentence:\n%s", term_screen(t));
    CHECK_MSG(!term_damage(t), "%s", term_damage(t));
    term_close(t);
}
