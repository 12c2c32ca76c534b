/* The run under the roofs: its arithmetic intensity and rate, and where they were in the last half
 * minute. See state.h. Main thread only. */
#include <math.h>
#include <string.h>

#include "ui/view/state.h"

#define APART 0.5 /* seconds between two points of the trail */
#define KEPT 30   /* seconds that a point of it stays */

const char *const ss_cost_pages[SS_COST_NPAGE + 1] = {"cost", "roofline"};

int ss_view_cost(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    int i;
    (void)snap;
    if (ss_ui_pick("page of costs", cmd->arg[1], ss_cost_pages, SS_COST_NPAGE, (int)ui->roof.page,
                   &i, err) != SS_OK)
        return SS_FAIL;
    ui->roof.page = (ss_cost_page)i;
    return SS_OK;
}

bool ss_ui_wants_roofs(const ss_ui *ui)
{
    return ui->roof.page == SS_COST_ROOFLINE && !ui->in_order;
}

void ss_ui_roofs(ss_ui *ui, const ss_roofs *roofs, bool failed)
{
    if (roofs != ui->roof.roofs) /* those of other settings: their points do not compare */
        ui->roof.n = 0;
    ui->roof.roofs = roofs;
    ui->roof.failed = failed;
}

ss_xy ss_roof_place(const ss_snapshot *snap, const ss_roofs *roofs)
{
    const ss_ledger *l = &snap->ledger;
    bool device = snap->threads == 0, same = device == (roofs->clock == SS_ROOF_DEVICE);
    if (!same || !(snap->spent > 0) || !(l->global_bytes > 0) || !(l->operations > 0))
        return (ss_xy){(double)NAN, (double)NAN};
    return (ss_xy){l->operations / l->global_bytes, l->operations / snap->spent};
}

static void drop_first(ss_roofing *r)
{
    r->n--;
    memmove(r->trail, r->trail + 1, (size_t)r->n * sizeof *r->trail);
    memmove(r->when, r->when + 1, (size_t)r->n * sizeof *r->when);
}

void ss_roof_follow(ss_ui *ui, const ss_snapshot *snap)
{
    ss_roofing *r = &ui->roof;
    while (r->n > 0 && ui->now - r->when[0] > KEPT)
        drop_first(r);
    r->at = r->roofs ? ss_roof_place(snap, r->roofs) : (ss_xy){(double)NAN, (double)NAN};
    if (isnan(r->at.x) || (r->n > 0 && ui->now - r->when[r->n - 1] < APART))
        return;
    if (r->n == SS_ROOF_TRAIL)
        drop_first(r);
    r->when[r->n] = ui->now;
    r->trail[r->n++] = r->at;
}
