/*
 * CUDA graphs made of what would otherwise be launched one by one: half a microsecond a launch
 * instead of three. CUDA C++17, host only; engine thread.
 */
#ifndef SS_CUDA_GRAPH_CUH
#define SS_CUDA_GRAPH_CUH

#include "kernels/cuda/device.cuh"

/* What `launches` puts on the run's stream as a graph. It returns SS_OK or SS_FAIL with err set.
 * The capture ends whatever happens, and the first reason is the one that is told. */
template <class F>
static int ss_cuda_record(const ss_run *run, F launches, cudaGraphExec_t *made, ss_err *err)
{
    cudaStream_t stream = ss_cuda_of(run)->stream;
    cudaGraph_t graph = NULL;
    SS_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    int status = launches();
    cudaError_t launched = cudaGetLastError(), code = cudaStreamEndCapture(stream, &graph);
    if (status == SS_OK && launched == cudaSuccess && code == cudaSuccess)
        code = cudaGraphInstantiate(made, graph, 0);
    if (graph)
        cudaGraphDestroy(graph);
    if (status != SS_OK)
        return SS_FAIL;
    SS_CUDA(launched);
    SS_CUDA(code);
    return SS_OK;
}

/* The driver loads a kernel when it is first asked for, which takes up to 50 ms. A graph that is
 * never run asks for what `launches` launches, before a clock runs. */
template <class F> static int ss_cuda_load(const ss_run *run, F launches, ss_err *err)
{
    cudaGraphExec_t made = NULL;
    if (ss_cuda_record(run, launches, &made, err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(cudaGraphExecDestroy(made));
    return SS_OK;
}

#endif
