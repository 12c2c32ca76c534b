/*
 * CUDA graphs made of what would otherwise be launched one by one: half a microsecond a launch
 * instead of three. CUDA C++17, host only; engine thread.
 */
#ifndef SS_CUDA_GRAPH_CUH
#define SS_CUDA_GRAPH_CUH

#include "kernels/cuda/device/common.cuh"

/* What `launches` puts on the stream as a graph; it returns SS_OK, or SS_FAIL with err set.
 * The capture is ended also where a launch fails, and the first reason is the one that is told.
 * *made must be NULL; if it is not afterwards it is the caller's, also if this fails. */
template <class F>
static int ss_cuda_record(cudaStream_t stream, F launches, cudaGraphExec_t *made, ss_err *err)
{
    cudaGraph_t graph = NULL;
    SS_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    int status = launches();
    cudaError_t launch_in_graph = cudaGetLastError();
    cudaError_t end_of_capture = cudaStreamEndCapture(stream, &graph);
    cudaError_t instantiation = cudaSuccess;
    if (status == SS_OK && launch_in_graph == cudaSuccess && end_of_capture == cudaSuccess)
        instantiation = cudaGraphInstantiate(made, graph, 0);
    if (graph)
        cudaGraphDestroy(graph);
    if (status != SS_OK) {
        cudaGetLastError(); /* not for the next one: it is why, or because, the launch failed */
        return SS_FAIL;
    }
    SS_CUDA(launch_in_graph);
    SS_CUDA(end_of_capture);
    SS_CUDA(instantiation);
    return SS_OK;
}

/* The driver loads a kernel when it is first asked for, which takes up to 50 ms. A graph that is
 * never run asks for what `launches` launches, before a clock runs. */
template <class F> static int ss_cuda_load(cudaStream_t stream, F launches, ss_err *err)
{
    cudaGraphExec_t made = NULL;
    int status = ss_cuda_record(stream, launches, &made, err);
    if (made)
        cudaGraphExecDestroy(made);
    return status;
}

#endif
