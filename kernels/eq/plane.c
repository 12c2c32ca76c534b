/*
 * A constant pentadiagonal system: its description and parameters. The point update is in plane.h,
 * the members that it shares with line are in entries.c, the CPU's loops come from
 * kernels/cpu/loops/apply.h. Constant and pure; any thread.
 */
#include "kernels/eq/entries.h"
#include "kernels/eq/rectangle.h"

#define SS_EQ plane
#define SS_EQ_HEADER "kernels/eq/plane.h"
#define SS_UPDATE(f, g, w, e, s, n) f(g, c0, c1, c2, c3, w, e, s, n)
#include "kernels/cpu/loops/apply.h"

// clang-format off
static ss_param params[] = {
    SS_ROWS_SQUARE(256),
    {SS_ROW_ENTRY("west", "c_w"), .help = "entry of the matrix that the west neighbour has"},
    {SS_ROW_ENTRY("east", "c_e"), .help = "entry of the matrix that the east neighbour has"},
    {SS_ROW_ENTRY("south", "c_s"), .help = "entry of the matrix that the south neighbour has"},
    {SS_ROW_ENTRY("north", "c_n"), .help = "entry of the matrix that the north neighbour has"},
    SS_ROW_DIAGONAL(4.02),
    {SS_ROW_PROBLEM(ss_entries_problems, ss_entries_problem_help),
     .help = "right-hand side b and initial field u"},
};
// clang-format on

const ss_equation ss_eq_plane = {
    .name = "plane",
    .title = "pentadiagonal",
    .help = "c_w u_w + c_e u_e + c_s u_s + c_n u_n + d u = b: a pentadiagonal matrix with constant "
            "entries",
    SS_SQUARE,
    .params = params,
    .nparam = sizeof params / sizeof *params,
    SS_ENTRIES,
    .apply = {[SS_F64] = plane_apply_f64, [SS_F32] = plane_apply_f32},
    .flops = 8,
    .reads = 5,
    .writes = 1,
};
