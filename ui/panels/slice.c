/* The slice of a 3D field: its plane and index, the edges of blocks and patches, the probed cell.
 * See build.h. Main thread only. */
#include <stdio.h>

#include "ui/panels/build.h"

/* Edges as fractions of [a, b). Edges of blocks are omitted if they are too close; patches have no
 * fixed pitch and are always drawn. */
static int slice_edges(const ss_edges *e, double a, double b, bool down, int dots, double *out)
{
    int n = 0;
    if (e->pitch > 0 && e->pitch / (b - a) * dots < 4)
        return 0;
    for (int j = 0; j < e->n && n < SS_GRID_MAX; j++) {
        double f = (e->at[j] - a) / (b - a);
        if (f > 0 && f < 1)
            out[n++] = down ? 1 - f : f;
    }
    return n;
}

void ss_build_outlines(const ss_build *b, ss_image *im, ss_rect r)
{
    const ss_snapshot *p = b->snap;
    ss_box2 w = ss_ui_window(&p->view, p);
    int across = r.w * b->extent.dots_x, up = r.h * b->extent.dots_y;
    im->ngrid_x = slice_edges(&p->block_edge[0], w.x0, w.x1, false, across, im->grid_x);
    im->ngrid_y = slice_edges(&p->block_edge[1], w.y0, w.y1, true, up, im->grid_y);
    im->npatch_x = slice_edges(&p->patch_edge[0], w.x0, w.x1, false, across, im->patch_x);
    im->npatch_y = slice_edges(&p->patch_edge[1], w.y0, w.y1, true, up, im->patch_y);
}

/* "(12, 5, 32) · block (1, 0, 4) of patch 3" */
void ss_cell_text(const ss_probe *p, char *buf, size_t size)
{
    int n = snprintf(buf, size, "(%d, %d, %d)", p->cell[0], p->cell[1], p->cell[2]);
    if (p->has_block)
        n += snprintf(buf + n, size - (size_t)n, " · block (%d, %d, %d)", p->block[0], p->block[1],
                      p->block[2]);
    if (p->npatch > 1 && p->patch >= 0)
        snprintf(buf + n, size - (size_t)n, "%s patch %d", p->has_block ? " of" : " ·", p->patch);
}

/* 3D: "z = 31 of 64 · the field u", without the help if there is no room. */
void ss_slice_text(const ss_build *b, const char *help, int room, char *buf, size_t size)
{
    const ss_snapshot *p = b->snap;
    int axis = p->view.axis >= 0 && p->view.axis < 3 ? p->view.axis : 2;
    int n = snprintf(buf, size, "%c = %d of %d", "xyz"[axis], p -> view.slice, p->nz);
    snprintf(buf + n, size - (size_t)n, " · %s", help);
    if (ss_text_width(buf) + 2 > room)
        buf[n] = '\0';
}

/* Tabs of the planes. Returns the column after the last name. */
int ss_build_planes(const ss_build *b, ss_rect r)
{
    int axis = b->ui->view.axis;
    return ss_build_choices(b, r, ss_plane_names, ss_plane_names, 3,
                            axis >= 0 && axis < 3 ? axis : 2, "view plane %s");
}
