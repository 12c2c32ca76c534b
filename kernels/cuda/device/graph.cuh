/*
 * CUDA graphs: launches recorded once and replayed together, at half a microsecond per launch
 * instead of three. CUDA C++17, host only; engine thread.
 */
#ifndef SS_CUDA_GRAPH_CUH
#define SS_CUDA_GRAPH_CUH

#include "kernels/cuda/device/common.cuh"

/* Records as a graph what `launches` puts on the stream; it returns SS_OK, or SS_FAIL with err set.
 * If a launch fails, the capture is ended and the first error is reported. *made must be NULL; a
 * graph that it holds afterwards belongs to the caller, also on failure. */
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
        cudaGetLastError(); /* clear it: err already has the reason */
        return SS_FAIL;
    }
    SS_CUDA(launch_in_graph);
    SS_CUDA(end_of_capture);
    SS_CUDA(instantiation);
    return SS_OK;
}

/* The driver loads a kernel on first use, which takes up to 50 ms. This loads the kernels that
 * `launches` launches, by recording a graph that is never run; call it before a clock starts. */
template <class F> static int ss_cuda_load(cudaStream_t stream, F launches, ss_err *err)
{
    cudaGraphExec_t made = NULL;
    int status = ss_cuda_record(stream, launches, &made, err);
    if (made)
        cudaGraphExecDestroy(made);
    return status;
}

#endif
