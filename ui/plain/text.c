/* The plain text front end: append-only lines without box drawing, for screen readers and logs.
 * One line for the first cycle, then one per decade of the residual or per second, whichever is
 * sooner. With --ui text it reads commands from standard input, one per line; chosen in the place
 * of a screen it does not, since the input may be meant for another program. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/core/registry.h"
#include "ui/plain/wait.h"

extern const ss_frontend ss_frontend_text;

static struct {
    bool greeted;
    int64_t printed; /* cycle of the last line, -1: none */
    double decade;   /* reduction at the last line */
    double clock;    /* time of the last line */
    uint64_t message_seq;
    int nmark;
    bool paused; /* the last line said so */
} seen;

static struct {
    bool open;  /* more may come */
    bool heard; /* a line was read: the lines answer somebody */
    bool held;  /* no line is wanted now */
    bool asked; /* lines are wanted without --ui text, too */
    bool skips; /* the rest of a line that was too long */
    char byte[4096], line[4097];
    size_t n;
} input;

static int text_open(void **self, ss_err *err)
{
    memset(&seen, 0, sizeof seen);
    memset(&input, 0, sizeof input);
    input.open = ss_config_given(ss_options(), "ui");
    seen.printed = -1;
    setvbuf(stdout, NULL, _IOLBF, 0);
    return ss_plain_open(self, err);
}

static void greet(const ss_snapshot *s)
{
    char value[64];
    printf("stencilscope: %s, solver %s, grid %s, %s, %s\n", s->equation, s->solver_name, s->grid,
           s->precision, s->backend);
    for (int i = 0; i < s->ncontrol; i++) {
        const ss_control *c = &s->control[i];
        printf("  %s %s%s%s%s\n", c->row->name,
               ss_param_format(c->row, c->value, value, sizeof value), *c->note ? " (" : "",
               c->note, *c->note ? ")" : "");
    }
    seen.greeted = true;
}

static double reduction_of(const ss_snapshot *s, const ss_point *p)
{
    return s->residual0 > 0 ? p->residual / s->residual0 : 0;
}

/* A time-dependent run has no falling residual: its lines become rarer with time. */
static bool is_due(const ss_snapshot *s, const ss_point *p, double now)
{
    if (s->kind == SS_TRANSIENT && p->cycle >= 10 && p->cycle >= 2 * seen.printed)
        return true;
    if (p->cycle <= 10 || (!s->deterministic && now - seen.clock >= 1))
        return true;
    return s->kind == SS_STEADY && floor(log10(reduction_of(s, p) + 1e-300)) < seen.decade;
}

/* "iteration 640, residual 4.8e-3 of the first" */
static void print_steady(const ss_snapshot *s, const ss_point *p)
{
    char residual[32];
    printf("iteration %lld, residual %s of the first", (long long)p->iteration,
           ss_format_sci(reduction_of(s, p), residual, sizeof residual));
}

/* "t = 0.0118, mass 0.5625, energy 1.375" */
static void print_transient(const ss_snapshot *s, const ss_point *p)
{
    printf("t = %.6g", p->time);
    for (int i = 0; i < s->nwatched; i++)
        printf(", %s %.8g", s->watched[i].row->name, p->monitor[i]);
}

static void print_point(const ss_snapshot *s, const ss_point *p, double now)
{
    static void (*const print[SS_NKIND])(const ss_snapshot *, const ss_point *) = {
        [SS_STEADY] = print_steady, [SS_TRANSIENT] = print_transient};
    char bytes[32], seconds[32];
    double reduction = reduction_of(s, p);
    bool wall = !s->deterministic;
    printf("cycle %lld, ", (long long)p->cycle);
    print[s->kind](s, p);
    printf(", %s, %s moved\n", wall ? ss_format_si(p->seconds, "s", seconds, sizeof seconds) : "-",
           ss_format_bytes(p->bytes, bytes, sizeof bytes));
    seen.printed = p->cycle;
    seen.decade = fmin(seen.decade, floor(log10(reduction + 1e-300))); /* it may rise again */
    seen.clock = now;
}

static void print_news(const ss_snapshot *s)
{
    if (s->message_seq != seen.message_seq && s->message[0] && !input.heard) /* else as an answer */
        printf("%s%s\n", s->message_is_error ? "error: " : "", s->message);
    seen.message_seq = s->message_seq;
    for (int i = seen.nmark < s->nmark ? seen.nmark : s->nmark; i < s->nmark; i++)
        printf("at cycle %lld: %s\n", (long long)s->mark[i].at.cycle, s->mark[i].text);
    seen.nmark = s->nmark;
}

/* For who gives commands: the state in which one of them has left the run. */
static void print_state(const ss_snapshot *s, double now)
{
    const ss_point *last = s->ncurve > 0 ? &s->curve[s->ncurve - 1] : NULL;
    bool paused = s->paused && s->status == SS_RUNNING;
    if (paused && last && last->cycle > seen.printed)
        print_point(s, last, now);
    if (paused != seen.paused)
        printf("%s\n", paused ? "paused" : s->status == SS_RUNNING ? "running" : "stopped");
    seen.paused = paused;
}

static void text_draw(void *self, const struct ss_scene *scene, const ss_snapshot *s)
{
    (void)self, (void)scene;
    double now = ss_clock();
    if (!seen.greeted)
        greet(s);
    if (s->ncurve > 0 && s->curve[s->ncurve - 1].cycle < seen.printed)
        seen.printed = -1, seen.decade = 0; /* a reset */
    for (int i = 0; i < s->ncurve; i++)
        if (s->curve[i].cycle > seen.printed && is_due(s, &s->curve[i], now))
            print_point(s, &s->curve[i], now);
    print_news(s);
    if (input.heard)
        print_state(s, now);
}

/* --- commands --------------------------------------------------------------------------------- */

/* A process in the background must not read from its terminal. */
static bool may_read(void)
{
    return input.open && !input.held &&
           (!isatty(STDIN_FILENO) || tcgetpgrp(STDIN_FILENO) == getpgrp());
}

static void read_bytes(void)
{
    ssize_t n = read(STDIN_FILENO, input.byte + input.n, sizeof input.byte - input.n);
    if (n > 0)
        input.n += (size_t)n;
    else if (n == 0 || (errno != EINTR && errno != EAGAIN))
        input.open = false;
}

/* A whole line, or what is there at the end of input. A line that fills the buffer is longer than
 * any command: its beginning is refused as such, its rest is dropped. */
static bool take_line(ss_event *ev)
{
    const char *end = memchr(input.byte, '\n', input.n);
    bool full = input.n == sizeof input.byte, skipped = input.skips;
    if (input.held || (!end && (input.n == 0 || (input.open && !full))))
        return false;
    size_t n = end ? (size_t)(end - input.byte) : input.n, used = n + (end != NULL);
    snprintf(input.line, sizeof input.line, "%.*s", (int)n, input.byte);
    memmove(input.byte, input.byte + used, input.n -= used);
    input.skips = !end && input.open;
    if (skipped)
        return take_line(ev);
    input.heard = true;
    *ev = (ss_event){.kind = SS_EV_COMMAND, .text = input.line};
    return true;
}

static int text_poll(void *self, double seconds, ss_event *ev)
{
    (void)self;
    bool readable;
    if (take_line(ev))
        return 1;
    if (ss_plain_poll_input(seconds, may_read() ? STDIN_FILENO : -1, &readable, ev))
        return 1;
    if (readable)
        read_bytes();
    return take_line(ev);
}

static bool text_listens(void *self)
{
    (void)self;
    return input.open || input.n > 0;
}

static void text_hold(void *self, bool hold)
{
    (void)self;
    input.open = input.open || !input.asked;
    input.asked = true;
    input.held = hold;
}

static void text_say(void *self, bool error, const char *text)
{
    (void)self;
    printf("%s%s\n", error ? "refused: " : "", text);
}

/* The line itself is printed: the user copies it. */
static bool text_copy(void *self, const char *text)
{
    (void)self;
    return printf("%s\n", text) > 0;
}

const ss_frontend ss_frontend_text = {
    .name = "text",
    .help = "append-only lines, for screen readers and logs; reads commands, one per line",
    .open = text_open,
    .extent = ss_plain_extent,
    .poll = text_poll,
    .wake = ss_plain_wake,
    .draw = text_draw,
    .copy = text_copy,
    .listens = text_listens,
    .hold = text_hold,
    .say = text_say,
    .close = ss_plain_close,
};
