/* `play FILE`: a session is carried out on a screen that shows another run, as after a drop of its
 * file on the window. */
#include "tests/e2e/e2e.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char *session_with(const char *lines)
{
    static char path[] = "/tmp/ss-played-XXXXXX.run";
    snprintf(path, sizeof path, "/tmp/ss-played-XXXXXX.run");
    int fd = mkstemps(path, 4);
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    CHECK(f != NULL);
    fputs(lines, f);
    fclose(f);
    return path;
}

static void play(term *t, const char *path)
{
    char keys[160];
    snprintf(keys, sizeof keys, ":play %s\r", path);
    term_keys(t, keys);
}

TEST(play, a_session_is_carried_out)
{
    term *t = term_open(120, 40, NULL, "poisson2d jacobi --n 64 --deterministic -e 'step 3'");
    SHOWS(t, "cycle 3");
    char *path = session_with("open heat1d swept n=256\nstep 7\nview stage lanes\npause\n");
    play(t, path);
    SHOWS(t, "heat");
    SHOWS(t, "cycle 7");
    SHOWS(t, "[lanes]");
    SHOWS(t, "paused");
    remove(path);
    play(t, path);
    SHOWS(t, "cannot read");
    path = session_with("open poisson2d jacobi n=64\nstep 4\nplay other.run\n");
    play(t, path);
    SHOWS(t, "still being carried out");
    SHOWS(t, "cycle 4");
    remove(path);
    path = session_with("step 4\nsteep 5\n"); /* a broken file changes nothing */
    play(t, path);
    SHOWS(t, "steep");
    SHOWS(t, "cycle 4");
    remove(path);
    LEAVE(t);
}
