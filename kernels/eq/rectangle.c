/* The shapes of a unit square and of a rectangle: see rectangle.h. */
#include "kernels/eq/rectangle.h"

void ss_square_shape(const ss_config *cfg, ss_problem *out)
{
    out->dim = 2;
    out->nx = (int)ss_config_int(cfg, "n");
    out->ny = (int)ss_config_int(cfg, "ny");
    out->nz = 1;
    out->dx = 1 / (out->nx + 1.0);
    out->dy = 1 / (out->ny + 1.0);
    out->dz = out->dx;
}

void ss_rectangle_shape(const ss_config *cfg, ss_problem *out)
{
    ss_square_shape(cfg, out);
    out->dy = ss_config_real(cfg, "aspect") / (out->ny + 1.0);
}
