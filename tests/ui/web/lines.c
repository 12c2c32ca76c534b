/* What a page may send, and who may connect (ui/web): lines of every kind, lines that are refused,
 * hosts, origins and tokens; shapes of pages; compressed messages. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

#ifdef SS_WITH_WEB
#include "ui/web/web.h"
#include "ui/web/lines.h"

static ss_web_line line;
static ss_err err;

static int parse(const char *text)
{
    return ss_web_parse(text, strlen(text), &line, &err);
}

TEST(web, lines_of_each_kind_are_read)
{
    CHECK_INT(parse("hello 1 0123456789abcdef0123456789abcdef"), SS_OK);
    CHECK_INT(line.version, 1);
    CHECK_STR(line.token, "0123456789abcdef0123456789abcdef");
    CHECK_INT(parse("size 3 1280 800"), SS_OK);
    CHECK_INT(line.w, 1280);
    CHECK_INT(line.h, 800);
    CHECK_INT(line.event.kind, SS_EV_RESIZE);
    CHECK_INT(parse("key 4 S-left"), SS_OK);
    CHECK_INT((int)line.number, 4);
    CHECK_STR(line.event.key, "S-left");
    CHECK_INT(parse("drag 5 -10.5 20 2 1"), SS_OK);
    CHECK_INT(line.event.kind, SS_EV_DRAG);
    CHECK(line.event.x < -10.4 && line.event.y > 19.9 && line.event.button == 2 &&
          line.event.shift);
    CHECK_INT(parse("press 5 1 2 3 0"), SS_OK);
    CHECK(line.event.finger && line.event.button == 0);
    CHECK_INT(parse("wheel 6 1 2 -1 0"), SS_OK);
    CHECK_INT(line.event.dy, -1);
    CHECK_INT(parse("answer 7 4294967295 -1.5e3"), SS_OK);
    CHECK_INT(line.kind, SS_WEB_ANSWER);
    CHECK_INT((int)line.number, 7);
    CHECK(line.page == UINT32_MAX && line.value > -1501 && line.value < -1499);
    CHECK_INT(parse("shown 4294967295"), SS_OK);
    CHECK(line.number == UINT32_MAX);
    CHECK_INT(parse("again"), SS_OK);
    CHECK_INT(parse("alive"), SS_OK);
}

/* What a browser calls a key, and what the program does; "": no key of the program. */
TEST(web, keys_of_a_browser_have_the_program_s_names)
{
    static const char *const keys[][2] = {{"k", "k"},
                                          {"S-K", "K"},
                                          {"S-ArrowLeft", "S-left"},
                                          {"C-S-K", "C-k"},
                                          {"-", "-"},
                                          {"S-_", "_"},
                                          {"PageDown", "pgdn"},
                                          {"S-Enter", "enter"},
                                          {"C-d", "C-d"},
                                          {"space", "space"},
                                          {"S-Tab", "S-tab"},
                                          {"F10", "F10"},
                                          {"C-ArrowUp", "C-up"},
                                          {"S-", ""},
                                          {"Shift", ""},
                                          {"MediaTrackPrevious", ""},
                                          {"C-Enter", ""},
                                          {"Dead", ""},
                                          {"S-left", "S-left"},
                                          {"S-Ü", "Ü"},
                                          {"語", "語"},
                                          {"üü", ""},
                                          {"esc", "esc"}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char text[64];
        snprintf(text, sizeof text, "key 1 %s", keys[i][0]);
        CHECK_MSG(parse(text) == SS_OK, "%s", text);
        bool none = line.event.kind == SS_EV_NONE;
        CHECK_STR(none ? "" : line.event.key, keys[i][1]);
    }
}

TEST(web, other_lines_are_refused)
{
    static const char *const bad[] = {"",
                                      " ",
                                      "quit",
                                      "key",
                                      "key 1",
                                      "key 1 ",
                                      "key 1 a b",
                                      "key x a",
                                      "key 1 \x7f",
                                      "key 1 \xc3",
                                      "key 1 \xc2\x9b",
                                      "key -1 a",
                                      "key 1 a-name-that-is-longer-than-any-key-has",
                                      "size 1 10 10",
                                      "size 1 1280",
                                      "size 1 99999 800",
                                      "press 1 nan 0 0 0",
                                      "press 1 1e999 0 0 0",
                                      "press 1 0x10 0 0 0",
                                      "press 1 1 1 4 0",
                                      "press 1 1 1 0 2",
                                      "wheel 1 1 1 0 0",
                                      "answer 1 2",
                                      "answer 1 0 3",
                                      "answer 1 2 three",
                                      "answer 1 2 nan",
                                      "answer 1 2 inf",
                                      "answer 1 2 1e15",
                                      "answer 1 2 0x10",
                                      "answer 1 2 3 4",
                                      "shown 4294967296",
                                      "hello 1",
                                      "hello 1 0123456789abcdef0123456789abcdef0",
                                      "alive now",
                                      "ALIVE"};
    char longest[4096];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        err.text[0] = '\0';
        CHECK_MSG(parse(bad[i]) == SS_FAIL && err.text[0], "'%s' was read", bad[i]);
    }
    memset(longest, 'a', sizeof longest);
    CHECK_INT(ss_web_parse(longest, sizeof longest, &line, &err), SS_FAIL);
    CHECK_INT(ss_web_parse("alive\0", 6, &line, &err), SS_FAIL);
}

TEST(web, only_this_machine_is_a_host)
{
    static const char *const good[] = {"localhost", "localhost:8765", "LocalHost:1",
                                       "127.0.0.1", "127.0.0.1:8765", "10.1.2.3:80",
                                       "[::1]",     "[::1]:8765"};
    static const char *const bad[] = {"",
                                      ":80",
                                      "evil.example",
                                      "evil.example:8765",
                                      "localhost.evil.example",
                                      "127.0.0.1.evil.example",
                                      "[::1",
                                      "127.0.0.1:80:80",
                                      "localhost:8a",
                                      "1.2.3.4@evil"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        CHECK_MSG(ss_web_host_allowed(good[i]), "%s is refused", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_MSG(!ss_web_host_allowed(bad[i]), "%s is allowed", bad[i]);
    CHECK(!ss_web_host_allowed(NULL));
}

TEST(web, only_pages_of_this_host_connect)
{
    CHECK(ss_web_origin_allowed(NULL, "127.0.0.1:8765"));
    CHECK(ss_web_origin_allowed("http://127.0.0.1:8765", "127.0.0.1:8765"));
    CHECK(ss_web_origin_allowed("https://localhost", "localhost"));
    CHECK(!ss_web_origin_allowed("http://127.0.0.1:9999", "127.0.0.1:8765"));
    CHECK(!ss_web_origin_allowed("http://evil.example", "127.0.0.1:8765"));
    CHECK(!ss_web_origin_allowed("null", "127.0.0.1:8765"));
    CHECK(!ss_web_origin_allowed("file://127.0.0.1:8765", "127.0.0.1:8765"));
}

TEST(web, a_token_is_equal_or_not)
{
    CHECK(ss_web_token_equal("0123", "0123"));
    CHECK(!ss_web_token_equal("0124", "0123"));
    CHECK(!ss_web_token_equal("1123", "0123"));
    CHECK(!ss_web_token_equal("", "0123"));
    CHECK(!ss_web_token_equal("-", "0123"));
    CHECK(!ss_web_token_equal("01234", "0123"));
}

TEST(web, pages_of_all_sizes_have_a_shape)
{
    CHECK_INT(ss_shape_of(0, 0), SS_SHAPE_PILOT);
    CHECK_INT(ss_shape_of(1280, 800), SS_SHAPE_DESKTOP);
    CHECK_INT(ss_shape_of(390, 844), SS_SHAPE_UPRIGHT);
    CHECK_INT(ss_shape_of(412, 700), SS_SHAPE_UPRIGHT);
    CHECK_INT(ss_shape_of(844, 390), SS_SHAPE_FLAT);
}

/* --- the feed --------------------------------------------------------------------------------- */

static ss_stream_frame *frame_of(uint32_t serial, uint8_t value)
{
    ss_stream_frame *f = calloc(1, sizeof *f);
    CHECK(f && ss_frame_add(f));
    memset(ss_frame_more(f, 100), value, 100);
    f->part[0].hash = ss_frame_hash(f->data, f->used);
    f->serial = serial, f->w = 400, f->h = 300;
    return f;
}

static void check_packet(ss_feed *feed, uint32_t have, const ss_stream_frame *before,
                         const ss_stream_frame *now)
{
    static ss_stream_frame got;
    size_t n;
    const ss_packet *k = ss_feed_packet(feed, have);
    CHECK(k != NULL);
    uint8_t *message = ss_feed_inflate(k->data + SS_FEED_HEAD, k->n, &n);
    CHECK(message != NULL);
    CHECK_MSG(ss_message_read(message, n, before, &got, &err) == SS_OK, "%s", err.text);
    CHECK_INT((int)got.serial, (int)now->serial);
    CHECK(got.used == now->used && memcmp(got.data, now->data, got.used) == 0);
    free(message);
}

TEST(web, a_page_gets_the_difference_to_what_it_has)
{
    ss_stream_frame *frame[6];
    ss_feed *feed = ss_feed_new(&err);
    CHECK(feed != NULL);
    for (uint32_t i = 0; i < 6; i++) {
        frame[i] = frame_of(i + 1, (uint8_t)(i + 1));
        ss_stream_frame *spare = ss_feed_push(feed, frame[i]);
        CHECK((spare != NULL) == (i >= 4));
        if (spare)
            ss_frame_free(spare);
        free(spare);
    }
    CHECK_INT((int)ss_feed_serial(feed), 6);
    check_packet(feed, 5, frame[4], frame[5]);
    check_packet(feed, 3, frame[2], frame[5]);
    check_packet(feed, 2, NULL, frame[5]); /* no longer kept */
    check_packet(feed, 0, NULL, frame[5]);
    ss_feed_free(feed);
}

TEST(web, what_is_not_compressed_is_refused)
{
    static const uint8_t junk[] = {0xff, 0xff, 1, 2, 3, 4, 5, 6, 7};
    size_t n;
    CHECK(ss_feed_inflate(junk, sizeof junk, &n) == NULL);
    CHECK(ss_feed_inflate(junk, 0, &n) == NULL);
}

#endif
