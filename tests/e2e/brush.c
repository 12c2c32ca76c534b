/* Painting by mouse and keyboard on a real terminal, and the clipboard: the command line that Y
 * copies reproduces the field bit for bit. */
#include "tests/e2e/e2e.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEFT = 0, DRAG = 32 };

static term *start(const char *more)
{
    char args[400];
    snprintf(args, sizeof args, "poisson2d shared --n 128 --k 4 --threads 1 --deterministic %s",
             more);
    term *t = term_open(100, 30, NULL, args);
    SHOWS(t, "cycle 3");
    term_settle(t, 0.2, TERM_PATIENCE);
    return t;
}

TEST(brush, the_mouse_paints_and_u_takes_it_back)
{
    term *t = start("-e 'step 3'");
    unsigned long long before = term_fingerprint(t);
    term_keys(t, "e");
    SHOWS(t, "brush: radius");
    for (int x = 15; x <= 25; x++)
        term_mouse(t, x == 15 ? LEFT : DRAG, x, 8, false);
    term_mouse(t, LEFT, 25, 8, true);
    SHOWS(t, "painted");
    term_keys(t, "u"); /* undoes the whole stroke */
    LOSES(t, "painted");
    term_keys(t, "\033");
    LOSES(t, "brush: radius");
    CHECK(term_settle(t, 0.3, TERM_PATIENCE));
    CHECK_MSG(term_fingerprint(t) == before, "undo leaves something:\n%s", term_screen(t));
    LEAVE(t);
}

/* --- the clipboard ---------------------------------------------------------------------------- */

static int value_of(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = strchr(digits, c);
    return at && c ? (int)(at - digits) : 0;
}

/* The text sent to the clipboard last; false: none. */
static bool clipboard(term *t, char *out, size_t room)
{
    static const char intro[] = "\033]52;c;";
    size_t size, n = 0, from = 0;
    const char *bytes = term_output(t, &size);
    for (size_t i = 0; i + sizeof intro < size; i++)
        if (memcmp(bytes + i, intro, sizeof intro - 1) == 0)
            from = i + sizeof intro - 1;
    for (size_t i = from; from && i + 4 <= size && bytes[i] != '\a' && n + 3 < room; i += 4) {
        int v = value_of(bytes[i]) << 18 | value_of(bytes[i + 1]) << 12 |
                value_of(bytes[i + 2]) << 6 | value_of(bytes[i + 3]);
        out[n++] = (char)(v >> 16);
        out[n++] = (char)(v >> 8 & 255);
        out[n++] = (char)(v & 255);
    }
    out[n] = '\0';
    return n > 0;
}

static char *slurp(const char *path, size_t *size)
{
    char *bytes = malloc(1 << 20);
    FILE *f = fopen(path, "rb");
    CHECK_MSG(bytes && f, "%s is not there", path);
    *size = fread(bytes, 1, 1 << 20, f);
    fclose(f);
    return bytes;
}

/* Runs the copied line in a shell and reads the field that it saves. */
static void leads_to(const char *line, const char *folder, const char *first)
{
    char command[3000], second[300];
    size_t n, m;
    const char *program = getenv("STENCILSCOPE");
    CHECK_MSG(strncmp(line, "stencilscope ", 13) == 0, "'%s'", line);
    snprintf(second, sizeof second, "%s/second.npy", folder);
    snprintf(command, sizeof command,
             "%s %s --ui none --json %s/result.json --save %s >/dev/null 2>&1",
             program ? program : "build/release/stencilscope", line + 13, folder, second);
    CHECK_MSG(system(command) == 0, "%s", command);
    char *a = slurp(first, &n), *b = slurp(second, &m);
    CHECK_MSG(n == m && memcmp(a, b, n) == 0, "another field: %s", command);
    free(a);
    free(b);
}

/* Saves the field, presses `keys`, runs the copied line and compares. */
static void follow(const char *more, const char *keys, const char *shows, const char *part)
{
    char folder[] = "/tmp/ss-copy-XXXXXX", first[64], args[500], line[2048], home[512];
    CHECK(mkdtemp(folder) && getcwd(home, sizeof home));
    snprintf(first, sizeof first, "%s/first.npy", folder);
    snprintf(args, sizeof args, "%s -e 'save %s'", more, first);
    term *t = start(args);
    SHOWS(t, "wrote");
    term_keys(t, keys);
    SHOWS(t, shows);
    if (strchr(keys, 's'))
        SHOWS(t, "wrote poisson2d-shared");
    CHECK_MSG(clipboard(t, line, sizeof line), "nothing is copied:\n%s", term_screen(t));
    CHECK_MSG(strstr(line, part), "'%s' has no '%s'", line, part);
    leads_to(line, folder, first);
    term_keys(t, "\033");
    LOSES(t, shows);
    LEAVE(t);
    char *session = strstr(line, "--run ");
    if (session)
        remove(session + 6);
    snprintf(args, sizeof args, "rm -r %s", folder);
    CHECK(system(args) == 0);
}

TEST(copy, the_copied_line_reproduces_the_field)
{
    follow("--overlap 4 --problem random --seed 5 -e 'step 3'", "Y", "copied to the clipboard",
           "--problem random --k 4 --overlap 4 -e 'step 3'");
}
