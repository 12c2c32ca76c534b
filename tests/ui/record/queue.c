/* The thread of a live recording (ui/record/record.h): frames arrive in order and unchanged, a full
 * queue has no room, a failure is reported, and the end waits or discards. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "tests/check.h"
#include "ui/canvas/canvas.h"
#include "ui/record/record.h"

enum { W = 1024, H = 1024, SLOTS = 8 };

/* A recorder that waits for permission before it takes a frame. */
typedef struct slow {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int allowed, taken;
    int64_t at[64];
    uint32_t first[64], last[64]; /* pixels of each frame */
    int fails_at;                 /* number of the frame that cannot be written; -1: none */
} slow;

static int take(void *self, const ss_frame *frame, ss_err *err)
{
    slow *s = self;
    pthread_mutex_lock(&s->lock);
    while (s->taken >= s->allowed)
        pthread_cond_wait(&s->changed, &s->lock);
    int i = s->taken++;
    const uint32_t *px = (const uint32_t *)(const void *)frame->pixels->data;
    s->at[i] = frame->at;
    s->first[i] = px[0], s->last[i] = px[W * H - 1];
    pthread_mutex_unlock(&s->lock);
    return i == s->fails_at ? ss_fail(err, "the disk is full") : SS_OK;
}

static void allow(slow *s, int n)
{
    pthread_mutex_lock(&s->lock);
    s->allowed += n;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

static slow *new_slow(int fails_at)
{
    slow *s = calloc(1, sizeof *s);
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    s->fails_at = fails_at;
    return s;
}

static const ss_recorder recorder = {.frame = take};

/* Frame number i is filled with i; its pixels are overwritten afterwards. */
static int add(ss_queue *q, int i, ss_err *err)
{
    static uint32_t pixels[W * H];
    ss_pixels px = {.data = (void *)pixels, .w = W, .h = H, .stride = 4 * W};
    ss_frame frame = {.at = 3 * i, .pixels = &px};
    pixels[0] = pixels[W * H - 1] = (uint32_t)i;
    int status = ss_queue_add(q, &frame, err);
    pixels[0] = pixels[W * H - 1] = 0xdead;
    return status;
}

TEST(queue, frames_arrive_in_order_and_unchanged)
{
    ss_err err = {0};
    slow *s = new_slow(-1);
    ss_queue *q = ss_queue_new(&recorder, s, W, H);
    CHECK(q != NULL);
    for (int i = 0; i < SLOTS; i++) {
        CHECK(ss_queue_has_room(q, false));
        CHECK(add(q, i, &err) == SS_OK);
    }
    CHECK(!ss_queue_has_room(q, false)); /* the encoder takes none */
    allow(s, 1);
    CHECK(ss_queue_has_room(q, true));
    CHECK(add(q, SLOTS, &err) == SS_OK);
    allow(s, 64);
    CHECK(ss_queue_end(q, true, &err) == SS_OK);
    CHECK_INT(s->taken, SLOTS + 1);
    for (int i = 0; i < s->taken; i++) {
        CHECK_INT(s->at[i], 3 * i);
        CHECK(s->first[i] == (uint32_t)i && s->last[i] == (uint32_t)i);
    }
    free(s);
}

TEST(queue, a_failed_frame_is_reported)
{
    ss_err err = {0};
    slow *s = new_slow(1);
    ss_queue *q = ss_queue_new(&recorder, s, W, H);
    CHECK(q && add(q, 0, &err) == SS_OK && add(q, 1, &err) == SS_OK && add(q, 2, &err) == SS_OK);
    allow(s, 64);
    CHECK(ss_queue_end(q, true, &err) == SS_FAIL);
    CHECK_STR(err.text, "the disk is full");
    CHECK_INT(s->taken, 2); /* nothing is encoded after it */
    free(s);
}

/* Permission for all frames, once ss_queue_end has had time to discard those that wait. */
static void *allow_later(void *self)
{
    const struct timespec wait = {0, 500000000};
    nanosleep(&wait, NULL);
    allow(self, 64);
    return NULL;
}

TEST(queue, a_discarded_recording_does_not_wait_for_its_frames)
{
    ss_err err = {0};
    pthread_t later;
    slow *s = new_slow(-1);
    ss_queue *q = ss_queue_new(&recorder, s, W, H);
    CHECK(q != NULL);
    for (int i = 0; i < 4; i++)
        CHECK(add(q, i, &err) == SS_OK);
    CHECK_INT(pthread_create(&later, NULL, allow_later, s), 0);
    CHECK(ss_queue_end(q, false, &err) == SS_OK);
    CHECK(s->taken <= 1);
    pthread_join(later, NULL);
    free(s);
}
