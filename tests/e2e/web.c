/*
 * The page in a browser (`serve`), from the side of a page: frames, keys, watchers, who is refused,
 * what is junk, and pages that do not read. Skipped where the program was built without it.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "src/base/common.h"
#include "tests/e2e/server.h"

#ifdef SS_WITH_WEB

enum { WAIT = SERVER_WAIT };

static served on;

static void serve(const char *args)
{
    char line[300];
    snprintf(line, sizeof line, "serve %s", args);
    server_start(&on, NULL, line);
}

static page *watcher(void)
{
    page *p = page_open(on.watch_port, NULL, NULL);
    CHECK(p != NULL);
    page_say(p, "hello 1 -");
    CHECK(page_frame(p, WAIT));
    return p;
}

TEST(web, the_page_and_its_headers_are_served)
{
    char body[4096];
    serve("poisson2d shared --n 64 --until 0");
    CHECK_INT(page_get(on.port, "/", "127.0.0.1", body, sizeof body), 200);
    CHECK(strstr(body, "<canvas") && strstr(body, "frame-ancestors 'none'"));
    CHECK(strstr(body, "cross-origin-opener-policy: same-origin"));
    CHECK_INT(page_get(on.port, "/player.js", "localhost:80", body, sizeof body), 200);
    CHECK(strstr(body, "text/javascript"));
    CHECK_INT(page_get(on.port, "/ops.js", "[::1]:80", NULL, 0), 200);
    CHECK_INT(page_get(on.port, "/../Makefile", "127.0.0.1", NULL, 0), 404);
    CHECK_INT(page_get(on.port, "/web/net.js", "127.0.0.1", NULL, 0), 404);
    server_end(&on);
}

TEST(web, the_pilot_is_told_the_address_of_the_class)
{
    char words[120];
    serve("poisson2d shared --n 64 --until 0 --watch-address 0.0.0.0");
    page *p = server_pilot(&on);
    snprintf(words, sizeof words, ":%d/", on.watch_port);
#ifdef SS_WITH_QRENCODE /* the upper edge of its first mark */
    snprintf(words, sizeof words, ":%d/\n1111111", on.watch_port);
#endif
    CHECK(page_hears(p, words, WAIT));
    page_close(p);
    server_end(&on);
}

/* Else the run would have gone on before anybody could explain it. */
TEST(web, the_run_begins_when_the_pilot_comes)
{
    serve("ks1d swept --n 64");
    page *w = page_open(on.watch_port, NULL, NULL);
    CHECK(w != NULL);
    page_say(w, "hello 1 -");
    CHECK(page_hears(w, "say The run begins when", WAIT));
    CHECK(!page_frame(w, 0.5));
    page *p = server_pilot(&on);
    CHECK(page_hears(w, "say \n", WAIT) && page_frames(w) > 0);
    page_close(p);
    page_close(w);
    server_end(&on);
}

/* Places and descriptors are kept for the pilot, however many watch or ask nothing. */
TEST(web, the_pilot_has_a_place_among_many_watchers)
{
    enum { WATCHERS = 248, PILOTS = 8, SILENT = 300 };
    static page *w[WATCHERS], *p[PILOTS];
    int silent[SILENT];
    serve("poisson2d shared --n 64 --until 0");
    for (int i = 0; i < WATCHERS; i++)
        CHECK((w[i] = page_open(on.watch_port, NULL, NULL)) != NULL);
    for (int i = 0; i < WATCHERS; i++)
        page_say(w[i], "hello 1 -");
    for (int i = 0; i < SILENT; i++)
        CHECK((silent[i] = page_connect(on.watch_port, "GET / HT")) >= 0);
    for (int i = 0; i < PILOTS; i++)
        p[i] = server_pilot(&on);
    page *more[] = {page_open(on.watch_port, NULL, NULL), page_open(on.port, NULL, NULL)};
    for (int i = 0; i < 2; i++) {
        CHECK(more[i]);
        page_say(more[i], "hello 1 -"); /* before it has read that there is no place */
        CHECK(page_farewell(more[i], WAIT));
        CHECK(strstr(page_farewell(more[i], 0), "This one tries again"));
        CHECK_INT(page_code(more[i]), 1013);
    }
    for (int i = 0; i < WATCHERS; i++)
        page_close(w[i]);
    for (int i = 0; i < PILOTS; i++)
        page_close(p[i]);
    for (int i = 0; i < SILENT; i++)
        close(silent[i]);
    server_end(&on);
    for (int i = 0; i < 2; i++) /* they were still open when the program ended */
        page_close(more[i]);
}

/* More half-open connections than the port has: the oldest are dropped, not those who come later.
 */
TEST(web, who_asks_nothing_is_dropped_for_who_comes_later)
{
    enum { MOST = 512 };
    static int silent[MOST + 40];
    char byte;
    serve("poisson2d shared --n 64 --until 0");
    page *p = server_pilot(&on);
    for (int i = 0; i < MOST + 40; i++)
        CHECK((silent[i] = page_connect(on.watch_port, NULL)) >= 0);
    page_close(watcher());
    CHECK(recv(silent[0], &byte, 1, 0) == 0);
    page_say(p, "key 2 space");
    CHECK(page_shows(p, "paused", true, WAIT));
    for (int i = 0; i < MOST + 40; i++)
        close(silent[i]);
    page_close(p);
    server_end(&on);
}

TEST(web, other_addresses_of_the_machine_are_closed)
{
    serve("poisson2d shared --n 64 --until 0");
    CHECK_INT(page_connect_at("127.0.0.2", on.port), -1);
    CHECK_INT(page_connect_at("127.0.0.2", on.watch_port), -1);
    server_end(&on);
    serve("poisson2d shared --n 64 --until 0 --watch-address 0.0.0.0");
    CHECK_INT(page_connect_at("127.0.0.2", on.port), -1);
    int open = page_connect_at("127.0.0.2", on.watch_port);
    CHECK(open >= 0);
    close(open);
    server_end(&on);
}

TEST(web, a_key_of_the_pilot_acts_and_one_of_a_watcher_does_not)
{
    serve("poisson2d shared --n 64 --until 0");
    page *p = server_pilot(&on), *w = watcher();
    page_say(w, "key 1 space");
    page_say(w, "size 2 640 480");
    page_say(w, "key 3 q");
    CHECK(!page_shows(w, "paused", true, 1));
    page_say(p, "key 2 space");
    CHECK(page_shows(p, "paused", true, WAIT));
    CHECK(page_shows(w, "paused", true, WAIT));
    page_say(p, "key 3 space");
    CHECK(page_shows(w, "paused", false, WAIT));
    page_say(p, "key 4 q");
    CHECK_STR(page_farewell(p, WAIT),
              "The program has ended. This page connects when it is started again.");
    ENDS(on.t, 0);
    term_close(on.t);
    page_close(p);
    page_close(w);
}

/* A page with the token that comes later steers as soon as it is used; its size counts. */
TEST(web, the_page_that_was_used_last_steers)
{
    serve("poisson2d shared --n 64 --until 0");
    page *first = server_pilot(&on), *second = server_pilot(&on);
    page_say(second, "size 2 700 500");
    page_say(second, "key 3 space");
    CHECK(page_shows(first, "paused", true, WAIT));
    page_close(second);
    page_say(first, "key 3 space");
    CHECK(page_shows(first, "paused", false, WAIT));
    page_close(first);
    server_end(&on);
}

TEST(web, who_is_no_page_of_this_machine_is_refused)
{
    static const struct {
        const char *host, *origin;
    } foreign[] = {{NULL, "http://evil.example"},
                   {"evil.example", NULL},
                   {NULL, "http://127.0.0.1:1"},
                   {NULL, "null"},
                   {"localhost.evil.example:80", NULL}};
    serve("poisson2d shared --n 64 --until 0");
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        CHECK_MSG(!page_open(on.port, foreign[i].host, foreign[i].origin), "case %zu is let in", i);
    page *p = page_open(on.port, NULL, NULL);
    CHECK(p != NULL);
    page_say(p, "hello 1 00000000000000000000000000000000");
    CHECK_STR(page_farewell(p, WAIT),
              "The program was started anew: open the address that it printed now.");
    CHECK_INT(page_frames(p), 0);
    page_close(p);
    p = page_open(on.port, NULL, NULL);
    page_say(p, "key 1 q");
    CHECK_STR(page_farewell(p, WAIT), "The page did not say hello.");
    page_close(p);
    p = page_open(on.watch_port, NULL, NULL);
    page_say(p, "hello 2 -");
    CHECK_STR(page_farewell(p, WAIT), "This page is of another version: load it again.");
    page_close(p);
    server_end(&on);
}

TEST(web, junk_closes_its_page_and_harms_no_other)
{
    static char large[65536], binary[300];
    int open[300], n = 0;
    serve("poisson2d shared --n 64 --until 0");
    page *p = server_pilot(&on);
    memset(large, 'k', sizeof large);
    for (size_t i = 0; i < sizeof binary; i++)
        binary[i] = (char)(i * 37);
    for (int kind = 0; kind < 3; kind++) {
        page *w = watcher();
        page_raw(w, kind == 1 ? 2 : 1, kind == 0 ? large : binary, kind == 0 ? sizeof large : 300);
        CHECK_MSG(page_farewell(w, WAIT), "junk of kind %d is taken", kind);
        page_close(w);
    }
    for (int i = 0; i < 300; i++)
        if ((open[n] =
                 page_connect(on.watch_port, i % 2 ? "GET /ws HTTP/1.1\r\nHost: lo" : NULL)) >= 0)
            n++;
    page_say(p, "key 2 space");
    CHECK(page_shows(p, "paused", true, WAIT));
    for (int i = 0; i < n; i++)
        close(open[i]);
    page_close(watcher());
    page_close(p);
    server_end(&on);
}

/* The kernel holds some frames for a page that does not read; then it gets no more. */
TEST(web, a_page_that_does_not_read_delays_no_other)
{
    serve("poisson2d shared --n 256 --until 0");
    page *p = server_pilot(&on), *idle = watcher(), *w = watcher();
    int before = page_frames(w);
    double until = ss_clock() + 2;
    while (ss_clock() < until) {
        CHECK(page_frame(w, WAIT));
        page_frame(p, 0);
    }
    CHECK_MSG(page_frames(w) > before + 5, "%d frames in 2 s", page_frames(w) - before);
    page_say(p, "key 2 space");
    CHECK(page_shows(w, "paused", true, WAIT));
    CHECK(page_shows(idle, "paused", true, WAIT));
    CHECK_MSG(page_frames(idle) < 15, "%d frames were kept for it", page_frames(idle));
    page_close(p);
    page_close(idle);
    page_close(w);
    server_end(&on);
}

TEST(web, a_port_in_use_is_named)
{
    char args[100], sentence[80];
    serve("poisson2d shared --n 64 --until 0");
    snprintf(args, sizeof args, "serve --port %d", on.port);
    snprintf(sentence, sizeof sentence, "port %d of 127.0.0.1 cannot be used", on.port);
    term *second = term_open(160, 24, NULL, args);
    SHOWS(second, sentence);
    ENDS(second, 1);
    term_close(second);
    server_end(&on);
}

/* --- files ------------------------------------------------------------------------------------ */

/* The path of the next file that the page is told, for a GET; NULL: none. */
static const char *offered(page *p, char *to, size_t size)
{
    const char *words = page_text(p, "file ", WAIT);
    snprintf(to, size, "/file/%.32s", words ? words + strlen("file ") : "");
    return words;
}

TEST(web, the_pilot_downloads_what_the_run_has_written)
{
    char folder[CHECK_FOLDER], line[CHECK_FOLDER + 60], path[60], body[4096];
    CHECK(check_folder(folder) != NULL);
    snprintf(line, sizeof line, "poisson2d shared --n 64 --until 0 -e 'save %s/a.npy'", folder);
    serve(line);
    page *p = server_pilot(&on), *w = watcher();
    CHECK(offered(p, path, sizeof path) != NULL);
    CHECK_INT(page_get(on.port, path, "127.0.0.1", body, sizeof body), 200);
    CHECK(strstr(body, "application/octet-stream") && strstr(body, "NUMPY"));
    CHECK(strstr(body, "nosniff") && strstr(body, "frame-ancestors 'none'"));
    CHECK_INT(page_get(on.port, path, "evil.example", NULL, 0), 403);
    CHECK_INT(page_get(on.watch_port, path, "127.0.0.1", NULL, 0), 404);
    path[8] = path[8] == '0' ? '1' : '0';
    CHECK_INT(page_get(on.port, path, "127.0.0.1", NULL, 0), 404);
    CHECK_INT(page_get(on.port, "/file/", "127.0.0.1", NULL, 0), 404);
    CHECK_INT(page_get(on.port, "/file/../../etc/passwd", "127.0.0.1", NULL, 0), 404);
    CHECK(!page_hears(w, "file ", 0.3));
    page_close(w);
    page_close(p);
    server_end(&on);
}

/* --- watchers' pages of another shape --------------------------------------------------------- */

static page *watcher_of(int w, int h)
{
    char size[40];
    page *p = watcher();
    snprintf(size, sizeof size, "size 1 %d %d", w, h);
    page_say(p, size);
    return p;
}

static bool has_size(page *p, int w, int h)
{
    for (double until = ss_clock() + WAIT; !page_has_size(p, w, h) && ss_clock() < until;)
        page_frame(p, 0.1);
    return page_has_size(p, w, h);
}

/* They come while the run rests. */
TEST(web, a_page_of_another_shape_shows_the_pilots_state_in_its_own_layout)
{
    serve("poisson2d shared --n 64 --until 0 -e 'step 3'");
    page *p = server_pilot(&on);
    CHECK(page_shows(p, "cycle 3", true, WAIT));
    page *wide = watcher_of(1440, 900), *phone = watcher_of(390, 844), *flat = watcher_of(844, 390);
    CHECK(has_size(phone, 390, 740) && has_size(flat, 800, 300) && has_size(wide, 1280, 800));
    CHECK(page_shows(phone, "cycle 3", true, WAIT) && page_shows(flat, "cycle 3", true, WAIT));
    page_say(phone, "key 1 L");
    page_say(phone, "key 2 space");
    page_say(p, "key 2 L");
    page_say(p, "key 3 ,");
    page *const all[] = {p, wide, phone, flat};
    for (int i = 0; i < 4; i++) {
        CHECK_MSG(page_shows(all[i], "cycle 4", true, WAIT), "page %d", i);
        CHECK_MSG(page_shows(all[i], "which block writes the point", true, WAIT), "page %d", i);
    }
    for (int i = 0; i < 4; i++)
        page_close(all[i]);
    server_end(&on);
}

#endif
