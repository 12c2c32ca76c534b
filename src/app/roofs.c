/* The roofs of the shown run, measured when the screen shows its roofline. See parts.h. */
#include <string.h>

#include "src/app/parts.h"

static void wake(void *ctx)
{
    app *a = ctx;
    a->fe->wake(a->self);
}

void ss_app_roofs_turn(app *a)
{
    ss_err ignored;
    bool failed = false;
    if (!a->snap || a->setup->deterministic || !ss_ui_wants_roofs(a->ui))
        return;
    bool other = memcmp(&a->roofs.of, &a->snap->cfg, sizeof a->roofs.of) != 0;
    if (other && a->roofs.gauge && !ss_gauge_covers(a->roofs.gauge, &a->snap->cfg)) {
        ss_ui_roofs(a->ui, NULL, false);
        ss_gauge_stop(a->roofs.gauge);
        a->roofs.gauge = NULL;
    }
    a->roofs.of = a->snap->cfg;
    if (!a->roofs.gauge)
        a->roofs.gauge = ss_gauge_start(&a->snap->cfg, wake, a, &ignored);
    const ss_roofs *roofs = a->roofs.gauge ? ss_gauge_roofs(a->roofs.gauge, &failed) : NULL;
    if (roofs != a->roofs.shown || failed)
        a->must_draw = true;
    a->roofs.shown = roofs;
    ss_ui_roofs(a->ui, roofs, failed || !a->roofs.gauge);
}

void ss_app_roofs_end(app *a)
{
    if (a->ui)
        ss_ui_roofs(a->ui, NULL, false);
    ss_gauge_stop(a->roofs.gauge);
    a->roofs.gauge = NULL;
}
