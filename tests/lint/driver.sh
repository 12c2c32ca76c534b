#!/bin/sh
# What kernels/cuda/device/driver.h declares in our own words, against NVIDIA's <cuda.h> where a machine
# has it: sizes and places of members, constants, and the arguments of every function.
set -u
cd "$(dirname "$0")/../.." || exit 2
rule='the declarations of the CUDA driver are those of <cuda.h>'

for folder in "${CUDA_HOME:-/usr/local/cuda}/include" /usr/local/cuda-*/include /opt/cuda/include; do
    [ -f "$folder/cuda.h" ] && break
done
[ -f "$folder/cuda.h" ] || { echo "skip $rule: there is no <cuda.h>"; exit 0; }
command -v g++ >/dev/null || { echo "skip $rule: there is no g++"; exit 0; }

program=$(mktemp) || exit 2
trap 'rm -f "$program"' EXIT
cat >"$program" <<'END'
#include <cuda.h>
#include <cstddef>
#include <type_traits>
#include "kernels/cuda/device/driver.h"

/* One argument: of equal size, and both floating point or neither. */
template <class A, class B> constexpr bool same = sizeof(A) == sizeof(B) &&
    std::is_floating_point<A>::value == std::is_floating_point<B>::value;
template <class F, class G> struct alike { static const bool value = false; };
template <class R, class... A, class S, class... B>
struct alike<R (*)(A...), S (*)(B...)> {
    template <bool... B_> struct all;
    static constexpr bool value = sizeof...(A) == sizeof...(B) &&
        std::is_same<all<same<A, B>..., true>, all<true, same<A, B>...>>::value;
};
#define SS_CU(name, symbol, arguments) \
    static_assert(alike<decltype(ss_cu_table::name), decltype(&symbol)>::value, #symbol);
#include "kernels/cuda/device/driver.def"

#define SIZE(ours, theirs) static_assert(sizeof(ours) == sizeof(theirs), #theirs)
#define PLACE(ours, member, theirs, its) \
    static_assert(offsetof(ours, member) == offsetof(theirs, its), #theirs "." #its)
SIZE(ss_cu_uuid, CUuuid);
SIZE(ss_cu_wish, CUlaunchAttribute);
PLACE(ss_cu_wish, value, CUlaunchAttribute, value);
SIZE(ss_cu_launch, CUlaunchConfig);
PLACE(ss_cu_launch, shared, CUlaunchConfig, sharedMemBytes);
PLACE(ss_cu_launch, stream, CUlaunchConfig, hStream);
PLACE(ss_cu_launch, wishes, CUlaunchConfig, attrs);
PLACE(ss_cu_launch, count, CUlaunchConfig, numAttrs);
SIZE(ss_cu_copy, CUDA_MEMCPY2D);
PLACE(ss_cu_copy, from.memory, CUDA_MEMCPY2D, srcMemoryType);
PLACE(ss_cu_copy, from.host, CUDA_MEMCPY2D, srcHost);
PLACE(ss_cu_copy, from.device, CUDA_MEMCPY2D, srcDevice);
PLACE(ss_cu_copy, from.pitch, CUDA_MEMCPY2D, srcPitch);
PLACE(ss_cu_copy, to.host, CUDA_MEMCPY2D, dstHost);
PLACE(ss_cu_copy, to.pitch, CUDA_MEMCPY2D, dstPitch);
PLACE(ss_cu_copy, width, CUDA_MEMCPY2D, WidthInBytes);
SIZE(ss_cu_array, CUDA_RESOURCE_DESC);
PLACE(ss_cu_array, of.rows.first, CUDA_RESOURCE_DESC, res.pitch2D.devPtr);
PLACE(ss_cu_array, of.rows.format, CUDA_RESOURCE_DESC, res.pitch2D.format);
PLACE(ss_cu_array, of.rows.channels, CUDA_RESOURCE_DESC, res.pitch2D.numChannels);
PLACE(ss_cu_array, of.rows.pitch, CUDA_RESOURCE_DESC, res.pitch2D.pitchInBytes);
SIZE(ss_cu_fetch, CUDA_TEXTURE_DESC);
PLACE(ss_cu_fetch, flags, CUDA_TEXTURE_DESC, flags);
PLACE(ss_cu_fetch, border, CUDA_TEXTURE_DESC, borderColor);

#define VALUE(ours, theirs) static_assert((int)(ours) == (int)(theirs), #theirs)
VALUE(SS_CU_OUT_OF_MEMORY, CUDA_ERROR_OUT_OF_MEMORY);
VALUE(SS_CU_NO_DEVICE, CUDA_ERROR_NO_DEVICE);
VALUE(SS_CU_ECC_UNCORRECTABLE, CUDA_ERROR_ECC_UNCORRECTABLE);
VALUE(SS_CU_NVLINK_UNCORRECTABLE, CUDA_ERROR_NVLINK_UNCORRECTABLE);
VALUE(SS_CU_ILLEGAL_ADDRESS, CUDA_ERROR_ILLEGAL_ADDRESS);
VALUE(SS_CU_LAUNCH_TIMEOUT, CUDA_ERROR_LAUNCH_TIMEOUT);
VALUE(SS_CU_PEER_ALREADY_ENABLED, CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
VALUE(SS_CU_ASSERT, CUDA_ERROR_ASSERT);
VALUE(SS_CU_HARDWARE_STACK_ERROR, CUDA_ERROR_HARDWARE_STACK_ERROR);
VALUE(SS_CU_ILLEGAL_INSTRUCTION, CUDA_ERROR_ILLEGAL_INSTRUCTION);
VALUE(SS_CU_MISALIGNED_ADDRESS, CUDA_ERROR_MISALIGNED_ADDRESS);
VALUE(SS_CU_INVALID_ADDRESS_SPACE, CUDA_ERROR_INVALID_ADDRESS_SPACE);
VALUE(SS_CU_INVALID_PC, CUDA_ERROR_INVALID_PC);
VALUE(SS_CU_LAUNCH_FAILED, CUDA_ERROR_LAUNCH_FAILED);
VALUE(SS_CU_SYSTEM_DRIVER_MISMATCH, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH);
VALUE(SS_CU_MAX_PITCH, CU_DEVICE_ATTRIBUTE_MAX_PITCH);
VALUE(SS_CU_REGISTERS_PER_BLOCK, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
VALUE(SS_CU_PROCESSORS, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
VALUE(SS_CU_L2_BYTES, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
VALUE(SS_CU_THREADS_PER_PROCESSOR, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
VALUE(SS_CU_TEXTURE_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH);
VALUE(SS_CU_TEXTURE_HEIGHT, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT);
VALUE(SS_CU_MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
VALUE(SS_CU_MINOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
VALUE(SS_CU_SHARED_PER_PROCESSOR, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
VALUE(SS_CU_REGISTERS_PER_PROCESSOR, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
VALUE(SS_CU_SHARED_PER_BLOCK, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
VALUE(SS_CU_BLOCKS_PER_PROCESSOR, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
VALUE(SS_CU_MAX_THREADS, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
VALUE(SS_CU_STATIC_SHARED, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
VALUE(SS_CU_LOCAL_BYTES, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
VALUE(SS_CU_REGISTERS, CU_FUNC_ATTRIBUTE_NUM_REGS);
VALUE(SS_CU_DYNAMIC_SHARED, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
VALUE(SS_CU_SHARED_CARVEOUT, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
VALUE(SS_CU_MOST_SHARED, CU_SHAREDMEM_CARVEOUT_MAX_SHARED);
VALUE(SS_CU_NON_BLOCKING, CU_STREAM_NON_BLOCKING);
VALUE(SS_CU_NO_TIMING, CU_EVENT_DISABLE_TIMING);
VALUE(SS_CU_THREAD_LOCAL, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
VALUE(SS_CU_NOT_CAPTURING, CU_STREAM_CAPTURE_STATUS_NONE);
VALUE(SS_CU_HOST, CU_MEMORYTYPE_HOST);
VALUE(SS_CU_DEVICE, CU_MEMORYTYPE_DEVICE);
VALUE(SS_CU_COOPERATIVE, CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
VALUE(SS_CU_CLUSTER, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
VALUE(SS_CU_OVERLAP, CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
VALUE(SS_CU_ROWS, CU_RESOURCE_TYPE_PITCH2D);
VALUE(SS_CU_INT32, CU_AD_FORMAT_SIGNED_INT32);
VALUE(SS_CU_FLOAT, CU_AD_FORMAT_FLOAT);
VALUE(SS_CU_AS_INTEGER, CU_TRSF_READ_AS_INTEGER);
END
if ! why=$(g++ -std=c++17 -x c++ -fsyntax-only -I. -I"$folder" "$program" 2>&1); then
    echo "not ok $rule"
    echo "$why" | grep error | head -n 20
    exit 1
fi
echo "ok $rule"
