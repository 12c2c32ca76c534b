/*
 * Damped block Jacobi: adds to every block omega times its exact inverse applied to its residual,
 * from the old array into a new one; a halo exchange follows. Source: the paper on block-relaxation
 * smoothers for structured patches, algorithm 1. This file describes the schedule; the loops are in
 * kernels/cpu/smoother.c. Pure functions; any thread.
 */
#include "kernels/solver/block.h"

static const char *const phases[] = {"relax blocks", "exchange ghosts", NULL};

// clang-format off
static ss_param params[] = {
    SS_BLOCK_ROWS(0.8),
};
// clang-format on

/* The largest eigenvalue of the block inverses times the matrix is below 2 but close to it, so an
 * omega above 1 may diverge. */
static const char *suspect(const ss_config *cfg)
{
    return ss_config_real(cfg, "omega") > 1
               ? "and omega above 1 is the likely cause: the corrections of all blocks overshoot"
               : NULL;
}

const ss_solver ss_solver_block_jacobi = {
    .name = "block-jacobi",
    .title = "damped block Jacobi",
    .help = "the exact inverse of every block at once, damped: a smoother for patches",
    .paper = "Rodriguez Rodriguez, Philip, Wang & Berrill: block-relaxation methods for 3D "
             "constant-coefficient stencils on GPUs and multicore CPUs",
    .no_box = SS_BLOCK_NO_BOX,
    .params = params,
    .nparam = sizeof params / sizeof *params,
    .phases = phases,
    .check = ss_block_check,
    .blocks = ss_block_size,
    .bytes = ss_block_bytes,
    .ledger = ss_block_ledger,
    .setup_cost = ss_block_setup_cost,
    .suspect = suspect,
};
