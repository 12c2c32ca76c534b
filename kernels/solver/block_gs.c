/*
 * Block Gauss-Seidel: relaxes the blocks of a patch one after the other in place, each by its exact
 * inverse from the latest values of its neighbours. Ghost cells have the values before the step; a
 * halo exchange follows. Chaotic: in an order drawn anew for every step, on a GPU in the hardware's
 * order. Source: the paper on block-relaxation smoothers for structured patches. This file
 * describes the schedule; the loops are in kernels/cpu/smoother.c. Pure functions; any thread.
 */
#include "kernels/solver/block.h"

static const char *const phases[] = {"relax blocks", "exchange ghosts", NULL};
// clang-format off
static ss_param params[] = {
    SS_BLOCK_ROWS(1),
    {SS_BLOCK_ORDER, .key = "d"},
};
// clang-format on

/* In a single patch any omega below 2 is stable, except with mirrored ghost cells. */
static const char *suspect(const ss_config *cfg)
{
    return ss_config_real(cfg, "omega") > 1
               ? "and omega above 1 is the likely cause: ghost cells lag by one step"
               : NULL;
}

const ss_solver ss_solver_block_gs = {
    .name = "block-gs",
    .title = "chaotic block Gauss-Seidel",
    .help = "the exact inverse of one block after the other, in place: a smoother for patches",
    .paper = "Rodriguez Rodriguez, Philip, Wang & Berrill: block-relaxation methods for 3D "
             "constant-coefficient stencils on GPUs and multicore CPUs",
    .no_box = SS_BLOCK_NO_BOX,
    .params = params,
    .nparam = sizeof params / sizeof *params,
    .phases = phases,
    .check = ss_block_check,
    .blocks = ss_block_size,
    .bytes = ss_block_bytes_drawn,
    .ledger = ss_block_ledger,
    .setup_cost = ss_block_setup_cost,
    .suspect = suspect,
};
