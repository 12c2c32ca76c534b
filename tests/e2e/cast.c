/* Recordings of the terminal, read back by libvterm: the screen after all increments equals one
 * frame of the same state; and the key that records the live screen. */
#include "tests/check.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <vterm.h>

#include "tests/e2e/term.h"

enum { COLS = 100, ROWS = 30, LINE_SIZE = 1 << 20 };

typedef struct replay {
    int frames, marks;
    double end;
    char mark[64];
    char screen[ROWS * (4 * COLS + 1) + 1];
} replay;

static void feed(VTerm *vt, const char *line, replay *r)
{
    json_error_t why;
    double at;
    const char *kind, *text;
    json_t *event = json_loads(line, 0, &why);
    CHECK_MSG(event && json_unpack(event, "[Fss]", &at, &kind, &text) == 0, "no event: %s",
              why.text);
    CHECK_MSG(at >= r->end, "time runs backwards at %g", at);
    r->end = at;
    if (*kind == 'o' && *text) {
        vterm_input_write(vt, text, strlen(text));
        r->frames++;
    } else if (*kind == 'm') {
        r->marks++;
        snprintf(r->mark, sizeof r->mark, "%s", text);
    }
    json_decref(event);
}

static void read_screen(VTerm *vt, replay *r)
{
    VTermScreen *screen = vterm_obtain_screen(vt);
    size_t n = 0;
    for (int y = 0; y < ROWS; y++) {
        VTermRect row = {y, y + 1, 0, COLS};
        n += vterm_screen_get_text(screen, r->screen + n, sizeof r->screen - n - 2, row);
        r->screen[n++] = '\n';
    }
    r->screen[n] = '\0';
}

static void play(const char *path, replay *r)
{
    char *line = malloc(LINE_SIZE);
    FILE *f = fopen(path, "r");
    CHECK_MSG(f && line, "there is no %s", path);
    CHECK(fgets(line, LINE_SIZE, f) && strstr(line, "\"version\": 2"));
    memset(r, 0, sizeof *r);
    VTerm *vt = vterm_new(ROWS, COLS);
    vterm_set_utf8(vt, 1);
    vterm_screen_reset(vterm_obtain_screen(vt), 1);
    while (fgets(line, LINE_SIZE, f))
        feed(vt, line, r);
    read_screen(vt, r);
    vterm_free(vt);
    fclose(f);
    free(line);
}

static void record(const char *folder, const char *arguments)
{
    char command[1024];
    const char *program = getenv("STENCILSCOPE");
    snprintf(command, sizeof command,
             "cd %s && '%s' --backend cpu --ui none --threads 1 --size 100x30 %s >out 2>err",
             folder, program && *program ? program : "build/release/stencilscope", arguments);
    CHECK_MSG(system(command) == 0, "%s failed", command);
}

TEST(recordings, replay_ends_on_the_last_screen)
{
    static replay whole, last;
    char folder[] = "/tmp/cast.XXXXXX", path[64];
    CHECK(mkdtemp(folder) != NULL);
    record(folder, "poisson2d shared --n 64 --problem random --record whole.cast -e 'view layer "
                   "residual' -e 'view range 1 1e5' -e 'step 20' -e 'set k 2' -e 'step 10' -e "
                   "'record last.cast'");
    snprintf(path, sizeof path, "%s/whole.cast", folder);
    play(path, &whole);
    snprintf(path, sizeof path, "%s/last.cast", folder);
    play(path, &last);
    CHECK_STR(whole.screen, last.screen);
    CHECK(strstr(whole.screen, "cycle 30") != NULL);
    CHECK_NEAR(whole.end, 31 / 20.0, 1e-9);
    CHECK_INT(whole.marks, 1);
    CHECK_STR(whole.mark, "k 8→2");
    CHECK_NEAR(last.end, 1 / 20.0, 1e-9);
}

/* The default file name begins with the date; a key is bound to a fixed name here. */
TEST(recordings, a_key_records_what_is_shown)
{
    static replay seen;
    char folder[] = "/tmp/cast.XXXXXX", path[64], args[512];
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/seen.cast", folder);
    snprintf(args, sizeof args,
             "poisson2d shared --backend cpu --n 64 -e 'bind W \"record %s\"' -e 'step 5'", path);
    term *t = term_open(COLS, ROWS, NULL, args);
    CHECK(term_wait(t, "cycle 5", TERM_PATIENCE));
    term_keys(t, "W");
    CHECK(term_wait(t, "recording", TERM_PATIENCE));
    term_keys(t, ",");
    CHECK(term_wait(t, "cycle 6", TERM_PATIENCE));
    term_pump(t, 0.2);
    term_keys(t, "R");
    CHECK(term_wait(t, "recorded", TERM_PATIENCE));
    play(path, &seen);
    CHECK(strstr(seen.screen, "cycle 6") != NULL);
    CHECK(seen.frames > 1);
    term_close(t);
}
