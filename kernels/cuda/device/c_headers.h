/* What NVRTC, which has no headers of C, needs of them: the text of <stddef.h>, <stdint.h> and the
 * others that kernels include by way of shared headers (compiler.c). Functions of <math.h> are
 * built in. Never included by C. */
#ifndef SS_CUDA_C_HEADERS_H
#define SS_CUDA_C_HEADERS_H

typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned uint32_t;
typedef long int64_t; /* as on Linux: `long long` would give kernels other names */
typedef unsigned long uint64_t;
typedef unsigned long uintptr_t;
typedef long ptrdiff_t;

#ifndef NULL
#define NULL 0
#endif
#define INT_MAX 0x7fffffff
#define INT32_MAX 0x7fffffff
#define UINT32_MAX 0xffffffffu
#define INT64_MAX 0x7fffffffffffffffl
#define HUGE_VAL (__longlong_as_double(0x7ff0000000000000ll))
#define INFINITY ((float)HUGE_VAL)

#endif
