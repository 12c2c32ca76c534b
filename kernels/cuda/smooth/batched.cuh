/*
 * Variants of the product's kernel (panel.cuh), for batched.cu and for the programs that measure
 * and check more of them (tests/gpu). Host code, CUDA C++17; engine thread.
 */
#ifndef SS_CUDA_BATCHED_CUH
#define SS_CUDA_BATCHED_CUH

#include "kernels/cuda/smooth/panel.cuh"
#include "kernels/cuda/smooth/plan.cuh"

#define SS_PANEL_SIZES 5 /* blocks of any shape, 1^3, 2^3, 4^3, 8^3 */

/* The three kernels of one precision and size. */
struct ss_panel_kernels {
    const void *plain, *with_norm, *chaotic;
};

struct ss_panel_variant {
    int mt, nt, warps; /* tiles per warp, warps per thread block */
    ss_panel_kernels kernels[SS_NPREC][SS_PANEL_SIZES];
};

template <typename T, int B, int MT, int NT, int MAX_THREADS, int MIN_BLOCKS>
static ss_panel_kernels ss_panel_instances()
{
    return {(const void *)relax_panel<alone, T, B, MT, NT, false, MAX_THREADS, MIN_BLOCKS>,
            (const void *)relax_panel<alone, T, B, MT, NT, true, MAX_THREADS, MIN_BLOCKS>,
            (const void *)relax_panel<racing, T, B, MT, NT, false, MAX_THREADS, MIN_BLOCKS>};
}

/* MIN_BLOCKS: thread blocks per SM that the compiler must leave registers for. */
template <int MT, int NT, int WARPS, int MIN_BLOCKS>
static const ss_panel_variant ss_panel_variant_of = {
    MT,
    NT,
    WARPS,
    {{ss_panel_instances<double, 0, MT, NT, 32 * WARPS, MIN_BLOCKS>(),
      ss_panel_instances<double, 1, MT, NT, 32 * WARPS, MIN_BLOCKS>(),
      ss_panel_instances<double, 2, MT, NT, 32 * WARPS, MIN_BLOCKS>(),
      ss_panel_instances<double, 4, MT, NT, 32 * WARPS, MIN_BLOCKS>(),
      ss_panel_instances<double, 8, MT, NT, 32 * WARPS, MIN_BLOCKS>()},
     {ss_panel_instances<float, 0, MT, NT, 32 * WARPS, MIN_BLOCKS>(),
      ss_panel_instances<float, 1, MT, NT, 32 * WARPS, MIN_BLOCKS>(),
      ss_panel_instances<float, 2, MT, NT, 32 * WARPS, MIN_BLOCKS>(),
      ss_panel_instances<float, 4, MT, NT, 32 * WARPS, MIN_BLOCKS>(),
      ss_panel_instances<float, 8, MT, NT, 32 * WARPS, MIN_BLOCKS>()}}};

/* `load` and `plan` of a method, for one variant. */
int ss_panel_load(const ss_panel_variant *v, ss_smooth_shape *shape, const ss_inverse *inv,
                  ss_err *err);
void ss_panel_plan(const ss_panel_variant *v, const ss_cuda_smooth *s, ss_smooth_launch *l);
/* `cube` of a method that takes blocks one by one. */
int ss_panel_no_cube(int n, ss_cuda_order order);

#endif
