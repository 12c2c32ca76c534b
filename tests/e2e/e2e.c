/* Reading the program's own screen: controls, cycle, golden files, figures. See e2e.h. */
#include "tests/e2e/e2e.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define BAR "│"
#define MASKED "-"

/* --- controls ------------------------------------------------------------------------------------
 */

/* "│▸k  ◂ 16 ▸ │" in a row gives " 16  ": what follows the name up to the frame. */
static const char *after_name(const char *row, const char *name, size_t *n)
{
    static const char *const lead[] = {BAR " ", BAR "▸"};
    size_t length = strlen(name);
    for (const char *at = strstr(row, BAR); at; at = strstr(at + 1, BAR))
        for (int i = 0; i < 2; i++) {
            size_t skip = strlen(lead[i]);
            if (strncmp(at, lead[i], skip) != 0 || strncmp(at + skip, name, length) != 0 ||
                at[skip + length] != ' ')
                continue;
            const char *from = at + skip + length, *to = strstr(from, BAR);
            *n = to ? (size_t)(to - from) : strlen(from);
            return from;
        }
    return NULL;
}

/* The last word that begins like a number, without a remark before it or a unit after it; for a
 * choice, the last word. */
static void last_value(const char *from, size_t n, char *value, size_t size)
{
    char text[256], *word, *rest = text;
    bool number = false;
    snprintf(text, sizeof text, "%.*s", (int)n, from);
    for (char *p = text; (p = strpbrk(p, "\xe2")) != NULL; p++) /* ◂ and ▸ are not words */
        if (strncmp(p, "◂", 3) == 0 || strncmp(p, "▸", 3) == 0)
            memcpy(p, "   ", 3);
    while ((word = strtok_r(rest, " ", &rest)) != NULL) {
        bool is_number = (*word >= '0' && *word <= '9') || *word == '[';
        if (is_number || !number)
            snprintf(value, size, "%s", word);
        number = number || is_number;
    }
}

const char *e2e_control(term *t, const char *name)
{
    static char value[64];
    value[0] = '\0';
    for (int y = 1; y < term_rows(t) && !*value; y++) {
        size_t n;
        const char *p = after_name(term_row(t, y), name, &n);
        if (p)
            last_value(p, n, value, sizeof value);
    }
    return value;
}

bool e2e_control_becomes(term *t, const char *name, const char *want)
{
    double end = term_clock() + TERM_PATIENCE;
    while (strcmp(e2e_control(t, name), want) != 0) {
        if (term_clock() >= end)
            return false;
        term_pump(t, 0.02);
    }
    return true;
}

bool e2e_slider(term *t, const char *name, int *x0, int *x1, int *y)
{
    char label[2][48];
    snprintf(label[0], sizeof label[0], BAR " %s ", name);
    snprintf(label[1], sizeof label[1], BAR "▸%s ", name);
    if (!term_find(t, label[0], x0, y) && !term_find(t, label[1], x0, y))
        return false;
    int x = 0, from = *x0;
    *x0 = *x1 = -1;
    ++*y;
    for (const char *p = term_row(t, *y); *p; p++) {
        static const char *const parts[] = {"━", "─", "●", "┼" /* a mark */, "╌"};
        bool bar = false;
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            bar = bar || strncmp(p, parts[i], 3) == 0;
        if ((*p & 0xc0) == 0x80)
            continue;
        if (bar && x > from && *x0 < 0)
            *x0 = x;
        if (bar && *x0 >= 0 && (*x1 < 0 || *x1 == x - 1))
            *x1 = x;
        x++;
    }
    return *x0 >= 0 && *x1 > *x0;
}

long long e2e_cycle(term *t)
{
    const char *at = strstr(term_row(t, 0), "cycle ");
    long long n = 0;
    if (!at)
        return -1;
    for (at += 6; (*at >= '0' && *at <= '9') || *at == ','; at++)
        if (*at != ',')
            n = 10 * n + *at - '0';
    return n;
}

/* --- golden screens ------------------------------------------------------------------------------
 */

/* The header and the row of keys are covered by tests/ui/golden, so most screens here mask them:
 * one word of them changes few files. These screens keep both. */
static const char *const whole_screens[] = {
    "help-80x24", "presets-120x40", "race-120x40", "shared-120x40", "shared-20x8",
};

static bool is_whole(const char *name)
{
    for (size_t i = 0; i < sizeof whole_screens / sizeof *whole_screens; i++)
        if (strcmp(name, whole_screens[i]) == 0)
            return true;
    return false;
}

/* 0 to 9, from the square root of the brightness: dark colours differ as well as bright ones. */
static char brightness(unsigned rgb)
{
    double light = 0.2126 * (rgb >> 16) + 0.7152 * (rgb >> 8 & 255) + 0.0722 * (rgb & 255);
    return (char)('0' + (int)(9.99 * sqrt(light / 255)));
}

/* One digit per cell: the mean of a half block, the background of other text. */
static void put_light(term *t, int y, FILE *out)
{
    for (int x = 0; x < term_cols(t); x++) {
        unsigned fg = term_colour(t, x, y, false), bg = term_colour(t, x, y, true);
        char both = (char)((brightness(fg) + brightness(bg)) / 2);
        putc(term_is_half_block(t, x, y) ? both : brightness(bg), out);
    }
    putc('\n', out);
}

/* The screen as a golden file has it; free it. */
static char *print_screen(term *t, bool whole)
{
    char *text = NULL;
    size_t size;
    int last = term_rows(t) - 1;
    FILE *out = open_memstream(&text, &size);
    CHECK_MSG(out != NULL, "out of memory");
    fprintf(out, "%d x %d\n", term_cols(t), term_rows(t));
    for (int y = 0; y <= last; y++)
        fprintf(out, "%s\n", whole || (y > 0 && y < last) ? term_row(t, y) : MASKED);
    for (int y = 0; y <= last; y++)
        if (whole || (y > 0 && y < last))
            put_light(t, y, out);
        else
            fputs(MASKED "\n", out);
    CHECK_MSG(fclose(out) == 0 && text, "out of memory");
    return text;
}

static char *read_all(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = calloc(1, 1 << 18);
    CHECK_MSG(text != NULL, "out of memory");
    if (f) {
        text[fread(text, 1, (1 << 18) - 1, f)] = '\0';
        fclose(f);
    }
    return text;
}

static void write_all(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    bool written = f && fputs(text, f) >= 0;
    CHECK_MSG(f && fclose(f) == 0 && written, "cannot write %s", path);
}

/* The first line that differs: its number, the two lines. */
static int first_difference(const char *a, const char *b, char *x, char *y, size_t size)
{
    for (int line = 1; *a || *b; line++) {
        size_t n = strcspn(a, "\n"), m = strcspn(b, "\n");
        if (n != m || strncmp(a, b, n) != 0) {
            snprintf(x, size, "%.*s", (int)n, a);
            snprintf(y, size, "%.*s", (int)m, b);
            return line;
        }
        a += n + (a[n] != '\0');
        b += m + (b[m] != '\0');
    }
    return 0;
}

#define LATE 5.0 /* seconds: on a busy machine the last frame may come after a silence */

void e2e_golden(term *t, const char *name)
{
    char golden[160], got[160], want_line[1024], got_line[1024];
    const char *update = getenv("UPDATE_GOLDEN");
    double end = term_clock() + LATE;
    int line;
    snprintf(golden, sizeof golden, "tests/e2e/golden/%s.txt", name);
    char *want = read_all(golden), *have = NULL;
    do {
        CHECK_MSG(term_settle(t, 0.3, TERM_PATIENCE), "the screen is never quiet:\n%s",
                  term_screen(t));
        free(have);
        have = print_screen(t, is_whole(name));
        line = first_difference(want, have, want_line, got_line, sizeof want_line);
        if (update && *update == '1') {
            write_all(golden, have);
            line = 0;
        }
    } while (line != 0 && term_clock() < end);
    if (line != 0) { /* named by test, since several tests may compare with one golden screen */
        snprintf(got, sizeof got, "build/golden/%s.%d.txt", name, (int)getpid());
        mkdir("build", 0777);
        mkdir("build/golden", 0777);
        write_all(got, have);
    }
    free(want);
    free(have);
    CHECK_MSG(line == 0, "%s differs from %s in line %d:\n  want %s\n  got  %s", got, golden, line,
              want_line, got_line);
}

/* --- figures -------------------------------------------------------------------------------------
 */

bool e2e_timings(void)
{
    const char *asked = getenv("SS_TIMINGS");
    return asked && *asked == '1';
}

void e2e_figure(const char *name, double value, double limit, bool least)
{
    printf("figure %s %.4g (%s %.4g)\n", name, value, least ? "at least" : "at most", limit);
    fflush(stdout);
    if (!e2e_timings())
        return;
    if (least)
        CHECK_MSG(value >= limit, "%s is %g, less than %g", name, value, limit);
    else
        CHECK_MSG(value <= limit, "%s is %g, more than %g", name, value, limit);
}
