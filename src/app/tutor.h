/* A lesson next to the run, shared by lesson.c (its commands, the class that watches, a turn of the
 * loop, the list of lessons), lesson_play.c (the commands that the lesson runs on the live run),
 * and lesson_lines.c (front ends of lines). See parts.h. Main thread. */
#ifndef SS_APP_TUTOR_H
#define SS_APP_TUTOR_H

#include "src/app/parts.h"
#include "src/lesson/session.h"
#include "src/snapshot/page.h"

/* A command of `do` that is carried out in parts, so that the eye can follow: "tick 8" is eight
 * ticks. */
typedef struct ss_play {
    char verb[8]; /* "": none */
    int64_t all, done;
    int parts, part;
    double each;   /* seconds per part */
    double next;   /* clock: the earliest time of the next command */
    bool skip;     /* the rest at once */
    char what[48]; /* "subiteration 5 of 8" */
} ss_play;

/* The run after the step was set up, to see what the student did by hand. */
typedef struct ss_start {
    ss_config cfg;
    int64_t cycle;
    int peek;
} ss_start;

/* Those who watch and predict, too. */
typedef struct ss_class {
    const ss_lesson *lesson; /* whose steps these are */
    int asking;              /* the step whose question is open; -1: none */
    ss_answers answers[SS_STEPS_MAX];
} ss_class;

/* In a front end of lines. */
typedef struct ss_lines {
    bool on, busy;                 /* busy: no line is read */
    bool prompted, stopped;        /* stopped: by ctrl-c */
    uint64_t said[SS_PAGE_BLOCKS]; /* hashes of the blocks on the page that was said last */
    int nsaid, step;               /* blocks of the page said so far; the step that it shows */
    uint64_t turn;
    int64_t cycle; /* that was said last */
} ss_lines;

typedef struct ss_tutor {
    const ss_lesson *lesson; /* NULL: none is open */
    ss_session session;
    ss_examiner *examiner;
    ss_check_result result[SS_CHECKS_MAX];
    ss_page page;
    ss_focus focus;
    ss_script queue; /* commands of the lesson, waiting for the run to be still */
    int paced;       /* the queue's commands from here on are played */
    ss_play play;
    ss_start start;
    bool begun;    /* the first step has been set up */
    bool sending;  /* a command comes from the queue, not from the student */
    bool setting;  /* the queue sets up the step: the student's commands are refused */
    bool starts;   /* space was pressed meanwhile: the run starts when the step is set up */
    bool trying;   /* the queue holds the commands of `do` */
    bool touched;  /* the student has changed or advanced the run since the step was set up */
    bool examined; /* the examiner evaluates this step */
    bool skipping; /* the next `next` skips a step that is not done */
    bool stale;    /* the page must be rebuilt */
    int chosen;
    bool moved; /* the lesson has moved the run to the CPU */
    ss_class class;
    ss_lines lines;

    ss_lesson *opened[SS_SHELF_MAX]; /* owned: those opened here; kept, since the examiner may read
                                        them until it ends */
    int nopened;
    ss_shelf shelf;
} ss_tutor;

/* --- lesson_play.c ---------------------------------------------------------------------------- */

/* Empties the queue, then queues what leads to the start of the step. */
int ss_tutor_queue_start(app *a, ss_err *err);
/* Queues commands; paced: they are played. */
int ss_tutor_queue(ss_tutor *t, const ss_script *s, bool paced, ss_err *err);
int ss_tutor_queue_line(ss_tutor *t, const char *line, ss_err *err);
bool ss_tutor_is_waiting(const ss_tutor *t);
bool ss_tutor_is_at_rest(const app *a);
/* Sends what is due, one command at a time, each when the run is still. */
void ss_tutor_send(app *a);
/* Has the student done by hand what `do` would do? */
bool ss_tutor_did_by_hand(const app *a);

/* An error or a notice, in the message line or as a line. */
void ss_tutor_say(app *a, bool error, const char *text);

/* --- lesson_lines.c --------------------------------------------------------------------------- */

/* Takes a line of the student, and ctrl-c, which ends the lesson's work, not the program. */
bool ss_tutor_event(app *a, const ss_event *ev);
/* Says what is new, and reads lines if nothing is under way. judged: the checks of the run as it is
 * are evaluated, and on the page. */
void ss_tutor_lines_turn(app *a, bool judged);

#endif
