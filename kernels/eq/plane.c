/* The shape of a rectangle: see plane.h. */
#include "kernels/eq/plane.h"

void ss_plane_shape(const ss_config *cfg, ss_problem *out)
{
    out->dim = 2;
    out->nx = (int)ss_config_int(cfg, "n");
    out->ny = (int)ss_config_int(cfg, "ny");
    out->nz = 1;
    out->dx = 1 / (out->nx + 1.0);
    out->dy = ss_config_real(cfg, "aspect") / (out->ny + 1.0);
    out->dz = out->dx;
}
