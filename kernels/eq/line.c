/*
 * A constant tridiagonal system: its description and parameters. The point update is in line.h,
 * the members that it shares with plane are in entries.c, the CPU's loops come from
 * kernels/cpu/loops/apply.h. Constant and pure; any thread.
 */
#include "kernels/eq/entries.h"

#define SS_EQ line
#define SS_EQ_HEADER "kernels/eq/line.h"
#define SS_UPDATE(f, g, w, e, s, n) f(g, c0, c1, w, e)
#include "kernels/cpu/loops/apply.h"

// clang-format off
static ss_param params[] = {
    {SS_ROW_AXIS("n", 1024, 1, 1 << 30), .unit = "points",
     .help = "unknowns of the system, the points of a line"},
    {SS_ROW_POINTS("copies", 1, 1, 1 << 20),
     .help = "independent copies of the problem, solved together"},
    {SS_ROW_ENTRY("west", "c_w"),
     .help = "entry of the matrix left of its diagonal, which the west neighbour has"},
    {SS_ROW_ENTRY("east", "c_e"),
     .help = "entry of the matrix right of its diagonal, which the east neighbour has"},
    SS_ROW_DIAGONAL(2.01),
    {SS_ROW_PROBLEM(ss_entries_problems, ss_entries_problem_help),
     .help = "right-hand side b and initial field u"},
};
// clang-format on

/* Each copy is a row; the rows are not coupled. */
static void shape(const ss_config *cfg, ss_problem *out)
{
    out->dim = 1;
    out->nx = (int)ss_config_int(cfg, "n");
    out->ny = (int)ss_config_int(cfg, "copies");
    out->nz = 1;
    out->dx = out->dy = out->dz = 1 / (out->nx + 1.0);
}

const ss_equation ss_eq_line = {
    .name = "line",
    .title = "tridiagonal",
    .help = "c_w u_w + d u + c_e u_e = b: a tridiagonal matrix with constant entries",
    .dim = 1,
    .nfield = 1,
    .nstage = 1,
    .radius = 1,
    .kind = SS_STEADY,
    .bc = SS_BC_DIRICHLET,
    .origin = 1,
    .params = params,
    .nparam = sizeof params / sizeof *params,
    .shape = shape,
    SS_ENTRIES,
    .apply = {[SS_F64] = line_apply_f64, [SS_F32] = line_apply_f32},
    .flops = 4,
    .reads = 3,
    .writes = 1,
};
