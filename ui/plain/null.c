/* The empty front end: it waits and shows nothing. Also the template of a new one, and the
 * measure of the program's cost without drawing. */
#include "ui/plain/wait.h"

extern const ss_frontend ss_frontend_none;

static void draw(void *self, const struct ss_scene *scene, const ss_snapshot *snap)
{
    (void)self, (void)scene, (void)snap;
}

const ss_frontend ss_frontend_none = {
    .name = "none",
    .help = "no front end: solve, report, exit",
    .open = ss_plain_open,
    .extent = ss_plain_extent,
    .poll = ss_plain_poll,
    .wake = ss_plain_wake,
    .draw = draw,
    .close = ss_plain_close,
};
