/* A front end: one constant struct, passive. The app polls it for events, passes it a scene to
 * draw and closes it. All functions are called from the main thread, except wake, which any
 * thread and any signal handler may call. */
#ifndef SS_FRONTEND_H
#define SS_FRONTEND_H

#include "src/base/common.h"
#include "src/core/param.h"
#include "src/snapshot/page.h"
#include "src/snapshot/snapshot.h"

typedef enum ss_event_kind {
    SS_EV_NONE,
    SS_EV_KEY,   /* key: "k", "K", "space", "left", "S-left", "C-l", "enter", "esc", "F1", "tab" */
    SS_EV_PRESS, /* mouse button at (x, y) */
    SS_EV_DRAG,  /* moved with the button held */
    SS_EV_RELEASE,
    SS_EV_MOVE,
    SS_EV_WHEEL,   /* dy: +1 up, -1 down */
    SS_EV_HOVER,   /* the mouse has rested at (x, y) for a while */
    SS_EV_NOTICE,  /* text: a sentence to show */
    SS_EV_DROP,    /* text: the path of a file that was dropped on the window */
    SS_EV_COMMAND, /* text: a command of the front end itself */
    SS_EV_RESIZE,  /* or: draw everything again at once */
    SS_EV_QUIT     /* a signal (button) asked the program to end; 0: the window was closed */
} ss_event_kind;

typedef struct ss_event {
    ss_event_kind kind;
    char key[16];
    double x, y;      /* layout units: character cells, fractions where the device has them */
    int dy, button;   /* button: 0 left, 1 middle, 2 right; QUIT: the signal */
    bool shift;       /* PRESS: with the shift key */
    bool finger;      /* PRESS: not exact */
    const char *text; /* NOTICE, DROP, COMMAND; valid until the next event */
} ss_event;

#define SS_SCALE_LEAST 0.5 /* of a window's interface: smaller characters cannot be read */

/* The size a front end offers, in character cells; pixels are the dots that a cell can show. */
typedef struct ss_extent {
    int cols, rows;
    int dots_x, dots_y;     /* picture dots per cell: half blocks 1 x 2 */
    int head, side;         /* rows and columns of a frame's upper edge and sides; 0: one */
    int shades, all_shades; /* of a colour map, now and at best; 0: no limit */
    double scale;           /* of a window, the scale of the interface; 0: cells have one size */
    bool page;              /* in a browser: nobody can choose the scale, or enlarge a phone */
    bool links;             /* that page holds the program: a state is a link, and nothing ends */
} ss_extent;

struct ss_scene;
struct ss_ui;

enum {
    SS_FE_INTERACTIVE =
        1 << 0, /* a user is present: picker, pause at the start, continue beyond the tolerance */
    SS_FE_DRAWS = 1 << 1,     /* wants a scene and pictures */
    SS_FE_DEVICE_TTY = 1 << 2 /* owns the terminal while open */
};

typedef struct ss_frontend {
    const char *name, *help;
    unsigned caps;
    double fps; /* frames per second unless --fps is given; 0: its default */
    /* Most bytes of a run's checkpoints, unless these are fewer than ten; 0: 64 MB */
    double past_bytes;
    ss_param *params; /* its parameter rows, or NULL */
    int nparam;
    int (*check)(ss_err *err); /* fails if its options contradict each other; NULL: they cannot */
    /* Can it run here? The reason if not. NULL: always. */
    int (*probe)(ss_err *err);
    int (*open)(void **self, ss_err *err);
    void (*extent)(void *self, ss_extent *out);
    /* Waits up to `seconds` (<0: until something happens) for one event, wake or extra_fd readable.
     * Returns 1 with an event, 0 without. */
    int (*poll)(void *self, double seconds, ss_event *ev);
    void (*wake)(void *self);
    /* Is a page connected? Without one no picture is made; the first one wakes the app. NULL:
     * always.
     */
    bool (*watched)(void *self);
    /* scene is NULL for front ends without SS_FE_DRAWS. Keeps no pointer. */
    void (*draw)(void *self, const struct ss_scene *scene, const ss_snapshot *snap);
    /* Draws the state of a scene that was just made for watchers whose screens have another shape.
     * NULL: there are none. */
    void (*draw_others)(void *self, struct ss_ui *ui, const ss_snapshot *snap);
    /* Copies to the clipboard; false: failed. NULL: there is no clipboard. */
    bool (*copy)(void *self, const char *text);
    /* May more commands come (SS_EV_COMMAND), line by line, instead of keys? NULL: never. */
    bool (*listens)(void *self);
    /* Reads none until false is passed. NULL: it takes none. */
    void (*hold)(void *self, bool hold);
    /* Answers such a command. NULL: it takes none. */
    void (*say)(void *self, bool error, const char *text);
    /* Tells the line that leads to what is shown (ss_ui_line_of), at most once per second while it
     * changes. NULL: nobody asks. */
    void (*address)(void *self, const char *line);
    /* Writes what is shown into a new PNG file and names it. NULL: it has no pixels. */
    int (*picture)(void *self, char *path, size_t size, ss_err *err);
    /* May others watch, by its options? NULL: never. */
    bool (*has_class)(void);
    /* Puts a question to all who watch; NULL: it is closed, no answer is taken any more. Wakes when
     * answers come. NULL: nobody else watches. */
    void (*ask)(void *self, const ss_question *question);
    /* The answers to the last question so far. */
    void (*answers)(void *self, ss_answers *out);
    void (*close)(void *self);
} ss_frontend;

/* In the order in which --ui auto tries them; NULL-terminated. src/app/main.c */
extern const ss_frontend *const ss_frontends[];
/* Front ends that this build lacks, and the libraries they need; NULL-name-terminated. */
typedef struct ss_frontend_need {
    const char *name, *what;
} ss_frontend_need;
extern const ss_frontend_need ss_frontends_missing[];

#endif
