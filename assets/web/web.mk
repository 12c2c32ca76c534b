# The program for WebAssembly, with emscripten alone: `make web` reads this file.
#
# The terminal, the window, films, CUDA and MPI are left out; src/standin stands in for OpenMP,
# OpenBLAS, LAPACKE and jansson. No contraction and no relaxed SIMD: the bits are the native ones.

W    := build/web
EMCC ?= emcc

ABSENT := ui/tui/% ui/sdl/% ui/canvas/% ui/encode/% kernels/cuda/device/% kernels/mpi/rank/% \
          src/base/json_out.c
SRC    := $(filter-out $(ABSENT),$(sort $(shell find src kernels ui -name '*.c')))
OBJ    := $(SRC:%.c=$(W)/obj/%.o) $(W)/obj/gen/embed.o
EMBED  := $(sort $(wildcard assets/data/* lessons/*.md))

CPP_ALL := -I. -Isrc/standin/include -D_GNU_SOURCE -DSS_VERSION='"$(VERSION)"'
C_ALL   := -std=c11 -ffp-contract=off -fno-math-errno -fno-trapping-math -msimd128 -pthread \
           -Wall -Wno-unused -Werror=implicit-function-declaration

# Threads are workers. main runs in one of them, so that the page's own thread is never blocked. All
# are started with the program: the engine, and what computes beside it.
LINK    := -Oz -pthread -sPROXY_TO_PTHREAD -sPTHREAD_POOL_SIZE=8 -sEXIT_RUNTIME=1 \
           -sINITIAL_MEMORY=512MB -sTOTAL_STACK=1MB -sDEFAULT_PTHREAD_STACK_SIZE=1MB \
           -sMODULARIZE=1 -sEXPORT_NAME=Stencilscope -sENVIRONMENT=web,worker,node -sEXPORTED_RUNTIME_METHODS=FS -sFORCE_FILESYSTEM=1

# Debian's emscripten finds Debian's node modules only here.
export NODE_PATH := /usr/share/nodejs

Q    := $(if $(filter 1,$(V)),,@)
say   = $(if $(Q),@printf '  %-7s %s\n' '$(1)' '$(2)')
stamp = @mkdir -p $(@D); printf '%s\n' '$(subst ','\'',$(1))' | cmp -s - $@ || \
        printf '%s\n' '$(subst ','\'',$(1))' > $@

.PHONY: site FORCE
.DELETE_ON_ERROR:
site: $(W)/stencilscope.js

$(W)/stencilscope.js: $(OBJ) $(W)/link.stamp
	$(call say,LINK,$@)
	$(Q)$(EMCC) $(LINK) -o $@ $(OBJ)

$(W)/obj/gen/%.o: $(W)/gen/%.c $(W)/flags.stamp
	$(call say,EMCC,$<)
	@mkdir -p $(@D)
	$(Q)$(EMCC) $(CPP_ALL) $(C_ALL) -Oz -c -o $@ $<

# Loops over points are fast, the rest is small: -O3 unrolls the updates of the equations, 100 kB
# more, and is no faster.
FAST := $(addsuffix /%,kernels/block kernels/cpu kernels/eq kernels/sample src/standin)
OPT   = $(if $(filter $(FAST),$<),-O2,-Oz)

$(W)/obj/%.o: %.c $(W)/flags.stamp
	$(call say,EMCC,$<)
	@mkdir -p $(@D)
	$(Q)$(EMCC) $(CPP_ALL) $(C_ALL) $(OPT) -MMD -MP -c -o $@ $<

$(W)/gen/embed.c: $(EMBED) assets/embed.sh $(W)/files.stamp
	$(call say,EMBED,$@)
	@mkdir -p $(@D)
	$(Q)assets/embed.sh $(EMBED) > $@

$(W)/flags.stamp: FORCE
	$(call stamp,$(EMCC) $(CPP_ALL) $(C_ALL))

$(W)/link.stamp: FORCE
	$(call stamp,$(LINK) $(SRC))

$(W)/files.stamp: FORCE
	$(call stamp,$(EMBED))

-include $(OBJ:.o=.d)
