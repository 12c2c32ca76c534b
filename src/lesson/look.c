/* A lesson's step seen in the program itself, from the walk through it: see session.h. */
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/lesson/session.h"
#include "src/core/registry.h"

/* What stands under the picture: the lesson, the step, what is to be done. */
static void put_sentence(const ss_session *now, char *line, size_t size)
{
    const ss_lesson_step *s = ss_session_step(now);
    static char text[SS_CMD_TEXT / 2];
    ss_cmd say;
    ss_err err;
    snprintf(text, sizeof text, "%s: %s", s->title, s->turn[0] ? s->turn : now->lesson->title);
    ss_cmd_parse("say x", &say, &err);
    say.arg[0] = text;
    ss_cmd_format(&say, line, size);
}

/* What is typed while it has the terminal is for it, ctrl-c included. */
static bool spawn_and_wait(char *const argv[])
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, interrupt, quit;
    posix_spawnattr_t attr;
    sigset_t both;
    pid_t pid;
    int status;
    sigemptyset(&both);
    sigaddset(&both, SIGINT);
    sigaddset(&both, SIGQUIT);
    if (posix_spawnattr_init(&attr) != 0)
        return false;
    posix_spawnattr_setsigdefault(&attr, &both);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
    sigaction(SIGINT, &ignore, &interrupt);
    sigaction(SIGQUIT, &ignore, &quit);
    bool spawned = posix_spawn(&pid, "/proc/self/exe", NULL, &attr, argv, environ) == 0;
    while (spawned && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGQUIT, &quit, NULL);
    posix_spawnattr_destroy(&attr);
    return spawned;
}

/* The program itself, on the same machine, with all that has been done so far as its script. */
void ss_lesson_look(const ss_session *now, const ss_pupil *pupil, const ss_config *cfg, FILE *in,
                    FILE *out)
{
    enum { MOST = 200 };
    static char line[MOST + 1][SS_CMD_TEXT];
    const ss_script *s = ss_pupil_history(pupil);
    char threads[32];
    char *argv[2 * MOST + 8] = {"stencilscope", "--backend", (char *)ss_config_backend(cfg)->name,
                                "--threads", threads};
    int n = 5;
    if (!isatty(fileno(in)) || !isatty(fileno(out))) {
        fprintf(out, "That needs a terminal.\n");
        return;
    }
    if (s->count > MOST) {
        fprintf(
            out,
            "More than %d commands were given in this step: back, then next, begins it again.\n",
            MOST);
        return;
    }
    snprintf(threads, sizeof threads, "%lld", (long long)ss_config_int(cfg, "threads"));
    for (int i = 0; i < s->count; i++) {
        ss_cmd_format(s->cmd[i], line[i], sizeof line[i]);
        argv[n++] = "-e";
        argv[n++] = line[i];
    }
    put_sentence(now, line[s->count], sizeof line[0]);
    argv[n++] = "-e";
    argv[n++] = line[s->count];
    argv[n] = NULL;
    fflush(out);
    fprintf(out, spawn_and_wait(argv)
                     ? "Here it is as it was before; what was turned there is not kept.\n"
                     : "The program cannot be started once more.\n");
}
