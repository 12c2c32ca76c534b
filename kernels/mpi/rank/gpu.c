/* What computes a rank's part: see gpu.h. */
#include "kernels/mpi/rank/gpu.h"

#include <stdlib.h>

#include "kernels/cuda/rank/rank.h"
#include "kernels/mpi/wire.h"
#include "src/core/registry.h"

/* The numbers of all ranks; free them. NULL: err. */
static double *gather(ss_comm *comm, double mine, ss_err *err)
{
    double *all = malloc((size_t)comm->size * sizeof *all);
    if (!all) {
        ss_fail_memory(err, "numbers of the ranks", (size_t)comm->size * sizeof *all);
    } else if (comm->ops->gather(comm, &mine, 1, err) != SS_OK ||
               comm->ops->gathered(comm, all, err) != SS_OK) {
        free(all);
        all = NULL;
    }
    return all;
}

/* Different numbers among them, without 0. */
static int count_gpus(const double *id, int ranks)
{
    int gpus = 0;
    for (int r = 0; r < ranks; r++) {
        bool new = id[r] > 0;
        for (int q = 0; q < r; q++)
            new = new &&id[q] != id[r];
        gpus += new;
    }
    return gpus;
}

/* Has each rank a GPU of its own? why: if not; one that this rank knows stays. */
static bool is_enough(const double *id, int ranks, ss_err *why)
{
    bool twice = getenv("STENCILSCOPE_CUDA_TWICE") != NULL; /* ranks share a GPU: for tests */
    int gpus = count_gpus(id, ranks);
    for (int r = 0; r < ranks; r++)
        if (!(id[r] > 0)) {
            if (!why->text[0])
                ss_fail(why, "rank %d has no GPU", r);
            return false;
        }
    if (gpus == ranks || twice)
        return true;
    ss_fail(why, "%d ranks have %d GPU%s", ranks, gpus, gpus == 1 ? "" : "s");
    return false;
}

/* *found: each rank has one, and it works. *some: there is one. */
static int find_gpus(ss_comm *comm, int local, ss_part_setup *setup, bool *found, bool *some,
                     ss_err *why, ss_err *err)
{
    double mine = 0;
    int which = 0;
    if (ss_cuda_rank.find(local, &which, &mine, why) != SS_OK)
        mine = 0;
    double *id = gather(comm, mine, err);
    if (!id)
        return SS_FAIL;
    *some = count_gpus(id, comm->size) > 0;
    *found = is_enough(id, comm->size, why) && ss_part_check_device(setup, why) == SS_OK;
    free(id);
    if (!*found)
        return SS_OK;
    double *fails = gather(comm, ss_cuda_rank.begin(which, why) != SS_OK, err);
    if (!fails)
        return SS_FAIL;
    for (int r = 0; r < comm->size; r++)
        if (fails[r] > 0 && *found) {
            *found = false;
            if (!why->text[0])
                ss_fail(why, "the GPU of rank %d does not work", r);
        }
    free(fails);
    const ss_equation *eq = ss_config_equation(setup->cfg);
    setup->device = *found ? ss_cuda_rank.device[eq->kind] : NULL;
    setup->which = which;
    return SS_OK;
}

int ss_rank_device(ss_comm *comm, int local, int wish, ss_part_setup *setup, ss_err *note,
                   ss_err *err)
{
    ss_err why = {0};
    bool found = false, some = false;
    if (wish == SS_RANK_CPU)
        return SS_OK;
    if (find_gpus(comm, local, setup, &found, &some, &why, err) != SS_OK)
        return SS_FAIL;
    if (!found && wish == SS_RANK_GPU)
        return ss_fail(err, "rank-device: %.200s: choose rank-device cpu, or auto", why.text);
    if (found)
        ss_fail(note, comm->size > 1 ? "1 GPU each" : "1 GPU");
    else if (some)
        ss_fail(note, "on the CPU: %.200s", why.text);
    return SS_OK;
}
