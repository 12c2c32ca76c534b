/* The terminal's state: libvterm holds the screen; a scanner follows the modes that a program must
 * restore, since libvterm does not know all of them. See term.h. */
#include "tests/e2e/term_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

static const term_mode modes[TERM_MODES] = {
    {1, "application cursor keys are still on", false, false},
    {7, "line wrapping is still off", true, true},
    {25, "the cursor is still hidden", true, true},
    {1000, "mouse clicks are still reported", false, false},
    {1002, "mouse drags are still reported", false, false},
    {1003, "mouse moves are still reported", false, false},
    {1006, "the mouse still reports in SGR form", false, false},
    {1049, "the alternate screen was not left", false, false},
    {2004, "bracketed paste is still on", false, false},
};

/* --- the scanner ---------------------------------------------------------------------------------
 */

enum { PLAIN, ESCAPE, SKIP_ONE, CSI, OSC };

static void set_modes(term *t, bool on)
{
    for (char *p = t->sequence + 1; *p;) {
        int number = (int)strtol(p, &p, 10);
        for (int i = 0; i < TERM_MODES; i++)
            if (t->mode[i].number == number)
                t->mode[i].now = on;
        p += *p != '\0';
    }
}

static void end_csi(term *t, char final)
{
    t->sequence[t->length] = '\0';
    if ((final == 'h' || final == 'l') && t->sequence[0] == '?')
        set_modes(t, final == 'h');
}

static void end_osc(term *t)
{
    t->sequence[t->length] = '\0';
    if (strncmp(t->sequence, "4;", 2) == 0)
        t->palette = true;
    if (strncmp(t->sequence, "104", 3) == 0)
        t->palette = false;
}

static int after_escape(term *t, char c)
{
    t->length = 0;
    if (c == '=' || c == '>')
        t->keypad = c == '=';
    if (c == 'c')
        memcpy(t->mode, modes, sizeof modes);
    return c == '[' ? CSI : c == ']' ? OSC : c >= 0x20 && c <= 0x2f ? SKIP_ONE : PLAIN;
}

static void scan(term *t, char c)
{
    bool more = t->length < (int)sizeof t->sequence - 1;
    if (t->state == OSC && c == '\a') {
        end_osc(t);
        t->state = PLAIN;
    } else if (c == '\033') {
        if (t->state == OSC)
            end_osc(t);
        t->state = ESCAPE;
    } else if (t->state == ESCAPE) {
        t->state = after_escape(t, c);
    } else if (t->state == SKIP_ONE) {
        t->state = PLAIN;
    } else if (t->state == CSI && c >= 0x40 && c <= 0x7e) {
        end_csi(t, c);
        t->state = PLAIN;
    } else if (t->state == CSI || t->state == OSC) {
        if (more)
            t->sequence[t->length++] = c;
    } else if (c == 0x0e || c == 0x0f) {
        t->shifted = c == 0x0e;
    }
}

/* True if text written now would look different from text before the program ran. */
static bool is_coloured(const term *t)
{
    static const VTermAttr attr[] = {VTERM_ATTR_BOLD, VTERM_ATTR_UNDERLINE, VTERM_ATTR_REVERSE};
    VTermState *state = vterm_obtain_state(t->vt);
    VTermValue v, w;
    for (int i = 0; i < 3; i++) {
        v.number = 0;
        if (vterm_state_get_penattr(state, attr[i], &v) && v.number)
            return true;
    }
    return vterm_state_get_penattr(state, VTERM_ATTR_FOREGROUND, &v) &&
           vterm_state_get_penattr(state, VTERM_ATTR_BACKGROUND, &w) &&
           !(VTERM_COLOR_IS_DEFAULT_FG(&v.color) && VTERM_COLOR_IS_DEFAULT_BG(&w.color));
}

const char *term_screen_damage(const term *t)
{
    for (int i = 0; i < TERM_MODES; i++)
        if (t->mode[i].now != t->mode[i].normally)
            return t->mode[i].name;
    return t->keypad        ? "the keypad still sends application codes"
           : t->palette     ? "the palette was changed and not put back"
           : t->shifted     ? "line drawing characters are still on"
           : is_coloured(t) ? "a colour or attribute is still on"
                            : NULL;
}

bool term_is_full_screen(const term *t)
{
    for (int i = 0; i < TERM_MODES; i++)
        if (t->mode[i].number == 1049)
            return t->mode[i].now;
    return false;
}

/* --- the picture ---------------------------------------------------------------------------------
 */

void term_screen_open(term *t)
{
    memcpy(t->mode, modes, sizeof modes);
    t->vt = vterm_new(t->rows, t->cols);
    CHECK_MSG(t->vt != NULL, "out of memory");
    vterm_set_utf8(t->vt, 1);
    t->screen = vterm_obtain_screen(t->vt);
    vterm_screen_enable_altscreen(t->screen, 1);
    vterm_screen_reset(t->screen, 1);
}

void term_screen_close(term *t)
{
    vterm_free(t->vt);
    free(t->text);
}

void term_screen_resize(term *t)
{
    vterm_set_size(t->vt, t->rows, t->cols);
}

void term_screen_feed(term *t, const char *bytes, size_t n)
{
    vterm_input_write(t->vt, bytes, n);
    for (size_t i = 0; i < n; i++)
        scan(t, bytes[i]);
}

static size_t put_utf8(char *out, uint32_t c)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xc0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3f));
        return 2;
    }
    out[0] = (char)(0xe0 | (c >> 12 & 0x0f));
    out[1] = (char)(0x80 | (c >> 6 & 0x3f));
    out[2] = (char)(0x80 | (c & 0x3f));
    return 3;
}

static size_t put_row(term *t, int y, char *out)
{
    size_t n = 0, end = 0;
    for (int x = 0; x < t->cols; x++) {
        VTermScreenCell cell;
        vterm_screen_get_cell(t->screen, (VTermPos){y, x}, &cell);
        if (cell.chars[0] == (uint32_t)-1)
            continue; /* the right half of a wide character */
        n += put_utf8(out + n, cell.chars[0] ? cell.chars[0] : ' ');
        if (cell.chars[0] && cell.chars[0] != ' ')
            end = n;
    }
    out[end] = '\0';
    return end;
}

/* Text for the screen and one row more. */
static char *make_room(term *t)
{
    size_t need = (size_t)(t->rows + 1) * (size_t)(3 * t->cols + 2) + 1;
    if (need != t->text_room) {
        free(t->text);
        t->text = malloc(need);
        t->text_room = need;
        CHECK_MSG(t->text != NULL, "out of memory");
    }
    return t->text;
}

const char *term_screen(term *t)
{
    char *out = make_room(t);
    size_t n = 0;
    for (int y = 0; y < t->rows; y++) {
        n += put_row(t, y, out + n);
        out[n++] = '\n';
    }
    out[n] = '\0';
    return out;
}

const char *term_row(term *t, int y)
{
    char *out = make_room(t) + (size_t)t->rows * (size_t)(3 * t->cols + 2) + 1;
    put_row(t, y, out);
    return out;
}

bool term_find(term *t, const char *text, int *x, int *y)
{
    for (*y = 0; *y < t->rows; ++*y) {
        const char *row = term_row(t, *y), *at = strstr(row, text);
        if (!at)
            continue;
        *x = 0;
        for (const char *p = row; p < at; p++)
            *x += (*p & 0xc0) != 0x80;
        return true;
    }
    return false;
}

unsigned term_colour(term *t, int x, int y, bool background)
{
    VTermScreenCell cell;
    vterm_screen_get_cell(t->screen, (VTermPos){y, x}, &cell);
    VTermColor *c = background != cell.attrs.reverse ? &cell.bg : &cell.fg;
    vterm_screen_convert_color_to_rgb(t->screen, c);
    return (unsigned)c->rgb.red << 16 | (unsigned)c->rgb.green << 8 | c->rgb.blue;
}

unsigned long long term_fingerprint(term *t)
{
    unsigned long long h = 14695981039346656037u; /* FNV-1a */
    for (int y = 0; y < t->rows; y++)
        for (int x = 0; x < t->cols; x++) {
            VTermScreenCell cell;
            vterm_screen_get_cell(t->screen, (VTermPos){y, x}, &cell);
            bool blank = cell.chars[0] == 0 || cell.chars[0] == ' ';
            h = (h ^ (blank ? ' ' : cell.chars[0])) * 1099511628211u;
            h = (h ^ (blank ? 0 : term_colour(t, x, y, false))) * 1099511628211u;
            h = (h ^ term_colour(t, x, y, true)) * 1099511628211u;
        }
    return h;
}

bool term_is_half_block(term *t, int x, int y)
{
    VTermScreenCell cell;
    vterm_screen_get_cell(t->screen, (VTermPos){y, x}, &cell);
    return cell.chars[0] == 0x2580 || cell.chars[0] == 0x2584;
}

int term_cols(const term *t)
{
    return t->cols;
}

int term_rows(const term *t)
{
    return t->rows;
}
