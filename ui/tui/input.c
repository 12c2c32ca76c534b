/* Decoding of terminal input: see input.h. */
#include "ui/tui/input.h"

#include <stdio.h>
#include <string.h>

enum { ESC = 0x1b, DEL = 0x7f };

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

static int csi(const char *b, int n, bool last, ss_event *ev)
{
    int v[8] = {0}, count = 0, i = 2;
    bool sgr = n > 2 && b[2] == '<', any = false;
    for (i += sgr; i < n && i < 32; i++) {
        unsigned char c = (unsigned char)b[i];
        if (c >= '0' && c <= '9') {
            v[count] = v[count] < 100000 ? 10 * v[count] + c - '0' : v[count];
            any = true;
        } else if (c == ';') {
            count += count < 7;
        } else if (c >= 0x40 && c < DEL) {
            count += any;
            if (sgr)
                return mouse(v, count, c == 'm', i + 1, ev);
            if (c == '~')
                return number_key(v[0], count > 1 ? v[1] : 0, i + 1, ev);
            return letter_key((char)c, count > 1 ? v[1] : 0, i + 1, ev);
        } else if (c < 0x20) {
            return i; /* broken off */
        }
    }
    return i >= 32 || last ? i : 0;
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
    return key(ev, "esc", 1); /* the rest is read as keys of its own */
}

/* --- all -------------------------------------------------------------------------------------- */

int ss_input_decode(const char *bytes, int n, bool last, ss_event *ev)
{
    *ev = (ss_event){.kind = SS_EV_NONE};
    if (n <= 0)
        return 0;
    unsigned char c = (unsigned char)bytes[0];
    if (c == ESC)
        return escape(bytes, n, last, ev);
    if (c == ' ')
        return key(ev, "space", 1);
    if (c < ' ' || c == DEL)
        return control(c, ev);
    if (c < 0x80)
        return key(ev, (char[2]){(char)c, '\0'}, 1);
    /* No key is bound to a character outside ASCII: skip it whole. */
    int more = c < 0xc0 ? 0 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3, i = 1;
    while (i <= more && i < n && ((unsigned char)bytes[i] & 0xc0) == 0x80)
        i++;
    return i;
}
