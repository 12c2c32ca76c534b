/* What a page sends: reads its lines by a table of their words; hosts, origins and tokens. See
 * lines.h. */
#include "ui/web/lines.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "ui/scene/keys.h"

/* Words of a line: N a number, T a text, W and H a side, X and Y a place, B a button, S shift or
 * not, D up or down, P a page's name, A an answer. */
static const struct row {
    const char *name, *words;
    ss_web_kind kind;
    ss_event_kind event;
} rows[] = {
    {"hello", "VT", SS_WEB_HELLO, SS_EV_NONE},
    {"size", "NWH", SS_WEB_SIZE, SS_EV_RESIZE},
    {"key", "NK", SS_WEB_EVENT, SS_EV_KEY},
    {"press", "NXYBS", SS_WEB_EVENT, SS_EV_PRESS},
    {"drag", "NXYBS", SS_WEB_EVENT, SS_EV_DRAG},
    {"release", "NXYBS", SS_WEB_EVENT, SS_EV_RELEASE},
    {"move", "NXYBS", SS_WEB_EVENT, SS_EV_MOVE},
    {"hover", "NXYBS", SS_WEB_EVENT, SS_EV_HOVER},
    {"wheel", "NXYDS", SS_WEB_EVENT, SS_EV_WHEEL},
    {"answer", "NPA", SS_WEB_ANSWER, SS_EV_NONE},
    {"shown", "N", SS_WEB_SHOWN, SS_EV_NONE},
    {"again", "", SS_WEB_AGAIN, SS_EV_NONE},
    {"alive", "", SS_WEB_ALIVE, SS_EV_NONE},
};
enum { NROW = sizeof rows / sizeof *rows, FINGER = 3 };

#define PLACE "0123456789.-"

/* A whole decimal number in [lo, hi]. */
static bool whole(const char *word, int64_t lo, int64_t hi, int64_t *v)
{
    char *end;
    if (!isdigit((unsigned char)*word) && *word != '-')
        return false;
    *v = strtoll(word, &end, 10);
    return !*end && *v >= lo && *v <= hi;
}

/* A decimal number of those characters, smaller than `most` in magnitude. */
static bool real(const char *word, const char *characters, double most, double *v)
{
    char *end;
    if (word[strspn(word, characters)])
        return false;
    *v = strtod(word, &end);
    return end > word && !*end && isfinite(*v) && fabs(*v) < most;
}

/* Visible ASCII. */
static bool text(const char *word, char *to, size_t size)
{
    size_t n = strlen(word);
    for (size_t i = 0; i < n; i++)
        if (word[i] < '!' || word[i] > '~')
            return false;
    return n > 0 && snprintf(to, size, "%s", word) < (int)size;
}

/* The program's names of keys that a browser calls otherwise. */
static const struct {
    const char *browser, *name;
} keys[] = {{"ArrowLeft", "left"}, {"ArrowRight", "right"}, {"ArrowUp", "up"},
            {"ArrowDown", "down"}, {"Home", "home"},        {"End", "end"},
            {"PageUp", "pgup"},    {"PageDown", "pgdn"},    {"Tab", "tab"},
            {"Enter", "enter"},    {"Escape", "esc"},       {"Backspace", "backspace"},
            {"Delete", "delete"},  {"Insert", "insert"}};

static bool take_prefix(const char **name, const char *prefix)
{
    bool has = strncmp(*name, prefix, 2) == 0 && (*name)[2];
    *name += has ? 2 : 0;
    return has;
}

static const char *program_name(const char *browser)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(browser, keys[i].browser) == 0)
            return keys[i].name;
    return browser;
}

/* Browsers have many keys: one that is none of the program's does nothing. Shift is told only of
 * keys that type no character. */
static bool key(const char *word, ss_event *out)
{
    char whole[SS_WEB_NAME], name[SS_WEB_NAME + 2];
    bool fits = snprintf(whole, sizeof whole, "%s", word) < (int)sizeof whole;
    if (!*word || !fits || strcmp(ss_text_safe(whole), word) != 0)
        return false;
    const char *rest = whole;
    bool control = take_prefix(&rest, "C-"), shift = take_prefix(&rest, "S-");
    const char *base = program_name(rest);
    snprintf(name, sizeof name, "%s%s", control ? "C-" : shift ? "S-" : "", base);
    if (control && !base[1])
        name[2] = (char)tolower((unsigned char)name[2]);
    if (!control && !ss_key_valid(name))
        snprintf(name, sizeof name, "%s", base);
    snprintf(out->key, sizeof out->key, "%.15s", name);
    if (!ss_key_valid(out->key))
        out->kind = SS_EV_NONE;
    return true;
}

static bool take(char kind, const char *word, ss_web_line *out)
{
    int64_t v = 0;
    bool good;
    switch (kind) {
    case 'N':
        good = whole(word, 0, UINT32_MAX, &v);
        out->number = (uint32_t)v;
        return good;
    case 'V':
        good = whole(word, 0, 1000, &v);
        out->version = (int)v;
        return good;
    case 'T':
        return text(word, out->token, sizeof out->token);
    case 'K':
        return key(word, &out->event);
    case 'W':
    case 'H':
        good = whole(word, SS_WEB_LEAST, SS_WEB_MOST, &v);
        *(kind == 'W' ? &out->w : &out->h) = (int)v;
        return good;
    case 'X':
        return real(word, PLACE, 1e5, &out->event.x);
    case 'Y':
        return real(word, PLACE, 1e5, &out->event.y);
    case 'P':
        good = whole(word, 1, UINT32_MAX, &v);
        out->page = (uint32_t)v;
        return good;
    case 'A':
        return real(word, PLACE "eE+", 1e15, &out->value);
    case 'B':
        good = whole(word, 0, FINGER, &v);
        out->event.finger = v == FINGER;
        out->event.button = v == FINGER ? 0 : (int)v;
        return good;
    case 'D':
        good = whole(word, -1, 1, &v) && v != 0;
        out->event.dy = (int)v;
        return good;
    default: /* S */
        good = whole(word, 0, 1, &v);
        out->event.shift = v == 1;
        return good;
    }
}

/* The next word of a line, which ends at a blank or the end; NULL: there is none. */
static char *next_word(char **rest)
{
    char *word = *rest, *blank = word ? strchr(word, ' ') : NULL;
    if (blank)
        *blank = '\0';
    *rest = blank ? blank + 1 : NULL;
    return word;
}

static const struct row *row_of(const char *name)
{
    for (int i = 0; i < NROW; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

int ss_web_parse(const char *data, size_t n, ss_web_line *out, ss_err *err)
{
    char line[SS_WEB_LINE], *rest = line;
    *out = (ss_web_line){.kind = SS_WEB_ALIVE};
    if (n >= sizeof line || memchr(data, '\0', n))
        return ss_fail(err, "a line of a page has up to %d characters", SS_WEB_LINE - 1);
    memcpy(line, data, n);
    line[n] = '\0';
    const char *name = next_word(&rest);
    const struct row *r = row_of(name);
    if (!r)
        return ss_fail(err, "a page sent an unknown line");
    out->kind = r->kind;
    out->event.kind = r->event;
    for (int i = 0; r->words[i]; i++) {
        const char *word = next_word(&rest);
        if (!word || !take(r->words[i], word, out))
            return ss_fail(err, "a page sent a line '%s' whose word %d is missing or not allowed",
                           r->name, i + 2);
    }
    return rest ? ss_fail(err, "a page sent a line '%s' with more words than it has", r->name)
                : SS_OK;
}

/* --- who may connect -------------------------------------------------------------------------- */

/* The host without its port, which is empty or a colon and digits. 0: it is not of that form. */
static size_t name_length(const char *host)
{
    const char *end = *host == '[' ? strchr(host, ']') : NULL;
    size_t n = *host == '[' ? end ? (size_t)(end - host) + 1 : 0 : strcspn(host, ":");
    const char *port = host + n;
    if (n > 0 && *port == ':')
        for (port++; isdigit((unsigned char)*port); port++)
            ;
    return *port ? 0 : n;
}

static bool is_number(const char *host, size_t n)
{
    static const char v4[] = "0123456789.", v6[] = "0123456789abcdefABCDEF:.";
    bool six = *host == '[';
    for (size_t i = six ? 1 : 0; i < n - (six ? 1 : 0); i++)
        if (!strchr(six ? v6 : v4, host[i]))
            return false;
    return true;
}

bool ss_web_host_allowed(const char *host)
{
    size_t n = host ? name_length(host) : 0;
    return n > 0 && ((n == 9 && strncasecmp(host, "localhost", n) == 0) || is_number(host, n));
}

bool ss_web_origin_allowed(const char *origin, const char *host)
{
    static const char *const schemes[] = {"http://", "https://"};
    if (!origin || !*origin)
        return true;
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        size_t n = strlen(schemes[i]);
        if (strncasecmp(origin, schemes[i], n) == 0)
            return host && strcasecmp(origin + n, host) == 0;
    }
    return false;
}

bool ss_web_token_equal(const char *given, const char *token)
{
    size_t n = strlen(token);
    unsigned differs = strlen(given) != n;
    for (size_t i = 0; i < n; i++)
        differs |= (unsigned)(given[differs ? 0 : i] ^ token[i]);
    return differs == 0;
}
