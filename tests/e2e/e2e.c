/* Reading the program's own screen: controls, cycle, golden files, figures. See e2e.h. */
#include "tests/e2e/e2e.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define BAR "│"

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

/* The last word that begins like a number, so that neither a remark before it nor a unit behind it
 * counts; of a choice the last word. */
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
        bool bar = strncmp(p, "━", 3) == 0 || strncmp(p, "─", 3) == 0 || strncmp(p, "●", 3) == 0;
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

/* 0 to 9, from the square root of the light: dark colours differ as well as bright ones. */
static char brightness(unsigned rgb)
{
    double light = 0.2126 * (rgb >> 16) + 0.7152 * (rgb >> 8 & 255) + 0.0722 * (rgb & 255);
    return (char)('0' + (int)(9.99 * sqrt(light / 255)));
}

/* One digit a cell: of a half block the mean, of other text the ground it stands on. */
static void put_light(term *t, FILE *out)
{
    for (int y = 0; y < term_rows(t); y++) {
        for (int x = 0; x < term_cols(t); x++) {
            unsigned fg = term_colour(t, x, y, false), bg = term_colour(t, x, y, true);
            char both = (char)((brightness(fg) + brightness(bg)) / 2);
            putc(term_is_half_block(t, x, y) ? both : brightness(bg), out);
        }
        putc('\n', out);
    }
}

static char *read_all(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = calloc(1, 1 << 18);
    if (f && text)
        text[fread(text, 1, (1 << 18) - 1, f)] = '\0';
    if (f)
        fclose(f);
    return text;
}

static bool write_screen(term *t, const char *path)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return false;
    fprintf(f, "%d x %d\n%s", term_cols(t), term_rows(t), term_screen(t));
    put_light(t, f);
    return fclose(f) == 0;
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

/* The line in which the screen, written to `got`, differs from `golden`; 0: in none. */
static int compare_screen(term *t, const char *golden, const char *got, char *want_line,
                          char *got_line, size_t size)
{
    CHECK_MSG(write_screen(t, got), "cannot write %s", got);
    char *want = read_all(golden), *have = read_all(got);
    CHECK_MSG(want && have, "out of memory");
    int line = first_difference(want, have, want_line, got_line, size);
    free(want);
    free(have);
    return line;
}

#define LATE 5.0 /* seconds: on a busy machine the last picture may come after a silence */

void e2e_golden(term *t, const char *name)
{
    char golden[160], got[160], want_line[1024], got_line[1024];
    const char *update = getenv("UPDATE_GOLDEN");
    double end = term_clock() + LATE;
    int line;
    snprintf(golden, sizeof golden, "tests/e2e/golden/%s.txt", name);
    snprintf(got, sizeof got, "build/golden/%s.txt", name);
    mkdir("build", 0777);
    mkdir("build/golden", 0777);
    do {
        CHECK_MSG(term_settle(t, 0.3, TERM_PATIENCE), "the screen is never quiet:\n%s",
                  term_screen(t));
        if (update && *update == '1') {
            CHECK_MSG(write_screen(t, golden), "cannot write %s", golden);
            return;
        }
        line = compare_screen(t, golden, got, want_line, got_line, sizeof want_line);
    } while (line != 0 && term_clock() < end);
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
    double slack = e2e_timings() ? 1 : 3;
    printf("figure %s %.4g (%s %.4g)\n", name, value, least ? "at least" : "at most", limit);
    fflush(stdout);
    if (least)
        CHECK_MSG(value >= limit / slack, "%s is %g, less than %g", name, value, limit / slack);
    else
        CHECK_MSG(value <= limit * slack, "%s is %g, more than %g", name, value, limit * slack);
}
