/* Decoding of terminal input: see parts.h. */
#include "ui/tui/parts.h"

#include <stdio.h>
#include <string.h>

enum { BEL = 7, CAN = 0x18, SUB = 0x1a, ESC = 0x1b, DEL = 0x7f, CSI_MOST = 256 };

/* Seconds without a further byte: a lone Escape is the key after the first, any other sequence is
 * broken off after the second. The rest of an arrow key may come that late. */
static const double KEY_WAIT = 0.03, LATE = 0.5;
/* A control string ends after so long a silence, or after that time in all: its end may be lost. */
static const double STRING_SILENCE = 1, STRING_MOST = 5;

static int key(ss_event *ev, const char *name, int used)
{
    ev->kind = SS_EV_KEY;
    snprintf(ev->key, sizeof ev->key, "%s", name);
    return used;
}

/* --- control characters ----------------------------------------------------------------------- */

static int control(unsigned char c, ss_event *ev)
{
    char name[4] = {'C', '-', (char)(c + 'a' - 1), '\0'};
    if (c == '\t')
        return key(ev, "tab", 1);
    if (c == '\r' || c == '\n')
        return key(ev, "enter", 1);
    if (c == DEL || c == '\b')
        return key(ev, "backspace", 1);
    if (c == 0 || c > 26)
        return 1;
    return key(ev, name, 1);
}

/* --- CSI and SS3 sequences -------------------------------------------------------------------- */

static const char *const letters[][2] = {
    {"A", "up"},     {"B", "down"},  {"C", "right"}, {"D", "left"},   {"H", "home"},
    {"F", "end"},    {"Z", "S-tab"}, {"P", "F1"},    {"Q", "F2"},     {"R", "F3"},
    {"S", "F4"},     {"M", "enter"}, {"a", "S-up"},  {"b", "S-down"}, {"c", "S-right"},
    {"d", "S-left"}, {NULL, NULL}};

static const struct {
    int number;
    const char *name;
} numbers[] = {{1, "home"}, {2, "insert"}, {3, "delete"}, {4, "end"}, {5, "pgup"}, {6, "pgdn"},
               {7, "home"}, {8, "end"},    {11, "F1"},    {12, "F2"}, {13, "F3"},  {14, "F4"},
               {15, "F5"},  {17, "F6"},    {18, "F7"},    {19, "F8"}, {20, "F9"},  {21, "F10"},
               {23, "F11"}, {24, "F12"},   {0, NULL}};

static bool is_arrow(const char *name)
{
    static const char *const arrows[] = {"up", "down", "right", "left"};
    for (int i = 0; i < 4; i++)
        if (strcmp(name, arrows[i]) == 0)
            return true;
    return false;
}

static int named(const char *name, int modifier, int used, ss_event *ev)
{
    char text[16];
    int held = modifier > 1 ? modifier - 1 : 0; /* 1: shift, 4: ctrl */
    bool ctrl = held & 4 && is_arrow(name), shift = held & 1 && name[1] != '-';
    const char *prefix = ctrl ? "C-" : shift ? "S-" : "";
    snprintf(text, sizeof text, "%s%s", prefix, name);
    return key(ev, text, used);
}

static int letter_key(char c, int modifier, int used, ss_event *ev)
{
    for (int i = 0; letters[i][0]; i++)
        if (letters[i][0][0] == c)
            return named(letters[i][1], modifier, used, ev);
    return used;
}

static int number_key(int number, int modifier, int used, ss_event *ev)
{
    for (int i = 0; numbers[i].name; i++)
        if (numbers[i].number == number)
            return named(numbers[i].name, modifier, used, ev);
    return used;
}

/* ESC [ < button ; column ; row M (pressed, moved) or m (released) */
static int mouse(const int *v, int n, bool released, int used, ss_event *ev)
{
    if (n < 3)
        return used;
    ev->x = v[1] - 0.5, ev->y = v[2] - 0.5; /* the middle of the cell */
    ev->button = v[0] & 3;
    ev->shift = v[0] & 4;
    if (v[0] & 64) {
        ev->kind = (v[0] & 3) < 2 ? SS_EV_WHEEL : SS_EV_NONE;
        ev->dy = v[0] & 1 ? -1 : 1;
    } else if (v[0] & 32) {
        ev->kind = ev->button == 3 ? SS_EV_MOVE : SS_EV_DRAG;
    } else {
        ev->kind = released ? SS_EV_RELEASE : SS_EV_PRESS;
    }
    return used;
}

/* A report of the terminal or a key with a number: none of them is a modified key. */
static bool is_report(const int *v, int count, char private)
{
    return private || (count > 1 && (v[0] > 1 || v[1] > 16));
}

/* ESC [ parameters letter */
static int csi(const char *b, int n, bool last, ss_event *ev)
{
    int v[8] = {0}, count = 0, i = 2;
    char private = n > 2 && b[2] >= '<' && b[2] <= '?' ? b[2] : '\0';
    bool any = false;
    if (n > 2 && b[2] == '[') /* the function keys of Linux' console: ESC [ [ A */
        return n > 3  ? (b[3] >= 'A' && b[3] <= 'E' ? number_key(11 + b[3] - 'A', 0, 4, ev) : 4)
               : last ? n
                      : 0;
    for (i += private != '\0'; i < n && i < CSI_MOST; i++) {
        unsigned char c = (unsigned char)b[i];
        if (c >= '0' && c <= '9') {
            v[count] = v[count] < 100000 ? 10 * v[count] + c - '0' : v[count];
            any = true;
        } else if (c == ';') {
            count += count < 7;
        } else if (c >= 0x40 && c < DEL) {
            count += any;
            if (private == '<')
                return mouse(v, count, c == 'm', i + 1, ev);
            if (c == '~')
                return private ? i + 1 : number_key(v[0], count > 1 ? v[1] : 0, i + 1, ev);
            if (is_report(v, count, private))
                return i + 1;
            return letter_key((char)c, count > 1 ? v[1] : 0, i + 1, ev);
        } else if (c < 0x20 || c >= DEL) {
            return i; /* broken off */
        } else if (c < '0') {
            private = '?'; /* so are sequences with such bytes */
        }
    }
    return i >= CSI_MOST || last ? i : 0;
}

/* OSC, DCS, SOS, PM, APC: each begins a string for programs, not for people. */
static bool begins_string(char c)
{
    return c && strchr("]PX^_", c);
}

static int escape(const char *b, int n, bool last, ss_event *ev)
{
    if (n == 1)
        return last ? key(ev, "esc", 1) : 0;
    if (b[1] == '[')
        return n == 2 && !last ? 0 : csi(b, n, last, ev);
    if (b[1] == 'O') {
        if (n == 2)
            return last ? key(ev, "esc", 1) : 0;
        return letter_key(b[2], 0, 3, ev);
    }
    if (b[1] == '\\') /* the end of a string that has ended before */
        return 2;
    return key(ev, "esc", 1); /* the rest is read as keys of its own */
}

/* --- characters ------------------------------------------------------------------------------- */

/* Bytes of the character that lead begins; 1: none. */
static int length_by(unsigned char lead)
{
    return lead < 0xc2 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 1;
}

/* A character outside ASCII. */
static int character(const char *b, int n, bool last, ss_event *ev)
{
    int length = ss_utf8_length(b, (size_t)n), most = length_by((unsigned char)b[0]), used = 1;
    char text[8];
    if (length > 0) {
        bool control = length == 2 && (unsigned char)b[0] == 0xc2 && (unsigned char)b[1] < 0xa0;
        snprintf(text, sizeof text, "%.*s", length, b);
        return control ? length : key(ev, text, length);
    }
    while (used < n && used < most && ((unsigned char)b[used] & 0xc0) == 0x80)
        used++;
    if (used == n && used < most && !last)
        return 0;
    *ev = (ss_event){.kind = SS_EV_NOTICE,
                     .text = "the terminal sent a byte that is not UTF-8: nothing was typed"};
    return used;
}

/* --- all -------------------------------------------------------------------------------------- */

/* Decodes the first event of n > 0 bytes. Returns the bytes used; 0: more are needed (with `last`
 * no more will come). */
static int decode(const char *b, int n, bool last, ss_event *ev)
{
    unsigned char c = (unsigned char)b[0];
    *ev = (ss_event){.kind = SS_EV_NONE};
    if (c == ESC)
        return escape(b, n, last, ev);
    if (c == ' ')
        return key(ev, "space", 1);
    if (c < ' ' || c == DEL)
        return control(c, ev);
    return c < 0x80 ? key(ev, (char[2]){(char)c, '\0'}, 1) : character(b, n, last, ev);
}

static void use(ss_input *in, int used)
{
    in->n -= used;
    memmove(in->byte, in->byte + used, (size_t)in->n);
}

/* Skips what is there of a string, which BEL or ST ends; another Escape or a control character that
 * no string contains, such as ctrl-c, breaks it off. */
static void skip_string(ss_input *in, double now)
{
    bool lost = now - in->read >= STRING_SILENCE || now - in->string_started >= STRING_MOST;
    int i = 0;
    while (i < in->n && in->string) {
        unsigned char c = (unsigned char)in->byte[i];
        bool inside = (c >= '\b' && c <= '\r') || (c >= ' ' && c != DEL);
        if (c == ESC && i + 1 == in->n && !lost)
            break;
        bool ends = c == BEL || c == CAN || c == SUB;
        bool st = c == ESC && i + 1 < in->n && in->byte[i + 1] == '\\';
        in->string = inside;
        i += st ? 2 : inside || ends;
    }
    use(in, i);
    in->string = in->string && !lost;
}

/* The rest of a sequence whose Escape has become a key: it comes too late to take that back, but is
 * no key of its own. `[` and `O` wait for more, the others must have come in one piece. */
static bool is_late(const ss_input *in)
{
    char c = in->byte[0];
    bool soon = in->escaped > 0 && in->read - in->escaped < LATE;
    return soon && (c == '[' || c == 'O' || (begins_string(c) && in->n > 2)) &&
           in->n < SS_INPUT_MAX;
}

/* Puts the Escape back in front of its rest. */
static void join(ss_input *in)
{
    memmove(in->byte + 1, in->byte, (size_t)in->n++);
    in->byte[0] = ESC;
}

/* What waits has waited long enough. */
static bool is_overdue(const ss_input *in, double now)
{
    return now >= ss_input_due(in);
}

void ss_input_add(ss_input *in, const char *bytes, int n, double now)
{
    memcpy(in->byte + in->n, bytes, (size_t)n);
    in->n += n;
    in->read = now;
}

bool ss_input_next(ss_input *in, double now, ss_event *ev)
{
    *ev = (ss_event){.kind = SS_EV_NONE};
    while (in->n > 0 || in->string) {
        if (in->string) {
            skip_string(in, now);
            if (in->string)
                return false;
            continue;
        }
        bool late = is_late(in), overdue = is_overdue(in, now);
        if (late && in->n == 1 && overdue)
            late = false; /* typed after Escape */
        if (late)
            join(in);
        bool string = in->n > 1 && in->byte[0] == ESC && begins_string(in->byte[1]);
        if (string && in->n == 2 && !overdue) /* or two keys: Escape and P */
            return false;
        if (string && in->n > 2) {
            use(in, 2);
            in->string = true, in->string_started = now, in->escaped = 0;
            continue;
        }
        int used = decode(in->byte, in->n, overdue, ev);
        if (used == 0 && late)
            use(in, 1);
        if (used == 0)
            return false;
        use(in, used);
        in->escaped = used == 1 && strcmp(ev->key, "esc") == 0 && in->n == 0 ? in->read : 0;
        if (ev->kind != SS_EV_NONE)
            return true;
    }
    return false;
}

double ss_input_due(const ss_input *in)
{
    if (in->string)
        return in->read + STRING_SILENCE < in->string_started + STRING_MOST
                   ? in->read + STRING_SILENCE
                   : in->string_started + STRING_MOST;
    if (in->n == 0)
        return 0;
    return in->read + (in->n == 1 && in->byte[0] == ESC ? KEY_WAIT : LATE);
}
