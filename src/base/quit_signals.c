/* See quit_signals.h. */
#include "src/base/quit_signals.h"

#include <stddef.h>

static const int numbers[SS_QUIT_SIGNALS] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

void ss_quit_signals_catch(ss_quit_signals *s, void (*handler)(int))
{
    struct sigaction act = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&act.sa_mask);
    for (int i = 0; i < SS_QUIT_SIGNALS; i++) {
        sigaction(numbers[i], NULL, &s->before[i]);
        if (numbers[i] != SIGHUP || s->before[i].sa_handler != SIG_IGN)
            sigaction(numbers[i], &act, NULL);
    }
    s->caught = true;
}

void ss_quit_signals_release(ss_quit_signals *s)
{
    for (int i = 0; s->caught && i < SS_QUIT_SIGNALS; i++)
        sigaction(numbers[i], &s->before[i], NULL);
    s->caught = false;
}
