/*
 * Frames and messages (ui/stream): what a message makes equals the frame it was written for, byte
 * for byte, however many frames were missed; messages that are cut,
 * changed or random are refused or read, never more.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"
#include "tests/ui/samples.h"
#include "ui/panels/screen.h"
#include "ui/stream/stream.h"

static void same_frame(const ss_stream_frame *a, const ss_stream_frame *b)
{
    CHECK_INT(a->nparts, b->nparts);
    CHECK_INT((int)a->serial, (int)b->serial);
    CHECK_INT(a->w, b->w);
    CHECK_INT(a->h, b->h);
    CHECK_INT(a->pointer, b->pointer);
    CHECK_INT((int)a->used, (int)b->used);
    CHECK(memcmp(a->data, b->data, a->used) == 0);
    for (int i = 0; i < a->nparts; i++) {
        const ss_chunk *p = &a->part[i], *q = &b->part[i];
        CHECK(p->at == q->at && p->n == q->n && p->hash == q->hash && p->cols == q->cols &&
              p->rows == q->rows && (p->cols == 0 || p->levels == q->levels));
    }
}

/* --- frames of screens ------------------------------------------------------------------------ */

typedef struct screen {
    ss_ui *ui;
    ss_framer *framer;
    ss_snapshot *snap;
    sample_log log;
    uint32_t serial;
} screen;

static screen *screen_new(void)
{
    static screen s;
    ss_err err;
    s = (screen){.snap = sample_2d(SS_VALUE, 64, 48)};
    s.ui = ss_ui_new(sample_emit, &s.log, &err);
    s.framer = ss_framer_new(&err);
    CHECK(s.ui && s.framer);
    return &s;
}

static void screen_free(screen *s)
{
    ss_ui_free(s->ui);
    ss_framer_free(s->framer);
    sample_free(s->snap);
}

static void draw(screen *s, int w, int h, ss_stream_frame *out)
{
    ss_err err;
    ss_extent extent;
    ss_places_extent(1, w, h, &extent);
    ss_ui_scene(s->ui, s->snap, &extent, 20);
    const ss_view *view = ss_ui_view(s->ui);
    s->snap->seq++;
    if (s->snap->picture.w != view->w || s->snap->picture.h != view->h)
        sample_picture(s->snap, view->layer, view->w, view->h);
    CHECK_INT(
        ss_framer_draw(s->framer, ss_ui_scene(s->ui, s->snap, &extent, 20), 1, w, h, out, &err),
        SS_OK);
    out->serial = ++s->serial;
}

/* Another cycle: some cells, the residual, at times another layer or size. */
static void advance(screen *s, int i)
{
    ss_picture *p = &s->snap->picture;
    for (int c = i % 7; p->cell && c < p->w * p->h; c += 7)
        p->cell[c] += 0.01F * (float)(c % 13);
    s->snap->telemetry.value[SS_T_ITERATION] += 4;
    if (i % 97 == 96)
        sample_command(s->ui, "theme light", s->snap);
    if (i % 97 == 48)
        sample_command(s->ui, "theme dark", s->snap);
}

/* The player at the other end: has `have`, receives a message of the frame, and has that. */
static void send(const ss_stream_frame *have, const ss_stream_frame *now, ss_stream_frame *got)
{
    static ss_stream_message m;
    ss_err err = {0};
    CHECK_INT(ss_message_write(&m, have, now, &err), SS_OK);
    int status = ss_message_read(m.data, m.used, have, got, &err);
    CHECK_MSG(status == SS_OK, "%s", err.text);
    same_frame(now, got);
}

SLOW_TEST(stream, a_thousand_frames_with_some_dropped_arrive_byte_for_byte)
{
    static ss_stream_frame now, got[2];
    screen *s = screen_new();
    uint64_t seed = 5;
    int at = 0;
    bool has = false;
    for (int i = 0; i < 1000; i++) {
        int large = i / 250 % 2;
        advance(s, i);
        draw(s, large ? 1280 : 900, large ? 800 : 620, &now);
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        if (seed >> 61 == 0) /* one of eight is not sent */
            continue;
        send(has ? &got[at] : NULL, &now, &got[1 - at]);
        at = 1 - at, has = true;
    }
    screen_free(s);
}

TEST(stream, what_has_not_changed_is_not_sent)
{
    static ss_stream_frame first, second;
    static ss_stream_message whole, difference;
    ss_err err;
    screen *s = screen_new();
    draw(s, 1280, 800, &first);
    draw(s, 1280, 800, &second);
    CHECK_INT(ss_message_write(&whole, NULL, &first, &err), SS_OK);
    CHECK_INT(ss_message_write(&difference, &first, &second, &err), SS_OK);
    CHECK_MSG(difference.used < 40, "%zu bytes of %zu", difference.used, whole.used);
    screen_free(s);
}

TEST(stream, a_message_of_another_frame_is_refused)
{
    static ss_stream_frame first, second, got;
    static ss_stream_message m;
    ss_err err = {0};
    screen *s = screen_new();
    draw(s, 900, 620, &first);
    draw(s, 900, 620, &second);
    CHECK_INT(ss_message_write(&m, &first, &second, &err), SS_OK);
    CHECK_INT(ss_message_read(m.data, m.used, NULL, &got, &err), SS_FAIL);
    CHECK_STR(err.text, "a message needs frame 1, not 0");
    CHECK_INT(ss_message_read(m.data, m.used, &second, &got, &err), SS_FAIL);
    screen_free(s);
}

/* Cut at each byte of its head and at many others; changed bytes; read from memory that ends with
 * the message. */
TEST(stream, messages_that_are_cut_or_changed_do_no_harm)
{
    static ss_stream_frame first, second, got;
    static ss_stream_message m;
    ss_err err = {0};
    uint64_t seed = 9;
    screen *s = screen_new();
    draw(s, 900, 620, &first);
    advance(s, 3);
    draw(s, 900, 620, &second);
    CHECK_INT(ss_message_write(&m, &first, &second, &err), SS_OK);
    CHECK_MSG(m.used > 1000, "only %zu bytes", m.used);
    for (int i = 0; i < 400; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        size_t n = i < 40 ? (size_t)i : (size_t)(seed >> 33) % m.used;
        uint8_t *exact = malloc(n > 0 ? n : 1);
        memcpy(exact, m.data, n);
        CHECK_INT(ss_message_read(exact, n, &first, &got, &err), SS_FAIL);
        if (n > 20) {
            exact[(size_t)(seed >> 40) % n] ^= (uint8_t)(1 + (seed >> 20) % 255);
            ss_message_read(exact, n, &first, &got, &err);
        }
        free(exact);
    }
    screen_free(s);
}
